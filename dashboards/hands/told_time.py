"""What has to be said of a told time: a clock that showed it twice, a table that is closed when it is counted back."""

from __future__ import annotations

import datetime as dt
from contextlib import suppress

from msgspec import Struct

from dashboards.filters.relative import RELATIVE
from dashboards.filters.when import AskedTime, NoTime, asked_time
from dashboards.folding.states import Now
from dashboards.reader.question import Reader
from dashboards.reader.search import last_closing
from dashboards.wording.times import in_zone_of

_SECOND = dt.timedelta(seconds=1)


class ClosedTable(Struct, frozen=True, kw_only=True):
    """A table that was closed when a time was counted back: `at` it closed, and what was counted, in words.

    `asked` is the time to be looked for instead, counted back from the last event of the table, and `meant` says it in
    words; both are empty where it is the same time, and where no range that can be written means it.
    """

    table: str
    at: dt.datetime
    says: str
    asked: str = ""
    meant: str = ""


def closed_for(
    reader: Reader, now: Now, text: str, zone: dt.tzinfo, newest: dt.datetime
) -> ClosedTable | None:
    """What is to be said of a time that was counted back from `newest`, at a table as it is now.

    None where the table is open, where no closing of it is on record, and where the text means one time whenever it
    is read.
    """
    table = now.table
    if table.open or table.time is None:
        return None
    last = table.time.astimezone(dt.UTC)
    with suppress(NoTime):
        asked, instead = asked_time(text, zone, newest), asked_time(text, zone, last)
        if asked == instead and not RELATIVE.search(text):
            return None
        found = last_closing(table.subject, last).ask(reader)
        if not found:
            return None
        written = _written(instead, zone, last) if instead != asked else ""
        return ClosedTable(
            table=table.subject,
            at=found[0].time,
            says=f"{table.subject} closed at {in_zone_of(found[0].time, zone)}. The time “{text}” was counted back "
            f"from {in_zone_of(newest, zone)}, the newest time on record.",
            asked=written,
            meant=instead.in_words(zone) if written else "",
        )
    return None


def hint_of_time(asked: AskedTime, table: str | None, newest: dt.datetime) -> str:
    """What has to be said of a time: a clock that showed it twice, and hands that are not looked at."""
    said = []
    if len(asked.spans) > 1:
        said.append("The clock showed this time twice that night; hands of both are listed.")
    if table is None and asked.spans[-1][1] > newest:
        said.append("Hands that are still under way are listed with their table alone.")
    return " ".join(said)


def _written(asked: AskedTime, zone: dt.tzinfo, newest: dt.datetime) -> str:
    """The time as a range that means the same whenever it is read: `2026-03-02 10:04:06-10:14:05`.

    Empty where none does: ranges have a greatest length, and a clock that was put back showed some times twice.
    """
    start, last = (one.astimezone(zone) for one in (asked.spans[0][0], asked.spans[-1][1] - _SECOND))
    day = "-" if last.date() == start.date() else f" to {last:%Y-%m-%d} "
    text = f"{start:%Y-%m-%d %H:%M:%S}{day}{last:%H:%M:%S}"
    with suppress(NoTime):
        read = asked_time(text, zone, newest)
        if read.in_words(zone) == asked.in_words(zone):
            return text
    return ""
