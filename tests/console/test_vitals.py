"""The parts behind a console: their limits, what is told of each, and parts that keep silent."""

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from dashboards.health.page import MANY_SLOW, viewers_vital
from dashboards.reader.question import RecordsAway
from dashboards.web.vitals import Vital
from deploy.console.lag_vitals import LATE, STANDS, KafkaLag, LedgerLag
from deploy.console.lag_vitals import OLD as LAG_OLD
from deploy.console.vital_watch import OLD, VitalWatch
from deploy.console.vitals import (
    LAST_DAYS,
    LEAST_DAYS,
    MANY_PARTS,
    WATCHED_FOR,
    Room,
    server_vital,
    store_vital,
)
from processors.runtime.brokers.connection import Brokers as Cluster
from processors.runtime.brokers.lag import Behind, Lag, NoTopics
from processors.runtime.brokers.standing import Kept
from processors.runtime.brokers.store_lag import held_against
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.warehouse import StoreNotMade, WarehouseError
from tests.console.desk_building import T0, after
from tests.embedded.ledgers import filled

GIB = 2**30
TOTAL = 1_000 * GIB
DAY = 86_400.0


class Ticks:
    """Seconds that pass when told."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def ticks() -> Ticks:
    return Ticks()


@pytest.mark.parametrize(("free", "state"), [(100, "well"), (99, "warning"), (30, "warning"), (29, "failed")])
def test_little_room_is_said_and_none_is_wrong(free: int, state: str) -> None:
    vital = Room(Path(), usage=lambda _: (TOTAL, TOTAL - free * GIB, free * GIB)).vital()
    assert vital.state == state
    assert bool(vital.remedy) is (state != "well")
    assert f"{free}.0 GiB free of 1,000.0 GiB" in vital.told


@pytest.mark.parametrize(
    ("left", "state"),
    [
        (LEAST_DAYS + 0.1, "well"),
        (LEAST_DAYS - 0.1, "warning"),
        (LAST_DAYS + 0.1, "warning"),
        (2.9, "failed"),
    ],
)
def test_days_left_are_told_by_the_rate_at_which_the_disk_fills(
    ticks: Ticks, left: float, state: str
) -> None:
    free = 200 * GIB
    room = Room(Path(), ticks, lambda _: (TOTAL, TOTAL - free, free))
    room.vital()
    ticks.now = DAY
    rate = free / (left + 1)  # after a day of it there are so many days left
    free = int(free - rate)
    vital = room.vital()
    assert vital.state == state
    assert f"{left:,.1f} days left" in vital.told


def test_a_rate_is_not_known_before_it_was_watched(ticks: Ticks) -> None:
    free = [200 * GIB, 100 * GIB, 300 * GIB]
    room = Room(Path(), ticks, lambda _: (TOTAL, TOTAL - free[0], free[0]))
    room.vital()
    free.pop(0)
    ticks.now = WATCHED_FOR - 1
    assert "days left not known" in room.vital().told
    ticks.now = WATCHED_FOR
    vital = room.vital()
    assert ("days left" in vital.told, "not known" in vital.told) == (True, False)
    free.pop(0)
    ticks.now += 1
    assert "it has not filled" in room.vital().told


class Parts:
    """A store that tells of its parts, or raises."""

    def __init__(self, parts: int = 1, rows: int = 5_000, error: Exception | None = None) -> None:
        self.row = (rows, 3 << 20, parts, T0, after(7))
        self.error = error

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        if self.error is not None:
            raise self.error
        return [self.row]


@pytest.mark.parametrize(("parts", "state"), [(MANY_PARTS, "well"), (MANY_PARTS + 1, "warning")])
def test_too_many_parts_are_said(parts: int, state: str) -> None:
    for vital in (store_vital(Parts(parts)), server_vital(Parts(parts))):
        assert vital.state == state
        assert vital.told == (
            f"5,000 rows, 3.0 MiB, at most {parts} parts in a partition, the newest written 7 s ago"
        )


def test_an_empty_store_is_well() -> None:
    assert server_vital(Parts(rows=0)).told == "it answers, and is empty"


def test_a_store_that_is_away_failed_and_one_that_refuses_is_not_known() -> None:
    refused = WarehouseError("the store", "Not enough privileges", "grant it")
    assert (server_vital(Parts(error=refused)).state, store_vital(Parts(error=refused)).state) == (
        "warning",
        "failed",
    )
    assert "not known" in server_vital(Parts(error=refused)).told
    unmade = StoreNotMade("it", "database catwalk is not there", "`catwalk migrate` makes it")
    told = server_vital(Parts(error=unmade))
    assert (told.state, told.told) == ("failed", "it answers; database catwalk is not there")
    assert told.remedy == "`catwalk migrate` makes it"
    away = server_vital(Parts(error=RecordsAway("no route")))
    assert (away.state, "no route" in away.told, bool(away.remedy)) == ("failed", True, True)


def test_a_real_store_tells_what_the_ledger_holds_and_it_does_not(tmp_path: Path, ticks: Ticks) -> None:
    ledger = filled(events=60)
    store = ChdbWarehouse(tmp_path / "warehouse")
    try:
        store.migrate()
        assert store_vital(store).state == "well"
        lag = LedgerLag(ledger, store, ticks)
        assert lag.vital().told == "300 of 300 records of the ledger not folded and stored yet"
        ticks.now = STANDS
        assert lag.vital().state == "well"
        ticks.now = STANDS + 1
        assert (lag.vital().state, bool(lag.vital().remedy)) == ("failed", True)
        EmbeddedFold(ledger, store).catch_up()
        caught_up = lag.vital()
        assert (caught_up.state, caught_up.told[:9]) == ("well", "0 of 300 ")
        assert "written" in store_vital(store).told
    finally:
        store.close()


class Head(NamedTuple):
    sequence: int


class Ledger:
    """One table with so many records, all but `stored` of them not stored."""

    def __init__(self, records: int, stored: int) -> None:
        self.records, self.stored = records, stored

    def subjects(self) -> tuple[str, ...]:
        return ("BJ-1",)

    def head(self, subject: str) -> Head:
        return Head(self.records)

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        return [("BJ-1", self.stored + 1)]


@pytest.mark.parametrize(("behind", "state"), [(LATE, "well"), (LATE + 1, "warning")])
def test_a_store_that_is_far_behind_its_ledger_is_said(behind: int, state: str) -> None:
    ledger = Ledger(5_000, 5_000 - behind)
    vital = LedgerLag(ledger, ledger).vital()
    assert vital.state == state
    assert f"{behind:,} of 5,000" in vital.told
    assert "BJ-1" not in vital.told, "a table may be withheld from who reads it"


def test_what_is_taken_in_a_second_is_told(ticks: Ticks) -> None:
    ledger = Ledger(5_000, 1_000)
    lag = LedgerLag(ledger, ledger, ticks)
    assert "a second" not in lag.vital().told
    ledger.stored, ticks.now = 1_500, 4.0
    assert lag.vital().told.endswith("; 125.0 taken a second")


def row(worker: str, committed: int | None, behind: int, partition: int = 0) -> Behind:
    return Behind(
        worker=worker,
        group=worker,
        topic="catwalk.events",
        partition=partition,
        committed=committed,
        end=(committed or 0) + behind,
        behind=behind,
    )


class Brokers:
    """Brokers that tell this lag, or raise."""

    def __init__(self, rows: Sequence[Behind], absent: tuple[str, ...] = ()) -> None:
        self.lag = Lag(rows=tuple(rows), absent=absent)
        self.error: Exception | None = None

    async def measure(self) -> Lag:
        if self.error is not None:
            raise self.error
        return self.lag


def looked(lag: KafkaLag) -> Vital:
    asyncio.run(lag.look())
    return lag.vital()


@pytest.mark.parametrize(("behind", "state"), [(LATE, "well"), (LATE + 1, "warning")])
def test_the_lag_of_all_partitions_together_has_a_limit(behind: int, state: str, ticks: Ticks) -> None:
    vital = looked(KafkaLag(Brokers([row("fold", 5, behind - 1), row("fold", 5, 1, 1)]).measure, ticks))
    assert vital.state == state
    assert f"{behind:,} records behind in all" in vital.told
    assert vital.figures is not None
    assert vital.figures.rows == (
        ("fold", "catwalk.events", f"{behind:,}", f"0: {behind - 1:,}, 1: 1", "not known"),
    )


@pytest.mark.parametrize(("seconds", "state"), [(STANDS, "well"), (STANDS + 1, "failed")])
def test_a_worker_that_takes_nothing_of_what_waits_stands(seconds: float, state: str, ticks: Ticks) -> None:
    lag = KafkaLag(Brokers([row("fold", 5, 2), row("sink", 7, 0)]).measure, ticks)
    looked(lag)
    ticks.now = seconds
    vital = looked(lag)
    assert vital.state == state
    assert (vital.remedy == "start it: catwalk fold") is (state == "failed")


def test_a_worker_that_takes_goes_on_and_its_rate_is_told(ticks: Ticks) -> None:
    brokers = Brokers([row("fold", 100, 2)])
    lag = KafkaLag(brokers.measure, ticks)
    looked(lag)
    ticks.now = STANDS + 1
    brokers.lag = Lag(rows=(row("fold", 100 + 122, 2),), absent=())
    vital = looked(lag)
    assert vital.state == "well"
    assert vital.figures is not None
    assert vital.figures.rows[0][-1] == "2.0"


def test_records_that_nobody_would_take_are_said_with_their_remedy_though_nothing_waits(ticks: Ticks) -> None:
    brokers = Brokers([row("sink", 9, 0)])
    kept = Kept({("catwalk.events", 0): 4})
    brokers.lag = held_against(brokers.lag, Cluster(servers="nowhere"), kept)
    vital = looked(KafkaLag(brokers.measure, ticks))
    assert (vital.state, vital.figures is not None) == ("failed", True)
    assert (
        "5 records behind in all; topic catwalk.events, partition 0: the group has acknowledged" in vital.told
    )
    assert "`catwalk sink --set-back`" in vital.remedy
    brokers.lag = Lag(rows=(row("sink", 9, 0),), absent=(), unknown="ClickHouse: away")
    assert (
        "what the store lacks is not known: ClickHouse: away" in looked(KafkaLag(brokers.measure, ticks)).told
    )


def test_a_worker_that_nobody_started_is_shown_and_not_waited_for(ticks: Ticks) -> None:
    lag = KafkaLag(Brokers([row("fold", 5, 0), row("analyst", None, 9)], ("analyst",)).measure, ticks)
    looked(lag)
    ticks.now = STANDS + 1
    vital = looked(lag)
    assert (vital.state, vital.told) == ("well", "0 records behind in all; analyst not started")
    assert vital.figures is not None
    assert vital.figures.rows[1][2] == "not started"


def test_before_the_brokers_were_asked_the_lag_is_not_well(ticks: Ticks) -> None:
    assert KafkaLag(Brokers([]).measure, ticks).vital().state == "warning"


@pytest.mark.parametrize(
    "error",
    [ConnectionError("no broker"), NoTopics("catwalk.events", "localhost:9092"), RuntimeError("no broker")],
)
def test_brokers_that_do_not_tell_make_the_lag_unknown_at_once(error: Exception, ticks: Ticks) -> None:
    brokers = Brokers([row("fold", 5, 0)])
    lag = KafkaLag(brokers.measure, ticks)
    looked(lag)
    brokers.error = error
    ticks.now = 5
    vital = looked(lag)
    assert vital.state == "failed"
    assert vital.told.startswith("not known for 5 s: ")
    assert "before that: 0 records behind" in vital.told
    brokers.error = None
    assert looked(lag).state == "well"


@pytest.mark.parametrize(("seconds", "state"), [(LAG_OLD, "well"), (LAG_OLD + 1, "failed")])
def test_brokers_that_keep_silent_make_it_unknown_after_a_while(
    seconds: float, state: str, ticks: Ticks
) -> None:
    lag = KafkaLag(Brokers([row("fold", 5, 0)]).measure, ticks)
    looked(lag)
    ticks.now = seconds
    assert lag.vital().state == state


def test_a_page_never_waits_for_a_part_that_keeps_silent(ticks: Ticks) -> None:
    silent, told = threading.Event(), threading.Event()

    def disk() -> Vital:
        told.set()
        return Vital(part="", state="well", told="40 GiB")

    def store() -> Vital:
        silent.wait()
        return Vital(part="", state="well", told="5 rows")

    with VitalWatch({"Store": store, "Disk": disk}, every=0.01, clock=ticks) as watch:
        try:
            assert told.wait(10)
            assert watch.vitals()[0] == Vital(
                part="Store", state="warning", told="not asked yet", remedy="wait a moment"
            )
            ticks.now = OLD + 1
            assert watch.vitals()[0].state == "failed"
        finally:
            silent.set()


@pytest.mark.parametrize(("seconds", "state"), [(OLD, "well"), (OLD + 1, "failed")])
def test_what_was_found_long_ago_is_not_well(seconds: float, state: str, ticks: Ticks) -> None:
    watch = VitalWatch({"Disk": lambda: Vital(part="", state="well", told="40 GiB")}, clock=ticks)
    watch.look("Disk")
    ticks.now = seconds
    (vital,) = watch.vitals()
    assert (vital.part, vital.state, "40 GiB" in vital.told) == ("Disk", state, True)


def test_a_part_that_cannot_be_asked_failed(ticks: Ticks) -> None:
    def broken() -> Vital:
        raise OSError("no such folder")

    watch = VitalWatch({"Disk": broken}, clock=ticks)
    watch.look("Disk")
    (vital,) = watch.vitals()
    assert (vital.state, vital.told) == ("failed", "it cannot be asked: no such folder")


@pytest.mark.parametrize(
    ("viewers", "cut_off", "state"),
    [(499, 0, "well"), (500, 0, "warning"), (1, MANY_SLOW - 1, "well"), (1, MANY_SLOW, "warning")],
)
def test_viewers_are_counted_and_so_are_those_who_were_cut_off(
    viewers: int, cut_off: int, state: str
) -> None:
    vital = viewers_vital(viewers, 500, cut_off)
    assert vital.state == state
    assert vital.told == f"{viewers} of at most 500; {cut_off} cut off as too slow since the start"
