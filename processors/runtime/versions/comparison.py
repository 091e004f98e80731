"""Rounds, settlements and findings of two versions of the fold, row by row, while both go on.

Rows are compared by key and by the hash of all that they say. A digest for each stretch of a table finds where they
differ, and only there rows are read. A row that one version alone has may be one that the other makes a moment later:
so each store is read twice, and between the two the other version takes all that the ledger held at the first reading.
A difference that stands both times is one of the versions, and not of the moment.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Literal, NamedTuple

import msgspec
from msgspec import Struct

from processors.runtime.store.shapes import of_ledger
from processors.runtime.store.warehouse import Parameter, Row, Warehouse
from schemas.warehouse import RELATIONS, Relation

STRETCH: Final = 1024  # rounds or events that one digest stands for
_AT_ONCE: Final = 50  # stretches that one question names
KINDS: Final = {"rounds": "rounds", "settlements": "stakes", "findings": "findings"}  # what people call them
Kind = Literal["changed", "new", "gone"]


class Place(NamedTuple):
    """A row as both versions would name it; `rule` is a finding's check, "" for others."""

    kind: str
    subject: str
    rule: str
    key: tuple[Any, ...]


class Count(Struct, kw_only=True):
    """How many rows are the same, differ, are made by the new version alone, by the old one alone."""

    same: int = 0
    changed: int = 0
    new: int = 0
    gone: int = 0

    @property
    def differs(self) -> bool:
        """Whether the two versions say anything different here."""
        return bool(self.changed or self.new or self.gone)


class Example(Struct, frozen=True, order=True):
    """One row that differs: its table, and its round or event."""

    subject: str
    number: int
    what: Kind


class Line(Struct, frozen=True, kw_only=True):
    """What is compared of one table: rounds, settlements, or the findings of one rule."""

    kind: str
    subject: str
    rule: str
    count: Count


class Comparison(Struct, frozen=True, kw_only=True):
    """All that was compared; `up_to` is for each table the first event that one of the two had not stored."""

    old: int
    new: int
    up_to: dict[str, int]
    lines: tuple[Line, ...]
    examples: dict[str, tuple[Example, ...]]

    @property
    def total(self) -> Count:
        """The sum of all lines."""
        return _sum(line.count for line in self.lines)

    @property
    def digest(self) -> str:
        """SHA-256 over all of it, in hex."""
        return hashlib.sha256(msgspec.json.encode(self, order="deterministic")).hexdigest()

    def by_rule(self) -> dict[tuple[str, str], Count]:
        """Counts over all tables, by kind and rule."""
        return self._sums(lambda line: (line.kind, line.rule))

    def by_table(self) -> dict[tuple[str, str], Count]:
        """Counts over all rules, by table and kind."""
        return self._sums(lambda line: (line.subject, line.kind))

    def _sums(self, of: Callable[[Line], tuple[str, str]]) -> dict[tuple[str, str], Count]:
        found: dict[tuple[str, str], list[Count]] = defaultdict(list)
        for line in self.lines:
            found[of(line)].append(line.count)
        return {key: _sum(counts) for key, counts in found.items()}


class Reading(Struct, frozen=True):
    """One reading of both stores: rows that are the same by kind, table and rule, and those that differ."""

    same: dict[tuple[str, str, str], int]
    differing: dict[Place, Kind]


