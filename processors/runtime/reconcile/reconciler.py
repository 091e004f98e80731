"""What the ledger gives, held against what the store holds: row by row, every column, no stored hash believed.

Rows come as the ledger is folded again, table by table in the order of its record. They are compared a window at a
time, so that not the whole ledger need be in memory: a window is the rows that rest on events from one sequence to
another. A row may be told long after the event it rests on; such late rows are settled at the end, and so are rows
of the store that nothing has given yet: workers go on storing while this reads.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct

from processors.runtime.reconcile.columns import COLUMNS, COMPARED, Columns, Key
from processors.runtime.reconcile.stretches import Runs, Stretch
from processors.runtime.sink.store import CHECK, OF_A_ROUND, SHAPES
from processors.runtime.store.rows import Rows
from processors.runtime.store.warehouse import Parameter, Row, Warehouse
from schemas.warehouse import RELATIONS

_WINDOW: Final = 3_000  # rows of a table that wait to be compared
_MARGIN: Final = 800  # events: rows that rest on the last ones may not have been told yet
_END: Final = 2**32
_LETTERS: Final = "dead_letters"


class Reconciled(Struct, frozen=True, kw_only=True):
    """What was compared, and where the store is not what the ledger gives; `rows` counts rows of the ledger.

    `repaired` says that it was put right; `left` is what a repair did not put right, as another comparison found.
    """

    subjects: tuple[str, ...]
    rows: dict[str, int]
    stretches: list[Stretch]
    repaired: bool = False
    left: list[Stretch] = []

    @property
    def tables(self) -> int:
        """How many tables the ledger has."""
        return len(self.subjects)

    @property
    def identical(self) -> bool:
        """Whether nothing differed."""
        return not self.stretches

    @property
    def well(self) -> bool:
        """Whether the store is what the ledger gives, now."""
        return self.identical or self.repaired


_SUBJECT: Final = {name: RELATIONS[name].of("subject") for name in COMPARED}
_ORDINAL: Final = RELATIONS["findings"].at("ordinal")
_EVENT_HASH: Final = RELATIONS["events"].of("row_hash")
_PATRON_HASH: Final = RELATIONS["patrons"].of("row_hash")
_PATRONS_EVENT: Final = RELATIONS["patrons"].of("subject", "sequence")
_EVENT_AND_ID: Final = RELATIONS["findings"].of("sequence", "finding_id")


@dataclass(slots=True)
class _Late:
    """A row given after its place had been compared; without `owed` the store need not have it yet."""

    row: Row
    owed: bool


@dataclass(slots=True)
class _Table:
    """One table: rows given and not compared yet, and what is to be settled at the end."""

    compared: int = 0  # rows that rest on earlier events have been compared
    reached: int = 1
    size: int = 0
    given: dict[str, dict[Key, Row]] = field(default_factory=dict)
    letters: dict[Key, Row] = field(default_factory=dict)  # lines set aside: few, and told in no order
    late: dict[str, dict[Key, _Late]] = field(default_factory=dict)
    extra: dict[str, dict[Key, Row]] = field(default_factory=dict)
    settled: dict[str, set[Key]] = field(default_factory=dict)  # keys that are known to differ
    runs: dict[str, Runs] = field(default_factory=dict)
    ordinals: dict[int, dict[str, int]] = field(default_factory=dict)  # of findings, by event


class Reconciler:
    """Compares; with `repair` it also puts rows back and takes rows out that the ledger does not give."""

    def __init__(
        self, store: Warehouse, *, repair: bool = False, kept_since: dt.datetime | None = None
    ) -> None:
        """Rows that were decided before `kept_since` the store may have given up by its retention."""
        self._store, self._repair, self._kept_since = store, repair, kept_since
        self._tables: dict[str, _Table] = {}
        self._rows: Counter[str] = Counter()
        self._owed = True
        self._apart: list[Stretch] = []

    def take(self, rows: Rows, reached: Mapping[str, int]) -> None:
        """Rows that the ledger gives; `reached` is the next event of each table that they are of.

        Raises:
            WarehouseError: the store does not answer.
        """
        for name in COMPARED:
            for row in rows.get(name, ()):
                subject = _SUBJECT[name](row)
                table = self._tables.get(subject)
                if table is None:
                    table = self._tables[subject] = _Table()
                self._give(table, name, row)
        for subject, following in reached.items():
            table = self._tables.get(subject)
            if table is not None:
                table.reached = max(table.reached, following)
                if table.size > _WINDOW and self._owed:
                    self._compare(subject, table, table.reached - _MARGIN)

    def cut(self) -> None:
        """All that the store owes has been given: what comes now it may hold already, and need not.

        Raises:
            WarehouseError: the store does not answer.
        """
        for subject, table in sorted(self._tables.items()):
            self._compare(subject, table, _END)
        self._owed = False

    def differs(self, stretch: Stretch) -> None:
        """Note a difference that was found elsewhere."""
        self._apart.append(stretch)

    def finish(self) -> Reconciled:
        """Settle what was late, look for tables that the ledger does not know, and say what was found.

        Raises:
            WarehouseError: the store does not answer, or does not take a repair.
        """
        for subject, table in sorted(self._tables.items()):
            for name in COMPARED:
                self._settle(subject, table, name)
        self._unknown_tables()
        return self.found()

    def found(self) -> Reconciled:
        """What was found so far."""
        stretches = [
            one for table in self._tables.values() for runs in table.runs.values() for one in runs.found()
        ]
        stretches += self._apart
        order = [*COMPARED, "counters", "progress"]
        stretches.sort(key=lambda one: (one.subject, order.index(one.relation), one.first, one.kind))
        named = tuple(sorted(subject for subject in self._tables if subject))
        rows = {name: self._rows[name] for name in COMPARED}
        return Reconciled(
            subjects=named, rows=rows, stretches=stretches, repaired=self._repair and bool(stretches)
        )

    def _give(self, table: _Table, name: str, row: Row) -> None:
        if name == "findings":
            row = _numbered(table, row)
        if name == _LETTERS:
            self._give_letter(table, row)
            return
        shape = COLUMNS[name]
        key = shape.key(row)
        if not self._owed or shape.anchor(row) < table.compared:
            if table.late.setdefault(name, {}).setdefault(key, _Late(row, self._owed)).row is row:
                self._rows[name] += self._owed
            return
        given = table.given.setdefault(name, {})
        if name == "patrons":
            counted = table.given["events"].get(_PATRONS_EVENT(row))
            if counted is not None and _EVENT_HASH(counted) != _PATRON_HASH(row):
                return
        if key not in given:  # of two lines for one place the first counts
            given[key] = row
            table.size += 1
            self._rows[name] += 1

    def _give_letter(self, table: _Table, row: Row) -> None:
        """Of two lines set aside for one place none is lost: the sink keeps the second under a number of its own."""
        for offered in SHAPES[_LETTERS].alternatives(row):
            key = COLUMNS[_LETTERS].key(offered)
            known = table.letters.setdefault(key, offered)
            if known is offered:
                if self._owed:
                    self._rows[_LETTERS] += 1
                else:
                    table.late.setdefault(_LETTERS, {})[key] = _Late(offered, owed=False)
            if known == offered:
                return

    def _compare(self, subject: str, table: _Table, until: int) -> None:
        """Compare the rows that rest on events from where the last window ended."""
        if until <= table.compared:
            return
        for name in COMPARED:
            if name == _LETTERS and until != _END:
                continue
            shape = COLUMNS[name]
            first, mine = 0, table.letters
            if name != _LETTERS:
                waiting = table.given.get(name, {})
                first = table.compared
                mine = {key: row for key, row in waiting.items() if shape.anchor(row) < until}
                for key in mine:
                    del waiting[key]
                table.size -= len(mine)
            self._hold(subject, table, name, mine, self._stored(name, subject, first, until - 1))
        table.compared = until

    def _hold(
        self, subject: str, table: _Table, name: str, mine: dict[Key, Row], stored: dict[Key, Row]
    ) -> None:
        shape = COLUMNS[name]
        runs = table.runs.setdefault(name, Runs(name, subject))
        back: list[Row] = []
        wrong: list[Key] = []
        rows = {**stored, **mine}
        for key in sorted(rows, key=lambda key: (shape.anchor(rows[key]), key)):
            given, held = mine.get(key), stored.get(key)
            if given is None:
                table.extra.setdefault(name, {})[key] = rows[key]
                continue  # the ledger may give it yet
            if held is None and self._given_up(shape, given):
                continue
            if held is None:
                runs.add(shape.number(given), "missing")
            elif not shape.same(given, held):
                runs.add(shape.number(given), "different")
                wrong.append(key)
            else:
                runs.add(shape.number(given), None)
                continue
            back.append(given)
            table.settled.setdefault(name, set()).add(key)
        self._put_right(name, wrong, back)

    def _settle(self, subject: str, table: _Table, name: str) -> None:
        """Rows that were given late, and stored rows that nothing had given when they were compared."""
        shape = COLUMNS[name]
        runs = table.runs.setdefault(name, Runs(name, subject))
        extra, settled = table.extra.get(name, {}), table.settled.get(name, set())
        back: list[Row] = []
        wrong: list[Key] = []
        for key, late in table.late.get(name, {}).items():
            if key in settled:
                continue
            held = extra.pop(key, None)
            if held is None:
                owed = late.owed and not self._given_up(shape, late.row)
                if owed and not self._holds(name, subject, late.row):
                    runs.apart(shape.number(late.row), "missing")
                    back.append(late.row)
            elif not shape.same(late.row, held):
                runs.apart(shape.number(held), "different")
                wrong.append(key)
                back.append(late.row)
        if subject:  # lines that name no table are told by others than the ledger too
            for key, row in extra.items():
                runs.apart(shape.number(row), "extra")
                wrong.append(key)
        self._put_right(name, wrong, back)

    def _given_up(self, shape: Columns, row: Row) -> bool:
        return self._kept_since is not None and row[shape.moment] < self._kept_since

    def _holds(self, name: str, subject: str, row: Row) -> bool:
        """Whether the store has a row for this one's key, or need not: a second line for a place names no patron."""
        at = COLUMNS[name].anchor(row)
        if name == "patrons":
            [*counted] = self._stored("events", subject, at, at).values()
            if not any(_EVENT_HASH(event) == _PATRON_HASH(row) for event in counted):
                return True
        return COLUMNS[name].key(row) in self._stored(name, subject, at, at)

    def _stored(self, name: str, subject: str, first: int, last: int) -> dict[Key, Row]:
        relation = RELATIONS[name]
        anchor = "first_sequence" if name in OF_A_ROUND else "sequence"
        columns = ", ".join(f"`{column}`" for column in relation.column_names)
        sql = (
            f"SELECT {columns} FROM {name} FINAL"
            f" WHERE subject = {{subject:String}} AND {anchor} BETWEEN {{first:UInt32}} AND {{last:UInt32}}"
        )
        parameters: dict[str, Parameter] = {"subject": subject, "first": first, "last": min(last, _END - 1)}
        if name == "findings":
            sql += " AND check_id != {mine:String}"
            parameters["mine"] = CHECK
        key = COLUMNS[name].key
        return {key(row): row for row in self._store.query(sql, parameters)}

    def _unknown_tables(self) -> None:
        """Tables of which the store holds rows and the ledger has no record."""
        for name in COMPARED:
            relation, key = RELATIONS[name], COLUMNS[name].key
            for (subject,) in self._store.query(f"SELECT DISTINCT subject FROM {name} FINAL"):
                if subject in self._tables or not subject:
                    continue
                held = self._stored(name, subject, 0, _END)
                runs = Runs(name, subject)
                for row in sorted(held.values(), key=key):
                    runs.add(COLUMNS[name].number(row), "extra")
                self._apart += runs.found()
                if self._repair:
                    self._store.remove(relation, list(held))

    def _put_right(self, name: str, wrong: Iterable[Key], back: list[Row]) -> None:
        if not self._repair:
            return
        relation, keys = RELATIONS[name], list(wrong)
        if keys:
            self._store.remove(relation, keys)
        self._store.insert(relation, back)


def _numbered(table: _Table, row: Row) -> Row:
    """A finding with its place among those of its event, as stores number them: in the order they were told."""
    sequence, identity = _EVENT_AND_ID(row)
    told = table.ordinals.setdefault(sequence, {})
    place = told.setdefault(identity, len(told) + 1)
    return (*row[:_ORDINAL], place, *row[_ORDINAL + 1 :])
