"""The facts that the duties of a subject turn on, unless a check says otherwise."""

from __future__ import annotations

from processors.core.witnesses import Fact

PLAY: tuple[Fact, ...] = ("steps", "decisions", "draws", "places", "stakes")
SUBJECTS: dict[str, tuple[Fact, ...]] = {
    "action": (*PLAY, "faces"),
    "added_stakes": (*PLAY, "faces"),
    "deal": PLAY,
    "equipment": ("steps",),
    "exposed": (*PLAY, "rack", "faces"),
    "insurance": (*PLAY, "reading", "faces"),
    "opening": ("steps",),
    "rack": (*PLAY, "rack", "faces"),
    "reader": ("steps", "draws", "places", "reading", "faces"),
    "settlement": (*PLAY, "faces"),
    "shoe": ("steps", "draws"),
    "shuffle_cut": ("steps",),
    "stacks": PLAY,
    "stub": (*PLAY, "rack"),
    "submission": ("steps",),
    "wagers": ("steps", "stakes"),
}
"""By the folder of `processors/law/duties` in which a check stands, with which its id begins."""
OF_MONEY = frozenset({"settlement", "insurance", "stacks.void_round_returns"})
"""Subjects and checks whose breaches move money and no card: they explain no missing cards."""
