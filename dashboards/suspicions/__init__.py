"""Suspicions: the families of detectors, what they hold of somebody, and the evidence drawn as a curve."""
