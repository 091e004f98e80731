"""Shelves as an operator makes, finds and ends them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from dashboards.ledger.acts import Shelved
from dashboards.wording.titles import title_of
from deploy.console.server import utc_now
from tests.browser.conftest import PageOf
from tests.browser.site import Site
from tests.browser.test_alerts import LATE, PAID, live, row, rows

Axe = Callable[[Page], list[str]]


def test_law_20_a_shelf_is_found_in_the_list_and_ended_there_and_the_alert_is_back(
    served: Site, page_of: PageOf, axe: Axe, fits: Callable[[Page], bool]
) -> None:
    page = live(page_of("hale"))
    expect(page.get_by_role("link", name="All shelves")).to_be_hidden()
    row(page, PAID).focus()
    page.keyboard.press("z")
    box = page.get_by_role("dialog")
    expect(box.get_by_role("option", name="24 hours")).to_be_disabled()
    expect(box).to_contain_text("The last 7 days had no other alert of the same check and table.")
    box.get_by_label("Reason").fill("the floor counts the rack")
    box.get_by_label("Until").select_option("15")
    box.get_by_role("button", name="Shelve").click()
    expect(page.locator("#told")).to_contain_text("Shelved")
    page.locator('[data-tab="shelved"]').first.click()
    page.get_by_role("link", name="All shelves").click()
    shelf = page.get_by_role("row").filter(has_text=PAID)
    for said in ("the floor counts the rack", "hale", "ends soon", "BJ-12"):
        expect(shelf).to_contain_text(said)
    assert axe(page) == []
    phone = page_of("ito", "/shelves", size="phone")
    expect(phone.locator("tr").filter(has_text=PAID)).to_be_visible()
    assert fits(phone)
    second = live(page_of("ito"))
    expect(rows(second).filter(has_text=PAID)).to_have_count(0)
    shelf.get_by_role("button", name="End it now").click()
    expect(page.get_by_text("No alert is on the shelf")).to_be_visible()
    expect(row(second, PAID)).to_contain_text("New")
    page.wait_for_load_state()  # the page is another since the shelf was ended, and takes keys when it is there
    page.keyboard.press("Escape")
    page.wait_for_url("**/?tab=shelved")
    row(second, LATE).focus()
    second.keyboard.press("z")
    expect(second.get_by_role("dialog").get_by_role("option", name="24 hours")).to_be_enabled()


def test_law_19_the_page_of_an_alert_tells_what_was_alike_too(served: Site, page_of: PageOf) -> None:
    alert = next(one for one in served.desk.snapshot().alerts if one.finding.subject == "BJ-19")
    page = page_of("hale", f"/alerts/{alert.id}")
    page.locator('details[data-for="shelved"] summary').click()
    expect(page.locator("[data-foretold]")).to_contain_text("The last 7 days had 4 other alerts")


def test_law_20_the_queue_warns_before_a_shelf_ends_and_the_panel_ends_it(
    served: Site, page_of: PageOf, axe: Axe
) -> None:
    page = live(page_of("hale"))
    alert = next(one for one in served.desk.snapshot().alerts if PAID in title_of(one.finding))
    until = utc_now() + dt.timedelta(minutes=4)
    served.desk.act(Shelved(alert=alert.id, version=alert.version, reason="a count", until=until), "ito")
    warning = page.get_by_role("link", name="A shelf ends in")
    expect(warning).to_have_text(re.compile(r"▲ A shelf ends in [34] min"))
    page.locator('[data-tab="shelved"]').first.click()
    row(page, PAID).locator(".c-table").click()
    assert axe(page) == []
    page.locator("#panel").get_by_role("button", name="End shelf").click()
    expect(page.locator("#told")).to_contain_text("Off the shelf")
    expect(warning).to_have_count(0)
    expect(page.locator("#panel").get_by_role("button", name="End shelf")).to_have_count(0)
    page.locator('.tabs [data-tab="open"]').click()
    expect(row(page, PAID)).to_contain_text("New")
