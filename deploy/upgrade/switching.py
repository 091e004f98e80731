"""The switch from one version of the fold to another, and the removal of one that is no longer needed."""

from __future__ import annotations

import asyncio
import datetime as dt
from contextlib import closing
from typing import Final

from deploy.configured.kafka import connection
from deploy.configured.store import server, topology
from deploy.configured.workers import brokers_of
from deploy.errors import UserError
from deploy.settings import Settings
from deploy.upgrade.comparing import Say, caught_up
from deploy.upgrade.versions import at_work, read_standing, require
from processors.runtime.brokers.lag import NoTopics
from processors.runtime.brokers.preflight import answered
from processors.runtime.rebuild.begin_again import refuse_if_any_runs
from processors.runtime.versions import registry
from producers.kafka.topics import TopicAdmin, once_heard
from schemas.answers import FOLD_VERSION
from schemas.fold_versions import Retired, Switched, VersionsStanding
from schemas.topics import ANALYST, FOLD, GROUPS, SINK, TOPICS

LEAST_SEEN: Final = 8  # digits of a comparison's number
DAYS: Final = 7.0  # that a version stays to be gone back to


def name_the_first(settings: Settings, by: str) -> VersionsStanding:
    """Put this release's version in force if none ever was; what holds then.

    Of several brokers some may not have heard yet of a topic that was just made: they are asked again.

    Raises:
        BrokersAway, NoTopics: the topic cannot be written.
    """

    def ask() -> VersionsStanding | NoTopics:
        try:
            found = read_standing(settings)
            if found.switch is not None:
                return found
            first = Switched(fold=FOLD_VERSION, before=0, at=dt.datetime.now(dt.UTC), by=by)
            return asyncio.run(registry.append(brokers_of(settings), first))
        except NoTopics as error:
            return error

    found = once_heard(ask, lambda answer: isinstance(answer, NoTopics))
    if isinstance(found, NoTopics):
        raise found
    return found


def switch(settings: Settings, new: int, seen: str, by: str, seconds: float) -> VersionsStanding:
    """Put a version in force, in one record; what holds then.

    Raises:
        UserError: it is behind, nobody works for it, the comparison was not seen, or somebody else was faster.
    """
    found = read_standing(settings)
    old = found.fold
    what = f"upgrade switch: fold {new}"
    if new == old:
        raise UserError(what, "it is in force already", "`catwalk upgrade status` says since when")
    if found.switch is None:
        raise UserError(what, "no version was ever put in force", "`catwalk topics apply` names the first")
    require(settings, new)
    _refuse_unseen(found, old, new, seen, what)
    workers = asyncio.run(at_work(settings, new))
    kinds = [FOLD, SINK] + ([ANALYST] if asyncio.run(at_work(settings, old))[ANALYST.worker] else [])
    missing = [group.worker for group in kinds if not workers[group.worker]]
    if missing:
        why = f"found no {' and no '.join(missing)} of it at work, expected at least one"
        raise UserError(what, why, "start the workers of its release")
    caught_up(settings, new, seconds, "switch")
    entry = Switched(fold=new, before=old, at=dt.datetime.now(dt.UTC), by=by, comparison=seen)
    after = asyncio.run(registry.append(brokers_of(settings), entry))
    if entry not in (after.switch, *after.earlier):
        why = f"found fold {after.fold} in force, expected {old}: somebody else has switched"
        raise UserError(what, why, "`catwalk upgrade status`, then decide again")
    return after


def _refuse_unseen(found: VersionsStanding, old: int, new: int, seen: str, what: str) -> None:
    """A comparison says the same of going back, so that this can be done without another."""
    known = [one for one in map(found.compared.get, ((old, new), (new, old))) if one is not None]
    remedy = f"`catwalk upgrade compare {new}`, read it, and give the number that it ends with by --seen"
    if not known:
        raise UserError(what, f"it was never compared with fold {old}, which is in force", remedy)
    if len(seen) < LEAST_SEEN or not any(one.digest.startswith(seen) for one in known):
        why = f"found --seen {seen or 'not given'}, expected the number of the last comparison"
        raise UserError(what, why, remedy)


def retire(settings: Settings, fold: int, by: str, say: Say, *, now: bool = False) -> list[str]:
    """Remove all that a version has made; what was removed. Ended in the middle, it is done again.

    Raises:
        UserError: it is in force, or was until lately.
        WorkersRun: workers of it are at work.
        WarehouseError, CaptureError: a server does not answer, or this user may not.
    """
    found = read_standing(settings)
    what = f"upgrade retire: fold {fold}"
    if fold == found.fold:
        raise UserError(what, "it is in force", "switch to another first")
    left = found.left_at(fold)
    kept = dt.timedelta(days=DAYS)
    if not now and (left is None or dt.datetime.now(dt.UTC) - left < kept):
        since = f"it was in force until {left:%Y-%m-%d %H:%M} UTC" if left else "it was never in force"
        why = f"{since}, and stays for {DAYS:.0f} days to be gone back to"
        raise UserError(what, why, "wait, or give --now: going back is a fold of the whole ledger then")
    brokers = brokers_of(settings, fold)
    asyncio.run(answered(brokers, lambda: refuse_if_any_runs(brokers, GROUPS, "upgrade retire")))
    asyncio.run(registry.append(brokers, Retired(fold=fold, at=dt.datetime.now(dt.UTC), by=by)))
    database = topology(settings, fold).database
    say(f"database {database}")
    with closing(server(settings, fold=fold)) as store:
        store.drop()
    topics = [topic.named(settings.kafka_prefix, fold) for topic in TOPICS if topic.by_fold]
    groups = [group.named(settings.kafka_prefix, fold) for group in GROUPS]
    say(f"topics and groups of fold {fold}")
    with TopicAdmin(connection(settings)) as admin:
        of_topics, of_groups = admin.remove(topics, groups)
    gone = [f"database {database}", *(f"topic {name}" for name in of_topics)]
    return gone + [f"group {name}" for name in of_groups]
