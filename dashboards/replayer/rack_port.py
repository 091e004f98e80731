"""What the discard rack alone can prove of a round: asked of a solver that is handed in."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from msgspec import Struct

from schemas import events as e


class RackAsked(Struct, frozen=True, kw_only=True):
    """A round's cards in the rack, bottom first, with the house's order and the seats that staked, if known.

    `day` is the one on which the round started, `upcard` the dealer's first card. `seconds` is the time the solver may
    take.
    """

    config: e.TableConfigured
    day: dt.date
    rack: tuple[str, ...]
    seats: tuple[int, ...] | None
    upcard: str | None
    seconds: float


class RackDeviation(Struct, frozen=True):
    """A departure from the rules: the provision, the hand, and what was found."""

    provision: str
    hand: str | None
    message: str


class RackTold(Struct, frozen=True, kw_only=True):
    """What the solver answers.

    `hands` are the first of the lawful reconstructions, cards by hand in deal order. Hands of `agree_on` are the
    same in all. Where none is lawful, `nearest` breaks the least, which `deviations` name.
    """

    message: str
    count: int
    complete: bool
    hands: tuple[dict[str, tuple[str, ...]], ...] = ()
    agree_on: tuple[str, ...] = ()
    differ_on: tuple[str, ...] = ()
    nearest: dict[str, tuple[str, ...]] | None = None
    deviations: tuple[RackDeviation, ...] = ()


SolveRack = Callable[[RackAsked], RackTold]
