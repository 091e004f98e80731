"""Which checks are asked at an event: those that read its type and have something to say as the round stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple

from processors.core.sights import (
    BIT,
    BURN,
    DEALT,
    EXPOSED,
    FAULT,
    LOOSE,
    OVERDUE,
    STANDING,
    UNDRAWN,
    UNLOADED,
    bits_of,
)  # fmt: skip
from processors.core.state import Table
from processors.law.check import REGISTRY, SORT, Check
from processors.law.course import PLACE
from schemas.payload import Payload
from schemas.values import DEALER

_OF_THE_ROUND = UNDRAWN | DEALT
_OF_THE_DECKS = UNLOADED | BURN | OVERDUE | FAULT


class Dispatch:
    """The checks that read one type of event, and of them those that may have something to say."""

    __slots__ = ("_asked", "_gated", "_of_decks", "_of_round", "_sort", "_stands", "checks", "looks_at")

    def __init__(self, payload: type[Payload], checks: Iterable[Check]) -> None:
        """`looks_at` has the bits of all sights that decide whether one of the checks is asked."""
        own = BIT[payload]
        self.checks = tuple(checks)
        self._asked: defaultdict[str, dict[int, tuple[Check, ...]]] = defaultdict(dict)
        self._gated: list[tuple[Check, int, int, tuple[str, ...]]] = []
        self._sort = attrgetter(SORT[payload]) if payload in SORT else None
        self.looks_at = 0
        for entry in self.checks:
            after, before = bits_of(entry.after), bits_of(entry.before)
            if after & own:
                after = 0
            self._gated.append((entry, after, before, entry.only.get(payload, ())))
            self.looks_at |= after | before
        self._stands = bool(self.looks_at & STANDING)
        self._of_round = bool(self.looks_at & _OF_THE_ROUND)
        self._of_decks = bool(self.looks_at & _OF_THE_DECKS)

    def asked(self, table: Table, data: Payload) -> tuple[Check, ...]:
        """The checks to be asked at an event, as the table stands before it."""
        round_ = table.round
        seen = round_.seen if round_ is not None else 0
        if self._stands:
            seen |= standing(table, of_round=self._of_round, of_decks=self._of_decks)
        seen &= self.looks_at
        sort = self._sort(data) if self._sort is not None else ""
        asked = self._asked[sort].get(seen)
        if asked is None:
            asked = self._asked[sort][seen] = tuple(
                entry
                for entry, after, before, sorts in self._gated
                if (not after or seen & after) and not seen & before and (not sorts or sort in sorts)
            )
        return asked


def standing(table: Table, *, of_round: bool, of_decks: bool) -> int:
    """How the table stands now: what lies loose, and as far as asked how round and decks stand."""
    seen = 0
    round_, shoe = table.round, table.shoe
    if of_round and round_ is not None:
        if round_.first_card is None:
            seen = UNDRAWN
        dealer = round_.hands.get(DEALER)
        if dealer is not None and len(dealer.cards) >= 2:
            seen |= DEALT
    if shoe.loose:
        seen |= LOOSE
        for loose in shoe.loose:
            if loose.exposed:
                seen |= EXPOSED
    if of_decks:
        decks = table.decks
        if shoe.emptied:
            seen |= UNLOADED
        if decks.burn_due or decks.dealer_due or len(decks.drawn) == 1:
            seen |= BURN
        batch = decks.batches.get(decks.in_use)
        if batch is not None and batch.late_draws:
            seen |= OVERDUE
        if table.equipment.faults:
            seen |= FAULT
    return seen


class _Built(NamedTuple):
    """The dispatch of all events, and the checks that were registered when it was built."""

    registered: tuple[Check, ...]
    by_event: dict[type[Payload], Dispatch]


_BUILT: dict[tuple[str, bool], _Built] = {}


def dispatch_table(ruleset: str, *, in_round: bool = True) -> dict[type[Payload], Dispatch]:
    """The checks that hold for a ruleset, by the event they read: causes before what may follow from them.

    Without a round under way only those that do not need one. All tables of a ruleset share one answer.
    """
    registered = tuple(REGISTRY.values())
    built = _BUILT.get((ruleset, in_round))
    if built is None or built.registered != registered:
        built = _BUILT[ruleset, in_round] = _Built(registered, _build(registered, ruleset, in_round))
    return built.by_event


def _build(registered: Iterable[Check], ruleset: str, in_round: bool) -> dict[type[Payload], Dispatch]:
    by_event: dict[type[Payload], list[Check]] = {}
    for entry in sorted(registered, key=lambda entry: PLACE[entry.id]):
        if ruleset in entry.provisions and (in_round or not entry.in_round):
            for payload in entry.reads:
                by_event.setdefault(payload, []).append(entry)
    return {payload: Dispatch(payload, checks) for payload, checks in by_event.items()}
