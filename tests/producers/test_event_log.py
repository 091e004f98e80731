"""What every ledger owes: one suite, run against each adapter."""

import datetime as dt
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from producers.log import EMPTY, EventLog, Fenced, Head, LinesToAppend, Place, line_at
from producers.memory_log import MemoryLog
from producers.quarantine import DeadLetter
from producers.sqlite_log import SqliteLog
from tests.producers.builders import device_event, digest, stream

NOW = dt.datetime(2026, 11, 21, 10, tzinfo=dt.UTC)

ADAPTERS: dict[str, Callable[[Path], EventLog]] = {
    "memory": lambda _folder: MemoryLog(),
    "sqlite": lambda folder: SqliteLog(folder / "ledger.db"),
}


@pytest.fixture(params=ADAPTERS)
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EventLog]:
    adapter = ADAPTERS[request.param](tmp_path)
    yield adapter
    adapter.close()


def letter(line: bytes = b"\x00not an event", **changes: str) -> DeadLetter:
    said = {"kind": "unreadable", "reason": "not JSON", "path": "$", "origin": "pipe:1", "received": "now"}
    return DeadLetter(line=line, **(said | changes))  # type: ignore[arg-type]  # literals from a dictionary


def test_a_table_without_records_has_the_empty_head_and_no_records(log: EventLog) -> None:
    assert log.head("FB90-1") == EMPTY
    assert list(log.read_from("FB90-1")) == []
    assert log.subjects() == ()
    assert list(log.tail()) == []


def test_the_bytes_come_back_as_they_went_in_also_when_no_serialiser_would_write_them_so(
    log: EventLog,
) -> None:
    odd = [b'{ "source" : "s", "id":"\\u0041" }', b'{"id":"b","source":"s"}\xff\x00', b"  {} "]
    log.append("T1", odd, EMPTY)
    assert [record.line for record in log.read_from("T1")] == odd


def test_the_head_is_the_last_sequence_and_the_hash_of_its_bytes(log: EventLog) -> None:
    lines = stream(3)
    assert log.append("FB90-1", lines, EMPTY) == Head(3, digest(lines[2]))
    assert log.head("FB90-1") == Head(3, digest(lines[2]))


def test_several_tables_are_appended_together_or_none_of_them(log: EventLog) -> None:
    one, two = stream(3, "T1"), stream(3, "T2")
    heads = log.append_together([LinesToAppend("T1", one[:2], EMPTY), LinesToAppend("T2", two, EMPTY)])
    assert heads == (log.head("T1"), log.head("T2"))
    with pytest.raises(Fenced):
        log.append_together([LinesToAppend("T1", one[2:], heads[0]), LinesToAppend("T2", two[:1], EMPTY)])
    assert log.head("T1") == heads[0]
    assert [record.line for record in log.read_from("T1")] == one[:2]
    assert [tailed.line for tailed in log.tail()] == [*one[:2], *two]


def test_appends_continue_each_table_on_its_own(log: EventLog) -> None:
    one, two = stream(4, "T1"), stream(2, "T2")
    head = log.append("T1", one[:2], EMPTY)
    log.append("T2", two, EMPTY)
    log.append("T1", one[2:], head)
    assert [tuple(r) for r in log.read_from("T1", 2)] == [(2, one[1]), (3, one[2]), (4, one[3])]
    assert [r.line for r in log.read_from("T2")] == two
    assert log.subjects() == ("T1", "T2")


def test_the_tail_gives_all_tables_in_the_order_of_append_from_any_position(log: EventLog) -> None:
    one, two = stream(2, "T1"), stream(1, "T2")
    head = log.append("T1", one[:1], EMPTY)
    log.append("T2", two, EMPTY)
    log.append("T1", one[1:], head)
    everything = list(log.tail())
    assert [(t.subject, t.sequence, t.line) for t in everything] == [
        ("T1", 1, one[0]),
        ("T2", 1, two[0]),
        ("T1", 2, one[1]),
    ]
    assert [t.position for t in everything] == sorted({t.position for t in everything})
    for n, tailed in enumerate(everything, 1):
        assert list(log.tail(tailed.position)) == everything[n:]


