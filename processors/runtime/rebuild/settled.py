"""Digests of what a store holds about the settled part of each table's record: the same wherever it is folded.

A house at work is copied in the middle of a round, and its store may be some rounds behind. A finding may still be
told some hundred events after the event that it is about, where a device was silent. So a table's record is settled up
to a multiple of `BLOCK` events that lies so many events before the end of its last stored round, or before the copy's
last event if that comes first.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from processors.runtime.store.shapes import CHECK, OF_A_ROUND
from processors.runtime.store.warehouse import Warehouse
from schemas.warehouse import RELATIONS, Relation

BLOCK: Final = 64  # events whose rows the store itself sums up
BLOCKS: Final = 16  # of these in one digest
# Events after which nothing more is told of an event. A round of seven boxes that split has some 150; that a card
# reader is silent is known after several rounds in which it should have spoken.
STILL_TOLD: Final = dict.fromkeys(OF_A_ROUND, 256) | {"findings": 2_048}


class SettledDigest(Struct, frozen=True, array_like=True):
    """So many rows of a relation whose rounds begin (or whose findings are decided) from this event of a table on."""

    relation: str
    subject: str
    first: int
    rows: int
    content: str

    def __str__(self) -> str:
        last = self.first + BLOCK * BLOCKS - 1
        return f"{self.relation} of table {self.subject}, events {max(1, self.first):,} to {last:,}"


class SettledAnswers(Struct, frozen=True):
    """What a version of the fold had made of each table's record, as far as it is settled.

    `ends` is the event of each table by which its copied record and its stored rounds had both come to an end.
    """

    fold: int
    ends: dict[str, int]
    digests: list[SettledDigest]


def settled_answers(store: Warehouse, fold: int, last: Mapping[str, int]) -> SettledAnswers:
    """What the store holds about the settled part of these tables; `last` is the last event of each in the copy.

    Raises:
        WarehouseError: the store does not answer.
    """
    query = "SELECT subject, toUInt64(max(last_sequence)) FROM rounds GROUP BY subject"
    stored: dict[str, int] = dict(store.query(query))
    ends = {subject: min(stored.get(subject, 0), sequence) for subject, sequence in last.items()}
    return SettledAnswers(fold, ends, list(_digests(store, ends)))


def answered_otherwise(before: SettledAnswers, store: Warehouse) -> list[str]:
    """Where the store holds something else about what was settled then, by table and event.

    Raises:
        WarehouseError: the store does not answer.
    """
    was = {(one.subject, one.first, one.relation): one for one in before.digests}
    now = {(one.subject, one.first, one.relation): one for one in _digests(store, before.ends)}
    return [
        _told(was.get(place), now.get(place))
        for place in sorted(was.keys() | now.keys())
        if was.get(place) != now.get(place)
    ]


def _told(was: SettledDigest | None, now: SettledDigest | None) -> str:
    before, after = (one.rows if one is not None else 0 for one in (was, now))
    if before == after:
        return f"{was}: {before:,} rows, with other content"
    return f"{was or now}: {before:,} rows before, {after:,} now"


def _digests(store: Warehouse, ends: Mapping[str, int]) -> Iterator[SettledDigest]:
    for name, still_told in STILL_TOLD.items():
        hashed: defaultdict[tuple[str, int], hashlib._Hash] = defaultdict(hashlib.sha256)
        rows: defaultdict[tuple[str, int], int] = defaultdict(int)
        for subject, block, count, content in store.query(_question(RELATIONS[name])):
            if (block + 1) * BLOCK <= ends.get(subject, 0) - still_told:
                place = subject, block // BLOCKS
                hashed[place].update(f"{block} {content}\n".encode())
                rows[place] += count
        for (subject, stretch), digest in hashed.items():
            first = stretch * BLOCK * BLOCKS
            yield SettledDigest(name, subject, first, rows[subject, stretch], digest.hexdigest())


def _question(relation: Relation) -> str:
    columns = ", ".join(f"`{name}`" for name in relation.column_names if name != "fold_version")
    number = "first_sequence" if relation.name in OF_A_ROUND else "sequence"
    # What the analyst suspects of people may be hours behind the rounds; alerts about it are held against it singly.
    where = f" WHERE check_id != '{CHECK}' AND verdict != 'suspected'" if relation.name == "findings" else ""
    return (
        f"SELECT subject, toUInt64(intDiv({number}, {BLOCK})) AS block, toUInt64(count()),"
        " hex(SHA256(arrayStringConcat(arraySort(groupArray("
        f"hex(SHA256(toString(tuple({columns})))))))))"
        f" FROM {relation.name} FINAL{where} GROUP BY subject, block ORDER BY subject, block"
    )
