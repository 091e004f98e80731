"""When the lines of simulated tables fall due."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from deploy.demo.pacing import LATEST, LONGEST_SILENCE, FloorClock, PacedTables

START = dt.datetime(2026, 3, 2, 15, 0, tzinfo=dt.UTC)


def table(name: str, *seconds: float) -> tuple[str, Iterator[bytes]]:
    """A table whose lines come at these seconds of its own clock."""
    lines = [
        f'{{"n":"{name}{n}","time":"{(START + dt.timedelta(seconds=at)).isoformat()}"}}'.encode()
        for n, at in enumerate(seconds)
    ]
    return name, iter(lines)


def names(lines: list[bytes]) -> list[str]:
    return [line.split(b'"')[3].decode() for line in lines]


def test_a_tables_own_clock_sped_up_says_when_its_lines_come() -> None:
    paced = PacedTables([table("a", 0, 1, 5)], FloorClock(2), now=100)
    assert names(paced.due(100, 10)) == ["a0"]
    assert paced.wait(100.25) == 0.25
    assert paced.due(100.4, 10) == []
    assert names(paced.due(100.5, 10)) == ["a1"]
    assert names(paced.due(102.5, 10)) == ["a2"]
    assert paced.wait(102.5) is None


def test_tables_are_merged_as_they_fall_due_and_each_keeps_its_order() -> None:
    paced = PacedTables([table("a", 0, 1, 2), table("b", 0, 0.5, 3)], FloorClock(1), now=0)
    assert names(paced.due(1.9, 10)) == ["a0", "b0", "b1", "a1"]
    assert names(paced.due(3, 10)) == ["a2", "b2"]


def test_no_more_lines_than_asked_for_are_given_at_once_and_none_is_lost() -> None:
    paced = PacedTables([table("a", *range(20))], FloorClock(1000), now=0)
    taken = [paced.due(1, 8) for _ in range(3)]
    assert [len(lines) for lines in taken] == [8, 8, 4]
    assert names([line for lines in taken for line in lines]) == [f"a{n}" for n in range(20)]


def test_the_night_between_two_gaming_days_is_not_waited_for() -> None:
    paced = PacedTables([table("a", 0, 8 * 3600)], FloorClock(10), now=0)
    paced.due(0, 10)
    assert paced.wait(0) == LONGEST_SILENCE.total_seconds() / 10


def test_all_tables_are_at_one_time_of_day() -> None:
    clock = FloorClock(10)
    paced = PacedTables([table("a", 0, 1800, 3600, 3601), table("b", 3000, 3010, 3605)], clock, now=0)
    assert names(paced.due(0, 10)) == ["a0", "a1", "b0"], "who begins earlier has played by then"
    assert clock.time == START + dt.timedelta(seconds=3000)
    assert names(paced.due(1, 10)) == ["b1"]
    assert paced.due(3, 10) == []
    assert clock.time == START + dt.timedelta(seconds=3570), "over the rest that both have"
    paced.due(5, 10)
    assert names(paced.due(6.5, 10)) == ["a2", "a3", "b2"]


def test_a_clock_set_back_at_the_table_does_not_stop_it() -> None:
    paced = PacedTables([table("a", 0, -60, -59)], FloorClock(1), now=0)
    assert names(paced.due(0, 10)) == ["a0", "a1", "a2"]


def test_after_the_machine_slept_tables_go_on_at_their_pace_instead_of_racing() -> None:
    paced = PacedTables([table("a", *range(1000))], FloorClock(1), now=0)
    paced.due(0, 1000)
    assert len(paced.due(600, 1000)) <= LATEST + 2
    assert len(paced.due(601, 1000)) == 1
