"""The embedded stack outside the demonstration: ledger and store of the data folder, the store folded up to date."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from deploy.configured.store import open_store
from deploy.settings import Settings
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.warehouse import Warehouse
from producers.sqlite_log import SqliteLog

LEDGER: Final = "ledger.db"
LOOK_EVERY: Final = 0.25  # seconds between two looks into a ledger that has nothing new


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


def fold_as_it_comes(held: Embedded, ended: threading.Event, told: Callable[[int], None]) -> None:
    """Fold and store what is new, and what comes until `ended`; `told` is given each number of records taken.

    Raises:
        WarehouseError: the store failed, or holds other rows than the ledger gives; what it has it keeps.
    """
    fold = EmbeddedFold(held.ledger, held.store)
    while True:
        taken = fold.catch_up()
        if taken:
            told(taken)
        if ended.wait(LOOK_EVERY):
            return
