"""The analyst's state: table by table, no larger for a property or a year, and whole whatever is lost of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from itertools import count as numbers

import msgspec
import pytest

from processors.runtime.analyst.partition import Entry, PartitionTally
from processors.runtime.brokers.records import Message, Taken
from schemas.counters import CounterMessage
from schemas.messages import RoundMessage
from schemas.topics import ANALYSIS, COUNTERS, ROUNDS
from tests.runtime.topics import AT, folded_topics, ledger_of

MOST = 64_000  # bytes of a message
DAY = dt.datetime(2026, 3, 2, 12, tzinfo=dt.UTC)
encode, decode = msgspec.json.Encoder().encode, msgspec.json.Decoder(RoundMessage).decode
read_counter = msgspec.json.Decoder(CounterMessage).decode


@pytest.fixture(scope="module")
def pattern() -> RoundMessage:
    """A round as the fold tells it."""
    records = folded_topics(ledger_of(["breach_masque_wrong"], 300))
    return decode(next(one.value or b"" for one in records if one.place[0] == ROUNDS.name))


class Property:
    """Rounds of many tables on one topic, and the compacted topic of the state."""

    def __init__(self, pattern: RoundMessage) -> None:
        self._pattern = pattern
        self._offsets = numbers()
        self._ends: dict[str, int] = {}
        self.records: list[Taken] = []
        self.state: list[Entry] = []
        self.counters: dict[bytes, CounterMessage] = {}
        self.last: list[Message] = []

    def round(self, subject: str, day: int, dealer: str) -> Taken:
        """The next round of a table."""
        first = self._ends.get(subject, 0) + 1
        self._ends[subject] = last = first + 40
        at = DAY + dt.timedelta(days=day, seconds=first)
        result = msgspec.structs.replace(
            self._pattern.round,
            subject=subject,
            first_sequence=first,
            last_sequence=last,
            gaming_day=(DAY + dt.timedelta(days=day)).date(),
        )
        told = msgspec.structs.replace(self._pattern, at=at, dealer=dealer, round=result)
        record = Taken((ROUNDS.name, 0), next(self._offsets), b"k", encode(told), (), AT)
        self.records.append(record)
        return record

    def flush(self, tally: PartitionTally) -> None:
        """Send what the tally has to say."""
        self.last = list(tally.messages())
        tally.sent()
        for message in self.last:
            if message.topic is ANALYSIS:
                self.state.append((message.key, message.value))
            elif message.topic is COUNTERS and message.key is not None:
                self.counters[message.key] = read_counter(message.value)

    def compacted(self) -> list[Entry]:
        """The last record of each key."""
        return list(dict(self.state).items())

    def counted(self) -> int:
        return sum(counter.rounds for counter in self.counters.values())


@pytest.mark.parametrize("dealers", [40, 400])
def test_a_table_of_four_hundred_changes_of_dealer_a_day_stays_small_for_thirty_days(
    pattern: RoundMessage, dealers: int
) -> None:
    house, tally = Property(pattern), PartitionTally(0)
    largest: dict[int, int] = {}
    for day in range(30 if dealers == 40 else 4):
        for change in range(400):
            tally.take(house.round("FB-01", day, f"dealer-{change % dealers:04}"))
            if change % 100 == 99:
                house.flush(tally)
                largest[day] = max(len(message.value) for message in house.last)
        tally = PartitionTally.restore(0, house.compacted())  # what leaves the state is not missed
    assert max(largest.values()) + 8 * 1024 < MOST, "with the ids of findings that were counted"
    assert largest[max(largest)] < largest[1] + 2_000, (
        "what is sealed leaves; numbers of events grow by some digits"
    )
    assert house.counted() == len(house.records)


def test_what_is_written_is_what_has_changed_and_is_no_larger_for_a_hundred_tables(
    pattern: RoundMessage,
) -> None:
    house, tally = Property(pattern), PartitionTally(0)
    tables = [f"FB-{number:03}" for number in range(100)]
    for _ in range(3):
        for subject in tables:
            tally.take(house.round(subject, 0, "dealer-1"))
        house.flush(tally)
    assert max(len(message.value) for message in house.last) < MOST
    assert len(house.last) == 2 * len(tables) + 1
    tally.take(house.round("FB-007", 0, "dealer-1"))
    house.flush(tally)
    assert [message.key for message in house.last if message.topic is ANALYSIS] == [b"FB-007", b"partition/0"]
    again = PartitionTally.restore(0, house.compacted())
    assert again.offsets == tally.offsets
    assert again.tables == tally.tables


def histories(house: Property) -> Iterator[list[Entry]]:
    """What a reader may find of the state: any beginning of it, compacted or not."""
    for end in range(len(house.state) + 1):
        yield house.state[:end]
        yield list(dict(house.state[:end]).items())


def test_a_state_of_which_only_a_part_was_written_counts_the_rest_again_and_nothing_twice(
    pattern: RoundMessage,
) -> None:
    house, tally = Property(pattern), PartitionTally(0)
    for number in range(12):
        tally.take(house.round(f"FB-{number % 3}", number // 8, "dealer-1"))
        if number % 4 == 3:
            house.flush(tally)
    whole = tally.tables
    for entries in histories(house):
        again = PartitionTally.restore(0, entries)
        for record in house.records:
            again.take(record)
        assert again.tables == whole


def test_a_worker_that_had_lost_the_partition_writes_behind_its_successor_and_nothing_is_lost(
    pattern: RoundMessage,
) -> None:
    house, former = Property(pattern), PartitionTally(0)
    for number in range(6):
        former.take(house.round(f"FB-{number % 2}", 0, "dealer-1"))
    house.flush(former)
    successor = PartitionTally.restore(0, house.compacted())
    former.take(house.round("FB-0", 0, "dealer-1"))
    late = list(former.messages())
    successor.take(house.records[-1])
    for _ in range(3):
        successor.take(house.round("FB-0", 0, "dealer-2"))
        successor.take(house.round("FB-1", 0, "dealer-2"))
    house.flush(successor)
    only_the_tables = [message for message in late if message.topic is ANALYSIS][:-1]
    house.state += [(message.key, message.value) for message in only_the_tables]
    again = PartitionTally.restore(0, house.compacted())
    assert again.offsets[ROUNDS.name] < successor.offsets[ROUNDS.name], (
        "it reads again from where the table stands"
    )
    for record in house.records:
        again.take(record)
    assert again.tables == successor.tables


def test_state_that_began_elsewhere_is_of_no_use(pattern: RoundMessage) -> None:
    house, tally = Property(pattern), PartitionTally(0)
    for _ in range(3):
        tally.take(house.round("FB-0", 0, "dealer-1"))
    house.flush(tally)
    anew = PartitionTally(0)
    anew._begun, anew.offsets = 3, dict.fromkeys(anew.offsets, 3)  # as `catwalk rebuild` leaves it
    house.flush(anew)
    assert PartitionTally.restore(0, house.compacted()).tables == {}
