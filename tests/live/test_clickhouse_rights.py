"""A server with the deployment's own users.d/catwalk.xml: each user does its work, and nothing beyond it.

The engine's library runs its own first query as `default`, whom the deployment removes; here that one is put back, for
this machine alone. After a sign-in that fails the library's process ends, so that is tried on a server of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deploy.console.vitals import store_vital
from deploy.stack.clickhouse import ClickHouse
from deploy.stack.ports import choose
from deploy.stack.processes import Process
from processors.runtime.store.client import ServerAddress
from processors.runtime.store.server_warehouse import ServerWarehouse
from processors.runtime.store.warehouse import WarehouseError
from schemas.answers import FOLD_VERSION
from schemas.warehouse import VIEWS, Topology
from tests.deploy.files import DEPLOY
from tests.live.test_stack import catwalk
from tests.warehouse.samples import EVERY_KIND, WITH_SAMPLE, row

PASSWORDS = {"admin": "over-there", "sink": "down-here", "reader": "up-there"}
DATABASE = f"catwalk_v{FOLD_VERSION}"
LOCAL = "<default><password/><networks><ip>127.0.0.1</ip></networks><profile>default</profile>"
Open = Callable[..., ServerWarehouse]


@contextmanager
def serving(folder: Path) -> Iterator[int]:
    """The port of a server with the deployment's users, migrated."""
    users = (DEPLOY / "clickhouse" / "users.d" / "catwalk.xml").read_text(encoding="utf-8")
    assert '<default remove="remove"/>' in users
    users = users.replace('<default remove="remove"/>', LOCAL + "<quota>default</quota></default>")
    (folder / "users.xml").write_text(users.replace("<quotas>", "<quotas><default/>"), encoding="utf-8")
    config = folder / "config.xml"
    config.write_text(
        f"<clickhouse><users_config>{folder / 'users.xml'}</users_config></clickhouse>", encoding="utf-8"
    )
    [free] = choose(1)
    server = ClickHouse(free, Process("clickhouse", folder / "server"), config)
    with pytest.MonkeyPatch.context() as patch:
        for user, password in PASSWORDS.items():
            digest = hashlib.sha256(password.encode()).hexdigest()
            patch.setenv(f"CATWALK_{user.upper()}_SHA256", digest)
        server.start()
    try:
        server.wait()
        admin = _store(free, "admin")
        admin.migrate()
        admin.close()
        yield free
    finally:
        server.process.kill()


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with serving(tmp_path_factory.mktemp("rights")) as port:
        yield port


def _store(port: int, user: str, password: str | None = None) -> ServerWarehouse:
    given = PASSWORDS.get(user, "") if password is None else password
    address = ServerAddress(host="127.0.0.1", port=port, user=user, password=given)
    return ServerWarehouse(address, Topology(DATABASE), WITH_SAMPLE)


@pytest.fixture
def open_as(port: int) -> Iterator[Open]:
    opened: list[ServerWarehouse] = []

    def open_one(user: str) -> ServerWarehouse:
        opened.append(_store(port, user))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


def test_the_sink_stores_rows_and_the_reader_sees_them(open_as: Open) -> None:
    open_as("sink").insert(EVERY_KIND, [row(1), row(2)])
    found = "SELECT number FROM every_kind FINAL WHERE number < {most:UInt32} ORDER BY number"
    for user in ("sink", "reader", "admin"):
        assert open_as(user).query(found, {"most": 3}) == [(1,), (2,)]


def test_the_reader_asks_every_view(open_as: Open) -> None:
    days = "(first = '2026-03-01', last = '2026-03-31')"
    for view in VIEWS:
        asked = f"SELECT count() FROM {view.name}{days if view.parameters else ''}"
        assert open_as("reader").query(asked) == [(0,)]


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE every_kind DELETE WHERE 1",
        "DELETE FROM every_kind WHERE 1",
        "ALTER TABLE every_kind UPDATE cents = 0 WHERE 1",
        "ALTER TABLE every_kind DROP PARTITION 202603",
        "TRUNCATE TABLE every_kind",
        "DROP TABLE every_kind",
        f"DROP DATABASE {DATABASE}",
        "CREATE TABLE mine (n Int64) ENGINE = Memory",
        "CREATE USER mine",
        "GRANT SELECT ON *.* TO reader",
        "SYSTEM SHUTDOWN",
    ],
)
@pytest.mark.parametrize("user", ["sink", "reader"])
def test_nobody_but_admin_alters_deletes_or_makes_anything(open_as: Open, user: str, statement: str) -> None:
    with pytest.raises(WarehouseError, match=r"(?i)privileges|readonly|grant"):
        open_as(user).query(statement)


def test_the_reader_is_told_of_the_parts_it_may_read(open_as: Open) -> None:
    open_as("sink").insert(EVERY_KIND, [row(1)])
    vital = store_vital(open_as("reader"))
    assert vital.state == "well", vital.told
    assert "rows" in vital.told


def test_the_reader_neither_writes_nor_looks_elsewhere_nor_lifts_its_limits(open_as: Open) -> None:
    reader = open_as("reader")
    with pytest.raises(WarehouseError, match="clickhouse_user"):
        reader.insert(EVERY_KIND, [row(9)])
    with pytest.raises(WarehouseError, match="privileges"):
        reader.query("SELECT * FROM system.users")
    for setting in ("max_memory_usage = 99999999999", "max_execution_time = 6000", "max_threads = 64"):
        with pytest.raises(WarehouseError, match=r"(?i)should(n't| not) be"):
            reader.query(f"SELECT 1 SETTINGS {setting}")


def test_a_wrong_password_is_told_as_that_and_never_repeated(tmp_path: Path) -> None:
    with serving(tmp_path) as port:
        store = _store(port, "sink", "a-guess")
        with pytest.raises(WarehouseError, match="clickhouse_password") as refused:
            store.version()
        store.close()
    assert "a-guess" not in str(refused.value)


def test_the_sink_may_compare_the_form_of_its_own_database_and_of_no_other(port: int, tmp_path: Path) -> None:
    secret = tmp_path / "password"
    secret.write_text(PASSWORDS["admin"] + "\n", encoding="utf-8")
    environment = {
        "PATH": "/usr/bin:/bin",
        "CATWALK_MODE": "distributed",
        "CATWALK_CLICKHOUSE_PORT": str(port),
        "CATWALK_CLICKHOUSE_HOST": "127.0.0.1",
        "CATWALK_CLICKHOUSE_USER": "admin",
        "CATWALK_CLICKHOUSE_PASSWORD_FILE": str(secret),
        "CATWALK_CLICKHOUSE_DATABASE": "second",
    }
    assert catwalk("migrate", environment=environment).returncode == 0
    secret.write_text(PASSWORDS["sink"], encoding="utf-8")
    other = catwalk("migrate", "--check", environment=environment | {"CATWALK_CLICKHOUSE_USER": "sink"})
    assert other.returncode == 2
    with_sample = environment | {"CATWALK_CLICKHOUSE_USER": "sink", "CATWALK_CLICKHOUSE_DATABASE": "catwalk"}
    assert catwalk("migrate", "--check", environment=with_sample).returncode == 0
