"""A fold that dies at any step loses nothing, tells nothing twice that a reader could see, and leaves no trace."""

import asyncio
from collections import Counter
from collections.abc import Sequence

import msgspec
import pytest

from processors.runtime.brokers.records import LedgerRecord
from processors.runtime.fold import partition
from processors.runtime.fold.driver import FoldOptions, SnapshotsOfAnotherLedger
from schemas.answers import FOLD_VERSION
from schemas.messages import checkpoint_key
from schemas.topics import OBSERVATIONS
from tests.runtime.tables import lively
from tests.runtime.world import Crash, Process, World, distinct, run_to_end

SHORT = lively(110)


def clean(records: Sequence[LedgerRecord] = SHORT) -> World:
    world = World(list(records))
    assert run_to_end(world) == 0
    assert world.committed == world.end
    return world


CLEAN = clean()


def test_the_clean_run_goes_through_every_kind_of_step_many_times() -> None:
    kinds = Counter(CLEAN.steps)
    assert set(kinds) == {
        f"{when} {what}" for what in ("output", "snapshot", "commit") for when in ("before", "after")
    } | {"before ack"}
    assert min(kinds.values()) >= 5
    assert len(distinct(CLEAN.sent)) == len(CLEAN.sent), "a clean run says nothing twice"


def steps_of_each_kind(every: int) -> list[int]:
    """Of each kind of step the first and every so many that follow, in order."""
    places: dict[str, list[int]] = {}
    for step, kind in enumerate(CLEAN.steps):
        places.setdefault(kind, []).append(step)
    return sorted(step for steps in places.values() for step in steps[::every])


@pytest.mark.thorough
@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.soak)])
def test_a_crash_at_each_step_loses_nothing_and_shows_nothing_twice(every: int) -> None:
    """At each kind of step, early and late; `make soak` tries every one there is."""
    repeated = 0
    for step in steps_of_each_kind(every):
        world = World(list(SHORT), crash_at=step)
        assert run_to_end(world) == 1, step
        assert distinct(world.sent) == distinct(CLEAN.sent), step
        assert world.committed == world.end, step
        assert dict(world.snapshots) == dict(CLEAN.snapshots), step
        repeated += len(world.sent) - len(CLEAN.sent)
    assert repeated > 0, "no message was ever sent again: the crashes proved nothing"


@pytest.mark.parametrize("every", [3, 7, 19, 40])
def test_a_process_that_keeps_dying_gets_there_all_the_same(every: int) -> None:
    """As long as each life has one checkpoint more than the last, crash after crash only costs time."""
    world, crashes = World(list(SHORT)), 0
    for life in range(400):
        world.crash_at = len(world.steps) + every + life
        try:
            asyncio.run(Process(world, FoldOptions(checkpoint_events=1), life).run(3))
        except Crash:
            crashes += 1
            if life % 3 == 0:
                world.compact()
        else:
            break
    assert crashes > 1
    assert distinct(world.sent) == distinct(CLEAN.sent)
    assert world.committed == world.end


@pytest.mark.thorough
def test_messages_of_a_table_come_in_order_also_when_they_come_again() -> None:
    """A reader that passes over what it has seen finds each table's messages in the order of its record."""
    for step in range(0, len(CLEAN.steps), 5):
        world = World(list(SHORT), crash_at=step)
        run_to_end(world)
        seen, first = set(), []
        for message in world.sent:
            if message not in seen:
                seen.add(message)
                first.append(message)
        assert first == CLEAN.sent, step


def test_a_worker_that_lost_the_partition_may_write_behind_its_successor() -> None:
    world = World(list(SHORT[:180]))

    async def story() -> None:
        zombie = Process(world)
        await zombie.driver.take(zombie.deliveries(0, 60))
        successor = Process(world, generation=2)
        await successor.run()
        before = dict(world.snapshots)
        committed, world.committed = world.committed, 0
        await zombie.driver.finish()  # it never heard: its older state lands on top
        world.committed = committed  # its commit is refused by the group
        assert dict(world.snapshots) != before

    asyncio.run(story())
    world.compact()
    world.records = list(SHORT)
    run_to_end(world)
    assert world.reread > 0
    assert distinct(world.sent) == distinct(CLEAN.sent)


@pytest.mark.parametrize("compacted", [False, True])
def test_one_table_whose_snapshot_a_zombie_wrote_is_read_again_and_no_other(compacted: bool) -> None:
    world = World(list(SHORT))
    run_to_end(world)
    table = next(key for key, _ in world.snapshots if key is not None and b"/" not in key)
    oldest = next(entry for entry in world.snapshots if entry[0] == table)
    world.snapshots = [entry for entry in world.snapshots if entry[0] != table] + [oldest]
    if compacted:
        world.compact()
    before = len(world.sent)
    asyncio.run(_adopt(world))
    again = world.sent[before:]
    assert again
    assert distinct(again) <= distinct(CLEAN.sent)
    assert {message.key for message in again if b"/" not in (message.key or b"/")} <= {
        message.key for message in CLEAN.sent if table in message.value
    }
    assert dict(world.snapshots) == dict(CLEAN.snapshots)


