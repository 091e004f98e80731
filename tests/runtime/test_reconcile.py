"""The store held against the ledger: whatever the windows, and the same for both ways of running."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from processors.runtime.brokers.records import FoldedRecords, LedgerRecord, Taken, content_type_of
from processors.runtime.fold.partition import PartitionFold
from processors.runtime.reconcile import reconciler
from processors.runtime.reconcile.counters import Counted
from processors.runtime.reconcile.embedded_ledger import hold_ledger
from processors.runtime.reconcile.marks import Marks, position_of, table_marks
from processors.runtime.reconcile.reconciler import Reconciled, Reconciler
from processors.runtime.reconcile.topics_again import PartitionAgain, letters_again
from processors.runtime.store.shapes import COMPARED
from processors.runtime.store.warehouse import Warehouse
from producers.log import EventLog
from schemas.topics import DEADLETTER, EVENTS
from schemas.warehouse import RELATIONS
from tests.embedded.ledgers import PROJECTIONS, contents, folded, new_store
from tests.runtime.tables import lively
from tests.runtime.test_sink import NAMES, ledger, records, run
from tests.runtime.topics import FakeGroup, Topics

__all__ = ["ledger", "records"]  # fixtures

ALL = (*PROJECTIONS, "progress")
Hold = Callable[[Warehouse, bool], Reconciled]


@pytest.fixture(params=["embedded", "topics"])
def filled(request: pytest.FixtureRequest, ledger: EventLog, records: list[Taken]) -> tuple[Warehouse, Hold]:
    """A store, and what holds it against its ledger."""
    if request.param == "embedded":
        return folded(ledger), lambda store, repair: hold_ledger(ledger, store, repair=repair)
    store = new_store()
    run(FakeGroup(records), store)
    return store, lambda store, repair: hold_topics(records, store, repair=repair)


def hold_topics(
    records: Sequence[Taken],
    store: Warehouse,
    *,
    repair: bool = False,
    owed: int | None = None,
    kept_since: dt.datetime | None = None,
) -> Reconciled:
    """Hold a store against topics in memory; `owed` is the offset of the first event that it need not have."""
    into = Reconciler(store, repair=repair, kept_since=kept_since)
    held = Marks(into, table_marks(store), position_of)
    again = PartitionAgain(0, into, held, Counted())
    events = [as_record(one) for one in records if one.place[0] == EVENTS.name]
    owed = len(events) if owed is None else owed
    into.take(letters_again(as_record(one) for one in records if one.place[0] == DEADLETTER.name), {})
    again.take(events[:owed])
    into.cut()
    again.cut()
    again.take(events[owed:])
    held.finish()
    return into.finish()


def as_record(one: Taken) -> LedgerRecord:
    return LedgerRecord(one.place[1], one.offset, one.key, one.value, content_type_of(one.headers), one.at)


def harm(store: Warehouse, seed: int) -> set[tuple[str, str]]:
    """Take rows out, put others in and alter some, in every relation; relations and kinds of what was done."""
    chance = random.Random(seed)
    done = set()
    for name in COMPARED:
        relation = RELATIONS[name]
        key = relation.of(*relation.key)
        rows = store.query(f"SELECT * FROM {name} FINAL")
        chosen = chance.sample(rows, min(len(rows), 6))
        for number, row in enumerate(chosen):
            columns = dict(zip(relation.column_names, row, strict=True))
            kind = ("missing", "different", "extra")[number % 3]
            if kind == "extra":
                anchor = "first_sequence" if "first_sequence" in columns else "sequence"
                store.insert(relation, [relation.row(**columns | {anchor: columns[anchor] + 5_000})])
            else:
                store.remove(relation, [key(row)])
                if kind == "different":
                    store.insert(relation, [relation.row(**columns | {"row_hash": columns["row_hash"] ^ 1})])
            done.add((name, kind))
    return done


@pytest.mark.parametrize("window", [(1, 0), (40, 7), (3_000, 800)])
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_whatever_was_done_to_a_store_is_found_and_put_right_whatever_is_compared_at_once(
    filled: tuple[Warehouse, Hold], window: tuple[int, int], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconciler, "_WINDOW", window[0])
    monkeypatch.setattr(reconciler, "_MARGIN", window[1])
    store, hold = filled
    before = contents(store, ALL)
    clean = hold(store, False)
    assert clean.stretches == []
    assert clean.rows == {name: len(before[name]) for name in COMPARED}
    done = harm(store, seed)
    harmed = contents(store, ALL)
    found = hold(store, False)
    assert {(one.relation, one.kind) for one in found.stretches} == done
    assert contents(store, ALL) == harmed, "looking changes nothing"
    assert hold(store, True).stretches == found.stretches
    assert contents(store, ALL) == before
    assert hold(store, False).stretches == []


def test_what_is_on_its_way_is_neither_missing_nor_extra_and_must_be_what_the_ledger_gives(
    records: list[Taken],
) -> None:
    store = new_store()
    run(FakeGroup(records), store)
    assert hold_topics(records, store, owed=200).stretches == []
    [last] = store.query("SELECT * FROM events FINAL ORDER BY sequence DESC, subject LIMIT 1")
    store.insert(RELATIONS["events"], [(*last[:-1], last[-1] ^ 1)])
    [found] = hold_topics(records, store, owed=200).stretches
    assert (found.relation, found.first, found.kind) == ("events", last[1], "different")


def test_an_empty_store_lacks_everything_and_gets_it_back(filled: tuple[Warehouse, Hold]) -> None:
    store, hold = filled
    before = contents(store, ALL)
    for name in COMPARED:
        store.remove(RELATIONS[name], [RELATIONS[name].of(*RELATIONS[name].key)(row) for row in before[name]])
    found = hold(store, True)
    assert all(one.kind == "missing" for one in found.stretches)
    assert sum(one.rows for one in found.stretches) == sum(found.rows.values())
    assert len([one for one in found.stretches if one.relation == "events"]) == len(NAMES)
    assert contents(store, ALL) == before


def test_rows_that_the_store_may_have_given_up_by_age_are_neither_missing_nor_extra(
    records: list[Taken],
) -> None:
    store = new_store()
    run(FakeGroup(records), store)
    moments = sorted(time for (time,) in store.query("SELECT time FROM events FINAL"))
    since = moments[len(moments) // 2]
    old = store.query("SELECT subject, sequence FROM events FINAL WHERE time < {since:DateTime64(6, 'UTC')}",
                      {"since": since})  # fmt: skip
    store.remove(RELATIONS["events"], old[::2])
    assert hold_topics(records, store, kept_since=since).stretches == []
    assert sum(one.rows for one in hold_topics(records, store).stretches) == len(old[::2])


def test_poison_lines_delivered_again_and_lines_for_one_place_are_compared_as_sinks_store_them() -> None:
    records = topics_of(lively(110))
    store = new_store()
    run(FakeGroup(records), store)
    held = {name: len(rows) for name, rows in contents(store).items()}
    assert held["dead_letters"] > 3
    found = hold_topics(records, store)
    assert found.stretches == []
    assert found.rows["events"] == held["events"]


def topics_of(records: Sequence[LedgerRecord]) -> list[Taken]:
    """The topics behind a fold of these records of one partition."""
    fold, out = PartitionFold(0), Topics()
    for one in records:
        headers: Any = [("content-type", one.content_type.encode())]
        out.records.append(Taken((EVENTS.name, 0), one.offset, one.key, one.value, headers, one.at))
        into = FoldedRecords()
        fold.take(one, into)
        for message in into.messages:
            out.put(message)
    out.put_all(fold.checkpoint(whole=True))
    return out.records
