"""Two versions compared while both go on, and the note of it that a switch asks for."""

from __future__ import annotations

import asyncio
import datetime as dt
import time
from collections.abc import Callable
from contextlib import closing

from deploy.configured.standing import standing_of_what_was_there
from deploy.configured.store import server
from deploy.configured.workers import brokers_of
from deploy.errors import UserError
from deploy.settings import Settings
from deploy.upgrade.versions import read_standing, require, stored
from processors.runtime.versions import registry
from processors.runtime.versions.comparison import Comparison, compared, reading
from schemas.amounts import amount
from schemas.fold_versions import VersionsCompared

Say = Callable[[str], None]


def compare(settings: Settings, new: int, by: str, seconds: float, say: Say) -> Comparison:
    """Compare a version with the one in force, up to what the ledger held meanwhile, and note it for the switch.

    Raises:
        UserError: one of the two is behind and does not catch up in time.
        WarehouseError: a store does not answer.
    """
    old = read_standing(settings).fold
    if new == old:
        raise UserError(
            f"fold {new}", "it is the one in force", "name another; `catwalk upgrade status` lists them"
        )
    require(settings, new)
    require(settings, old)
    until = time.monotonic() + seconds

    def both() -> None:
        for fold in (new, old):
            caught_up(settings, fold, max(1.0, until - time.monotonic()), "compare")

    say(f"waiting until folds {old} and {new} have stored what the ledger holds")
    both()
    say("reading both")
    with closing(server(settings, fold=old)) as before, closing(server(settings, fold=new)) as after:
        first = reading(before, after)
        both()  # what one of them alone had, the other has by now, if it ever makes it
        second = reading(before, after)
    mine, others = stored(settings, old), stored(settings, new)
    up_to = {subject: min(mine[subject], others[subject]) for subject in mine.keys() & others.keys()}
    found = compared((old, new), first, second, dict(sorted(up_to.items())))
    total = found.total
    note = VersionsCompared(
        old=old, new=new, at=dt.datetime.now(dt.UTC), by=by, digest=found.digest,
        same=total.same, changed=total.changed, added=total.new, gone=total.gone,
    )  # fmt: skip
    asyncio.run(registry.append(brokers_of(settings), note))
    return found


def caught_up(settings: Settings, fold: int, seconds: float, what: str) -> None:
    """Wait until a version's workers have stored what the ledger held at the first look.

    Raises:
        UserError: they have not, or some records would never be stored.
    """
    lag = standing_of_what_was_there(settings, seconds, counters=True, fold=fold)
    if lag.faults:
        worst = lag.faults[0]
        raise UserError(f"upgrade {what}: fold {fold}: {worst.what}", worst.why, worst.remedy)
    if lag.unknown:
        raise UserError(
            f"upgrade {what}: fold {fold}", f"how far it is is not known: {lag.unknown}", "try again"
        )
    if lag.behind:
        behind = {row.worker: 0 for row in lag.rows}
        for row in lag.rows:
            behind[row.worker] += row.behind
        who = ", ".join(f"{worker} {number:,}" for worker, number in behind.items() if number)
        why = f"found {amount(lag.behind, 'record')} behind after {seconds:,.0f} s, expected 0: {who}"
        remedy = "start its workers, more of them, or wait; `catwalk upgrade status` shows how far it is"
        raise UserError(f"upgrade {what}: fold {fold}", why, remedy)
