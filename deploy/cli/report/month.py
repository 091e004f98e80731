"""`catwalk report month`: a month for the regulator, as JSON, workbook or PDF."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Literal

import click

from dashboards.monthly.figures import DeskShown, month_report, no_report_of, whole_desk_shown
from dashboards.monthly.files import MonthForm, month_file
from dashboards.revenue.books import places_of
from dashboards.revenue.wanted import NEWEST, OLDEST
from deploy.audit.duties import duty_of
from deploy.cli.options import as_json, whoever
from deploy.cli.report.desk_records import has_desk, whole_desk
from deploy.cli.report.writing import OUT, records, require_file, warn_of_lag, write
from deploy.errors import FOUND, UserError
from deploy.settings import Settings, load

EPILOG = """\b
Example:
  catwalk report month --month 2026-03
  catwalk report month --month 2026-03 --format pdf --out march.pdf
  catwalk report month --month 2026-03 --format xlsx --out march.xlsx

\b
The money of each gaming day and of the month, as `report revenue` has it, with what the
difference consists of: luck, play and errors; the same of the month before; what was found,
by what tables are held to, and what is amiss with the record; alerts of these findings and
disputes as the desk stands now; tables whose devices failed or whose rounds cannot be decided.
Findings are of the events from the beginning of the month's first gaming day to that of the
next month's, by the clock of most tables. Money in JSON is in cents, in workbook and PDF in
dollars. The workbook has both months, a sheet for each part, and totals that are formulas; the
PDF has the gaming days of this month alone. Where the month is sealed the report says by
whom, and names each figure that is no longer as sealed. Where no console was ever started
there is no desk: `alerts` and `disputes` are null. In the distributed mode a store that is
behind the topics is reported as it is, and the command ends with status 1.
"""


@click.command("month", epilog=EPILOG)
@click.option(
    "--month", "first", required=True, type=click.DateTime(["%Y-%m"]), metavar="M", help="As 2026-03."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "pdf", "xlsx"]),
    default="json",
    show_default=True,
    help="What is written.",
)
@OUT
def month(first: dt.datetime, form: Literal["json"] | MonthForm, out: Path | None) -> None:
    """A month by gaming day, beside the month before, with irregularities, alerts, disputes and devices."""
    require_file("report month", form, out, "month")
    begins = first.date()
    if none := no_report_of(begins):
        raise UserError(
            "report month", none, f"name a month from {OLDEST:%Y-%m} to {NEWEST:%Y-%m}, but for both ends"
        )
    settings = load().values
    shown = _shown(settings, begins)
    whole = warn_of_lag(settings, "report month")
    with records(settings) as reader:
        places = places_of(reader)
        made = month_report(reader, places, begins, shown, duty_of)
    content = (
        as_json(made).encode() + b"\n" if form == "json" else month_file(made, form, places.zone, whoever())
    )
    write(content, out)
    if not whole:
        raise SystemExit(FOUND)


def _shown(settings: Settings, first: dt.date) -> DeskShown:
    """Everything that the desk holds; nothing where there is none.

    Raises:
        UserError: the desk cannot be read.
    """
    if not has_desk(settings):
        return DeskShown(alerts=None, disputes=None)
    with whole_desk(settings) as desk:
        return whole_desk_shown(desk, first)
