"""The page of calibration, and its CSV: what detectors promised, and what became of what they raised."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Iterable
from typing import Annotated, Any
from urllib.parse import urlencode

from litestar import Response, get
from litestar.exceptions import ClientException
from litestar.params import QueryParameter
from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.patterns.calibration import OUTCOMES, Calibration, Judged, Line, calibrated, judged
from dashboards.patterns.refusing import store_away
from dashboards.reader.patterns import MOST_COUNTED, PlayedRow, months_played, tables_played
from dashboards.suspected.known import known_suspicions, may_read
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.exports import export_file
from dashboards.web.looks import note_look
from dashboards.web.rendering import page

Month = Annotated[str, QueryParameter(max_length=10)]
COLUMNS = (
    "month", "family", "tables", "promised_false", "raised", *OUTCOMES, "chance_of_dismissed", "risen_again",
    "promised_again",
)  # fmt: skip


class _Told(Struct, frozen=True):
    """What the store and the desk tell one user: suspicions, when each table played, and months with play."""

    found: tuple[Judged, ...]
    played: tuple[PlayedRow, ...]
    busy: tuple[dt.date, ...]

    @property
    def months(self) -> tuple[dt.date, ...]:
        """Months in which a table played or something was raised, the newest first."""
        return tuple(sorted({*self.busy, *(one.month for one in self.found)}, reverse=True))

    def of(self, console: Console, month: dt.date | None) -> Calibration:
        """The lines of a month, or of all time."""
        return calibrated(self.found, console.patterns(), self.played, month)


def wanted_month(text: str) -> dt.date | None:
    """The month that an address names as `2026-11`; None if it names none.

    Raises:
        ClientException: it is no month.
    """
    if not text:
        return None
    try:
        return dt.datetime.strptime(text, "%Y-%m").replace(tzinfo=dt.UTC).date()
    except ValueError as error:
        raise ClientException(f"“{text}” is no month: write 2026-11") from error


@get("/patterns/calibration", sync_to_thread=True)
def calibration_page(request: UserRequest, console: ThisConsole, month: Month = "") -> Response[str]:
    """Promise and outcome of each family, in all and of one month."""
    user = request.user
    may_read(console, user, "calibration of patterns")
    note_look(console, user, "page", "calibration of patterns")
    wanted = wanted_month(month)
    try:
        told = _told(console, user)
    except Exception as error:  # whatever the store raises
        return store_away(request, console, error)
    return page(
        request,
        console,
        "patterns/calibration.html",
        made=told.of(console, wanted),
        months=told.months,
        budget=None if console.page_budget is None else console.page_budget("", ""),
        full=len(told.found) >= MOST_COUNTED,
        most=MOST_COUNTED,
        exports=console.role(user).exports,
        few=few,
        opens=lambda line, outcome="": _opens(line, outcome, wanted),
    )


@get("/patterns/calibration.csv", sync_to_thread=True)
def calibration_csv(request: UserRequest, console: ThisConsole) -> Response[Any]:
    """All months and, last, all time as CSV; kept as an export before it is sent."""
    user, about = request.user, "calibration of patterns"
    may_read(console, user, about)
    console.require(console.role(user).exports, user, "export", about, "exports no calibration")
    try:
        told = _told(console, user)
    except Exception as error:  # whatever the store raises
        return store_away(request, console, error)
    made = [told.of(console, month) for month in (*reversed(told.months), None)]
    return export_file(console, user, about, _as_csv(made).encode(), "calibration.csv")


def few(value: float | None) -> str:
    """A small number as people read it: `0.0004`, `12`, and a dash where it is not known."""
    return "–" if value is None else f"{value:,.2g}" if value < 10 else f"{value:,.0f}"


def _told(console: Console, user: User) -> _Told:
    hidden = console.desk.hidden_from(user.name, "table")
    found = judged(known_suspicions(console, user), console.desk.alert)
    busy = tuple(row.month for row in months_played(hidden).ask(console.records))
    return _Told(found, tuple(tables_played(hidden).ask(console.records)), busy)


def _opens(line: Line, outcome: str, month: dt.date | None) -> str:
    """Where a figure opens: the list of the suspicions that it counts."""
    asked = {
        "family": line.family,
        "month": f"{month:%Y-%m}" if month is not None else "",
        "outcome": outcome,
    }
    given = {name: value for name, value in asked.items() if value}
    return f"/patterns?{urlencode(given or {'outcome': 'any'})}"


def _as_csv(made: Iterable[Calibration]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for each in made:
        month = "all" if each.month is None else f"{each.month:%Y-%m}"
        for line in each.lines:
            figures = (line.raised, *(getattr(line, outcome) for outcome in OUTCOMES))
            first = (month, line.family or "all", each.tables, _exact(line.promised))
            writer.writerow((*first, *figures, _exact(line.chance), line.again, _exact(line.promised_again)))
    return text.getvalue()


def _exact(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


HANDLERS = (calibration_page, calibration_csv)
