"""A word that may be missing, and what is known of a wager of which the layout's word is: its stake, its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from processors.core.moved import largest_run
from processors.core.state import Logged, said, stake_key
from processors.law.wording import wager
from schemas import events as e
from schemas.payload import Payload

Search = Literal["late", "lost", "borne out"]
LATE: Search = "late"
"""Any word that may come yet."""
LOST: Search = "lost"
"""Wagers that may have been lost, and doubles and splits of which the layout tells: nothing contradicts the silence
about any other decision, which stays what the text makes of it (A69)."""
BORNE_OUT: Search = "borne out"
"""Of the wagers, only those that their own settlement bears out."""
_ODDS = re.compile(r" *([0-9]{1,9}) *(?:: *([0-9]{0,9}) *)?")
_THE_DEAL = (
    e.BettingClosed, e.SystemWagersLocked, e.CardDrawn, e.CardPlaced, e.StackDispensed, e.StackDelivered,
)  # fmt: skip


class Supposed(NamedTuple):
    """A word that may have been said before the event at `place` of the round's log, and its name in a finding."""

    place: int
    data: Payload
    name: str


def name_of(seat: int, kind: str) -> str:
    """The layout's word of a wager, as a finding names it."""
    return f"the {wager(kind)} of seat {seat} on the layout"


def before_the_deal(log: Sequence[Logged], at: int) -> int:
    """The last place before the first card, or the close of betting."""
    first = (place for place, one in enumerate(log) if type(one.data) in _THE_DEAL)
    return min(next(first, at), at)


def key_of(data: e.WagerPlaced | e.WagerSettled) -> str:
    """The name of the stake that was placed or settled."""
    return stake_key(data.seat, data.kind, data.hand)


def mains_of(log: Sequence[Logged]) -> dict[int, int]:
    """The main wagers that were placed, by seat, in cents."""
    return {one.seat: one.cents for one in said(log, e.WagerPlaced) if one.kind == "main"}


def _odds(text: str) -> tuple[int, int]:
    """The odds that a settlement names ("3:2"); (0, 0) where they are written as no odds are, and show no stake."""
    read = _ODDS.fullmatch(text)
    return (max(1, int(read[1])), int(read[2] or 1)) if read else (0, 0)


def staked(log: Sequence[Logged], seat: int, kind: str, hand: str | None, chip: int) -> tuple[int, ...]:
    """The stakes that its settlement may show, the likeliest first; before that, the seat's main wager, or any.

    What was collected by mistake and returned are the same chips; of a surrendered wager they are its halves.
    """
    key = stake_key(seat, kind, hand)
    settled = (one for one in said(log, e.WagerSettled) if one.kind != "lammer" and one.cents)
    moves = [one for one in settled if key_of(one) == key]
    paid = [_staked_for(one) for one in moves if one.outcome == "pay"]
    if not all(paid):
        return ()
    if back := [one for one in moves if one.outcome != "pay"]:
        return tuple(dict.fromkeys((largest_run(back), sum(one.cents for one in back))))
    if paid:
        return (paid[-1],)
    mains = mains_of(log)
    cents: int = mains.get(seat) or next(iter(mains.values()), chip)
    return (cents // (2 * chip) * chip or chip if kind == "insurance" else cents,)


def _staked_for(paid: e.WagerSettled) -> int:
    """The stake for which its odds pay so much, 0 if they fit none."""
    over, under = _odds(paid.odds or "1:1")
    stake, rest = divmod(paid.cents * under, over) if over else (0, 1)
    return 0 if rest else stake
