"""`catwalk record --to kafka` on a real broker: what is recorded is in the topic, once, in order, from any machine."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from producers.kafka.journal import Journal, standing
from schemas.topics import DEADLETTER, WRITERS
from tests.live.figures import tell
from tests.live.gateways import Ledger, distinct, repeated
from tests.producers.builders import chain_faults, device_event, digest, stream
from tests.sampling import one_in
from tests.waiting import until

TABLES = ("FB90-1", "DU-04", "C4-33", "FP-21")


@pytest.fixture
def ledger(kafka: str, kafka_prefix: str, tmp_path: Path) -> Ledger:
    return Ledger(kafka, kafka_prefix, tmp_path / "data")


def mixed(streams: dict[str, list[bytes]]) -> list[bytes]:
    """The tables' lines in turn."""
    return [line for lines in zip(*streams.values(), strict=True) for line in lines]


def test_every_event_is_in_the_topic_once_and_in_order_and_recording_again_adds_nothing(
    ledger: Ledger,
) -> None:
    sent = {table: stream(1_000, table) for table in TABLES}
    file = ledger.file("shift.ndjson", mixed(sent))
    ran = ledger.record(file)
    assert (ran.status, ran.json["recorded"], ran.json["kafka"]["acknowledged"]) == (0, 4_000, 4_000), ran.err
    assert ledger.lines() == sent
    again = ledger.record(file)
    assert (again.status, again.json["already_had"], again.json["kafka"]["acknowledged"]) == (0, 4_000, 0)
    assert ledger.lines() == sent


def test_another_machine_goes_on_with_a_table_and_knows_what_was_recorded_on_the_first(
    ledger: Ledger,
) -> None:
    whole = stream(900)
    assert ledger.record(ledger.file("a.ndjson", whole[:600])).status == 0
    other = ledger.folder / "another-machine.db"
    ran = ledger.record(ledger.file("b.ndjson", whole[600:700]), "--ledger", other)
    assert (ran.status, ran.json["recorded"]) == (0, 100)
    ran = ledger.record(ledger.file("c.ndjson", whole), "--ledger", other)
    assert (ran.status, ran.json["recorded"], ran.json["already_had"]) == (0, 200, 700)
    ran = ledger.record(ledger.file("d.ndjson", whole))
    assert (ran.status, ran.json["recorded"], ran.json["already_had"]) == (0, 0, 900)
    assert ledger.lines() == {"FB90-1": whole}


def test_devices_that_send_again_to_another_machine_are_known_there(ledger: Ledger) -> None:
    sent = [device_event(n) for n in range(300)]
    assert ledger.record("-", stdin=b"\n".join(sent[:200])).status == 0
    ran = ledger.record("-", "--ledger", ledger.folder / "other.db", stdin=b"\n".join(sent[150:]))
    assert (ran.status, ran.json["recorded"], ran.json["already_had"]) == (0, 100, 50)
    (kept,) = ledger.lines().values()
    assert chain_faults(kept) == []
    assert [line.split(b',"recordedtime"')[0] + b"}" for line in kept] == sent


def test_what_a_device_sends_again_is_known_though_the_journal_has_given_it_up(ledger: Ledger) -> None:
    def sent(n: int) -> bytes:
        return device_event(n, time=f"2026-11-21T10:{n // 60:02d}:{n % 60:02d}.000000Z")

    def given_up() -> int:
        """Everything acknowledged, as if the days had passed; the first event that is left."""
        journal = Journal(path)
        journal.note("2026-11-21T10:00:00.000000Z")
        journal.prune("2027-01-01T00:00:00.000000Z", 10_000)
        first = journal.first("FB90-1")
        journal.close()
        return first

    path = ledger.folder / "journal.db"
    assert ledger.record("-", stdin=b"\n".join(map(sent, range(200)))).status == 0
    assert given_up() == 200
    ran = ledger.record("-", stdin=b"\n".join(map(sent, range(200, 260))))
    assert (ran.json["recorded"], ran.json["already_had"]) == (60, 0)
    assert given_up() == 260, "what is later than all that was given up needs no look into the topic"
    ran = ledger.record("-", stdin=b"\n".join(map(sent, range(150, 280))))
    assert (ran.json["recorded"], ran.json["already_had"]) == (20, 110)
    (kept,) = ledger.lines().values()
    assert chain_faults(kept) == []
    assert [line.split(b',"recordedtime"')[0] + b"}" for line in kept] == list(map(sent, range(280)))


def test_what_contradicts_the_topic_is_refused_on_another_machine_too(ledger: Ledger) -> None:
    lines = stream(50)
    assert ledger.record(ledger.file("a.ndjson", lines)).status == 0
    other = [*lines[:20], lines[20].replace(b'"As"', b'"Kd"')]
    ran = ledger.record(ledger.file("b.ndjson", other), "--ledger", ledger.folder / "other.db")
    assert (ran.status, ran.json["already_had"], ran.json["conflicts"]) == (1, 20, 1)
    (letter,) = [json.loads(record.value) for record in ledger.records(DEADLETTER)]
    assert (letter["kind"], letter["subject"], letter["sequence"]) == ("conflict", "FB90-1", 21)
    assert letter["origin"] == "b.ndjson:21"


def test_a_live_pipe_sends_each_event_alone_while_it_is_open(ledger: Ledger) -> None:
    lines = stream(30)
    with live(ledger) as feed:
        assert feed.stdin is not None
        for start in range(0, 30, 10):
            feed.stdin.write(b"".join(line + b"\n" for line in lines[start : start + 10]))
            feed.stdin.flush()
            until(lambda: len(ledger.records()) >= start + 10)  # noqa: B023 - awaited at once
        feed.stdin.close()
        assert feed.wait(60) == 0
    records = ledger.records()
    assert [record.value for record in records] == lines
    assert {record.key for record in records} == {b"FB90-1"}
    assert {dict(record.headers)["content-type"] for record in records} == {b"application/cloudevents+json"}
    assert {dict(record.headers)["epoch"] for record in records} == {b"1"}


