"""Hands as patrons tell them, in the browser: one line and Enter, at every size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from deploy.console.hand_ports import duties_by_ruleset, solve_rack
from tests.browser.conftest import SIZES, PageOf
from tests.hands.stored import renamed

STREAMS = {"BJ-12": renamed("breach_overpay", "BJ-12")}


@pytest.fixture
def settings() -> dict[str, Any]:
    return {"duties": duties_by_ruleset(), "solve_rack": solve_rack}


TOLD = "bj12 around 10:06 20 vs 26 won 25 seat 3"


@pytest.mark.usefixtures("empty_site")
def test_one_line_and_enter_lead_to_the_hand_and_a_wrong_memory_to_the_nearest_at_every_size(
    page_of: PageOf,
) -> None:
    page = page_of("hale", "/hands")
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/hands")
        page.keyboard.press("/")
        page.keyboard.type(TOLD)
        page.keyboard.press("Enter")
        page.wait_for_url("**/hands/BJ-12/3?**")
        page.wait_for_selector("#replayer[data-ready]")
        expect(page.locator("h1")).to_have_text("BJ-12 · round 3")
        page.get_by_role("link", name="Hands like it").click()
        page.wait_for_url("**list=1**")
        first = page.locator("table.likely tbody tr:not(.fits)").first
        expect(first.locator("a").first).to_have_text("3")
        expect(first.locator(".differs")).to_have_count(0)
        expect(page.locator(".likely .fits").first).to_contain_text("Fits all 6 things told")
        expect(page.locator("#q")).to_have_value(TOLD)
        page.locator("#q").fill(TOLD.replace("25", "77"))
        page.keyboard.press("Enter")
        nearly = page.locator("#nearly")
        expect(nearly).to_contain_text("no hand has the stake 77.")
        expect(nearly.get_by_role("link")).to_have_text("Without the stake 77")
        expect(page.locator("table.likely tbody tr:not(.fits)").first.locator(".differs")).to_contain_text(
            "25.00"
        )
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        nearly.get_by_role("link").click()
        page.wait_for_url("**/hands/BJ-12/3?**")


HEIGHTS = "[...document.querySelectorAll('tr[data-line]')].map(line => line.offsetHeight)"
IN_VIEW = (
    "[...document.querySelectorAll('tr[data-line]')]"
    ".filter(line => line.getBoundingClientRect().bottom <= innerHeight).length"
)
HIDDEN = "(box => box.scrollWidth - box.clientWidth)(document.querySelector('.likely').parentElement)"


@pytest.mark.parametrize("size", ["wall", "desk"])
@pytest.mark.usefixtures("empty_site")
def test_the_chosen_hand_stands_beside_the_list_and_wraps_no_line(
    page_of: PageOf, size: str, axe: Callable[..., list[str]], shoot: Callable[[Page, str], None]
) -> None:
    page = page_of("hale", f"/hands?q={TOLD.replace('25', '77').replace(' ', '+')}", size=size)
    place, lines = page.locator("#panel"), page.locator("tr[data-line]")
    expect(place).to_contain_text("Choose a hand")
    before = page.evaluate(HEIGHTS)
    page.wait_for_function(
        "document.querySelector('script[src$=\"hands.js\"]') && document.readyState === 'complete'"
    )
    page.keyboard.press("j")
    expect(place.locator("h2")).to_be_visible()
    expect(place.locator(".where")).to_contain_text("BJ-12 · round 3 · seat 3")
    expect(lines.first).to_have_class("chosen")
    assert page.evaluate(HEIGHTS) == before
    assert page.evaluate(HIDDEN) <= 0, "no column lies behind a scroll"
    assert page.evaluate(IN_VIEW) >= {"wall": 10, "desk": 6}[size], "the hands come before the form"
    bar, whole = place.locator(".bar").bounding_box(), page.viewport_size
    assert bar is not None
    assert whole is not None
    assert bar["y"] + bar["height"] <= whole["height"], "the acts are in view"
    assert axe(page) == []
    shoot(page, f"hands-panel-{size}")
    second = lines.nth(1).locator("a").first.get_attribute("href") or ""
    page.keyboard.press("j")
    expect(lines.nth(1)).to_have_class("chosen")
    page.keyboard.press("k")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{second}**")
    page.go_back()
    expect(page.locator("tr[data-line]").nth(1)).to_have_class("chosen")
    expect(place.locator("h2")).to_be_visible()
    page.keyboard.press("o")
    page.wait_for_url("**/disputes/new?**told=**")
    expect(page.locator("#f-claim")).to_have_value(TOLD.replace("25", "77"))


@pytest.mark.usefixtures("empty_site")
def test_on_a_phone_told_hands_stand_one_below_the_other(
    page_of: PageOf, fits: Callable[[Page], bool], axe: Callable[..., list[str]]
) -> None:
    page = page_of("hale", f"/hands?q={TOLD.replace('25', '77').replace(' ', '+')}", size="phone")
    first = page.locator("tr[data-line]").first
    expect(first).to_be_visible()
    assert page.evaluate(HIDDEN) <= 0
    assert fits(page)
    for cell in ("c-own", "c-dealt", "c-stake", "c-moved", "c-finding"):
        box = first.locator(f".{cell}").bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 390
    expect(page.locator("#panel")).to_be_hidden()
    assert axe(page) == []


@pytest.mark.usefixtures("empty_site")
def test_on_a_phone_a_list_of_hands_lies_behind_no_scroll(
    page_of: PageOf,
    fits: Callable[[Page], bool],
    axe: Callable[..., list[str]],
    shoot: Callable[[Page, str], None],
) -> None:
    page = page_of("hale", "/hands?table=BJ-12", size="phone")
    first = page.locator("tr[data-line]").first
    expect(first).to_be_visible()
    assert page.evaluate(HIDDEN.replace("likely", "hands .seats")) <= 0
    assert page.evaluate(HIDDEN.replace("likely", "hands")) <= 0
    assert fits(page)
    for cell in ("seats", "dealt", "c-round", "status", "c-dealer"):
        box = first.locator(f".{cell}").bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 390
    assert axe(page) == []
    shoot(page, "hands-list-phone")


@pytest.mark.usefixtures("empty_site")
def test_what_was_asked_is_taken_out_by_a_click_and_the_list_stays_a_list(
    page_of: PageOf, axe: Callable[..., list[str]], shoot: Callable[[Page, str], None]
) -> None:
    page = page_of("hale", f"/hands?q={TOLD.replace('25', '77').replace(' ', '+')}")
    chips = page.locator("#asked .chip")
    expect(chips).to_have_count(7)
    assert axe(page) == []
    shoot(page, "hands-chips")
    stake = chips.filter(has_text="77")
    expect(stake).to_have_attribute("title", "Take it out of the search")
    stake.click()
    page.wait_for_url("**/hands?**list=1**")
    expect(page.locator("#asked .chip")).to_have_count(6)
    expect(page.locator("#asked")).not_to_contain_text("77")
    expect(page.locator(".likely .fits").first).to_contain_text("Fits all 5 things told")


@pytest.mark.usefixtures("empty_site")
def test_a_told_hand_says_what_is_owed_of_it_or_that_it_moved_as_due(page_of: PageOf) -> None:
    page = page_of("hale", "/hands?table=BJ-12&time=around+10:06&total=20&result=won&list=1")
    wrong = page.locator("tr[data-line]", has=page.locator(".c-finding .wrong"))
    right = page.locator("tr[data-line]", has_text="as due")
    expect(right.first).to_be_visible()
    for line in wrong.all():
        moved, due = line.locator(".c-moved").inner_text().replace("+", "").replace("−", "-").split("/")
        cents = round(100 * float(due)) - round(100 * float(moved))
        said = f"{'owed' if cents > 0 else 'overpaid'} {abs(cents) / 100:.2f}"
        expect(line.locator(".c-finding .wrong")).to_have_text(said)
    expect(wrong).to_have_count(1)
    for line in page.locator("tr[data-line]").all():
        moved, _, due = line.locator(".c-moved").inner_text().partition("/")
        assert ("as due" in line.locator(".c-finding").inner_text()) == (moved.strip() == due.strip())


@pytest.mark.parametrize(("key", "leads"), [("o", "**/disputes/new?**"), ("r", "**/hands/BJ-12/*?**")])
@pytest.mark.usefixtures("empty_site")
def test_a_key_means_the_hand_just_chosen_and_not_the_one_still_in_the_panel(
    page_of: PageOf, key: str, leads: str
) -> None:
    page = page_of("hale", "/hands?table=BJ-12")
    place, links = page.locator("#panel"), page.locator("tr[data-line] a[href^='/hands/BJ-12/']")
    expect(place).to_contain_text("Choose a hand")
    page.wait_for_function("document.readyState === 'complete'")
    numbers = [links.nth(line).inner_text() for line in (0, 1)]
    assert numbers[0] != numbers[1]
    page.keyboard.press("j")
    expect(place.locator(".where")).to_contain_text(f"round {numbers[0]}")
    page.keyboard.press("j")
    page.keyboard.press(key)
    page.wait_for_url(leads)
    where = urlsplit(page.url)
    opened = parse_qs(where.query).get("round", [where.path.rpartition("/")[2]])
    assert opened == [numbers[1]]
