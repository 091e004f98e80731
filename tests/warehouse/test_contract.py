"""What every warehouse owes, run against the twin in memory, the engine in process, and a real server."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from processors.runtime.store.warehouse import Misfit, StoreOfAnotherRelease, Warehouse, WarehouseError
from schemas.warehouse import MIGRATIONS, RELATIONS, Column, Migration
from schemas.warehouse.migrations import AddColumn
from tests.warehouse.samples import EVERY_KIND, MIDNIGHT, WILD, WITH_SAMPLE, Open, opener, row

ALL = "SELECT * FROM every_kind FINAL ORDER BY subject, number"


@pytest.fixture(params=["memory", "chdb", pytest.param("server", marks=pytest.mark.live)])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    server = None
    if request.param == "server":
        server = (*request.getfixturevalue("clickhouse"), request.getfixturevalue("database"))
    yield from opener(request.param, tmp_path, server)


@pytest.fixture
def store(open_store: Open) -> Warehouse:
    store = open_store()
    store.migrate()
    return store


def test_a_row_comes_back_as_it_went_in(store: Warehouse) -> None:
    store.insert(EVERY_KIND, [row()])
    assert store.query(ALL) == [row()]


def test_text_with_every_awkward_character_survives_as_value_and_as_parameter(store: Warehouse) -> None:
    wild = row(word=WILD, cards=(WILD, ""))
    store.insert(EVERY_KIND, [wild, row(number=2, word="tame")])
    found = store.query("SELECT * FROM every_kind FINAL WHERE word = {word:String}", {"word": WILD})
    assert found == [wild]


@pytest.mark.parametrize(
    ("condition", "value", "numbers"),
    [
        ("number >= {value:UInt32}", 2, [2, 3]),
        ("cents < {value:Int64}", -(2**62), [1, 3]),
        ("moment > {value:DateTime64(6, 'UTC')}", MIDNIGHT, [3]),
        (
            "moment = {value:DateTime64(6, 'UTC')}",
            MIDNIGHT.astimezone(dt.timezone(dt.timedelta(hours=-5))),
            [1, 2],
        ),
        ("day = {value:Date32}", dt.date(2026, 2, 27), [2]),
        ("flag = {value:Bool}", False, [3]),
        ("share < {value:Float64}", 0.5, [1, 2]),
        ("subject = {value:String}", "nobody", []),
        ("agrees IS NULL AND number != {value:UInt8}", 1, [3]),
    ],
)
def test_parameters_select_by_type(store: Warehouse, condition: str, value: Any, numbers: list[int]) -> None:
    later = MIDNIGHT + dt.timedelta(microseconds=1)
    store.insert(
        EVERY_KIND,
        [
            row(1),
            row(2, cents=0, day=dt.date(2026, 2, 27), agrees=True),
            row(3, moment=later, flag=False, share=2.0),
        ],
    )
    sql = f"SELECT number FROM every_kind FINAL WHERE {condition} ORDER BY number"
    assert [number for (number,) in store.query(sql, {"value": value})] == numbers


def test_of_two_rows_with_one_key_the_larger_version_stays_whatever_the_order(store: Warehouse) -> None:
    store.insert(EVERY_KIND, [row(1, version=2, cents=20)])
    store.insert(EVERY_KIND, [row(1, version=1, cents=10)])
    store.insert(EVERY_KIND, [row(2, version=1, cents=10)])
    store.insert(EVERY_KIND, [row(2, version=2, cents=20)])
    assert store.query(ALL) == [row(1, version=2, cents=20), row(2, version=2, cents=20)]


def test_rows_inserted_twice_are_there_once(store: Warehouse) -> None:
    rows = [row(number) for number in range(50)]
    store.insert(EVERY_KIND, rows)
    store.insert(EVERY_KIND, rows[20:])
    assert store.query("SELECT count(), sum(seat) FROM every_kind FINAL") == [(50, 300)]


def test_rows_that_are_taken_out_are_gone_whatever_their_version_and_come_back_by_an_insert(
    store: Warehouse,
) -> None:
    store.insert(EVERY_KIND, [row(1), row(2, version=9), row(3, subject=WILD), row(4)])
    key = EVERY_KIND.of(*EVERY_KIND.key)
    store.remove(EVERY_KIND, [key(row(2)), key(row(3, subject=WILD)), key(row(77))])
    assert store.query(ALL) == [row(1), row(4)]
    store.insert(EVERY_KIND, [row(2, version=1)])
    assert store.query(ALL) == [row(1), row(2, version=1), row(4)]
    store.remove(EVERY_KIND, [])
    assert len(store.query(ALL)) == 3


def test_one_insert_may_span_more_months_than_the_engine_likes_by_itself(store: Warehouse) -> None:
    months = [dt.datetime(1990 + n // 12, n % 12 + 1, 1, tzinfo=dt.UTC) for n in range(150)]
    store.insert(EVERY_KIND, [row(n, moment=month) for n, month in enumerate(months)])
    assert [r[3] for r in store.query(ALL)] == months


def test_no_rows_are_no_insert(store: Warehouse) -> None:
    store.insert(EVERY_KIND, [])
    assert store.query(ALL) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"seat": 256},
        {"seat": -1},
        {"number": 2**32},
        {"cents": 2**63},
        {"cents": 1.5},
        {"cents": None},
        {"word": 7},
        {"moment": dt.datetime(2026, 1, 1)},  # noqa: DTZ001 - the point: a time without zone is refused
        {"cards": "As"},
        {"sequences": (-1,)},
    ],
    ids=str,
)
def test_a_row_that_does_not_fit_is_refused_with_all_that_came_with_it(
    store: Warehouse, changes: dict[str, Any]
) -> None:
    with pytest.raises(Misfit, match="every_kind"):
        store.insert(EVERY_KIND, [row(1), row(**{"number": 2, **changes})])
    with pytest.raises(Misfit):
        store.insert(EVERY_KIND, [row(1), row(2)[:-1]])
    assert store.query(ALL) == []


def test_what_the_engine_does_not_take_is_an_error_in_one_line_and_the_store_goes_on(
    store: Warehouse,
) -> None:
    for sql in ("SELEC 1", "SELECT * FROM nowhere", "SELECT {absent:String}"):
        with pytest.raises(WarehouseError) as raised:
            store.query(sql)
        assert "\n" not in str(raised.value)
    store.insert(EVERY_KIND, [row()])
    assert store.query(ALL) == [row()]


def test_every_relation_of_the_release_is_there_and_empty_after_migration(store: Warehouse) -> None:
    for name, relation in RELATIONS.items():
        columns = ", ".join(f"`{column}`" for column in relation.column_names)
        assert store.query(f"SELECT {columns} FROM {name} FINAL") == []


def test_migrating_again_does_nothing(store: Warehouse) -> None:
    assert store.migrate() == ()


def test_a_new_column_reaches_rows_that_are_there(tmp_path: Path, open_store: Open) -> None:
    store = open_store(MIGRATIONS)
    assert store.migrate() == MIGRATIONS
    progress = RELATIONS["progress"]
    store.insert(progress, [("FB90-1", 7, 7, "00", "", 1)])
    column = Column("note", "String", "added later")
    longer = (*MIGRATIONS, Migration(len(MIGRATIONS) + 1, "a note", (AddColumn("progress", column),)))
    store._migrations = longer  # type: ignore[attr-defined]  # the next release opens the same store
    assert store.migrate() == longer[-1:]
    store.insert(progress.with_column(column), [("FB90-2", 9, 9, "00", "", 1, "new")])
    assert store.query("SELECT subject, next_sequence, note FROM progress FINAL ORDER BY subject") == [
        ("FB90-1", 7, ""),
        ("FB90-2", 9, "new"),
    ]


def test_a_store_of_a_newer_release_is_refused_with_the_way_out(store: Warehouse) -> None:
    store._migrations = MIGRATIONS  # type: ignore[attr-defined]  # an older release opens the same store
    with pytest.raises(StoreOfAnotherRelease, match="newer"):
        store.migrate()


def test_a_store_that_saw_another_migration_of_that_number_is_refused(store: Warehouse) -> None:
    other = (*MIGRATIONS, Migration(len(MIGRATIONS) + 1, "another", WITH_SAMPLE[-1].operations))
    store._migrations = other  # type: ignore[attr-defined]  # a release with another history
    with pytest.raises(StoreOfAnotherRelease, match="not this release's"):
        store.migrate()


def test_clearing_leaves_relations_without_rows_and_migrations_as_they_were(store: Warehouse) -> None:
    store.insert(EVERY_KIND, [row()])
    store.insert(RELATIONS["progress"], [("FB90-1", 7, 7, "00", "", 1)])
    store.clear()
    assert store.query(ALL) == []
    assert store.query("SELECT * FROM progress FINAL") == []
    assert store.migrate() == ()


_numbers = st.integers(0, 5)
_batches = st.lists(st.lists(st.tuples(_numbers, st.integers(0, 3)), max_size=6), max_size=6)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=_batches)
def test_any_inserts_leave_for_each_key_the_last_of_its_largest_version(
    store: Warehouse, batches: list[list[tuple[int, int]]]
) -> None:
    store.clear()
    kept: dict[int, tuple[int, int]] = {}
    for at, batch in enumerate(batches):
        # Within one insert a key has one row: the fold names each row once.
        rows = {number: row(number, version=version, cents=at) for number, version in batch}
        store.insert(EVERY_KIND, list(rows.values()))
        for number, inserted in rows.items():
            if number not in kept or inserted[2] >= kept[number][0]:
                kept[number] = (inserted[2], at)
    found = store.query("SELECT number, version, cents FROM every_kind FINAL ORDER BY number")
    assert found == [(number, *kept[number]) for number in sorted(kept)]
