"""What the ledger gives, held against what the store holds: row by row, every column, no stored hash believed.

Rows come as the ledger is folded again, table by table in the order of its record. They are compared a window at a
time, so that not the whole ledger need be in memory: a window is the rows that rest on events from one sequence to
another. A row may be told long after the event it rests on; such late rows are settled at the end, and so are rows
of the store that nothing has given yet: workers go on storing while this reads.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from processors.runtime.reconcile.seals import STRETCH, TableSeal, broken, sealed
from processors.runtime.reconcile.stretches import Kind, Runs, Stretch
from processors.runtime.reconcile.tables import ComparedTable, LateRow, begun, late_of, numbered, seal_of
from processors.runtime.store.rows import Rows
from processors.runtime.store.shapes import COMPARED, LETTERS, OF_AN_EVENT, SHAPES, Key, RowShape, of_ledger
from processors.runtime.store.warehouse import Parameter, Row, Warehouse
from schemas.warehouse import RELATIONS
from schemas.warehouse.relation import EACH_MONTH

_WINDOW: Final = 3_000  # rows of a table that wait to be compared
_MARGIN: Final = 800  # events: rows that rest on the last ones may not have been told yet
_END: Final = 2**32
_NO_SEALS: Final[Mapping[str, TableSeal]] = {}
_NO_ROWS: Final[Mapping[str, int]] = {}
_NONE_GIVEN: Final[Mapping[Key, Row]] = {}


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
_EVENT_HASH: Final = RELATIONS["events"].of("row_hash")
_REPEATED: Final = {name: RELATIONS[name].of("subject", "sequence") for name in OF_AN_EVENT}


class Reconciler:
    """Compares; with `repair` it also puts rows back and takes rows out that the ledger does not give."""

    def __init__(
        self,
        store: Warehouse,
        *,
        repair: bool = False,
        kept_since: dt.datetime | None = None,
        proven: Mapping[str, TableSeal] = _NO_SEALS,
        rows: Mapping[str, int] = _NO_ROWS,
    ) -> None:
        """Rows that were decided before `kept_since` the store may have given up by its retention.

        `proven` are the seals of the tables whose rows are given from there on; so many `rows` were given before.
        """
        self._store, self._repair, self._kept_since = store, repair, kept_since
        self._tables = {subject: begun(seal) for subject, seal in proven.items()}
        self._rows = Counter(rows)
        self.rows_sealed: dict[str, int] = {}
        self._sealing = False
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
                    table = self._tables[subject] = ComparedTable()
                self._give(table, name, row)
        for subject, following in reached.items():
            table = self._tables.get(subject)
            if table is not None:
                table.reached = max(table.reached, following)
                if table.size > _WINDOW and self._owed:
                    self._compare(subject, table, table.reached - _MARGIN)

    def seal(self) -> None:
        """What was given until now is to be proven for the next comparison, which goes on from here.

        Raises:
            WarehouseError: the store does not answer, or does not take a repair.
        """
        for subject, table in self._tables.items():
            if subject:
                self._compare(subject, table, table.reached)
                table.seal = seal_of(table)
        self.rows_sealed = dict(self._rows)
        self._sealing = True

    def seals(self) -> dict[str, TableSeal]:
        """The seals that were set, with their digests: to be asked when nothing differed.

        Raises:
            WarehouseError: the store does not answer.
        """
        return {
            subject: sealed(
                self._store, subject, table.seal, late_of(table, table.seal.before, unsealed=True)
            )
            for subject, table in sorted(self._tables.items())
            if table.seal is not None
        }

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

    def put_right(self, name: str, wrong: Iterable[Key], back: Sequence[Row]) -> None:
        """Take the rows of these keys out of a relation and put others into it, if this is a repair.

        Raises:
            WarehouseError: the store does not take it.
        """
        if self._repair:
            self._store.remove(RELATIONS[name], list(wrong))
            self._store.insert(RELATIONS[name], back)

    def finish(self) -> Reconciled:
        """Settle what was late, look for tables that the ledger does not know, and say what was found.

        Raises:
            WarehouseError: the store does not answer, or does not take a repair.
        """
        for subject, table in sorted(self._tables.items()):
            for name in COMPARED:
                self._settle(subject, table, name)
            self._hold_proven(subject, table)
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

    def _give(self, table: ComparedTable, name: str, row: Row) -> None:
        if name == "findings":
            row = numbered(table, row)
        if name == LETTERS:
            self._give_letter(table, row)
            return
        shape = SHAPES[name]
        key = shape.key(row)
        if not self._owed or shape.anchor(row) < table.compared:
            if (
                table.late.setdefault(name, {}).setdefault(key, LateRow(row, self._owed, self._sealing)).row
                is row
            ):
                self._rows[name] += self._owed
            return
        given = table.given.setdefault(name, {})
        if name in OF_AN_EVENT:
            counted = table.given["events"].get(_REPEATED[name](row))
            if counted is not None and _EVENT_HASH(counted) != row[shape.row_hash]:
                return
        if key not in given:  # of two lines for one place the first counts
            given[key] = row
            table.size += 1
            self._rows[name] += 1

    def _give_letter(self, table: ComparedTable, row: Row) -> None:
        """Of two lines set aside for one place none is lost: the sink keeps the second under a number of its own."""
        for offered in SHAPES[LETTERS].alternatives(row):
            key = SHAPES[LETTERS].key(offered)
            if key in table.apart.get(LETTERS, ()):
                if self._differs_from_stored(LETTERS, offered) is None:
                    return
                continue
            known = table.letters.setdefault(key, offered)
            if known is offered:
                if self._owed:
                    self._rows[LETTERS] += 1
                else:
                    table.late.setdefault(LETTERS, {})[key] = LateRow(offered, False, self._sealing)
            if known == offered:
                return

    def _compare(self, subject: str, table: ComparedTable, until: int) -> None:
        """Compare the rows that rest on events from where the last window ended."""
        if until <= table.compared:
            return
        for name in COMPARED:
            if name == LETTERS and until != _END:
                continue
            shape = SHAPES[name]
            first, mine = 0, table.letters
            if name != LETTERS:
                waiting = table.given.get(name, {})
                first = table.compared
                mine = {key: row for key, row in waiting.items() if shape.anchor(row) < until}
                for key in mine:
                    del waiting[key]
                table.size -= len(mine)
            self._hold(subject, table, name, mine, self._stored(name, subject, first, until - 1, mine))
        table.compared = until

    def _hold(
        self, subject: str, table: ComparedTable, name: str, mine: dict[Key, Row], stored: dict[Key, Row]
    ) -> None:
        shape = SHAPES[name]
        runs = table.runs.setdefault(name, Runs(name, subject))
        back: list[Row] = []
        wrong: list[Key] = []
        rows = {**stored, **mine}
        for key in sorted(rows, key=lambda key: (shape.anchor(rows[key]), key)):
            given, held = mine.get(key), stored.get(key)
            if given is None and key in table.apart.get(name, ()):
                continue  # given before what was proven
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
        self.put_right(name, wrong, back)

    def _settle(self, subject: str, table: ComparedTable, name: str) -> None:
        """Rows that were given late, and stored rows that nothing had given when they were compared."""
        shape = SHAPES[name]
        runs = table.runs.setdefault(name, Runs(name, subject))
        extra, settled = table.extra.get(name, {}), table.settled.get(name, set())
        back: list[Row] = []
        wrong: list[Key] = []
        for key, late in table.late.get(name, {}).items():
            if key in settled:
                continue
            held = extra.pop(key, None)
            if held is None and table.proven is not None and shape.anchor(late.row) < table.proven.before:
                kind = self._differs_from_stored(name, late.row)
                if kind == "different" or (
                    kind == "missing" and late.owed and not self._given_up(shape, late.row)
                ):
                    runs.apart(shape.number(late.row), kind)
            elif held is None:
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
        self.put_right(name, wrong, back)

    def _hold_proven(self, subject: str, table: ComparedTable) -> None:
        """What rests on events before the proven seal must still be what it was; of which rows is not known."""
        seal = table.proven
        if seal is None:
            return
        now = sealed(self._store, subject, seal, late_of(table, seal.before))
        for name, first in broken(seal, now, self._kept_since):
            self.differs(Stretch(name, subject, first, first + STRETCH - 1, "different", 1))

    def _differs_from_stored(self, name: str, row: Row) -> Kind | None:
        shape = SHAPES[name]
        at = shape.anchor(row)
        key = shape.key(row)
        held = self._stored(name, _SUBJECT[name](row), at, at, {key: row}).get(key)
        if held is None:
            return "missing"
        return None if shape.same(row, held) else "different"

    def _given_up(self, shape: RowShape, row: Row) -> bool:
        return self._kept_since is not None and row[shape.moment] < self._kept_since

    def _holds(self, name: str, subject: str, row: Row) -> bool:
        """Whether the store has a row for this one's key, or need not: no second line for a place is repeated."""
        at = SHAPES[name].anchor(row)
        if name in OF_AN_EVENT:
            [*counted] = self._stored("events", subject, at, at).values()
            if not any(_EVENT_HASH(event) == row[SHAPES[name].row_hash] for event in counted):
                return True
        return SHAPES[name].key(row) in self._stored(name, subject, at, at)

    def _stored(
        self, name: str, subject: str, first: int, last: int, given: Mapping[Key, Row] = _NONE_GIVEN
    ) -> dict[Key, Row]:
        """The stored rows that rest on these events; of two of one key another one than is `given`."""
        relation = RELATIONS[name]
        columns = ", ".join(f"`{column}`" for column in relation.column_names)
        sql = (
            f"SELECT {columns} FROM {name} FINAL WHERE {of_ledger(name)} AND subject = {{subject:String}}"
            f" AND {SHAPES[name].rests_on} BETWEEN {{first:UInt32}} AND {{last:UInt32}} SETTINGS {EACH_MONTH}"
        )
        parameters: dict[str, Parameter] = {"subject": subject, "first": first, "last": min(last, _END - 1)}
        shape, held = SHAPES[name], dict[Key, Row]()
        for row in self._store.query(sql, parameters):
            key = shape.key(row)
            if key not in held or (key in given and shape.same(given[key], held[key])):
                held[key] = row
        return held

    def _unknown_tables(self) -> None:
        """Tables of which the store holds rows and the ledger has no record."""
        for name in COMPARED:
            key = SHAPES[name].key
            for (subject,) in self._store.query(f"SELECT DISTINCT subject FROM {name} FINAL"):
                if subject in self._tables or not subject:
                    continue
                held = self._stored(name, subject, 0, _END)
                runs = Runs(name, subject)
                for row in sorted(held.values(), key=key):
                    runs.add(SHAPES[name].number(row), "extra")
                self._apart += runs.found()
                self.put_right(name, held, [])
