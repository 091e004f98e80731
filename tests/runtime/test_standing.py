"""Groups that stand where the store, or the analyst's state, does not: nothing is taken; what is missing is named."""

from __future__ import annotations

import asyncio

import pytest

from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import Behind, Lag
from processors.runtime.brokers.records import Place, Taken
from processors.runtime.brokers.standing import Kept, RecordsMissing
from processors.runtime.brokers.store_lag import held_against
from processors.runtime.sink.driver import SinkDriver, SinkOptions
from processors.runtime.sink.kept import kept_offsets
from processors.runtime.store.warehouse import WarehouseError
from processors.runtime.watch.health import Health
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.topics import EVENTS, FINDINGS, ROUNDS
from tests.embedded.ledgers import contents, new_store
from tests.runtime.tables import lively
from tests.runtime.test_analyst import Group, Outbox, count
from tests.runtime.test_sink import PROJECTIONS, run
from tests.runtime.topics import DirectStore, FakeGroup, folded_topics, ledger_of
from tests.runtime.world import Process, World

OPTIONS = SinkOptions(batch_rows=120, linger_seconds=0.0, longest_wait=0.01, doubt_seconds=0.0)
EVENTS_0: Place = (EVENTS.name, 0)


@pytest.fixture(scope="module")
def records() -> list[Taken]:
    return folded_topics(ledger_of(("breach_masque_wrong", "breach_overpay"), 300))


def refused(group: FakeGroup, store: object) -> tuple[RecordsMissing, Health]:
    """A sink is started and ends before it has taken anything; what it says."""
    health = Health({})

    async def work() -> None:
        sink = SinkDriver(group, DirectStore(store), WorkerMetrics("sink"), health, OPTIONS)
        await sink.run(asyncio.Event())

    with pytest.raises(RecordsMissing) as caught:
        asyncio.run(asyncio.wait_for(work(), 10))
    assert group.taken == 0
    assert caught.value.remedy in health.reasons["progress"]
    return caught.value, health


def test_what_is_stored_says_how_far_it_reaches_in_each_partition(records: list[Taken]) -> None:
    store, group = new_store(), FakeGroup(records)
    run(group, store)
    assert kept_offsets(store).offsets == group.committed
    assert set(kept_offsets(store).offsets) == {one.place for one in records}


def test_a_group_ahead_of_an_emptied_store_takes_nothing_and_names_partition_offsets_and_remedy(
    records: list[Taken],
) -> None:
    group = FakeGroup(records)
    run(group, new_store())
    acknowledged = group.committed[EVENTS_0]
    again = FakeGroup([one for one in records if one.place == EVENTS_0])
    again.committed = {EVENTS_0: acknowledged}
    store = new_store()
    error, _ = refused(again, store)
    assert str(error) == (
        f"topic catwalk.events, partition 0: the group has acknowledged what is before offset {acknowledged}, but"
        f" the store holds only what is before offset 0: {acknowledged} records would never be taken; stop all"
        " workers and run `catwalk rebuild`, which makes everything again from the ledger"
    )
    assert store.query("SELECT subject FROM events FINAL") == []


