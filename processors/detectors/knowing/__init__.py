"""How well decisions fit a hole card that nobody has seen, by all cards that might lie there."""
