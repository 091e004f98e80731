"""`catwalk record`: contract events and device events into the ledger."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from io import BufferedReader
from itertools import chain as joined
from itertools import islice
from pathlib import Path
from typing import Literal, cast

import click
import msgspec
from msgspec import Struct, field

from deploy.cli.errors import FOUND
from deploy.cli.progress import progress
from deploy.cli.settings import load
from producers.answers import AlreadyHave, Answer, Appended, Conflict, Gap, Quarantined
from producers.feeds.pipe import read_bursts
from producers.feeds.streams import Line, find_streams, read_lines
from producers.recorder import Arrival, Recorder
from producers.sqlite_log import SqliteLog

EPILOG = """\b
Example:
  catwalk record examples/lawful_free_bet_590.ndjson
  tail -f shoe-3.ndjson | catwalk record - --ledger pit-2.db

\b
Each line is answered on its own: recorded, already had (recorded before, the
same), conflict (contradicts a record), gap (something before it is missing), or
quarantined (no event). Recording a file again records nothing twice.
"""
PIPE = Path("-")
FRAME = 500  # lines made durable together: a larger frame is hardly faster, and progress gets coarse
SHOWN = 20
KEPT = 1000


class Refusal(Struct, frozen=True):
    """Lines in a row that were not recorded for the same cause: where the first stands, its reason, how many."""

    at: str
    answer: Literal["conflict", "gap", "quarantined"]
    subject: str | None
    reason: str
    lines: int = 1


class Table(Struct, frozen=True):
    """A table that was recorded into, and its last event."""

    subject: str
    sequence: int
    head: str


class Summary(Struct, kw_only=True):
    """What became of the lines; of `refusals` the first 1,000. All refused bytes but a gap's are in quarantine."""

    ledger: str
    lines: int = 0
    recorded: int = 0
    bridged: int = 0
    already_had: int = 0
    conflicts: int = 0
    gaps: int = 0
    quarantined: int = 0
    tables: list[Table] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)

    @property
    def refused(self) -> int:
        """Lines that were not recorded, now or before."""
        return self.conflicts + self.gaps + self.quarantined