def test_more_records_than_one_page_are_read_once_each(log: EventLog) -> None:
    lines = stream(2_500)
    log.append("FB90-1", lines, EMPTY)
    assert [r.line for r in log.read_from("FB90-1", 7)] == lines[6:]
    assert [t.line for t in log.tail()] == lines


def test_appending_nothing_changes_nothing(log: EventLog) -> None:
    assert log.append("T1", [], EMPTY) == EMPTY
    assert log.subjects() == ()


def test_a_writer_that_does_not_know_the_last_record_is_fenced_and_nothing_is_written(log: EventLog) -> None:
    lines = stream(3)
    stale = log.append("FB90-1", lines[:1], EMPTY)
    log.append("FB90-1", lines[1:2], stale)
    for after in (stale, EMPTY, Head(2, "f" * 64), Head(3, digest(lines[1]))):
        with pytest.raises(Fenced, match="another writer"):
            log.append("FB90-1", lines[2:], after)
    assert [r.line for r in log.read_from("FB90-1")] == lines[:2]
    assert len(list(log.tail())) == 2


def test_an_event_is_found_by_source_and_id_in_whatever_table_and_form_it_stands(log: EventLog) -> None:
    log.append("T1", stream(3, "T1"), EMPTY)
    log.append("T2", [device_event(9, "T2")], EMPTY)
    assert log.find("pa/parkside/pit-2/T1/console", "console-2", NOW) == Place("T1", 2)
    assert log.find("pa/parkside/pit-2/T2/console", "console-9", NOW) == Place("T2", 1)
    assert log.find("pa/parkside/pit-2/T1/console", "console-9", NOW) is None
    assert log.find("nobody", "console-2", NOW) is None


def test_of_two_records_with_one_id_the_first_is_found(log: EventLog) -> None:
    log.append("T1", [device_event(1), device_event(1)], EMPTY)
    assert log.find("pa/parkside/pit-2/FB90-1/console", "console-1", NOW) == Place("T1", 1)


def test_a_single_record_is_read_by_its_sequence(log: EventLog) -> None:
    lines = stream(3)
    log.append("FB90-1", lines, EMPTY)
    assert line_at(log, "FB90-1", 2) == lines[1]
    assert line_at(log, "FB90-1", 4) is None
    assert line_at(log, "other", 1) is None


def test_following_gives_what_is_there_and_then_what_comes(log: EventLog) -> None:
    lines = stream(4)
    head = log.append("FB90-1", lines[:2], EMPTY)
    seen = list(log.tail(1))
    for still_to_come in (lines[2:3], lines[3:]):
        head = log.append("FB90-1", still_to_come, head)
        seen += log.tail(seen[-1].position)
    assert [t.line for t in seen] == lines[1:]
    assert list(log.tail(seen[-1].position)) == []


def test_dead_letters_keep_bytes_reason_and_origin(log: EventLog) -> None:
    first = letter(b"\xff\x00\r")
    second = letter(b"{}", kind="conflict", origin="pipe:2")
    assert log.quarantine([first, second]) == (1, 2)
    assert [(q.number, q.letter) for q in log.quarantined()] == [(1, first), (2, second)]
    assert [q.letter for q in log.quarantined(1)] == [second]


def test_the_same_dead_letter_arriving_again_keeps_its_number(log: EventLog) -> None:
    assert log.quarantine([letter()]) == (1,)
    assert log.quarantine([letter(received="later"), letter(origin="pipe:2"), letter()]) == (1, 2, 1)
    assert [q.number for q in log.quarantined()] == [1, 2]


def test_an_unreadable_dead_letter_is_found_by_its_hash_and_a_conflict_is_not(log: EventLog) -> None:
    log.quarantine([letter(b"unread"), letter(b"against", kind="conflict")])
    assert log.quarantined_as(digest(b"unread")) == b"unread"
    assert log.quarantined_as(digest(b"against")) is None
    assert log.quarantined_as(digest(b"unheard")) is None
