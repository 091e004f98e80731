"""A disk without a byte left, below the gateway, the broker and the server: what is not kept is not acknowledged.

Each has a small file system of its own, so nothing here is a simulated error. That takes root.
"""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from clickhouse_driver.errors import ServerException

from deploy.stack.stack import Stack
from schemas.topics import ROUNDS
from tests.deploy.image import needs_root
from tests.live.checker import check
from tests.live.figures import tell
from tests.live.folding import (
    Environment,
    Worker,
    catwalk,
    in_turn,
    migrate,
    produce,
    read,
    simulated,
    worker,
)
from tests.live.gateways import Ledger, distinct
from tests.live.small_disks import SmallDisk
from tests.live.test_sink import execute
from tests.live.test_three_brokers import dealt_in_turn
from tests.live.working import Proxy, all_caught_up, behind, prepared
from tests.producers.builders import stream
from tests.waiting import until

pytestmark = [pytest.mark.soak, pytest.mark.timeout(900)]
RUNBOOK = Path(__file__).resolve().parents[2] / "deploy" / "runbooks" / "full-disk.md"
Disk = Callable[[Path, int], SmallDisk]


@pytest.fixture
def small_disk() -> Iterator[Disk]:
    """A function that mounts a small disk; asked for before the servers, so that they end before it goes."""
    needs_root()
    mounted: list[SmallDisk] = []

    def mount(folder: Path, megabytes: int) -> SmallDisk:
        mounted.append(SmallDisk(folder, megabytes))
        return mounted[-1]

    yield mount
    for disk in mounted:
        disk.close()


def test_a_gateway_on_a_full_disk_refuses_loudly_and_goes_on_where_it_stood(
    small_disk: Disk, live_environment: Environment, tmp_path: Path
) -> None:
    disk = small_disk(tmp_path / "gateway", 4)
    ledger = Ledger(live_environment["CATWALK_KAFKA"], live_environment["CATWALK_KAFKA_PREFIX"], disk.folder)
    lines = stream(3_000)
    given = tmp_path / "given.ndjson"
    with ledger.start("-", "--format", "json", stdin=subprocess.PIPE) as feed:
        assert feed.stdin is not None
        feed.stdin.write(b"".join(line + b"\n" for line in lines[:200]))
        feed.stdin.flush()
        until(lambda: len(ledger.records()) == 200)
        disk.fill()
        with suppress(BrokenPipeError):  # it ends before it has read all
            write(feed, lines[200:])
        until(lambda: feed.poll() is not None)
        _, err = feed.communicate(timeout=60)
    assert feed.returncode == 2, err
    said = err.decode()
    assert "full" in said, said
    assert "Traceback" not in said
    sent = distinct(ledger.lines()).get("FB90-1", [])
    assert sent == lines[: len(sent)], "what Kafka has is a beginning of what was given, in order"
    tell("events given, and in Kafka when it ended", f"{len(lines)}, {len(sent)}")
    disk.empty()
    given.write_bytes(b"".join(line + b"\n" for line in lines))
    ran = ledger.record(given)
    assert ran.status == 0, ran.err
    assert distinct(ledger.lines()) == {"FB90-1": lines}


def test_a_broker_on_a_full_disk_acknowledges_nothing_more_and_nothing_is_lost_or_doubled_when_there_is_room(
    small_disk: Disk, own_stack: Callable[..., Stack], live_environment: Environment, tmp_path: Path
) -> None:
    disk = small_disk(tmp_path / "stack-0" / "kafka-1" / "data", 256)
    stack = own_stack(clickhouse=False)
    ledger = Ledger(stack.kafka_addresses, "", tmp_path / "data")
    environment = {**live_environment, **ledger.environment, "CATWALK_MODE": "distributed"}
    migrate(environment)
    tables = simulated(tmp_path / "simulated", 6, 40, 5, environment)
    lines = [line for _, _, line in dealt_in_turn(tables)]
    third = len(lines) // 3
    with (
        worker(environment, tmp_path / "fold.log") as fold,
        worker(environment, tmp_path / "sink.log", kind="sink") as sink,
        ledger.start("-", "--seconds", 300, stdin=subprocess.PIPE) as feed,
    ):
        assert feed.stdin is not None
        for one in (fold, sink):
            one.ready()
        write(feed, lines[:third])
        until(lambda: sum(map(len, ledger.lines().values())) == third)
        disk.fill()
        full = time.monotonic()
        write(feed, lines[third : 2 * third])
        until(lambda: stack.brokers[0].process.pid is None)
        tell("s until the broker has ended", round(time.monotonic() - full, 1))
        until(lambda: fold.get("readyz")[0] == 503 and sink.get("readyz")[0] == 503)
        write(feed, lines[2 * third :])
        assert (feed.poll(), fold.process.poll(), sink.process.poll()) == (None, None, None)
        disk.empty()
        stack.brokers[0].start()
        stack.brokers[0].wait()
        _, err = feed.communicate(timeout=300)
        assert feed.returncode == 0, err
        all_caught_up(environment, 240.0)
        assert {one.stop() for one in (fold, sink)} == {0}
    found = ledger.lines()
    tell("events sent again", sum(map(len, found.values())) - len(lines))
    assert distinct(found) == {key.decode(): mine for key, mine in tables.items()}
    assert check(environment, tables).wrong == []
    for one in (fold, sink):
        assert "Traceback" not in one.log.read_text()


