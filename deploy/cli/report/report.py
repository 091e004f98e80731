"""`catwalk report shift`: what happened at the desk between two moments, as text, JSON or PDF."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import click
from msgspec import Struct

from dashboards.desk.shifts import Handover
from dashboards.shift.figures import LONGEST, USUAL, ShiftFigures, figures_of
from dashboards.shift.shift_report import facts_of, shift_report
from dashboards.wording.times import in_zone_of
from deploy.cli.options import FILE, as_json, whoever
from deploy.cli.report.desk_records import whole_desk
from deploy.cli.report.month import month
from deploy.cli.report.readings import readings
from deploy.cli.report.restitution import restitution
from deploy.cli.report.revenue import revenue
from deploy.cli.report.sealed import sealed
from deploy.cli.report.shift_times import span_of_shift, usual_clock
from deploy.cli.report.writing import write
from deploy.console.server import utc_now
from deploy.errors import UserError
from deploy.settings import Settings, load

EPILOG = """\b
Example:
  catwalk report shift
  catwalk report shift --shift 2 --day 2026-03-02 --format json
  catwalk report shift --since 2026-03-02T06:00Z --until 2026-03-02T14:00Z
  catwalk report shift --format pdf --out shift.pdf

\b
Shifts 1, 2 and 3 are thirds of the gaming day by the clock of most tables, as in the
revenue. Without --shift and --since it begins where the last handover ended, or eight
hours before its end; it is at most 31 days long. Times are UTC. The report names the
last five handovers.
The figures are of the whole desk: nobody's restrictions apply to who may read its
ledger. Nothing is written to the ledger; while its chain is broken nothing is reported.
"""


class ShiftReport(Struct, frozen=True, kw_only=True):
    """What `--format json` writes: the figures, and the last five handovers, the last first."""

    figures: ShiftFigures
    handovers: tuple[Handover, ...]


GROUP_EPILOG = """\b
Example:
  catwalk report shift
  catwalk report shift --format pdf --out shift.pdf
  catwalk report revenue --day 2026-03-02 --format xlsx --out revenue.xlsx
  catwalk report month --month 2026-03 --format pdf --out march.pdf
  catwalk report sealed --month 2026-03 --format pdf --out march-sealed.pdf
  catwalk report restitution --subject FB-12 --shoe 3
  catwalk report readings --day 2026-03-02