@contextmanager
def live(ledger: Ledger, *words: object) -> Iterator[subprocess.Popen[bytes]]:
    """A gateway on a pipe, ended in any case."""
    with ledger.start("-", *words, stdin=subprocess.PIPE) as feed:
        try:
            yield feed
        finally:
            feed.kill()


@pytest.mark.parametrize(("asked", "status"), one_in(2, [(signal.SIGTERM, 143), (signal.SIGINT, 130)]))
def test_a_gateway_that_is_asked_to_end_sends_what_it_has_and_lets_go_of_its_tables(
    ledger: Ledger, asked: signal.Signals, status: int
) -> None:
    lines = stream(20)
    with live(ledger) as feed:
        write(feed, lines[:10])
        until(lambda: len(ledger.records()) == 10)
        write(feed, lines[10:])
        until(lambda: standing(ledger.folder / "journal.db").records == 20)
        feed.send_signal(asked)
        assert feed.wait(60) == status
    assert ledger.lines() == {"FB90-1": lines}
    assert json.loads(ledger.records(WRITERS)[-1].value)["released"] is True


def write(feed: subprocess.Popen[bytes], lines: list[bytes]) -> None:
    assert feed.stdin is not None
    feed.stdin.write(b"".join(line + b"\n" for line in lines))
    feed.stdin.flush()


def test_a_second_gateway_takes_the_table_and_the_first_is_told_and_stops(ledger: Ledger) -> None:
    lines = stream(40)
    with live(ledger) as first, live(ledger, "--ledger", ledger.folder / "second.db") as second:
        write(first, lines[:10])
        until(lambda: len(ledger.records()) == 10)
        write(second, lines[10:20])
        until(lambda: len(ledger.records()) == 20)
        write(first, lines[10:12])
        assert first.stdin is not None
        first.stdin.close()
        assert first.wait(60) == 2
        assert first.stderr is not None
        said = first.stderr.read().decode()
        write(second, lines[20:])
        assert second.stdin is not None
        second.stdin.close()
        assert second.wait(60) == 0
    assert said.splitlines()[-1].startswith("catwalk: table FB90-1: gateway ")
    assert "has taken it over (claim 2)" in said
    assert "by --take-over" in said
    assert ledger.lines() == {"FB90-1": lines}
    epochs = [dict(record.headers)["epoch"] for record in ledger.records()]
    assert epochs == [b"1"] * 10 + [b"2"] * 30
    assert [json.loads(r.value)["released"] for r in ledger.records(WRITERS)][-1] is True
    words = [json.loads(record.value)["reason"] for record in ledger.records(DEADLETTER)]
    assert any("writes it no more" in word for word in words)


def kill_at_random(ledger: Ledger, kills: int, events: int) -> int:
    """Kill a gateway at random moments of its work and start it again; how many lines were sent again."""
    sent = {table: stream(events, table) for table in TABLES}
    file = ledger.file("shift.ndjson", mixed(sent))
    chance = random.Random(int(os.environ.get("GATEWAY_SEED", "20261121")))
    killed_at_work, too_early = 0, 0
    while killed_at_work < kills:
        running = ledger.start(file)
        try:
            running.wait(chance.uniform(0.5, 2.0) + too_early)  # a busy machine starts it slowly
        except subprocess.TimeoutExpired:
            running.kill()
        running.communicate()
        done = sum(len(lines) for lines in distinct(ledger.lines()).values())
        killed_at_work += 0 < done < sum(len(lines) for lines in sent.values())
        too_early += done == 0
        if running.returncode == 0:  # it came to its end: more to record
            for table, lines in sent.items():
                lines += stream(events, table, len(lines) + 1, digest(lines[-1]))
            ledger.file("shift.ndjson", mixed(sent))
    ran = ledger.record(file)
    assert (ran.status, ran.json["kafka"]["waiting"]) == (0, 0), ran.err
    found = ledger.lines()
    assert distinct(found) == sent
    return repeated(found)


@pytest.mark.soak  # test_faults kills it in every run
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize(("kills", "events"), [(50, 6_000)])
def test_a_gateway_killed_at_random_moments_loses_nothing_and_keeps_the_order(
    ledger: Ledger, kills: int, events: int
) -> None:
    tell("sent again", kill_at_random(ledger, kills, events))


@pytest.mark.timeout(55, func_only=True)  # a client's own wait for a topic is a minute
def test_missing_topics_are_told_with_the_command_that_creates_them(
    kafka: str, kafka_prefix: str, tmp_path: Path
) -> None:
    ledger = Ledger(kafka, kafka_prefix, tmp_path / "data")
    ledger.environment = {**ledger.environment, "CATWALK_KAFKA_PREFIX": kafka_prefix + "no."}
    ran = ledger.record("--seconds", "2", ledger.file("a.ndjson", stream(3)))
    assert (ran.status, ran.out) == (2, "")
    assert "catwalk.writers is not there" in ran.err.splitlines()[-1]
    assert "catwalk topics apply" in ran.err.splitlines()[-1]


def test_a_second_gateway_on_one_journal_is_refused(ledger: Ledger) -> None:
    with live(ledger) as feed:
        write(feed, stream(1))
        until(lambda: len(ledger.records()) == 1)
        ran = ledger.record(ledger.file("a.ndjson", stream(3)))
    assert (ran.status, ran.out) == (2, "")
    assert "another gateway is using this journal" in ran.err
    assert ran.err.count("\n") == 1
