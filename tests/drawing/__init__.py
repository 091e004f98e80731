"""Drawings hold what may be seen, once each, where it can be read; replays know nothing too early."""
