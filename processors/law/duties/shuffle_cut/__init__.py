"""Shuffle, cut and cover card, and the cards of an idle table."""
