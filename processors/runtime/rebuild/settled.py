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
from operator import attrgetter
from typing import Final

from msgspec import Struct

from processors.runtime.rebuild.digests import BLOCK, RowsDigest, blocks, unlike
from processors.runtime.store.shapes import OF_A_ROUND, SHAPES
from processors.runtime.store.warehouse import Warehouse

BLOCKS: Final = 16  # in one digest
# Events after which nothing more is told of an event. A round of seven boxes that split has some 150; that a card
# reader is silent is known after several rounds in which it should have spoken.
STILL_TOLD: Final = dict.fromkeys(OF_A_ROUND, 256) | {"findings": 2_048}
# What the analyst suspects of people may be hours behind the rounds; alerts about it are held against it singly.
_BESIDES: Final = {"findings": "verdict != 'suspected'"}
_IN_ORDER: Final = attrgetter("subject", "first", "relation")


class SettledAnswers(Struct, frozen=True):
    """What a version of the fold had made of each table's record, as far as it is settled.

    `ends` is the event of each table by which its copied record and its stored rounds had both come to an end. Digests
    are of the rows whose rounds begin (or whose findings are decided) in so many blocks of events.
    """

    fold: int
    ends: dict[str, int]
    digests: list[RowsDigest]


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
    return list(unlike(before.digests, _digests(store, before.ends), _IN_ORDER, _stretch, "now"))


def _stretch(one: RowsDigest) -> str:
    last = one.first + BLOCK * BLOCKS - 1
    return f"{one.relation} of table {one.subject}, events {max(1, one.first):,} to {last:,}"


def _digests(store: Warehouse, ends: Mapping[str, int]) -> Iterator[RowsDigest]:
    for name, still_told in STILL_TOLD.items():
        hashed: defaultdict[tuple[str, int], hashlib._Hash] = defaultdict(hashlib.sha256)
        rows: defaultdict[tuple[str, int], int] = defaultdict(int)
        for subject, block, count, content in blocks(
            store, name, SHAPES[name].rests_on, _BESIDES.get(name, "1")
        ):
            if (block + 1) * BLOCK <= ends.get(subject, 0) - still_told:
                place = subject, block // BLOCKS
                hashed[place].update(f"{block} {content}\n".encode())
                rows[place] += count
        for (subject, stretch), digest in hashed.items():
            first = stretch * BLOCK * BLOCKS
            yield RowsDigest(name, subject, first, rows[subject, stretch], digest.hexdigest())
