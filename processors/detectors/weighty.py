"""The rounds that weigh most for an alarm: of all its rounds, or of those after any later moment.

A round is kept as long as fewer than ten later rounds weigh as much. So the ten heaviest can be told of all rounds, of
those since the beginning of the evidence, and of those since somebody cleared the suspicion. Where rounds weigh alike
these are the latest ten. The number kept grows with the logarithm of the number of rounds, and is bounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappush, heappushpop, nlargest
from math import exp
from typing import Any, Final, TypeVar

from msgspec import Struct

MOST: Final = 10
"""So many rounds are named."""
KEPT: Final = 40
"""So many are kept at most: beyond it the oldest ones that are not among the ten heaviest of all are forgotten."""


class WeightyRound(Struct, array_like=True, frozen=True):
    """A round that speaks for an alarm.

    subject, round, sequence: its table, its number, and the event that closed it. at: on how many rounds the evidence
    rested with this one, as its family counts them. weight: log of the factor by which the round raised the evidence.
    cents: money of the round. seats: where it was staked, or paid wrongly; empty where the family knows no seat.
    """

    subject: str
    round: int
    sequence: int
    at: int
    weight: float
    cents: int = 0
    seats: tuple[int, ...] = ()

    def row(self) -> dict[str, Any]:
        """What a suspicion says of the round."""
        seats = {"seats": list(self.seats)} if self.seats else {}
        return {"table": self.subject, "round": self.round, **seats, "cents": self.cents, **self.why()}

    def why(self) -> dict[str, Any]:
        """Why it weighs: the factor by which it raised the evidence."""
        return {"factor": float(f"{exp(min(self.weight, 600.0)):.3g}")}


class WeightyAct(WeightyRound, frozen=True):
    """An act, or a failure, that moves no money of its own: a cut, a reshuffle, a count, a wrong light, a lost word.

    round: the last one before it where it belongs to none, and 0 before the first.
    """

    def row(self) -> dict[str, Any]:
        """What a suspicion says of it."""
        row = super().row()
        del row["cents"]
        return row


LISTED: Final = "rounds"
"""Under this name a suspicion lists its rounds among what was observed."""
LISTED_BESIDE: Final = "weightiest"
"""Under this name it does, where `rounds` is their number."""

Kept = TypeVar("Kept", bound=WeightyRound)


def keep(rounds: list[Kept], new: Kept, most: int = KEPT) -> None:
    """Take the latest round; those stay that are among the ten heaviest of all rounds, or of those since any round.

    More than `most` never stay, of which there must be ten at least.
    """
    rounds.append(new)
    if len(rounds) <= MOST:
        return
    later: list[float] = []  # the heaviest ten of the rounds behind the one looked at, as a heap
    stays: list[Kept] = []
    for one in reversed(rounds):
        if len(later) < MOST:
            heappush(later, one.weight)
        elif one.weight > later[0]:
            heappushpop(later, one.weight)
        else:
            continue
        stays.append(one)
    rounds[:] = reversed(stays)
    if len(rounds) > most:
        heaviest = set(map(id, _heaviest(rounds)))
        del rounds[next(at for at, one in enumerate(rounds) if id(one) not in heaviest)]


def heaviest_since(rounds: Sequence[Kept], after: float = 0) -> list[Kept]:
    """The ten heaviest of the rounds taken when the evidence rested on more than `after`; the heaviest first.

    Of rounds that weigh alike the later comes first.
    """
    return _heaviest([one for one in rounds if one.at > after])


def _heaviest(rounds: Sequence[Kept]) -> list[Kept]:
    return nlargest(MOST, reversed(rounds), key=lambda one: one.weight)


def rows_of(rounds: Iterable[WeightyRound]) -> list[dict[str, Any]]:
    """What a suspicion says of these rounds, in their order."""
    return [one.row() for one in rounds]


def events_of(rounds: Sequence[WeightyRound], subject: str) -> tuple[int, ...]:
    """The events of one table that closed these rounds, in order."""
    return tuple(sorted(one.sequence for one in rounds if one.subject == subject))