async def _adopt(world: World) -> None:
    process = Process(world, generation=9)
    await process.driver.adopt(0, world.committed)
    await process.driver.finish()


@pytest.mark.parametrize(
    "forgotten",
    [
        "nothing is there",
        "the checkpoint is gone",
        "one table is gone",
        "all are written off",
        "bytes of something else",
    ],
)
def test_whatever_the_snapshots_lack_is_folded_again_from_the_ledger(forgotten: str) -> None:
    world = World(list(SHORT))
    run_to_end(world)
    keys = list(dict(world.snapshots))
    match forgotten:
        case "nothing is there":
            world.snapshots = []
        case "the checkpoint is gone":
            world.snapshots = [entry for entry in world.snapshots if entry[0] != checkpoint_key(0)]
        case "one table is gone":
            world.snapshots = [entry for entry in world.snapshots if entry[0] != keys[0]]
        case "all are written off":
            world.snapshots.extend((key, None) for key in keys)
        case _:
            world.snapshots = [(None, b"x"), (b"stray", b"\xc1"), *((key, b"\x81\xa1x\x01") for key in keys)]
    before = len(world.sent)
    asyncio.run(_adopt(world))
    assert distinct(world.sent) == distinct(CLEAN.sent)
    assert dict(world.snapshots).items() >= dict(CLEAN.snapshots).items()
    if forgotten in ("nothing is there", "all are written off", "bytes of something else"):
        assert world.sent[before:] == CLEAN.sent, "a fold from the beginning says everything again, in order"


def test_snapshots_of_another_version_of_the_fold_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("place", "partition", "restore"):
        monkeypatch.setattr(f"processors.runtime.fold.{module}.FOLD_VERSION", FOLD_VERSION + 1)
    world = World(list(SHORT), snapshots=list(CLEAN.snapshots), committed=CLEAN.end)
    asyncio.run(_adopt(world))
    older, newer = (f'"fold":{version}'.encode() for version in (FOLD_VERSION, FOLD_VERSION + 1))
    told = [one for one in world.sent if one.topic is not OBSERVATIONS]
    assert all(newer in message.value for message in told)
    clean = [one for one in CLEAN.sent if one.topic is not OBSERVATIONS]
    assert told == [one._replace(value=one.value.replace(older, newer)) for one in clean]
    of_people = [one.value for one in world.sent if one.topic is OBSERVATIONS]
    assert {msgspec.msgpack.decode(one)[0] for one in of_people} == {FOLD_VERSION + 1}
    assert world.reread == len(SHORT)


def test_snapshots_ahead_of_the_ledger_stop_the_worker_before_it_does_anything() -> None:
    world = World(list(SHORT[:50]), snapshots=list(CLEAN.snapshots))
    with pytest.raises(SnapshotsOfAnotherLedger) as refused:
        asyncio.run(Process(world).run())
    assert "--forget" in str(refused.value)
    assert (world.sent, world.committed) == ([], 0)


def test_records_the_group_leaves_out_are_read_from_the_ledger() -> None:
    """Faust has committed past records that were never acknowledged; the fold asks for what it needs."""
    world = World(list(SHORT))

    async def skipping() -> None:
        process = Process(world)
        process.acked.append(39)  # the group believes so
        await process.driver.take(process.deliveries(40, 80))
        await process.driver.take(process.deliveries(100, world.end))
        await process.driver.finish()

    with pytest.raises(AssertionError, match="out of order"):
        asyncio.run(skipping())  # the hole is acknowledged by nobody: that is the group's to deliver again
    assert world.reread == 40 + 20
    assert distinct(world.sent) == distinct(CLEAN.sent)


def test_records_of_an_assignment_that_has_ended_are_not_taken() -> None:
    world = World(list(SHORT))

    async def story() -> None:
        process = Process(world)
        stale = process.deliveries(0, 30)
        process.generation = 2
        await process.driver.take(stale)
        await process.driver.finish()

    asyncio.run(story())
    assert (world.sent, world.snapshots, world.committed) == ([], [], 0)


def test_state_is_dropped_when_the_assignment_changes_though_nobody_said_so() -> None:
    world = World(list(SHORT))

    async def story() -> None:
        process = Process(world)
        await process.driver.take(process.deliveries(0, 60))
        process.generation = 2
        process.acked.clear()
        await process.driver.take(process.deliveries(0, world.end))
        await process.driver.finish()

    asyncio.run(story())
    assert distinct(world.sent) == distinct(CLEAN.sent)
    assert dict(world.snapshots) == dict(CLEAN.snapshots)


