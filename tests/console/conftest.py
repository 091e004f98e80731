"""A console on a desk of its own, and people who sign in to it."""

import datetime as dt
import shutil
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from litestar import Litestar
from litestar.testing import TestClient

from dashboards.accounts.accounts import Accounts
from dashboards.desk.desk import Desk
from dashboards.reader.question import Reader
from dashboards.web.console import Console, NoRecords
from deploy.configured.desk_ledger import SqliteDeskLog
from tests.console.apps import browser_of
from tests.console.desk_building import T0
from tests.live.servers import kafka, kafka_prefix

__all__ = ["kafka", "kafka_prefix"]  # for what runs against a real broker too

ORIGIN = "https://console.test"
PASSWORD = "correct horse battery"
ROLES = {
    "hale": "surveillance",
    "ito": "surveillance",
    "fay": "floor",
    "rex": "revenue",
    "ann": "admin",
    "otto": "auditor",
}

Browser = TestClient[Litestar]


class Clock:
    def __init__(self) -> None:
        self.now = T0

    def __call__(self) -> dt.datetime:
        return self.now

    def forward(self, seconds: float) -> None:
        self.now += dt.timedelta(seconds=seconds)


@pytest.fixture
def port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture
def clock() -> Clock:
    return Clock()


def open_accounts(path: Path, clock: Clock) -> Accounts:
    # Argon2 at its cheapest: what it costs an attacker is not what these tests are about.
    return Accounts(path, clock, PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a desk's ledger without records, and with everybody's accounts: each test has copies of both."""
    folder = tmp_path_factory.mktemp("begun")
    SqliteDeskLog(folder / "desk.db").close()
    accounts = open_accounts(folder / "console.db", Clock())
    for name, role in ROLES.items():
        accounts.add(name, role, PASSWORD)
    accounts.close()
    return folder


@pytest.fixture
def log(tmp_path: Path, begun: Path) -> Iterator[SqliteDeskLog]:
    opened = SqliteDeskLog(Path(shutil.copy(begun / "desk.db", tmp_path)))
    yield opened
    opened.close()


@pytest.fixture
def accounts(tmp_path: Path, begun: Path, clock: Clock) -> Iterator[Accounts]:
    opened = open_accounts(Path(shutil.copy(begun / "console.db", tmp_path)), clock)
    yield opened
    opened.close()


@pytest.fixture
def store() -> Reader:
    """The store of a module's records; a module with records has a fixture of its own."""
    return NoRecords()


@pytest.fixture
def console(log: SqliteDeskLog, accounts: Accounts, clock: Clock, store: Reader) -> Console:
    soon = partial(Console, heartbeat=0.1, look_every=0.05, send_within=0.5)
    return soon(Desk(log, clock), accounts, clock, (ORIGIN,), records=store)


@pytest.fixture
def browse(console: Console) -> Iterator[Callable[[], Browser]]:
    """A browser of no one yet, at a server of its own: all servers work on one desk. All are closed at the end."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(browser_of(console))


@pytest.fixture
def signed_in(browse: Callable[[], Browser], accounts: Accounts) -> Callable[[str], Browser]:
    """A browser in which this user has signed in, and that sends origin and CSRF token as the pages do."""

    def sign_in(name: str) -> Browser:
        browser = browse()
        browser.headers["origin"] = ORIGIN
        form = {"name": name, "password": PASSWORD}
        answer = browser.post("/sign-in", data=form, follow_redirects=False)
        assert answer.status_code == 303, answer.text
        token = browser.cookies["__Host-catwalk"]
        user = accounts.sign_ins.user(token)
        assert user is not None
        browser.headers["x-csrf-token"] = user.csrf
        return browser

    return sign_in
