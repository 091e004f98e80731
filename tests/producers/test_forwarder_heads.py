"""Where a table ends in the topic: the same answer from the whole partition and from what a claim knew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from producers.kafka.heads import Heads, TopicReader
from producers.kafka.transport import Headers
from schemas.messages import WriterClaim
from schemas.topics import CLOUDEVENT, FRAME
from tests.producers.builders import chained, device_event, digest, stream

TABLE, OTHER = "FB90-1", "DU-04"


class Read(NamedTuple):
    offset: int
    key: bytes | None
    value: bytes | None
    headers: Headers


class Partition(TopicReader):
    """One partition; `asked` counts the records that were read."""

    def __init__(self) -> None:
        self.kept: list[Read] = []
        self.partitions = [0]
        self.asked = 0

    def append(self, table: str, lines: list[bytes]) -> None:
        kind = CLOUDEVENT if len(lines) == 1 else FRAME
        headers = [("content-type", kind.encode())]
        self.kept.append(Read(len(self.kept), table.encode(), b"\n".join(lines), headers))

    def end(self, partition: int) -> int:
        return len(self.kept)

    def records(self, partition: int, start: int, stop: int) -> Iterator[Read]:
        for read in self.kept[start:stop]:
            self.asked += 1
            yield read

    def close(self) -> None:
        pass


@st.composite
def partitions(draw: st.DrawFn) -> Partition:
    """Two tables in frames of any size, some sent again, in any mixture."""
    topic = Partition()
    left = {TABLE: stream(draw(st.integers(1, 12)), TABLE), OTHER: stream(draw(st.integers(1, 12)), OTHER)}
    while left[TABLE] or left[OTHER]:
        table = draw(st.sampled_from([name for name in left if left[name]]))
        count = draw(st.integers(1, len(left[table])))
        topic.append(table, left[table][:count])
        left[table] = left[table][count:]
        if draw(st.booleans()):
            again = draw(st.sampled_from(topic.kept))
            topic.kept.append(again._replace(offset=len(topic.kept)))
    return topic


@given(partitions(), st.data())
def test_claims_that_knew_a_part_change_nothing_about_the_ends(topic: Partition, data: st.DataObject) -> None:
    heads = Heads(topic)
    for table in data.draw(st.permutations([TABLE, OTHER, TABLE])):
        offset = data.draw(st.integers(0, len(topic.kept)))
        before = Partition()
        before.kept = topic.kept[:offset]
        known = Heads(before).last(table, None)
        claim = WriterClaim(
            subject=table,
            gateway="g",
            instance="i",
            epoch=1,
            partition=0,
            offset=offset,
            at=known.offset if known is not None else -1,
        )
        whole = Heads(topic).last(table, None)
        told = heads.last(table, claim)
        assert whole is not None
        assert told is not None
        assert told[:2] == whole[:2]
        assert told.first == 1


def test_what_a_claim_knew_is_not_read_again() -> None:
    topic = Partition()
    for line in stream(500):
        topic.append(TABLE, [line])
    claim = WriterClaim(subject=TABLE, gateway="g", instance="i", epoch=1, partition=0, offset=490, at=489)
    heads = Heads(topic)
    first = heads.last(TABLE, claim)
    assert first is not None
    assert (first.sequence, first.first, topic.asked) == (500, 1, 11)
    assert heads.last(TABLE, claim) == first
    assert topic.asked == 12


def test_a_claim_of_a_topic_that_was_made_anew_is_not_believed() -> None:
    topic = Partition()
    topic.append(TABLE, stream(3))
    claim = WriterClaim(subject=TABLE, gateway="g", instance="i", epoch=1, partition=0, offset=400, at=399)
    found = Heads(topic).last(TABLE, claim)
    assert found is not None
    assert found.sequence == 3


def test_an_event_behind_a_hole_is_not_the_end() -> None:
    lines = stream(6)
    topic = Partition()
    topic.append(TABLE, lines[:2])
    topic.append(TABLE, lines[3:])
    found = Heads(topic).last(TABLE, None)
    assert found is not None
    assert (found.sequence, found.line) == (2, lines[1])


def test_a_hole_that_was_filled_later_is_none() -> None:
    lines = stream(6)
    topic = Partition()
    for part in (lines[:2], lines[3:], lines[2:3]):
        topic.append(TABLE, part)
    found = Heads(topic).last(TABLE, None)
    assert found is not None
    assert (found.sequence, found.line, found.first) == (6, lines[5], 1)


def test_a_line_that_is_no_event_is_a_record_when_its_successor_says_so() -> None:
    lines = stream(2)
    lines.append(chained(device_event(3, type="catwalk.v1.card_eaten", sequence="x"), 3, digest(lines[1])))
    lines[2] = lines[2].replace(b'"sequence":3', b'"sequence":"three"')
    lines += stream(2, start=4, prevhash=digest(lines[2]))
    topic = Partition()
    topic.append(TABLE, lines)
    heads = Heads(topic)
    found = heads.last(TABLE, None)
    assert found is not None
    assert found.sequence == 5
    assert dict(heads.lines(TABLE, 1)) == dict(enumerate(lines, 1))


def test_an_event_that_spells_its_sequence_otherwise_is_the_end_too() -> None:
    lines = stream(2)
    lines.append(
        stream(1, start=3, prevhash=digest(lines[1]))[0].replace(b'"sequence":3', b'"s\\u0065quence":30e-1')
    )
    topic = Partition()
    topic.append(TABLE, lines)
    found = Heads(topic).last(TABLE, None)
    assert found is not None
    assert (found.sequence, found.line) == (3, lines[2])


@given(partitions(), st.data())
def test_records_that_follow_none_of_the_tables_are_not_taken_for_its_last(
    topic: Partition, data: st.DataObject
) -> None:
    """Whoever may write to the topic could else keep a gateway from its table: the next record would not be its own."""
    true, whole = stream(12, TABLE), Partition()
    for read in topic.kept:
        if data.draw(st.booleans()):
            place = data.draw(st.integers(2, 14))
            forged = chained(
                device_event(90 + place, TABLE), place, data.draw(st.sampled_from(["a", "b"])) * 64
            )
            row = [forged, chained(device_event(110 + place, TABLE), place + 1, digest(forged))]
            if whole.kept and any(one.key == TABLE.encode() for one in whole.kept):
                whole.append(TABLE, row[: data.draw(st.integers(1, 2))])
        whole.kept.append(read._replace(offset=len(whole.kept)))
    before, after = Heads(topic).last(TABLE, None), Heads(whole).last(TABLE, None)
    assert before is not None
    assert after is not None
    assert (after.sequence, after.line, after.first) == (before.sequence, before.line, 1)
    assert after.line in true
