"""The evidence about people of a new version of the fold, put into the order in which it was weighed until now."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from typing import Final

from msgspec import Struct, structs

from deploy.backup.manifest import to_disk
from deploy.configured.kafka import connection
from deploy.configured.workers import brokers_of
from deploy.errors import UserError
from deploy.settings import Settings
from deploy.upgrade.comparing import Say
from deploy.upgrade.versions import read_standing, require
from processors.runtime.brokers.preflight import answered
from processors.runtime.rebuild.begin_again import refuse_if_any_runs
from producers.copies.held_topic import HeldTopic, TopicWriter
from producers.copies.topic_copy import read, write
from producers.copies.weighing_order import in_order_of
from producers.kafka.connection import Connection
from producers.kafka.topics import TopicAdmin, declared
from schemas.topics import ANALYSIS, ANALYST, EVENTS, FOLD, OBSERVATIONS

_FROM: Final = "read-from"  # the id of the topic that was read; there when all files are on the disk
_ANEW: Final = "`catwalk upgrade retire {} --now`, then begin again, with folds alone"


class EvidenceOrdered(Struct, frozen=True, kw_only=True):
    """How many observations of `new` stand in the order of `old`, and how many of them were told too early before."""

    old: int
    new: int
    observations: int
    moved: int


def order(settings: Settings, new: int, say: Say) -> EvidenceOrdered:
    """Put the observations of a version into the order of the version in force; ended in the middle, it is done again.

    The topic is made anew from files in the folder of the setting data, which are on the disk before it is removed.

    Raises:
        UserError: the version is in force, or its analyst has weighed already.
        WorkersRun: its folds or its analyst are at work.
        LedgerError, CaptureError: the brokers do not answer, or this user may not.
    """
    old = read_standing(settings).fold
    what = f"upgrade order: fold {new}"
    if new == old:
        raise UserError(what, "it is in force: its order is the order", "name the version that is to come")
    require(settings, old)
    brokers = brokers_of(settings, new)
    asyncio.run(answered(brokers, lambda: refuse_if_any_runs(brokers, (FOLD, ANALYST), "upgrade order")))
    before, after = (structs.replace(connection(settings), fold=fold) for fold in (old, new))
    name = after.topic(OBSERVATIONS)
    folder = Path(settings.data) / f"observations-of-fold-{new}"
    with TopicAdmin(after) as admin:
        there = admin.ids([name]).get(name)
        if not _was_removed(folder, there):
            require(settings, new)
            _refuse_weighed(after, what, new)
            say(f"reading the observations of folds {old} and {new}")
            _write(before, after, folder, str(there))
        elif there is not None:
            _refuse_another(after, folder, what, new)
        say(f"writing those of fold {new} in the order of fold {old}")
        _replace(admin, after, folder)
    observations, moved = _counted(folder)
    shutil.rmtree(folder)
    return EvidenceOrdered(old=old, new=new, observations=observations, moved=moved)


def _was_removed(folder: Path, there: str | None) -> bool:
    """Whether the files are whole, and the topic is no longer the one that they were read from."""
    try:
        return (folder / _FROM).read_text() != str(there)
    except FileNotFoundError:
        return False


def _refuse_weighed(new: Connection, what: str, fold: int) -> None:
    """What was suspected in another order would stay beside what is suspected in this one."""
    with closing(HeldTopic(new, ANALYSIS)) as held:
        held.hold()
        if any(held.ends.values()):
            raise UserError(what, "its analyst has weighed evidence already", _ANEW.format(fold))


def _write(old: Connection, new: Connection, folder: Path, read_from: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, mode=0o700)
    with closing(HeldTopic(old, OBSERVATIONS)) as was, closing(HeldTopic(new, OBSERVATIONS)) as told:
        for held in (was, told):
            held.hold()
        for partition in told.partitions:
            ordered = in_order_of(was.records(partition), told.records(partition), folder / "work.db")
            path = folder / f"{partition}.records"
            write(path, ordered, lambda _record: None)
            to_disk(path)
    (folder / _FROM).write_text(read_from)
    to_disk(folder / _FROM)
    to_disk(folder)


def _refuse_another(new: Connection, folder: Path, what: str, fold: int) -> None:
    """The topic that was made anew holds what was written so far and nothing else."""
    with closing(HeldTopic(new, OBSERVATIONS)) as held:
        held.hold()
        for partition, path in _files(folder):
            for found, expected in zip_longest(held.records(partition), read(path)):
                if found is None:
                    break
                if expected is None or (found.key, found.value) != (expected.key, expected.value):
                    why = f"partition {partition} of its observations was written to by somebody else"
                    raise UserError(what, why, _ANEW.format(fold))


def _replace(admin: TopicAdmin, new: Connection, folder: Path) -> None:
    name, ledger = new.topic(OBSERVATIONS), new.topic(EVENTS)
    partitions, copies = len(list(_files(folder))), admin.found([ledger])[ledger].replication
    admin.make_anew(declared(OBSERVATIONS, new.prefix, partitions, copies, new.fold))
    with admin.keeping_times([name]), closing(TopicWriter(new)) as writer:
        for partition, path in _files(folder):
            placed = (structs.replace(one, offset=offset) for offset, one in enumerate(read(path)))
            writer.put(name, partition, placed, lambda _number: None, in_place=True)


def _files(folder: Path) -> Iterator[tuple[int, Path]]:
    return ((int(path.stem), path) for path in sorted(folder.glob("*.records")))


def _counted(folder: Path) -> tuple[int, int]:
    records, moved = 0, 0
    for _, path in _files(folder):
        furthest = -1
        for one in read(path):
            records += 1
            moved += one.offset < furthest
            furthest = max(furthest, one.offset)
    return records, moved
