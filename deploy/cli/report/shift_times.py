"""When a shift of a gaming day begins and ends: a third of the day each, by the clock of most tables."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Final

from dashboards.revenue.books import places_of
from dashboards.revenue.places import ROUND_THE_CLOCK, Clock, clock_of, day_begins
from deploy.cli.report.writing import records
from deploy.configured.embedded import LEDGER
from deploy.settings import Settings
from producers.sqlite_log import SqliteLog
from schemas.events import TableConfigured
from schemas.events.codec import Malformed, decode

_HOURS: Final = 8  # of a shift
_FIRST: Final = 20  # records of a table among which it is configured


def span_of_shift(clock: Clock, day: dt.date, shift: int) -> tuple[dt.datetime, dt.datetime]:
    """Beginning and end of shift 1, 2 or 3 of a gaming day, in UTC; by the wall clock, as revenue divides rounds."""
    return day_begins(clock, day, (shift - 1) * _HOURS), day_begins(clock, day, shift * _HOURS)


def usual_clock(settings: Settings) -> Clock:
    """The clock of most tables; midnight in UTC where no table was configured.

    Raises:
        UserError: the records cannot be read.
    """
    if settings.mode == "distributed":
        with records(settings) as reader:
            return places_of(reader).clocks()[0][0]
    path = Path(settings.data) / LEDGER
    if not path.is_file():
        return ROUND_THE_CLOCK
    # The ledger and not the store, which a console that runs keeps to itself.
    with closing(SqliteLog(path, read_only=True)) as ledger:
        found = Counter(clock for subject in ledger.subjects() for clock in _clocks(ledger, subject))
    return found.most_common(1)[0][0] if found else ROUND_THE_CLOCK


def _clocks(ledger: SqliteLog, subject: str) -> Iterator[Clock]:
    for record in islice(ledger.read_from(subject), _FIRST):
        try:
            config = decode(record.line).data
        except Malformed:
            continue
        if isinstance(config, TableConfigured):
            yield clock_of(config)
