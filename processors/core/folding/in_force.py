"""Which day's law holds at a table, and the numbers of its ruleset on that day (A75).

A round is judged by the day on which it started; between rounds the gaming day declared at the table counts, and before
one is declared the day of the event's own time.
"""

from __future__ import annotations

import datetime as dt
from typing import TypeVar

from processors.core.state import Table
from schemas.rulesets import RULESETS
from schemas.rulesets.numbers import Numbers

Wanted = TypeVar("Wanted", bound=Numbers)


def day_of(table: Table, now: dt.datetime | None = None) -> dt.date:
    """The day whose law holds at a table; `now` is the time of an event that is not folded in yet."""
    return table.round.day if table.round is not None else day_between(table, now)


def day_between(table: Table, now: dt.datetime | None = None) -> dt.date:
    """The day whose law holds between rounds, and for a round that starts now.

    Raises:
        LookupError: the table has no event yet, so that no day is known.
    """
    if table.gaming_day is not None:
        return table.gaming_day
    time = now or table.time
    if time is None:
        raise LookupError(f"table {table.subject} has no event yet, and so no day")
    return time.date()


def numbers_of(table: Table, family: type[Wanted], now: dt.datetime | None = None) -> Wanted | None:
    """The numbers in force at a table; None where its game is of another family, and before it is configured."""
    if table.config is None:
        return None
    numbers = RULESETS[table.config.ruleset].on(day_of(table, now))
    return numbers if isinstance(numbers, family) else None


def numbers_on(ruleset: str, family: type[Wanted], day: dt.date) -> Wanted:
    """The numbers of a ruleset of this family on a day.

    Raises:
        LookupError: the ruleset is of another family.
    """
    numbers = RULESETS[ruleset].on(day)
    if not isinstance(numbers, family):
        raise LookupError(f"{ruleset} has no {family.__name__}")
    return numbers