\b
An embedded store is one process's. While a console or a demonstration runs on it, a
command that reads the store says which process has it open and ends with status 2: stop
that process first, or take the files from the console's pages (/revenue, /revenue/owed,
/revenue/readings).
"""


@click.group("report", epilog=GROUP_EPILOG)
def command() -> None:
    """Report what the desk holds, what the tables won, who must be paid back, and what other readings change."""


command.add_command(revenue)
command.add_command(month)
command.add_command(sealed)
command.add_command(restitution)
command.add_command(readings)


@command.command("shift", epilog=EPILOG)
@click.option(
    "--shift", "number", type=click.IntRange(1, 3), metavar="S", help="Shift 1, 2 or 3 of a gaming day."
)
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]), metavar="D", help="The gaming day of --shift.")
@click.option("--since", metavar="TIME", help="Its beginning, ISO 8601; without an offset UTC.")
@click.option("--until", metavar="TIME", help="Its end.  [default: now]")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "pdf"]), default="text", help="What is written."
)
@click.option("--out", type=FILE, help="File for it; a PDF needs one.  [default: standard output]")
def shift(
    number: int | None,
    day: dt.datetime | None,
    since: str | None,
    until: str | None,
    form: str,
    out: Path | None,
) -> None:
    """Alerts raised, closed and open, disputes, cases, devices and handovers of a shift (JSON, text or PDF)."""
    if form == "pdf" and out is None:
        raise UserError("report shift --format pdf", "a PDF is no text", "name a file: --out shift.pdf")
    settings = load().values
    told = _reported(settings, *_span(settings, number, day, since, until))
    if form == "pdf":
        made = shift_report(told.figures, told.handovers, dt.UTC, whoever())
    else:
        made = (as_json(told) if form == "json" else _as_text(told)).encode() + b"\n"
    write(made, out)


def _span(
    settings: Settings, number: int | None, day: dt.datetime | None, since: str | None, until: str | None
) -> tuple[dt.datetime | None, dt.datetime | None]:
    """The moments that were asked for, each None where it is left to the desk."""
    if number is None and day is None:
        return _moment(since, "--since"), _moment(until, "--until")
    if number is None or day is None:
        raise UserError("report shift", "a shift is of a gaming day", "give both: --shift 2 --day 2026-03-02")
    if since is not None or until is not None:
        raise UserError("report shift", "--shift and --day say when it is", "leave out --since and --until")
    began, ended = span_of_shift(usual_clock(settings), day.date(), number)
    if began > utc_now():
        why = f"shift {number} of {day:%Y-%m-%d} begins at {began:%Y-%m-%dT%H:%MZ}, which is still to come"
        raise UserError("report shift", why, "name one that has begun")
    return began, ended


def _reported(settings: Settings, since: dt.datetime | None, until: dt.datetime | None) -> ShiftReport:
    with whole_desk(settings) as desk:
        now = utc_now()
        last = desk.look(lambda state: state.handovers.last)
        end = until or now
        begin = since or (last.until if last is not None and last.until < end else end - USUAL)
        if not begin < end <= begin + LONGEST:
            why = f"from {begin:%Y-%m-%dT%H:%MZ} to {end:%Y-%m-%dT%H:%MZ} is no time of up to {LONGEST.days} days"
            raise UserError("report shift", why, "give --since and --until")
        cases = desk.look(lambda state: tuple(state.casebook.cases.values()))
        figures = figures_of(desk, begin, end, now, lambda _: True, desk.disputes(), cases)
        made = desk.look(lambda state: tuple(reversed(state.handovers.made.values()))[:5])
        return ShiftReport(figures=figures, handovers=made)


def _moment(text: str | None, option: str) -> dt.datetime | None:
    if text is None:
        return None
    try:
        at = dt.datetime.fromisoformat(text.strip())
    except ValueError as error:
        why = f"found {text!r}, expected a time in ISO 8601"
        raise UserError(f"report shift {option}", why, "write it as 2026-03-02T06:00:00Z") from error
    return (at if at.tzinfo is not None else at.replace(tzinfo=dt.UTC)).astimezone(dt.UTC)


def _as_text(told: ShiftReport) -> str:
    figures = told.figures
    lines = [f"Shift from {in_zone_of(figures.since, dt.UTC)} to {in_zone_of(figures.until, dt.UTC)}"]
    lines += [f"  {name:<26}{value}" for name, value in facts_of(figures, dt.UTC, "")[:-1]]
    for head, alerts in (
        ("Open alerts", figures.open_alerts),
        ("Devices with open alerts", figures.open_devices),
    ):
        lines += [head] if alerts else []
        lines += [
            f"  {one.severity:<9}{one.table:<10}{one.status:<13}{one.owner or 'nobody':<12}{one.title}"
            for one in alerts
        ]
    if len(figures.open_alerts) < figures.open_in_all:
        lines.append(f"  and {figures.open_in_all - len(figures.open_alerts):,} more")
    for head, matters in (("Open disputes", figures.open_disputes), ("Open cases", figures.open_cases)):
        lines += [head] if matters else []
        lines += [f"  {one.id:<11}{one.status:<19}{one.title}" for one in matters]
    lines += ["Handovers"] if told.handovers else []
    for one in told.handovers:
        state = "withdrawn" if one.withdrawn else f"taken by {one.taken_by}" if one.taken_by else "waits"
        lines.append(f"  {one.id}  {in_zone_of(one.at, dt.UTC)}  {one.by}, {state}: {one.note}")
    return "\n".join(lines)
