"""What of the revenue is wanted: gaming days, what narrows them, and by what they are told apart."""

from __future__ import annotations

import datetime as dt
from typing import Literal, get_args

import msgspec
from msgspec import Struct

from schemas.values import EARLIEST, LATEST

Period = Literal["day", "week", "month", "year"]
By = Literal["table", "game", "pit", "shift", "dealer", "day"]
PERIODS: tuple[Period, ...] = get_args(Period)
BYS: tuple[By, ...] = get_args(By)
SHIFTS = (1, 2, 3)
OLDEST, NEWEST = EARLIEST.date(), LATEST.date()
LACKING = ("dealer", "game", "pit")


class WantedRevenue(Struct, frozen=True, kw_only=True):
    """One page of revenue; `shift` 0 and empty texts narrow nothing.

    A week, a month and a year end with `day`, and begin with their first gaming day; weeks begin on Monday. `lacks`
    names what is not named of what is wanted, as `dealer,pit`: rounds of no dealer and no pit.
    """

    day: dt.date
    period: Period = "day"
    by: By = "table"
    shift: int = 0
    game: str = ""
    pit: str = ""
    table: str = ""
    dealer: str = ""
    lacks: str = ""

    @property
    def lacking(self) -> tuple[str, ...]:
        """What is not named of what is wanted: game, pit, dealer."""
        return tuple(what for what in LACKING if what in self.lacks.split(","))

    @property
    def is_narrowed(self) -> bool:
        """Whether it is less than the whole floor."""
        return bool(self.shift or self.game or self.pit or self.table or self.dealer or self.lacks)

    @property
    def first(self) -> dt.date:
        """The first gaming day."""
        match self.period:
            case "week":
                return self.day - dt.timedelta(days=self.day.weekday())
            case "month":
                return self.day.replace(day=1)
            case "year":
                return self.day.replace(month=1, day=1)
        return self.day

    @property
    def before(self) -> dt.date:
        """The day on which what comes before ends: the day before, or the last of the week, month or year before."""
        return self.first - dt.timedelta(days=1)

    @property
    def after(self) -> dt.date:
        """The day on which what comes after ends: the next, or the last of the next week, month or year."""
        match self.period:
            case "week":
                return self.first + dt.timedelta(days=13)
            case "month":
                return month_on(month_on(self.first)) - dt.timedelta(days=1)
            case "year":
                return self.first.replace(year=self.first.year + 1, month=12, day=31)
        return self.day + dt.timedelta(days=1)

    @property
    def splits_tables(self) -> bool:
        """Whether a part of a table's day is wanted: counts and drop are of whole days, and say nothing of it."""
        return bool(self.shift or self.dealer or "dealer" in self.lacking)

    @property
    def parts_tables(self) -> bool:
        """Whether its lines are parts of a table's day."""
        return self.splits_tables or self.by in ("shift", "dealer")

    def query(self, **changes: str | int | dt.date) -> dict[str, str]:
        """What of it, with changes, stands in an address; what narrows nothing is left out."""
        told = msgspec.structs.asdict(msgspec.structs.replace(self, **changes))
        usual = {"period": "day", "by": "table", "shift": 0}
        return {name: str(value) for name, value in told.items() if value and value != usual.get(name)}


def no_books_of(day: dt.date) -> str:
    """Why there are no books of a day: the store holds it in no round; empty where there may be some."""
    return "" if OLDEST <= day <= NEWEST else f"no books are kept of {day}"


def month_on(first: dt.date) -> dt.date:
    """The first day of the next month."""
    return (first + dt.timedelta(days=31)).replace(day=1)


def month_before(first: dt.date) -> dt.date:
    """The first day of the month before."""
    return (first - dt.timedelta(days=1)).replace(day=1)
