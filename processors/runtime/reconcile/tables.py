"""One table while it is compared: rows given and not compared yet, what is settled at the end, and its seal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from processors.runtime.reconcile.seals import RowsLate, TableSeal
from processors.runtime.reconcile.stretches import Runs
from processors.runtime.store.shapes import COMPARED, LETTERS, SHAPES, Key
from processors.runtime.store.warehouse import Row
from schemas.warehouse import RELATIONS

_TOLD: Final = 5_000  # events, the last of a table, of which findings may still be told
_ORDINAL: Final = RELATIONS["findings"].at("ordinal")
_EVENT_AND_ID: Final = RELATIONS["findings"].of("sequence", "finding_id")


@dataclass(slots=True)
class LateRow:
    """A row given after its place had been compared; without `owed` the store need not have it yet.

    `unsealed` says that it was given after the table's seal was set.
    """

    row: Row
    owed: bool
    unsealed: bool


@dataclass(slots=True)
class ComparedTable:
    """One table: rows given and not compared yet, and what is to be settled at the end."""

    compared: int = 0  # rows that rest on earlier events have been compared
    reached: int = 1
    size: int = 0
    given: dict[str, dict[Key, Row]] = field(default_factory=dict)
    letters: dict[Key, Row] = field(default_factory=dict)  # lines set aside: few, and told in no order
    late: dict[str, dict[Key, LateRow]] = field(default_factory=dict)
    extra: dict[str, dict[Key, Row]] = field(default_factory=dict)
    settled: dict[str, set[Key]] = field(default_factory=dict)  # keys that are known to differ
    runs: dict[str, Runs] = field(default_factory=dict)
    ordinals: dict[int, dict[str, int]] = field(default_factory=dict)  # of findings, by event
    proven: TableSeal | None = None  # what is taken as proven, if its digests still are what they were
    apart: dict[str, set[Key]] = field(default_factory=dict)  # rows that are proven, and rest on later events
    seal: TableSeal | None = None  # what this comparison proves


def begun(seal: TableSeal) -> ComparedTable:
    """A table whose rows are given from a seal on."""
    apart = {name: {key for _, key in rows} for name, rows in seal.apart.items()}
    told = {sequence: dict(ids) for sequence, ids in seal.told.items()}
    return ComparedTable(compared=seal.before, reached=seal.before, ordinals=told, proven=seal, apart=apart)


def seal_of(table: ComparedTable) -> TableSeal:
    """What all that was given so far proves, without its digests."""
    before = table.compared
    apart: dict[str, list[tuple[int, Key]]] = {}
    for name in COMPARED:
        shape = SHAPES[name]
        proven = table.proven.apart.get(name, []) if table.proven is not None else []
        ahead = [one for one in proven if name == LETTERS or one[0] >= before]
        given = table.letters if name == LETTERS else table.given.get(name, {})
        ahead += [(shape.anchor(row), key) for key, row in given.items()]
        if ahead:
            apart[name] = ahead
    told = {sequence: dict(ids) for sequence, ids in table.ordinals.items() if sequence >= before - _TOLD}
    return TableSeal(before=before, apart=apart, told=told)


def late_of(table: ComparedTable, before: int, *, unsealed: bool = False) -> RowsLate:
    """Rows that rest on events before this one and were given late; with `unsealed` after the seal was set."""
    found: dict[str, list[tuple[int, Key]]] = {}
    for name, late in table.late.items():
        anchor = SHAPES[name].anchor
        rows = [(anchor(one.row), key) for key, one in late.items() if one.unsealed or not unsealed]
        found[name] = [one for one in rows if one[0] < before]
    return found


def numbered(table: ComparedTable, row: Row) -> Row:
    """A finding with its place among those of its event, as stores number them: in the order they were told."""
    sequence, identity = _EVENT_AND_ID(row)
    told = table.ordinals.setdefault(sequence, {})
    place = told.setdefault(identity, len(told) + 1)
    return (*row[:_ORDINAL], place, *row[_ORDINAL + 1 :])
