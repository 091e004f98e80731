"""Which checks are asked at an event: those that read its type and have something to say as the round stands."""

from __future__ import annotations

from collections.abc import Iterable

from processors.core.sights import BIT, STANDING, bits_of, standing
from processors.core.state import Table
from processors.law.check import REGISTRY, Check
from schemas.payload import Payload


class Dispatch:
    """The checks that read one type of event, and of them those that may have something to say."""

    __slots__ = ("_asked", "_gated", "checks", "looks_at")

    def __init__(self, payload: type[Payload], checks: Iterable[Check]) -> None:
        """`looks_at` has the bits of all sights that decide whether one of the checks is asked."""
        own = BIT[payload]
        self.checks = tuple(checks)
        self._asked: dict[int, tuple[Check, ...]] = {}
        self._gated: list[tuple[Check, int, int]] = []
        self.looks_at = 0
        for entry in self.checks:
            after, before = bits_of(entry.after), bits_of(entry.before)
            if after & own:
                after = 0
            self._gated.append((entry, after, before))
            self.looks_at |= after | before

    def asked(self, table: Table) -> tuple[Check, ...]:
        """The checks to be asked as the table stands before the event."""
        looks_at = self.looks_at
        seen = table.round.seen if table.round is not None else 0
        if looks_at & STANDING:
            seen |= standing(table)
        seen &= looks_at
        asked = self._asked.get(seen)
        if asked is None:
            asked = self._asked[seen] = tuple(
                entry
                for entry, after, before in self._gated
                if (not after or seen & after) and not seen & before
            )
        return asked


def dispatch_table(ruleset: str, *, in_round: bool = True) -> dict[type[Payload], Dispatch]:
    """The checks that hold for a ruleset, by the event they read: causes before what may follow from them.

    Without a round under way only those that do not need one.
    """
    by_event: dict[type[Payload], list[Check]] = {}
    for entry in sorted(REGISTRY.values(), key=_turn):
        if ruleset in entry.provisions and (in_round or not entry.in_round):
            for payload in entry.reads:
                by_event.setdefault(payload, []).append(entry)
    return {payload: Dispatch(payload, checks) for payload, checks in by_event.items()}


# Checks that both alter and follow, in the order in which a round meets them: of two faults at one event the earlier is
# the cause and the other its consequence. A hand short of cards is the deal's fault, whatever was then decided on it.
_IN_A_ROUND = (
    "deal.", "action.decision", "action.card", "added_stakes.", "reader.truth", "reader.no_more_cards", "reader.",
    "settlement.match_when", "action.dealer_draws", "action.dealer_stands", "action.dealer_", "insurance.", "rack.",
    "action.surrender_decided", "settlement.surrender_halves", "action.void", "action.reveal", "action.missed",
    "action.blackjack",
)  # fmt: skip


def _turn(entry: Check) -> tuple[bool, bool, int, int, str]:
    """When a check is asked among those of one event: causes first, and no check before one whose marks it reads."""
    met = (place for place, start in enumerate(_IN_A_ROUND) if entry.id.startswith(start))
    place = next(met, -1) if entry.alters and entry.follows else 0
    return not entry.alters, entry.follows, _depth(entry), place, entry.id


def _depth(entry: Check) -> int:
    return 1 + max((_depth(REGISTRY[other]) for other in entry.later_than if other in REGISTRY), default=-1)
