"""A property at one rate after the other: processor, bytes, and how soon a result stands on its topic and in the store.

Each rate has topics, relations and processes of its own. Nothing is measured before all tables have come through and
some seconds at the rate have passed. Then for so many seconds each round and finding is timed, from the moment at which
its event was due until it was seen; and for as many more, in which nobody looks into the topics or the store, the
processor time of each process is taken and the bytes that are written to each topic.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

from clickhouse_driver import Client
from msgspec import Struct

from benchmarks.core import part_of
from benchmarks.live.arrivals import Arrivals, Result, results_of
from benchmarks.live.feed import Feed, by_turns
from benchmarks.live.footprint import TopicSizes, an_event, forget_topics, processor_seconds, stored_bytes
from benchmarks.live.property import Property, named_apart, servers
from deploy.configured.kafka import connection
from deploy.configured.store import topology
from deploy.configured.workers import brokers_of
from deploy.errors import UserError
from deploy.settings import Settings
from schemas.warehouse import RELATIONS

RATES: Final = (100, 3_000)
SECONDS: Final = 60.0
TABLES: Final = 100
WARM: Final = 10.0  # seconds at the rate, before anything is measured
_AGAIN: Final = 5.0  # ... behind the pause in which the last results were waited for
_FIRST: Final = 60  # events of each table that come at once: by then it is open
_COME_THROUGH: Final = 90.0  # seconds in which they must be stored
_DRAIN: Final = 60.0  # seconds for the last results, behind the last event
_PERCENTS: Final = (50, 95, 99)
LOAD: Final = "load"  # this process: it sends, and looks at what arrives


class Spread(Struct, kw_only=True):
    """Milliseconds of so many rounds and findings; `lost` were not seen in time, and are in none of them."""

    results: int
    p50: float
    p95: float
    p99: float
    lost: int = 0


class AtRate(Struct, kw_only=True):
    """What was measured at a rate, in events a second: `late` ms is how late a timed event was handed over at most.

    `processor` is each process's share of one core, `kafka` and `clickhouse` are bytes an event by topic and relation.
    """

    rate: int
    tables: int
    seconds: float
    events: int
    late: float
    processor: dict[str, float]
    kafka: dict[str, float]
    clickhouse: dict[str, float]
    on_topic: Spread
    in_store: Spread

    @property
    def workers(self) -> float:
        """The share of a core of gateway, fold, sink and analyst together."""
        return sum(
            share for name, share in self.processor.items() if name not in (LOAD, "kafka", "clickhouse")
        )


def measure(
    settings: Settings, rates: Sequence[int] = RATES, seconds: float = SECONDS, tables: int = TABLES
) -> list[AtRate]:
    """Each rate in turn, on the servers that the settings name or on some of its own.

    Raises:
        UserError: a server or a process does not come up, or nothing comes through.
    """
    with tempfile.TemporaryDirectory(prefix="catwalk-bench-") as place:
        folder = Path(place)
        with servers(settings, folder) as (reached, pids):
            found = []
            for rate in rates:
                own = folder / str(rate)
                own.mkdir(exist_ok=True)
                with _running(named_apart(reached), own, pids) as running:
                    found.append(asyncio.run(_measured(running, rate, seconds, tables)))
            return found


@contextmanager
def _running(settings: Settings, folder: Path, pids: Mapping[str, int]) -> Iterator[Property]:
    running = Property(settings, folder, pids)
    try:
        running.start()
        yield running
    finally:
        running.stop()
        with _client(settings) as client:
            client.execute(f"DROP DATABASE IF EXISTS `{topology(settings).database}` SYNC")
        forget_topics(connection(settings))


def _client(settings: Settings) -> Client:
    return Client(
        settings.clickhouse_host,
        port=settings.clickhouse_port,
        user=settings.clickhouse_user,
        password=settings.clickhouse_password,
    )


async def _measured(running: Property, rate: int, seconds: float, tables: int) -> AtRate:
    settings, database = running.settings, topology(running.settings).database
    first = _FIRST * tables
    lines = by_turns(tables, first + int((WARM + _AGAIN + 2 * seconds) * rate))
    feed = Feed(running.gateway, lines, rate)
    wanted = results_of(lines[: first + int((WARM + seconds) * rate)])
    sizes = TopicSizes(connection(settings), brokers_of(settings))
    with _client(settings) as client:
        arrivals = Arrivals(brokers_of(settings), client, database)
        try:
            async with _watched(arrivals) as watching:
                await asyncio.to_thread(feed.at_once, first)
                await _until(running, lambda: _stored(running) >= first, watching)
                await asyncio.to_thread(feed.steadily, WARM, measured=False)
                await asyncio.to_thread(feed.steadily, seconds, measured=True)
                due = {one: feed.due[one[1:]] for one in wanted if one[1:] in feed.due}
                await _drain(due, arrivals)
            await asyncio.to_thread(feed.steadily, _AGAIN, measured=False)
            pids = running.pids | {LOAD: os.getpid()}
            on_topics = await asyncio.to_thread(sizes.measure)
            before, begun = {name: processor_seconds(pid) for name, pid in pids.items()}, time.perf_counter()
            events = await asyncio.to_thread(feed.steadily, seconds, measured=False)
            took = time.perf_counter() - begun
            spent = {name: (processor_seconds(pid) - before[name]) / took for name, pid in pids.items()}
            written = await asyncio.to_thread(sizes.measure)
            running.require_alive()
        finally:
            sizes.close()
        held = stored_bytes(client, database, RELATIONS)
        [[stored]] = client.execute(f"SELECT count() FROM `{database}`.events")
    written.subtract(on_topics)
    return AtRate(
        rate=rate,
        tables=tables,
        seconds=round(took, 1),
        events=events,
        late=round(1000 * feed.latest, 1),
        processor={name: round(share, 3) for name, share in spent.items()},
        kafka=an_event(written, events),
        clickhouse=an_event(held, stored),
        on_topic=spread_of(due, arrivals.on_topic),
        in_store=spread_of(due, arrivals.in_store),
    )


@asynccontextmanager
async def _watched(arrivals: Arrivals) -> AsyncIterator[asyncio.Task[None]]:
    """Have somebody look at what arrives, until the end."""
    over = asyncio.Event()
    watching = asyncio.create_task(arrivals.watch(over))
    try:
        yield watching
        over.set()
        await watching
    finally:
        over.set()
        await asyncio.gather(watching, return_exceptions=True)


def _stored(running: Property) -> int:
    with _client(running.settings) as client:
        [[events]] = client.execute(f"SELECT count() FROM `{topology(running.settings).database}`.events")
        return int(events)


async def _until(running: Property, done: Callable[[], bool], watching: asyncio.Task[None]) -> None:
    deadline = time.perf_counter() + _COME_THROUGH
    while not done():
        running.require_alive()
        if watching.done():
            watching.result()
        if time.perf_counter() > deadline:
            why = f"the first events were not stored in {_COME_THROUGH:.0f} s"
            raise UserError("bench live", why, "look at `catwalk doctor` and `catwalk lag`")
        await asyncio.sleep(0.2)


async def _drain(due: Mapping[Result, float], arrivals: Arrivals) -> None:
    """Wait for all that is due to be seen on its topic and in the store."""
    deadline = time.perf_counter() + _DRAIN
    while due.keys() - (arrivals.on_topic.keys() & arrivals.in_store.keys()):
        if time.perf_counter() > deadline:
            return
        await asyncio.sleep(0.1)


def spread_of(due: Mapping[Result, float], seen: Mapping[Result, float]) -> Spread:
    """From the moment at which an event was due to the sight of its result."""
    took = [1000 * (seen[one] - begun) for one, begun in due.items() if one in seen]
    if not took:
        why = "no round ended while it was measured" if not due else "no result was seen"
        raise UserError("bench live", why, "give it more --seconds, or look at `catwalk lag`")
    p50, p95, p99 = (round(part_of(took, percent), 1) for percent in _PERCENTS)
    return Spread(results=len(took), p50=p50, p95=p95, p99=p99, lost=len(due) - len(took))
