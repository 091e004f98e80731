"""Orders that come again after a while: that of a shoe of the last hours, or of the same shoe's earlier cards.

The latest orders are searched for short runs (`orders`). These are searched for the last dozen cards of each round
alone: a stack that was made ready in an order of somebody's choice repeats it for much longer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct, field

from processors.detectors.evidence.runs import log_expected_runs, text_of
from processors.detectors.shuffling.orders import Known
from schemas.values import UNKNOWN

RUN: Final = 12
"""Cards in a row that are looked for."""
_KEPT = 60  # shoes: some sixteen hours of play without a break, by the simulator
_WAYS = 2  # forward and backward
_text_of = lru_cache(maxsize=16)(text_of)


class Older(Struct):
    """Orders in which shoes came that are no longer among the latest ones, the oldest first."""

    orders: list[Known] = field(default_factory=list)

    def keep(self, known: Sequence[Known]) -> None:
        """Remember those that are orders of a shoe's own word: the rack of a shoe says the same once more."""
        self.orders = [*self.orders, *(one for one in known if one.kind == "draws")][-_KEPT:]


class Again(Struct, frozen=True):
    """The last cards of a shoe came in an order before: in which shoe (0: in this one), backward or not; how surely."""

    shoe: int
    backward: bool
    cards: list[str]
    log_e: float


def again(older: Older, drawn: Sequence[str], fresh: int, copies: int, stack: int) -> Again | None:
    """Whether the last `RUN` cards of a shoe repeat an older order, or earlier cards of the same shoe.

    fresh: cards of the shoe that may be looked at. copies: how often each card lies in the stack of `stack` cards.
    """
    last = list(drawn[-RUN:])
    if len(last) < RUN or UNKNOWN in last:
        return None
    before = "".join(drawn[:-RUN])
    text = _text_of(tuple([one.order for one in older.orders]))
    for backward in (False, True):
        run = "".join(reversed(last) if backward else last)
        if run not in text and run not in before:
            continue
        for shoe, order in (*((one.shoe, one.order) for one in older.orders), (0, before)):
            if run in order:
                places = sum(len(one.order) // 2 for one in older.orders) + fresh
                log_expected = math.log(_WAYS) + log_expected_runs(places, fresh, RUN, copies, stack)
                return Again(shoe, backward, last, -log_expected)
    return None
