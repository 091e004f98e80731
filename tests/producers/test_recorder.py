"""Capture: what is recorded, what is answered, and what never changes on the way."""

import datetime as dt
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from producers.answers import AlreadyHave, Answer, Appended, Gap, LineQuarantined, RecordConflict
from producers.log import EventLog, Head, LinesToAppend
from producers.memory_log import MemoryLog
from producers.quarantine import DeadLetter
from producers.recorder import Arrival, Recorder
from producers.sqlite_log import SqliteLog
from schemas.events.codec import MAX_LINE_BYTES, decode
from tests.producers.arriving import arrivals, record_one
from tests.producers.builders import chain_faults, chained, device_event, digest, encode, stream

NOW = dt.datetime(2026, 11, 21, 12, 0, 0, 250_000, tzinfo=dt.UTC)
RECORDED = b'"recordedtime":"2026-11-21T12:00:00.250000Z"'
TABLE = "FB90-1"


@pytest.fixture(params=["memory", "sqlite"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EventLog]:
    adapter: EventLog = MemoryLog() if request.param == "memory" else SqliteLog(tmp_path / "ledger.db")
    yield adapter
    adapter.close()


@pytest.fixture
def recorder(log: EventLog) -> Recorder:
    return Recorder(log, lambda: NOW)


def send(recorder: Recorder, lines: Sequence[bytes]) -> tuple[Answer, ...]:
    return recorder.record_lines(arrivals(lines))


def records(log: EventLog, subject: str = TABLE) -> list[bytes]:
    return [record.line for record in log.read_from(subject)]


def letters(log: EventLog) -> list[DeadLetter]:
    return [quarantined.letter for quarantined in log.quarantined()]


def one_by_one(recorder: Recorder, lines: Sequence[bytes]) -> tuple[Answer, ...]:
    return tuple(record_one(recorder, line) for line in lines)


WAYS: list[Callable[[Recorder, Sequence[bytes]], tuple[Answer, ...]]] = [send, one_by_one]


class TestChainedEvents:
    @pytest.mark.parametrize("way", WAYS)
    def test_are_kept_byte_for_byte(
        self, log: EventLog, recorder: Recorder, way: Callable[..., object]
    ) -> None:
        spaced = json.dumps(json.loads(stream(1)[0])).encode() + b" "
        lines = [spaced, *stream(3, start=2, prevhash=digest(spaced))]
        assert way(recorder, lines) == tuple(Appended(TABLE, n) for n in (1, 2, 3, 4))
        assert records(log) == lines

    @pytest.mark.parametrize("way", WAYS)
    def test_delivered_again_are_known_also_out_of_the_middle_of_history(
        self, log: EventLog, recorder: Recorder, way: Callable[..., object]
    ) -> None:
        lines = stream(6)
        send(recorder, lines)
        assert way(recorder, [lines[2], lines[0], lines[5]]) == tuple(
            AlreadyHave(TABLE, n) for n in (3, 1, 6)
        )
        assert way(recorder, lines) == tuple(AlreadyHave(TABLE, n) for n in range(1, 7))
        assert records(log) == lines
        assert letters(log) == []

    def test_doubled_within_a_frame_are_recorded_once(self, log: EventLog, recorder: Recorder) -> None:
        first, second = stream(2)
        answers = send(recorder, [first, first, second, first])
        assert answers == (
            Appended(TABLE, 1),
            AlreadyHave(TABLE, 1),
            Appended(TABLE, 2),
            AlreadyHave(TABLE, 1),
        )
        assert records(log) == [first, second]

    @pytest.mark.parametrize("way", WAYS)
    @pytest.mark.parametrize("recorded_before", [True, False])
    def test_with_other_bytes_under_a_recorded_sequence_conflict_and_are_kept_aside(
        self, log: EventLog, recorder: Recorder, way: Callable[..., tuple[Answer, ...]], recorded_before: bool
    ) -> None:
        lines = stream(3)
        other = lines[1].replace(b"As", b"Ks")
        if recorded_before:
            send(recorder, lines)
            (answer,) = way(recorder, [other])
        else:
            answer = way(recorder, [*lines, other])[-1]
        assert answer == RecordConflict(TABLE, 2, "record 2 holds other bytes", 1)
        assert records(log) == lines
        (kept,) = letters(log)
        assert (kept.kind, kept.line, kept.subject, kept.sequence) == ("conflict", other, TABLE, 2)

    def test_that_follow_another_history_conflict_with_the_last_record(
        self, log: EventLog, recorder: Recorder
    ) -> None:
        send(recorder, stream(3))
        (fork,) = stream(1, start=4, prevhash="a" * 64)
        assert record_one(recorder, fork) == RecordConflict(
            TABLE, 3, "its prevhash is not the hash of record 3", 1
        )
        assert len(records(log)) == 3

    @pytest.mark.parametrize("way", WAYS)
    def test_behind_a_gap_are_refused_until_it_is_filled(
        self, log: EventLog, recorder: Recorder, way: Callable[..., object]
    ) -> None:
        lines = stream(5)
        send(recorder, lines[:2])
        assert way(recorder, lines[3:]) == (Gap(TABLE, 4, 3), Gap(TABLE, 5, 3))
        assert records(log) == lines[:2]
        assert letters(log) == []
        assert way(recorder, lines[2:]) == tuple(Appended(TABLE, n) for n in (3, 4, 5))

    def test_of_a_table_that_begins_in_the_middle_are_refused(self, recorder: Recorder) -> None:
        assert record_one(recorder, stream(3)[2]) == Gap(TABLE, 3, 1)

    def test_of_several_tables_in_one_frame_go_each_to_its_own(
        self, log: EventLog, recorder: Recorder
    ) -> None:
        one, two = stream(2, "T1"), stream(2, "T2")
        answers = send(recorder, [one[0], two[0], two[1], one[1]])
        assert answers == (Appended("T1", 1), Appended("T2", 1), Appended("T2", 2), Appended("T1", 2))
        assert records(log, "T1") == one
        assert records(log, "T2") == two


class TestUnreadableLines:
    POISON = (
        b"garbage",
        b'{"sequence":2,',
        b"\xff\xfe",
        b"[]",
        b"null",
        b'{"specversion":"1.0"}',
        device_event(7, type="catwalk.v1.card_eaten"),
        device_event(7, data={"card": "Zz", "reason": "load"}),
        device_event(7).replace(b'"id":', b'"id":"x","id":'),
        chained(device_event(7), 0, "0" * 64),
        encode({**json.loads(device_event(7)), "sequence": 2}),
        device_event(7, subject="no table name"),
        b"x" * (1 << 20),
        b"[" * 100_000,
        b'{"prevhash":' * 100_000,
    )

    @pytest.mark.parametrize("poison", POISON)
    @pytest.mark.parametrize("way", WAYS)
    def test_are_quarantined_with_bytes_reason_and_origin_and_their_neighbours_go_on(
        self, log: EventLog, recorder: Recorder, poison: bytes, way: Callable[..., tuple[Answer, ...]]
    ) -> None:
        lines = stream(4)
        first, second, answer, *rest = way(recorder, [*lines[:2], poison, *lines[2:]])
        assert [first, second, *rest] == [Appended(TABLE, n) for n in (1, 2, 3, 4)]
        (kept,) = letters(log)
        assert answer == LineQuarantined(1, kept.reason, kept.path)
        assert (kept.kind, kept.line, kept.received) == ("unreadable", poison, "2026-11-21T12:00:00.250000Z")
        assert kept.origin in ("here:1", "here:3")
        assert kept.reason
        assert records(log) == lines

    def test_sent_again_stay_one(self, log: EventLog, recorder: Recorder) -> None:
        assert record_one(recorder, b"garbage") == record_one(recorder, b"garbage")
        assert len(letters(log)) == 1

    def test_of_more_than_one_line_are_no_event(self, log: EventLog, recorder: Recorder) -> None:
        for line in (device_event(1).replace(b",", b",\n", 1), device_event(1) + b"\r"):
            answer = record_one(recorder, line)
            assert isinstance(answer, LineQuarantined)
            assert answer.reason == "more than one line; an event is one line"
        assert log.subjects() == ()

    def test_that_the_chain_runs_through_are_recorded_with_their_successor(
        self, log: EventLog, recorder: Recorder
    ) -> None:
        before = stream(2)
        unknown = chained(device_event(3, type="catwalk.v1.card_eaten"), 3, digest(before[1]))
        garbage = b"\xff\x00 cut off"
        for poison, prevhash in ((unknown, digest(unknown)), (garbage, digest(garbage))):
            table = f"T{len(poison)}"
            lines = [line.replace(b"FB90-1", table.encode()) for line in before]
            lines = [lines[0], chained(device_event(2, table), 2, digest(lines[0]))]
            if poison is unknown:
                poison = chained(device_event(3, table, type="catwalk.v1.card_eaten"), 3, digest(lines[1]))
                prevhash = digest(poison)
            after = stream(2, table, start=4, prevhash=prevhash)
            answers = send(recorder, [*lines, poison, *after])
            assert answers[3:] == (Appended(table, 4, bridged=1), Appended(table, 5))
            assert records(log, table) == [*lines, poison, *after]
            assert send(recorder, [poison, *after])[1:] == (AlreadyHave(table, 4), AlreadyHave(table, 5))

    def test_two_in_a_row_are_bridged_where_their_chain_can_be_read(
        self, log: EventLog, recorder: Recorder
    ) -> None:
        lines = stream(1)
        for n in (2, 3):
            lines.append(chained(device_event(n, type="catwalk.v1.card_eaten"), n, digest(lines[-1])))
        lines += stream(1, start=4, prevhash=digest(lines[-1]))
        assert one_by_one(recorder, lines)[-1] == Appended(TABLE, 4, bridged=2)
        assert records(log) == lines

    def test_that_do_not_follow_the_head_are_no_bridge(self, log: EventLog, recorder: Recorder) -> None:
        lines = stream(2)
        stranger = chained(device_event(3, type="catwalk.v1.card_eaten"), 3, "b" * 64)
        after = stream(1, start=4, prevhash=digest(stranger))
        assert send(recorder, [*lines, stranger, *after])[-1] == Gap(TABLE, 4, 3)
        assert records(log) == lines


class TestDeviceEvents:
    def test_get_sequence_chain_and_recorded_time_and_keep_what_the_device_said(
        self, log: EventLog, recorder: Recorder
    ) -> None:
        odd = device_event(1).replace(b'"data":{', b'"note": "\\u00e9", "data": { ')
        lines = [odd, device_event(1, device="shoe"), device_event(2), device_event(2, device="shoe")]
        assert send(recorder, lines) == tuple(Appended(TABLE, n) for n in (1, 2, 3, 4))
        kept = records(log)
        assert chain_faults(kept) == []
        for line, record in zip(lines, kept, strict=True):
            assert record.startswith(line[:-1])
            assert RECORDED in record[len(line) - 1 :]
            told = json.loads(record)
            assert {name: told[name] for name in json.loads(line)} == json.loads(line)
            assert decode(record).subject == TABLE

    @pytest.mark.parametrize("way", WAYS)
    def test_delivered_again_are_known_by_source_and_id(
        self, log: EventLog, recorder: Recorder, way: Callable[..., object]
    ) -> None:
        lines = [device_event(n, device=device) for n in (1, 2) for device in ("shoe", "console")]
        send(recorder, lines)
        before = records(log)
        assert way(recorder, lines[::-1]) == tuple(AlreadyHave(TABLE, n) for n in (4, 3, 2, 1))
        assert way(recorder, [*lines, device_event(3)])[-1] == Appended(TABLE, 5)  # type: ignore[index]  # a tuple
        assert records(log)[:4] == before

    def test_doubled_within_a_frame_are_recorded_once(self, log: EventLog, recorder: Recorder) -> None:
        line = device_event(1)
        assert send(recorder, [line, line]) == (Appended(TABLE, 1), AlreadyHave(TABLE, 1))
        assert len(records(log)) == 1

    @pytest.mark.parametrize("way", WAYS)
    @pytest.mark.parametrize(
        "other",
        [
            device_event(1, data={"card": "Ks", "reason": "load"}),
            device_event(1, time="2026-11-21T10:00:01.000002Z"),
            device_event(1, type="catwalk.v1.round_ended", data={}),
            device_event(1, recordedtime="2026-11-21T10:00:01.000002Z"),
            device_event(1, note=1),
        ],
    )
    def test_with_other_content_under_one_id_conflict_and_are_kept_aside(
        self, log: EventLog, recorder: Recorder, other: bytes, way: Callable[..., tuple[Answer, ...]]
    ) -> None:
        answer = way(recorder, [device_event(1), other])[1]
        assert answer == RecordConflict(
            TABLE, 1, f"id 'console-1' of this source is record 1 of {TABLE}, otherwise", 1
        )
        (kept,) = letters(log)
        assert (kept.kind, kept.line, kept.sequence) == ("conflict", other, 1)
        assert len(records(log)) == 1

    def test_with_the_same_id_at_another_table_conflict(self, log: EventLog, recorder: Recorder) -> None:
        first = device_event(1)
        elsewhere = first.replace(b'"subject":"FB90-1"', b'"subject":"T2"')
        answers = send(recorder, [first, elsewhere])
        assert isinstance(answers[1], RecordConflict)
        assert log.subjects() == (TABLE,)

    def test_said_again_in_another_order_of_names_are_known(self, log: EventLog, recorder: Recorder) -> None:
        line = device_event(1)
        turned = json.dumps(dict(reversed(json.loads(line).items()))).encode()
        assert send(recorder, [line, turned]) == (Appended(TABLE, 1), AlreadyHave(TABLE, 1))

    def test_that_tell_one_from_true_are_not_the_same(self, recorder: Recorder) -> None:
        answers = send(recorder, [device_event(1, note=1), device_event(1, note=True)])
        assert isinstance(answers[1], RecordConflict)

    def test_keep_the_recorded_time_they_came_with(self, log: EventLog, recorder: Recorder) -> None:
        line = device_event(1, recordedtime="2026-11-21T10:00:02.000000Z")
        assert send(recorder, [line, line]) == (Appended(TABLE, 1), AlreadyHave(TABLE, 1))
        (record,) = records(log)
        assert record.count(b"recordedtime") == 1
        assert chain_faults([record]) == []

    def test_that_were_recorded_chained_elsewhere_are_known(self, log: EventLog, recorder: Recorder) -> None:
        send(recorder, stream(3))
        assert record_one(recorder, device_event(2)) == AlreadyHave(TABLE, 2)
        assert record_one(recorder, device_event(4)) == Appended(TABLE, 4)
        assert chain_faults(records(log)) == []

    def test_whose_data_speaks_of_chains_are_still_device_events(
        self, log: EventLog, recorder: Recorder
    ) -> None:
        line = device_event(1, extension={"prevhash": "mine", "sequence": 9})
        assert record_one(recorder, line) == Appended(TABLE, 1)
        assert chain_faults(records(log)) == []

    def test_too_long_to_carry_a_chain_are_quarantined(self, log: EventLog, recorder: Recorder) -> None:
        fits = device_event(1, note="x" * (MAX_LINE_BYTES - 170 - len(device_event(1, note=""))))
        assert record_one(recorder, fits) == Appended(TABLE, 1)
        assert isinstance(
            record_one(recorder, device_event(2, note="x" * (MAX_LINE_BYTES - 300))), LineQuarantined
        )
        assert decode(records(log)[0]).id == "console-1"

    def test_are_recorded_in_the_order_of_arrival_whatever_their_clocks_say(
        self, log: EventLog, recorder: Recorder
    ) -> None:
        late = device_event(1, time="2030-01-01T00:00:00.000000Z")
        early = device_event(2, time="2010-01-01T00:00:00.000000Z")
        assert send(recorder, [late, early]) == (Appended(TABLE, 1), Appended(TABLE, 2))


class Raced(MemoryLog):
    """A ledger to which another recorder appends just before each of the first appends."""

    def __init__(self, rivals: list[bytes]) -> None:
        super().__init__()
        self.rivals = rivals

    def append_together(self, parts: Sequence[LinesToAppend]) -> tuple[Head, ...]:
        if self.rivals:
            subject = parts[0].subject
            super().append_together([LinesToAppend(subject, [self.rivals.pop(0)], self.head(subject))])
        return super().append_together(parts)


class TestASecondWriter:
    def test_that_was_faster_with_the_same_events_makes_them_known(self) -> None:
        lines = stream(4)
        log = Raced(lines[:2])
        recorder = Recorder(log, lambda: NOW)
        answers = send(recorder, lines)
        assert answers == (
            AlreadyHave(TABLE, 1),
            AlreadyHave(TABLE, 2),
            Appended(TABLE, 3),
            Appended(TABLE, 4),
        )
        assert recorder.overtaken == 2
        assert records(log) == lines

    def test_that_was_faster_with_other_events_makes_a_conflict(self) -> None:
        ours = stream(2)
        log = Raced([ours[0].replace(b"As", b"Ks")])
        answers = send(Recorder(log, lambda: NOW), ours)
        assert [type(answer) for answer in answers] == [RecordConflict, RecordConflict]

    def test_of_device_events_interleaves_without_a_fork(self) -> None:
        log = Raced(stream(3))
        answers = send(Recorder(log, lambda: NOW), [device_event(n, device="shoe") for n in (1, 2)])
        assert answers == (Appended(TABLE, 4), Appended(TABLE, 5))
        assert chain_faults(records(log)) == []


def test_lines_are_answered_in_the_order_they_came(recorder: Recorder) -> None:
    lines = [b"bad", device_event(1, "T2"), *stream(1, "T1"), b"worse", device_event(2, "T2")]
    answers = recorder.record_lines([Arrival(line, str(n)) for n, line in enumerate(lines)])
    assert [type(answer) for answer in answers] == [
        LineQuarantined,
        Appended,
        Appended,
        LineQuarantined,
        Appended,
    ]
