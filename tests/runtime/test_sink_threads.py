"""Relations that are stored at once: the same rows, and behind a failure nothing is left at work."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from processors.runtime.sink.intake import Intake
from processors.runtime.sink.store import BatchStore
from processors.runtime.store.rows import Rows
from processors.runtime.store.warehouse import Row, WarehouseError
from schemas.warehouse import RELATIONS, Relation
from tests.embedded.ledgers import contents, new_store
from tests.runtime.topics import folded_topics, ledger_of
from tests.warehouse.memory_warehouse import MemoryWarehouse

NAMES = ("breach_masque_wrong", "breach_surrender_after_hit")


@pytest.fixture(scope="module")
def rows() -> Rows:
    intake = Intake()
    for record in folded_topics(ledger_of(NAMES)):
        intake.take(record)
    return intake.rows


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as pool:
        yield pool


class Watched:
    """A warehouse that takes a moment for each insert, and notes which were under way together and in what order."""

    def __init__(self, fails: str = "") -> None:
        self.store: MemoryWarehouse = new_store()
        self.fails = fails
        self.ended: list[str] = []
        self.at_work = self.most = 0
        self._guard = threading.Lock()

    def insert(self, relation: Relation, rows: Sequence[Row]) -> None:
        with self._guard:
            self.at_work += 1
            self.most = max(self.most, self.at_work)
        try:
            if relation.name == self.fails:
                raise WarehouseError(relation.name, "no room", "make some")
            time.sleep(0.05)
            self.store.insert(relation, rows)
        finally:
            with self._guard:
                self.at_work -= 1
                self.ended.append(relation.name)

    def __getattr__(self, name: str) -> object:
        return getattr(self.store, name)


def test_relations_stored_at_once_hold_the_rows_of_one_after_the_other(
    rows: Rows, threads: ThreadPoolExecutor
) -> None:
    alone, together = Watched(), Watched()
    first = BatchStore(alone).store(rows)  # type: ignore[arg-type]  # a warehouse, and more
    second = BatchStore(together, threads).store(rows)  # type: ignore[arg-type]  # as above
    assert (alone.most, second) == (1, first)
    assert together.most > 1
    assert contents(together.store, tuple(RELATIONS)) == contents(alone.store, tuple(RELATIONS))
    at = together.ended.index
    assert at("rounds") > max(
        at(name)
        for name in ("events", "patrons", "account_events", "hands", "stakes", "takings", "racks", "findings")
    )
    assert at("progress") == len(together.ended) - 1


@pytest.mark.parametrize("fails", ["events", "hands", "rounds"])
def test_behind_a_failure_nothing_is_at_work_and_a_second_try_stores_all(
    rows: Rows, threads: ThreadPoolExecutor, fails: str
) -> None:
    store, clean = Watched(fails), Watched()
    with pytest.raises(WarehouseError):
        BatchStore(store, threads).store(rows)  # type: ignore[arg-type]  # as above
    assert store.at_work == 0
    assert "progress" not in store.ended
    store.fails = ""
    BatchStore(store, threads).store(rows)  # type: ignore[arg-type]  # as above
    BatchStore(clean).store(rows)  # type: ignore[arg-type]  # as above
    assert contents(store.store, tuple(RELATIONS)) == contents(clean.store, tuple(RELATIONS))
