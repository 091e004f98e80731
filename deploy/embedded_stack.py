"""The embedded stack outside the demonstration: ledger and store of the data folder, the store folded up to date."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from deploy.cli.settings import Settings
from deploy.cli.store import open_store
from processors.runtime.embedded import EmbeddedFold
from processors.runtime.warehouse import Warehouse
from producers.sqlite_log import SqliteLog

LEDGER: Final = "ledger.db"


class Embedded(NamedTuple):
    """What one folder holds."""

    ledger: SqliteLog
    store: Warehouse


@contextmanager
def embedded(settings: Settings) -> Iterator[Embedded]:
    """Ledger and store of the data folder, the store in the form of this release.

    Raises:
        LedgerUnusable: there is no ledger.
        WarehouseError: the store is another process's, or cannot be used.
    """
    with ExitStack() as stack:
        ledger = SqliteLog(Path(settings.data) / LEDGER, read_only=True)
        stack.callback(ledger.close)
        store = open_store(settings)
        stack.callback(store.close)
        store.migrate()
        yield Embedded(ledger, store)


def fold_what_is_new(held: Embedded) -> int:
    """Fold and store what the ledger holds and the store does not; how many records that were."""
    return EmbeddedFold(held.ledger, held.store).catch_up()
