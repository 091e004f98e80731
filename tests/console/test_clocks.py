"""What the record can prove of a device's clock: by arrival, else by the order of the chain, else nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.health.clocks import AT_LEAST, BROUGHT_IN, OFF, DeviceClock, Key, clocks
from dashboards.reader.sensors import ClockRow, TurnRow
from tests.console.desk_building import T0

MOMENT = 0.5  # seconds between two hand movements


def arrived(ahead: float | None, events: int = AT_LEAST) -> ClockRow:
    return ClockRow("BJ-1", "shoe", events, T0, T0, events if ahead is not None else 0, ahead)


def chained(offsets: dict[str, float], turns: int = AT_LEAST, moment: float = MOMENT) -> list[TurnRow]:
    """All devices by turns, each with its clock off by so much."""
    return [
        TurnRow("BJ-1", one, other, turns, moment + offsets[other] - offsets[one])
        for one in offsets
        for other in offsets
        if one != other
    ]


def of(found: dict[Key, DeviceClock], source: str = "shoe") -> DeviceClock:
    return found["BJ-1", source]


@pytest.mark.parametrize(
    ("ahead", "standing", "told"),
    [
        (OFF, "well", "+3.0 s"),
        (OFF + 0.1, "off", "+3.1 s"),
        (-OFF, "well", "-3.0 s"),
        (-OFF - 0.1, "off", "-3.1 s"),
        (-0.01, "well", "0.0 s"),
    ],
)
def test_by_arrival_a_clock_is_off_beyond_the_bound_either_way(
    ahead: float, standing: str, told: str
) -> None:
    clock = of(clocks([arrived(ahead)], []))
    assert (clock.standing, clock.told, clock.by) == (standing, told, "arrival")
    assert bool(clock.meant) is (standing == "off")


def test_events_that_come_late_and_a_clock_that_is_behind_are_not_told_apart() -> None:
    assert "or its events come late" in of(clocks([arrived(-60.0)], [])).meant
    assert of(clocks([arrived(60.0)], [])).meant == "its clock is ahead"


@pytest.mark.parametrize(("late", "by"), [(BROUGHT_IN, "arrival"), (BROUGHT_IN + 1, "nothing")])
def test_arrival_says_nothing_of_a_record_that_was_brought_in_later(late: float, by: str) -> None:
    assert of(clocks([arrived(-late)], [])).by == by


@pytest.mark.parametrize(("events", "standing"), [(AT_LEAST - 1, "not known"), (AT_LEAST, "well")])
def test_few_events_say_nothing(events: int, standing: str) -> None:
    assert of(clocks([arrived(0.0, events)], [])).standing == standing
    assert of(clocks([arrived(None)], chained({"shoe": 0.0, "layout": 0.0}, events))).standing == standing


def test_where_nothing_says_it_a_clock_is_not_known() -> None:
    clock = of(clocks([arrived(None)], []))
    assert (clock.standing, clock.told, clock.meant) == ("not known", "not known", "")


def test_arrival_goes_before_order() -> None:
    found = clocks([arrived(0.0)], chained({"shoe": 60.0, "layout": 0.0}))
    assert (of(found).standing, of(found, "layout").standing) == ("well", "off")


@pytest.mark.parametrize(
    ("offset", "standing"),
    [
        (OFF - MOMENT, "well"),
        (OFF - MOMENT + 0.1, "not known"),
        (OFF + MOMENT, "not known"),
        (OFF + MOMENT + 0.1, "off"),
        (-OFF - MOMENT - 0.1, "off"),
    ],
)
def test_by_order_a_clock_is_off_when_no_movement_can_be_so_quick(offset: float, standing: str) -> None:
    found = clocks([], chained({"shoe": offset, "layout": 0.0, "console": 0.0}))
    assert of(found).standing == standing
    if standing == "off":
        assert of(found).told == f"{offset:+,.1f} s ± 0.5 s"
        assert of(found, "layout").standing == of(found, "console").standing == "well"


def test_of_two_that_disagree_neither_is_proven_right() -> None:
    found = clocks([], chained({"shoe": 30.0, "layout": 0.0}))
    assert [of(found, name).told for name in ("shoe", "layout")] == ["+30.0 s ± 0.5 s", "-30.0 s ± 0.5 s"]
    assert "either may be wrong" in of(found).meant


def test_turns_one_way_prove_one_bound() -> None:
    steps = [TurnRow("BJ-1", "shoe", "layout", AT_LEAST, -20.0)]
    found = clocks([], steps)
    assert (of(found).standing, of(found).told) == ("off", "at least +20.0 s")
    assert (of(found, "layout").standing, of(found, "layout").told) == ("off", "at most -20.0 s")
    found = clocks([], [TurnRow("BJ-1", "shoe", "layout", AT_LEAST, 0.4)])
    assert (of(found).standing, of(found).told) == ("not known", "not known, at least -0.4 s")


def test_devices_of_another_table_say_nothing() -> None:
    steps = chained({"shoe": 0.0, "layout": 0.0})
    other = [TurnRow("BJ-2", turn.before, turn.after, turn.turns, turn.step - 90) for turn in steps]
    found = clocks([], [*steps, *other])
    assert of(found).standing == "well"


@given(
    st.lists(st.floats(-600, 600), min_size=2, max_size=6), st.floats(0.0, 5.0), st.integers(0, AT_LEAST * 3)
)
def test_nothing_is_proven_that_is_not_so(offsets: list[float], moment: float, turns: int) -> None:
    """However the clocks stand, the bounds against the clock that decided hold what they differ by."""
    named = {f"d{number}": offset for number, offset in enumerate(offsets)}
    for (_, device), clock in clocks([], chained(named, turns, moment)).items():
        differences = [named[device] - named[other] for other in named if other != device]
        low = float("-inf") if clock.low is None else clock.low - 1e-6
        high = float("inf") if clock.high is None else clock.high + 1e-6
        assert any(low <= difference <= high for difference in differences)
        if clock.standing == "off":
            assert any(abs(difference) > OFF for difference in differences)
        if clock.standing == "well":
            assert any(abs(difference) <= OFF for difference in differences)
