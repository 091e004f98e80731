"""A statement of revenue: a line for each table, game, pit, shift or dealer, their total, the course of the win."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate

from dashboards.reader.revenue import SLOT_MINUTES, DaylessRow
from dashboards.revenue.account import Account
from dashboards.revenue.edges import Edge
from dashboards.revenue.figures import Figures, WinCompared, share
from dashboards.revenue.wanted import WantedRevenue

SLOT = dt.timedelta(minutes=SLOT_MINUTES)


@dataclass(slots=True)
class Point:
    """The sums up to `at`, the end of half an hour or of a gaming day."""

    at: dt.datetime | dt.date
    figures: WinCompared


@dataclass(slots=True)
class StatementLine:
    """One line; `account` is None where counts and drop say nothing of it.

    `key` is what the line is told apart by, `label` how people read it; `wins` is the running win in cents. `course` is
    that of its figures; of a year, by dealer and by shift there is none. `unknown` names figures of a total that one of
    its lines lacks.
    """

    key: str
    label: str
    figures: Figures = field(default_factory=Figures)
    account: Account | None = None
    wins: list[int] = field(default_factory=list)
    course: list[Point] = field(default_factory=list)
    unknown: frozenset[str] = frozenset()

    @property
    def by_count(self) -> bool:
        """Whether its win is the counts' and not the settlements'."""
        return self.account is not None and self.account.counted and "net" not in self.unknown

    @property
    def win_cents(self) -> int:
        """The net win of the counts where they give one, else that of the settlements."""
        if self.account is not None and self.by_count:
            return self.account.net_cents
        return self.figures.win_cents

    @property
    def drop_cents(self) -> int | None:
        """What the count room found; None until it has counted every box."""
        if self.account is None or not self.account.drop_is_counted or "drop" in self.unknown:
            return None
        return self.account.drop_cents

    @property
    def hold(self) -> int | None:
        """Win of the drop, in hundredths of a percent; None until the drop is counted."""
        return share(self.win_cents, self.drop_cents)

    @property
    def win_share(self) -> int | None:
        """Win of the handle, in hundredths of a percent."""
        return share(self.figures.win_cents, self.figures.handle_cents)

    @property
    def theo_share(self) -> int | None:
        """Theoretical win of the handle it is of, in hundredths of a percent."""
        return share(self.figures.theo_cents, self.figures.covered_handle_cents)

    @property
    def unexplained_cents(self) -> int | None:
        """Net win of the counts less that of the settlements; None where the counts give none."""
        if self.account is None or not self.by_count:
            return None
        return self.account.net_cents - self.figures.win_cents

    @property
    def has_something(self) -> bool:
        """Whether anything happened."""
        return bool(self.figures.rounds or self.figures.stakes or (self.account and self.account.sheets))


@dataclass(slots=True)
class Wager:
    """One kind of wager under one ruleset, doubles and splits with the main one; `edges` are the figures used."""

    ruleset: str
    kind: str
    figures: Figures = field(default_factory=Figures)
    edges: list[Edge] = field(default_factory=list)


@dataclass(slots=True)
class RevenueStatement:
    """What was wanted, as far as the store has it; `owner` is the property whose tables they are.

    `choices` are what the filters may be set to; `dayless` are rounds of no gaming day, which no sum has.
    """

    wanted: WantedRevenue
    owner: str
    lines: list[StatementLine]
    total: StatementLine
    wagers: list[Wager]
    course: list[Point]
    pits: tuple[str, ...]
    tables: tuple[str, ...]
    dealers: tuple[str, ...]
    dayless: list[DaylessRow]
    zone: dt.tzinfo

    @property
    def is_empty(self) -> bool:
        """Whether nothing happened."""
        return not self.total.has_something


def running(parts: Iterable[int]) -> list[int]:
    """The running sums, from nought."""
    return list(accumulate(parts, initial=0))
