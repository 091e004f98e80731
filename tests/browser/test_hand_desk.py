"""The page of a hand at a desk's size: its heading is whole, and each stake names its events."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from deploy.console.hand_ports import duties_by_ruleset, solve_rack
from tests.browser.conftest import PageOf
from tests.drawing.test_already_racked import UNSETTLED
from tests.hands.stored import renamed
from tests.law.record import SUBJECT
from tests.law.script import play

STREAMS = {
    "FB-12": renamed("breach_dealer22_paid", "FB-12"),
    SUBJECT: tuple(play(UNSETTLED, "free_bet_672a", {}).lines),
}
BOTTOM = "getBoundingClientRect().bottom"
INSIDE = f"p => [p.scrollWidth - p.clientWidth, p.{BOTTOM} - p.parentElement.{BOTTOM}]"


@pytest.fixture
def settings() -> dict[str, Any]:
    return {"duties": duties_by_ruleset(), "solve_rack": solve_rack}


@pytest.mark.parametrize("size", ["wall", "desk"])
@pytest.mark.usefixtures("empty_site")
def test_the_heading_is_whole_and_the_events_of_each_stake_are_named(page_of: PageOf, size: str) -> None:
    page = page_of("hale", "/hands/FB-12/12?seat=6&told=table%3DFB-12", size=size)
    page.wait_for_selector("#replayer[data-ready]")
    head = page.locator(".hand-head > p")
    expect(head).to_contain_text("patrons won $500.00")
    wider, lower = head.evaluate(INSIDE)
    assert (wider <= 0, lower <= 1) == (True, True), "nothing of the heading is cut"
    shown = head.evaluate("p => getComputedStyle(p).textOverflow")
    assert shown == "clip"
    events = page.locator(".payout tbody tr.chosen .lesser a").first
    expect(events).to_be_visible()
    box = events.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= page.locator(".payouts").evaluate(
        "p => p.getBoundingClientRect().right"
    )


@pytest.mark.usefixtures("empty_site")
def test_a_breach_found_behind_the_rack_opens_with_its_cards_on_the_felt_and_says_where_they_are(
    page_of: PageOf,
) -> None:
    page = page_of("hale", f"/hands/{SUBJECT}/1", size="desk")
    page.wait_for_selector("#replayer[data-ready]")
    expect(page.locator("#at-breach")).to_be_visible()
    expect(page.locator("#felt")).to_contain_text("already racked")
    expect(page.locator("#felt")).to_contain_text("16 · stands")
