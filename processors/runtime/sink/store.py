"""Rows into the warehouse: each key once, and a stored row is never replaced by a different one.

Rows come again whenever a worker ends before its commit, and whenever the answer to an insert was lost: a row that the
store already holds is passed over. A row that differs from the stored row of its key means that the store or the ledger
was altered: that is an integrity finding, and the stored row stays as it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, wait
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from operator import methodcaller
from typing import Any, Final, NamedTuple

import msgspec

from processors.runtime.ledger import NO_TIME
from processors.runtime.sink.chained import is_vouched_for
from processors.runtime.sink.intake import AGAIN
from processors.runtime.store.rows import Rows, dead_letter_row, finding_row
from processors.runtime.store.shapes import CHECK, OF_A_ROUND, OF_AN_EVENT, SHAPES, RowShape
from processors.runtime.store.warehouse import Misfit, Parameter, Row, Warehouse, refuse_misfits
from schemas.findings import Finding, finding_id
from schemas.messages import dead_letter
from schemas.warehouse import RELATIONS, Relation

# A round's other rows are stored before the round, so that a reader of the round finds all of it; progress is last.
# Relations of one step may be stored at once; rows that repeat lines of events go with them.
STEPS: Final = (
    ("events", "hands", "stakes", "takings", "racks", "findings", "dead_letters", "counters"),
    ("rounds",),
    ("progress",),
)
_REPLACED: Final = frozenset({"counters", "progress"})  # a later row of a key says more than the one before
_SUBJECTS: Final = 100  # tables that one question about stored keys names


class Known(NamedTuple):
    """The row that the store holds for a key; `ordinal` is a finding's, 0 for others."""

    fold_version: int
    row_hash: int
    ordinal: int


@dataclass(slots=True)
class Stored:
    """Rows of a batch: how many were inserted, known already, refused; findings about these; rows that fit nowhere."""

    inserted: int = 0
    known: int = 0
    refused: int = 0
    findings: list[Row] = field(default_factory=list)
    misfits: list[Row] = field(default_factory=list)

    def add(self, part: Stored) -> None:
        """Add the counts of a part of the batch."""
        self.inserted += part.inserted
        self.known += part.known
        self.refused += part.refused
        self.findings += part.findings
        self.misfits += part.misfits


class BatchStore:
    """Stores batches in one warehouse, one after the other.

    With `threads` the relations of a step are stored at once; without, in turn, for a warehouse of one thread.
    """

    def __init__(self, warehouse: Warehouse, threads: Executor | None = None) -> None:
        self._warehouse, self._threads = warehouse, threads

    def store(self, rows: Rows) -> Stored:
        """Store a batch; all of it is durable when this returns.

        Raises:
            WarehouseError: part of it may be stored: store the same batch again.
        """
        done = Stored()
        if AGAIN in rows:
            self._sift("events", rows[AGAIN], done)
        for step in STEPS[:-1]:
            for part in self._at_once([partial(self._store, rows, name) for name in step if name in rows]):
                done.add(part)
        self._tell(done.findings, done.misfits)
        if "progress" in rows:  # behind all else: it says that all else is stored
            last = self._store(rows, "progress")
            self._tell((), last.misfits)
            done.add(last)
        return done

    def _tell(self, findings: Sequence[Row], misfits: Sequence[Row]) -> None:
        """Store findings about refused rows, and rows that fit nowhere as dead letters."""
        for name, told in (("findings", findings), ("dead_letters", misfits)):
            if told:
                self._warehouse.insert(RELATIONS[name], told)

    def _at_once(self, parts: Sequence[Callable[[], Stored]]) -> list[Stored]:
        if self._threads is None:
            return [part() for part in parts]
        begun = [self._threads.submit(part) for part in parts]
        wait(begun)  # also behind a failure: nothing may be at work when the warehouse is closed for it
        return [part.result() for part in begun]

    def _store(self, rows: Rows, name: str) -> Stored:
        done = Stored()
        offered = rows[name]
        if name in _REPLACED:
            self._insert(RELATIONS[name], _newest(RELATIONS[name], offered), done)
            return done
        fresh, refused = self._sift(name, offered, done)
        self._insert(RELATIONS[name], fresh, done)
        if name == "events":  # lines of these have been held against the store
            altered = set(map(_LINE(RELATIONS["events"]), refused))
            for relation in (RELATIONS[copied] for copied in OF_AN_EVENT if copied in rows):
                line = _LINE(relation)
                copies = dict.fromkeys(row for row in rows[relation.name] if line(row) not in altered)
                self._insert(relation, list(copies), done)
        return done

    def _insert(self, relation: Relation, rows: list[Row], done: Stored) -> None:
        """Insert rows; a row that does not fit its columns becomes a dead letter, and stops no other."""
        if not rows:
            return
        done.inserted += len(rows)
        try:
            self._warehouse.insert(relation, rows)
        except Misfit:
            fitting = []
            for row in rows:
                try:
                    refuse_misfits(relation, (row,))
                except Misfit as error:
                    done.misfits.append(_misfit(relation, row, error.why))
                else:
                    fitting.append(row)
            self._warehouse.insert(relation, fitting)

    def _sift(self, name: str, rows: Sequence[Row], done: Stored) -> tuple[list[Row], list[Row]]:
        """Rows that are new, and rows whose key the store holds with other content."""
        relation, shape = RELATIONS[name], SHAPES[name]
        known = self._stored(relation, rows)
        fresh = dict(zip(map(shape.key, rows), rows, strict=True))
        if not known and len(fresh) == len(rows):  # nearly always: all are new
            return (list(fresh.values()) if name != "findings" else _numbered(fresh, known)), []
        fresh.clear()
        refused: list[Row] = []
        for row in rows:
            for offered in shape.alternatives(row):
                key, version, row_hash = shape.of(offered)
                found = known.get(key)
                if found is None or found.fold_version < version:
                    fresh[key] = offered
                    known[key] = Known(version, row_hash, found.ordinal if found is not None else 0)
                elif found.fold_version == version and found.row_hash != row_hash:
                    continue
                else:
                    done.known += 1
                break
            else:
                refused.append(row)
                if name == "events" and is_vouched_for(self._warehouse, *shape.key(row)):
                    continue  # the ledger holds two lines for one place, and the fold says so
                done.findings.append(_finding_row(name, shape, row, known[shape.of(row)[0]]))
        done.refused += len(refused)
        if name == "findings":
            return _numbered(fresh, known), refused
        return list(fresh.values()), refused

    def _stored(self, relation: Relation, rows: Sequence[Row]) -> dict[tuple[Any, ...], Known]:
        """What the store holds within the span of these rows' keys, table by table."""
        numbers: dict[str, list[int]] = {}
        for subject, number in map(relation.of(*relation.key[:2]), rows):
            numbers.setdefault(subject, []).append(number)
        ordinal = "ordinal" if relation.name == "findings" else "0"
        columns = f"{', '.join(relation.key)}, fold_version, row_hash, {ordinal}"
        found: dict[tuple[Any, ...], Known] = {}
        for chosen in _chunks(list(numbers.items())):
            parameters: dict[str, Parameter] = {}
            terms = []
            for n, (subject, of_table) in enumerate(chosen):
                parameters |= {f"s{n}": subject, f"a{n}": min(of_table), f"b{n}": max(of_table)}
                terms.append(
                    f"(subject = {{s{n}:String}} AND {relation.key[1]} BETWEEN {{a{n}:UInt32}} AND {{b{n}:UInt32}})"
                )
            sql = f"SELECT {columns} FROM {relation.name} FINAL WHERE {' OR '.join(terms)}"
            for *key, version, row_hash, place in self._warehouse.query(sql, parameters):
                found[tuple(key)] = Known(version, row_hash, place)
        return found


