"""Records of one table as a store holds them once they are folded."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.warehouse import Warehouse
from producers.memory_log import MemoryLog
from tests.drawing.streams import Event, changed
from tests.embedded.ledgers import append, lines_of, new_store, subject_of


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


@contextmanager
def floor(folder: Path, streams: Mapping[str, Sequence[bytes]]) -> Iterator[Warehouse]:
    """A store on the disk of several tables."""
    store = ChdbWarehouse(folder / "warehouse")
    try:
        store.migrate()
        log = MemoryLog()
        for table, lines in streams.items():
            append(log, table, lines)
        EmbeddedFold(log, store).catch_up()
        yield store
    finally:
        store.close()