def test_a_server_on_a_full_disk_keeps_rows_waiting_and_what_is_found_does_not_wait(
    small_disk: Disk, own_stack: Callable[..., Stack], live_environment: Environment, tmp_path: Path
) -> None:
    disk = small_disk(tmp_path / "stack-0" / "clickhouse" / "data", 256)
    stack = own_stack(kafka=False)
    proxy = Proxy("127.0.0.1", stack.plan.clickhouse_port)
    environment = dict(live_environment) | {"CATWALK_CLICKHOUSE_PORT": str(proxy.port)}
    prepared(environment)
    tables = simulated(tmp_path / "simulated", 6, 40, 5, environment)
    halves = {key: len(lines) // 2 for key, lines in tables.items()}
    with (
        worker(environment, tmp_path / "fold.log") as fold,
        worker(environment, tmp_path / "sink.log", kind="sink") as sink,
    ):
        for one in (fold, sink):
            one.ready()
        produce(environment, in_turn({key: lines[: halves[key]] for key, lines in tables.items()}))
        all_caught_up(environment)
        before = len(read(environment, ROUNDS))
        disk.fill()
        produce(environment, in_turn({key: lines[halves[key] :] for key, lines in tables.items()}))
        all_caught_up(environment, kinds=("fold",))
        assert len(read(environment, ROUNDS)) > before, "what is found does not wait for the store"
        until(lambda: sink.get("readyz")[0] == 503)
        said = sink.get("readyz")[1].strip()
        tell("what the sink says", said)
        assert "not enough space" in said.lower() or "no space left" in said.lower(), said
        assert behind(environment)["sink"] > 0, "the group is told of nothing that is not stored"
        assert sink.process.poll() is None
        make_room_as_the_runbook_says(disk, environment)
        disk.empty()
        if stack.clickhouse.process.pid is None:
            tell("the server", "had ended, and was started again")
            stack.up([stack.clickhouse])
        all_caught_up(environment, 240.0)
        until(lambda: sink.get("readyz")[0] == 200)
        assert {one.stop() for one in (fold, sink)} == {0}
    assert "missing" in catwalk(environment, "reconcile", "--repair")
    assert check(environment, tables).wrong == []
    assert without_traceback(sink)


def make_room_as_the_runbook_says(disk: SmallDisk, environment: Environment) -> None:
    """An old month goes by the statement of the runbook, which asks for a megabyte."""
    [statement] = re.findall(r"`(ALTER TABLE [^`]+)`", RUNBOOK.read_text(encoding="utf-8"))
    months = execute(environment, "SELECT min(toYYYYMM(time)) FROM `@`.events")
    drop = re.sub(r"catwalk_vN", "`@`", statement).replace("202601", str(months[0][0]))
    before = execute(environment, "SELECT count() FROM `@`.events")
    disk.fill()
    with suppress(ServerException):  # it has removed parts of its own meanwhile if it does not refuse
        execute(environment, drop)
    disk.give_back(4)
    execute(environment, drop)
    assert execute(environment, "SELECT count() FROM `@`.events") < before


def write(feed: subprocess.Popen[bytes], lines: list[bytes]) -> None:
    """Hand lines to a gateway."""
    assert feed.stdin is not None
    feed.stdin.write(b"".join(line + b"\n" for line in lines))
    feed.stdin.flush()


def without_traceback(one: Worker) -> bool:
    """Whether a worker ended in order."""
    return "Traceback" not in one.log.read_text()
