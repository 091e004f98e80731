"""Acts that cannot be done as they are begun: words in place of the act, and nothing happens at the desk."""

from typing import Any

from playwright.sync_api import expect

from dashboards.ledger.acts import ClosingConfirmed, ClosingProposed
from tests.browser.conftest import PageOf
from tests.browser.site import Site
from tests.browser.test_alerts import PAID, live, row, rows, state

GAP = "Records 411 to 418"


def act(
    site: Site, message: str, kind: type[ClosingProposed | ClosingConfirmed], user: str, **fields: Any
) -> None:
    """What a user does from another console to the alert of this message."""
    (alert,) = (one for one in site.desk.snapshot().alerts if one.finding.message.startswith(message))
    site.desk.act(kind(alert=alert.finding.finding_id, version=alert.version, **fields), user)


def propose(site: Site) -> None:
    act(site, PAID, ClosingProposed, "hale", disposition="no error", note="seen")


def test_a_closing_is_not_confirmed_by_key_before_its_panel_is_open(served: Site, page_of: PageOf) -> None:
    propose(served)
    page = live(page_of("ito"))
    page.locator('.tabs [data-tab="second"]').click()
    expect(rows(page)).to_have_count(1)
    page.keyboard.press("j")
    expect(page.locator("#panel")).to_be_hidden()
    page.keyboard.press("y")
    expect(page.locator("#told")).to_contain_text(
        "Nothing in the panel waits for you: open the alert (Enter), read it, then confirm."
    )
    assert state(served, PAID) == [("awaiting", None)]


def test_a_field_that_is_kept_on_the_record_takes_no_blanks(served: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    row(page, GAP).locator(".c-table").click()
    page.keyboard.press("d")
    box = page.get_by_role("dialog")
    box.get_by_label("What it was").select_option("dealer error")
    note = box.get_by_label("Note")
    note.fill("   ")
    box.get_by_role("button", name="Dispose").click()
    expect(box).to_be_visible()
    said = note.evaluate("field => field.validationMessage")
    assert said == "Write something: this is kept on the record."
    assert state(served, GAP) == [("new", None)]
    note.fill("the shoe was changed")
    assert note.evaluate("field => field.validationMessage") == ""
    box.get_by_role("button", name="Dispose").click()
    expect(page.locator("#told")).to_contain_text("Closed")
    assert state(served, GAP) == []


def test_the_panel_of_a_closed_alert_offers_no_acts(served: Site, page_of: PageOf) -> None:
    propose(served)
    page = live(page_of("ito"))
    page.locator('.tabs [data-tab="second"]').click()
    row(page, PAID).locator(".c-table").click()
    panel = page.locator("#panel")
    expect(panel.get_by_role("button", name="Confirm")).to_be_visible()
    act(served, PAID, ClosingConfirmed, "ito")
    expect(panel).to_contain_text("by hale, confirmed by ito")
    expect(panel.locator("[data-do]")).to_have_count(0)