@click.command("record", epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH|-...")
@click.option(
    "--to",
    type=click.Choice(["embedded"]),
    default="embedded",
    show_default=True,
    expose_value=False,
    help="Which ledger.",
)
@click.option(
    "--ledger",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Ledger file.  [default: ledger.db in the folder of the setting data]",
)
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.pass_context
def command(ctx: click.Context, paths: tuple[Path, ...], ledger: Path | None, form: str) -> None:
    """Append events to the ledger: streams (.ndjson, .gz), folders of them, or standard input (-).

    Chained events are verified and kept byte for byte; events without a chain, as devices send them, get one.
    Exit status 1 when a line was refused or quarantined.
    """
    path = ledger if ledger is not None else Path(load().values.data) / "ledger.db"
    frames = _frames(paths)
    with closing(SqliteLog(path)) as log, progress("record", None, "events") as advance:
        summary = record_frames(log, path, frames, advance)
    click.echo(as_json(summary) if form == "json" else as_text(summary))
    if summary.refused:
        ctx.exit(FOUND)


def _frames(paths: Sequence[Path]) -> Iterator[list[Arrival]]:
    """Lines that are made durable together; every path is looked at before the first line is read."""
    streams = [stream for path in paths for stream in ([PIPE] if path == PIPE else find_streams([path]))]
    return joined.from_iterable(_of_pipe() if stream == PIPE else _of_stream(stream) for stream in streams)


def _of_pipe() -> Iterator[list[Arrival]]:
    for burst in read_bursts(cast("BufferedReader", sys.stdin.buffer)):
        yield [_arrival("stdin", line) for line in burst]


def _of_stream(path: Path) -> Iterator[list[Arrival]]:
    lines = read_lines(path)
    while frame := [_arrival(path.name, line) for line in islice(lines, FRAME)]:
        yield frame


def _arrival(name: str, line: Line) -> Arrival:
    return Arrival(line.content, f"{name}:{line.number}")


def record_frames(
    log: SqliteLog, path: Path, frames: Iterable[list[Arrival]], advance: Callable[[int], None]
) -> Summary:
    """Record frame after frame and sum up what was answered."""
    recorder = Recorder(log, lambda: dt.datetime.now(dt.UTC))
    summary = Summary(ledger=str(path))
    subjects: set[str] = set()
    for frame in frames:
        for arrival, answer in zip(frame, recorder.record_lines(frame), strict=True):
            _count(summary, subjects, arrival.origin, answer)
        advance(len(frame))
    for subject in sorted(subjects):
        summary.tables.append(Table(subject, *log.head(subject)))
    return summary


def _count(summary: Summary, subjects: set[str], origin: str, answer: Answer) -> None:
    summary.lines += 1
    if not isinstance(answer, Quarantined):
        subjects.add(answer.subject)
    match answer:
        case Appended(bridged=bridged):
            summary.recorded += 1
            summary.bridged += bridged
        case AlreadyHave():
            summary.already_had += 1
        case Conflict(subject=subject, reason=reason):
            summary.conflicts += 1
            _refuse(summary, Refusal(origin, "conflict", subject, reason))
        case Gap(subject=subject, expected=expected):
            summary.gaps += 1
            _refuse(summary, Refusal(origin, "gap", subject, f"event {expected} is expected first"))
        case Quarantined(reason=reason, path=place):
            summary.quarantined += 1
            _refuse(summary, Refusal(origin, "quarantined", None, f"{reason} (at {place})"))


def _refuse(summary: Summary, refusal: Refusal) -> None:
    last = summary.refusals[-1] if summary.refusals else None
    if last is not None and _goes_on(last, refusal):
        summary.refusals[-1] = msgspec.structs.replace(last, lines=last.lines + 1)
    elif len(summary.refusals) < KEPT:
        summary.refusals.append(refusal)


def _goes_on(last: Refusal, refusal: Refusal) -> bool:
    """Whether a line was refused for the cause of the one before: a table's other history conflicts line by line."""
    same_file = last.at.rpartition(":")[0] == refusal.at.rpartition(":")[0]
    same_cause = last.reason == refusal.reason or refusal.answer == "conflict"
    return same_file and same_cause and (last.answer, last.subject) == (refusal.answer, refusal.subject)


def as_json(summary: Summary) -> str:
    """The summary for a program."""
    return msgspec.json.format(msgspec.json.encode(summary), indent=1).decode()


def as_text(summary: Summary) -> str:
    """The summary for a person: what became of the lines, then what was refused and why."""
    bridged = (
        f"  (and {summary.bridged:,} unreadable ones that the chain runs through)" if summary.bridged else ""
    )
    said = [
        f"{summary.lines:,} lines -> {summary.ledger}",
        f"  recorded     {summary.recorded:>9,}{bridged}",
        f"  already had  {summary.already_had:>9,}",
        f"  conflicts    {summary.conflicts:>9,}",
        f"  gaps         {summary.gaps:>9,}",
        f"  quarantined  {summary.quarantined:>9,}",
    ]
    said += [f"  table {table.subject}: {table.sequence:,} events" for table in summary.tables[:SHOWN]]
    if len(summary.tables) > SHOWN:
        said.append(f"  ... and {len(summary.tables) - SHOWN:,} more tables")
    said += [_told(refusal) for refusal in summary.refusals[:SHOWN]]
    if len(summary.refusals) > SHOWN:
        said.append(f"  ... and more; `--format json` lists the first {KEPT:,}")
    return "\n".join(said)


def _told(refusal: Refusal) -> str:
    table = f"table {refusal.subject}: " if refusal.subject is not None else ""
    more = f" (and {refusal.lines - 1:,} lines more)" if refusal.lines > 1 else ""
    return f"  {refusal.at}: {refusal.answer}: {table}{refusal.reason}{more}"
