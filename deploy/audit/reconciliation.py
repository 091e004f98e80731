"""The store that the settings name held against its ledger."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Final, NamedTuple

from msgspec import MsgspecError, structs

from deploy.audit.proven import forget_proven, home_of, keep_proven, recall_proven
from deploy.configured.embedded import embedded, fold_what_is_new
from deploy.configured.standing import standing_of_what_was_there
from deploy.configured.store import open_store, topology
from deploy.configured.workers import brokers_of
from deploy.errors import UserError
from deploy.settings import Settings
from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import Lag
from processors.runtime.brokers.preflight import answered
from processors.runtime.brokers.standing import OffsetFault, RecordsMissing
from processors.runtime.embedded.progress import StoreDiverged
from processors.runtime.reconcile.embedded_ledger import hold_ledger
from processors.runtime.reconcile.marks import other_version
from processors.runtime.reconcile.memory import Last, last_of, remember
from processors.runtime.reconcile.property_ledger import ReconcileWanted, ends_of, hold_property
from processors.runtime.reconcile.proven import ProvenStore
from processors.runtime.reconcile.reconciler import Reconciled
from processors.runtime.store.warehouse import StoreOfAnotherRelease, Warehouse
from schemas.amounts import amount, verb
from schemas.answers import FOLD_VERSION
from schemas.topics import ANALYST, EVENTS

Advance = Callable[[int], None]


SETTLED: Final = dt.timedelta(hours=1)  # what an older record leads to is stored, but for rare findings


class Held(NamedTuple):
    """What was found, and which offsets of workers are wrong.

    `since` is when the rows were proven of which only digests were compared; None where every row was. `unkept` says
    why the next comparison has to read the ledger from its first record; empty where it need not.
    """

    found: Reconciled
    faults: tuple[OffsetFault, ...] = ()
    since: dt.datetime | None = None
    unkept: str = ""


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

        def hold(*, repair: bool) -> Reconciled:
            return hold_ledger(held.ledger, held.store, repair=repair, advance=advance)

        return _compared(held.store, hold, repair=repair)


def reconcile_distributed(
    settings: Settings,
    *,
    repair: bool,
    seconds: float,
    advance: Advance,
    whole: bool = False,
    settled: dt.timedelta = SETTLED,
) -> Held:
    """Wait until the workers have done what the ledger holds now, and hold the store against it.

    What was proven before is not read again: the store is asked for its digests. Where one differs, for a repair, and
    with `whole`, the ledger is read from its first record. Records older than `settled` are proven for later.

    A sink that has stopped because its group is ahead of the store is not waited for: the store owes all the same.

    Raises:
        UserError: the workers are still behind after so many seconds.
        RecordsMissing: the ledger itself lacks records.
        BrokersAway, NoTopics: the brokers do not answer, or a topic is not there.
        WarehouseError: the store does not answer, does not take a repair, or was written by another fold.
    """
    brokers = brokers_of(settings)
    with closing(open_store(settings)) as store:
        refuse_other_folds(store)
        owed = asyncio.run(answered(brokers, lambda: ends_of(brokers)))
        lag = _lag_to_compare(settings, brokers, seconds)
        counted, home = ANALYST.worker not in lag.absent, home_of(settings)
        proves: ProvenStore | None = None

        def hold(*, repair: bool, proven: ProvenStore | None = None) -> Reconciled:
            nonlocal proves
            now = dt.datetime.now(dt.UTC)
            asked = ReconcileWanted(
                repair=repair,
                counted=counted,
                kept_since=kept_since(settings, now),
                home=home,
                settled=now - settled,
                proven=proven,
                advance=advance,
            )
            found, proves = asyncio.run(hold_property(brokers, store, owed, asked))
            return found

        known = None if whole or repair else recall_proven(settings)
        if known is not None and known.fits(home, owed, people=counted):
            with suppress(MsgspecError):  # states that this release cannot read
                found = hold(repair=False, proven=known)
                if found.identical:
                    remember(store, found, dt.datetime.now(dt.UTC))
                    return Held(found, lag.faults, known.at, keep_proven(settings, proves))
        forget_proven(settings)
        found = _compared(store, hold, repair=repair)
        return Held(found, lag.faults, None, keep_proven(settings, proves))


def _lag_to_compare(settings: Settings, brokers: Brokers, seconds: float) -> Lag:
    """How far the workers are, when they have done what there was to do."""
    lag = standing_of_what_was_there(settings, seconds, counters=True)
    of_ledger = [one for one in lag.faults if one.topic == brokers.topic(EVENTS) and one.kind != "ahead"]
    if of_ledger:
        raise RecordsMissing(of_ledger)
    if lag.unknown:
        raise UserError("reconcile", lag.unknown, "`catwalk doctor` says what is wrong")
    if lag.behind and not lag.faults:
        behind = f"{amount(lag.behind, 'record')} {verb(lag.behind, 'is')}"
        why = f"{behind} not folded, counted and stored yet after {seconds:,.0f} s"
        remedy = "start the workers, `catwalk lag --wait`; or allow more by --seconds"
        raise UserError("reconcile", why, remedy)
    return lag


def _compared(store: Warehouse, hold: Callable[..., Reconciled], *, repair: bool) -> Reconciled:
    """Compare, and after a repair once more: that alone proves it; what was found is kept in the store.

    Until then the store remembers the wrong rows: nobody trusts a repair cut short.
    """
    found = hold(repair=repair)
    remember(store, structs.replace(found, repaired=False), dt.datetime.now(dt.UTC))
    if not repair or found.identical:
        return found
    again = hold(repair=False)
    found = structs.replace(found, repaired=again.identical, left=again.stretches)
    remember(store, found if again.identical else again, dt.datetime.now(dt.UTC))
    return found


def recall(settings: Settings) -> Last | None:
    """What was found when the store was last held against the ledger; None where that was never done.

    Raises:
        WarehouseError: the store does not answer.
    """
    with closing(open_store(settings)) as store:
        return last_of(store)


def kept_since(settings: Settings, now: dt.datetime) -> dt.datetime | None:
    """The moment before which the store may have given rows up, with a day to spare; None if it keeps all."""
    years = topology(settings).retention_years
    return now - dt.timedelta(days=365 * years - 1) if years else None


def refuse_other_folds(store: Warehouse) -> None:
    """Make sure that this release's fold wrote what the store holds.

    Raises:
        StoreOfAnotherRelease: another did, whose rows differ lawfully.
    """
    version = other_version(store)
    if version is not None:
        why = f"fold {version} wrote it; this release folds by {FOLD_VERSION}"
        raise StoreOfAnotherRelease("the store", why, "`catwalk rebuild`, or use the release that wrote it")
