"""A time that is counted back, at a table that is closed by then: it is said, and the other time is only offered."""

from __future__ import annotations

import datetime as dt
import html
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from dashboards.web.console import Console
from processors.runtime.store.warehouse import Warehouse
from tests.console.conftest import Browser
from tests.console.hands_building import SignedIn
from tests.console.test_likely_hands import text_of
from tests.drawing.streams import Event, chained, changed
from tests.hands.stored import floor, renamed

LATER = dt.timedelta(hours=1)
CLOSED = "FB-12 closed at 2 Mar 2026 10:14:36 EST."
TOLD = "fb12 2 min ago 12 vs 22 won 100 seat 6"


def closed(stream: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """The record with the closing of its table, half a minute after its last event."""
    events = [json.loads(line) for line in stream]
    last = events[-1]
    at = dt.datetime.fromisoformat(last["time"]) + dt.timedelta(seconds=30)
    made = {"id": f"{last['id']}-closed", "type": "catwalk.v1.table_closed", "data": {}}
    return chained([*events, {**last, **made, "time": f"{at:%Y-%m-%dT%H:%M:%S.%fZ}"}])


def later(stream: tuple[bytes, ...]) -> tuple[bytes, ...]:
    def moved(event: Event) -> None:
        at = dt.datetime.fromisoformat(event["time"]) + LATER
        event["time"] = f"{at:%Y-%m-%dT%H:%M:%S.%fZ}"

    return changed(stream, moved)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    streams = {
        "FB-12": closed(renamed("breach_dealer22_paid", "FB-12")),
        "BJ-12": later(renamed("breach_overpay", "BJ-12")),
        "FB-13": closed(later(later(renamed("breach_dealer22_paid", "FB-13")))),  # the newest on record
    }
    with floor(tmp_path_factory.mktemp("closed"), streams) as held:
        yield held


@pytest.fixture
def console(console: Console, store: Warehouse) -> Console:
    return replace(console, records=store)


def offered(browser: Browser, words: str) -> str:
    """The address that is offered beside what is said of the closed table."""
    page = browser.get("/hands", params={"q": words})
    assert urlsplit(str(page.url)).path == "/hands", "no hand is opened by a time that has to be spoken of"
    said = text_of(page.text)
    assert CLOSED in said
    assert "was counted back from 2 Mar 2026 12:14:06 EST, the newest time on record." in said
    assert "Count back from the last event of FB-12 : 2 Mar 2026 10:" in said
    link = re.search(r'href="([^"]+)">Count back from the last event', page.text)
    assert link is not None
    return html.unescape(link[1])


@pytest.mark.parametrize("words", [TOLD, "fb12 2 min ago", "fb12 2 min ago lost", "fb12 last 5 min breached"])
def test_a_time_counted_back_says_that_the_table_is_closed_and_looks_elsewhere_only_by_choice(
    signed_in: SignedIn, words: str
) -> None:
    hale = signed_in("hale")
    link = offered(hale, words)
    asked = {name: given[0] for name, given in parse_qs(urlsplit(link).query).items()}
    assert asked["said"] == words
    found = hale.get(link)
    assert CLOSED not in text_of(found.text)
    looked = hale.get("/api/hands", params={name: value for name, value in asked.items() if name != "said"})
    hands = looked.json()["hands"] or looked.json()["like"]["hands"]
    assert {one["subject"] for one in hands} == {"FB-12"}
    assert looked.json()["closed"] is None
    again = hale.get("/api/hands", params={"q": words}).json()
    assert again["closed"]["asked"] == asked["time"]
    assert not any(one["subject"] == "FB-12" and not one["near"] for one in again["hands"])


def test_by_the_offered_time_the_told_hand_opens_at_once_and_its_line_means_the_same_again(
    signed_in: SignedIn,
) -> None:
    hale = signed_in("hale")
    found = hale.get(offered(hale, TOLD))
    assert urlsplit(str(found.url)).path == "/hands/FB-12/12"
    back = re.search(r'id="like-it" href="([^"]+)"', found.text)
    assert back is not None
    listed = hale.get(html.unescape(back[1]))
    line = re.search(r'id="q" name="q" value="([^"]*)"', listed.text)
    assert line is not None
    again = hale.get("/hands", params={"q": html.unescape(line[1])})
    assert urlsplit(str(again.url)).path == "/hands/FB-12/12", html.unescape(line[1])


@pytest.mark.parametrize(
    "words", ["fb12 last 2 days", "fb12 2 days ago", "fb12 last 7 days", "fb12 last 5 min"]
)
def test_the_offered_time_is_the_one_that_it_says_however_long_it_is(signed_in: SignedIn, words: str) -> None:
    hale = signed_in("hale")
    page = hale.get("/hands", params={"q": words}).text
    offer = re.search(r'href="([^"]+)">Count back from the last event of FB-12</a>: ([^<]+)[.]</p>', page)
    assert offer is not None
    found = hale.get(f"{html.unescape(offer[1])}&list=1")
    assert f"The time was understood as {offer[2]}." in found.text


def test_a_time_that_no_range_can_mean_is_not_offered(signed_in: SignedIn) -> None:
    page = signed_in("hale").get("/hands", params={"q": "fb12 last 10 days"}).text
    assert CLOSED in text_of(page)
    assert "Count back from" not in page


@pytest.mark.parametrize("words", ["fb12 around 10:10", "bj12 2 min ago", "fb12 2 Mar 10:00-10:10 won"])
def test_an_open_table_and_a_time_of_the_clock_are_as_they_were(signed_in: SignedIn, words: str) -> None:
    page = signed_in("hale").get("/hands", params={"q": words})
    assert "closed at" not in text_of(page.text)


def test_where_the_closed_table_has_the_newest_event_itself_that_is_said(signed_in: SignedIn) -> None:
    page = signed_in("hale").get("/hands", params={"q": TOLD.replace("fb12", "fb13")})
    said = text_of(page.text)
    assert urlsplit(str(page.url)).path == "/hands"
    closing = "2 Mar 2026 12:14:36 EST"
    assert (
        f"FB-13 closed at {closing}. The time “2 min ago” was counted back from {closing}, the newest" in said
    )
    assert "Count back from" not in said
    assert "1 hand fits all that was told" in said
