"""What the health page asks, answered by the engine: clocks, silence, pauses and faults of two tables' records."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from dashboards.health.sensor_reading import SensorReading, Sensors
from dashboards.reader import sensors
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from producers.memory_log import MemoryLog
from producers.recorder import Arrival, Recorder
from schemas.events.codec import record_hash
from schemas.events.envelope import GENESIS, utc_text
from tests.embedded.ledgers import lines_of, subject_of

RECORDED, CHAINED = "lawful_manual_shoe_657a8", "breach_masque_wrong"  # by a recorder; by their own devices
EVENTS = 400
AHEAD = {RECORDED: {"shoe": 30.0, "layout": -7_200.0}, CHAINED: {"shoe": 30.0}}  # seconds
ON_THE_WAY = dt.timedelta(seconds=0.2)
WENT_BACK = 300  # an event of the console that is an hour early


def told(name: str) -> Iterator[tuple[dt.datetime, dict[str, Any]]]:
    """Events of a stream as their devices say them, and when each really happened."""
    for number, line in enumerate(lines_of(name)[:EVENTS]):
        event = msgspec.json.decode(line)
        at = dt.datetime.fromisoformat(event["time"])
        device = event["source"].rpartition("/")[2]
        off = AHEAD[name].get(device, 0.0)
        if number > WENT_BACK and device == "console" and name == CHAINED:
            off -= 3_600.0
        event["time"] = utc_text(at + dt.timedelta(seconds=off))
        yield at, event


def record(log: MemoryLog, name: str) -> None:
    now = [dt.datetime.now(dt.UTC)]
    recorder = Recorder(log, lambda: now[0])
    for at, event in told(name):
        del event["sequence"], event["prevhash"]
        now[0] = at + ON_THE_WAY
        recorder.record_lines([Arrival(msgspec.json.encode(event), "test")])


def chain(log: MemoryLog, name: str) -> None:
    head, lines = GENESIS, []
    for number, (_, event) in enumerate(told(name), 1):
        lines.append(msgspec.json.encode(event | {"sequence": number, "prevhash": head}))
        head = record_hash(lines[-1])
    log.append(subject_of(name), lines, log.head(subject_of(name)))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChdbWarehouse]:
    log = MemoryLog()
    record(log, RECORDED)
    chain(log, CHAINED)
    held = ChdbWarehouse(tmp_path_factory.mktemp("sensors") / "warehouse")
    held.migrate()
    EmbeddedFold(log, held).catch_up()
    yield held
    held.close()


@pytest.fixture(scope="module")
def reading(store: ChdbWarehouse) -> SensorReading:
    found = Sensors(store, lambda: dt.datetime(2026, 3, 2, 23, tzinfo=dt.UTC)).read()
    assert found.trouble is None
    return found


def clocks(reading: SensorReading, name: str) -> dict[str, tuple[str, str]]:
    (table,) = [table for table in reading.tables if table.subject == subject_of(name)]
    return {sensor.name: (sensor.clock.standing, sensor.clock.by) for sensor in table.sensors}


def test_where_the_recorder_says_when_events_came_clocks_are_held_against_its_own(
    reading: SensorReading,
) -> None:
    found = clocks(reading, RECORDED)
    assert {name: found[name] for name in ("shoe", "layout", "console")} == {
        "shoe": ("off", "arrival"),
        "layout": ("off", "arrival"),
        "console": ("well", "arrival"),
    }
    (table,) = [table for table in reading.tables if table.subject == subject_of(RECORDED)]
    by_clock = {sensor.name: sensor.clock.told for sensor in table.sensors}
    assert (by_clock["shoe"], by_clock["layout"]) == ("+29.8 s", "-7,200.2 s")


def test_where_devices_chain_themselves_the_order_of_the_chain_says_it(reading: SensorReading) -> None:
    assert clocks(reading, CHAINED)["shoe"] == ("off", "order")


def test_turns_are_those_of_records_that_follow_one_another(store: ChdbWarehouse) -> None:
    subject = subject_of(CHAINED)
    events = [event for _, event in told(CHAINED)]
    for most in (EVENTS, 50):
        rows = sensors.turns({subject: EVENTS}, most, dt.datetime(2020, 1, 1, tzinfo=dt.UTC)).ask(store)
        pairs = [
            (a["source"], b["source"]) for a, b in zip(events[-most:], events[-most + 1 :], strict=False)
        ]
        expected = {pair: pairs.count(pair) for pair in pairs if pair[0] != pair[1]}
        assert {(row.before, row.after): row.turns for row in rows} == expected
        assert {row.subject for row in rows} == {subject}


def test_a_clock_that_went_back_is_its_devices_own_fault(reading: SensorReading) -> None:
    (table,) = [table for table in reading.tables if table.subject == subject_of(CHAINED)]
    faults = {sensor.name: [fault.check for fault in sensor.faults] for sensor in table.sensors}
    assert faults["console"] == ["integrity.clock"]
    assert not any(found for name, found in faults.items() if name != "console")
    assert "integrity.clock" not in {fault.check for fault in table.faults}


def test_a_table_is_told_by_its_last_record_and_whether_it_plays(store: ChdbWarehouse) -> None:
    rows = sensors.tables(dt.datetime(2020, 1, 1, tzinfo=dt.UTC)).ask(store)
    assert {row.subject: row.sequence for row in rows} == {
        subject_of(RECORDED): EVENTS,
        subject_of(CHAINED): EVENTS,
    }
    for row, name in zip(rows, sorted((RECORDED, CHAINED), key=subject_of), strict=True):
        kinds = [event["type"].rpartition(".")[2] for _, event in told(name)]
        scenes = ("table_opened", "table_idle", "table_closed", "round_started", "round_ended")
        assert row.scene == [kind for kind in kinds if kind in scenes][-1]
    pauses = sensors.pauses(
        {row.subject: row.sequence for row in rows}, 100, dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    )
    assert all(row.steps == 99 and 0 < row.usual < 10 for row in pauses.ask(store))
