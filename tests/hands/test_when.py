"""Times as people write them, at the property's clock."""

import datetime as dt
from contextlib import suppress
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.hands.when import NoTime, asked_time

HERE = ZoneInfo("America/New_York")
NEWEST = dt.datetime(2026, 11, 21, 3, 0, tzinfo=dt.UTC)  # 22:00 on 20 November here


def utc(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text)


@pytest.mark.parametrize(
    ("text", "moment", "seconds"),
    [
        ("21:14", "2026-11-21T02:14:00Z", 60),
        ("21:14:03", "2026-11-21T02:14:03Z", 1),
        ("21.14", "2026-11-21T02:14:00Z", 60),
        ("9:14 pm", "2026-11-21T02:14:00Z", 60),
        ("9:14PM", "2026-11-21T02:14:00Z", 60),
        ("12:05 am", "2026-11-20T05:05:00Z", 60),
        ("22:30", "2026-11-20T03:30:00Z", 60),
        ("yesterday 21:14", "2026-11-20T02:14:00Z", 60),
        ("today 21:14", "2026-11-21T02:14:00Z", 60),
        ("20 Nov 21:14:03", "2026-11-21T02:14:03Z", 1),
        ("20 november 21:14", "2026-11-21T02:14:00Z", 60),
        ("Nov 20, 21:14", "2026-11-21T02:14:00Z", 60),
        ("21:14 20 Nov", "2026-11-21T02:14:00Z", 60),
        ("24 Dec 21:14", "2025-12-25T02:14:00Z", 60),
        ("29 Feb 10:00", "2024-02-29T15:00:00Z", 60),
        ("1st June 2015 10:03:43", "2015-06-01T14:03:43Z", 1),
        ("2026-11-20 21:14", "2026-11-21T02:14:00Z", 60),
        ("2026-11-20T21:14:03", "2026-11-21T02:14:03Z", 1),
        ("2026-11-21T02:14:03Z", "2026-11-21T02:14:03Z", 1),
        ("2026-11-21T02:14:03.250000Z", "2026-11-21T02:14:03.25Z", 1),
        ("2026-11-20 18:14:03-08:00", "2026-11-21T02:14:03Z", 1),
        ("  20  Nov   21:14 ", "2026-11-21T02:14:00Z", 60),
    ],
)
def test_a_time_is_understood_as_it_is_written(text: str, moment: str, seconds: int) -> None:
    asked = asked_time(text, HERE, NEWEST)
    assert asked.starts == (utc(moment),)
    assert asked.lasts == dt.timedelta(seconds=seconds)


def test_a_time_that_the_clock_showed_twice_is_two_moments() -> None:
    asked = asked_time("1 Nov 01:30", HERE, NEWEST)
    assert asked.starts == (utc("2026-11-01T05:30:00Z"), utc("2026-11-01T06:30:00Z"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no time in it"),
        ("tonight", "no time in it"),
        ("20 Nov", "no time in it"),
        ("25:00", "no time of a day"),
        ("21:14:99", "no time of a day"),
        ("13:00 pm", "no hour"),
        ("31 Feb 2026 10:00", "no day 31"),
        ("20 Foo 21:14", "no month"),
        ("20/11 21:14", "is no day"),
        ("8 Mar 2026 02:30", "put forward"),
        ("2026-11-20 21:14+99:00", "no such offset"),
    ],
)
def test_what_is_no_time_is_refused_with_what_is_missing(text: str, why: str) -> None:
    with pytest.raises(NoTime, match=why):
        asked_time(text, HERE, NEWEST)


@given(st.integers(0, 12 * 365 * 86_400), st.sampled_from([HERE, dt.UTC]))
def test_whatever_the_console_writes_it_reads(seconds: int, zone: dt.tzinfo) -> None:
    local = (NEWEST - dt.timedelta(seconds=seconds)).astimezone(zone)
    for form in ("%-d %b %Y %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%b %-d, %Y %I:%M:%S %p"):
        assert local.astimezone(dt.UTC) in asked_time(f"{local:{form}}", zone, NEWEST).starts


@given(st.text(max_size=40))
def test_any_other_text_is_refused_or_understood_but_never_an_error(text: str) -> None:
    with suppress(NoTime):
        assert asked_time(text, HERE, NEWEST).starts
