"""Connections to a ClickHouse server over its native protocol, and what its refusals mean to a person.

A client of the driver is one thread's; after any exception it is in a state nobody knows and is dropped.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Final

from clickhouse_driver import Client
from clickhouse_driver.errors import Error, ServerException
from msgspec import Struct

from processors.runtime.store.warehouse import StoreNotMade, WarehouseError

CONNECT_SECONDS: Final = 5.0
ANSWER_SECONDS: Final = 60.0  # of silence: a long query sends its progress all the while
# A machine that vanished without a word is noticed in 25 s; a server that stands still in it is not.
_KEEPALIVE: Final = (10, 5, 3)
# What the codes of the server's errors ask for; the names are its own.
_REMEDIES: Final = {
    60: "`catwalk migrate` makes the relations",  # UNKNOWN_TABLE
    81: "`catwalk migrate` makes the database",  # UNKNOWN_DATABASE
    164: "name a user who may do this by clickhouse_user",  # READONLY
    192: "check clickhouse_user and clickhouse_password",  # UNKNOWN_USER
    193: "check clickhouse_user and clickhouse_password",  # WRONG_PASSWORD
    241: "give the server more memory, or ask for less",  # MEMORY_LIMIT_EXCEEDED
    243: "make room on the server's disk",  # NOT_ENOUGH_SPACE
    497: "give this user the right on the server, or name another by clickhouse_user",  # ACCESS_DENIED
    516: "check clickhouse_user and clickhouse_password",  # AUTHENTICATION_FAILED
}
_NOT_MADE: Final = (60, 81)
_CODE: Final = re.compile(r"^Code: \d+\.\s*")
_UNTRUSTED: Final = "check clickhouse_ca, and the name in the server's certificate"
_AWAY: Final = "check that the server runs, and clickhouse_host and clickhouse_port"


# The driver logs each refused connection with its traceback; all of it is in the error that is raised.
logging.getLogger("clickhouse_driver").addHandler(logging.NullHandler())


class StoreAway(WarehouseError):
    """No answer from the server: what was under way may be done or not; do it again when it is back."""


class ServerAddress(Struct, frozen=True, kw_only=True):
    """A ClickHouse server and who signs in to it; `ca` is a PEM file, empty for the system's authorities."""

    host: str = "localhost"
    port: int = 9000
    user: str = "default"
    password: str = ""
    tls: bool = False
    ca: str = ""
    compress: bool = False
    connect_seconds: float = CONNECT_SECONDS
    answer_seconds: float = ANSWER_SECONDS

    def __repr__(self) -> str:
        """Without the password: what is logged or shown in a traceback holds none."""
        return f"ServerAddress({self.host}:{self.port}, user={self.user!r}, tls={self.tls})"


class Clients:
    """A client for each thread that asks, connected when it is first used."""

    def __init__(self, address: ServerAddress, database: str, settings: Mapping[str, Any]) -> None:
        self._address = address
        self._database = database
        self._settings = dict(settings)
        self._own = threading.local()
        self._guard = threading.Lock()
        self._all: dict[int, Client] = {}

    @contextmanager
    def client(self, what: str) -> Iterator[Client]:
        """This thread's client; an exception inside drops it.

        Raises:
            StoreAway: the server does not answer.
            WarehouseError: it refuses.
        """
        client: Client | None = getattr(self._own, "client", None)
        begun = client is not None
        if client is None:
            client = self._own.client = _client(self._address, self._settings)
            with self._guard:
                self._all[id(client)] = client
        try:
            if not begun and self._database:
                self._enter(client)
            yield client
        except BaseException as error:
            self._drop(client)
            if isinstance(error, ServerException):
                raise self._refused(what, error) from error
            if isinstance(error, Error | OSError | EOFError):
                why = _first_line(error)
                remedy = _UNTRUSTED if "certificate" in why.lower() else _AWAY
                raise StoreAway(self._named(what), why, remedy) from error
            raise

    def close(self) -> None:
        """Disconnect all threads' clients; none of them may be at work."""
        with self._guard:
            for client in self._all.values():
                client.disconnect()
            self._all.clear()
        self._own = threading.local()

    def _enter(self, client: Client) -> None:
        """Make the database this client's own."""
        # Not in its greeting: the engine's library dies of one that names a database which is not there.
        [[there]] = client.execute(f"EXISTS DATABASE `{self._database}`")
        if not there:
            what = f"{self._address.host}:{self._address.port}"
            raise StoreNotMade(what, f"database {self._database} is not there", "`catwalk migrate` makes it")
        client.execute(f"USE `{self._database}`")
        # The driver keeps what stands behind USE, quotes and all, and connects anew with that for a name.
        client.connection.database = self._database

    def _drop(self, client: Client) -> None:
        self._own.client = None
        with self._guard:
            self._all.pop(id(client), None)
        with suppress(Exception):  # it is being thrown away
            client.disconnect()

    def _named(self, what: str) -> str:
        return f"{self._address.host}:{self._address.port}: {what}"

    def _refused(self, what: str, error: ServerException) -> WarehouseError:
        remedy = _REMEDIES.get(error.code, "correct it, or read the server's log")
        kind = StoreNotMade if error.code in _NOT_MADE else WarehouseError
        return kind(self._named(what), _first_line(error), remedy)


def _client(address: ServerAddress, settings: Mapping[str, Any]) -> Client:
    tls: dict[str, Any] = {}
    if address.tls:
        tls = {"secure": True, "verify": True, "check_hostname": True}
        if address.ca:
            tls["ca_certs"] = address.ca
    return Client(
        address.host,
        port=address.port,
        user=address.user,
        password=address.password,
        client_name="catwalk",
        compression="lz4" if address.compress else False,
        connect_timeout=address.connect_seconds,
        send_receive_timeout=address.answer_seconds,
        sync_request_timeout=address.connect_seconds,
        tcp_keepalive=_KEEPALIVE,
        settings={**settings, "server_side_params": True},
        **tls,
    )


def _first_line(error: BaseException) -> str:
    """What an error says, without the server's stack trace."""
    text = str(error).partition("Stack trace:")[0]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    said = _CODE.sub("", " ".join(lines)).removeprefix("DB::Exception: ").strip(". ")
    return f"no answer {said}" if said.startswith("(") else said[:300] or type(error).__name__
