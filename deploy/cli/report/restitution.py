"""`catwalk report restitution`: who must be paid back because of a finding, a shoe, a day, or another reading."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import click

from dashboards.reader.question import Reader
from dashboards.restitution.causes import UnknownCause, of_days, of_finding, of_shoe
from dashboards.restitution.claims import Restitution
from dashboards.restitution.files import as_csv, as_workbook
from dashboards.restitution.money_days import ruled_of_days
from dashboards.restitution.printed import as_pdf
from dashboards.restitution.rivals import NOT_WORKED_OUT
from dashboards.restitution.rulings import begun_of, with_rulings
from dashboards.revenue.books import places_of
from dashboards.revenue.filing.line import OF_PAGE, PERIODS, FiledPeriod
from dashboards.revenue.wanted import WantedRevenue
from deploy.audit.rereading import reread
from deploy.cli.audit.replay import parse_readings
from deploy.cli.options import as_json
from deploy.cli.report.days import day_with_books
from deploy.cli.report.desk_records import settled_on_record
from deploy.cli.report.writing import FORMAT, OUT, records, require_file, warn_of_lag, write
from deploy.errors import FOUND, UserError
from deploy.progress import progress
from deploy.settings import load

EPILOG = """\b
Example:
  catwalk report restitution --finding 5f0c...
  catwalk report restitution --subject FB-12 --shoe 3 --format xlsx --out shoe.xlsx
  catwalk report restitution --day 2026-03-02
  catwalk report restitution --day 2026-03-31 --period mtd --format xlsx --out owed.xlsx
  catwalk report restitution --reading A1=conventional --format csv

\b
Of a finding: what is owed in the rounds of its evidence; where the finding states money of a
hand or seat, what is owed there alone; of a wrong shoe, every stake of the rounds that the
finding names. Of --shoe: every stake dealt from it. Of --day: every stake of the gaming day,
or with --period of the week, month or year up to it, that was not settled as it was due, and
each settled as due on which a decision or a closed alert paid something all the same. Of
--reading: every stake whose due the reading changes, by folding all stored events again;
readings that change the cards (A6, A7, A8, A9 and A35) are not worked out.
Amounts are the patron's view, in JSON in cents, in files in dollars: `owed` is due less paid,
- was paid too much; the PDF sums it by patron. `owed_if_void` is what giving every stake back
would come to. Of `owed`, `settled` is what decided disputes and closed alerts moved,
`ruled_out` is what a ruling is against, and `to_pay` is still to be paid; `beyond` was paid
though nothing was owed any more. Of --day, money of decisions that stands at no stake on
record stands under `without_stake`, with the reason. What cannot be decided stands under
`undecided`, with what is missing. In the distributed mode a store that is behind the topics
is reported as it is, and the command ends with status 1.
"""


@click.command("restitution", epilog=EPILOG)
@click.option("--finding", metavar="ID", help="Because of a finding.")
@click.option("--subject", metavar="S", help="Because of a shoe: its table.")
@click.option("--shoe", type=click.IntRange(1), metavar="N", help="... and its number there.")
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]), metavar="D", help="Because of a gaming day.")
@click.option("--period", type=click.Choice(PERIODS), help="... or of the days up to it.  [default: day]")
@click.option(
    "--reading", "readings", multiple=True, metavar="A1=...", help="Because of another reading; repeatable."
)
@FORMAT
@OUT
def restitution(
    finding: str | None,
    subject: str | None,
    shoe: int | None,
    day: dt.datetime | None,
    period: FiledPeriod | None,
    readings: tuple[str, ...],
    form: str,
    out: Path | None,
) -> None:
    """Who must be paid back and who was paid too much, by stake, and what cannot be decided."""
    causes = (finding is not None, subject is not None or shoe is not None, day is not None, bool(readings))
    if sum(causes) != 1 or (subject is None) != (shoe is None) or (period is not None and day is None):
        remedy = "give --finding ID, or --subject S --shoe N, or --day D, or --reading A1=..."
        raise UserError("report restitution", "one cause is reported at a time", remedy)
    require_file("report restitution", form, out, "back")
    last = None if day is None else day_with_books("report restitution", day)
    wanted = None if last is None else WantedRevenue(day=last, period=OF_PAGE[period or "day"])
    chosen = parse_readings(readings)
    if left := [place for place in chosen if place in NOT_WORKED_OUT]:
        click.echo(f"catwalk: report restitution: not worked out: {', '.join(left)}", err=True)
    settings = load().values
    whole = warn_of_lag(settings, "report restitution")
    with records(settings) as reader:
        made = _made(reader, finding, subject, shoe, chosen, wanted)
        zone = places_of(reader).zone
        disputes, closed = settled_on_record(settings)
        if wanted is not None:
            made = ruled_of_days(reader, made, disputes, closed, (wanted.first, wanted.day))
        else:
            rounds = begun_of(reader, made, closed)
            made = with_rulings(made, disputes, closed=closed, rounds=rounds)
    write(_written(made, form, zone), out)
    if not whole:
        raise SystemExit(FOUND)


def _made(
    reader: Reader,
    finding: str | None,
    subject: str | None,
    shoe: int | None,
    readings: dict[str, str],
    wanted: WantedRevenue | None,
) -> Restitution:
    if wanted is not None:
        return of_days(reader, wanted.first, wanted.day)
    try:
        if finding is not None:
            return of_finding(reader, finding)
        if subject is not None and shoe is not None:
            return of_shoe(reader, subject, shoe)
    except UnknownCause as error:
        raise UserError(
            "report restitution", str(error), "check the name; `catwalk lag` says what is not stored yet"
        ) from error
    with progress("restitution", None, "tables") as advance:
        return reread(reader, readings, advance)


def _written(made: Restitution, form: str, zone: dt.tzinfo) -> bytes:
    match form:
        case "csv":
            return as_csv(made, zone).encode()
        case "xlsx":
            return as_workbook(made, zone)
        case "pdf":
            return as_pdf(made, zone)
    return as_json(made).encode() + b"\n"
