"""However deliveries are cut, repeated, lost and mixed: once all has been sent, the ledger holds it once."""

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from producers.answers import AlreadyHave, Answer, Appended, Gap
from producers.memory_log import MemoryLog
from producers.recorder import Arrival, Recorder
from tests.producers.builders import chain_faults, device_event, stream

NOW = dt.datetime(2026, 11, 21, tzinfo=dt.UTC)
TABLES = {subject: stream(9, subject) for subject in ("T1", "T2")}
CHAINED = [line for pair in zip(*TABLES.values(), strict=True) for line in pair]
DEVICES = [device_event(n, "T1", device) for n in range(6) for device in ("shoe", "layout", "console")]

deliveries = st.lists(st.lists(st.integers(0, 17), max_size=12), max_size=8)


def deliver(recorder: Recorder, lines: list[bytes], picked: list[int]) -> list[Answer]:
    return list(recorder.record_lines([Arrival(lines[n], "feed") for n in picked]))


@given(deliveries)
def test_chained_events_stand_once_in_their_order(frames: list[list[int]]) -> None:
    log = MemoryLog()
    recorder = Recorder(log, lambda: NOW)
    answers = [answer for frame in frames for answer in deliver(recorder, CHAINED, frame)]
    for subject, lines in TABLES.items():
        kept = [record.line for record in log.read_from(subject)]
        assert kept == lines[: len(kept)]
    answers += deliver(recorder, CHAINED, list(range(18)))
    assert {subject: [record.line for record in log.read_from(subject)] for subject in TABLES} == TABLES
    assert {type(answer) for answer in answers} <= {Appended, AlreadyHave, Gap}
    appended = [answer for answer in answers if isinstance(answer, Appended)]
    assert sorted(appended, key=lambda a: (a.subject, a.sequence)) == [
        Appended(subject, n) for subject in TABLES for n in range(1, 10)
    ]
    assert list(log.quarantined()) == []


@given(deliveries)
def test_device_events_stand_once_in_the_order_of_their_first_arrival(frames: list[list[int]]) -> None:
    log = MemoryLog()
    recorder = Recorder(log, lambda: NOW)
    frames = [*frames, list(range(18))]
    answers = [answer for frame in frames for answer in deliver(recorder, DEVICES, frame)]
    kept = [record.line for record in log.read_from("T1")]
    arrived = list(dict.fromkeys(n for frame in frames for n in frame))
    assert [record[: len(DEVICES[n]) - 1] + b"}" for record, n in zip(kept, arrived, strict=True)] == [
        DEVICES[n] for n in arrived
    ]
    assert chain_faults(kept) == []
    sequences = {n: place for place, n in enumerate(arrived, 1)}
    sent = [n for frame in frames for n in frame]
    assert [answer.sequence for answer in answers if isinstance(answer, Appended | AlreadyHave)] == [
        sequences[n] for n in sent
    ]
