"""Times that are counted back from now, and sums of money, as people write them."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from dashboards.filters.money import MOST, NoSum, cents_between
from dashboards.filters.when import NoTime, asked_time

EASTERN = ZoneInfo("America/New_York")
NOW = dt.datetime(2026, 11, 1, 6, 20, tzinfo=dt.UTC)  # 01:20 for the second time, in the night of the change


def back(text: str) -> tuple[float, float]:
    """From how many minutes ago to how many."""
    ((start, end),) = asked_time(text, EASTERN, NOW).spans
    return (NOW - start) / dt.timedelta(minutes=1), (NOW - end) / dt.timedelta(minutes=1)


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("15 min ago", 20, 10),
        ("about 15 minutes ago", 20, 10),
        ("a quarter of an hour ago", 20, 10),
        ("half an hour ago", 40, 20),
        ("an hour ago", 80, 40),
        ("2 hours ago", 160, 80),
        ("one minute ago", 2, 0),
        ("10 to 20 min ago", 20, 9),
        ("10-20m ago", 20, 9),
        ("the last 15 minutes", 15, 0),
        ("in the last half an hour", 30, 0),
        ("past hour", 60, 0),
        ("since 1h", 60, 0),
        ("since 30 min", 30, 0),
        ("since a quarter of an hour", 15, 0),
        ("since 00:50", 90, 0),
    ],
)
def test_a_time_ago_counts_back_through_a_change_of_clocks(text: str, since: float, until: float) -> None:
    told = back(text)
    assert told[0] == pytest.approx(since)
    assert told[1] == pytest.approx(until, abs=1e-6)


def test_a_range_of_a_day_may_name_utc() -> None:
    ((start, end),) = asked_time("2026-10-30 22:29-22:44 UTC", EASTERN, NOW).spans
    assert start == dt.datetime(2026, 10, 30, 22, 29, tzinfo=dt.UTC)
    assert end == dt.datetime(2026, 10, 30, 22, 45, tzinfo=dt.UTC)


def test_what_was_understood_names_both_offsets_of_that_night() -> None:
    told = asked_time("half an hour ago", EASTERN, NOW).in_words(EASTERN)
    assert told == "1 Nov 2026 01:40:00 to 01:59:59, America/New_York (EDT)"


@pytest.mark.parametrize(
    "text", ["90 days ago", "ago", "some time ago", "15 parsecs ago", "since soon", "since 90 days"]
)
def test_what_is_no_such_time_says_what_to_write(text: str) -> None:
    with pytest.raises(NoTime, match=r"write"):
        asked_time(text, EASTERN, NOW)


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("25", (2500, 2500)),
        ("$25.50", (2550, 2550)),
        ("1,000", (100_000, 100_000)),
        ("$100-$500", (10_000, 50_000)),
        ("100 to 500", (10_000, 50_000)),
        ("over 100", (10_001, MOST)),
        (">= 100", (10_000, MOST)),
        ("100+", (10_000, MOST)),
        ("under $50", (0, 4_999)),
        ("up to 50", (0, 5_000)),
        ("25 dollars", (2500, 2500)),
    ],
)
def test_a_sum_is_exact_and_a_range_has_both_its_ends(text: str, cents: tuple[int, int]) -> None:
    assert cents_between(text) == cents


@pytest.mark.parametrize("text", ["500-100", "lots", "", "25.123", "-25", "1,00"])
def test_what_is_no_sum_says_how_one_is_written(text: str) -> None:
    with pytest.raises(NoSum, match=r"write it as 25, \$25\.00, 100-500"):
        cents_between(text)
