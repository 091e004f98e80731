"""What a comparison that found nothing has proven, and where the next one goes on: state of fold, analyst and store.

It is remembered outside the store. The digests are taken when all rows have been compared: a row that is altered after
its comparison and before its digest is taken as proven, until the ledger is read from its first record.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import Struct

from processors.runtime.analyst.tallies import TableTally
from processors.runtime.reconcile.seals import TableSeal
from schemas.answers import FOLD_VERSION
from schemas.counters import CounterMessage
from schemas.values import EARLIEST

Place = tuple[str, int]  # topic and partition
_FORM: Final = 1  # of what is remembered


class FoldedPartition(Struct):
    """A partition of the ledger in the fold and the sink: each table's state, and which lines belong to its record."""

    next_offset: int
    tables: list[bytes]
    admission: bytes


class CountedTables(Struct):
    """What an analyst has counted: each table's state, and the last counter of each key."""

    tables: list[TableTally]
    counters: list[CounterMessage]


NOTHING_COUNTED: Final = CountedTables([], [])


class WeighedPeople(Struct):
    """What an analyst knows of the people of a partition, by key."""

    next_offset: int
    people: dict[str, bytes]


class ProvenStore(Struct, kw_only=True):
    """All rows that records before `read` lead to were in the store at `at`, and are sealed table by table.

    `home` names the ledger and the store; `rows` is how many rows there were of each relation.
    """

    form: int = _FORM
    fold_version: int = FOLD_VERSION
    home: str
    at: dt.datetime
    read: dict[Place, int]
    fold: dict[int, FoldedPartition]
    people: dict[int, WeighedPeople]
    counted: CountedTables
    seals: dict[str, TableSeal]
    rows: dict[str, int]

    def fits(self, home: str, ends: Mapping[Place, int], *, people: bool) -> bool:
        """Whether a comparison of this ledger, which ends at these offsets, can go on from here."""
        known = self.form == _FORM and self.fold_version == FOLD_VERSION and self.home == home
        if not known or bool(self.people) != people or self.read.keys() != ends.keys():
            return False
        return all(self.read[place] <= end for place, end in ends.items())


NOTHING_PROVEN: Final = ProvenStore(
    home="", at=EARLIEST, read={}, fold={}, people={}, counted=NOTHING_COUNTED, seals={}, rows={}
)

encode: Final = msgspec.msgpack.Encoder().encode
_DECODE: Final = msgspec.msgpack.Decoder(ProvenStore).decode


def decode(data: bytes) -> ProvenStore | None:
    """What was remembered; None of what this release cannot read."""
    try:
        return _DECODE(data)
    except msgspec.MsgspecError:
        return None
