"""The process beside a console that sends pages: it follows the same desk, and writes to its record what it sent."""

from __future__ import annotations

import asyncio
import datetime as dt
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from dashboards.desk.desk import Desk
from dashboards.ledger.ledger import DeskUnavailable
from deploy.configured.desk_ledger import FILE, SqliteDeskLog
from deploy.console.desk_memory import memory_of
from deploy.errors import UserError
from deploy.notify.channels import Channel
from deploy.notify.pager import Pager, Rules
from deploy.settings import Settings
from processors.runtime.watch.health import Health, HealthServer
from processors.runtime.watch.metrics import WorkerMetrics

_LOOK_EVERY: Final = 1.0


def utc_now() -> dt.datetime:
    """The time."""
    return dt.datetime.now(dt.UTC)


@contextmanager
def desk_of(settings: Settings, start_seconds: float) -> Iterator[Desk]:
    """The desk that the console of these settings serves, in either mode.

    Raises:
        UserError: no console has begun it yet, or its ledger was altered.
        DeskUnavailable: it cannot be read.
    """
    if settings.mode == "distributed":
        # Imported here: the embedded desk needs no client of the brokers.
        from deploy.console.desk_topic import SETTLE, desk_topic

        with closing(desk_topic(settings)) as topic, closing(memory_of(settings)) as memory:
            yield _unaltered(
                _opened(lambda: Desk(topic, utc_now, memory=memory, settle=SETTLE), start_seconds)
            )
        return
    path = Path(settings.data) / FILE
    if not path.is_file():
        raise UserError(str(path), "no desk yet", "start `catwalk console` on the same folder first")
    with closing(SqliteDeskLog(path)) as log, closing(memory_of(settings)) as memory:
        yield _unaltered(Desk(log, utc_now, memory=memory))


async def run(
    desk: Desk,
    channels: tuple[Channel, ...],
    rules: Rules,
    where: tuple[str, int],
    stop: asyncio.Event,
) -> None:
    """Send on all channels until `stop` is set; `where` is the address of health, port 0 for none.

    Raises:
        Exception: the desk's ledger was altered, or a channel failed otherwise than by not delivering.
    """
    ended = threading.Event()
    pagers = [Pager(desk, channel, rules, utc_now) for channel in channels]
    health, metrics = Health(), WorkerMetrics("notify")
    health.watched.extend(_watching(pager) for pager in pagers)
    metrics.ready.set_function(lambda: health.ready)
    server = HealthServer(health, metrics)
    if where[1]:
        await server.start(*where)
    works = [asyncio.create_task(asyncio.to_thread(pager.follow, ended)) for pager in pagers]
    health.well("start")
    stopping = asyncio.create_task(stop.wait())
    try:
        done, _ = await asyncio.wait([*works, stopping], return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        ended.set()
        stopping.cancel()
        await asyncio.gather(*works, return_exceptions=True)
        await server.stop()


def _watching(pager: Pager) -> Callable[[], str | None]:
    return lambda: pager.trouble


def _opened(make: Callable[[], Desk], start_seconds: float) -> Desk:
    until = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=start_seconds)
    pause = threading.Event()
    while True:
        try:
            return make()
        except DeskUnavailable:
            if dt.datetime.now(dt.UTC) >= until:
                raise
            pause.wait(_LOOK_EVERY)


def _unaltered(desk: Desk) -> Desk:
    if desk.alarm is not None:
        remedy = "see docs/security.md: restore a copy, or `catwalk console accept`"
        raise UserError("the desk's record", desk.alarm.why, remedy)
    return desk
