"""What of the revenue is wanted: gaming days, what narrows them, and by what they are told apart."""

from __future__ import annotations

import datetime as dt
from typing import Literal, get_args

import msgspec
from msgspec import Struct

Period = Literal["day", "month", "year"]
By = Literal["table", "game", "pit", "shift", "dealer"]
PERIODS: tuple[Period, ...] = get_args(Period)
BYS: tuple[By, ...] = get_args(By)
SHIFTS = (1, 2, 3)


class Wanted(Struct, frozen=True, kw_only=True):
    """One page of revenue; `shift` 0 and empty texts narrow nothing.

    A month and a year end with `day`, and begin with their first gaming day.
    """

    day: dt.date
    period: Period = "day"
    by: By = "table"
    shift: int = 0
    game: str = ""
    pit: str = ""
    table: str = ""
    dealer: str = ""

    @property
    def first(self) -> dt.date:
        """The first gaming day."""
        if self.period == "month":
            return self.day.replace(day=1)
        return self.day.replace(month=1, day=1) if self.period == "year" else self.day

    @property
    def splits_tables(self) -> bool:
        """Whether a part of a table's day is wanted: counts and drop are of whole days, and say nothing of it."""
        return bool(self.shift or self.dealer)

    @property
    def parts_tables(self) -> bool:
        """Whether its lines are parts of a table's day."""
        return self.splits_tables or self.by in ("shift", "dealer")

    def query(self, **changes: str | int | dt.date) -> dict[str, str]:
        """What of it, with changes, stands in an address; what narrows nothing is left out."""
        told = msgspec.structs.asdict(msgspec.structs.replace(self, **changes))
        usual = {"period": "day", "by": "table", "shift": 0}
        return {name: str(value) for name, value in told.items() if value and value != usual.get(name)}
