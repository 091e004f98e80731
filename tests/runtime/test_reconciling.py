"""The worker that holds the store against the ledger again and again, and what the health page says of it."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable

import pytest

from dashboards.reader.question import RecordsAway
from deploy.audit import reconciling
from deploy.audit.reconciling import ReconcileWorker
from deploy.console.vitals import compared_vital
from processors.runtime.reconcile.memory import Last, last_of, remember
from processors.runtime.reconcile.reconciler import Reconciled
from processors.runtime.reconcile.stretches import Stretch
from processors.runtime.store.warehouse import Warehouse, WarehouseError
from tests.embedded.ledgers import new_store

Advance = Callable[[int], None]
LOST = Stretch("rounds", "FB-12", 5, 17, "missing", 13)


def found(*stretches: Stretch, repaired: bool = False, tables: tuple[str, ...] = ("FB-12",)) -> Reconciled:
    return Reconciled(subjects=tables, rows={}, stretches=list(stretches), repaired=repaired)


def now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


class Comparing:
    """A store, and comparisons that find what they are told to find."""

    def __init__(self, *finds: Reconciled | Exception) -> None:
        self.store: Warehouse = new_store()
        self.finds = list(finds)
        self.done = 0

    def compare(self, advance: Advance) -> str:
        advance(10)
        self.done += 1
        one = self.finds.pop(0)
        if isinstance(one, Exception):
            raise one
        remember(self.store, one, now())
        return ""

    def recall(self) -> Last | None:
        return last_of(self.store)


async def at_work(worker: ReconcileWorker, until: Callable[[], bool]) -> None:
    """Let it work until this is so."""
    stop = asyncio.Event()
    working = asyncio.create_task(worker.run(stop, "127.0.0.1", 0))
    async with asyncio.timeout(10):
        while not until():
            await asyncio.sleep(0.005)
    stop.set()
    await asyncio.wait_for(working, 30)


def test_it_compares_at_its_hours_tells_what_it_found_and_names_no_table() -> None:
    comparing = Comparing(found(LOST), found())
    worker = ReconcileWorker(comparing.compare, comparing.recall, every_hours=0.2 / 3600)

    async def story() -> None:
        await at_work(worker, lambda: bool(worker.health.without))
        assert worker.health.ready
        assert "13 rows are not" in str(worker.health.without)
        text = worker.metrics.text().decode()
        assert 'catwalk_reconciled_wrong_rows{worker="reconcile"} 13.0' in text
        assert "FB-12" not in str(worker.health.without)
        await at_work(worker, lambda: comparing.done == 2 and not worker.health.without)
        assert 'catwalk_reconciled_wrong_rows{worker="reconcile"} 0.0' in worker.metrics.text().decode()

    asyncio.run(story())


def test_a_comparison_made_lately_by_anybody_is_not_made_again() -> None:
    comparing = Comparing()
    remember(comparing.store, found(), now())
    worker = ReconcileWorker(comparing.compare, comparing.recall, every_hours=24)
    asyncio.run(at_work(worker, lambda: worker.health.ready))
    assert comparing.done == 0


def test_what_a_person_put_right_meanwhile_is_told_before_the_next_comparison(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reconciling, "_RECALLED", 0.01)
    comparing = Comparing(found(LOST))
    worker = ReconcileWorker(comparing.compare, comparing.recall, every_hours=24)

    async def story() -> None:
        await at_work(worker, lambda: bool(worker.health.without))
        remember(comparing.store, found(LOST, repaired=True), now())
        await at_work(worker, lambda: not worker.health.without)
        assert 'catwalk_reconciled_wrong_rows{worker="reconcile"} 0.0' in worker.metrics.text().decode()

    asyncio.run(story())
    assert comparing.done == 1


def test_what_cannot_be_compared_is_said_and_the_worker_goes_on() -> None:
    comparing = Comparing(WarehouseError("the store", "it does not answer", "repair it"))
    worker = ReconcileWorker(comparing.compare, comparing.recall, every_hours=24)
    asyncio.run(
        at_work(
            worker, lambda: "not compared: the store: it does not answer; repair it" in str(worker.health.why)
        )
    )


def test_told_to_end_it_ends_in_the_middle_of_a_comparison() -> None:
    comparing = Comparing()

    def without_end(advance: Advance) -> str:
        comparing.done += 1
        while True:
            advance(1)

    worker = ReconcileWorker(without_end, comparing.recall, every_hours=24)
    asyncio.run(at_work(worker, lambda: comparing.done == 1))


def test_what_was_found_is_remembered_table_by_table_and_what_is_put_right_is_no_fault() -> None:
    store = new_store()
    assert last_of(store) is None
    begun = now()
    remember(store, found(LOST, Stretch("events", "GONE", 1, 3, "extra", 3), tables=("FB-12", "T")), begun)
    last = last_of(store)
    assert last is not None
    assert (last.tables, last.rows, last.first) == (3, 16, str(LOST))
    remember(store, found(LOST, repaired=True, tables=("FB-12", "T")), begun + dt.timedelta(seconds=1))
    last = last_of(store)
    assert last is not None
    assert (last.rows, last.well) == (0, True), "a table that was found wrong before and is gone now is right"


@pytest.mark.parametrize(
    ("last", "again", "state"),
    [
        (None, None, "not known"),
        (None, 3600.0, "warning"),
        (Last(held_at=now(), tables=3, rows=0), 3600.0, "well"),
        (Last(held_at=now() - dt.timedelta(hours=2), tables=3, rows=0), 3600.0, "warning"),
        (Last(held_at=now() - dt.timedelta(hours=2), tables=3, rows=0), None, "well"),
        (Last(held_at=now(), tables=3, rows=7, first=str(LOST)), 3600.0, "failed"),
    ],
)
def test_the_health_page_says_what_was_found_and_when_and_names_no_table(
    last: Last | None, again: float | None, state: str
) -> None:
    vital = compared_vital("Store and ledger", lambda: last, again=again)
    assert vital.state == state
    assert "FB-12" not in vital.told
    assert bool(vital.remedy) == (state != "well" or last is None)


def test_a_store_that_cannot_be_asked_is_no_fault_of_its_rows() -> None:
    def away() -> Last | None:
        raise RecordsAway("no route")

    assert compared_vital("Store and ledger", away).state == "warning"
