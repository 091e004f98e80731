"""Which versions of the fold are there, who works for each, and how far each table of each is."""

from __future__ import annotations

import asyncio
import re
from contextlib import closing
from typing import Final

import msgspec
from msgspec import Struct

from deploy.configured.kafka import connection
from deploy.configured.standing import standing as lag_of
from deploy.configured.store import server, topology
from deploy.configured.workers import brokers_of
from deploy.errors import UserError
from deploy.settings import Settings
from processors.runtime.brokers.lag import NoTopics, admin_of, members_of
from processors.runtime.brokers.preflight import answered
from processors.runtime.store.warehouse import WarehouseError
from processors.runtime.versions import registry
from producers.kafka.topics import TopicAdmin
from schemas.fold_versions import VersionsStanding
from schemas.topics import GROUPS, SNAPSHOTS

_NEXT: Final = (
    "SELECT subject, toUInt64(max(next_sequence)) FROM progress WHERE next_sequence > 0 GROUP BY subject"
)


class Version(Struct, frozen=True, kw_only=True):
    """One version of the fold as it stands.

    `workers` and `behind` are by kind of worker, `tables` the first event of each table that is not stored; `trouble`
    says why the rest is not known.
    """

    fold: int
    role: str
    database: str
    workers: dict[str, int] = {}
    behind: dict[str, int] = {}
    tables: dict[str, int] = {}
    trouble: str = ""


class Versions(Struct, frozen=True, kw_only=True):
    """All versions, and what the topic of versions says."""

    standing: VersionsStanding
    versions: tuple[Version, ...]

    def ends(self) -> dict[str, int]:
        """By table the first event that no version has stored."""
        found: dict[str, int] = {}
        for version in self.versions:
            for subject, following in version.tables.items():
                found[subject] = max(found.get(subject, 0), following)
        return found


def read_standing(settings: Settings) -> VersionsStanding:
    """What the topic of versions says.

    Raises:
        BrokersAway: they do not answer.
        NoTopics: the topic is not there.
    """
    return asyncio.run(registry.standing(brokers_of(settings)))


def present(settings: Settings, admin: TopicAdmin) -> tuple[int, ...]:
    """Versions that have topics."""
    named = re.compile(re.escape(settings.kafka_prefix + SNAPSHOTS.name) + r"\.v(\d+)")
    found = (named.fullmatch(name) for name in admin.names())
    return tuple(sorted(int(one.group(1)) for one in found if one))


def versions(settings: Settings) -> Versions:
    """How all versions stand now.

    Raises:
        CaptureError, BrokersAway: the brokers do not answer.
        NoTopics: the topic of versions is not there.
    """
    standing = read_standing(settings)
    with TopicAdmin(connection(settings)) as admin:
        found = present(settings, admin)
    every = sorted({*found, standing.fold})
    return Versions(standing=standing, versions=tuple(_version(settings, standing, one) for one in every))


def require(settings: Settings, fold: int) -> None:
    """Make sure that a version has topics.

    Raises:
        UserError: it has none.
        CaptureError: the brokers do not answer.
    """
    with TopicAdmin(connection(settings)) as admin:
        found = present(settings, admin)
    if fold not in found:
        there = ", ".join(map(str, found)) or "none"
        remedy = "`catwalk topics apply`, `catwalk migrate` and workers of the release that folds by it"
        raise UserError(f"fold {fold}", f"it has no topics; found {there}", remedy)


async def at_work(settings: Settings, fold: int) -> dict[str, int]:
    """How many workers of each kind work for a version.

    Raises:
        BrokersAway: they do not answer.
    """
    brokers = brokers_of(settings, fold)

    async def ask() -> dict[str, int]:
        async with admin_of(brokers) as admin:
            return {group.worker: await members_of(admin, brokers, group) for group in GROUPS}

    return await answered(brokers, ask)


def stored(settings: Settings, fold: int) -> dict[str, int]:
    """By table the first event that a version has not stored.

    Raises:
        WarehouseError: the store does not answer, or has no such database.
    """
    with closing(server(settings, fold=fold)) as store:
        return dict(store.query(_NEXT))


def _version(settings: Settings, standing: VersionsStanding, fold: int) -> Version:
    found = Version(fold=fold, role=role(standing, fold), database=topology(settings, fold).database)
    try:
        workers = asyncio.run(at_work(settings, fold))
        found = msgspec.structs.replace(found, workers=workers)
        lag = lag_of(settings, fold)
        behind = dict.fromkeys((row.worker for row in lag.rows if row.worker not in lag.absent), 0)
        for row in lag.rows:
            if row.worker in behind:
                behind[row.worker] += row.behind
        trouble = "; ".join((*(str(fault.why) for fault in lag.faults[:1]), *filter(None, [lag.unknown])))
        found = msgspec.structs.replace(found, behind=behind, trouble=trouble)
        return msgspec.structs.replace(found, tables=stored(settings, fold))
    except (NoTopics, WarehouseError) as error:
        return msgspec.structs.replace(found, trouble=str(error))


def role(standing: VersionsStanding, fold: int) -> str:
    """What a version is at present, in words."""
    if fold == standing.fold:
        if standing.switch is None:
            return "in force: none was ever named"
        return f"in force since {standing.switch.at:%Y-%m-%d %H:%M:%S} UTC"
    if fold in standing.retired and not _newer_switch(standing, fold):
        return f"removal begun {standing.retired[fold].at:%Y-%m-%d %H:%M:%S} UTC"
    left = standing.left_at(fold)
    return f"in force until {left:%Y-%m-%d %H:%M:%S} UTC" if left is not None else "beside it"


def _newer_switch(standing: VersionsStanding, fold: int) -> bool:
    """Whether a version whose removal was begun was put in force again since."""
    begun = standing.retired[fold].at
    switches = (*standing.earlier, *((standing.switch,) if standing.switch is not None else ()))
    return any(one.fold == fold and one.at > begun for one in switches)
