"""Exact play: what each decision of a Blackjack hand is worth, how the dealer ends, what the game keeps."""
