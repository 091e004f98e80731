"""Shelves: what is silent for a while, why, by whom and until when; and what a silence would hide."""
