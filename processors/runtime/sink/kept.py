"""Up to which offset of each partition the store holds everything, kept in the store itself.

The relation `progress` has a row for each table, and one for each partition of a topic: `catwalk.rounds/3`, which no
table can be named, with 0 for its next event, since a partition has none, and the offset as its position. That of a
partition of the ledger also holds where each table's chain was at that offset, and what waited (`sink.admission`). A
batch's offsets are stored behind its rows and before the group is told, and they only ever grow.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from processors.runtime.brokers.records import Place
from processors.runtime.brokers.standing import EMPTY_STORE, STORE, Kept
from processors.runtime.store.rows import progress_row
from processors.runtime.store.warehouse import Row, SqlStore, Warehouse
from schemas.answers import FOLD_VERSION
from schemas.warehouse import RELATIONS

NO_STATES: Final[Mapping[Place, bytes]] = MappingProxyType({})
_KEPT: Final = (
    "SELECT subject, position, snapshot_base64, fold_version FROM progress FINAL"
    " WHERE next_sequence = 0 AND subject != ''"
)


def offset_rows(offsets: Mapping[Place, int], states: Mapping[Place, bytes] = NO_STATES) -> list[Row]:
    """Rows of `progress` that say: everything before these offsets is stored; `states` are the admissions' there."""
    return [
        progress_row(f"{place[0]}/{place[1]}", 0, offset, snapshot=states.get(place, b""))
        for place, offset in offsets.items()
    ]


def kept_offsets(store: SqlStore) -> Kept:
    """The offsets before which the store says that it holds everything.

    A store without offsets, or filled by another version of the fold, must be rebuilt from the ledger: the topics also
    carry what older folds wrote.

    Raises:
        WarehouseError: the store does not answer, or has not the relations.
    """
    found: dict[Place, int] = {}
    states: dict[Place, bytes] = {}
    versions: set[int] = set()
    for name, offset, state, version in store.query(_KEPT):
        topic, _, number = name.rpartition("/")
        found[topic, int(number)] = offset
        if state:
            states[topic, int(number)] = base64.b64decode(state)
        versions.add(version)
    return Kept(found, STORE if versions == {FOLD_VERSION} else EMPTY_STORE, states)


def keep_offsets(store: Warehouse, offsets: Mapping[Place, int]) -> None:
    """Note in an empty store that it needs nothing before these offsets, since workers make all of it again.

    Raises:
        WarehouseError: the store does not take it.
    """
    store.insert(RELATIONS["progress"], offset_rows(offsets))
