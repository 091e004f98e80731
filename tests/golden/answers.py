"""What the fold answers, as one digest: rounds, findings, rows over streams of every kind, its checks, its states.

python -m tests.golden.answers    prints the digest of this code, for the end of schemas/answers.py
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from unittest import mock

import msgspec
from msgspec import inspect

from processors.detectors.family import FAMILIES, LEVEL, Family
from processors.law.check import REGISTRY
from processors.pipeline import TablePipeline
from processors.runtime.brokers.records import FoldedRecords, LedgerRecord
from processors.runtime.fold.partition import PartitionFold
from processors.runtime.store import event_rows, rows
from processors.runtime.store.event_rows import add_event
from schemas.events.codec import decode
from schemas.payload import short_name
from schemas.topics import CLOUDEVENT
from tests.mutations.rechain import dropped, load, rechained
from tests.pipeline.soup import soup
from tests.pipeline.streams import EXAMPLES, RULESETS, lines_of
from tests.runtime.tables import told

AWAY_EVERY, WORDS_AWAY = 97, 12  # events from one absence of the recorder to the next, and words lost at most
SOUPS = 12  # streams of events out of place: between them and the published ones nearly every check speaks
_WHEN = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
_ENCODE = msgspec.json.Encoder().encode


def digest() -> str:
    """SHA-256, hex, of everything this code answers; the version itself plays no part in it."""
    told = hashlib.sha256()
    with mock.patch.object(rows, "FOLD_VERSION", 0), mock.patch.object(event_rows, "FOLD_VERSION", 0):
        for part in _answers():
            told.update(part + b"\n")
    return told.hexdigest()


def states_of(family: Family) -> list[type]:
    """What a family keeps at a table and of people, and its notes: states of other shapes are another version's."""
    kept = [] if family.table is None else [type(family.table.state())]
    return kept if family.entity is None else [*kept, type(family.entity.state()), family.entity.note]


def shape_of(kind: inspect.Type) -> object:
    """How values of a type are written: the fields of structs by name, and what is within."""
    if isinstance(kind, inspect.StructType):
        return [
            kind.array_like,
            *((one.encode_name, one.required, shape_of(one.type)) for one in kind.fields),
        ]
    within = [getattr(kind, name) for name in ("key_type", "value_type", "item_type") if hasattr(kind, name)]
    several = [one for name in ("item_types", "types") for one in getattr(kind, name, ())]
    return [type(kind).__name__, *map(shape_of, (*within, *several))]


def _answers() -> Iterator[bytes]:
    for check in sorted(REGISTRY.values(), key=lambda check: check.id):
        reads = sorted(short_name(kind) for kind in check.reads)
        yield _ENCODE((check.id, dict(check.provisions), reads, check.scope, check.readings))
    for family in sorted(FAMILIES.values(), key=lambda family: family.name):
        yield _ENCODE((family.name, family.variants, LEVEL, family.null, family.bound))
        yield _ENCODE([shape_of(inspect.type_info(one)) for one in states_of(family)])
    for path in sorted(EXAMPLES.glob("*.ndjson")):
        lines = lines_of(path.stem)
        yield from _rows(decode(lines[0]).subject, lines)
    for seed in range(SOUPS):
        yield from _rows(*soup(seed))
    for name in sorted(RULESETS.values()):
        yield from _rows(*_away(name))
    yield from _of_a_topic(lines_of("breach_overpay")[:240])


def _away(name: str) -> tuple[str, list[bytes]]:
    """A lawful stream whose recorder was away within its rounds, each time for some words."""
    events = load(name)
    lost = {at + word for at in range(AWAY_EVERY, len(events), AWAY_EVERY) for word in range(at % WORDS_AWAY)}
    return str(events[0]["subject"]), list(rechained(dropped(events, *lost)))


def _rows(subject: str, lines: Iterable[bytes]) -> Iterator[bytes]:
    pipeline = TablePipeline(subject)
    for number, line in enumerate(lines, 1):
        outcome = pipeline.advance(line)
        told: rows.Rows = {}
        if outcome.dead is None:
            add_event(told, decode(line), line)
            yield _ENCODE(sorted(told.items()))
        if outcome.rounds or outcome.findings or outcome.dead:
            owner, stood = rows.owner_of(pipeline), rows.Stood(number, 0)
            yield _ENCODE(rows.rows_of(outcome, line, subject, _WHEN, owner, stood))
    yield _ENCODE(pipeline.finish().rounds)


def _of_a_topic(lines: Sequence[bytes]) -> Iterator[bytes]:
    """Rounds and findings of records among which are forged, early and fenced ones, and a gap."""
    key = decode(lines[0]).subject.encode()
    ahead = lines[70].replace(decode(lines[70]).prevhash.encode(), b"a" * 64)
    order = [*lines[:40], ahead, lines[41], lines[40], *lines[42:120], *lines[121:]]
    records = [LedgerRecord(0, n, key, line, CLOUDEVENT, float(n), 2, "gate") for n, line in enumerate(order)]
    records[60] = records[60]._replace(epoch=1)
    for partitions in (1, 64):
        fold, into = PartitionFold(0, partitions=partitions), FoldedRecords()
        for record in records[:: partitions * 2 - 1]:
            fold.take(record, into)
        rounds, findings, letters = told(into.messages)
        yield from (*rounds, *findings, *(letter["reason"].encode() for letter in letters))


if __name__ == "__main__":
    print(digest())  # noqa: T201 - what it was asked for
