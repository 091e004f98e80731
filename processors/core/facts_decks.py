"""What the record shows of the decks between rounds: opening, inspection, wash, shuffle, cut, cover card, burn."""

from __future__ import annotations

from msgspec import Struct


class DeckFacts(Struct):
    """The preparation of every batch and of the shoe in play."""
