"""The gateway while its broker is paused, killed or away: events wait, go in order, and memory stays flat."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import replace

from deploy.configured.kafka import connection
from deploy.stack.kafka import Broker
from deploy.stack.stack import Stack
from producers.kafka.connection import ClientPatience
from producers.kafka.gateway import Gateway, GatewayPlan
from producers.kafka.journal import Journal
from producers.kafka.shipments import LIVE
from producers.recorder import Arrival, Recorder
from schemas.events.envelope import utc_text
from tests.live.figures import tell
from tests.live.gateways import REPOSITORY, Ledger, distinct, repeated
from tests.live.servers import own_stacks
from tests.producers.arriving import record_one
from tests.producers.builders import stream


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with own_stacks(tmp_path_factory.mktemp("outage"), tmp_path_factory) as start:
        yield start(clickhouse=False)


@pytest.fixture
def broker(stack: Stack) -> Iterator[Broker]:
    """The broker of these tests, which runs at the beginning of each."""
    stack.up(stack.brokers)
    yield stack.brokers[0]
    stack.brokers[0].process.resume()


@pytest.fixture
def ledger(broker: Broker, stack: Stack, tmp_path: Path) -> Ledger:
    return Ledger(stack.kafka_addresses, f"t{uuid.uuid4().hex[:10]}.", tmp_path / "data")


def test_a_broker_that_is_away_is_said_with_what_waits_and_the_next_call_sends_it(
    ledger: Ledger, broker: Broker
) -> None:
    lines = stream(500)
    assert ledger.record(ledger.file("a.ndjson", lines[:100])).status == 0
    broker.process.kill()
    ran = ledger.record(ledger.file("b.ndjson", lines), "--seconds", 3)
    assert ran.status == 2
    assert (ran.json["recorded"], ran.json["kafka"]["waiting"]) == (400, 400)
    said = ran.err.splitlines()
    assert any("400 events wait in the journal; trying for" in line for line in said)
    assert said[-1].startswith(f"catwalk: Kafka at {ledger.settings.kafka}: ")
    assert "400 events wait in " in said[-1]
    assert "the next call sends them" in said[-1]
    new = ledger.record(ledger.file("new.ndjson", stream(5, "DU-04")), "--seconds", 1)
    assert (new.status, new.out) == (2, "")
    assert "table DU-04 is new here, and nothing of it was recorded" in new.err
    broker.start()
    broker.wait()
    ran = ledger.record(ledger.file("c.ndjson", lines[:1]))
    assert (ran.status, ran.json["kafka"]["acknowledged"], ran.json["kafka"]["waiting"]) == (0, 400, 0)
    assert ledger.lines() == {"FB90-1": lines}


def gateway_of(ledger: Ledger, patience: ClientPatience, said: list[str]) -> Gateway:
    reach = replace(connection(ledger.settings), patience=patience)
    plan = GatewayPlan(framing=LIVE, seconds=90)
    journal = Journal(ledger.folder / "journal.db")
    return Gateway(journal, reach, plan, lambda: utc_text(dt.datetime.now(dt.UTC)), said.append)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("delivery", "away"), [(3.0, 7.0), pytest.param(15.0, 60.0, marks=pytest.mark.timeout(600))]
)
@pytest.mark.parametrize("how", ["paused", "killed"])
def test_a_broker_away_for_longer_than_records_may_wait_gets_them_again_in_order(
    ledger: Ledger, broker: Broker, delivery: float, away: float, how: str
) -> None:
    lines = stream(4_000)
    patience = ClientPatience(connect=1_000, look=1_000, request=2_000, delivery=int(delivery * 1000))
    gateway = gateway_of(ledger, patience, [])
    recorder = Recorder(gateway, lambda: dt.datetime.now(dt.UTC))
    gateway.start()
    try:
        feed = iter(lines)
        while (
            not gateway.forwarder.under_way
        ):  # what is appended is on its way a moment later, or just arrived
            broker.process.resume()
            for line in islice(feed, 100):
                record_one(recorder, line)
            broker.process.pause()
            record_one(recorder, next(feed))
            time.sleep(0.2)
        if how == "killed":
            broker.process.kill()
        for line in islice(feed, 500):
            record_one(recorder, line)
        time.sleep(away)
        assert gateway.trouble is not None  # it knows, and says so
        broker.process.resume()
        broker.start()
        for line in feed:
            record_one(recorder, line)
        assert gateway.wait(lambda _done: None)
        failures = gateway.forwarder.failures
    finally:
        gateway.close()
    found = ledger.lines()
    assert distinct(found) == {"FB90-1": lines}
    assert failures >= 1
    tell("sent again", repeated(found))


@pytest.mark.parametrize(
    ("how", "events", "seconds"),
    [
        pytest.param("paused", 65_000, 8, marks=[pytest.mark.soak]),
        pytest.param("killed", 65_000, 8, marks=[pytest.mark.soak]),
        pytest.param("paused", 600_000, 60, marks=[pytest.mark.soak, pytest.mark.timeout(900)]),
    ],
)
def test_memory_stays_bounded_while_the_broker_is_dead(
    ledger: Ledger, broker: Broker, how: str, events: int, seconds: int
) -> None:
    file, journal = ledger.file("long.ndjson", stream(events)), ledger.folder / "long.db"
    command = [sys.executable, "-m", "tests.live.journal_filler", str(file), str(journal), str(seconds)]
    with subprocess.Popen(
        command, cwd=REPOSITORY, env=ledger.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as filler:
        assert filler.stdout is not None
        assert filler.stdout.readline() == b"ready\n"
        if how == "paused":
            broker.process.pause()
        else:
            broker.process.kill()
        out, _ = filler.communicate(b"\n", timeout=600)
    before, after, waiting, _failures = map(int, out.split())
    assert waiting == events - 5_000
    grown = (after - before) / 1024
    tell("MB grown", round(grown, 1))
    assert grown < 24  # kept in memory, sixty thousand events would take twice that
    broker.process.resume()
    broker.start()
    broker.wait()
    ran = ledger.record(ledger.file("one.ndjson", stream(1)), "--ledger", journal)
    assert (ran.status, ran.json["kafka"]["waiting"]) == (0, 0), ran.err
    assert sum(map(len, distinct(ledger.lines()).values())) == events


def test_a_claim_that_cannot_be_read_keeps_events_back_and_they_go_when_it_can(
    ledger: Ledger, broker: Broker
) -> None:
    lines = stream(60)
    said: list[str] = []
    gateway = gateway_of(
        ledger, ClientPatience(connect=1_000, look=1_000, request=2_000, delivery=60_000), said
    )
    recorder = Recorder(gateway, lambda: dt.datetime.now(dt.UTC))
    gateway.start()
    try:
        recorder.record_lines([Arrival(line, "test") for line in lines[:30]])
        assert gateway.wait(lambda _done: None)
        broker.process.pause()
        time.sleep(5)
        recorder.record_lines([Arrival(line, "test") for line in lines[30:]])
        time.sleep(1)
        assert gateway.forwarder.waiting == 30
        broker.process.resume()
        assert gateway.wait(lambda _done: None)
    finally:
        gateway.close()
    assert ledger.lines() == {"FB90-1": lines}
    assert json.loads(ledger.lines()["FB90-1"][-1])["sequence"] == 60
