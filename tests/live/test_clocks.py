"""Clocks that jump at the device, the workers and the store: order is the sequence's, and nothing changes."""

from __future__ import annotations

import datetime as dt
import json
import shutil
import struct
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deploy.stack.stack import Stack
from schemas.events.envelope import utc_text
from schemas.warehouse import RELATIONS, Relation, Topology
from schemas.warehouse.ddl import create
from tests.live.checker import check
from tests.live.folding import Sent, in_turn, produce, simulated
from tests.live.gateways import Ledger
from tests.live.test_end_to_end import published
from tests.live.test_poison import HANDS, dealt
from tests.live.test_sink import execute
from tests.live.working import Process, all_caught_up, prepared, workers
from tests.pipeline.streams import lines_of
from tests.runtime.tables import subject_of
from tests.waiting import until

Environment = dict[str, str]
HOUR, DAY = 3_600, 86_400
JUMPS = (0, -HOUR, DAY, HOUR, -HOUR, 0)  # an hour back, a day ahead, summer time and back
SOON = 30.0  # seconds within which every jump has come many times


class MovedClock:
    """The clock of processes that are given `variables`; `jump` moves it while they run."""

    def __init__(self, folder: Path) -> None:
        compiler = shutil.which("cc")
        if compiler is None:
            pytest.fail(
                "no C compiler (apt-get install gcc libc6-dev): the clock of a process cannot be moved"
            )
        library = folder / "clock.so"
        source = Path(__file__).with_name("clock.c")
        subprocess.run([compiler, "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
        self._offset = folder / "offset"
        self.jump(0)
        self.variables = {"LD_PRELOAD": str(library), "CLOCK_OFFSET": str(self._offset)}

    def jump(self, seconds: int) -> None:
        """From now on it goes so many seconds ahead of the machine's."""
        with self._offset.open("r+b" if self._offset.exists() else "w+b") as file:
            file.write(struct.pack("=q", seconds * 10**9))

    @contextmanager
    def jumping(self) -> Iterator[None]:
        """It jumps every half second while the block runs, and goes right afterwards."""
        ended = threading.Event()
        thread = threading.Thread(target=self._keep_jumping, args=(ended,))
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
            self.jump(0)

    def _keep_jumping(self, ended: threading.Event) -> None:
        while True:
            for seconds in JUMPS:
                self.jump(seconds)
                if ended.wait(0.5):
                    return


@pytest.fixture
def clock(tmp_path: Path) -> MovedClock:
    return MovedClock(tmp_path)


def test_workers_and_a_store_whose_clocks_jump_make_the_same_rows(
    live_environment: Environment,
    own_stack: Callable[..., Stack],
    clock: MovedClock,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in clock.variables.items():
        monkeypatch.setenv(name, value)
    stack = own_stack(kafka=False)
    for name in clock.variables:
        monkeypatch.delenv(name)
    environment = {**live_environment, "CATWALK_CLICKHOUSE_PORT": str(stack.plan.clickhouse_port)}
    prepared(environment)
    tables = published() | simulated(tmp_path / "tables", 3, 20, 12, environment)
    clock.jump(DAY)
    with workers({**environment, **clock.variables}, tmp_path, "fold", "analyst", "sink") as started:
        for one in started:
            one.at_work()
            assert ahead(one, 0) > 20 * HOUR, "it began a day ahead"
        with clock.jumping():
            the_store_shows_two_days(environment)
            for records in halves(list(in_turn(tables, frame=3))):
                produce(environment, records)
                all_caught_up(environment, kinds=("fold", "analyst", "sink"))
        assert [one.stop() for one in started] == [0] * 3
        assert abs(ahead(started[0], -1)) < HOUR, "the fold says when it ends: by then the clock was right"
    assert check(environment, tables).wrong == []


def ahead(worker: Process, line: int) -> float:
    """Seconds by which a worker's clock was ahead when it wrote this line of its log."""
    said = [one for one in worker.log.read_text().splitlines() if one.startswith("{")]
    return (dt.datetime.fromisoformat(json.loads(said[line])["at"]) - dt.datetime.now(dt.UTC)).total_seconds()


def the_store_shows_two_days(environment: Environment) -> None:
    """Ask the server for the day until it has named two: its clock jumps while it is asked."""
    days = set[str]()

    def are_two() -> bool:
        days.update(str(row[0]) for row in execute(environment, "SELECT today()"))
        return len(days) > 1

    until(are_two, lambda: f"no clock has jumped: {days}", seconds=SOON)


def halves(records: list[Sent]) -> list[list[Sent]]:
    """The records in two parts, so that there is work while clocks jump."""
    return [records[: len(records) // 2], records[len(records) // 2 :]]


def test_devices_whose_clocks_jump_are_believed_in_the_order_of_their_events(
    live_environment: Environment, tmp_path: Path
) -> None:
    """What was dealt, staked and found of the game is what it was; of the clocks something is found."""
    prepared(live_environment)
    plain = list(lines_of("breach_overpay"))
    subject = subject_of(plain[0])
    sent = [as_device_sends(line, JUMPS[number // 100 % len(JUMPS)]) for number, line in enumerate(plain)]
    ledger = Ledger(
        live_environment["CATWALK_KAFKA"], live_environment["CATWALK_KAFKA_PREFIX"], tmp_path / "data"
    )
    assert ledger.record("-", stdin=b"\n".join(sent)).status == 0
    with workers(live_environment, tmp_path, "fold", "sink"):
        all_caught_up(live_environment)
    recorded = ledger.lines()[subject]
    assert [json.loads(line)["id"] for line in recorded] == [json.loads(line)["id"] for line in plain]
    assert check(live_environment, {subject.encode(): recorded}).wrong == []
    assert execute(live_environment, HANDS.format(subject)) == dealt(plain)
    found = execute(
        live_environment,
        f"SELECT check_id, count() FROM `@`.findings FINAL WHERE subject = '{subject}' GROUP BY check_id",
    )
    assert dict(found)["integrity.clock"] > 0
    assert dict(found)["settlement.stake"] == 1, "the alert of the plain stream"


def as_device_sends(line: bytes, seconds: int) -> bytes:
    """The event without its chain, its time moved."""
    event = json.loads(line)
    del event["sequence"], event["prevhash"]
    moved = dt.datetime.fromisoformat(event["time"]) + dt.timedelta(seconds=seconds)
    return json.dumps({**event, "time": utc_text(moved)}, separators=(",", ":")).encode()


@pytest.mark.parametrize("relation", RELATIONS.values(), ids=lambda one: one.name)
def test_nothing_stored_follows_the_clock_of_the_server(relation: Relation) -> None:
    for statement in create(relation, Topology()):
        assert not any(word in statement for word in ("now(", "now64(", "today(", "TTL", "DEFAULT"))
