"""Words that a device may owe in a round of a stack game: wagers of which other devices tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from processors.core.folding.wagers import stake_key
from processors.core.state import Logged, seat_of
from processors.law.rehear.lost_wagers import (
    BORNE_OUT,
    Search,
    Supposed,
    before_the_deal,
    key_of,
    name_of,
    staked,
)  # fmt: skip
from schemas import events as e
from schemas.rulesets import RULESETS
from schemas.values import BONUS, WagerKind

Wager = tuple[int, WagerKind]
"""Seat and kind."""


def _settled(data: e.WagerSettled) -> Wager | None:
    return (data.seat, data.kind) if data.kind != "lammer" else None


def _envied(data: e.LammerPlaced) -> Wager | None:
    return (seat_of(data.hand), "fortune_bonus") if data.kind == "envy" else None


def _dealt(data: e.CardPlaced) -> Wager | None:
    if data.hand == BONUS:
        return 0, "six_card_bonus"
    return (seat_of(data.hand), "main") if seat_of(data.hand) else None


def _shown(data: e.HandRevealed) -> Wager | None:
    return (seat_of(data.position), "main") if seat_of(data.position) else None


TELLS: dict[type, Callable[[Any], Wager | None]] = {
    e.WagerSettled: _settled,
    e.LammerPlaced: _envied,
    e.CardPlaced: _dealt,
    e.HandRevealed: _shown,
}
"""Words of other devices by which a wager was made, that of any seat where it names none (0)."""
BEARS_OUT = (e.WagerSettled,)
"""Those that bear a lost wager out; the others may be a breach themselves, as a card dealt without a wager."""


def supposed(
    log: Sequence[Logged], at: int, ruleset: str, chip: int, search: Search
) -> Iterator[tuple[Supposed, ...]]:
    """The wagers that may be missing before event `at`: each alone, then all of them; `chip` is the smallest chip."""
    place, law = before_the_deal(log, at), RULESETS[ruleset]
    words = []
    for seat, kind in _unplaced(log, BEARS_OUT if search == BORNE_OUT else tuple(TELLS)):
        cents = staked(log, seat, kind, None, chip)
        if search != BORNE_OUT and kind == "fortune_bonus" and "envy_from_cents" in law.values:
            cents = max(cents, law.get("envy_from_cents"))  # an Envy lammer may lie by it
        if cents:
            data = e.WagerPlaced(seat=seat, kind=kind, cents=cents)
            words.append(Supposed(place, data, name_of(seat, kind)))
    yield from ((word,) for word in words)
    if len(words) > 1:
        yield tuple(words)


def _unplaced(log: Sequence[Logged], tell: tuple[type, ...]) -> Iterator[Wager]:
    """The wagers that events of these types tell of and that nobody placed."""
    placed = {key_of(one.data): one.data for one in log if type(one.data) is e.WagerPlaced}
    told: set[str] = set()
    for one in log:
        if type(one.data) not in tell:
            continue
        wager = TELLS[type(one.data)](one.data)
        if wager is None:
            continue
        seat, kind = wager
        if not seat:
            if any(data.kind == kind for data in placed.values()):
                continue
            seat = next((data.seat for data in placed.values() if data.kind == "main"), 0)
        key = stake_key(seat, kind, None)
        if seat and key not in placed and key not in told:
            told.add(key)
            yield seat, kind
