"""Which figures are sealed, by whom and where in the ledger; figures sealed long ago stay in their records alone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field

from msgspec import Struct

from dashboards.ledger.seal_acts import FiguresSealed, SealedLine

HELD = 40  # of which the figures are at hand: a month of gaming days, and some months
Days = tuple[dt.date, dt.date]  # the first and the last gaming day


class Seal(Struct, frozen=True, kw_only=True):
    """One seal: `sequence` is its record in the desk's ledger, `hash` that record's SHA-256."""

    first: dt.date
    last: dt.date
    by: str
    at: dt.datetime
    sequence: int
    hash: str
    note: str = ""


@dataclass(slots=True)
class Seals:
    """All seals of a desk, in the order in which they were made."""

    made: dict[Days, Seal] = field(default_factory=dict)
    held: dict[Days, FiguresSealed] = field(default_factory=dict)  # of the newest seals

    def why_not(self, act: FiguresSealed) -> str | None:
        """Why the figures cannot be sealed; None if they can."""
        if act.last < act.first:
            return f"{act.last} is before {act.first}"
        if sealed := self.made.get((act.first, act.last)):
            return f"{sealed.by} has sealed these figures already"
        if any(len(line.values) != len(act.columns) for line in _lines(act)):
            return "a line has not one value for each column"
        return None

    def take(self, act: FiguresSealed, actor: str, at: dt.datetime, sequence: int, digest: str) -> None:
        """Fold an act that `why_not` has nothing against."""
        self.held[act.first, act.last] = act
        if len(self.held) > HELD:
            del self.held[next(iter(self.held))]
        self.made[act.first, act.last] = Seal(
            first=act.first, last=act.last, by=actor, at=at, sequence=sequence, hash=digest, note=act.note
        )


def _lines(act: FiguresSealed) -> Iterator[SealedLine]:
    yield act.total
    for division in act.divisions:
        yield from division.lines
