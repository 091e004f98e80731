"""Patterns: what detectors suspect of people, tables and shoes, how the evidence grew, and what else may explain it."""
