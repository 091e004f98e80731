"""`catwalk record`: contract events and device events into the ledger."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from io import BufferedReader
from itertools import chain as joined
from pathlib import Path
from typing import Literal, cast

import click

from deploy.capture.leaving import Leaving
from deploy.capture.recording import RecordingSummary, as_text, record_frames
from deploy.checkpoints.keeping import Unsigned, checkpoints_kept
from deploy.cli.options import FILE, PATH, as_json, output_format
from deploy.errors import FOUND, UserError
from deploy.private_files import keep_private, tighten_file
from deploy.progress import progress
from deploy.settings import Settings, load
from producers.feeds.lines import AnyLine, LongLine
from producers.feeds.pipe import read_bursts
from producers.feeds.streams import StreamError, find_streams, read_lines
from producers.recorder import Arrival
from producers.sqlite_log import SqliteLog

EPILOG = """\b
Example:
  catwalk record examples/lawful_free_bet_590.ndjson
  tail -f shoe-3.ndjson | catwalk record - --ledger pit-2.db
  catwalk record --to kafka examples

\b
Each line is answered on its own: recorded, already had (recorded before, the
same), conflict (contradicts a record), gap (something before it is missing), or
quarantined (no event). Recording a file again records nothing twice.

\b
To Kafka each line is first made durable in a journal on this machine; if Kafka
is away, events wait there and the next call sends them. One gateway writes a
table: a newer one takes it over, and the older one is told so and stops.
"""
PIPE = Path("-")
FRAME = 500  # lines made durable together: a larger frame is hardly faster, and progress gets coarse
FRAME_BYTES = 4 << 20  # and at most so many bytes: lines may be long


@click.command("record", epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, type=PATH, metavar="PATH|-...")
@click.option(
    "--to", type=click.Choice(["embedded", "kafka"]),
    help="Which ledger.  [default: kafka where the setting mode is distributed]",
)  # fmt: skip
@click.option(
    "--ledger",
    type=FILE,
    metavar="FILE",
    help="Ledger file; to kafka: the gateway's journal.  [default: ledger.db or journal.db in the folder of"
    " the setting data]",
)
@click.option(
    "--seconds", type=click.FloatRange(min=0), default=60,
    help="To kafka: how long to wait for Kafka when it is away.",
)  # fmt: skip
@click.option("--take-over", is_flag=True, help="To kafka: take back tables that another gateway has taken.")
@click.option(
    "--health-port", type=click.IntRange(0, 65535), default=0, show_default=False,
    help="To kafka: health and metrics while it records.  [default: none]",
)  # fmt: skip
@output_format()
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[Path, ...],
    to: Literal["embedded", "kafka"] | None,
    ledger: Path | None,
    seconds: float,
    take_over: bool,
    health_port: int,
    form: str,
) -> None:
    """Append events to the ledger: streams (.ndjson, .gz), folders of them, or standard input (-).

    Chained events are verified and kept byte for byte; events without a chain, as devices send them, get one.
    Exit status 1 when a line was refused or quarantined.
    """
    settings = load().values
    frames = _frames(paths)
    leaving = Leaving()
    if ledger is None:
        keep_private(Path(settings.data))
    else:
        tighten_file(ledger)
    problem: Exception | None = None
    if (to or ("kafka" if settings.mode == "distributed" else "embedded")) == "embedded":
        path = ledger or Path(settings.data) / "ledger.db"
        with leaving.heard():
            summary, problem = _embedded(settings, path, leaving.between(frames))
    else:
        if settings.signing_key:
            remedy = "unset signing_key and checkpoints, or record to the ledger of this machine"
            raise UserError("catwalk record --to kafka", "checkpoints of topics are not written yet", remedy)
        # The client library costs a fifth of a second to import.
        from deploy.capture.forwarding import record_to_kafka

        journal = ledger or Path(settings.data) / "journal.db"
        framing: Literal["live", "backfill"] = "live" if PIPE in paths else "backfill"
        with leaving.heard():
            summary, problem = record_to_kafka(
                settings, journal, frames, leaving, framing, seconds, take_over, health_port
            )
    click.echo(as_json(summary) if form == "json" else as_text(summary))
    if problem is not None:
        raise problem
    if summary.refused:
        ctx.exit(FOUND)


def _embedded(
    settings: Settings, path: Path, frames: Iterable[list[Arrival]]
) -> tuple[RecordingSummary, Exception | None]:
    """What became of the lines, and why they are not in a signed checkpoint, where the settings ask for one."""
    summary = RecordingSummary(ledger=str(path))
    try:
        with (
            checkpoints_kept(settings, path),
            closing(SqliteLog(path)) as log,
            progress("record", None, "events") as advance,
        ):
            summary = record_frames(log, log, frames, advance)
            summary.ledger = str(path)
    except Unsigned as error:
        return summary, error
    return summary, None


def _frames(paths: Sequence[Path]) -> Iterator[list[Arrival]]:
    """Lines that are made durable together; every path is looked at before the first line is read."""
    streams = [stream for path in paths for stream in ([PIPE] if path == PIPE else find_streams([path]))]
    return joined.from_iterable(_of_pipe() if stream == PIPE else _of_stream(stream) for stream in streams)


def _of_pipe() -> Iterator[list[Arrival]]:
    for burst in read_bursts(cast("BufferedReader", sys.stdin.buffer)):
        yield [
            _arrival("stdin", line, "the rest of it came by standard input and is kept nowhere")
            for line in burst
        ]


def _of_stream(path: Path) -> Iterator[list[Arrival]]:
    frame: list[Arrival] = []
    size = 0
    try:
        for line in read_lines(path):
            arrival = _arrival(path.name, line, f"the whole line stands in {path} at byte {line.offset}")
            frame.append(arrival)
            size += len(arrival.line)
            if len(frame) == FRAME or size >= FRAME_BYTES:
                yield frame
                frame, size = [], 0
    except StreamError:
        if frame:
            yield frame  # what could be read before is recorded
        raise
    if frame:
        yield frame


def _arrival(name: str, line: AnyLine, whereabouts: str) -> Arrival:
    """A line with its origin; of one that is too long the beginning, and `whereabouts` of the rest."""
    origin = f"{name}:{line.number}"
    if isinstance(line, LongLine):
        kept = f"its first {len(line.beginning)} bytes are kept here, the SHA-256 of all is {line.digest}"
        return Arrival(line.beginning, origin, f"{line.reason}; {kept}; {whereabouts}")
    return Arrival(line.content, origin)
