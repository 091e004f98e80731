"""The analyst over a month of a large property: what a message of its state weighs, how long a restart takes.

A hundred tables, each with four hundred changes of dealer a day for thirty days, all in one partition: the worst that
can come upon one worker, as rounds are otherwise spread over partitions.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchmarks.core import Measurement
from processors.pipeline import TablePipeline
from processors.runtime.analyst.partition import PartitionTally
from processors.runtime.brokers.records import Taken
from schemas.answers import FOLD_VERSION
from schemas.messages import RoundMessage
from schemas.rounds import RoundResult
from schemas.topics import ANALYSIS, ROUNDS

TABLES, DAYS, CHANGES, DEALERS = 100, 30, 400, 40
SPEAKS = 100  # rounds of each table between two messages of its state
BEGINS = dt.datetime(2026, 3, 2, 12, tzinfo=dt.UTC)
_ENCODE = msgspec.json.Encoder().encode


def measure(streams: Path) -> tuple[list[Measurement], list[str]]:
    """What its messages weigh and what counting and a restart cost, each beside its peer."""
    pattern = _round_of(streams)
    tally, state, largest, all_at_once = PartitionTally(0), dict[bytes | None, bytes](), 0, 0
    counting = reading = 0.0
    for records in _days(pattern):
        begun = time.process_time()
        for record in records:
            tally.take(record)
        messages = list(tally.messages())
        tally.sent()
        counting += time.process_time() - begun
        written = {message.key: message.value for message in messages if message.topic is ANALYSIS}
        state |= written
        largest = max(largest, *map(len, written.values()))
        all_at_once = max(all_at_once, sum(map(len, state.values())))
        begun = time.process_time()
        for record in records:
            _bare(record.value or b"")
        reading += time.process_time() - begun
    begun = time.perf_counter()
    again = PartitionTally.restore(0, list(state.items()))
    restart = time.perf_counter() - begun
    begun = time.perf_counter()
    for value in state.values():
        msgspec.msgpack.decode(value)
    decoding = time.perf_counter() - begun
    if again.tables != tally.tables:
        raise AssertionError("the state that was read again is not the one that was written")
    rounds = TABLES * DAYS * CHANGES
    figures = [
        Measurement("largest message of the state", largest, "bytes", "all tables in one", all_at_once),
        Measurement(
            "state read again at a restart", restart * 1e3, "ms", "bare msgspec decode", decoding * 1e3
        ),
        Measurement("rounds counted", rounds / counting, "rounds/s", "bare msgspec decode", rounds / reading),
    ]
    return figures, [
        f"{TABLES} tables, {CHANGES} changes of dealer a day among {DEALERS} for {DAYS} days, all in one partition;"
        " processor time of one core, the restart by the clock and without Kafka"
    ]


_bare = msgspec.json.Decoder(RoundMessage).decode


def _round_of(streams: Path) -> RoundResult:
    """A reconstructed round of a lawful stream."""
    lines = (streams / "lawful_free_bet_672a.ndjson").read_bytes().splitlines()
    pipeline = TablePipeline(str(msgspec.json.decode(lines[0])["subject"]), detect=False)
    return next(result for line in lines for result in pipeline.advance(line).rounds)


def _days(pattern: RoundResult) -> Iterator[list[Taken]]:
    """The rounds of all tables, some at a time; each has another dealer than the one before."""
    offset = 0
    for day in range(DAYS):
        for first in range(0, CHANGES, SPEAKS):
            records = []
            for number in range(first, first + SPEAKS):
                place = day * CHANGES + number
                for table in range(TABLES):
                    records.append(Taken((ROUNDS.name, 0), offset, b"k", _told(pattern, table, place, day)))
                    offset += 1
            yield records


def _told(pattern: RoundResult, table: int, place: int, day: int) -> bytes:
    first = 50 * place + 1
    result = msgspec.structs.replace(
        pattern,
        subject=f"FB-{table:03}",
        round=place + 1,
        first_sequence=first,
        last_sequence=first + 49,
        gaming_day=(BEGINS + dt.timedelta(days=day)).date(),
    )
    at = BEGINS + dt.timedelta(days=day, seconds=200 * (place % CHANGES))
    dealer = f"dealer-{(7 * table + place) % DEALERS:03}"
    return _ENCODE(RoundMessage(fold=FOLD_VERSION, at=at, property="P-1", dealer=dealer, round=result))
