"""`catwalk report sealed`: the figures of a gaming day or a month as they were sealed, whatever was recorded since."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Final

import click
from msgspec import Struct

from dashboards.ledger.seals import Seal
from dashboards.revenue.filing.delimited import as_csv
from dashboards.revenue.filing.line import RevenueReport
from dashboards.revenue.filing.printed import as_pdf
from dashboards.revenue.filing.workbook import as_workbook
from dashboards.revenue.sealing.figures import reports_of, sealed_days, sealed_of
from deploy.cli.options import as_json
from deploy.cli.report.days import day_with_books
from deploy.cli.report.desk_records import whole_desk
from deploy.cli.report.writing import FORMAT, OUT, require_file, write
from deploy.errors import UserError
from deploy.settings import load

COMMAND: Final = "report sealed"
EPILOG = """\b
Example:
  catwalk report sealed --day 2026-03-02
  catwalk report sealed --month 2026-03 --format xlsx --out march-sealed.xlsx

\b
Revenue staff seal the figures of a gaming day, or of a month, on the console's page
/revenue/sealed. They are read from the desk's ledger as they were sealed: nothing that was
recorded later changes them, and the store of records is not needed. What differs now stands
on that page. A day has a line for each table; a month has a report by gaming day and one by
table: CSV and PDF have the first, JSON and workbook have both. JSON has the seal before them:
who sealed them, when, and the record of the desk with its SHA-256. Money in JSON is in cents,
in files in dollars. Where no console was ever started nothing is sealed: status 2.
"""


class SealedReport(Struct, frozen=True, kw_only=True):
    """The seal and what was sealed."""

    seal: Seal
    reports: tuple[RevenueReport, ...]


@click.command("sealed", epilog=EPILOG)
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]), metavar="D", help="Gaming day that was sealed.")
@click.option(
    "--month", type=click.DateTime(["%Y-%m"]), metavar="M", help="Month that was sealed, as 2026-03."
)
@FORMAT
@OUT
def sealed(day: dt.datetime | None, month: dt.datetime | None, form: str, out: Path | None) -> None:
    """The figures of a gaming day or a month as they were sealed, whatever was recorded since."""
    require_file(COMMAND, form, out, "sealed")
    given = day or month
    if given is None or (day and month):
        raise UserError(COMMAND, "it is of a gaming day or of a month", "give --day or --month")
    wanted = sealed_days(day_with_books(COMMAND, given), "month" if month else "day")
    with whole_desk(load().values) as desk:
        seal = desk.look(lambda state: state.seals.made.get((wanted.first, wanted.day)))
        act = None if seal is None else sealed_of(desk, seal)
    if seal is None or act is None:
        named = f"{wanted.day:%Y-%m}" if month else str(wanted.day)
        raise UserError(
            COMMAND, f"the figures of {named} are not sealed", "seal them on the page /revenue/sealed"
        )
    made = SealedReport(seal=seal, reports=tuple(reports_of(act, wanted.day)))
    write(_written(made, form), out)


def _written(made: SealedReport, form: str) -> bytes:
    match form:
        case "xlsx":
            return as_workbook(made.reports)
        case "csv":
            return as_csv(made.reports[0]).encode()
        case "pdf":
            return as_pdf(made.reports[0], None, made.seal)
    return as_json(made).encode() + b"\n"
