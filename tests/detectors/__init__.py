"""Detectors: where each family fires, what only looks like it, and how both stages go on and come out the same."""
