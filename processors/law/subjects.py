"""What the duties of a subject need to have been heard, unless a check says otherwise: which devices, and the cards."""

from __future__ import annotations

from typing import Literal, NamedTuple

from processors.core.state import Witness

Fact = Literal["cards"]
"""What a duty turns on, besides the events it reads: the faces of the cards of the round."""


class Needs(NamedTuple):
    """The devices whose words the duties of a subject rest on, and the facts that these duties turn on."""

    rests_on: tuple[Witness, ...] = ("console",)
    turns_on: tuple[Fact, ...] = ()


_LAYOUT: tuple[Witness, ...] = ("console", "placements", "shoe", "wagers")
SUBJECTS: dict[str, Needs] = {
    "action": Needs(_LAYOUT, ("cards",)),
    "added_stakes": Needs(_LAYOUT, ("cards",)),
    "deal": Needs(_LAYOUT),
    "equipment": Needs(),
    "exposed": Needs((*_LAYOUT, "rack"), ("cards",)),
    "insurance": Needs((*_LAYOUT, "reader"), ("cards",)),
    "opening": Needs(),
    "rack": Needs((*_LAYOUT, "rack"), ("cards",)),
    "reader": Needs(("console", "placements", "shoe", "reader"), ("cards",)),
    "settlement": Needs(_LAYOUT, ("cards",)),
    "shoe": Needs(("console", "shoe")),
    "shuffle_cut": Needs(),
    "stacks": Needs(_LAYOUT),
    "stub": Needs((*_LAYOUT, "rack")),
    "submission": Needs(),
    "wagers": Needs(("console", "wagers")),
}
"""By the folder of `processors/law/duties` in which a check stands, with which its id begins."""
