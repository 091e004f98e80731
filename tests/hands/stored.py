"""Records of one table as a store holds them once they are folded."""

from collections.abc import Sequence

from processors.runtime.embedded import EmbeddedFold
from processors.runtime.warehouse import Warehouse
from producers.memory_log import MemoryLog
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
