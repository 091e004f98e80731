"""The sink: the rows of the embedded fold, whatever ends it, whatever comes twice, whatever the store does."""

from __future__ import annotations

import asyncio
import base64
import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from processors.runtime.brokers.lives import together
from processors.runtime.brokers.records import Taken
from processors.runtime.brokers.standing import Kept
from processors.runtime.brokers.watchdog import Stuck, watch
from processors.runtime.sink.driver import SinkDriver, SinkOptions
from processors.runtime.sink.intake import Intake
from processors.runtime.store.shapes import CHECK
from processors.runtime.store.warehouse import Warehouse, WarehouseError
from processors.runtime.watch.health import Health
from processors.runtime.watch.metrics import WorkerMetrics
from producers.log import EventLog
from schemas.topics import COUNTERS, DEADLETTER, FINDINGS, ROUNDS
from schemas.warehouse import DERIVED, RELATIONS
from tests.embedded.ledgers import append, contents, folded, lines_of, new_store, subject_of
from tests.runtime.topics import AT, Crash, DirectStore, FakeGroup, Mortal, folded_topics, ledger_of
from tests.warehouse.memory_warehouse import MemoryWarehouse

NAMES = ("breach_masque_wrong", "breach_surrender_after_hit")
SMALL = SinkOptions(batch_rows=120, linger_seconds=0.0, longest_wait=0.01)
PROJECTIONS = tuple(name for name in DERIVED if name != "counters")


@pytest.fixture(scope="module")
def ledger() -> EventLog:
    return ledger_of(NAMES)


@pytest.fixture(scope="module")
def records(ledger: EventLog) -> list[Taken]:
    return folded_topics(ledger)


@pytest.fixture(scope="module")
def clean(ledger: EventLog) -> dict[str, Any]:
    """What the embedded fold stores of the same ledger."""
    return contents(folded(ledger), PROJECTIONS)


def driver(group: FakeGroup, store: object, options: SinkOptions = SMALL) -> SinkDriver:
    return SinkDriver(group, DirectStore(store), WorkerMetrics("sink"), Health(), options)


async def live(group: FakeGroup, store: object, options: SinkOptions = SMALL) -> None:
    """Run a sink until everything is committed."""
    sink = driver(group, store, options)
    for _ in range(10_000):
        await sink.step()
        await asyncio.sleep(0)
        if group.done:
            return
    raise AssertionError("the sink never came to the end")


def run(group: FakeGroup, store: object, options: SinkOptions = SMALL) -> None:
    asyncio.run(live(group, store, options))


def test_the_rows_are_those_of_the_embedded_fold_bit_for_bit(
    records: list[Taken], clean: dict[str, Any]
) -> None:
    store = new_store()
    run(FakeGroup(records), store)
    assert contents(store, PROJECTIONS) == clean
    assert all(
        clean[name]
        for name in (
            "events",
            "patrons",
            "account_events",
            "rounds",
            "hands",
            "stakes",
            "takings",
            "racks",
            "findings",
        )
    )


def test_topics_may_come_in_any_order_among_each_other(records: list[Taken], clean: dict[str, Any]) -> None:
    for seed in range(4):
        dice = random.Random(seed)
        by_topic: dict[Any, list[Taken]] = {}
        for record in records:
            by_topic.setdefault(record.place, []).append(record)
        mixed: list[Taken] = []
        while by_topic:
            place = dice.choice(list(by_topic))
            run_length = dice.randint(1, 200)
            mixed += by_topic[place][:run_length]
            by_topic[place] = by_topic[place][run_length:]
            if not by_topic[place]:
                del by_topic[place]
        store = new_store()
        run(FakeGroup(mixed), store)
        assert contents(store, PROJECTIONS) == clean, f"seed {seed}"


@pytest.mark.thorough
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_crash_at_every_insert_leaves_the_rows_of_an_undisturbed_run(
    records: list[Taken], clean: dict[str, Any], after: bool
) -> None:
    options = SinkOptions(batch_rows=300, linger_seconds=60.0, longest_wait=0.01)
    crashes = redelivered = 0
    for inserts in range(1, 200):
        store, group = new_store(), FakeGroup(records)
        try:
            run_to_the_end(group, Mortal(store, inserts, after), options)
        except Crash:
            crashes += 1
            group.restart()
            run_to_the_end(group, store, options)
            redelivered += group.delivered - len(records)
            assert contents(store, PROJECTIONS) == clean, f"insert {inserts}"
            continue
        break
    assert crashes >= 30
    assert redelivered > 0, "nothing was delivered twice: the test proves nothing"


def run_to_the_end(group: FakeGroup, store: object, options: SinkOptions) -> None:
    """Run a sink with large batches; the last is stored because it is told to stop."""

    async def work() -> None:
        sink, stop = driver(group, store, options), asyncio.Event()
        while group._left:
            await sink.step()
        stop.set()
        await sink.run(stop)

    asyncio.run(work())
    assert group.done


