"""The warehouse in this process: the ClickHouse engine over a folder, for one process at a time."""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from chdb.state.sqlitelike import Connection

from processors.runtime.store import warehouse as port
from processors.runtime.store.text import answer_rows, parameter_text, without
from processors.runtime.store.warehouse import Parameter, Row, WarehouseError
from schemas.warehouse import MIGRATIONS, Migration, Relation, Topology
from schemas.warehouse.ddl import create_database

_WRITER_SETTINGS = (
    "SET async_insert = 0,"  # an insert is stored when it returns, and its error is its own
    " max_partitions_per_insert_block = 0"  # an old ledger folded at once has many months
)
_READER_SETTINGS = "SET date_time_output_format = 'iso'"


class ChdbWarehouse:
    """`Warehouse` over the folder `path`; may be used from several threads, reads beside inserts."""

    def __init__(self, path: Path, migrations: Sequence[Migration] = MIGRATIONS) -> None:
        """Open the store, or make one.

        Raises:
            StoreBusy: another process has it open.
            WarehouseError: the folder cannot be used.
        """
        self._path = path
        self._migrations = migrations
        self._topology = Topology()
        self._encode = msgspec.json.Encoder().encode_lines
        self._writing = threading.Lock()
        self._reading = threading.Lock()
        self._lock = _locked(path)
        try:
            self._writer = Connection(str(path))
            self._reader = Connection(str(path))
            self._execute(create_database(self._topology))
            for connection in (self._writer, self._reader):
                connection.query(f"USE {self._topology.database}")
            self._execute(_WRITER_SETTINGS)
            self._reader.query(_READER_SETTINGS)
        except RuntimeError as error:
            os.close(self._lock)
            remedy = "check the disk; if the folder is damaged remove it: it is folded again from the ledger"
            raise WarehouseError(str(path), _first_line(error), remedy) from error

    def migrate(self) -> tuple[Migration, ...]:
        """Bring the relations to the form of this release; return what had to be applied."""
        return port.migrated(self, self._migrations, self._topology, self._execute)

    def insert(self, relation: Relation, rows: Sequence[Row]) -> None:
        """Store rows, on the disk when this returns."""
        if not rows:
            return
        port.refuse_misfits(relation, rows)
        names = ", ".join(f"`{name}`" for name in relation.column_names)
        lines = self._encode(rows)
        with self._writing:
            try:
                into = f"INSERT INTO `{relation.name}` ({names})"
                with self._writer.send_insert(into, "JSONCompactEachRow") as stream:
                    stream.append(lines)
                    stream.finish()
            except RuntimeError as error:
                raise self._failed(f"rows for {relation.name}", error) from error

    def query(self, sql: str, parameters: Mapping[str, Parameter] = port.NOTHING) -> list[Row]:
        """Rows of the answer; tuples and maps inside a row come as JSON has them."""
        texts = {name: parameter_text(value) for name, value in parameters.items()}
        with self._reading:
            try:
                answer = self._reader.query(sql, "JSONCompactEachRowWithNamesAndTypes", params=texts)
            except RuntimeError as error:
                raise self._failed("query", error) from error
            return answer_rows(answer.bytes())

    def remove(self, relation: Relation, keys: Sequence[Row]) -> None:
        """Take the rows of these keys out, gone when this returns."""
        for statement in without(relation, keys, self._topology):
            self._execute(statement)

    def clear(self) -> None:
        """Empty every relation, progress last."""
        for name in port.to_empty(self._migrations):
            self._execute(f"TRUNCATE TABLE `{name}`")

    def close(self) -> None:
        """Release the folder."""
        with self._writing, self._reading:
            self._writer.close()
            self._reader.close()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _execute(self, statement: str) -> None:
        with self._writing:
            try:
                self._writer.query(statement)
            except RuntimeError as error:
                raise self._failed("statement", error) from error

    def _failed(self, what: str, error: RuntimeError) -> WarehouseError:
        remedy = "check the disk and the rights on the folder"
        return WarehouseError(f"{self._path}: {what}", _first_line(error), remedy)


def _first_line(error: Exception) -> str:
    return str(error).split("\n", 1)[0].strip()


def _locked(path: Path) -> int:
    """Hold the folder for this process; the system lets go of it however the process ends."""
    path.mkdir(parents=True, exist_ok=True)
    handle = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        owner = os.read(handle, 20).decode("ascii", "replace").strip()
        os.close(handle)
        why = f"process {owner} has it open" if owner else "another process has it open"
        raise port.StoreBusy(str(path), why, "stop that one, or name another folder") from error
    os.ftruncate(handle, 0)
    os.pwrite(handle, str(os.getpid()).encode(), 0)
    return handle
