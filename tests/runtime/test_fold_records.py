"""What the fold makes of records: exactly what `replay` makes of their lines, and of everything else evidence."""

import base64
import hashlib
import random
from functools import cache
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from processors.pipeline import TablePipeline
from processors.runtime.brokers.records import FoldedRecords, LedgerRecord, Message
from processors.runtime.fold.partition import PartitionFold
from processors.runtime.fold.place import RECENT
from processors.runtime.fold.restore import Snapshots
from schemas.messages import MOST_BYTES
from schemas.topics import CLOUDEVENT, DEADLETTER, FINDINGS, FRAME, OBSERVATIONS, ROUNDS
from tests.pipeline.hostile import GARBAGE, SPOILT
from tests.pipeline.streams import EXAMPLES, RULESETS, lines_of
from tests.runtime.tables import BREACH, STACKS, lively, record, replayed, subject_of, told
from tests.sampling import one_in

STREAMS = sorted(path.stem for path in EXAMPLES.glob("*.ndjson"))
LINES = list(lines_of(BREACH))
KEY = subject_of(LINES[0]).encode()
OTHER = list(lines_of(STACKS))
OTHER_KEY = subject_of(OTHER[0]).encode()


def folded(records: list[LedgerRecord], fold: PartitionFold | None = None) -> FoldedRecords:
    fold = fold or PartitionFold(0)
    into = FoldedRecords()
    for one in records:
        fold.take(one, into)
    return into


def single(lines: list[bytes], key: bytes = KEY, start: int = 0) -> list[LedgerRecord]:
    return [record(offset, key, line) for offset, line in enumerate(lines, start)]


@cache
def whole() -> tuple[Message, ...]:
    """What the fold makes of the stream that most tests spoil, divide or lengthen."""
    return tuple(folded(single(LINES)).messages)


@cache
def replay(subject: str, lines: tuple[bytes, ...]) -> tuple[list[bytes], list[bytes], list[str]]:
    """`replayed` once for lines that many tests hold the fold against."""
    return replayed(subject, list(lines))


@cache
def undisturbed() -> tuple[list[Message], dict[str, bytes]]:
    """What the fold makes of a lively partition without a stop, and the state of each table at its end."""
    fold = PartitionFold(0)
    messages = folded(list(lively()), fold).messages
    return messages, {subject: place.pipeline.snapshot() for subject, place in fold.places.items()}


def dealt(rounds: list[bytes]) -> list[tuple[object, ...]]:
    """What was dealt and moved in each round, whatever was found besides."""
    found = [msgspec.json.decode(one) for one in rounds]
    return [(one["subject"], one["round"], one["hands"], one["stakes"], one["net_cents"]) for one in found]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.soak] * (at % 6 > 0)) for at, name in enumerate(STREAMS)]
)
def test_rounds_and_findings_are_the_bytes_of_replay(name: str) -> None:
    lines = list(lines_of(name))
    subject = subject_of(lines[0])
    into = folded(single(lines, subject.encode()))
    rounds, findings, letters = told(into.messages)
    assert (rounds, findings, letters) == (*replayed(subject, lines)[:2], [])
    assert into.events == len(lines)
    assert into.duplicates == 0