def test_a_group_one_record_ahead_of_a_store_from_a_backup_is_refused_and_one_behind_it_goes_on(
    records: list[Taken],
) -> None:
    half = FakeGroup(records[: len(records) // 2])
    store = new_store()
    run(half, store)
    kept = dict(kept_offsets(store).offsets)
    group = FakeGroup(records)
    group.committed = kept | {EVENTS_0: kept[EVENTS_0] + 1}
    error, _ = refused(group, store)
    assert (error.faults[0].kind, error.faults[0].stored) == ("ahead", kept[EVENTS_0])
    assert "stop all sinks and run `catwalk sink --set-back`" in error.remedy
    group.committed = kept | {EVENTS_0: kept[EVENTS_0] - 1}
    group.restart()
    run(group, store)
    whole = new_store()
    run(FakeGroup(records), whole)
    assert contents(store, PROJECTIONS) == contents(whole, PROJECTIONS)


def test_a_partition_that_is_assigned_later_is_held_against_the_store_before_anything_of_it_is_taken(
    records: list[Taken],
) -> None:
    store, group = new_store(), FakeGroup(records)
    rounds = (ROUNDS.name, 0)
    group.mine = group.mine - {rounds}
    group.committed[rounds] = 2  # another sink acknowledged them, and the store does not have them
    group.restart()

    async def work() -> None:
        sink = SinkDriver(group, DirectStore(store), WorkerMetrics("sink"), Health({}), OPTIONS)
        for _ in range(20):
            await sink.step()
            await asyncio.sleep(0)
        assert group.taken > 5
        group.mine |= {rounds}
        group.restart()
        taken = group.taken
        with pytest.raises(RecordsMissing, match=r"topic catwalk\.rounds, partition 0: .* before offset 2"):
            await sink.step()
        assert group.taken == taken

    asyncio.run(work())


def test_a_topic_that_has_forgotten_what_the_store_lacks_is_named_with_rebuild(records: list[Taken]) -> None:
    group = FakeGroup(records)
    group.begins = {(ROUNDS.name, 0): 3}
    group.restart()
    error, _ = refused(group, new_store())
    assert error.faults[0].kind == "cut"
    assert "the topic begins at offset 3, but the store holds only what is before offset 0" in error.why
    assert "`catwalk rebuild`" in error.remedy


def test_a_store_that_reaches_further_than_the_topic_is_of_another_topic(records: list[Taken]) -> None:
    store = new_store()
    run(FakeGroup(records), store)
    anew = FakeGroup(records[:100])
    error, _ = refused(anew, store)
    assert error.faults[0].kind == "short"
    assert "restore the topic's lost end; only if the ledger was made anew" in error.remedy


def test_a_replica_that_is_a_moment_behind_is_no_loss(records: list[Taken]) -> None:
    store, group = new_store(), FakeGroup(records)
    run(group, store)

    class Late(DirectStore):
        looks = 0

        async def kept(self) -> Kept:
            self.looks += 1
            found = await super().kept()
            return found if self.looks > 2 else Kept({place: at - 1 for place, at in found.offsets.items()})

    late, health = Late(store), Health({})
    group.restart()

    async def work() -> None:
        options = SinkOptions(linger_seconds=0.0, doubt_seconds=5.0)
        sink = SinkDriver(group, late, WorkerMetrics("sink"), health, options)
        await sink.step()
        assert late.looks == 4

    asyncio.run(work())
    assert "progress" not in health.reasons


def test_while_the_store_cannot_say_how_far_it_is_nothing_is_taken_and_the_sink_stops_when_told(
    records: list[Taken],
) -> None:
    class Away(DirectStore):
        async def kept(self) -> Kept:
            raise WarehouseError("store", "it does not answer", "wait")

    async def work() -> None:
        group, health, stop = FakeGroup(records), Health({}), asyncio.Event()
        sink = SinkDriver(group, Away(new_store()), WorkerMetrics("sink"), health, OPTIONS)
        running = asyncio.create_task(sink.run(stop))
        await asyncio.sleep(0.1)
        assert group.taken == 0
        assert health.reasons["store"] == "the warehouse does not store: it does not answer; wait"
        stop.set()
        await asyncio.wait_for(running, 30)

    asyncio.run(work())


@pytest.mark.parametrize(
    ("begins", "ends", "said"),
    [
        (
            8,
            None,
            r"topic catwalk\.rounds, partition 0: the topic begins at offset 8, but the analyst's state",
        ),
        (0, 4, r"the analyst's state holds what is before offset 6, but the topic ends at offset 4; restore"),
    ],
    ids=["forgotten", "made anew"],
)
def test_an_analyst_whose_state_is_not_of_these_topics_counts_nothing(
    begins: int, ends: int | None, said: str
) -> None:
    both = [one for one in folded_topics(ledger_of(["breach_overpay"], 1200))
            if one.place[0] in (ROUNDS.name, FINDINGS.name)]  # fmt: skip
    rounds = (ROUNDS.name, 0)
    outbox = Outbox()
    count(Group([one for one in both if one.place != rounds or one.offset < 6]), outbox)
    counted = dict(outbox.counters)
    group = Group([one for one in both if one.place != rounds or ends is None or one.offset < ends])
    group.begins = {rounds: begins}
    group.restart()
    with pytest.raises(RecordsMissing, match=said):
        count(group, outbox)
    assert (group.taken, outbox.counters) == (0, counted)


def test_an_analyst_goes_on_where_its_state_stands_whatever_its_group_has_acknowledged() -> None:
    both = [one for one in folded_topics(ledger_of(["breach_overpay"], 1200))
            if one.place[0] in (ROUNDS.name, FINDINGS.name)]  # fmt: skip
    clean, outbox = Outbox(), Outbox()
    count(Group(both), clean)
    count(Group(both[: len(both) // 2]), outbox)
    ahead = Group(both)
    ahead.committed = {one.place: one.offset + 1 for one in both}
    ahead.restart()
    count(ahead, outbox)
    assert outbox.counters == clean.counters


def behind(worker: str, committed: int | None, first: int, end: int, left: int) -> Behind:
    return Behind(
        worker=worker, group=worker, topic="p.catwalk.events", partition=0,
        committed=committed, end=end, behind=left, first=first,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("committed", "first", "left", "stored", "lacks", "kind"),
    [
        (70, 0, 30, 70, 30, None),
        (70, 0, 30, 75, 25, None),  # stored, and the group was not told yet
        (None, 0, 100, 100, 0, None),  # the group's offsets have expired
        (98, 0, 0, 98, 0, None),  # at the end stand marks of a transaction
        (70, 0, 30, 40, 60, "ahead"),
        (100, 0, 0, 0, 100, "ahead"),
        (20, 50, 50, 40, 60, "cut"),
        (20, 0, 80, 101, 0, "short"),
    ],
)
def test_the_sink_is_behind_by_what_the_store_lacks(
    committed: int | None, first: int, left: int, stored: int, lacks: int, kind: str | None
) -> None:
    row = behind("sink", committed, first, 100, left)
    kept = Kept({EVENTS_0: stored})
    lag = held_against(Lag(rows=(row,), absent=()), Brokers(servers="", prefix="p."), kept, kept)
    assert (lag.behind, lag.rows[0].stored) == (lacks, stored)
    assert [fault.kind for fault in lag.faults] == ([kind] if kind else [])
    assert all(fault.topic == "p.catwalk.events" for fault in lag.faults)


def test_a_sink_that_stores_while_it_is_looked_at_is_neither_ahead_nor_further_than_its_topic() -> None:
    row = behind("sink", 100, 0, 100, 0)
    before, after = Kept({EVENTS_0: 90}), Kept({EVENTS_0: 110})
    assert (
        held_against(Lag(rows=(row,), absent=()), Brokers(servers="", prefix="p."), after, before).faults
        == ()
    )


def test_a_ledger_whose_beginning_is_gone_is_named_by_the_fold_that_goes_on() -> None:
    row = behind("fold", None, 5, 100, 95)
    [fault] = held_against(Lag(rows=(row,), absent=()), Brokers(servers="", prefix="p."), None).faults
    assert (fault.kind, "the topic begins at offset 5" in fault.why) == ("cut", True)
    process = Process(World([one._replace(offset=one.offset + 5) for one in lively()]))
    asyncio.run(process.run())
    assert process.health.without == {
        "the beginning of partition 0 of the ledger": "records 0 to 4, which the topic no longer has"
    }
    assert len(process.world.sent) > 10
