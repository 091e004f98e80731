"""Records of a topic in a file, and how far a table's chain reaches among records that stand twice or do not fit."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from deploy.backup.manifest import CopiedFile, Manifest
from deploy.backup.restoring import weighed_anew
from deploy.backup.spoken import Spoken
from deploy.backup.topic_files import check_topic
from deploy.errors import UserError
from producers.copies.chains import ChainReach, TableEnd
from producers.copies.topic_copy import CutOff, TopicRecord, of_client, read, write
from producers.kafka.heads import placed_at
from producers.log import Head
from schemas.answers import FOLD_VERSION
from schemas.events.codec import record_hash
from schemas.topics import EVENTS, OBSERVATIONS
from tests.producers.builders import stream

TABLE = "FB90-1"
LINES = stream(40, TABLE)


def written(path: Path, lines: list[bytes], begins: int = 0) -> list[TopicRecord]:
    """A partition of single events as the client library gives them, in a file."""
    given = [
        of_client(SimpleNamespace(
            offset=offset, timestamp=1_700_000_000_000 + offset, key=TABLE.encode(), value=line,
            headers=[("content-type", b"application/cloudevents+json"), ("gateway", None)],
        ))
        for offset, line in enumerate(lines, begins)
    ]  # fmt: skip
    seen: list[TopicRecord] = []
    write(path, given, seen.append)
    return seen


def said(path: Path, records: int = len(LINES), begins: int = 0, ends: int = len(LINES)) -> CopiedFile:
    """What a manifest says of such a file."""
    tables = [TableEnd(TABLE, *reached(LINES).head)]
    return CopiedFile(
        name=path.name,
        holds="topic",
        topic=EVENTS.name,
        records=records,
        begins=begins,
        ends=ends,
        tables=tables,
    )


def reached(lines: list[bytes]) -> ChainReach:
    reach = ChainReach()
    for line in lines:
        placed = placed_at(line)
        reach.take(line, (placed.sequence, placed.prevhash) if placed is not None else None)
    return reach


def test_a_restore_counts_events_though_a_record_holds_many(tmp_path: Path) -> None:
    framed = said(tmp_path / "one.records", records=1, ends=1)
    made = Manifest(catwalk="0.1.0", mode="distributed", cut="2026-11-27T10:00:00Z", files=[framed])
    assert made.events == len(LINES)


@pytest.mark.parametrize(
    ("fold", "taken", "said"),
    [
        (FOLD_VERSION, 1, []),
        (FOLD_VERSION - 1, 0, [f"for its order is fold version {FOLD_VERSION - 1}'s: "]),
        (None, 0, ["for its order is not in the copy: "]),
    ],
)
def test_the_order_of_another_version_is_not_put_back_and_a_restore_says_so(
    fold: int | None, taken: int, said: list[str]
) -> None:
    files = [CopiedFile(name="catwalk.events-0.records", holds="topic", topic=EVENTS.name)]
    if fold is not None:
        files.append(CopiedFile(name="order.records", holds="topic", topic=OBSERVATIONS.name, fold=fold))
    made = Manifest(
        catwalk="0.1.0", mode="distributed", cut="2026-11-27T10:00:00Z", partitions=1, files=files
    )
    assert len(made.records_of(EVENTS.name, FOLD_VERSION)) == 1
    assert len(made.records_of(OBSERVATIONS.name, FOLD_VERSION)) == taken
    told = weighed_anew(made)
    assert len(told) == len(said)
    assert all(one in whole for one, whole in zip(said, told, strict=True))


def test_what_is_read_is_what_was_written_and_a_cut_is_told(tmp_path: Path) -> None:
    path = tmp_path / "one.records"
    records = written(path, LINES)
    assert list(read(path)) == records
    content = path.read_bytes()
    for end in (len(content) - 1, len(content) // 2, 3):
        path.write_bytes(content[:end])
        with pytest.raises(CutOff):
            list(read(path))


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        (LINES, {"records": 39}),
        (LINES, {"ends": 41}),
        (LINES, {"begins": 1}),
        (LINES[:-1], {}),
        ([*LINES[:10], LINES[9], *LINES[11:]], {}),
    ],
)
def test_a_file_that_is_not_what_the_manifest_says_is_refused(
    lines: list[bytes], wrong: dict[str, int], tmp_path: Path
) -> None:
    path = tmp_path / "one.records"
    there: dict[str, int] = {}
    written(path, LINES)
    check_topic(path, said(path), lambda _done: None, Spoken(), there)
    assert there == {TABLE: 40}
    written(path, lines)
    with pytest.raises(UserError, match=r"altered: found .*expected"):
        check_topic(path, said(path, **wrong), lambda _done: None, Spoken(), {})


def test_a_chain_goes_on_past_what_stands_twice_or_does_not_fit() -> None:
    whole = Head(40, record_hash(LINES[-1]))
    twice = [line for line in LINES for _ in range(2)]
    forged = [*LINES[:20], LINES[30].replace(b'"sequence":31', b'"sequence":21'), *LINES[20:]]
    assert [reached(lines).head for lines in (LINES, twice, forged)] == [whole] * 3
    hole = reached([*LINES[:20], *LINES[21:]])
    assert (hole.head.sequence, hole.highest) == (20, 40), "it ends before what is missing; more was seen"


def test_a_line_that_is_no_event_is_bridged_where_the_next_record_follows_from_it() -> None:
    torn = b'{"prevhash":"' + record_hash(LINES[4]).encode() + b'","data":'
    following = LINES[6].replace(record_hash(LINES[5]).encode(), record_hash(torn).encode())
    assert reached([*LINES[:5], torn, following]).head == Head(7, record_hash(following))
    assert reached([*LINES[:5], torn, *LINES[5:]]).head == Head(40, record_hash(LINES[-1])), (
        "else it is passed by"
    )
