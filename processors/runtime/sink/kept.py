"""Up to which offset of each partition the store holds everything, kept in the store itself.

The relation `progress` has a row for each table, and one for each partition of a topic: `catwalk.rounds/3`, which no
table can be named, with 0 for its next event, since a partition has none, and the offset as its position. A batch's
offsets are stored behind its rows and before the group is told, and they only ever grow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from processors.runtime.brokers.records import Place
from processors.runtime.brokers.standing import EMPTY_STORE, STORE, Kept
from processors.runtime.store.rows import FOLD_VERSION, progress_row
from processors.runtime.store.warehouse import Asked, Row, Warehouse
from schemas.warehouse import RELATIONS

_KEPT: Final = (
    "SELECT subject, position, fold_version FROM progress FINAL WHERE next_sequence = 0 AND subject != ''"
)


def offset_rows(offsets: Mapping[Place, int]) -> list[Row]:
    """Rows of `progress` that say: everything before these offsets is stored."""
    return [progress_row(f"{topic}/{number}", 0, offset) for (topic, number), offset in offsets.items()]


def kept_offsets(store: Asked) -> Kept:
    """The offsets before which the store says that it holds everything.

    A store without offsets, or filled by another version of the fold, must be rebuilt from the ledger: the topics also
    carry what older folds wrote.

    Raises:
        WarehouseError: the store does not answer, or has not the relations.
    """
    found: dict[Place, int] = {}
    versions: set[int] = set()
    for name, offset, version in store.query(_KEPT):
        topic, _, number = name.rpartition("/")
        found[topic, int(number)] = offset
        versions.add(version)
    return Kept(found, STORE if versions == {FOLD_VERSION} else EMPTY_STORE)


def keep_offsets(store: Warehouse, offsets: Mapping[Place, int]) -> None:
    """Note in an empty store that it needs nothing before these offsets, since workers make all of it again.

    Raises:
        WarehouseError: the store does not take it.
    """
    store.insert(RELATIONS["progress"], offset_rows(offsets))