def reading(old: Warehouse, new: Warehouse) -> Reading:
    """Read both stores once.

    Raises:
        WarehouseError: one does not answer.
    """
    same: dict[tuple[str, str, str], int] = defaultdict(int)
    differing: dict[Place, Kind] = {}
    for kind, name in KINDS.items():
        relation = RELATIONS[name]
        before, after = _stretches(old, relation), _stretches(new, relation)
        unlike = []
        for stretch in before.keys() | after.keys():
            if before.get(stretch) == after.get(stretch):
                same[kind, stretch.subject, stretch.rule] += before[stretch][0]
            else:
                unlike.append(stretch)
        for at in range(0, len(unlike), _AT_ONCE):
            chosen = unlike[at : at + _AT_ONCE]
            mine, others = _rows(old, kind, relation, chosen), _rows(new, kind, relation, chosen)
            for place in mine.keys() | others.keys():
                if mine.get(place) == others.get(place):
                    same[place.kind, place.subject, place.rule] += 1
                else:
                    there = place in mine, place in others
                    differing[place] = "changed" if all(there) else "gone" if there[0] else "new"
    return Reading(dict(same), differing)


def compared(versions: tuple[int, int], first: Reading, second: Reading, up_to: dict[str, int]) -> Comparison:
    """What two readings come to: differences of the first that the second has too."""
    lasting = {place: second.differing[place] for place in first.differing if place in second.differing}
    counts: dict[tuple[str, str, str], Count] = defaultdict(Count)
    for key, number in first.same.items():
        counts[key].same += number
    examples: dict[str, list[Example]] = defaultdict(list)
    for place, what in lasting.items():
        count = counts[place.kind, place.subject, place.rule]
        setattr(count, what, getattr(count, what) + 1)
        examples[place.rule or place.kind].append(Example(place.subject, place.key[0], what))
    return Comparison(
        old=versions[0],
        new=versions[1],
        up_to=up_to,
        lines=tuple(
            Line(kind=kind, subject=subject, rule=rule, count=counts[kind, subject, rule])
            for kind, subject, rule in sorted(counts)
        ),
        examples={name: tuple(sorted(found)[:3]) for name, found in sorted(examples.items())},
    )


class _Stretch(NamedTuple):
    subject: str
    rule: str
    first: int


def _rule(relation: Relation) -> str:
    return "check_id" if relation.name == "findings" else "''"


def _stretches(store: Warehouse, relation: Relation) -> dict[_Stretch, tuple[int, int]]:
    """Rows of each stretch, and a digest of them in which their order does not matter."""
    number, said = relation.key[1], ", ".join((*relation.key, "row_hash"))
    sql = (
        f"SELECT subject, {_rule(relation)} AS rule, toUInt64(intDiv({number}, {STRETCH})) AS stretch,"
        f" toUInt64(count()), reinterpretAsInt64(sum(cityHash64({said})))"
        f" FROM {relation.name} FINAL WHERE {of_ledger(relation.name)} GROUP BY subject, rule, stretch"
    )
    return {
        _Stretch(subject, rule, first): (rows, digest)
        for subject, rule, first, rows, digest in store.query(sql)
    }


def _rows(
    store: Warehouse, kind: str, relation: Relation, chosen: Sequence[_Stretch]
) -> dict[Place, tuple[Any, ...]]:
    """Hashes of the rows of these stretches."""
    number, rule = relation.key[1], _rule(relation)
    terms, parameters = [], dict[str, Parameter]()
    for n, one in enumerate(chosen):
        parameters |= {f"s{n}": one.subject, f"r{n}": one.rule, f"a{n}": one.first}
        terms.append(
            f"(subject = {{s{n}:String}} AND {rule} = {{r{n}:String}}"
            f" AND intDiv({number}, {STRETCH}) = {{a{n}:UInt64}})"
        )
    sql = (
        f"SELECT {rule}, {', '.join(relation.key)}, row_hash FROM {relation.name} FINAL"
        f" WHERE {of_ledger(relation.name)} AND ({' OR '.join(terms)})"
    )
    found: Iterable[Row] = store.query(sql, parameters)
    return {Place(kind, row[1], row[0], tuple(row[2:-1])): row[-1] for row in found}


def _sum(counts: Iterable[Count]) -> Count:
    total = Count()
    for one in counts:
        total.same += one.same
        total.changed += one.changed
        total.new += one.new
        total.gone += one.gone
    return total
