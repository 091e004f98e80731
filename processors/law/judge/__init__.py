"""Judging: an event goes to the duties that it decides, and their judgments become findings."""
