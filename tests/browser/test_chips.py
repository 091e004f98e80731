"""Each word of the filter stands as a chip that goes by a click or a key, and offered words are clicked in."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PageOf
from tests.browser.site import Site, a_finding
from tests.browser.test_alerts import live, rows

Axe = Callable[[Page], list[str]]


def chips(page: Page) -> Locator:
    return page.locator("#chips a")


def offer(page: Page, text: str) -> Locator:
    return page.locator("#offers").get_by_role("link", name=text, exact=True)


def shown(*words: str) -> list[str]:
    """The texts of chips; the sign behind each is for the eye alone."""
    return [f"{word} ✕" for word in words]


def test_a_word_is_taken_out_by_its_chip_and_the_others_stay_as_they_were_typed(
    served: Site, page_of: PageOf, axe: Axe
) -> None:
    page = live(page_of("hale"))
    words, fitting = page.get_by_label("Filter by table"), page.locator("#fitting")
    expect(chips(page)).to_have_count(0)
    expect(page.locator("#chips")).to_be_hidden()
    words.fill('table:CR-07 seat 6 owed "first card" dealer:D110')
    expect(chips(page)).to_have_text(shown("table:CR-07", "seat:6", "owed", '"first card"', "dealer:D110"))
    expect(fitting).to_have_text("2 of 10 alerts fit the filter")
    assert axe(page) == []
    page.get_by_role("link", name="owed").click()
    expect(words).to_have_value('table:CR-07 seat:6 "first card" dealer:D110')
    expect(page).to_have_url(f"{served.origin}/?q=table%3ACR-07+seat%3A6+%22first+card%22+dealer%3AD110")
    expect(chips(page).nth(2)).to_be_focused()
    for key, left in (
        ("Delete", ["table:CR-07", "seat:6", "dealer:D110"]),
        ("Backspace", ["table:CR-07", "seat:6"]),
        ("Enter", ["table:CR-07"]),
        ("Delete", []),
    ):
        page.keyboard.press(key)
        expect(chips(page)).to_have_text(shown(*left))
    expect(words).to_be_focused()
    expect(words).to_have_value("")
    expect(fitting).to_have_text("10 alerts")


def test_a_word_that_is_not_understood_is_a_chip_that_says_why(served: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    words = page.get_by_label("Filter by table")
    words.fill("BJ-19 tabel:BJ-12 time:25:00")
    amiss = page.locator("#chips .amiss")
    expect(amiss).to_have_text([f"Not understood: {one} ✕" for one in ("tabel:BJ-12", "time:25:00")])
    why = "“time:25:00” is no time: 25:00 is no time of a day."
    expect(amiss.nth(1)).to_have_attribute("title", why)
    amiss.first.click()
    amiss.first.click()
    expect(words).to_have_value("BJ-19")
    expect(rows(page)).to_have_count(1)


def test_offered_words_are_clicked_in_one_of_a_kind_and_the_menu_stays_where_it_is(
    served: Site, page_of: PageOf, axe: Axe
) -> None:
    page = live(page_of("hale"))
    words, fitting = page.get_by_label("Filter by table"), page.locator("#fitting")
    page.locator("#offers summary").click()
    before = offer(page, "Owed").bounding_box()
    offer(page, "Owed").click()
    expect(fitting).to_have_text("8 of 10 alerts fit the filter")
    assert offer(page, "Owed").bounding_box() == before
    offer(page, "Major").click()
    expect(fitting).to_have_text("2 of 10 alerts fit the filter")
    offer(page, "Critical").click()
    expect(words).to_have_value("owed severity:critical")
    expect(offer(page, "Critical")).to_have_attribute("aria-current", "true")
    assert axe(page) == []
    served.raise_alerts(a_finding(950, "Came later", subject="Big 6", severity="critical"))
    expect(fitting).to_have_text("7 of 11 alerts fit the filter")
    page.locator("#offers summary").click()
    page.locator("#offers summary").press("Enter")
    offer(page, "Big 6").press("Enter")
    expect(chips(page)).to_have_text(shown("owed", "severity:critical", 'table:"Big 6"'))
    expect(rows(page)).to_have_count(1)
    offer(page, "Owed").click()
    offer(page, "Last hour").click()
    expect(chips(page)).to_have_text(shown("severity:critical", 'table:"Big 6"', "since:1h"))
    expect(chips(page).last).to_have_attribute("title", page.locator("#understood").inner_text())
    expect(rows(page)).to_have_count(1)


def test_without_a_script_chips_and_offers_are_links(served: Site, page_of: PageOf) -> None:
    page = page_of("hale", "/?severity=major&q=table%3ACR-07+owed", java_script_enabled=False)
    expect(chips(page)).to_have_text(shown("table:CR-07", "owed"))
    page.locator("#offers summary").click()
    offer(page, "Overpaid").click()
    expect(chips(page)).to_have_text(shown("table:CR-07", "overpaid"))
    chips(page).first.click()
    expect(page).to_have_url(f"{served.origin}/?severity=major&q=overpaid")
    page.goto("/?tab=closed&q=owed")
    chips(page).first.click()
    expect(page).to_have_url(f"{served.origin}/?tab=closed")


def test_a_rough_time_is_read_while_it_is_typed_as_by_the_server(served: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    for words in ("around 11", "about 10:30 pm", "now", "since 9"):
        page.get_by_label("Filter by table").fill(words)
        expect(page.locator("#understood")).to_contain_text("UTC")
        expect(chips(page)).to_have_count(1)


def test_the_queue_opens_with_the_start_of_its_person_and_all_alerts_stay_one_step_away(
    served: Site, page_of: PageOf, axe: Axe
) -> None:
    page = live(page_of("hale"))
    words, fitting = page.get_by_label("Filter by table"), page.locator("#fitting")
    words.fill("table:CR-07")
    expect(fitting).to_have_text("2 of 10 alerts fit the filter")
    page.locator(".choices summary", has_text="Searches").click()
    page.get_by_label("Save this search as").fill("Craps")
    with page.expect_navigation():
        page.get_by_role("button", name="Save", exact=True).click()
    expect(live(page).get_by_role("link", name="Craps", exact=True)).to_be_visible()
    assert axe(page) == []
    with page.expect_navigation():
        page.get_by_role("button", name="Start with Craps").click()
    live(page)
    page.goto("/hands")
    page.get_by_role("link", name="Alerts", exact=True).click()
    page.wait_for_url("**/?q=table%3ACR-07")
    expect(live(page).locator("#fitting")).to_have_text("2 of 10 alerts fit the filter")
    expect(page.locator(".news .start")).to_have_text("Start: Craps")
    chips(page).click()
    expect(fitting).to_have_text("10 alerts")
    expect(page).to_have_url(f"{served.origin}/?tab=open")
    page.reload()
    expect(live(page).locator("#fitting")).to_have_text("10 alerts")
    page.locator(".choices summary", has_text="Searches").click()
    start = page.get_by_role("button", name="Start with Craps")
    expect(start).to_have_attribute("aria-pressed", "true")
    with page.expect_navigation():
        start.click()
    page.goto("/")
    expect(live(page).locator("#fitting")).to_have_text("10 alerts")
    expect(page.locator(".news .start")).to_have_count(0)
    expect(page).to_have_url(f"{served.origin}/")


@pytest.mark.parametrize("path", ["/", "/?tab=closed", "/hands"])
def test_on_a_phone_every_menu_of_a_list_lies_within_the_window(
    served: Site, page_of: PageOf, path: str
) -> None:
    page = page_of("hale", path, size="phone")
    summaries = page.locator("#offers > summary, .mine summary")
    expect(summaries.first).to_be_visible()
    for summary in summaries.all():
        summary.click()
        menu = page.locator(".choices[open] .menu")
        box = menu.bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 390, summary.inner_text()
        summary.click()
