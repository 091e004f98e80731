"""Findings from the topic to the desk: once each, none lost over an outage, none that the desk could not read again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from dashboards.desk.desk import Desk
from dashboards.ledger.ledger import DeskUnavailable
from dashboards.reader.question import RecordsAway
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.console.alerting_topic import TopicAlerting, raise_altered, watch_store
from deploy.console.records import StoreRecords
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.client import StoreAway
from processors.runtime.store.rows import finding_row
from processors.runtime.store.warehouse import WarehouseError
from processors.runtime.watch.metrics import WorkerMetrics
from producers.log import LedgerError
from schemas.findings import Finding
from schemas.messages import FindingMessage
from schemas.warehouse import RELATIONS
from tests.console.conftest import Clock
from tests.console.desk_building import T0, a_finding
from tests.waiting import until

encode = msgspec.json.encode


class Told(NamedTuple):
    value: bytes | None
    timestamp: int = 0


class Topic:
    def __init__(self, *records: Told) -> None:
        self.records = list(records)
        self.away = False
        self.behind = 0
        self.fold = 8

    def take(self, _seconds: float) -> list[Any]:
        if self.away:
            raise LedgerError("topic", "nobody answers", "wait")
        taken, self.records = self.records, []
        return taken

    def close(self) -> None:
        self.away = True


def told(finding: Finding, dealer: str | None = "D105") -> Told:
    return Told(encode(FindingMessage(property="Parkside", at=T0, finding=finding, dealer=dealer)))


@pytest.fixture
def desk(log: SqliteDeskLog, clock: Clock) -> Desk:
    return Desk(log, clock)


@pytest.fixture
def alerting(desk: Desk) -> Callable[..., TopicAlerting]:
    def made(*records: Told) -> TopicAlerting:
        return TopicAlerting(Topic(*records), desk, WorkerMetrics("console"), turn=0.0)

    return made


def test_what_asks_for_an_alert_is_raised_once_with_its_dealer(
    alerting: Callable[..., TopicAlerting], desk: Desk
) -> None:
    asks = [
        a_finding(1),
        a_finding(2, verdict="suspected"),
        a_finding(5, verdict="indeterminate", severity="critical"),
        a_finding(6, verdict="interpretation", severity="critical"),
        a_finding(7, check="integrity.shoe", verdict="indeterminate", severity="critical"),
    ]
    others = [a_finding(3, verdict="indeterminate"), a_finding(4, verdict="interpretation")]
    records = [told(one) for one in (*asks, *others, *asks)]
    alerting(*records).step(lambda _seconds: None)
    again = alerting(*records)
    again.step(lambda _seconds: None)
    assert [(a.id, a.dealer, a.decided_at) for a in desk.snapshot().alerts] == [
        (one.finding_id, "D105", T0) for one in asks
    ]
    assert (desk.seq, again.raised) == (5, 0)


@pytest.mark.parametrize(
    "poison",
    [
        None,
        b"",
        b"{}",
        b"\xff\x00",
        b"[" * 100_000,
        told(a_finding()).value.replace(b'"2026-11-20T20:00:00Z"', b'"2026-11-20T20:00:00"'),  # type: ignore[union-attr] # bytes
    ],
    ids=["null", "empty", "no finding", "no text", "deep", "a time of no zone"],
)
def test_what_the_desk_could_not_read_again_is_passed_over_and_its_neighbours_are_raised(
    poison: bytes | None, alerting: Callable[..., TopicAlerting], desk: Desk, log: SqliteDeskLog, clock: Clock
) -> None:
    one = alerting(told(a_finding(1)), Told(poison), told(a_finding(2)))
    one.step(lambda _seconds: None)
    assert {a_finding(1).finding_id, a_finding(2).finding_id} <= {a.id for a in desk.snapshot().alerts}
    assert one.unreadable == 1
    assert Desk(log, clock).snapshot() == desk.snapshot(), "the record is read again"


def test_a_finding_too_large_for_every_viewer_is_raised_without_its_values(
    alerting: Callable[..., TopicAlerting], desk: Desk
) -> None:
    large = msgspec.structs.replace(a_finding(), expected=["card"] * 200_000)
    alerting(told(large)).step(lambda _seconds: None)
    (alert,) = desk.snapshot().alerts
    assert (alert.finding.expected, alert.finding.finding_id) == (None, large.finding_id)
    assert "see the record" in alert.finding.message


def test_over_an_outage_of_brokers_and_of_the_desk_nothing_is_lost(
    alerting: Callable[..., TopicAlerting], desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = alerting()
    topic: Any = one._topic
    topic.away = True
    ended = threading.Event()
    thread = threading.Thread(target=one.follow, args=(ended,))
    thread.start()
    try:
        until(lambda: "nobody answers" in (one.trouble or ""))

        def refuse(*_: object) -> None:
            raise DeskUnavailable("the desk's topic: nobody answers")

        with monkeypatch.context() as patch:
            patch.setattr(desk, "raise_alerts", refuse)
            topic.records, topic.away = [told(a_finding(n)) for n in range(500)], False
            until(lambda: "the desk's topic" in (one.trouble or ""))
            assert one.behind == 500
        until(lambda: one.trouble is None and len(desk.snapshot().alerts) == 500)
        assert one.raised == 500
    finally:
        ended.set()
        thread.join(5)


class Store:
    """Answers, is away, or keeps silent."""

    def __init__(self) -> None:
        self.rows: list[tuple[Any, ...]] = []
        self.error: Exception | None = None
        self.silent = threading.Event()
        self.silent.set()
        self.asked = 0

    def fails(self, error: Exception | None) -> None:
        self.error = error

    def query(self, _sql: str, _parameters: object = None) -> list[tuple[Any, ...]]:
        self.asked += 1
        self.silent.wait(10)
        if self.error is not None:
            raise self.error
        return self.rows


def test_what_the_sink_found_altered_is_raised_once_when_the_store_is_back(desk: Desk) -> None:
    store = Store()
    store.rows = [(encode(a_finding(1, check="integrity.store")).decode(), T0)]
    store.fails(StoreAway("query", "no answer", "wait"))
    ended = threading.Event()
    thread = threading.Thread(target=watch_store, args=(store, desk, ended, 0.01))
    thread.start()
    try:
        until(lambda: store.asked > 2)
        assert desk.seq == 0
        store.fails(None)
        until(lambda: desk.seq == 1)
    finally:
        ended.set()
        thread.join(5)
    raise_altered(store, desk)
    assert desk.seq == 1


def test_what_is_altered_is_found_in_a_store_among_other_findings(desk: Desk, tmp_path: Path) -> None:
    with closing(ChdbWarehouse(tmp_path / "warehouse")) as store:
        store.migrate()
        made = (a_finding(1, check="integrity.store"), a_finding(2), a_finding(3, check="integrity.gap"))
        store.insert(RELATIONS["findings"], [finding_row(one, T0) for one in made])
        raise_altered(store, desk)
    assert [alert.finding for alert in desk.snapshot().alerts] == [made[0]]


def test_a_question_the_store_refuses_is_logged_and_asked_again(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store()
    store.fails(WarehouseError("query", "no column check", "correct it"))
    ended = threading.Event()
    thread = threading.Thread(target=watch_store, args=(store, desk, ended, 0.01))
    thread.start()
    until(lambda: store.asked > 2)
    ended.set()
    thread.join(5)
    assert "no column check" in caplog.text


def test_a_store_that_is_away_is_told_and_not_asked_again_at_once() -> None:
    store, now = Store(), [0.0]
    records = StoreRecords(store, StoreAway, clock=lambda: now[0])
    try:
        store.rows = [(1,)]
        assert records.query("SELECT 1") == [(1,)]
        store.fails(StoreAway("query", "connection refused", "wait"))
        for _ in range(5):
            with pytest.raises(RecordsAway, match="connection refused"):
                records.query("SELECT 1")
        assert store.asked == 2
        assert "connection refused" in (records.trouble or "")
        store.fails(None)
        now[0] = 3.0
        assert records.query("SELECT 1") == [(1,)]
        assert records.trouble is None
        store.fails(WarehouseError("query", "no such column", "correct it"))
        with pytest.raises(WarehouseError):
            records.query("SELECT x")
        assert records.trouble is None, "it answers"
    finally:
        records.close()


def test_a_store_that_keeps_silent_is_given_up_and_asked_by_the_look_alone() -> None:
    store = Store()
    store.silent.clear()
    records = StoreRecords(store, StoreAway, seconds=0.1)
    try:
        for _ in range(3):
            with pytest.raises(RecordsAway, match="no answer in time"):
                records.query("SELECT 1")
        assert store.asked == 1
        store.silent.set()
        records.look()
        assert records.trouble is None
        assert records.query("SELECT 1") == []
    finally:
        store.silent.set()
        records.close()
