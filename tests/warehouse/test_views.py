"""The views for people: each row once, as it stands, at the price of what is asked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from processors.runtime.store.form import Drift, drifts
from processors.runtime.store.warehouse import Warehouse
from schemas.warehouse import RELATIONS, VIEWS, Topology, View
from schemas.warehouse.ddl import create_view
from tests.console.books import recounted, store_of, streams

CURRENT = {view.name: view for view in VIEWS if not view.parameters}
REVENUE = "revenue_by_table_and_day(first = '2026-03-01', last = '2026-03-31')"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with store_of(tmp_path_factory.mktemp("views")) as held:
        yield held


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_a_view_says_what_it_and_each_of_its_columns_holds(store: Warehouse, view: View) -> None:
    assert all(one.comment for one in view.columns)
    assert view.grain.startswith("one row for each ")
    if view.parameters:
        [(made,)] = store.query(
            "SELECT create_table_query FROM system.tables WHERE name = {name:String}", {"name": view.name}
        )
        assert all(f"`{one.name}` {one.type} COMMENT" in made for one in view.columns)
        return
    columns = store.query(
        "SELECT name, type, comment FROM system.columns"
        " WHERE database = 'catwalk' AND table = {name:String} ORDER BY position",
        {"name": view.name},
    )
    assert columns == [(one.name, one.type, one.comment) for one in view.columns]
    assert store.query(f"SELECT * FROM {view.name} LIMIT 1")


@pytest.mark.parametrize("name", CURRENT)
def test_a_row_that_was_written_again_is_there_once_and_as_the_newest_fold_wrote_it(
    store: Warehouse, name: str
) -> None:
    relation = RELATIONS[name.removeprefix("current_")]
    columns = ", ".join(f"`{column}`" for column in relation.column_names)
    key = ", ".join(f"`{column}`" for column in relation.key)
    [first, *_] = rows = store.query(f"SELECT {columns} FROM {relation.name} FINAL ORDER BY {key}")
    version = relation.column_names.index("fold_version")
    older = (*first[:version], 0, *first[version + 1 :])
    store.insert(relation, [older, first])
    seen = ", ".join(
        f"`{column.name}`" for column in CURRENT[name].columns if column.name in relation.column_names
    )
    assert store.query(f"SELECT count() FROM {name}") == [(len(rows),)]
    assert store.query(f"SELECT {seen} FROM {name} ORDER BY {key}") == store.query(
        f"SELECT {seen} FROM {relation.name} FINAL ORDER BY {key}"
    )


def test_revenue_is_what_the_raw_lines_add_up_to(store: Warehouse) -> None:
    counted = {
        (subject, day): (sums["rounds"], sums["handle"], sums["win"])
        for subject, lines in streams().items()
        for day, sums in recounted(lines).items()
    }
    found = store.query(
        "SELECT subject, toString(gaming_day), sum(rounds), sum(handle_cents), sum(win_cents)"
        f" FROM {REVENUE} GROUP BY subject, gaming_day"
    )
    assert {(subject, day): tuple(sums) for subject, day, *sums in found} == counted


def test_what_a_stake_was_overpaid_is_what_the_days_say(store: Warehouse) -> None:
    stakes = store.query(
        "SELECT subject, ifNull(sumIf(overpaid_cents, overpaid_cents > 0), 0),"
        " ifNull(-sumIf(overpaid_cents, overpaid_cents < 0), 0),"
        " countIf(overpaid_cents IS NOT NULL) FROM current_stakes GROUP BY subject ORDER BY subject"
    )
    assert stakes == store.query(
        "SELECT subject, sum(overpaid_cents), sum(underpaid_cents), sum(judged)"
        f" FROM {REVENUE} GROUP BY subject ORDER BY subject"
    )
    assert sum(more + less for _, more, less, _ in stakes) > 0


@pytest.mark.parametrize("name", CURRENT)
def test_who_asks_for_one_table_reads_no_other(store: Warehouse, name: str) -> None:
    said = "\n".join(
        line for (line,) in store.query(f"EXPLAIN indexes = 1 SELECT * FROM {name} WHERE subject = 'FB-1'")
    )
    keys = said[said.index("PrimaryKey") :]
    assert "subject in ['FB-1', 'FB-1']" in keys


def test_a_view_that_is_missing_or_says_something_else_is_a_drift(store: Warehouse) -> None:
    assert drifts(store, Topology()) == []
    store.query("DROP VIEW current_hands")
    assert drifts(store, Topology()) == [Drift("current_hands", "view", "exists", None)]
    store.query("CREATE VIEW current_hands AS SELECT subject FROM hands")
    found = {one.field for one in drifts(store, Topology())}
    assert {"comment", "column subject", "column cards"} <= found
    store.query("DROP VIEW current_hands")
    store.query(create_view(CURRENT["current_hands"], Topology()))
    assert drifts(store, Topology()) == []
