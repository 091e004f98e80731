"""Offline replay: recorded streams through the pipeline into files."""
