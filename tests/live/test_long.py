"""A property at twice its peak for long, with a fault among every thousand events: memory flat, alerts in time.

What it stands for is eight hours; it takes `SOAK_SECONDS`, twelve minutes if nothing is said: 40 to 1. Not compressed
are the rate (100 tables, two events a second each), the share of events with a fault, and how long a fault lasts.
Compressed are the events (a fortieth) and the faults of whole processes, one each forty-five seconds instead of two an
hour. So what grows by events or by faults is seen, forty times smaller; what grows by the hours alone is not: gaming
days that change, journals that are pruned, segments that are given up, certificates that end.
"""

from __future__ import annotations

import datetime as dt
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from benchmarks.core import part_of
from benchmarks.live.arrivals import results_of
from benchmarks.live.feed import Feed, by_turns, subject_of
from deploy.settings import PREFIX
from deploy.stack.stack import Stack
from tests.live.checker import check
from tests.live.figures import tell
from tests.live.folding import Environment, Sent, migrate, produce
from tests.live.gateways import Ledger
from tests.live.test_three_brokers import Listener
from tests.live.working import Process, Proxy, all_caught_up

SECONDS = float(os.environ.get("SOAK_SECONDS", "720"))
RATE, TABLES = 200, 100
KINDS = ("fold", "sink", "analyst")
FAULTS = 16  # of whole processes; in the second half none is killed, so that memory is that of one process
SHARE = 1_000  # of so many events one is sent again, brought again, or followed by what nobody can read
FROZEN = 6.0  # seconds
AFTER = 20.0  # seconds behind a fault of a process in which alerts are counted apart
MOST_GROWN = (
    16 << 20
)  # bytes; had each event left its own line behind, a fifth of the run would leave as many
LATE = 60.0  # seconds: a worker's session, its start and what waited take less


class Heard(Listener):
    """Which results came, by the event that decided them."""

    def _hear(self, told: dict[str, Any]) -> None:
        result = told.get("round") or told["finding"]
        event = str(result["subject"]), dt.datetime.fromisoformat(told["at"])
        self.results.setdefault(("rounds" if told.get("round") else "findings", *event), time.perf_counter())

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self.results: dict[tuple[str, str, dt.datetime], float] = {}


class Workers:
    """One of each kind, started again when it is killed."""

    def __init__(self, environment: Environment, folder: Path) -> None:
        self._environment, self._folder = environment, folder
        self.at_work = {kind: self._start(kind) for kind in KINDS}
        self.logs = [one.log for one in self.at_work.values()]

    def _start(self, kind: str) -> Process:
        return Process(self._environment, self._folder, kind, "--session", "6", "--member", f"{kind}-1")

    def kill(self, kind: str) -> None:
        self.at_work[kind].kill()
        self.at_work[kind] = self._start(kind)
        self.logs.append(self.at_work[kind].log)


@contextmanager
def ended(gateway: subprocess.Popen[bytes]) -> Iterator[None]:
    """Kill it behind a test that failed: nobody waits then for what it would still send."""
    try:
        yield
    finally:
        gateway.kill()


def resident(pid: int) -> int:
    """Bytes of memory that a process holds."""
    return int(Path(f"/proc/{pid}/status").read_text().split("VmRSS:")[1].split()[0]) * 1024


def with_repeats(lines: Sequence[bytes]) -> Iterator[bytes]:
    """Of each three thousand events one is sent twice by its device; the other two faults are others' doing."""
    for number, line in enumerate(lines):
        yield line
        if number % (3 * SHARE) == SHARE:
            yield line


def disturb(environment: Environment, lines: Sequence[bytes], at: Callable[[], int], over: threading.Event,
            aside: list[tuple[bytes, bytes]]) -> None:  # fmt: skip
    """What another client writes to the ledger's topic meanwhile: records that are there, and what nobody can read."""
    done = 0
    while not over.wait(0.2):
        while at() - done > 3 * SHARE:
            done += 3 * SHARE
            # An event that has not come yet would be refused, for its table has a gateway: half a minute is enough.
            line, junk = lines[max(0, done - 2 * 3 * SHARE)], b"not a record, %d" % done
            produce(environment, [Sent(subject_of(line).encode(), line), Sent(None, junk)])
            aside.append((b"", junk))


class Played(NamedTuple):
    """What a run left: the other client's records, when faults struck, who held how much memory, what was said."""

    feed: Feed
    aside: list[tuple[bytes, bytes]]
    struck: list[float]
    held: list[dict[str, int]]
    said: str


