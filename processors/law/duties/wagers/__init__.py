"""Wagers before the cards: who may wager, with what, until when, and what stays untouched."""
