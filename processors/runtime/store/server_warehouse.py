"""The warehouse on a ClickHouse server or cluster, over its native protocol; any number of processes at once."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

from processors.runtime.store.client import Clients, ServerAddress
from processors.runtime.store.text import without
from processors.runtime.store.values import answer, as_literals, chunks, columns
from processors.runtime.store.warehouse import (
    NOTHING,
    Parameter,
    Row,
    due_in,
    migrated,
    refuse_misfits,
    to_empty,
)
from schemas.warehouse import MIGRATIONS, Migration, Relation, Topology
from schemas.warehouse.ddl import create_database

_EVERY: Final = {
    "session_timezone": "UTC",
    "distributed_product_mode": "global",  # a question within a question is asked of all shards
}
_PARTITIONS: Final = 100  # the server's own limit for one insert, so that it need not be lifted
_INSERT: Final = {
    "async_insert": 0,  # an insert is stored when it returns, and its error is its own
    "max_partitions_per_insert_block": _PARTITIONS,
}
# On a cluster an insert returns when the shard has it, and there most of its replicas.
_INSERT_CLUSTER: Final = {"distributed_foreground_insert": 1, "insert_quorum": "auto"}
_EMPTY: Final = {"max_table_size_to_drop": 0, "max_partition_size_to_drop": 0}


class ServerWarehouse:
    """`Warehouse` on a server; may be used from several threads, each has a connection of its own."""

    def __init__(
        self,
        address: ServerAddress,
        topology: Topology | None = None,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> None:
        """Connects to nothing yet: a server that is away is noticed at the first use."""
        self.topology = topology or Topology()
        self._migrations = migrations
        self._clients = Clients(address, self.topology.database, _EVERY)
        self._outside = Clients(address, "", _EVERY)  # of no database, which may not be there yet
        self._insert_settings = _INSERT | (_INSERT_CLUSTER if self.topology.cluster else {})

    def version(self) -> str:
        """The server's version: it answers, and lets this user in.

        Raises:
            StoreAway: no answer.
            WarehouseError: it refuses the user.
        """
        with self._outside.client("sign in") as client:
            [[version]] = client.execute("SELECT version()")
        return str(version)

    def migrate(self) -> tuple[Migration, ...]:
        """Bring the relations to the form of this release; return what had to be applied."""
        self._execute(create_database(self.topology))
        return migrated(self, self._migrations, self.topology, self._execute)

    def due(self) -> tuple[Migration, ...]:
        """Migrations of this release that the store has not had yet.

        Raises:
            StoreOfAnotherRelease: it has migrations that this release does not know.
            WarehouseError: it has none, or does not answer.
        """
        return due_in(self, self._migrations)

    def insert(self, relation: Relation, rows: Sequence[Row]) -> None:
        """Store rows, on the server's disk when this returns."""
        if not rows:
            return
        refuse_misfits(relation, rows)
        names = ", ".join(f"`{name}`" for name in relation.column_names)
        into = f"INSERT INTO `{relation.name}` ({names}) VALUES"
        for chunk in chunks(relation, rows, _PARTITIONS):
            # A token of its own for each insert: by content the server would drop rows that are to replace
            # newer ones, and by a token used twice the longer of two batches. Keys make repeats harmless.
            settings = self._insert_settings | {"insert_deduplication_token": uuid.uuid4().hex}
            with self._clients.client(f"rows for {relation.name}") as client:
                client.execute(into, columns(relation, chunk), columnar=True, settings=settings)

    def query(self, sql: str, parameters: Mapping[str, Parameter] = NOTHING) -> list[Row]:
        """Rows of the answer."""
        with self._clients.client("query") as client:
            rows, types = client.execute(sql, as_literals(parameters), with_column_types=True)
        return answer(rows, [name for _, name in types])

    def remove(self, relation: Relation, keys: Sequence[Row]) -> None:
        """Take the rows of these keys out, gone from every replica when this returns."""
        for statement in without(relation, keys, self.topology):
            self._execute(statement)

    def clear(self) -> None:
        """Empty every relation, progress last."""
        for name in to_empty(self._migrations):
            cluster = self.topology.cluster
            target = f"`{name}_local` ON CLUSTER `{cluster}`" if cluster else f"`{name}`"
            self._execute(f"TRUNCATE TABLE `{self.topology.database}`.{target}", _EMPTY)

    def drop(self) -> None:
        """Remove the database with everything in it; done again it does nothing.

        Raises:
            WarehouseError: the server does not answer, or this user may not.
        """
        cluster = f" ON CLUSTER `{self.topology.cluster}`" if self.topology.cluster else ""
        self._execute(f"DROP DATABASE IF EXISTS `{self.topology.database}`{cluster} SYNC", _EMPTY)

    def close(self) -> None:
        """Disconnect."""
        self._clients.close()
        self._outside.close()

    def _execute(self, statement: str, settings: Mapping[str, Any] = NOTHING) -> None:
        with self._outside.client("statement") as client:
            client.execute(statement, settings=dict(settings))
