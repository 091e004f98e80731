"""What stands round every worker: health, figures, logs, the watchdog, and sending that never gives up."""

import asyncio
import io
import json
import logging
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from aiokafka.errors import KafkaConnectionError, KafkaTimeoutError, NotLeaderForPartitionError

from processors.runtime.brokers.clients import KafkaOutbox
from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.records import Message
from processors.runtime.brokers.watchdog import Stuck, Watchdog
from processors.runtime.watch.health import Health, HealthPortTaken, HealthServer
from processors.runtime.watch.logs import FIELDS, JsonLines, Log, quiet, write_logs
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.topics import FINDINGS, ROUNDS


async def ask(port: int, request: bytes) -> tuple[int, bytes]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    await writer.drain()
    answer = await reader.read()
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), body


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()


def test_health_says_why_a_worker_is_not_ready_and_when_it_is_beyond_help() -> None:
    async def story() -> None:
        health, metrics = Health(), WorkerMetrics("fold")
        server = HealthServer(health, metrics)
        await server.start("127.0.0.1", 0)
        assert await ask(server.port, get("/readyz")) == (503, b"not ready: starting\n")
        health.well("start")
        health.unwell("state", "restoring")
        assert (await ask(server.port, get("/readyz")))[1] == b"not ready: restoring\n"
        health.well("state")
        assert await ask(server.port, get("/readyz?x=1")) == (200, b"ready\n")
        assert (await ask(server.port, get("/healthz")))[0] == 200
        health.failed = "Stuck"
        assert await ask(server.port, get("/healthz")) == (503, b"failed: Stuck\n")
        assert (await ask(server.port, get("/readyz")))[0] == 503
        await server.stop()

    asyncio.run(story())


