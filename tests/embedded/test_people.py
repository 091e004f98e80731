"""Suspicions about people in one process: joined over tables, kept over any end, the same when all is folded again."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
import pytest

from processors.detectors.shapes import Observation
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.embedded.progress import StoreDiverged
from processors.runtime.reconcile.embedded_ledger import hold_ledger
from processors.runtime.store.warehouse import Warehouse
from producers.log import EventLog
from producers.memory_log import MemoryLog
from schemas.findings import Finding
from schemas.warehouse import RELATIONS
from tests.detectors.steered import by_count, lines_of
from tests.detectors.worlds import changed, mispaid, observed, table, weighed
from tests.embedded.ledgers import contents, new_store
from tests.embedded.test_crashes import Crash, Mortal
from tests.warehouse.memory_warehouse import MemoryWarehouse

_read = msgspec.json.Decoder(Finding).decode


@cache
def streams() -> Mapping[str, Sequence[bytes]]:
    """At each of two tables she overpays too few hands to tell, and together they are enough."""
    return {f"S-{n}": changed(table(n, 50), mispaid(0.03, n + 7, way="patrons")) for n in (1, 2)}


def in_order_of_time(tables: Mapping[str, Sequence[bytes]] | None = None) -> Iterator[tuple[str, bytes]]:
    """The lines of these tables as they are recorded where nothing is late; without any, those of `streams`."""
    timed = [
        [(json.loads(line)["time"], subject, number, line) for number, line in enumerate(lines)]
        for subject, lines in (tables or streams()).items()
    ]
    for _, subject, _, line in heapq.merge(*timed):
        yield subject, line


def ledger_of(lines: Sequence[tuple[str, bytes]]) -> EventLog:
    log = MemoryLog()
    start = 0
    while start < len(lines):
        subject, end = lines[start][0], start
        while end < len(lines) and lines[end][0] == subject:
            end += 1
        log.append(subject, [line for _, line in lines[start:end]], log.head(subject))
        start = end
    return log


@pytest.fixture(scope="module")
def ledger() -> EventLog:
    return ledger_of(list(in_order_of_time()))


@pytest.fixture(scope="module")
def folded(ledger: EventLog) -> Warehouse:
    store = new_store()
    EmbeddedFold(ledger, store).catch_up()
    return store


def passed() -> list[Observation]:
    return [one for lines in streams().values() for one in observed(lines)[1]]


def of_people(store: Warehouse) -> list[Finding]:
    """Suspicions about dealers and players that the store holds, in the order of its events."""
    rows = store.query(
        "SELECT record FROM findings FINAL WHERE verdict = 'suspected' ORDER BY subject, sequence, ordinal"
    )
    found = [_read(record) for (record,) in rows]
    return [one for one in found if isinstance(one.about, dict) and {"dealer", "player"} & one.about.keys()]


def states(store: Warehouse) -> list[Any]:
    return store.query(
        "SELECT * FROM progress FINAL WHERE next_sequence = 0 AND subject != '' ORDER BY subject"
    )


def test_what_replay_suspects_of_people_stands_in_the_store(folded: Warehouse) -> None:
    expected = weighed(sorted(passed(), key=lambda one: one.order))
    assert {"pattern.dealer_mispay.for_patrons"} <= {one.check for one in expected}
    assert sorted(of_people(folded), key=lambda f: f.finding_id) == sorted(
        expected, key=lambda f: f.finding_id
    )
    assert {row[0].partition(":")[0] for row in states(folded)} == {"dealer", "player"}


@pytest.mark.parametrize("ends", [(9, 16), pytest.param((2, 17), marks=pytest.mark.soak)])
def test_a_process_that_ends_at_any_insert_raises_the_same_and_keeps_the_same(
    ledger: EventLog, folded: Warehouse, ends: tuple[int, ...]
) -> None:
    clean, known = contents(folded), states(folded)
    for inserts in ends:
        store = new_store()
        with pytest.raises(Crash):
            _run(ledger, Mortal(store, inserts, after=inserts % 2 == 0))
        _run(ledger, store)
        assert (contents(store), states(store)) == (clean, known), f"insert {inserts}"


def _run(ledger: EventLog, store: Mortal | MemoryWarehouse) -> None:
    fold = EmbeddedFold(ledger, store)
    while fold.fold(1_500).events:
        fold.store()


def test_people_that_are_further_than_the_tables_are_not_told_twice(
    ledger: EventLog, folded: Warehouse
) -> None:
    """An engine may keep the first rows of an insert that it did not finish."""
    store = new_store()
    fold = EmbeddedFold(ledger, store)
    fold.fold(3_500)
    fold.store()
    fold.fold(1_500)
    ahead = EmbeddedFold(ledger, new_store())
    ahead.fold(5_000)
    ahead.store()
    store.insert(RELATIONS["findings"], ahead._warehouse.query("SELECT * FROM findings FINAL"))
    store.insert(RELATIONS["progress"], states(ahead._warehouse))
    _run(ledger, store)
    assert (contents(store), states(store)) == (contents(folded), states(folded))


def test_a_table_that_was_recorded_late_is_weighed_when_it_comes() -> None:
    late = ledger_of([(subject, line) for subject in ("S-2", "S-1") for line in streams()[subject]])
    stores = [new_store(), new_store()]
    for store, step in zip(stores, (20_000, 1_100), strict=True):
        fold = EmbeddedFold(late, store)
        while fold.fold(step).events:
            fold.store()
    said = [{(one.check, str(one.about)) for one in of_people(store)} for store in stores]
    in_time = {(one.check, str(one.about)) for one in weighed(sorted(passed(), key=lambda one: one.order))}
    assert said == [in_time, in_time]
    assert contents(stores[0]) == contents(stores[1])


def test_reconciling_weighs_again_and_names_what_was_altered(ledger: EventLog) -> None:
    store = new_store()
    EmbeddedFold(ledger, store).catch_up()
    assert hold_ledger(ledger, store).identical
    (suspicion, *_) = of_people(store)
    key = RELATIONS["findings"].of(*RELATIONS["findings"].key)
    [row] = store.query(f"SELECT * FROM findings FINAL WHERE finding_id = '{suspicion.finding_id}'")
    store.remove(RELATIONS["findings"], [key(row)])
    dealer, player, *_ = [row[0] for row in states(store) if row[0].startswith(("dealer", "player"))]
    store.remove(RELATIONS["progress"], [(dealer,)])
    [known] = [row for row in states(store) if row[0] == player]
    store.insert(
        RELATIONS["progress"], [(*known[:2], known[2] + 1, *known[3:]), ("player:P-nobody", *known[1:])]
    )
    found = hold_ledger(ledger, store, repair=True)
    named = {(one.relation, one.subject, one.kind) for one in found.stretches}
    assert named == {
        ("findings", suspicion.subject, "missing"),
        ("progress", dealer, "missing"),
        ("progress", player, "different"),
        ("progress", "player:P-nobody", "extra"),
    }
    assert f"progress of {dealer}: 1 row missing" in map(str, found.stretches)
    assert hold_ledger(ledger, store).identical


def test_a_state_that_cannot_be_read_is_said_in_one_line(ledger: EventLog) -> None:
    store = new_store()
    EmbeddedFold(ledger, store).catch_up()
    [known, *_] = states(store)
    store.insert(RELATIONS["progress"], [(*known[:2], known[2] + 1, known[3], "AAAA", known[5])])
    with pytest.raises(StoreDiverged, match=f"of {known[0]} cannot be read"):
        EmbeddedFold(ledger, store)


def test_evidence_about_a_dealer_whom_her_table_judges_is_the_tables() -> None:
    lines = lines_of(1, 130, cover=by_count(0.95), ruleset="free_bet_590", decks=2)
    fold = EmbeddedFold(ledger_of([("S-1", line) for line in lines]), new_store())
    found = [one for call in _calls(fold) for one in call if one.check.startswith("pattern.cut_steering")]
    [about] = [one.about for one in found]
    assert about == {"dealer": "D-011", "table": "S-1"}
    assert [fold.evidence(one) >= float(one.e_value or 0) for one in found] == [True]


def _calls(fold: EmbeddedFold) -> Iterator[list[Finding]]:
    while (call := fold.fold(20_000)).events:
        yield [finding for one in call.decided for finding in one.outcome.findings]
