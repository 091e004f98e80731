"""Times as people write them, at the property's clock."""

import datetime as dt
from contextlib import suppress
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.filters.when import NoTime, asked_time

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
    start, end = asked.spans[0]
    assert end - start == dt.timedelta(seconds=seconds)


def test_a_time_that_the_clock_showed_twice_is_two_moments() -> None:
    asked = asked_time("1 Nov 01:30", HERE, NEWEST)
    assert asked.starts == (utc("2026-11-01T05:30:00Z"), utc("2026-11-01T06:30:00Z"))


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("11:00-11:15", "2026-11-20T16:00:00Z", "2026-11-20T16:16:00Z"),
        ("11:00 - 11:15", "2026-11-20T16:00:00Z", "2026-11-20T16:16:00Z"),
        ("11:00–11:15", "2026-11-20T16:00:00Z", "2026-11-20T16:16:00Z"),
        ("11:00 to 11:15", "2026-11-20T16:00:00Z", "2026-11-20T16:16:00Z"),
        ("from 11:00 until 11:15", "2026-11-20T16:00:00Z", "2026-11-20T16:16:00Z"),
        ("11:00:10-11:15:20", "2026-11-20T16:00:10Z", "2026-11-20T16:15:21Z"),
        ("11:00-11:00", "2026-11-20T16:00:00Z", "2026-11-20T16:01:00Z"),
        ("21:50-22:30", "2026-11-21T02:50:00Z", "2026-11-21T03:31:00Z"),  # today's: it has begun
        ("22:10-22:30", "2026-11-20T03:10:00Z", "2026-11-20T03:31:00Z"),  # yesterday's: today's has not
        ("23:50-0:10", "2026-11-20T04:50:00Z", "2026-11-20T05:11:00Z"),
        ("yesterday 23:50-0:10", "2026-11-20T04:50:00Z", "2026-11-20T05:11:00Z"),
        ("yesterday 23:50 to today 0:10", "2026-11-20T04:50:00Z", "2026-11-20T05:11:00Z"),
        ("20 Nov 23:50 to 21 Nov 0:10", "2026-11-21T04:50:00Z", "2026-11-21T05:11:00Z"),
        ("31 Dec 23:50 to 1 Jan 0:10", "2026-01-01T04:50:00Z", "2026-01-01T05:11:00Z"),
        ("2026-11-18 11:00-11:15", "2026-11-18T16:00:00Z", "2026-11-18T16:16:00Z"),
        ("11:00-11:15 18 Nov", "2026-11-18T16:00:00Z", "2026-11-18T16:16:00Z"),
        ("2026-11-18 11:00:00-11:15", "2026-11-18T16:00:00Z", "2026-11-18T16:16:00Z"),
        ("2026-11-18T11:00-11:15", "2026-11-18T16:00:00Z", "2026-11-18T16:16:00Z"),
        ("2026-11-18 11:00-12:00", "2026-11-18T16:00:00Z", "2026-11-18T17:01:00Z"),
        ("2026-11-18 18:00-08:00", "2026-11-18T23:00:00Z", "2026-11-19T13:01:00Z"),
        ("11:00-11:15 UTC", "2026-11-20T11:00:00Z", "2026-11-20T11:16:00Z"),
        ("11:00-11:15 am", "2026-11-20T16:00:00Z", "2026-11-20T16:16:00Z"),
        ("9:00-9:15 pm", "2026-11-21T02:00:00Z", "2026-11-21T02:16:00Z"),
        ("11:00 am-1:15 pm", "2026-11-20T16:00:00Z", "2026-11-20T18:16:00Z"),
        ("11:00-1:15 pm", "2026-11-20T16:00:00Z", "2026-11-20T18:16:00Z"),
        ("yesterday 11:50 pm-12:10", "2026-11-20T04:50:00Z", "2026-11-20T05:11:00Z"),
        ("8 Mar 01:30-03:30", "2026-03-08T06:30:00Z", "2026-03-08T07:31:00Z"),  # put forward at 02:00
        ("8 Mar 02:30-03:30", "2026-03-08T07:00:00Z", "2026-03-08T07:31:00Z"),
        ("8 Mar 01:30-02:30", "2026-03-08T06:30:00Z", "2026-03-08T07:00:00Z"),
        ("1 Nov 00:30-02:30", "2026-11-01T04:30:00Z", "2026-11-01T07:31:00Z"),  # put back at 02:00
    ],
)
def test_a_range_is_that_range_of_the_day_that_is_meant(text: str, start: str, end: str) -> None:
    asked = asked_time(text, HERE, NEWEST)
    assert asked.spans == ((utc(start), utc(end)),)
    assert asked.is_range


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("1 Nov 01:30-01:45", [("05:30", "05:46"), ("06:30", "06:46")]),
        ("1 Nov 00:30-01:30", [("04:30", "05:31"), ("06:00", "06:31")]),
        ("1 Nov 01:30-02:30", [("05:30", "06:00"), ("06:30", "07:31")]),
    ],
)
def test_a_range_that_the_clock_showed_twice_is_every_moment_of_it(
    text: str, spans: list[tuple[str, str]]
) -> None:
    asked = asked_time(text, HERE, NEWEST)
    assert asked.spans == tuple(
        (utc(f"2026-11-01T{begin}:00Z"), utc(f"2026-11-01T{end}:00Z")) for begin, end in spans
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("11:00-11:15", "20 Nov 2026 11:00:00 to 11:15:59, America/New_York (EST)"),
        ("yesterday 23:50-0:10", "19 Nov 2026 23:50:00 to 20 Nov 2026 00:10:59, America/New_York (EST)"),
        ("21:14", "20 Nov 2026 21:14:00 to 21:14:59, America/New_York (EST)"),
        ("2026-11-21T02:14:03Z", "20 Nov 2026 21:14:03, America/New_York (EST)"),
        ("1 Nov 01:30", "1 Nov 2026 01:30:00 to 01:30:59, America/New_York (EDT) and again 1 Nov 2026 01:30:00 to"
         " 01:30:59, America/New_York (EST)"),
    ],
)  # fmt: skip
def test_what_was_understood_is_told_with_its_date_and_zone(text: str, said: str) -> None:
    assert asked_time(text, HERE, NEWEST).in_words(HERE) == said


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
        ("20 Novelty 21:14", "novelty is no month"),
        ("20/11 21:14", "is no day"),
        ("8 Mar 2026 02:30", "put forward"),
        ("2026-11-20 21:14+99:00", "no such offset"),
        ("8 Mar 2026 02:10-02:40", "put forward"),
        ("11-11:15", "'11-' is no day"),
        ("11:00-25:15", "no time of a day"),
        ("11:00, 11:15", "joins no two times"),
        ("11:00-11:15-11:30", "more than two times"),
        ("20 Nov 11:00 to 19 Nov 11:00", "ends before it begins"),
        ("2026-11-01 11:00 to 2026-11-20 11:00", "at most 7 days"),
        ("2026-11-20 10:00:00-11:00", "may be the end of a range or an offset"),
        ("21:14 seat 33", "'seat 33' is no day"),
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


