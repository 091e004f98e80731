"""The ports of the desk: its ledger and its memory outside of the ledger, and the errors each may raise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol


class LedgerHead(NamedTuple):
    """The last record of a ledger: its number, 0 before the first, and its hash."""

    sequence: int
    hash: str


class Outrun(Exception):
    """Someone else has appended meanwhile; nothing was."""


class DeskUnavailable(Exception):
    """The ledger of the desk cannot be read or written; nothing was appended."""


class DeskInDoubt(DeskUnavailable):
    """Whether it was appended is not known: look before doing it again."""


class DeskBusy(DeskUnavailable):
    """Others appended before each try; nothing was appended."""


class DeskAltered(DeskUnavailable):
    """The ledger does not hold what the desk has read or acknowledged; nothing is appended to it any more."""


class DeskLog(Protocol):
    """The append-only ledger the desk writes: lines in one gap-free order from 1 on."""

    def append(self, lines: Sequence[bytes], after: int, head: str) -> None:
        """Append all lines durably behind record `after` whose hash is `head`, or none.

        Raises:
            Outrun: that record is not the last one.
            DeskInDoubt: they may be appended, or yet be, if nothing else is before them.
            DeskUnavailable: the lines could not be made durable; nothing was appended.
        """

    def read_from(self, sequence: int) -> Iterator[tuple[int, bytes]]:
        """Sequence and line of the records from this one on.

        Raises:
            DeskAltered: it is no longer the ledger that was opened, or is damaged.
            DeskUnavailable: the ledger cannot be read.
        """

    def head(self) -> LedgerHead:
        """The last record as the ledger itself notes it; as far as it was read where nobody else can note it.

        Raises:
            DeskAltered, DeskUnavailable: as for `read_from`.
        """

    def reread(self) -> Iterator[tuple[int, bytes]]:
        """All records from the first on, from where they are kept and not from memory.

        Raises:
            DeskAltered, DeskUnavailable: as for `read_from`.
        """


class MemoryFailed(Exception):
    """What the desk acknowledged cannot be remembered, or not be recalled."""


class Memory(Protocol):
    """What this console has acknowledged of the ledger, kept outside of it; it outlives the process."""

    def recall(self) -> LedgerHead | None:
        """The last record that was remembered, None if none ever was.

        Raises:
            MemoryFailed: it cannot be read.
        """

    def remember(self, head: LedgerHead) -> None:
        """Remember this record, durably, unless a later one is remembered already.

        Raises:
            DeskAltered: another record of the same number is remembered.
            MemoryFailed: it cannot be written.
        """