def test_giving_partitions_up_leaves_a_checkpoint_so_that_the_next_worker_repeats_nothing() -> None:
    world = World(list(SHORT))

    async def story() -> None:
        process = Process(world)
        await process.driver.take(process.deliveries(0, 60))
        await process.driver.revoke()
        assert process.driver.held == {}
        sent = len(world.sent)
        world.committed = 0  # the commit did not get through; the checkpoint did
        await Process(world, generation=2).run()
        assert distinct(world.sent[:sent]).isdisjoint(world.sent[sent:])

    asyncio.run(story())
    assert distinct(world.sent) == distinct(CLEAN.sent)


def test_giving_partitions_up_does_not_wait_for_a_broker_that_is_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World(list(SHORT))

    async def story() -> None:
        process = Process(world, FoldOptions(revoke_seconds=0.05))
        away = asyncio.Event()

        async def send(_messages: object) -> None:
            await away.wait()

        monkeypatch.setattr(process, "send", send)
        taking = asyncio.create_task(process.driver.take(process.deliveries(0, 60)))
        await asyncio.sleep(0)
        await asyncio.wait_for(process.driver.revoke(), 30)
        assert process.driver.held == {}
        away.set()
        await taking
        assert process.driver.held == {}, "what was under way is not taken up again"

    asyncio.run(story())
    assert world.committed == 0


def test_state_is_written_when_it_has_waited_long_or_nothing_comes_and_not_each_second() -> None:
    world = World(list(SHORT))
    tables = {record.key for record in SHORT}

    async def story() -> None:
        process = Process(world, FoldOptions(checkpoint_seconds=1.0, old_seconds=60.0, pause_bytes=0))
        for at in range(world.end):
            process.clock.now += 1.1
            await process.driver.take(process.deliveries(at, at + 1))
            await process.driver.tick()
            await asyncio.sleep(0)
        written = sum(key in tables for key, _ in world.snapshots)
        assert world.end / 60 < written < world.end / 10
        assert world.committed > world.end - 5, "what was folded is acknowledged before its state is saved"
        for _ in range(7):  # a bit more than half of the seconds
            process.clock.now += 6.1
            await process.driver.tick()
            await _sent(process)
        assert process.driver.held[0].fold.is_saved, "nothing comes any more: all is saved"

    asyncio.run(story())
    again = World(list(SHORT), snapshots=list(world.snapshots), committed=world.committed)
    asyncio.run(_adopt(again))
    assert again.sent == []


@pytest.mark.parametrize(("bytes_at_once", "most"), [(0, 4), (60_000, 16)])
def test_a_pause_after_each_event_writes_no_state_each_time(bytes_at_once: int, most: int) -> None:
    world = World([one for one in SHORT if one.key == SHORT[0].key])
    world.records = [one._replace(offset=at) for at, one in enumerate(world.records)]

    async def story() -> None:
        process = Process(world, FoldOptions(pause_bytes=bytes_at_once, pause_bytes_per_second=0))
        for at in range(world.end):
            await process.driver.take(process.deliveries(at, at + 1))
            for _ in range(2):
                process.clock.now += 1.5
                await process.driver.tick()
                await _sent(process)
            assert process.driver.held[0].fold.is_saved or at > 3 or not bytes_at_once, "the first pauses may"
        fold, written = process.driver.held[0].fold, len(world.snapshots)
        assert 2 <= written <= most, "a state and its checkpoint, at first and after six minutes"
        assert world.committed == world.end
        for _ in range(7):
            process.clock.now += 73.0
            await process.driver.tick()
            await _sent(process)
        assert fold.is_saved, "nothing comes any more: all is saved"

    asyncio.run(story())


async def _sent(process: Process) -> None:
    """Wait until nothing is on its way."""
    for _ in range(40):
        await asyncio.sleep(0)
    assert process.driver.held


def test_a_table_that_comes_to_rest_is_saved_while_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its state is not kept back for as long as that of a table at play."""
    monkeypatch.setattr(partition, "WORTH", 40)
    by_table: dict[bytes | None, list[LedgerRecord]] = {}
    for one in SHORT:
        by_table.setdefault(one.key, []).append(one)
    resting, playing = sorted(by_table.values(), key=len)[-2:]
    half = len(playing) // 2
    told = [one for pair in zip(playing[:half], resting, strict=False) for one in pair] + playing[half:]
    world = World([one._replace(offset=at) for at, one in enumerate(told)])
    went = told.index(playing[half])

    async def story() -> None:
        process = Process(world, FoldOptions(old_seconds=600.0, quiet_seconds=1e9))

        async def take(start: int, stop: int, apart: float) -> None:
            for at in range(start, stop):
                process.clock.now += apart
                await process.driver.take(process.deliveries(at, at + 1))
                await process.driver.tick()
                await asyncio.sleep(0)

        await take(0, went, 0.5)
        world.snapshots.clear()
        await take(went, min(went + 30, world.end), 5.0)  # two and a half minutes
        saved = [key for key, _ in world.snapshots]
        assert resting[0].key in saved
        assert playing[0].key not in saved

    asyncio.run(story())
