"""The alerts' pages for everyone: by keys of one's own, without a hindrance, on every window, empty, refused, alone."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import SIZES, PageOf
from tests.browser.site import Site, a_finding
from tests.browser.test_alerts import PAID, TRAY, live, row, rows, state
from tests.waiting import until

Axe = Callable[[Page], list[str]]
Fits = Callable[[Page], bool]
Shoot = Callable[[Page, str], None]


def test_keys_are_listed_changed_and_switched_off(served: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    page.keyboard.press("?")
    box = page.get_by_role("dialog")
    for label in ("Acknowledge", "Assign to me", "Dispose", "Undo", "Show new", "Go to Hands", "Filter"):
        expect(box.get_by_role("cell", name=label, exact=True)).to_be_visible()
    box.get_by_role("button", name="Change the key of Acknowledge").click()
    page.keyboard.press("q")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("a")
    page.keyboard.press("q")
    page.get_by_role("dialog").get_by_role("button", name="Acknowledge (5 alerts)").click()
    until(lambda: all(status == "acknowledged" for status, _ in state(served, TRAY)))
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("?")
    page.get_by_label("Single keys act on the page").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    page.wait_for_timeout(300)
    assert all(status == "acknowledged" for status, _ in state(served, TRAY))
    page.reload()
    live(page).keyboard.press("j")
    assert page.evaluate("document.activeElement.tagName") == "BODY"


@pytest.mark.soak  # dark is the theme of every page in test_everywhere
def test_the_light_pages_are_without_a_hindrance(
    served: Site, page_of: PageOf, axe: Axe, shoot: Shoot
) -> None:
    page = live(page_of("hale", theme="light"))
    page.keyboard.press("j")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("x")
    page.keyboard.press("Enter")
    expect(page.locator("#panel")).to_contain_text("Seen before")
    shoot(page, "list-light")
    assert axe(page) == []
    page.keyboard.press("d")
    assert axe(page) == []
    page.goto(f"/alerts/{served.desk.snapshot().alerts[5].id}")
    shoot(page, "own-light")
    assert axe(page) == []
    for address in ("/?tab=closed", "/?tab=shelved", "/?q=nothing"):
        page.goto(address)
        assert axe(page) == []


@pytest.mark.soak  # every page in dark and contrast: test_everywhere
@pytest.mark.parametrize("size", SIZES)
def test_the_pages_fit_their_window(
    served: Site, page_of: PageOf, size: str, fits: Fits, shoot: Shoot
) -> None:
    page = live(page_of("hale", size=size))
    assert page.get_by_role("heading", level=1).count() == 1
    shoot(page, f"alerts-{size}")
    assert fits(page)
    for address in (f"/alerts/{served.desk.snapshot().alerts[5].id}", "/?tab=closed", "/?q=nothing"):
        page.goto(address)
        assert fits(page)


def test_an_empty_night_is_told_in_words_and_a_role_without_alerts_begins_elsewhere(
    empty_site: Site, page_of: PageOf
) -> None:
    page = page_of("hale")
    expect(page.get_by_text("No alert is waiting")).to_be_visible()
    empty_site.raise_alerts(a_finding(1))
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_text("No alert is waiting")).to_be_hidden()
    expect(page_of("ann").get_by_role("heading", level=1)).to_have_text("Health")


def test_an_own_page_is_worked_by_keys_and_says_when_someone_else_was_faster(
    served: Site, page_of: PageOf, axe: Axe
) -> None:
    alert: Any = served.desk.snapshot().alerts[5]
    page, ito = page_of("hale", f"/alerts/{alert.id}"), live(page_of("ito"))
    page.keyboard.press("w")
    page.keyboard.type("camera 12 shows the payout")
    page.get_by_role("button", name="Keep note").click()
    expect(page.locator(".history")).to_contain_text("camera 12 shows the payout")
    ito.wait_for_timeout(400)  # what has just changed under a click is not acted upon
    row(ito, PAID).locator(".quick").click()
    expect(page.locator("#changed")).to_contain_text("Changed meanwhile: acknowledged by ito")
    page.keyboard.press("a")
    expect(page.get_by_text(re.compile(r"Not done: Taken by ito \d+ s ago"))).to_be_visible()
    assert axe(page) == []
