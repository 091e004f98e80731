"""Records of one table as a store holds them once they are folded."""

import hashlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.warehouse import Warehouse
from producers.memory_log import MemoryLog
from tests.drawing.streams import Event, changed
from tests.embedded.ledgers import append, lines_of, new_store, subject_of
from tests.mutations.rechain import dropped, kind, load, rechained


class Recorded:
    """A ledger of one table and the store it is folded into; it may grow."""

    def __init__(self, lines: Sequence[bytes], subject: str, store: Warehouse | None = None) -> None:
        self.subject = subject
        self.log = MemoryLog()
        self.store = store or new_store()
        self._fold = EmbeddedFold(self.log, self.store)
        self.grow(lines)

    def grow(self, lines: Sequence[bytes]) -> None:
        append(self.log, self.subject, lines)
        self._fold.catch_up()


def recorded(name: str, events: int | None = None) -> Recorded:
    """The first events of a published stream."""
    return Recorded(lines_of(name)[:events], subject_of(name))


def renamed(name: str, table: str) -> tuple[bytes, ...]:
    """A published stream as another table's record, chained anew."""

    def rename(event: Event) -> None:
        event["subject"] = table

    return changed(tuple(lines_of(name)), rename)


class Unlaid(NamedTuple):
    """A record whose layout did not report one card laid: the card, its hand, the events of draw and rack."""

    lines: tuple[bytes, ...]
    hand: str
    card: str
    drawn: int
    racked: int


@cache
def unlaid(name: str, table: str) -> Unlaid:
    """A published stream as another table's record, without the word of the first card that a player was dealt."""
    events = [{**event, "subject": table} for event in load(name)]
    at = next(
        place
        for place, event in enumerate(events)
        if kind(event) == "card_placed" and event["data"]["hand"] != "D"
    )
    laid, left = events[at]["data"], dropped(events, at)
    racked = next(
        place
        for place, event in enumerate(left, 1)
        if kind(event) == "cards_racked" and event["data"]["hand"] == laid["hand"]
    )
    return Unlaid(tuple(rechained(left)), laid["hand"], laid["card"], at, racked)


@contextmanager
def floor(folder: Path, streams: Mapping[str, Sequence[bytes]]) -> Iterator[Warehouse]:
    """A store on the disk of several tables; a test run folds those of the same lines once and copies them."""
    made, own = _of_the_run(folder) / _name_of(streams), folder / "warehouse"
    if not made.exists():
        _fold(folder / "first", streams)
        with suppress(OSError):  # another worker was faster
            (folder / "first").rename(made)
    shutil.copytree(made, own, symlinks=True)
    store = ChdbWarehouse(own)
    try:
        yield store
    finally:
        store.close()


def _of_the_run(folder: Path) -> Path:
    """A folder that all workers of this run see, from one that pytest gave a test or a module."""
    worker = folder.parent
    found = (worker.parent if worker.name.startswith("popen-") else worker) / "folded"
    found.mkdir(exist_ok=True)
    return found


def _name_of(streams: Mapping[str, Sequence[bytes]]) -> str:
    seen = hashlib.sha256()
    for table, lines in streams.items():
        seen.update(b"\n".join((table.encode(), *lines, b"\n")))
    return seen.hexdigest()[:32]


def _fold(folder: Path, streams: Mapping[str, Sequence[bytes]]) -> None:
    log, store = MemoryLog(), ChdbWarehouse(folder)
    store.migrate()
    for table, lines in streams.items():
        append(log, table, lines)
    EmbeddedFold(log, store).catch_up()
    store.close()