@pytest.mark.soak
@pytest.mark.timeout(int(3 * SECONDS) + 900)
def test_twice_the_peak_with_faults_for_long_leaves_memory_flat_and_alerts_in_time(
    own_stack: Callable[..., Stack], tmp_path: Path
) -> None:
    stack = own_stack(1)
    proxy = Proxy("127.0.0.1", stack.plan.clickhouse_port)
    ledger = Ledger(stack.kafka_addresses, "", tmp_path / "data", partitions=6)
    environment = {
        **ledger.environment,
        f"{PREFIX}MODE": "distributed",
        f"{PREFIX}CLICKHOUSE_HOST": "127.0.0.1",
        f"{PREFIX}CLICKHOUSE_PORT": str(proxy.port),
        f"{PREFIX}CLICKHOUSE_DATABASE": "catwalk",
    }
    migrate(environment)
    sent = list(with_repeats(by_turns(TABLES, int(SECONDS * RATE))))[: int(SECONDS * RATE)]
    lines = list(dict.fromkeys(sent))
    wanted, heard = results_of(lines), Heard(environment)
    workers = Workers(environment, tmp_path)
    try:
        for one in workers.at_work.values():
            one.at_work()
        with (
            heard.listening(),
            ledger.start("-", "--seconds", 120, stdin=subprocess.PIPE) as gateway,
            ended(gateway),
        ):
            played = play(
                environment, workers, gateway, sent, lambda number: strike(number, workers, stack, proxy)
            )
        assert {kind: one.stop() for kind, one in workers.at_work.items()} == dict.fromkeys(KINDS, 0)
    finally:
        for one in workers.at_work.values():
            one.kill()
    tables: dict[bytes, list[bytes]] = {}
    for line in lines:
        tables.setdefault(subject_of(line).encode(), []).append(line)
    assert check(environment, tables, played.aside).wrong == []
    assert "Traceback" not in played.said + "".join(log.read_text() for log in workers.logs)
    tell("events", len(lines))
    tell("records nobody can read", len(played.aside))
    tell("ms by which an event was handed over late, at most", round(1000 * played.feed.latest))
    hold_latency({one: played.feed.due[one[1:]] for one in wanted}, heard.results, played.struck)
    hold_memory(played.held)


def play(
    environment: Environment,
    workers: Workers,
    gateway: subprocess.Popen[bytes],
    sent: Sequence[bytes],
    fault: Callable[[int], None],
) -> Played:
    """All events at their rate, with one fault after the other, until all of it is stored."""
    assert gateway.stdin is not None
    feed, over = Feed(gateway.stdin, list(sent), RATE), threading.Event()
    played = Played(feed, [], [], [], "")
    feeding = threading.Thread(target=feed.steadily, args=(SECONDS,), kwargs={"measured": True}, daemon=True)
    others = threading.Thread(
        target=disturb, args=(environment, sent, lambda: len(feed.due), over, played.aside), daemon=True
    )
    begun = time.monotonic()
    feeding.start()
    others.start()
    try:
        for number in range(FAULTS):
            time.sleep(max(0.0, begun + (number + 0.5) * SECONDS / FAULTS - time.monotonic()))
            resident_now = {kind: one.resident for kind, one in workers.at_work.items()}
            played.held.append(resident_now | {"gateway": resident(gateway.pid)})
            played.struck.append(time.perf_counter())
            fault(number)
        feeding.join()
    finally:
        over.set()
        others.join()
    _, err = gateway.communicate(timeout=300)
    assert gateway.returncode == 0, err
    all_caught_up(environment, 600.0, KINDS)
    played.held.append({kind: one.resident for kind, one in workers.at_work.items()})
    time.sleep(1.0)  # for what is on its way to who listens
    return played._replace(said=err.decode())


def strike(number: int, workers: Workers, stack: Stack, proxy: Proxy) -> None:
    """The fault of that number: in the first half each worker is killed twice, in the second none."""
    first_half = number < FAULTS // 2
    if first_half and number % 4 < len(KINDS):
        workers.kill(KINDS[number % 4])
    elif number % 2:
        stack.brokers[0].process.pause()
        time.sleep(FROZEN)
        stack.brokers[0].process.resume()
    else:
        proxy.refuse = True
        proxy.cut()
        time.sleep(FROZEN)
        proxy.refuse = False


def hold_memory(held: Sequence[Mapping[str, int]]) -> None:
    """From a tenth of the run behind the last kill until its end nobody may have grown by much."""
    since = FAULTS // 2 + FAULTS // 8
    grown = {}
    for kind in (*KINDS, "gateway"):
        course = [one[kind] for one in held if kind in one]
        grown[kind] = course[-1] - course[since]
        tell(f"MB held by {kind}, from fault to fault", ", ".join(str(size >> 20) for size in course))
    assert {kind: size >> 20 for kind, size in grown.items() if size > MOST_GROWN} == {}


def hold_latency(
    due: Mapping[tuple[str, str, dt.datetime], float],
    seen: Mapping[tuple[str, str, dt.datetime], float],
    struck: Sequence[float],
) -> None:
    """From the moment at which an event was due to its round or finding on the topic."""
    assert due.keys() - seen.keys() == set(), "what a fold makes of these events was heard"
    quiet: list[float] = []
    hit: list[float] = []
    for one, at in due.items():
        near = any(-1 < at - moment < AFTER for moment in struck)
        (hit if near else quiet).append(1000 * (seen[one] - at))
    for name, took in (("in quiet times", quiet), (f"in the {AFTER:.0f} s after a fault", hit)):
        tell(f"ms to the topic {name}: half within", round(part_of(took, 50)))
        tell("99 of 100", round(part_of(took, 99)))
        tell("all", round(max(took)))
    assert max(*quiet, *hit) < 1000 * LATE
