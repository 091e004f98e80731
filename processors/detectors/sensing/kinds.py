"""The ways in which a device fails, with their words, and the rounds in which one did."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from processors.detectors.weighty import WeightyAct
from schemas.amounts import amount


class Kind(Struct, frozen=True):
    """One way in which a device fails: the check's variant, its share of the level, and the words for it.

    noun, which: one word of the device, and which of these are meant.
    """

    variant: str
    share: float
    noun: str
    which: str
    failed: str


KINDS = {
    "draws": Kind("gaps", 0.16, "card", "drawn", "missing from the shoe's report"),
    "placements": Kind("gaps", 0.16, "card", "laid", "missing from the layout's report"),
    "racked": Kind("gaps", 0.07, "card", "racked", "missing from the rack's report"),
    "readings": Kind("gaps", 0.05, "reading", "of the hole card", "missing from the reader's report"),
    "wagers": Kind("gaps", 0.05, "main wager", "", "missing from the layout's report"),
    "decisions": Kind("gaps", 0.05, "decision", "to draw a card", "missing from the console's report"),
    "shoe_faces": Kind("unreadable", 0.09, "card", "drawn", "not read by the shoe"),
    "layout_faces": Kind("unreadable", 0.09, "card", "laid face up", "not read by the layout"),
    "rack_faces": Kind("unreadable", 0.07, "card", "racked", "not read by the rack"),
    "clocks": Kind(
        "skew", 0.05, "pair", "of a draw and a placement", "in impossible order by the devices' clocks"
    ),
    "late": Kind("skew", 0.05, "word", "of devices", "more than 2 seconds out of time"),
    "reading_times": Kind("skew", 0.02, "reading", "of the hole card", "more than 2 seconds out of time"),
}


class LossyRound(WeightyAct, frozen=True):
    """A round that lost words of a kind, by the event that closed it; at: the table's rounds up to it."""

    kind: str = ""
    lost: int = 0

    def why(self) -> dict[str, Any]:
        """How many words failed, which these are, how they failed, and the factor."""
        of = KINDS[self.kind]
        words = " ".join(filter(None, (amount(self.lost, of.noun), of.which, of.failed)))
        return {"failed": words, **super().why()}
