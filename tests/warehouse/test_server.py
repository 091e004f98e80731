"""The store on a server: threads beside each other, a server that dies or falls silent, types of answers, clusters."""

from __future__ import annotations

import datetime as dt
import socket
import threading
from collections.abc import Callable, Iterator

import pytest

from deploy.stack.stack import Stack
from processors.runtime.store.client import ServerAddress, StoreAway
from processors.runtime.store.form import drifts
from processors.runtime.store.server_warehouse import ServerWarehouse
from processors.runtime.store.values import chunks
from processors.runtime.store.warehouse import WarehouseError
from schemas.warehouse import MIGRATIONS, Column, Relation, Topology
from schemas.warehouse.ddl import create
from tests.live.working import Proxy
from tests.warehouse.samples import EVERY_KIND, WITH_SAMPLE, row

EVERY_MOMENT = Relation(
    name="every_moment",
    grain="one row for each moment",
    columns=(Column("time", "DateTime64(6, 'UTC')", "when"), Column("number", "UInt32", "year")),
    key=("number",),
    version="number",
)
COUNT = "SELECT count() FROM every_kind FINAL"
OwnStack = Callable[..., Stack]


@pytest.fixture
def store(clickhouse: tuple[str, int], database: str) -> Iterator[ServerWarehouse]:
    host, port = clickhouse
    store = ServerWarehouse(ServerAddress(host=host, port=port), Topology(database), WITH_SAMPLE)
    store.migrate()
    yield store
    store.close()


def at(port: int, **changes: float) -> ServerWarehouse:
    address = ServerAddress(host="127.0.0.1", port=port, **changes)  # type: ignore[arg-type]  # seconds
    return ServerWarehouse(address, Topology("own"), WITH_SAMPLE)


def inserted_until_away(store: ServerWarehouse) -> int:
    """Insert rows one by one until the server is gone; how many it acknowledged."""
    for number in range(100_000):
        try:
            store.insert(EVERY_KIND, [row(number)])
        except StoreAway:
            return number
    raise AssertionError("the server was never away")


@pytest.mark.live
def test_the_form_on_the_server_is_the_form_declared(clickhouse: tuple[str, int], database: str) -> None:
    for years in (None, 5):
        topology = Topology(f"{database}_{years}", retention_years=years)
        store = ServerWarehouse(ServerAddress(host=clickhouse[0], port=clickhouse[1]), topology)
        assert store.migrate() == MIGRATIONS
        assert drifts(store, topology) == []
        store.query(f"DROP DATABASE {topology.database} SYNC")
        store.close()


@pytest.mark.live
def test_no_row_is_dropped_before_its_years_are_over_whatever_its_moment(
    store: ServerWarehouse, database: str
) -> None:
    """A moment that 32 bits do not hold would wrap round: with five years from 2104 on, to 1973."""
    for statement in create(EVERY_MOMENT, Topology(database, retention_years=5)):
        store.query(statement)
    years = (1900, 1969, 2010, 2026, 2099, 2104, 2106, 2200, 2299)
    rows = ", ".join(f"('{year}-06-01 00:00:00', {year})" for year in years)
    store.query(f"INSERT INTO every_moment VALUES {rows}")
    store.query("OPTIMIZE TABLE every_moment FINAL")
    assert store.query("SELECT number FROM every_moment ORDER BY number") == [
        (year,) for year in years if year >= 2026
    ]


@pytest.mark.live
def test_a_projection_that_is_not_there_is_a_drift(store: ServerWarehouse, database: str) -> None:
    store.query("ALTER TABLE patrons DROP PROJECTION by_seat")
    assert [(one.relation, one.field, one.found) for one in drifts(store, Topology(database))] == [
        ("patrons", "projection by_seat", None)
    ]


@pytest.mark.live
def test_a_connection_that_was_cut_while_nobody_asked_comes_back_to_its_own_database(
    clickhouse: tuple[str, int], store: ServerWarehouse, database: str
) -> None:
    proxy = Proxy(*clickhouse)
    own = ServerWarehouse(ServerAddress(host="127.0.0.1", port=proxy.port), Topology(database), WITH_SAMPLE)
    try:
        for _ in range(2):
            assert own.query("SELECT currentDatabase()") == [(database,)]
            proxy.cut()
    finally:
        own.close()
        proxy.close()
    assert store.query("SELECT 1") == [(1,)]


