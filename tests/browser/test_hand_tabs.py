"""Steps, clauses, rack proof and record of a hand as tabs: by pointer, by keys, by address, and without a script."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from processors.runtime.store.warehouse import Warehouse
from tests.browser.conftest import PageOf
from tests.browser.test_hands import HAND, STREAMS, ready, settings

__all__ = ["STREAMS", "settings"]  # what fixtures search here
SIDES = {"tab-steps": "steps-side", "tab-clauses": "clauses", "tab-rack": "rack", "tab-record": "record"}
pytestmark = pytest.mark.usefixtures("empty_site")


def shows(page: Page, tab: str) -> None:
    """This tab and no other is chosen, can be reached by Tab, and shows its section."""
    for one, side in SIDES.items():
        expect(page.locator(f"#{one}")).to_have_attribute("aria-selected", str(one == tab).lower())
        expect(page.locator(f"#{one}")).to_have_attribute("tabindex", "0" if one == tab else "-1")
        expect(page.locator(f"#{side}")).to_be_visible(visible=one == tab)


def step(page: Page) -> str:
    return page.locator("#where").inner_text()


def test_tabs_are_chosen_by_arrows_home_and_end_and_no_step_is_taken(
    page_of: PageOf, axe: Callable[[Page], list[str]], records: Warehouse
) -> None:
    assert records is not None
    page = page_of("hale", HAND)
    ready(page)
    shows(page, "tab-steps")
    at = step(page)
    page.locator("#tab-steps").focus()
    for key, tab in (
        ("ArrowRight", "tab-clauses"),
        ("ArrowRight", "tab-rack"),
        ("End", "tab-record"),
        ("ArrowRight", "tab-steps"),
        ("ArrowLeft", "tab-record"),
        ("Home", "tab-steps"),
        ("ArrowRight", "tab-clauses"),
    ):
        page.keyboard.press(key)
        shows(page, tab)
        expect(page.locator(f"#{tab}")).to_be_focused()
        assert axe(page) == []
    assert step(page) == at
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    assert step(page) != at, "outside of the tabs the arrows step"


def test_the_tab_stands_in_the_address_and_goes_along_to_the_next_hand(page_of: PageOf) -> None:
    page = page_of("hale", HAND)
    ready(page)
    page.locator("#tab-rack").click()
    assert urlsplit(page.url).fragment == "rack"
    page.reload()
    ready(page)
    shows(page, "tab-rack")
    page.keyboard.press("]")
    page.wait_for_url("**/hands/BJ-12/2?**")
    ready(page)
    shows(page, "tab-rack")
    page.locator("#tab-steps").click()
    assert urlsplit(page.url).fragment == ""


@pytest.mark.parametrize(
    ("address", "tab"),
    [("?at=82", "tab-steps"), ("?at=82#found-title", "tab-clauses"), ("?at=82#evidence-title", "tab-record")],
)
def test_a_link_to_a_step_opens_the_steps_and_one_to_a_section_its_tab(
    page_of: PageOf, address: str, tab: str
) -> None:
    page = page_of("hale", HAND + address)
    ready(page)
    shows(page, tab)
    expect(page.locator("#where")).to_contain_text("step 48 of")


def test_c_opens_the_clauses_of_the_step_and_shuts_them(page_of: PageOf) -> None:
    page = page_of("hale", HAND)
    ready(page)
    expect(page.locator("#at-step")).to_contain_text("$100.00 is to be paid")
    expect(page.locator("#all-clauses")).to_contain_text("clauses of this step")
    page.locator("#all-clauses").click()
    shows(page, "tab-clauses")
    expect(page.locator("#tab-clauses")).to_be_focused()
    page.keyboard.press("c")
    shows(page, "tab-steps")
    expect(page.locator("#tab-steps")).to_be_focused()
    assert page.locator("#steps [aria-current]").evaluate(
        "one => { const list = one.closest('ol').getBoundingClientRect(), own = one.getBoundingClientRect();"
        " return own.top >= list.top - 1 && own.bottom <= list.bottom + 1; }"
    ), "the step in view is in view in the list"


def test_on_a_phone_tabs_stand_below_the_stakes_and_nothing_is_wider(
    page_of: PageOf, fits: Callable[[Page], bool]
) -> None:
    page = page_of("hale", HAND, size="phone")
    ready(page)
    places = ("#felt-tall > svg", ".transport", ".payouts", "#sides", "#steps")
    tops = [page.locator(place).evaluate("one => one.getBoundingClientRect().top") for place in places]
    assert tops == sorted(tops)
    for tab in SIDES:
        page.locator(f"#{tab}").click()
        assert fits(page), tab


def test_without_a_script_the_tabs_lead_to_their_sections(page_of: PageOf) -> None:
    page = page_of("hale", HAND, java_script_enabled=False)
    page.get_by_role("link", name="Rack proof").click()
    assert urlsplit(page.url).fragment == "rack"
    for side in SIDES.values():
        expect(page.locator(f"#{side}")).to_be_visible()
    expect(page.locator("#rack-title")).to_be_in_viewport()
