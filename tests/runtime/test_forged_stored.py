"""What the store holds of a topic into which others wrote: the record that the fold admits, whatever ends a sink."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from processors.core.grammar.aside import SECONDS
from processors.runtime.brokers.records import FoldedRecords, LedgerRecord, Taken
from processors.runtime.fold.partition import PartitionFold
from processors.runtime.sink.admission import Admission
from schemas.topics import CLOUDEVENT, EVENTS, FRAME, OBSERVATIONS
from tests.embedded.ledgers import contents, new_store
from tests.runtime.test_forged import FORGERIES, KEY, LINES, digest, forged
from tests.runtime.test_reconcile import hold_topics
from tests.runtime.test_sink import live, run
from tests.runtime.topics import Crash, FakeGroup, Mortal, Topics

PUT_IN = [one for kind in FORGERIES.values() for one in kind(60, 1)]
EVENT_LINES = "SELECT sequence, line FROM events FINAL ORDER BY sequence"


class Written(Topics):
    """The ledger's topic as gateways and others wrote it, and what a fold made of it."""

    def __init__(self, lines: Sequence[bytes], pace: float = 0.0) -> None:
        super().__init__()
        self.pace = pace
        fold = PartitionFold(0)
        for offset, line in enumerate(lines):
            kind = FRAME if b"\n" in line else CLOUDEVENT
            said = [("content-type", kind.encode())]
            self.records.append(Taken((EVENTS.name, 0), offset, KEY, line, said, 1.0 + offset * pace))
            into = FoldedRecords()
            fold.take(LedgerRecord.taken(self.records[-1]), into)
            self.put_all(one for one in into.messages if one.topic is not OBSERVATIONS)
            if offset % 50 == 49:
                self.put_all(fold.checkpoint(whole=True))
        self.put_all(fold.checkpoint(whole=True))
        self.fold = fold
        # As brokers may deliver them: every topic for itself, the ledger last, so that nothing of it is known before.
        self.records.sort(key=lambda one: (one.place[0] == EVENTS.name, one.place, one.offset))


def stored_lines(store: Any) -> list[tuple[int, bytes]]:
    return [(sequence, line.encode()) for sequence, line in store.query(EVENT_LINES)]


def true_lines(lines: Sequence[bytes]) -> list[tuple[int, bytes]]:
    return [(number, line) for number, line in enumerate(LINES, 1) if line in lines]


@pytest.fixture(scope="module")
def hostile() -> Written:
    return Written([*LINES[:60], *PUT_IN, *LINES[60:150], *FORGERIES["a row of them"](150, 2), *LINES[150:]])


def test_the_store_holds_the_true_events_and_reconcile_agrees(hostile: Written) -> None:
    store = new_store()
    run(FakeGroup(hostile.records), store)
    assert stored_lines(store) == true_lines(LINES)
    letters = store.query("SELECT kind, count() FROM dead_letters FINAL GROUP BY kind ORDER BY kind")
    assert dict(letters) == {"conflict": 1, "stray": len(PUT_IN) - 1 + 3}
    assert store.query("SELECT count() FROM findings FINAL WHERE check_id = 'integrity.store'") == [(0,)]
    assert hold_topics(hostile.records, store).stretches == []


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_crash_at_every_insert_leaves_the_same_rows(hostile: Written, after: bool) -> None:
    clean = new_store()
    run(FakeGroup(hostile.records), clean)
    crashes = 0
    for inserts in range(1, 200):
        store, group = new_store(), FakeGroup(hostile.records)
        try:
            asyncio.run(live(group, Mortal(store, inserts, after)))
        except Crash:
            crashes += 1
            group.restart()
            run(group, store)
        else:
            break
        assert stored_lines(store) == stored_lines(clean), inserts
        assert contents(store, ("findings", "dead_letters")) == contents(clean, ("findings", "dead_letters"))
    assert crashes > 5


def test_a_group_that_is_set_back_adds_nothing(hostile: Written) -> None:
    store, group = new_store(), FakeGroup(hostile.records)
    run(group, store)
    before = contents(store, ("events", "findings", "dead_letters", "progress"))
    group.committed = {(EVENTS.name, 0): 30}
    group.restart()
    run(group, store)
    assert contents(store, ("events", "findings", "dead_letters", "progress")) == before


def test_what_the_fold_believes_is_stored_and_reconciled() -> None:
    left = [*LINES[:80], *LINES[82:100], forged(100, 3, "a" * 64), *LINES[100:]]
    written = Written(left, pace=1.0)
    assert len(left) - 80 > SECONDS
    store = new_store()
    run(FakeGroup(written.records), store)
    assert stored_lines(store) == [one for one in true_lines(LINES) if one[0] not in (81, 82)]
    assert hold_topics(written.records, store).stretches == []


def test_a_gap_that_nobody_believes_yet_is_stored_by_none_and_reconciled() -> None:
    written = Written([*LINES[:80], *LINES[82:100]])
    store = new_store()
    run(FakeGroup(written.records), store)
    assert stored_lines(store) == true_lines(LINES[:80])
    assert hold_topics(written.records, store).stretches == []


def test_an_admission_goes_on_from_its_state_and_decides_as_the_fold_does() -> None:
    lines = [*LINES[:60], *PUT_IN, *LINES[61:70], LINES[60], b"{", *LINES[70:]]
    records = [
        LedgerRecord(0, n, KEY, line, CLOUDEVENT, 1.0, n // 90 + 1, "gate") for n, line in enumerate(lines)
    ]
    records += [
        LedgerRecord(0, len(lines), KEY, forged(len(LINES), 0, digest(LINES[-1])), CLOUDEVENT, 1.0, 1, "old")
    ]
    fold, into, found = PartitionFold(0), FoldedRecords(), list[bytes]()
    admission = Admission()
    for record in records:
        fold.take(record, into)
        admission = Admission(1, admission.next_offset, admission.state())
        found += [line for _, line in admission.take(record)]
    assert found == LINES
    chain = fold.places[KEY.decode()].pipeline.state.chain
    assert (chain.records, chain.next_sequence) == (len(LINES), len(LINES) + 1)


def test_records_in_the_wrong_partition_are_rows_of_nobody() -> None:
    admission = Admission(partitions=2)
    taken = [[*admission.take(LedgerRecord(number, 0, KEY, LINES[0], CLOUDEVENT))] for number in (0, 1)]
    assert sorted(map(len, taken)) == [0, 1]