@pytest.mark.live
def test_threads_insert_and_read_beside_each_other_each_with_its_own_connection(
    store: ServerWarehouse,
) -> None:
    wrong: list[BaseException] = []

    def work(start: int) -> None:
        try:
            for n in range(start, start + 200, 20):
                store.insert(EVERY_KIND, [row(m) for m in range(n, n + 20)])
                assert store.query(COUNT)[0][0] % 20 == 0
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(1000 * k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert store.query(COUNT) == [(800,)]


@pytest.mark.live
def test_answers_hold_plain_python_values_whatever_the_type(store: ServerWarehouse) -> None:
    [found] = store.query(
        "SELECT toDateTime('2026-03-01 05:00:00', 'UTC'), toDateTime('2026-03-01 00:00:00', 'America/New_York'),"
        " toDateTime(1772341200), toDecimal64(1.25, 2), toUUID('00000000-0000-0000-0000-000000000007'),"
        " [toDateTime64('2026-03-01 05:00:00.000001', 6, 'UTC')], [[1, 2], []], (1, 'a'),"
        " CAST('x' AS Enum8('x' = 1)), toLowCardinality('w'), toNullable(true), NULL, [NULL, 'a'], 1.5"
    )
    five = dt.datetime(2026, 3, 1, 5, tzinfo=dt.UTC)
    assert found == (
        five, five, five, 1.25, "00000000-0000-0000-0000-000000000007",
        (five + dt.timedelta(microseconds=1),), ((1, 2), ()), [1, "a"],
        "x", "w", True, None, (None, "a"), 1.5,
    )  # fmt: skip
    assert all(value.tzinfo is dt.UTC for value in found[:3])


@pytest.mark.live
def test_a_wrong_statement_costs_the_connection_and_nothing_else(store: ServerWarehouse) -> None:
    for _ in range(3):
        with pytest.raises(WarehouseError, match="nowhere"):
            store.query("SELECT * FROM nowhere")
        store.insert(EVERY_KIND, [row()])
    assert store.query(COUNT) == [(1,)]


@pytest.mark.live
def test_an_insert_that_replaces_a_newer_row_by_the_same_bytes_as_before_is_not_taken_for_a_repeat(
    store: ServerWarehouse,
) -> None:
    store.query("ALTER TABLE every_kind MODIFY SETTING non_replicated_deduplication_window = 100")
    for cents in (1, 2, 1):
        store.insert(EVERY_KIND, [row(1, cents=cents)])
    assert store.query("SELECT cents FROM every_kind FINAL") == [(1,)]


def test_an_insert_reaches_into_no_more_months_than_the_server_allows() -> None:
    months = [dt.datetime(1990 + n // 12, n % 12 + 1, 1, tzinfo=dt.UTC) for n in range(250)]
    rows = [row(n, moment=months[n % 250]) for n in range(500)]
    parts = [list(part) for part in chunks(EVERY_KIND, rows, 100)]
    assert [len({r[3] for r in part}) for part in parts] == [100, 100, 50]
    assert sorted(r[1] for part in parts for r in part) == list(range(500))
    assert list(chunks(EVERY_KIND, rows[:100], 100)) == [rows[:100]]


@pytest.mark.live
def test_a_server_killed_while_rows_go_in_is_away_until_it_is_back_and_then_has_each_row_once(
    own_stack: OwnStack,
) -> None:
    server = own_stack(kafka=False).clickhouse
    store = at(server.port)
    store.migrate()
    killer = threading.Timer(0.3, server.process.kill)
    killer.start()
    acknowledged = inserted_until_away(store)
    killer.join()
    with pytest.raises(StoreAway, match="clickhouse_port"):
        store.query(COUNT)
    server.start()
    server.wait()
    assert store.query(COUNT)[0][0] in (acknowledged, acknowledged + 1)
    store.insert(EVERY_KIND, [row(n) for n in range(acknowledged + 5)])  # all again, and what was in doubt
    assert store.query(COUNT) == [(acknowledged + 5,)]
    store.close()


@pytest.mark.live
@pytest.mark.soak
def test_a_server_that_falls_silent_is_given_up_after_the_time_set(own_stack: OwnStack) -> None:
    server = own_stack(kafka=False).clickhouse
    patient = at(server.port)
    patient.migrate()
    store = at(server.port, connect_seconds=2.0, answer_seconds=2.0)
    assert store.query(COUNT) == [(0,)]
    server.process.pause()
    with pytest.raises(StoreAway):
        store.query("SELECT 1")
    with pytest.raises(StoreAway):
        store.insert(EVERY_KIND, [row()])
    server.process.resume()  # the engine may end itself over the answers it could not send: not asked any more
    store.close()
    patient.close()


def test_what_answers_on_the_port_and_is_no_clickhouse_is_away() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        thread = threading.Thread(target=lambda: other.accept()[0].close())
        thread.start()
        store = at(other.getsockname()[1])
        with pytest.raises(StoreAway) as raised:
            store.version()
        thread.join()
    assert "\n" not in str(raised.value)
    store.close()


def test_an_address_shows_no_password() -> None:
    assert "secret" not in repr(ServerAddress(password="secret"))
