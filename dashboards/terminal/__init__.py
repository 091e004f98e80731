"""The gaming floor live in a terminal."""
