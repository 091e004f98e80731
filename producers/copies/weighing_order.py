"""A partition of observations put into the order in which another version of the fold told them.

Evidence about people is weighed in the order of its topic, and a new version of the fold makes another order: it reads
the partitions of the ledger as fast as each goes, and not as their records came. Both versions name the same places
(whom it is about, the table, the event), so the old topic says where each belongs.

An observation at a place that the old version told stands where it stood. One that the new version alone makes stands
behind what the old version had last told of the same table up to this event. Where the old version had told nothing of
the table so far, it stands before everything. What is told twice stands once.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from producers.copies.topic_copy import TopicRecord
from schemas.messages import ObservationMessage

_FORM: Final = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE was (
    rank INTEGER PRIMARY KEY, key BLOB, subject TEXT, sequence INTEGER, UNIQUE (key, subject, sequence)
);
CREATE TABLE told (
    number INTEGER PRIMARY KEY, record BLOB, key BLOB, subject TEXT, sequence INTEGER, UNIQUE (key, subject, sequence)
);
"""
_ORDERED: Final = """
SELECT record FROM (
    SELECT number, record, coalesce(
        (SELECT rank FROM was WHERE was.key = told.key AND was.subject = told.subject AND was.sequence = told.sequence),
        (SELECT rank FROM was WHERE was.subject = told.subject AND was.sequence <= told.sequence
         ORDER BY was.sequence DESC, rank DESC LIMIT 1),
        0
    ) AS place FROM told
) ORDER BY place, number
"""

_message = msgspec.msgpack.Decoder(ObservationMessage).decode
_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(TopicRecord).decode
_Place = tuple[bytes | None, str | None, int | None]


def in_order_of(old: Iterable[TopicRecord], new: Iterable[TopicRecord], work: Path) -> Iterator[TopicRecord]:
    """The records of `new` in the order of `old`, with the offsets that they had; `work` is a file made for it.

    What cannot be read stands first: no analyst weighs it.
    """
    work.unlink(missing_ok=True)
    with closing(sqlite3.connect(work)) as held:
        held.executescript(_FORM)
        held.executemany(
            "INSERT OR IGNORE INTO was (key, subject, sequence) VALUES (?, ?, ?)", map(_place, old)
        )
        held.execute("CREATE INDEX was_of_table ON was (subject, sequence)")
        held.executemany(
            "INSERT OR IGNORE INTO told (record, key, subject, sequence) VALUES (?, ?, ?, ?)",
            ((_pack(record), *_place(record)) for record in new),
        )
        for (content,) in held.execute(_ORDERED):
            yield _unpack(content)
    work.unlink()


def _place(record: TopicRecord) -> _Place:
    try:
        message = _message(record.value or b"")
    except msgspec.MsgspecError:
        return record.key, None, None
    return record.key, message.subject, message.sequence
