"""Recording by way of the gateway: its journal first, then Kafka, and what is said when Kafka is away."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Literal

import click
import msgspec
from msgspec import Struct

from deploy.capture.health import gateway_health
from deploy.capture.leaving import Leaving
from deploy.capture.recording import Forwarded, RecordingSummary, record_frames, subject_of
from deploy.configured.kafka import connection
from deploy.progress import progress
from deploy.settings import Settings
from producers.kafka.connection import ClientPatience
from producers.kafka.gateway import Gateway, GatewayPlan
from producers.kafka.journal import Journal, standing
from producers.kafka.refusals import KafkaAway
from producers.kafka.shipments import BACKFILL, LIVE
from producers.recorder import Arrival
from schemas.events.envelope import utc_text

LAST_SECONDS = 5.0


class _Named(Struct):
    subject: str


_name = msgspec.json.Decoder(_Named).decode


def record_to_kafka(
    settings: Settings,
    path: Path,
    frames: Iterable[list[Arrival]],
    leaving: Leaving,
    framing: Literal["live", "backfill"],
    seconds: float,
    take_over: bool,
    health_port: int = 0,
) -> tuple[RecordingSummary, Exception | None]:
    """Record and wait until everything is acknowledged; what could not be done comes beside what was.

    At `health_port`, if it is not 0, it says meanwhile how it is.

    Raises:
        CaptureError: a table is new here and Kafka cannot be asked for it, or the journal cannot be used.
    """
    plan = GatewayPlan(
        framing=LIVE if framing == "live" else BACKFILL,
        seconds=seconds,
        take_over=take_over,
        journal_days=settings.journal_days,
    )
    once = int(min(max(seconds, 1.0), 5.0) * 1000)  # one question takes no longer than all of them may
    reach = msgspec.structs.replace(connection(settings), patience=ClientPatience(connect=once, look=once))
    gateway = Gateway(Journal(path), reach, plan, _now, _say, leaving.rest)
    with ExitStack() as held:
        held.enter_context(closing(gateway))
        held.enter_context(gateway_health(gateway, settings.health_host, health_port))
        gateway.start()
        try:
            with progress("record", None, "events") as advance:
                summary = record_frames(
                    gateway, gateway.journal.log, _met(gateway, leaving.between(frames)), advance
                )
        except KafkaAway:
            raise
        except BaseException:  # a damaged file, an interrupt: what was recorded is sent all the same
            if gateway.trouble is None:
                gateway.wait(lambda _done: None, most=LAST_SECONDS)
            raise
        with progress("send", gateway.forwarder.waiting, "events") as advance:
            arrived = gateway.wait(advance)
        summary.ledger = str(path)
        summary.kafka = Forwarded(
            servers=settings.kafka,
            gateway=gateway.journal.gateway,
            acknowledged=gateway.forwarder.acknowledged,
            waiting=gateway.forwarder.waiting,
            journal_bytes=standing(path).size,
        )
        problems = [*([] if arrived else [gateway.away()]), *gateway.lost.values()]
    return summary, next(iter(problems), None)


def _now() -> str:
    return utc_text(dt.datetime.now(dt.UTC))


def _say(text: str) -> None:
    click.echo(f"catwalk: {text}", err=True)


def _met(gateway: Gateway, frames: Iterable[list[Arrival]]) -> Iterator[list[Arrival]]:
    """The frames; tables that a frame is the first to name are taken together before it is judged."""
    met: set[str] = set()
    for frame in frames:
        new = set()
        for arrival in frame:
            try:
                named = _name(arrival.line).subject
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                continue
            if named not in met and subject_of(arrival) is not None:
                new.add(named)
        if new:
            gateway.meet(sorted(new))
            met |= new
        yield frame
