"""On a phone the heading is one row of which everything is reached and named, and the first alert is in view."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PageOf
from tests.browser.test_alerts import live, rows

HEAD, FIRST_ROW = 48, 260  # px


@pytest.mark.usefixtures("served")
def test_on_a_phone_the_heading_is_one_row_and_the_first_alert_is_in_view(
    page_of: PageOf, axe: Callable[[Page], list[str]], fits: Callable[[Page], bool]
) -> None:
    page = live(page_of("hale", size="phone"))
    assert page.locator("header.top").evaluate("place => place.offsetHeight") <= HEAD
    first = rows(page).first
    assert first.evaluate("place => place.getBoundingClientRect().top") <= FIRST_ROW
    page.get_by_label("Filter by table").fill("BJ-19")
    expect(page.locator("#fitting")).to_contain_text("of 10 alerts fit the filter")
    assert first.evaluate("place => place.getBoundingClientRect().top") <= FIRST_ROW
    assert fits(page)
    assert axe(page) == []


@pytest.mark.usefixtures("served")
def test_what_is_a_sign_on_a_phone_has_its_name_and_opens_by_key(page_of: PageOf) -> None:
    page = live(page_of("hale", size="phone"))
    expect(page.get_by_role("link", name="Catwalk", exact=True)).to_be_in_viewport(ratio=1)
    expect(page.locator("#live")).to_contain_text("Live, ")
    expect(page.locator("#live")).to_be_in_viewport(ratio=1)
    for sign, name, inside in (
        (".me > summary", "hale surveillance", "Theme"),
        ("#calls > summary", "Sound, notices", "Sound for new alerts"),
    ):
        summary, choice = page.locator(sign), page.get_by_label(inside)
        expect(summary).to_be_in_viewport(ratio=1)
        expect(summary).to_have_accessible_name(name)
        summary.focus()
        page.keyboard.press("Enter")
        expect(choice).to_be_in_viewport(ratio=1)
        page.keyboard.press("Enter")
        expect(choice).to_be_hidden()
    for menu, field in (("Searches", "#search-name"), ("Columns", "#place-status")):
        page.locator("summary", has_text=menu).focus()
        page.keyboard.press("Enter")
        expect(page.locator(field)).to_be_in_viewport(ratio=1)
        page.keyboard.press("Enter")


@pytest.mark.usefixtures("served")
def test_the_section_one_is_in_stands_in_view_and_every_other_is_reached_by_tab(page_of: PageOf) -> None:
    page = page_of("hale", "/status", size="phone")
    here = page.locator('header nav a[aria-current="page"]')
    expect(here).to_have_text("Health")
    expect(here).to_be_in_viewport(ratio=1)
    page.get_by_role("link", name="Catwalk", exact=True).focus()
    for section in page.locator("header nav a").all():
        page.keyboard.press("Tab")
        expect(section).to_be_focused()
        expect(section).to_be_in_viewport(ratio=1)
