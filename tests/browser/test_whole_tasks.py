"""Three whole tasks as people do them, each in few actions: a key, a click, a choice or a text that is typed is one."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from dashboards.wording.titles import title_of
from deploy.console.hand_ports import duties_by_ruleset, solve_rack
from tests.browser.conftest import PageOf
from tests.browser.site import Site
from tests.browser.test_alerts import live, row, rows
from tests.embedded.ledgers import lines_of
from tests.hands.stored import renamed
from tests.waiting import until

STREAMS = {
    "FB-12": lines_of(
        "breach_dealer22_paid"
    ),  # in its round 12 seat 3 had 20 against 22, a quarter of an hour ago
    "BJ-12": renamed("breach_overpay", "BJ-12"),
    "BJ-19": renamed("lawful_down_under_685a", "BJ-19"),
}
PAID = "Hand 6.1 was paid $200.00; $100.00 was due"

NOTE = "BJ-12 was overpaid in round 1; the recording is asked for."


class Actions:
    """What people do, counted."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def press(self, page: Page, *keys: str) -> None:
        for key in keys:
            self.done.append(f"press {key}")
            page.keyboard.press(key)

    def type(self, page: Page, text: str) -> None:
        """Type into what has the focus."""
        self.done.append(f"type {text}")
        page.keyboard.type(text)

    def click(self, place: Locator) -> None:
        self.done.append(f"click {place}")
        place.click()

    def choose(self, place: Locator, option: str) -> None:
        self.done.append(f"choose {option}")
        place.select_option(option)

    def fill(self, place: Locator, text: str) -> None:
        """Click into a field and type: two actions."""
        self.done += [f"click {place}", f"type {text}"]
        place.fill(text)


@pytest.fixture
def settings() -> dict[str, Any]:
    return {"duties": duties_by_ruleset(), "solve_rack": solve_rack}


def test_a_wrong_payout_goes_from_alert_to_close_by_two_in_9_actions(played: Site, page_of: PageOf) -> None:
    first, second, did = live(page_of("hale")), live(page_of("ito")), Actions()
    did.click(row(first, PAID).locator(".c-table"))
    expect(first.locator("#panel")).to_contain_text("overpaid $100.00")
    did.press(first, "d")
    box = first.get_by_role("dialog")
    did.choose(box.get_by_label("What it was"), "dealer error")
    did.press(first, "Tab")
    did.type(first, "Paid twice; the floor told the patron.")
    did.click(box.get_by_role("button", name="Dispose"))
    expect(first.locator("#told")).to_contain_text("Proposed, waits for a second person")
    did.click(second.locator('.tabs [data-tab="second"]'))
    expect(rows(second)).to_have_count(1)
    did.click(row(second, PAID).locator(".c-table"))
    expect(second.locator("#panel")).to_contain_text("hale proposes to close it as dealer error")
    did.press(second, "y")
    until(lambda: any(one.second_auditor == "ito" for one in played.desk.closed()))
    assert [title_of(one.finding) for one in played.desk.closed()] == [f"{PAID} (the dealer is over 22)."]
    assert len(did.done) <= 9, did.done


def test_a_dispute_goes_from_the_patrons_words_to_its_pdf_in_10_actions(
    played: Site, page_of: PageOf
) -> None:
    page, did, words = live(page_of("hale")), Actions(), "FB-12 seat 3 15 min ago 20 vs 22 push 25"
    did.press(page, "Control+k")
    did.type(page, words)
    did.press(page, "Enter")
    page.wait_for_selector("#replayer[data-ready]")
    did.press(page, "o")
    page.wait_for_url("**/disputes/new**")
    page.wait_for_load_state()
    did.fill(page.get_by_label("Requested by"), "fay")
    did.press(page, "Enter")
    page.wait_for_url("**/disputes/DIS-0001")
    page.wait_for_load_state()
    with page.expect_download() as printing:
        did.press(page, "p")
    assert printing.value.path().read_bytes().startswith(b"%PDF-")
    dispute = played.desk.dispute("DIS-0001")
    assert dispute is not None
    assert (dispute.subject, dispute.round, dispute.seat) == ("FB-12", 12, 3)
    assert (dispute.claim, dispute.claimed_cents) == (words, 2_500)
    assert len(did.done) <= 10, did.done


def test_a_shift_is_handed_over_and_taken_in_under_10_actions(played: Site, page_of: PageOf) -> None:
    first, second, did = live(page_of("hale")), live(page_of("ito")), Actions()
    did.click(first.get_by_role("link", name="Shift", exact=True))
    first.wait_for_load_state()  # keys act when the scripts are there
    did.press(first, "n")
    expect(first.get_by_label("What the next one has to know")).to_be_focused()
    did.type(first, NOTE)
    did.click(first.get_by_role("button", name="Hand over"))
    expect(first.get_by_text("SHIFT-0001 waits to be taken over")).to_be_visible()
    first.wait_for_load_state()
    with first.expect_download() as printing:
        did.press(first, "p")
    assert printing.value.path().read_bytes().startswith(b"%PDF-")
    did.click(second.get_by_role("link", name="Shift", exact=True))
    expect(second.get_by_role("blockquote")).to_have_text(NOTE)
    # ... and the figures are those of the shift that waits, not of the next one.
    expect(second.locator("dl.facts dd").first).to_have_text("2 critical 2")
    did.click(second.get_by_role("button", name="I take over"))
    expect(second.get_by_text("taken by ito")).to_be_visible()
    assert len(did.done) < 10, did.done
