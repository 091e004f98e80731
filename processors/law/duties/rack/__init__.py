"""How cards leave the layout and in which order they lie in the discard rack."""
