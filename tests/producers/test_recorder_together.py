"""Several tables in one burst: one wait for the disk, and no table holds another up."""

from collections.abc import Sequence

import pytest

from producers.answers import AlreadyHave, Appended, RecordConflict
from producers.log import Head, LedgerError, LinesToAppend
from producers.memory_log import MemoryLog
from producers.recorder import Recorder
from tests.producers.builders import device_event, stream
from tests.producers.test_recorder import NOW, Raced, send


class _Counted(MemoryLog):
    """A ledger that counts how often something is made durable, and may refuse one table."""

    def __init__(self, refused: str = "") -> None:
        super().__init__()
        self.refused = refused
        self.waits = 0

    def append_together(self, parts: Sequence[LinesToAppend]) -> tuple[Head, ...]:
        self.waits += 1
        if self.refused in {part.subject for part in parts}:
            raise LedgerError(self.refused, "another writes it", "ask the other")
        return super().append_together(parts)


class TestSeveralTablesAtOnce:
    def test_are_durable_after_one_wait_and_answered_as_each_by_itself(self) -> None:
        tables = [stream(5, "T1"), stream(4, "T2"), stream(6, "T3")]
        mixed = [line for place in range(6) for lines in tables for line in lines[place : place + 1]]
        together, alone = _Counted(), _Counted()
        answers = send(Recorder(together, lambda: NOW), mixed)
        one_by_one = [send(Recorder(alone, lambda: NOW), [line])[0] for line in mixed]
        assert list(answers) == one_by_one
        assert together.waits == 1
        for subject in ("T1", "T2", "T3"):
            assert list(together.read_from(subject)) == list(alone.read_from(subject))

    def test_one_that_is_overtaken_holds_no_other_up(self) -> None:
        one, two = stream(3, "T1"), stream(3, "T2")
        recorder = Recorder(Raced(one[:1]), lambda: NOW)
        assert send(recorder, [*one, *two]) == (
            AlreadyHave("T1", 1),
            *(Appended("T1", number) for number in (2, 3)),
            *(Appended("T2", number) for number in (1, 2, 3)),
        )
        assert recorder.overtaken == 1

    def test_one_that_is_refused_is_told_and_those_before_it_are_recorded(self) -> None:
        log = _Counted(refused="T2")
        with pytest.raises(LedgerError, match="T2"):
            send(Recorder(log, lambda: NOW), [*stream(3, "T1"), *stream(3, "T2")])
        assert (log.head("T1").sequence, log.head("T2").sequence) == (3, 0)

    def test_an_id_of_a_device_is_one_event_whatever_table_it_names(self) -> None:
        answers = send(
            Recorder(MemoryLog(), lambda: NOW),
            [device_event(1, "T1"), device_event(1, "T2", source="pa/parkside/pit-2/T1/console")],
        )
        assert [type(answer) for answer in answers] == [Appended, RecordConflict]
