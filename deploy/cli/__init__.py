"""The `catwalk` command."""