@pytest.mark.thorough
@settings(max_examples=settings().max_examples // 4)
@given(cuts=st.sets(st.integers(1, len(LINES) - 1), max_size=40), crlf=st.booleans(), said=st.booleans())
def test_any_framing_of_the_same_lines_says_the_same(cuts: set[int], crlf: bool, said: bool) -> None:
    end = b"\r\n" if crlf else b"\n"
    places = [0, *sorted(cuts), len(LINES)]
    records = []
    for offset, (start, until) in enumerate(pairwise(places)):
        value = end.join(LINES[start:until]) + (end if offset % 2 else b"")
        kind = (FRAME if until - start > 1 else CLOUDEVENT) if said else ""
        records.append(record(offset, KEY, value, kind))
    assert folded(records).messages == list(whole())


@pytest.mark.thorough
@settings(max_examples=settings().max_examples // 4)
@given(st.sets(st.integers(1, 380), max_size=6))
def test_going_on_from_snapshots_at_any_points_is_never_having_stopped(stops: set[int]) -> None:
    records = list(lively())
    expected, states = undisturbed()
    fold, messages, kept = PartitionFold(0), [], Snapshots(0)
    for start, until in pairwise([0, *sorted(stops), len(records)]):
        messages += folded(records[start:until], fold).messages
        for message in fold.checkpoint(whole=True):
            kept.add(message.key, message.value)
        fold = kept.restore().fold
    assert messages == expected
    assert {s: p.pipeline.snapshot() for s, p in fold.places.items()} == states


def test_a_stretch_delivered_again_is_dropped_and_counted_and_accuses_nobody() -> None:
    """A gateway that was killed sends again, in order, from the first record that it does not know was taken."""
    again = LINES[:200] + LINES[120:200] + LINES[150:]
    into = folded(single(again))
    assert into.duplicates == 80 + 50
    assert into.messages == list(whole())


def test_unreadable_lines_that_the_chain_runs_through_are_known_when_delivered_again() -> None:
    lines = LINES[:40]
    broken = b'{"what the recorder": "could not read"'
    bridge = LINES[40].replace(
        hashlib.sha256(lines[-1]).hexdigest().encode(), hashlib.sha256(broken).hexdigest().encode()
    )
    once = folded(single([*lines, broken, bridge]))
    twice = folded(single([*lines, broken, bridge, lines[-1], broken, bridge]))
    assert once.dead == {"unreadable": 1}
    assert twice.duplicates == 3
    assert twice.messages == once.messages


def test_another_record_at_a_place_already_taken_is_a_finding_and_a_dead_letter() -> None:
    forged = LINES[30].replace(b"2026", b"2027", 1)
    into = folded(single([*LINES[:60], forged, *LINES[60:90]]))
    _, findings, letters = told(into.messages)
    assert findings == replayed(KEY.decode(), [*LINES[:60], forged, *LINES[60:90]])[1]
    assert sum(b'"integrity.conflict"' in one for one in findings) == 1
    assert [(one["kind"], one["sequence"], one["origin"]) for one in letters] == [
        ("conflict", 31, "catwalk.events/0@60")
    ]
    assert base64.b64decode(letters[0]["bytes_base64"]) == forged
    assert letters[0]["number"] > 0
    assert letters[0]["at"].startswith("2027"), "the time that the line itself says"


def test_a_record_older_than_is_remembered_is_told_as_a_conflict_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("processors.runtime.fold.place._RECENT_BYTES", 8 * 50)
    into = folded(single([*LINES[:120], LINES[69], LINES[70], LINES[10], LINES[10], *LINES[120:130]]))
    assert into.dead == {"conflict": 2}
    assert into.duplicates == 2
    refused = [
        one for one in told(into.messages)[1] if b'"integrity.conflict"' in one or b'duplicate"' in one
    ]
    assert len(refused) == 2


def test_what_is_remembered_covers_more_than_a_gateway_has_in_flight() -> None:
    assert RECENT >= 2000


# Some rounds behind the poison, at its table and at another.
BEHIND, NEIGHBOUR = LINES[50:250], OTHER[:250]
POISON = {**GARBAGE, **{name: spoil(LINES[50]) for name, spoil in SPOILT.items()}}


@pytest.mark.thorough
@pytest.mark.parametrize("name", one_in(3, POISON))
def test_poison_is_set_aside_with_bytes_reason_and_offset_and_its_neighbours_go_on(name: str) -> None:
    poison = POISON[name]
    records = [*single(LINES[:50]), record(50, KEY, poison), *single(BEHIND, start=51)]
    records += single(NEIGHBOUR, OTHER_KEY, start=len(records))
    into = folded(records)
    rounds, findings, letters = told(into.messages)
    mine, theirs = (
        replayed(KEY.decode(), [*LINES[:50], poison, *BEHIND]),
        replay(OTHER_KEY.decode(), tuple(NEIGHBOUR)),
    )
    assert rounds == mine[0] + theirs[0]
    assert findings == mine[1] + theirs[1]
    assert any(b'"integrity.schema"' in one for one in findings) or not mine[2]
    assert [one["reason"] for one in letters] == mine[2]
    for letter in letters:
        assert base64.b64decode(letter["bytes_base64"]) == poison
        assert letter["digest"] == hashlib.sha256(poison).hexdigest()
        assert (letter["subject"], letter["origin"]) == (KEY.decode(), "catwalk.events/0@50")
        assert (letter["line"], letter["offset"]) == (51, sum(len(line) + 1 for line in LINES[:50]))


def test_a_record_without_a_value_or_a_line_is_a_finding_of_its_table() -> None:
    for value, kind in ((None, CLOUDEVENT), (b"", CLOUDEVENT), (b"\r\n", ""), (b"\n\n\n", FRAME)):
        records = [*single(LINES[:50]), record(50, KEY, value, kind), *single(LINES[50:], start=51)]
        into = folded(records)
        rounds, findings, letters = told(into.messages)
        assert dealt(rounds) == dealt(replay(KEY.decode(), tuple(LINES))[0])
        assert sum(b'"integrity.schema"' in one for one in findings) == 1
        assert [one["origin"] for one in letters] == ["catwalk.events/0@50"]
        assert letters[0]["reason"].startswith("a record without a")


def test_a_bad_line_in_a_frame_is_set_aside_alone() -> None:
    bad = [*LINES[:20], b"\xff\xfe", *LINES[20:]]
    into = folded([record(7, KEY, b"\n".join(bad), FRAME)])
    _, findings, letters = told(into.messages)
    assert findings == replayed(KEY.decode(), bad)[1]
    assert [one["origin"] for one in letters] == ["catwalk.events/0@7:21"]


def test_one_event_written_over_several_lines_is_one_event() -> None:
    pretty = LINES[0].replace(b',"source"', b',\n "source"')
    for kind in (CLOUDEVENT, ""):
        into = folded([record(0, KEY, pretty, kind)])
        assert (into.events, into.messages) == (1, [])


def test_an_event_under_the_key_of_another_table_is_a_finding_of_the_key_and_harms_neither() -> None:
    records = [*single(LINES[:50]), record(50, KEY, OTHER[0]), *single(LINES[50:], start=51)]
    records += single(OTHER, OTHER_KEY, start=len(records))
    into = folded(records)
    rounds, findings, letters = told(into.messages)
    assert dealt(rounds) == dealt(
        replay(KEY.decode(), tuple(LINES))[0] + replay(OTHER_KEY.decode(), tuple(OTHER))[0]
    )
    wrong = [one for one in findings if b'"integrity.schema"' in one]
    assert len(wrong) == 1
    assert b'"subject":"' + KEY + b'"' in wrong[0]
    assert f"holds an event of table {OTHER_KEY.decode()}" in letters[0]["reason"]


@pytest.mark.parametrize("key", [None, b"", b"../etc", b"a/b", b"\xff\xfe", b"x" * 65, "Tísch".encode()])
def test_a_key_that_is_no_table_gets_a_dead_letter_and_no_finding(key: bytes | None) -> None:
    into = folded([record(0, key, b"whatever"), *single(LINES, start=1)])
    rounds, findings, letters = told(into.messages)
    assert (rounds, findings) == replay(KEY.decode(), tuple(LINES))[:2]
    assert [base64.b64decode(one["bytes_base64"]) for one in letters] == [b"whatever"]
    assert letters[0]["number"] > 0


def test_unreadable_lines_are_findings_only_once_their_table_has_an_event() -> None:
    garbage = single([b"x", b"y"])
    into = folded(garbage)
    assert [one.topic for one in into.messages] == [DEADLETTER, DEADLETTER]
    into = folded([*garbage, *single(LINES, start=2)])
    assert told(into.messages)[1] == replayed(KEY.decode(), [b"x", b"y", *LINES])[1]
    first = next(one for one in into.messages if one.topic is FINDINGS)
    assert first.key == KEY


def test_whatever_comes_of_a_table_lies_in_its_partition_so_that_workers_share_a_property() -> None:
    into = folded(single([*LINES[:50], b"?", *LINES[50:]]))
    of_table = [one for one in into.messages if one.topic is not OBSERVATIONS]
    assert {one.topic for one in of_table} == {DEADLETTER, ROUNDS, FINDINGS}
    assert {one.key for one in of_table} == {KEY}
    of_people = {(one.key or b"").partition(b":")[0] for one in into.messages if one.topic is OBSERVATIONS}
    assert of_people == {b"dealer", b"player"}, "what is about people goes to whoever weighs those people"


def test_a_line_too_large_to_be_sent_again_whole_is_named_by_its_digest() -> None:
    huge = b"z" * (MOST_BYTES + 1)
    letter = told(folded([record(0, b"no/table", huge)]).messages)[2][0]
    assert len(base64.b64decode(letter["bytes_base64"])) == MOST_BYTES
    assert letter["digest"] == hashlib.sha256(huge).hexdigest()


def test_a_defect_of_the_fold_on_one_line_stops_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    advance = TablePipeline.advance

    def defective(self: TablePipeline, line: bytes, *, believe: bool = True) -> object:
        if line == LINES[60]:
            raise ZeroDivisionError("a card, say As")
        return advance(self, line, believe=believe)

    monkeypatch.setattr(TablePipeline, "advance", defective)
    into = folded([*single(LINES), *single(OTHER, OTHER_KEY, start=len(LINES))])
    assert into.defects == [("catwalk.events/0@60", "ZeroDivisionError")]
    assert told(into.messages)[2][0]["reason"] == "the fold failed on it (ZeroDivisionError) (at $)"
    assert told(into.messages)[0][-1] == replay(OTHER_KEY.decode(), tuple(OTHER))[0][-1]


@pytest.mark.parametrize("seed", one_in(4, range(8)))
def test_tables_of_one_partition_do_not_see_each_other(seed: int) -> None:
    chance = random.Random(seed)
    streams = {
        subject_of(lines_of(name)[0]): list(lines_of(name)[:200]) for name in (*RULESETS.values(), BREACH)
    }
    left = {subject: iter(lines) for subject, lines in streams.items()}
    records: list[LedgerRecord] = []
    while left:
        subject = chance.choice(sorted(left))
        line = next(left[subject], None)
        if line is None:
            del left[subject]
        else:
            records.append(record(len(records), subject.encode(), line))
    rounds, findings, _ = told(folded(records).messages)
    each = [replay(subject, tuple(lines)) for subject, lines in streams.items()]
    assert sorted(rounds) == sorted(one for mine in each for one in mine[0])
    assert sorted(findings) == sorted(one for mine in each for one in mine[1])
