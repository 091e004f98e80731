"""The seat in question goes along from hand to hand and into the dispute; a breached hand opens at its breach."""

from __future__ import annotations

import html
import re

from dashboards.ledger.acts import Withheld
from dashboards.web.console import Console
from processors.runtime.store.warehouse import Warehouse
from tests.console.hands_building import SignedIn, console, store

__all__ = ["console", "store"]


def links(page: str, name: str) -> str:
    """The address of a link by its id or by what it says."""
    found = re.search(rf'<a [^>]*?(?:id="{name}"[^>]*?href="([^"]*)"|href="([^"]*)"[^>]*?>{name})', page)
    assert found is not None, name
    return html.unescape(found[1] or found[2])


def test_a_breached_hand_opens_at_its_breach_and_a_place_in_the_address_goes_before(
    signed_in: SignedIn,
) -> None:
    hale = signed_in("hale")
    page = hale.get("/hands/BJ-12/1?seat=6").text
    assert 'data-index="47" data-first="35" data-seat="6"' in page
    assert "Opened at its breach" in page
    assert "the main wager is paid $200" in page
    start = links(page, "[^<]*<span[^>]*>[^<]*</span><span[^>]*>First")
    assert start == "?first=35&at=35&seat=6"
    begun = hale.get(f"/hands/BJ-12/1{start}").text
    assert 'data-index="0"' in begun
    assert "Opened at its breach" not in begun
    assert 'data-index="0"' in hale.get("/hands/BJ-12/2").text  # nothing was breached there


def test_who_may_not_know_of_the_breach_sees_the_hand_from_its_start(
    signed_in: SignedIn, console: Console, store: Warehouse
) -> None:
    ((name,),) = store.query("SELECT finding_id FROM findings FINAL WHERE subject = 'BJ-12'")
    console.desk.note(Withheld(user="fay", kind="alert", value=str(name)), "ann")
    page = signed_in("fay").get("/hands/BJ-12/1").text
    assert "Opened at its breach" not in page
    assert 'data-index="0"' in page


def test_the_seat_goes_to_the_hands_beside_it_into_the_dispute_and_back(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    page = hale.get("/hands/BJ-12/2?seat=6").text
    for name, number in (("hand-before", 1), ("hand-after", 3)):
        place = links(page, name)
        assert place.startswith(f"/hands/BJ-12/{number}?first=")
        assert place.endswith("&seat=6")
    place = links(page, "open-dispute")
    assert "seat=6" in place
    form = hale.get(place).text
    assert 'name="seat" type="number" min="1" max="9" value="6"' in form
    wish = {"subject": "BJ-12", "round": 2, "seat": 6, "claim": "I was not paid.", "claimed_cents": 100}
    answer = hale.post("/api/disputes", json=wish | {"review": {"requested_by": "fay"}})
    assert answer.status_code == 201, answer.text
    dispute = hale.get(f"/disputes/{answer.json()['dispute']['id']}").text
    assert "seat 6" in dispute
    back = re.search(r'href="(/hands/BJ-12/2[^"]*)" data-hand', dispute)
    assert back is not None
    assert html.unescape(back[1]).endswith("&seat=6")
