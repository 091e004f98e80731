"""A topic followed from chosen offsets goes back to records that were taken already."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from kafka import TopicPartition

from producers.kafka.connection import Connection
from producers.kafka.tail import TopicTail
from schemas.topics import SNAPSHOTS


class Record(NamedTuple):
    partition: int
    offset: int


class Consumer:
    """Two partitions of five records each."""

    def __init__(self, **_options: object) -> None:
        self.at: dict[TopicPartition, int] = {}

    def partitions_for_topic(self, _name: str) -> set[int]:
        return {0, 1}

    def beginning_offsets(self, places: list[TopicPartition], **_: object) -> dict[TopicPartition, int]:
        return dict.fromkeys(places, 0)

    def end_offsets(self, places: list[TopicPartition], **_: object) -> dict[TopicPartition, int]:
        return dict.fromkeys(places, 5)

    def assign(self, places: list[TopicPartition]) -> None:
        self.at = dict.fromkeys(places, 0)

    def seek(self, place: TopicPartition, offset: int) -> None:
        self.at[place] = offset

    def poll(self, **_: object) -> dict[TopicPartition, list[Record]]:
        found = {place: [Record(place.partition, at) for at in range(at, 5)] for place, at in self.at.items()}
        self.at = dict.fromkeys(self.at, 5)
        return found

    def close(self, **_: Any) -> None:
        pass


@pytest.mark.parametrize("closed", [False, True])
def test_records_are_taken_again_from_where_the_reader_goes_back_to(
    monkeypatch: pytest.MonkeyPatch, closed: bool
) -> None:
    monkeypatch.setattr("producers.kafka.tail.KafkaConsumer", Consumer)
    tail = TopicTail(Connection(servers="nowhere:1"), SNAPSHOTS)
    assert len(tail.take(0.0)) == 10
    assert (tail.behind, tail.take(0.0)) == (0, [])
    if closed:
        tail.close()
    tail.back_to({1: 3})
    assert tail.take(0.0) == [(1, 3), (1, 4)]
    assert (tail.behind, tail.take(0.0)) == (0, [])
    tail.back_to({0: 7})
    assert tail.take(0.0) == [], "what was not taken yet is none to go back to"
