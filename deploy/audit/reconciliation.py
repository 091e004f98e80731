"""The store that the settings name held against its ledger."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from deploy.configured.embedded import embedded, fold_what_is_new
from deploy.settings import Settings
from processors.runtime.embedded.progress import StoreDiverged
from processors.runtime.reconcile.embedded_ledger import hold_ledger
from processors.runtime.reconcile.marks import other_version
from processors.runtime.reconcile.reconciler import Reconciled
from processors.runtime.store.rows import FOLD_VERSION
from processors.runtime.store.warehouse import StoreOfAnotherRelease, Warehouse

Advance = Callable[[int], None]


def reconcile_embedded(settings: Settings, *, repair: bool, advance: Advance) -> Reconciled:
    """Fold what is new, then hold the store of the data folder against its ledger.

    Raises:
        LedgerUnusable: there is no ledger.
        WarehouseError: the store is another process's, cannot be used, or was written by another fold.
    """
    with embedded(settings) as held:
        refuse_other_folds(held.store)
        with suppress(StoreDiverged):  # the comparison will say where
            fold_what_is_new(held)
        return hold_ledger(held.ledger, held.store, repair=repair, advance=advance)


def refuse_other_folds(store: Warehouse) -> None:
    """Make sure that this release's fold wrote what the store holds.

    Raises:
        StoreOfAnotherRelease: another did, whose rows differ lawfully.
    """
    version = other_version(store)
    if version is not None:
        why = f"fold {version} wrote it; this release folds by {FOLD_VERSION}"
        raise StoreOfAnotherRelease("the store", why, "`catwalk rebuild`, or use the release that wrote it")
