"""Lines of alerts in the order of each person, and of a range of time; event time by one named clock."""

import datetime as dt
import re
from collections.abc import Callable

import pytest

from dashboards.web.console import Console
from dashboards.web.play import DemoPlay
from tests.console.conftest import Browser, Clock
from tests.console.desk_building import a_finding, a_raise

SignedIn = Callable[[str], Browser]


@pytest.fixture
def night(console: Console, clock: Clock) -> None:
    for number, (table, severity, cents) in enumerate(
        [("BJ-3", "minor", 0), ("BJ-1", "critical", 500), ("BJ-2", "major", -90_000)], 1
    ):
        found = a_finding(number, subject=table, severity=severity, money_cents=cents)  # type: ignore[arg-type]
        console.desk.raise_alerts([a_raise(found, f"D{9 - number}", clock())])
        clock.forward(1200)


def cells(page: str, column: str) -> list[str]:
    """What stands in a column, line by line."""
    found: list[str] = re.findall(rf'<td class="c-{column}[^"]*"[^>]*>([^<]*)</td>', page)
    return found


def shown(browser: Browser, address: str = "/") -> list[str]:
    return re.findall(r'<td class="c-table"[^>]*>([^<]+)</td>', browser.get(address).text)


@pytest.mark.usefixtures("night")
@pytest.mark.parametrize(
    ("order", "tables"),
    [
        ("severity", ["BJ-1", "BJ-2", "BJ-3"]),
        ("newest", ["BJ-2", "BJ-1", "BJ-3"]),
        ("oldest", ["BJ-3", "BJ-1", "BJ-2"]),
        ("money", ["BJ-2", "BJ-1", "BJ-3"]),
        ("table", ["BJ-1", "BJ-2", "BJ-3"]),
        ("dealer", ["BJ-2", "BJ-1", "BJ-3"]),
    ],
)
def test_an_order_is_asked_for_once_or_chosen_for_good(
    signed_in: SignedIn, order: str, tables: list[str]
) -> None:
    hale = signed_in("hale")
    assert shown(hale, f"/?order={order}") == tables
    assert shown(hale) == ["BJ-1", "BJ-2", "BJ-3"]
    chosen = hale.post("/api/preferences", json={"choice": "queue_order", "value": order})
    assert chosen.status_code == 204
    assert shown(hale) == shown(signed_in("hale")) == tables
    assert shown(signed_in("ito")) == ["BJ-1", "BJ-2", "BJ-3"]


def test_of_one_severity_stands_first_what_waits_longest_by_its_event(
    signed_in: SignedIn, console: Console, clock: Clock
) -> None:
    began = clock()
    clock.forward(3600)
    for number, (table, event) in enumerate([("BJ-1", 50), ("BJ-2", 10), ("BJ-3", 30)], 1):
        at = began + dt.timedelta(minutes=event)
        console.desk.raise_alerts([a_raise(a_finding(number, subject=table), "D1", at)])
        clock.forward(60)
    hale = signed_in("hale")
    assert shown(hale) == ["BJ-2", "BJ-3", "BJ-1"]
    groups = hale.get("/api/alerts").json()["groups"]
    assert [one["table"] for one in groups] == ["BJ-2", "BJ-3", "BJ-1"]


def test_a_choice_that_there_is_not_is_named_with_those_there_are(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    answer = hale.post("/api/preferences", json={"choice": "queue_order", "value": "luck"})
    assert answer.status_code == 400
    assert "there are severity, newest, oldest, money, table, dealer" in answer.json()["detail"]
    answer = hale.post("/api/preferences", json={"choice": "colour", "value": "red"})
    assert "there are queue_order, queue_sound, queue_notices" in answer.json()["detail"]


@pytest.mark.usefixtures("night")
def test_a_range_is_of_when_alerts_were_raised_and_a_wrong_one_is_said(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    assert shown(hale, "/?since=60&order=newest") == ["BJ-2", "BJ-1", "BJ-3"]
    assert shown(hale, "/?since=15") == []
    assert "No alert fits the filter" in hale.get("/?since=15").text
    wrong = hale.get("/?since=7").text
    assert "“7” is no range in minutes: there are 15, 60, 480, 1440; alerts of any time are shown" in wrong


@pytest.mark.usefixtures("night")
def test_law_5_a_list_names_its_one_clock_and_has_event_time_and_age(signed_in: SignedIn) -> None:
    page = signed_in("hale").get("/").text
    assert re.findall(r"<a [^>]*>(Time[^<]*)</a>", page) == ["Time, UTC"]
    assert cells(page, "event") == ["20:20:00", "20:40:00", "20:00:00"]
    assert cells(page, "age") == ["40:00", "20:00", "1 h 00"]


@pytest.mark.usefixtures("night")
def test_an_event_of_another_day_has_its_date(signed_in: SignedIn, clock: Clock) -> None:
    clock.forward(4 * 3600)
    page = signed_in("hale").get("/").text
    assert cells(page, "event") == ["20 Nov 20:20", "20 Nov 20:40", "20 Nov 20:00"]


def test_law_2_money_and_oldest_event_stand_on_a_line_and_are_found_by_its_order(
    signed_in: SignedIn, console: Console, clock: Clock
) -> None:
    """Law 2: no money, age or severity is hidden by a group."""
    for number, cents, waits in ((1, 90_000, 7200), (2, -500, 60), (3, 100, 30)):
        found = a_finding(number, money_cents=cents)
        console.desk.raise_alerts([a_raise(found, at=clock() - dt.timedelta(seconds=waits))])
        clock.forward(1)
    other = a_finding(4, subject="BJ-7", money_cents=50_000)
    console.desk.raise_alerts([a_raise(other, at=clock() - dt.timedelta(hours=1))])
    hale = signed_in("hale")
    page = hale.get("/?order=oldest").text
    assert cells(page, "age") == ["2 h 00", "1 h 00"]
    assert cells(page, "owed") == ["owed up to 900.00, overpaid up to 5.00", "owed 500.00"]
    for order in ("oldest", "money"):
        assert shown(hale, f"/?order={order}")[0] == "BJ-12", order
    assert shown(hale, "/?order=newest")[0] == "BJ-12"


@pytest.mark.usefixtures("night")
def test_where_play_is_simulated_age_counts_by_the_clock_of_the_tables(
    signed_in: SignedIn, console: Console, clock: Clock
) -> None:
    at = clock() + dt.timedelta(hours=2)
    object.__setattr__(console, "play", DemoPlay(60.0, dt.UTC, lambda: at))
    page = signed_in("hale").get("/").text
    assert cells(page, "age") == ["2 h 40", "2 h 20", "3 h 00"]
    assert (
        'data-play-at="2026-11-20T23:00:00Z" data-play-since="2026-11-20T21:00:00Z" data-play-speed="60.0"'
        in page
    )