def test_a_crash_between_the_insert_and_the_commit_stores_nothing_twice(
    records: list[Taken], clean: dict[str, Any]
) -> None:
    class Forgetful(FakeGroup):
        forgets = 3

        async def commit(self, offsets: Any) -> None:
            if self.forgets:
                self.forgets -= 1
                raise Crash
            await super().commit(offsets)

    store, group = new_store(), Forgetful(records)
    for _ in range(3):
        with pytest.raises(Crash):
            run(group, store)
        group.restart()
    run(group, store)
    assert group.delivered > len(records)
    assert contents(store, PROJECTIONS) == clean


def test_a_rebalance_in_the_middle_of_a_batch_drops_what_is_not_committed(
    records: list[Taken], clean: dict[str, Any]
) -> None:
    async def stormy(group: FakeGroup, store: Warehouse) -> None:
        sink = driver(group, store, SinkOptions(batch_rows=300, linger_seconds=0.0, longest_wait=0.01))
        for step in range(10_000):
            await sink.step()
            if step % 7 == 3 and step < 60:
                group.restart()
            await asyncio.sleep(0)
            if group.done:
                return
        raise AssertionError("the sink never came to the end")

    store, group = new_store(), FakeGroup(records)
    asyncio.run(stormy(group, store))
    assert group.delivered > len(records)
    assert contents(store, PROJECTIONS) == clean


@pytest.mark.parametrize("after", [False, True], ids=["refused", "answer lost"])
def test_a_store_that_fails_is_asked_again_until_it_stores_and_nothing_is_taken_meanwhile(
    records: list[Taken], clean: dict[str, Any], after: bool
) -> None:
    class Sick(Mortal):
        """Fails two inserts of three, stored or not."""

        dice = random.Random(465)

        def insert(self, relation: Any, rows: Any) -> None:
            if self.dice.random() < 2 / 3:
                if after:
                    self._store.insert(relation, rows)
                raise WarehouseError("store", "connection reset", "wait")
            self._store.insert(relation, rows)

    store = new_store()
    health = Health()

    async def work() -> FakeGroup:
        group = FakeGroup(records[:300])
        options = SinkOptions(batch_rows=200, linger_seconds=0.0, longest_wait=0.001)
        sink = SinkDriver(group, DirectStore(Sick(store, 1, False)), WorkerMetrics("sink"), health, options)
        for _ in range(100_000):
            await sink.step()
            await asyncio.sleep(0.001)
            assert sink._intake.count < 2_000, "memory must stay bounded"
            if group.done:
                return group
        raise AssertionError("never done")

    asyncio.run(work())
    expected = new_store()
    run(FakeGroup(records[:300]), expected)
    assert contents(store, PROJECTIONS) == contents(expected, PROJECTIONS)
    assert "store" not in health.reasons


def test_while_the_store_is_away_the_worker_is_not_ready_says_why_and_stops_when_told(
    records: list[Taken],
) -> None:
    class Away:
        async def kept(self) -> Kept:
            return Kept({})

        async def store(self, rows: Any) -> Any:
            raise ConnectionRefusedError

    async def work() -> tuple[FakeGroup, Health]:
        health, group, stop = Health({}), FakeGroup(records), asyncio.Event()
        options = SinkOptions(batch_rows=50, linger_seconds=0.0, longest_wait=0.05)
        sink = SinkDriver(group, Away(), WorkerMetrics("sink"), health, options)
        running = asyncio.create_task(sink.run(stop))
        await asyncio.sleep(0.2)
        assert not health.ready
        taken = group.taken
        await asyncio.sleep(0.2)
        assert group.taken == taken, "it takes no more while nothing can be stored"
        stop.set()
        await asyncio.wait_for(running, 30)
        return group, health

    group, health = asyncio.run(work())
    assert group.committed == {}
    assert "does not store" in health.reasons["store"]


def test_a_row_that_the_store_holds_otherwise_is_a_finding_and_never_an_update(
    records: list[Taken], clean: dict[str, Any]
) -> None:
    store = new_store()
    run(FakeGroup(records), store)
    tampered = {}
    for name in ("events", "rounds", "hands", "stakes", "takings", "racks", "findings"):
        relation = RELATIONS[name]
        changed = list(contents(store, (name,))[name][0])
        changed[relation.column_names.index("row_hash")] ^= 1
        store.insert(relation, [tuple(changed)])
        tampered[name] = tuple(changed)
    run(FakeGroup(records), store)  # everything is delivered again
    found = store.query(
        "SELECT record, decided_at FROM findings FINAL WHERE check_id = {check:String} ORDER BY finding_id",
        {"check": CHECK},
    )
    said = [msgspec.json.decode(record) for record, _ in found]
    assert sorted(one["expected"]["relation"] for one in said) == sorted(tampered)
    assert {one["verdict"] for one in said} == {"breached"}
    assert all(at.year == 2026 for _, at in found)
    after = contents(store, PROJECTIONS)
    for name, row in tampered.items():
        assert row in after[name], "what is stored stays as it is"
        if name != "findings":
            assert after[name][1:] == clean[name][1:]
    run(FakeGroup(records), store)
    assert len(store.query(f"SELECT 1 FROM findings FINAL WHERE check_id = '{CHECK}'")) == len(said)


