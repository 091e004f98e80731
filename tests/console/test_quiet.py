"""Quiet hours by person: by the property's clock, over midnight, and where the clocks change."""

from __future__ import annotations

import datetime as dt
import html
from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.personal.quiet import QuietHours
from dashboards.web.console import Console
from tests.console.conftest import Browser, Clock
from tests.console.desk_building import a_finding, a_raise

NEW_YORK = ZoneInfo("America/New_York")
SPRING, AUTUMN = dt.date(2026, 3, 8), dt.date(2026, 11, 1)  # 02:00 is 03:00, and 02:00 is 01:00 again


def stretches(hours: str, day: dt.date, zone: ZoneInfo = NEW_YORK) -> list[str]:
    """What is quiet between noon of the day before and noon of this day, in UTC: `hours` as `22:00-06:00`."""
    begin, end = map(dt.time.fromisoformat, hours.split("-"))
    noon = dt.datetime.combine(day, dt.time(12), zone)
    found = QuietHours(begin, end).stretches(zone, noon - dt.timedelta(hours=24), noon)
    return [f"{start:%d %H:%M}-{stop:%d %H:%M}" for start, stop in found]


@pytest.mark.parametrize(
    ("hours", "day", "told"),
    [
        ("22:00-06:00", dt.date(2026, 11, 20), ["20 03:00-20 11:00"]),
        ("22:00-06:00", SPRING, ["08 03:00-08 10:00"]),  # an hour shorter
        ("22:00-06:00", AUTUMN, ["01 02:00-01 11:00"]),  # an hour longer
        ("02:30-04:00", SPRING, ["08 07:00-08 08:00"]),  # 02:30 is skipped
        ("23:00-02:30", SPRING, ["08 04:00-08 07:00"]),
        ("02:00-02:30", SPRING, []),
        ("01:30-04:00", AUTUMN, ["01 05:30-01 09:00"]),  # from the first 01:30
        ("23:00-01:30", AUTUMN, ["01 03:00-01 06:30"]),  # to the second
        ("13:00-13:30", dt.date(2026, 11, 20), ["19 18:00-19 18:30"]),
        ("08:00-08:00", dt.date(2026, 11, 20), ["19 13:00-20 13:00", "20 13:00-21 13:00"]),
    ],
)
def test_hours_hold_by_the_clock_over_midnight_and_its_changes(
    hours: str, day: dt.date, told: list[str]
) -> None:
    found = stretches(hours, day)
    assert [one for one in found if one in told] == told
    assert len(found) - len(told) <= (hours == "08:00-08:00")


@given(
    st.integers(0, 47), st.integers(0, 47), st.sampled_from([SPRING, AUTUMN, dt.date(2026, 7, 4)]),
    st.integers(0, 24 * 60 - 1),
)  # fmt: skip
def test_what_the_clock_shows_within_the_hours_is_quiet(
    begin: int, end: int, day: dt.date, minute: int
) -> None:
    """Whatever the hours, a moment whose wall time lies in them is quiet; others only within an hour shown twice."""
    first, last = dt.time(begin // 2, begin % 2 * 30), dt.time(end // 2, end % 2 * 30)
    start = dt.datetime.combine(day, dt.time(), NEW_YORK).astimezone(dt.UTC)
    at = start + dt.timedelta(minutes=minute)
    wall = at.astimezone(NEW_YORK).time()
    inside = first <= wall < last if first < last else wall >= first or wall < last
    quiet = any(
        one <= at < other
        for one, other in QuietHours(first, last).stretches(NEW_YORK, at, at + dt.timedelta(hours=1))
    )
    assert quiet or not inside, (first, last, at)
    assert inside or not quiet or day == AUTUMN, (first, last, at)


def test_a_person_chooses_their_hours_and_is_told_them_by_the_propertys_clock(
    console: Console, signed_in: Callable[[str], Browser], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(console.states), "zone", lambda _states, _subject: "America/New_York")
    hale, ito = signed_in("hale"), signed_in("ito")
    assert hale.get("/api/quiet").json() == {"said": "", "stretches": []}
    console.desk.raise_alerts([a_raise(a_finding())])
    for choice, value in (("quiet_from", "22:00"), ("quiet_to", "05:30"), ("quiet_critical", "heard")):
        assert hale.post("/api/preferences", json={"choice": choice, "value": value}).status_code == 204
    told = hale.get("/api/quiet").json()
    said = "Quiet each day from 22:00 to 05:30 (America/New_York); critical alerts are told all the same."
    assert told["said"] == said
    here = clock.now.astimezone(NEW_YORK)
    begin = dt.datetime.combine(here.date(), dt.time(22), NEW_YORK)
    assert dt.datetime.fromisoformat(told["stretches"][0][0]) == begin
    assert dt.datetime.fromisoformat(told["stretches"][0][1]) - begin == dt.timedelta(hours=7, minutes=30)
    assert len(told["stretches"]) == 2
    assert ito.get("/api/quiet").json()["stretches"] == [], "it is each person's own"
    page = html.unescape(hale.get("/").text)
    for kept in ("22:00", "05:30", "heard"):
        assert f'<option value="{kept}" selected>' in page
    wrong = hale.post("/api/preferences", json={"choice": "quiet_from", "value": "22:17"})
    assert (wrong.status_code, "there are off, 00:00, 00:30" in wrong.text) == (400, True)


def test_without_an_alert_the_hours_are_by_the_clock_of_the_tables(
    console: Console, signed_in: Callable[[str], Browser]
) -> None:
    hale = signed_in("hale")
    hale.post("/api/preferences", json={"choice": "quiet_from", "value": "22:00"})
    assert "to 06:00 (UTC)." in hale.get("/api/quiet").json()["said"], "nothing is known of any table"
