"""Times that people tell roughly: `around 11`, `since 10`, `now`."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from dashboards.filters.when import asked_time

HOME = ZoneInfo("America/New_York")
NOW = dt.datetime(2026, 3, 2, 11, 21, 37, tzinfo=HOME)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("around 11", "2 10:45:00", "2 11:16:00"),
        ("about 11:05", "2 11:00:00", "2 11:11:00"),
        ("around 11:25", "2 11:20:00", "2 11:31:00"),
        ("around 11:30", "1 11:25:00", "1 11:36:00"),
        ("around 9", "2 08:45:00", "2 09:16:00"),
        ("around 12", "2 11:45:00", "2 12:16:00"),
        ("around 11:05 on 1 Mar", "1 11:00:00", "1 11:11:00"),
        ("around 11 pm yesterday", "1 22:45:00", "1 23:16:00"),
        ("since 10", "2 10:00:00", "2 11:21:37"),
        ("since 10:30", "2 10:30:00", "2 11:21:37"),
        ("now", "2 11:19:37", "2 11:21:37"),
        ("just now", "2 11:19:37", "2 11:21:37"),
        ("half hour ago", "2 10:41:37", "2 11:01:37"),
        ("quarter of an hour ago", "2 11:01:37", "2 11:11:37"),
        ("a couple of minutes ago", "2 11:18:37", "2 11:20:37"),
    ],
)
def test_a_rough_time_reaches_to_both_sides(text: str, start: str, end: str) -> None:
    now = NOW if text != "around 12" else NOW.replace(minute=50)
    ((begins, ends),) = asked_time(text, HOME, now.astimezone(dt.UTC)).spans
    assert f"{begins.astimezone(HOME):%-d %H:%M:%S}" == start
    assert f"{ends.astimezone(HOME):%-d %H:%M:%S}" == end
