"""`catwalk report revenue`: the day's money, or a week's, month's or year's, as JSON, CSV, workbook or PDF."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import cast

import click

from dashboards.reader.question import Reader
from dashboards.revenue.books import statement
from dashboards.revenue.filing.delimited import as_csv
from dashboards.revenue.filing.divisions import divided
from dashboards.revenue.filing.line import OF_PAGE, FiledPeriod, report_of
from dashboards.revenue.filing.printed import as_pdf
from dashboards.revenue.filing.workbook import as_workbook
from dashboards.revenue.wanted import BYS, By, WantedRevenue
from deploy.cli.options import as_json
from deploy.cli.report.days import DAY, PERIOD, day_with_books
from deploy.cli.report.writing import FORMAT, OUT, records, require_file, warn_of_lag, write
from deploy.errors import FOUND
from deploy.settings import load

EPILOG = """\b
Example:
  catwalk report revenue --day 2026-03-02
  catwalk report revenue --day 2026-03-31 --period mtd --by game --format xlsx --out march.xlsx

\b
A stake belongs to the gaming day declared last at its table when its round ended. What
cannot be known is null: empty in CSV and workbook, a dash in the PDF. `lacks` says why a net
win or a theoretical figure is not known. Counts, drop, net win, hours and tax are of whole
tables and days: by shift and by dealer they are null.
`difference` is `luck`, `play`, `errors_for_house` and `errors_for_patron` together, all of
the wagers that have a theoretical figure. `play` is what patrons' decisions gave, of
`play_handle` alone; of the other stakes with a figure it is in the luck. `all_errors_...` are of all wagers.
Money in JSON is in cents, in files in dollars; + of a win, of luck, play and errors is what
the house gains. A workbook has a sheet for each division, the wanted one first. In the
distributed mode a store that is behind the topics is reported as it is, and the command ends
with status 1. What each figure is: docs/revenue.md.
"""


@click.command("revenue", epilog=EPILOG)
@DAY
@PERIOD
@click.option(
    "--by", type=click.Choice(BYS), default="table", show_default=True, help="What has a line each."
)
@FORMAT
@OUT
def revenue(day: dt.datetime, period: str, by: str, form: str, out: Path | None) -> None:
    """Handle, payout, win, theoretical win, luck, play, errors, counts, net win and tax of gaming days."""
    require_file("report revenue", form, out, "revenue")
    last = day_with_books("report revenue", day)
    wanted = WantedRevenue(day=last, period=OF_PAGE[cast(FiledPeriod, period)], by=cast(By, by))
    settings = load().values
    whole = warn_of_lag(settings, "report revenue")
    with records(settings) as reader:
        write(_made(reader, wanted, form), out)
    if not whole:
        raise SystemExit(FOUND)


def _made(reader: Reader, wanted: WantedRevenue, form: str) -> bytes:
    made = statement(reader, wanted)
    report = report_of(made)
    match form:
        case "xlsx":
            return as_workbook(divided(reader, made))
        case "csv":
            return as_csv(report).encode()
        case "pdf":
            return as_pdf(report, made)
    return as_json(report).encode() + b"\n"
