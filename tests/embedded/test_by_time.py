"""Rounds, hands and stakes are kept by time too: of a short time at all tables no more is read than lies in it."""

from __future__ import annotations

import datetime as dt
import re
import time
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import pytest

from benchmarks.console.searching import configured
from benchmarks.hands import store as made
from dashboards.reader import search
from dashboards.reader.newest import WantedRounds, how_many, newest_rounds
from dashboards.reader.played import Played
from dashboards.reader.question import Parameter
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.form import drifts
from schemas.warehouse import MIGRATIONS, Topology
from tests.embedded.ledgers import EXAMPLES

ROUNDS = 100_000
BEFORE = MIGRATIONS[:5]
LINES = EXAMPLES / "lawful_free_bet_590.ndjson"
_READ = re.compile(r"Granules: (\d+)/")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChdbWarehouse]:
    """A store that an older release filled, brought to the form of this release."""
    path = tmp_path_factory.mktemp("by_time") / "warehouse"
    older = ChdbWarehouse(path, BEFORE)
    older.migrate()
    made.fill(older, ROUNDS, configured(LINES.read_bytes().splitlines()[:1]))
    older.close()
    held = ChdbWarehouse(path)
    assert held.migrate() == MIGRATIONS[5:]
    until = time.monotonic() + 60
    while held.query("SELECT 1 FROM system.mutations WHERE NOT is_done LIMIT 1") and time.monotonic() < until:
        time.sleep(0.05)
    yield held
    held.close()


class Explaining:
    """Answers as the store does, and keeps how many granules each question reads in the order of keys and of time."""

    def __init__(self, store: ChdbWarehouse) -> None:
        self._store = store
        self.by_key: list[int] = []
        self.by_time: list[int] = []

    def query(
        self, sql: str, parameters: Mapping[str, Parameter] = MappingProxyType({})
    ) -> list[tuple[Any, ...]]:
        lines = [str(line) for (line,) in self._store.query(f"EXPLAIN indexes = 1 {sql}", parameters)]
        for step in "\n".join(lines).split("ReadFromMergeTree")[1:]:
            read = self.by_time if step.startswith(" (by_time)") else self.by_key
            read.extend(int(last) for last in _READ.findall(step)[-1:])
        return self._store.query(sql, parameters)


LAST = made.began(made.TABLES - 1, ROUNDS // made.TABLES) + dt.timedelta(seconds=50)
QUARTER = dt.timedelta(minutes=15)


def test_a_quarter_of_an_hour_of_all_tables_is_read_without_the_rest(store: ChdbWarehouse) -> None:
    since = LAST - dt.timedelta(hours=12)
    wanted = WantedRounds(
        since=since, until=since + QUARTER, moments=((since, since + QUARTER),), played=Played(total=20)
    )
    asked = Explaining(store)
    rows = newest_rounds(asked, wanted)
    assert how_many(asked, wanted, 1_000, rows) > len(rows) == 50
    # Which version is the newest is asked by key, whenever the others were written; nothing else of all.
    *others, most = sorted([*asked.by_key, *asked.by_time])
    assert len(others) == 6
    assert others[-1] <= 2 < most, "more is read than lies in the quarter"


def test_what_stands_beside_the_rounds_of_a_list_is_read_by_time(store: ChdbWarehouse) -> None:
    rows = newest_rounds(store, WantedRounds(since=LAST - QUARTER, until=LAST))
    assert len({row.subject for row in rows}) > 40
    asked = Explaining(store)
    assert {one.key for one in search.staked_in(rows).ask(asked)} == {row.key for row in rows}
    assert {one.key for one in search.hands_in(rows).ask(asked)} == {row.key for row in rows}
    assert asked.by_key == []
    assert max(asked.by_time) <= 2


def test_a_store_of_an_older_release_has_its_rounds_by_time_after_the_migration(store: ChdbWarehouse) -> None:
    assert drifts(store, Topology()) == []
    parts = store.query(
        "SELECT table, sum(rows) FROM system.projection_parts WHERE active AND name = 'by_time'"
        " AND database = currentDatabase() GROUP BY table ORDER BY table"
    )
    assert parts == [("hands", 2 * ROUNDS), ("rounds", ROUNDS), ("stakes", ROUNDS)]
