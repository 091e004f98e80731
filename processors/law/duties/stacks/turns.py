"""The spots of a stack game in words, and where a deal departs from the lawful order of its spots."""

from __future__ import annotations

from collections.abc import Sequence

from processors.core.state import spot_named


def departs(spots: Sequence[str], lawful: Sequence[str]) -> int | None:
    """Place of the first spot that was served out of turn; None where none was, though some may be missing."""
    for place, spot in enumerate(spots):
        if place >= len(lawful) or spot != lawful[place]:
            return place
    return None


def out_of_turn(what: str, spots: Sequence[str], lawful: Sequence[str]) -> str:
    """The first spot that was served out of turn, as a sentence about a card or a stack."""
    place = departs(spots, lawful)
    if place is None or place >= len(lawful):
        return f"{what} went to {spot_named(spots[-1])} when it was nobody's turn."
    return f"{what} went to {spot_named(spots[place])} when it was the turn of {spot_named(lawful[place])}."
