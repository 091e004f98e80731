"""`catwalk report readings`: the dollars that other readings of the text change in gaming days."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click
from msgspec.structs import asdict

from dashboards.folding.openings import Openings
from dashboards.folding.states import States
from dashboards.restitution.rivals import (
    NOT_WORKED_OUT,
    RIVALS,
    RivalReading,
    RivalReadings,
    rival_readings,
    rounds_of_days,
)
from dashboards.revenue.filing.delimited import decimal
from dashboards.revenue.filing.line import OF_PAGE, FiledPeriod
from dashboards.revenue.wanted import WantedRevenue
from deploy.audit.rereading import reread_rounds
from deploy.cli.options import FILE, as_json
from deploy.cli.report.days import DAY, PERIOD, day_with_books
from deploy.cli.report.writing import records, warn_of_lag, write
from deploy.console.server import OPENINGS_FILE
from deploy.errors import FOUND
from deploy.settings import Settings, load

EPILOG = """\b
Example:
  catwalk report readings --day 2026-03-02
  catwalk report readings --day 2026-03-31 --period mtd --format csv --out readings.csv

\b
For each reading of the text by which stakes would have been due otherwise than by the
one in force at their table: rounds, stakes, what it gives the patrons and the house, and
the stakes of which that cannot be said. Money in JSON is in cents, in CSV in dollars.
The rounds of the days are folded again, about 90 a second; a year takes long. Before
that each table is folded up to the first of them, 20 ms per 1,000 events: on an embedded
ledger from the opening kept nearest before it, on a distributed one from its first event.
The stakes themselves: `catwalk report restitution --reading A1=...`, of every day.

\b
Not worked out are the readings of A6, A7, A8, A9 and A35 (`not_worked_out` in JSON; CSV has it
on standard error): by them other cards would have been dealt or tucked. Nor are readings of
what is shuffled, burned or wagered. In the distributed mode a store that is behind the topics
is reported as it is, and the command ends with status 1.
"""
_MONEY = ("to_patrons", "to_house")


@click.command("readings", epilog=EPILOG)
@DAY
@PERIOD
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "json"]),
    default="json",
    show_default=True,
    help="What is written.",
)
@click.option("--out", type=FILE, help="File for it.  [default: standard output]")
def readings(day: dt.datetime, period: FiledPeriod, form: str, out: Path | None) -> None:
    """What other readings of the text would have given patrons and house, over gaming days."""
    wanted = WantedRevenue(day=day_with_books("report readings", day), period=OF_PAGE[period])
    settings = load().values
    whole = warn_of_lag(settings, "report readings")
    with records(settings) as reader, _openings(settings) as openings:
        states = States(reader, openings)
        spans = rounds_of_days(reader, wanted.first, wanted.day)
        dues = reread_rounds(
            reader, spans, lambda subject, sequence: states.before(subject, sequence).table(), RIVALS
        )
    made = rival_readings(wanted.first, wanted.day, len(spans), dues)
    write(as_json(made).encode() + b"\n" if form == "json" else _as_csv(made).encode(), out)
    if form == "csv":
        click.echo(f"catwalk: report readings: not worked out: {', '.join(NOT_WORKED_OUT)}", err=True)
    if not whole:
        raise SystemExit(FOUND)


@contextmanager
def _openings(settings: Settings) -> Iterator[Openings]:
    """The openings that the console of an embedded ledger keeps; in memory where a server has the records.

    There a console, of another release perhaps, may have its own in use; an embedded store is one process's at a time,
    so that nobody else is at its openings.
    """
    if settings.mode == "distributed":
        with closing(Openings()) as openings:
            yield openings
        return
    with closing(Openings(Path(settings.data) / OPENINGS_FILE)) as openings:
        yield openings


def _as_csv(made: RivalReadings) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(RivalReading.__struct_fields__)
    for one in made.readings:
        writer.writerow(
            decimal(value) if name in _MONEY else str(value) for name, value in asdict(one).items()
        )
    return text.getvalue()