@given(st.integers(0, 3 * 365 * 1440), st.integers(0, 1439), st.sampled_from([HERE, dt.UTC]))
def test_a_range_is_all_moments_at_which_the_clock_showed_a_time_of_it(
    back: int, minutes: int, zone: dt.tzinfo
) -> None:
    start = (NEWEST - dt.timedelta(minutes=back)).astimezone(zone).replace(tzinfo=None)
    end = start + dt.timedelta(minutes=minutes)
    try:
        spans = asked_time(f"{start:%Y-%m-%d %H:%M}-{end:%H:%M}", zone, NEWEST).spans
    except NoTime:
        spans = ()
    first = start.replace(tzinfo=zone).astimezone(dt.UTC) - dt.timedelta(hours=3)
    for step in range(0, minutes + 6 * 60, 7):
        moment = first + dt.timedelta(minutes=step)
        shown = moment.astimezone(zone).replace(tzinfo=None)
        inside = start <= shown < end + dt.timedelta(minutes=1)
        assert any(begin <= moment < finish for begin, finish in spans) == inside, moment


@given(st.text(max_size=40))
def test_any_other_text_is_refused_or_understood_but_never_an_error(text: str) -> None:
    with suppress(NoTime):
        assert asked_time(text, HERE, NEWEST).starts
