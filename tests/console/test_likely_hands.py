"""Hands that fit what was told: one that fits all is opened, others are ordered and marked, and nothing says why."""

from __future__ import annotations

import html
import re
from urllib.parse import parse_qs, urlsplit

import pytest

from dashboards.hands.told import told_of, words_of
from dashboards.ledger.acts import Withheld
from dashboards.web.console import Console
from tests.console.hands_building import SignedIn, console, store

__all__ = ["console", "store"]

TOLD = "bj-12 around 10:06 20 vs 26 won 25 seat 3"


def text_of(page: str) -> str:
    """What a page says, without its tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def test_one_line_opens_the_hand_that_alone_fits_all_and_leads_back_to_the_others(
    signed_in: SignedIn,
) -> None:
    hale = signed_in("hale")
    page = hale.get("/hands", params={"q": TOLD})
    place = urlsplit(str(page.url))
    assert place.path == "/hands/BJ-12/3"
    assert parse_qs(place.query)["seat"] == ["3"]
    back = re.search(r'id="like-it" href="([^"]+)"', page.text)
    assert back is not None
    listed = hale.get(html.unescape(back[1]))
    assert urlsplit(str(listed.url)).path == "/hands"
    said = text_of(listed.text)
    assert "1 hand fits all that was told" in said
    assert "Fits all 6 things told 1 hand" in said
    assert "Fits 5 of 6; what differs is marked" in said
    assert "Now at BJ-12: 2 Mar 2026 10:14:07 EST" in said
    line = re.search(r'id="q" name="q" value="([^"]*)"', listed.text)
    assert line is not None
    assert html.unescape(line[1]) == TOLD


def test_a_memory_that_is_wrong_in_one_thing_finds_the_hand_and_names_what_differs(
    signed_in: SignedIn,
) -> None:
    hale = signed_in("hale")
    page = hale.get("/hands", params={"q": TOLD.replace("won 25", "won 77")})
    said = text_of(page.text)
    assert "No hand fits all 6 things told" in said
    assert "no hand has the stake 77" in said
    assert "Without the stake 77 1 hand fits." in said
    first = hale.get("/api/hands", params={"q": TOLD.replace("won 25", "won 77")}).json()["like"]
    assert (first["exact"], first["never"], first["without"]) == (0, ["stake"], {"stake": 1})
    best = first["hands"][0]
    assert (best["subject"], best["round"], best["seat"], best["differs"]) == ("BJ-12", 3, 3, ["stake"])
    assert (best["own"]["total"], best["dealt"]["total"], best["staked"]) == (20, 26, "25.00")
    assert (best["outcome"], best["moved"], best["due"]) == ("won", "+25.00", "+25.00")
    fits = [one["fits"] for one in first["hands"]]
    assert fits == sorted(fits, reverse=True)
    row = next(
        row for row in page.text.split("<tr data-line>") if "/hands/BJ-12/3?" in row and "seat=3" in row
    )
    assert re.findall(r'class="differs" title="([^"]+)"', row) == ["told: 77"]
    without = re.search(r'href="([^"]+)">Without the stake 77', page.text)
    assert without is not None
    assert urlsplit(str(hale.get(html.unescape(without[1])).url)).path == "/hands/BJ-12/3"


def test_a_time_at_which_nobody_played_says_so(signed_in: SignedIn) -> None:
    said = text_of(signed_in("hale").get("/hands", params={"q": "bj-12 around 03:00 20 vs 26 lost"}).text)
    assert "No hand fits all 4 things told" in said
    assert "Nobody staked at BJ-12 from 2 Mar 2026 02:45" in said


def test_who_sees_no_cards_gets_money_alone_and_what_is_withheld_is_not_listed(
    signed_in: SignedIn, console: Console
) -> None:
    rex, fay = signed_in("rex"), signed_in("fay")
    words = "bj-12 10:00-10:10 seat 3 lost 25"
    page, told = rex.get("/hands", params={"q": words}), rex.get("/api/hands", params={"q": words}).json()
    assert told["like"]["hands"]
    assert all(
        not one["own"]["cards"] and not one["due"] and not one["dealt"]["cards"]
        for one in told["like"]["hands"]
    )
    assert not any(suit in page.text for suit in "♠♣♦♥")
    assert "Dealer’s hand" not in page.text
    everywhere = "10:00-10:10 seat 3 lost 25"
    seen = fay.get("/api/hands", params={"q": everywhere}).json()["like"]["hands"]
    assert {"BJ-12", "BJ-19"} <= {one["subject"] for one in seen}
    console.desk.note(Withheld(user="fay", kind="table", value="BJ-19"), "ann")
    console.desk.note(Withheld(user="fay", kind="dealer", value="D-301"), "ann")
    left = fay.get("/api/hands", params={"q": everywhere}).json()["like"]["hands"]
    assert not {"BJ-19"} & {one["subject"] for one in left}
    assert "D-301" not in {one["dealer"] for one in left}


@pytest.mark.parametrize(
    "words",
    [
        TOLD,
        "bj-12 15 min ago 20 vs 22 lost 25",
        "BJ-12 seat 6 around 11 yesterday 20 against 22",
        "bj-12 2 Mar 10:04-10:10 lost $200 critical player:P-0098 dealer:D-411",
        "10:04:21 against:22 stake:100-500 672a.7(o) breached",
        "round 3 shoe 2 bj-12 2026-03-02",
        "now total:19 result:bust findings:any",
    ],
)
def test_the_line_made_of_the_fields_is_read_as_these_fields(words: str) -> None:
    tables, dealers = ("BJ-12",), lambda: ("D-411",)
    terms = told_of(words, tables, dealers).terms
    again = told_of(words_of(terms), tables, dealers)
    assert not again.unread
    assert again.terms == terms
