"""Sealed figures: what revenue staff signed for, and what has changed since."""
