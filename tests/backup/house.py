"""A small house with a ledger, a desk and users, and its backup."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from argon2 import PasswordHasher

from dashboards.accounts.accounts import Accounts
from dashboards.desk.desk import Desk
from deploy.backup.manifest import digest_of
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.console.desk_memory import memory_in
from deploy.console.server import utc_now
from producers.log import EMPTY
from producers.sqlite_log import SqliteLog
from tests.console.desk_building import a_finding, a_raise
from tests.producers.builders import stream

TABLES = ("FB90-1", "DU-04", "C4-33")
PASSWORD = "correct horse battery"
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
EVENTS = 60
EDIT = """
UPDATE records SET line = CAST(replace(CAST(line AS TEXT), '"time":"2', '"time":"3') AS BLOB)
WHERE subject = 1 AND sequence = 9
"""


def a_house(folder: Path) -> Path:
    """Three tables, three alerts about one of them, one user; what a console would have remembered."""
    folder.mkdir(parents=True)
    with closing(SqliteLog(folder / "ledger.db")) as log:
        for table in TABLES:
            log.append(table, stream(EVENTS, table), EMPTY)
    desk = folder / "desk.db"
    with closing(SqliteDeskLog(desk)) as record, closing(memory_in(folder, desk)) as memory:
        Desk(record, utc_now, memory=memory).raise_alerts(
            a_raise(a_finding(number, subject=TABLES[0])) for number in (1, 7, EVENTS)
        )
    with closing(Accounts(folder / "console.db", utc_now, CHEAP)) as accounts:
        accounts.add("hale", "surveillance", PASSWORD)
    return folder


def lines_of(path: Path) -> dict[str, list[bytes]]:
    """All records of a ledger, by table."""
    with closing(SqliteLog(path, read_only=True)) as log:
        return {table: [record.line for record in log.read_from(table)] for table in log.subjects()}


def files_of(folder: Path) -> dict[str, bytes]:
    """The files of a folder, by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def rewrite(copy: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change a manifest as somebody would who knows how its digest is made."""
    path = copy / "manifest.json"
    said = msgspec.json.decode(path.read_bytes())
    change(said)
    path.write_bytes(msgspec.json.encode(said | {"digest": digest_of(said)}))


def forge(copy: Path, name: str, *statements: str) -> None:
    """Change a database of a copy behind the ledger's back, and the manifest with it."""
    path = copy / name
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        for (trigger,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            file.execute(f"DROP TRIGGER {trigger}")
        for statement in statements:
            file.execute(statement)
    content = path.read_bytes()

    def change(said: dict[str, Any]) -> None:
        (file,) = [one for one in said["files"] if one["name"] == name]
        file |= {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}

    rewrite(copy, change)
