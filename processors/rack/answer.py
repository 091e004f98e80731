"""The answer: every lawful reconstruction, and what they agree on."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Struct, UnsetType

Cards = tuple[str, ...]
Hands = dict[str, Cards]
SeatHands = tuple[Cards, ...]
"""The cards of a seat's hands, `x.1` first."""


class RuleDeviation(Struct, frozen=True, kw_only=True):
    """One departure from the rules: the provision it breaks, the hand it concerns, and what was found."""

    provision: str
    hand: str | None
    message: str


class Reconstruction(Struct, frozen=True, gc=False):
    """Cards of each hand in deal order; lawful ones have no deviations."""

    hands: Hands
    deviations: tuple[RuleDeviation, ...] = ()


class RackAnswer(Struct, frozen=True, kw_only=True, omit_defaults=False):
    """All lawful reconstructions of a rack.

    complete: neither the limit nor the time cut the search short. unique, money_unique: None if it is not complete.
    agree_on: hands that hold the same cards in every reconstruction; differ_on: all other hands that occur. nearest:
    the reconstruction with the fewest deviations where none is lawful.
    """

    count: int
    complete: bool
    unique: bool | None
    reconstructions: tuple[Reconstruction, ...]
    agree_on: tuple[str, ...] = ()
    differ_on: tuple[str, ...] = ()
    money_unique: bool | None
    message: str
    nearest: Reconstruction | UnsetType | None = UNSET


def encode_answer(answer: RackAnswer) -> bytes:
    """The answer as JSON; the same answer gives the same bytes."""
    return msgspec.json.encode(answer)
