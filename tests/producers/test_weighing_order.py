"""Observations of a new version of the fold in the order of the old one: the same order, whatever came first."""

from __future__ import annotations

import datetime as dt
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from producers.copies.topic_copy import TopicRecord
from producers.copies.weighing_order import in_order_of
from schemas.messages import ObservationMessage

NOON = dt.datetime(2026, 11, 28, 12, tzinfo=dt.UTC)


class Told(NamedTuple):
    """Of whom an event of a table told something."""

    whom: str
    table: str
    event: int


def topic(told: Iterable[Told], fold: int) -> list[TopicRecord]:
    return [
        TopicRecord(offset, 1_000 + offset, one.whom.encode(), _value(one, fold), [])
        for offset, one in enumerate(told)
    ]


def _value(one: Told, fold: int) -> bytes:
    return msgspec.msgpack.encode(
        ObservationMessage(
            fold=fold,
            subject=one.table,
            sequence=one.event,
            at=NOON,
            property=None,
            dealer=None,
            said=b"\x90",
        )
    )


def ordered(old: Sequence[TopicRecord], new: Sequence[TopicRecord]) -> list[TopicRecord]:
    with tempfile.TemporaryDirectory() as folder:
        return list(in_order_of(old, new, Path(folder) / "work.db"))


def read(records: Iterable[TopicRecord]) -> list[Told]:
    messages = ((one, msgspec.msgpack.decode(one.value or b"", type=ObservationMessage)) for one in records)
    return [Told((one.key or b"").decode(), told.subject, told.sequence) for one, told in messages]


@st.composite
def _interleaved(draw: st.DrawFn, of: Mapping[str, Sequence[Told]]) -> list[Told]:
    """What tables told, each in its own order, the tables in any."""
    left = {table: list(told) for table, told in of.items() if told}
    found = []
    while left:
        table = draw(st.sampled_from(sorted(left)))
        found.append(left[table].pop(0))
        if not left[table]:
            del left[table]
    return found


@st.composite
def _versions(draw: st.DrawFn) -> tuple[list[Told], list[Told], set[Told], set[Told]]:
    """What two versions tell about three tables, each in its order, and what each of them alone tells."""
    tables = {
        table: [
            Told(whom, table, event)
            for event in sorted(draw(st.sets(st.integers(1, 30), max_size=12)))
            for whom in draw(st.sampled_from([("d",), ("p",), ("d", "p")]))
        ]
        for table in ("A", "B", "C")
    }
    every = [one for told in tables.values() for one in told]
    gone = {one for one in every if draw(st.integers(0, 4)) == 0}
    added = {one for one in every if one not in gone and draw(st.integers(0, 4)) == 0}

    def without(left_out: set[Told]) -> dict[str, list[Told]]:
        return {table: [one for one in told if one not in left_out] for table, told in tables.items()}

    return draw(_interleaved(without(added))), draw(_interleaved(without(gone))), gone, added


@given(_versions())
def test_what_both_versions_tell_stands_in_the_old_order_and_each_table_in_its_own(
    versions: tuple[list[Told], list[Told], set[Told], set[Told]],
) -> None:
    old, new, gone, added = versions
    found = read(ordered(topic(old, 1), topic(new, 2)))
    assert sorted(found) == sorted(new)
    assert [one for one in found if one not in added] == [one for one in old if one not in gone]
    for whom, table in {(one.whom, one.table) for one in found}:
        events = [one.event for one in found if (one.whom, one.table) == (whom, table)]
        assert events == sorted(events)


def _cases() -> Iterator[tuple[str, list[Told], list[Told], list[Told]]]:
    a, b, other = Told("d", "A", 5), Told("d", "B", 7), Told("p", "A", 9)
    yield "in its place", [b, a], [a, b], [b, a]
    yield "told twice", [b, a, b], [a, a, b, a], [b, a]
    yield "behind its table's last word", [b, a, other], [Told("d", "A", 6), b], [b, Told("d", "A", 6)]
    yield "behind its table's furthest event", [b, other, a], [Told("d", "A", 10), b], [b, Told("d", "A", 10)]
    yield "of a table that had said nothing", [b], [b, a], [a, b]


def test_each_observation_finds_its_place() -> None:
    for said, old, new, expected in _cases():
        assert read(ordered(topic(old, 1), topic(new, 2))) == expected, said


def test_what_nobody_can_read_is_kept_and_stands_first() -> None:
    odd = TopicRecord(7, 1, b"d", b"\xc1", [("content-type", b"text/plain")])
    told = topic([Told("d", "A", 5)], 2)
    assert ordered([odd, *told], [*told, odd, odd]) == [odd, odd, *told]
