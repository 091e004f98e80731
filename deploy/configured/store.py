"""The store that the settings name: the engine in process, or a ClickHouse server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from deploy.settings import Settings
from processors.runtime.store.warehouse import Warehouse
from schemas.answers import FOLD_VERSION
from schemas.warehouse import Topology

if TYPE_CHECKING:
    from processors.runtime.store.server_warehouse import ServerWarehouse

FOLDER: Final = "warehouse"  # in the data folder, where the demo has it too


def topology(settings: Settings, fold: int = FOLD_VERSION) -> Topology:
    """Where the relations of a version of the fold live, and how long rows stay."""
    if settings.mode == "embedded":
        return Topology()
    return Topology(
        database=f"{settings.clickhouse_database}_v{fold}",
        cluster=settings.clickhouse_cluster or None,
        retention_years=settings.clickhouse_retention_years or None,
    )


def server(
    settings: Settings, answer_seconds: float | None = None, fold: int = FOLD_VERSION
) -> ServerWarehouse:
    """The store on the server that the settings name; nothing is reached yet.

    It may keep silent for `answer_seconds`, by default those of the settings. Each version of the fold has a database
    of its own there.
    """
    # Imported here, as the engine below: the driver makes a table of all dates when it is loaded.
    from processors.runtime.store.client import CONNECT_SECONDS, ServerAddress
    from processors.runtime.store.server_warehouse import ServerWarehouse

    address = ServerAddress(
        host=settings.clickhouse_host,
        port=settings.clickhouse_port,
        user=settings.clickhouse_user,
        password=settings.clickhouse_password,
        tls=settings.clickhouse_tls,
        ca=settings.clickhouse_ca,
        compress=settings.clickhouse_compress,
        connect_seconds=min(CONNECT_SECONDS, answer_seconds or CONNECT_SECONDS),
        answer_seconds=answer_seconds or settings.clickhouse_answer_seconds,
    )
    return ServerWarehouse(address, topology(settings, fold))


def open_store(settings: Settings, fold: int = FOLD_VERSION) -> Warehouse:
    """The store of the mode that is set; on a server, that of this version of the fold.

    Raises:
        WarehouseError: the embedded one is another process's, or cannot be used.
    """
    if settings.mode == "distributed":
        return server(settings, fold=fold)
    # Imported here: loading the engine takes longer than most commands.
    from processors.runtime.store.chdb_warehouse import ChdbWarehouse

    return ChdbWarehouse(Path(settings.data) / FOLDER)