def test_a_line_no_contract_can_read_comes_back_as_a_dead_letter_where_replay_has_it() -> None:
    name = "lawful_free_bet_672a"
    subject, lines = subject_of(name), lines_of(name)[:300]
    bad = b'{"specversion":"1.0","subject":"FB-12","time":"yesterday"}\xff'
    log = ledger_of(())
    append(log, subject, [*lines[:200], bad, *lines[200:]])
    store = new_store()
    run(FakeGroup(folded_topics(log)), store)
    found = store.query(
        "SELECT subject, sequence, number, origin, bytes_base64, line_number, byte_offset FROM dead_letters FINAL"
    )
    offset = sum(len(line) + 1 for line in lines[:200])
    assert found == [(subject, 201, 0, "ledger", base64.b64encode(bad).decode(), 201, offset)]
    assert contents(store, PROJECTIONS) == contents(folded(log), PROJECTIONS)


@settings(max_examples=40)
@given(
    topic=st.sampled_from([ROUNDS.name, FINDINGS.name, DEADLETTER.name, COUNTERS.name, "catwalk.snapshots"]),
    value=st.one_of(st.binary(max_size=80), st.just(b"{}"), st.just(b"null"), st.just(b'{"round":{}}')),
)
def test_a_message_that_nobody_can_read_is_kept_and_its_neighbours_go_on(topic: str, value: bytes) -> None:
    intake = Intake()
    intake.take(Taken((topic, 2), 7, b"key", value, (), AT))
    [row] = intake.rows["dead_letters"]
    shown = dict(zip(RELATIONS["dead_letters"].column_names, row, strict=True))
    assert shown["origin"] == f"{topic}/2@7"
    assert base64.b64decode(shown["bytes_base64"]) == value
    store = MemoryWarehouse()
    store.migrate()
    store.insert(RELATIONS["dead_letters"], [row])
    assert intake.offsets == {(topic, 2): 8}


def test_two_unreadable_lines_at_one_place_of_a_chain_are_both_kept() -> None:
    name = "lawful_free_bet_672a"
    subject, lines = subject_of(name), lines_of(name)[:40]
    log = ledger_of(())
    append(log, subject, lines[:20])
    records = folded_topics(log)
    letter = {
        "subject": subject, "sequence": 21, "number": 0, "at": "2026-03-02T15:00:00Z", "kind": "unreadable",
        "origin": "catwalk.events/0@20", "reason": "not JSON", "path": "$", "line": 21, "offset": 9000,
    }  # fmt: skip
    for nth, text in enumerate(("b25l", "dHdv")):
        value = msgspec.json.encode(letter | {"digest": text * 16, "bytes_base64": text, "line": 21 + nth})
        records.append(Taken((DEADLETTER.name, 0), nth, subject.encode(), value, (), AT))
    store = new_store()
    for _ in range(2):
        run(FakeGroup(records), store)
    kept = store.query("SELECT bytes_base64 FROM dead_letters FINAL ORDER BY bytes_base64")
    assert kept == [("b25l",), ("dHdv",)]
    assert store.query(f"SELECT count() FROM findings FINAL WHERE check_id = '{CHECK}'") == [(0,)]


def test_a_row_that_fits_no_column_is_kept_as_a_dead_letter_and_stops_nobody(records: list[Taken]) -> None:
    counter: dict[str, Any] = {
        "property": "",
        "gaming_day": "2026-03-02",
        "subject": "T",
        "ruleset": "",
        "dealer": "",
    }
    value = msgspec.json.encode(counter | {"rounds": -1})
    fine = msgspec.json.encode(counter | {"rounds": 5, "covers": 5})
    store = new_store()
    place = (COUNTERS.name, 0)
    run(FakeGroup([Taken(place, 0, b"k", value, (), AT), Taken(place, 1, b"l", fine, (), AT)][:1]), store)
    assert store.query("SELECT origin FROM dead_letters FINAL") == [("a row of counters",)]
    run(FakeGroup([Taken(place, 1, b"l", fine, (), AT)]), store)
    assert store.query("SELECT rounds FROM counters FINAL") == [(5,)]


def test_work_that_takes_nothing_though_records_wait_is_ended_and_says_so() -> None:
    async def forever() -> None:
        await asyncio.Event().wait()

    async def work(health: Health, moves: bool) -> None:
        async def moving() -> None:
            while True:
                await asyncio.sleep(0.01)
                health.moved += 1 if moves else 0

        async with asyncio.timeout(1.0):
            await together(moving() if moves else forever(), watch("sink", lambda: 7, health, 0.1, 0.02))

    with pytest.raises(Stuck, match="none was taken"):
        asyncio.run(work(Health({}), moves=False))
    with pytest.raises(TimeoutError):
        asyncio.run(work(Health({}), moves=True))
    with pytest.raises(TimeoutError):  # it says why it waits
        asyncio.run(work(Health({"store": "the warehouse does not store"}), moves=False))