_LINE: Final = methodcaller("of", "subject", "sequence", "row_hash")
_ORDINAL: Final = RELATIONS["findings"].at("ordinal")


def _newest(relation: Relation, rows: Sequence[Row]) -> list[Row]:
    key_of, version = relation.of(*relation.key), relation.of(relation.version)
    newest: dict[Any, Row] = {}
    for row in rows:
        key = key_of(row)
        if key not in newest or version(row) >= version(newest[key]):
            newest[key] = row
    return list(newest.values())


def _numbered(fresh: dict[tuple[Any, ...], Row], known: dict[tuple[Any, ...], Known]) -> list[Row]:
    """New findings, each with its ordinal among the findings of its event: they come in the order they were made."""
    last: dict[tuple[Any, ...], int] = {}
    for (subject, sequence, _), one in known.items():
        last[subject, sequence] = max(last.get((subject, sequence), 0), one.ordinal)
    numbered = []
    for key, row in fresh.items():
        subject, sequence, _ = key
        ordinal = known[key].ordinal if key in known else 0
        if not ordinal:  # one that an older fold had stored keeps its place
            ordinal = last[subject, sequence] = last.get((subject, sequence), 0) + 1
        numbered.append((*row[:_ORDINAL], ordinal, *row[_ORDINAL + 1 :]))
    return numbered


def _chunks(items: list[Any]) -> Iterator[list[Any]]:
    rest = iter(items)
    while chosen := list(islice(rest, _SUBJECTS)):
        yield chosen


def _finding_row(name: str, shape: RowShape, row: Row, found: Known) -> Row:
    """The finding that the store holds another row for a key; the same row however often that is found."""
    key, _, row_hash = shape.of(row)
    subject, number, *rest = key
    of_round = name in OF_A_ROUND
    sequence = rest[0] if of_round else number  # a round's rows are named by its number and its first event
    place = ", ".join(str(part) for part in (number, *rest))
    given, held = (f"{one & (2**64 - 1):016x}" for one in (row_hash, found.row_hash))
    finding = Finding(
        finding_id=finding_id(subject, CHECK, sequence, f"{name}|{place}|{held}|{given}"),
        check=CHECK,
        cites=(CHECK,),
        verdict="breached",
        severity="critical",
        subject=subject,
        round=number if of_round else None,
        sequence=sequence,
        sequences=(sequence,),
        expected={"relation": name, "key": place, "row_hash": given},
        observed={"row_hash": held},
        money_cents=0,
        message=f"The store holds another row {place} of {name} than the ledger gives for table {subject}.",
    )
    return finding_row(finding, row[shape.moment])


def _misfit(relation: Relation, row: Row, why: str) -> Row:
    """A row that does not fit its relation, kept whole as a dead letter."""
    content = msgspec.json.encode(row)
    number = int.from_bytes(hashlib.sha256(content).digest()[:8]) >> 1 or 1
    return dead_letter_row(dead_letter(content, why, NO_TIME, f"a row of {relation.name}", number=number))