def test_metrics_are_told_and_anything_else_is_refused() -> None:
    async def story() -> None:
        metrics = WorkerMetrics("fold")
        metrics.findings.labels("fold", "breached", "major").inc(3)
        metrics.took("send", 0.02)
        server = HealthServer(Health(), metrics)
        await server.start("127.0.0.1", 0)
        status, body = await ask(server.port, get("/metrics"))
        assert status == 200
        assert b'catwalk_findings_total{severity="major",verdict="breached",worker="fold"} 3.0' in body
        assert b'catwalk_stage_seconds_count{stage="send",worker="fold"} 1.0' in body
        assert (await ask(server.port, get("/table")))[0] == 404
        assert (await ask(server.port, b"POST /metrics HTTP/1.1\r\n\r\n"))[0] == 405
        assert (await ask(server.port, b"\x16\x03\x01 not http\r\n\r\n"))[0] == 405
        assert (await ask(server.port, b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\n\r\n"))[0] in (400, 404)
        await server.stop()
        assert server.port == 0

    asyncio.run(story())


def test_a_port_of_health_that_is_taken_is_named_with_what_to_do() -> None:
    async def story(port: int) -> None:
        await HealthServer(Health(), WorkerMetrics("fold")).start("127.0.0.1", port)

    with socket.create_server(("127.0.0.1", 0)) as other, pytest.raises(HealthPortTaken) as told:
        asyncio.run(story(other.getsockname()[1]))
    assert "something listens on it already; stop that, or name another with --health-port" in str(told.value)
    with pytest.raises(HealthPortTaken, match="health_host"):
        asyncio.run(HealthServer(Health(), WorkerMetrics("fold")).start("192.0.2.1", 1024))


def test_a_command_that_speaks_for_itself_shows_no_attempts_of_its_own() -> None:
    """Python shows a warning that no log takes: a send that was tried twice looked like one that had failed."""
    quiet()
    assert any(isinstance(one, logging.NullHandler) for one in logging.getLogger("catwalk").handlers)


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    out = io.StringIO()
    write_logs("fold", out)
    yield out
    root.handlers[:] = before
    root.setLevel(level)


def test_a_log_line_is_one_json_object_with_declared_fields_only(lines: io.StringIO) -> None:
    Log("fold").warning("reading the ledger again", partition=3, offset=17)
    said = json.loads(lines.getvalue())
    assert {name: said[name] for name in ("level", "worker", "event", "partition", "offset")} == {
        "level": "warning", "worker": "fold", "event": "reading the ledger again", "partition": 3, "offset": 17,
    }  # fmt: skip
    with pytest.raises(ValueError, match="player"):
        Log("fold").info("somebody won", player="P-1003")
    assert not FIELDS & {"card", "cards", "player", "value", "line", "reason", "subject", "bytes_base64"}


def test_no_text_of_an_exception_and_no_long_line_of_a_library_reaches_the_log(lines: io.StringIO) -> None:
    try:
        raise RuntimeError("P-1003 holds As Kd")
    except RuntimeError:
        logging.getLogger("mode").exception("Crashed")
    logging.getLogger("aiokafka").error("x" * 5000 + "\nsecond line with As")
    shown = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert "P-1003" not in lines.getvalue()
    assert "As" not in lines.getvalue()
    assert (shown[0]["exception"], shown[0]["library"]) == ("RuntimeError", "mode")
    assert len(shown[1]["said"]) == 300
    assert len(shown) == 2


def test_a_librarys_wrong_format_string_does_not_end_the_worker() -> None:
    record = logging.makeLogRecord({"name": "faust", "msg": "%d of them", "args": ("not a number",)})
    assert json.loads(JsonLines("fold").format(record))["said"] == "%d of them"


def test_a_password_is_in_no_repr() -> None:
    assert "hunter2" not in repr(Brokers(servers="a:1", security="SASL_SSL", user="fold", password="hunter2"))


def test_the_watchdog_bites_when_records_wait_and_none_is_taken() -> None:
    now = [0.0]
    dog = Watchdog("fold", 60.0, lambda: now[0])
    for seconds, behind, moved in ((10, 5, 1.0), (50, 5, 1.0), (65, 5, 2.0), (120, 5, 2.0), (124, 9, 2.0)):
        now[0] = seconds
        dog.look(behind, moved)
    now[0] = 126.0
    with pytest.raises(Stuck, match="none was taken for 61 s"):
        dog.look(9, 2.0)


@pytest.mark.parametrize("behind", [0, None])
def test_the_watchdog_leaves_alone_who_has_nothing_to_take_or_no_broker_to_ask(behind: int | None) -> None:
    now = [0.0]
    dog = Watchdog("fold", 60.0, lambda: now[0])
    for now[0] in range(0, 1000, 10):
        dog.look(behind, 1.0)


class Producer:
    """A producer whose sends fail as the plan says: one entry for each life, the index at which it fails."""

    plan: list[tuple[int, BaseException]] = []  # noqa: RUF012 - set by each test
    taken: list[bytes] = []  # noqa: RUF012 - set by each test
    lives = 0

    def __init__(self, **options: Any) -> None:
        assert options["acks"] == "all"
        assert options["enable_idempotence"] is True
        Producer.lives += 1
        self._fails = Producer.plan.pop(0) if Producer.plan else None
        self._sent = 0

    async def start(self) -> None:
        if self._fails is not None and self._fails[0] < 0:
            raise self._fails[1]

    async def stop(self) -> None:
        return None

    async def send(self, _name: str, value: bytes, **_: Any) -> "asyncio.Future[None]":
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self._fails is not None and self._sent == self._fails[0]:
            future.set_exception(self._fails[1])
        else:
            Producer.taken.append(value)
            future.set_result(None)
        self._sent += 1
        return future


@pytest.mark.parametrize(
    "plan",
    [
        [],
        [(0, KafkaTimeoutError())],
        [(3, NotLeaderForPartitionError())],
        [
            (-1, KafkaConnectionError("away")),
            (-1, OSError("away")),
            (2, KafkaTimeoutError()),
            (0, TimeoutError()),
        ],
    ],
    ids=["well", "the first fails", "one in the middle fails", "away for a while"],
)
def test_sending_goes_on_until_everything_is_there_in_order(
    plan: list[tuple[int, BaseException]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("processors.runtime.brokers.clients.AIOKafkaProducer", Producer)
    monkeypatch.setattr("processors.runtime.brokers.clients._FIRST_WAIT", 0.0001)
    failures = len(plan)
    Producer.plan, Producer.taken, Producer.lives = plan, [], 0
    metrics = WorkerMetrics("fold")
    values = [str(number).encode() for number in range(6)]
    messages = [
        Message(FINDINGS if number % 2 else ROUNDS, b"k", value) for number, value in enumerate(values)
    ]
    outbox = KafkaOutbox(Brokers(servers="nowhere:1"), metrics, Log("fold"))
    asyncio.run(outbox.send(messages))
    last = {value: at for at, value in enumerate(Producer.taken)}
    assert sorted(last, key=last.__getitem__) == values, "the last copy of each stands in order"
    assert Producer.lives == failures + 1
    assert (
        f'catwalk_retries_total{{what="send",worker="fold"}} {failures}.0' in metrics.text().decode()
        or not failures
    )
