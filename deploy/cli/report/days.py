"""The gaming days that a report is of: a day, or the week, month or year up to it."""

from __future__ import annotations

import datetime as dt
from typing import Final

import click

from dashboards.revenue.filing.line import PERIODS
from dashboards.revenue.wanted import NEWEST, OLDEST, no_books_of
from deploy.errors import UserError

DAY: Final = click.option(
    "--day", required=True, type=click.DateTime(["%Y-%m-%d"]), metavar="D", help="Gaming day it ends with."
)
PERIOD: Final = click.option(
    "--period",
    type=click.Choice(PERIODS),
    default="day",
    show_default=True,
    help="Day, or week, month, year to it.",
)


def day_with_books(command: str, day: dt.datetime) -> dt.date:
    """The day that was given.

    Raises:
        UserError: no report can be of it.
    """
    if none := no_books_of(day.date()):
        raise UserError(command, none, f"name a day from {OLDEST} to {NEWEST}")
    return day.date()
