"""What was told of a hand goes along to the dispute about it: its words, the claimed amount, and its history."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from dashboards.ledger.dispute_acts import DisputeOpened
from dashboards.web.console import Console
from processors.runtime.store.warehouse import Warehouse
from tests.console.conftest import Browser
from tests.console.disputing import FIRST, ROUND, fields_of, kept, open_one, with_records
from tests.console.hands_building import SignedIn
from tests.console.test_likely_hands import text_of
from tests.hands.stored import floor, renamed

WORDS = "fb12 around 10:14 12 vs 22 won 100 seat 6"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with floor(tmp_path_factory.mktemp("hands"), {"FB-12": renamed("breach_dealer22_paid", "FB-12")}) as held:
        yield held


@pytest.fixture
def console(console: Console, store: Warehouse) -> Console:
    return replace(with_records(console), records=store)


def opening(browser: Browser, page: str) -> str:
    """The form for a new dispute to which a hand's page leads."""
    link = re.search(r'id="open-dispute" href="([^"]+)"', page)
    assert link is not None
    return browser.get(html.unescape(link[1])).text


def test_words_and_stake_of_a_told_hand_stand_in_the_form_and_for_ever_in_the_history(
    signed_in: SignedIn, console: Console
) -> None:
    hale = signed_in("hale")
    hand = hale.get("/hands", params={"q": WORDS})
    assert urlsplit(str(hand.url)).path == f"/hands/FB-12/{ROUND}"
    form = opening(hale, hand.text)
    fields = {name: html.unescape(value) for name, value in fields_of(form, "/disputes").items()}
    assert (fields["claim"], fields["claimed"], fields["seat"]) == (WORDS, "100.00", "6")
    assert "The stake as told; the record owes nothing." in text_of(form)
    assert fields["found_by"].startswith(f"“{WORDS}”; the time meant 2 Mar 2026 10:")
    changed = fields | {"claim": "I had 12.", "requested_by": ""}
    again = hale.post("/disputes", data=changed).text
    assert "Requested by: say who asked" in again
    typed = {name: html.unescape(value) for name, value in fields_of(again, "/disputes").items()}
    assert (typed["claim"], typed["found_by"]) == ("I had 12.", fields["found_by"])
    hale.post("/disputes", data=typed | {"requested_by": "fay"})
    (dispute,) = console.desk.disputes()
    act = dispute.history[0].act
    assert isinstance(act, DisputeOpened)
    assert (dispute.claim, act.found_by, dispute.seat) == ("I had 12.", fields["found_by"], 6)
    assert dispute.claimed_cents == 10_000
    assert f"The hand was found by {fields['found_by']}." in text_of(hale.get("/disputes/DIS-0001").text)


def test_a_list_of_told_hands_and_a_narrower_search_take_the_words_along(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    wrong = WORDS.replace("won 100", "won 77")
    listed = hale.get("/hands", params={"q": wrong})
    row = re.search(rf'href="(/hands/FB-12/{ROUND}\?[^"]+)"', listed.text)
    assert row is not None
    fields = fields_of(opening(hale, hale.get(html.unescape(row[1])).text), "/disputes")
    assert (html.unescape(fields["claim"]), fields["claimed"]) == (wrong, "77.00")
    without = re.search(r'href="([^"]+)">Without the stake 77', listed.text)
    assert without is not None
    hand = hale.get(html.unescape(without[1]))
    assert urlsplit(str(hand.url)).path == f"/hands/FB-12/{ROUND}"
    fields = fields_of(opening(hale, hand.text), "/disputes")
    assert html.unescape(fields["claim"]) == wrong, "what was said stays what was said"
    assert fields["claimed"] == "", "no stake is told any more, and the record owes nothing"
    back = re.search(r'id="like-it" href="([^"]+)"', hand.text)
    assert back is not None
    assert parse_qs(urlsplit(html.unescape(back[1])).query)["said"] == [wrong]


def test_a_field_that_is_changed_by_hand_leaves_the_told_words_behind(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    wrong = WORDS.replace("won 100", "won 77")
    listed = hale.get("/hands", params={"q": wrong}).text
    of_fields = listed[listed.rindex('action="/hands"') :]
    fields = {name: html.unescape(value) for name, value in fields_of(of_fields, "/hands").items()}
    assert (fields["said"], fields["stake"], fields["table"]) == (wrong, "77", "FB-12")
    same = hale.get("/hands", params=fields | {"result": "won"})
    row = re.search(rf'href="(/hands/FB-12/{ROUND}\?[^"]+)"', same.text)
    assert row is not None
    claim = fields_of(opening(hale, hale.get(html.unescape(row[1])).text), "/disputes")["claim"]
    assert html.unescape(claim) == wrong, "nothing was changed"
    changed = hale.get("/hands", params=fields | {"result": "won", "stake": "100"})
    assert urlsplit(str(changed.url)).path == f"/hands/FB-12/{ROUND}"
    form = opening(hale, changed.text)
    assert (fields_of(form, "/disputes")["claim"], fields_of(form, "/disputes")["claimed"]) == ("", "100.00")
    assert 'name="found_by"' not in form, "by these words the hand was not found"


@pytest.mark.parametrize("words", ["fb12 10:14:06", "fb12 around 10:14 breached overpaid", "672a.7(o)"])
def test_words_that_tell_of_no_play_are_no_claim(signed_in: SignedIn, words: str) -> None:
    hale = signed_in("hale")
    found = hale.get("/hands", params={"q": words})
    if urlsplit(str(found.url)).path == "/hands":
        link = re.search(rf'href="(/hands/FB-12/{ROUND}\?[^"]+)"', found.text)
        assert link is not None
        found = hale.get(html.unescape(link[1]))
    fields = fields_of(opening(hale, found.text), "/disputes")
    assert fields["claim"] == ""
    assert html.unescape(fields["found_by"]).startswith(f"“{words}”")


def test_a_hand_that_was_found_by_no_words_fills_no_claim_and_its_record_has_no_such_field(
    signed_in: SignedIn, console: Console
) -> None:
    hale = signed_in("hale")
    form = opening(hale, hale.get(f"/hands/FB-12/{ROUND}?first={FIRST}&seat=6").text)
    assert fields_of(form, "/disputes")["claim"] == ""
    assert 'name="found_by"' not in form
    open_one(hale)
    (line,) = [line for line in kept(console) if "dispute_opened" in line]
    assert "found_by" not in line
    assert "was found by" not in text_of(hale.get("/disputes/DIS-0001").text)
