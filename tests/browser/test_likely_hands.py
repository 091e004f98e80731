"""Hands as patrons tell them, in the browser: one line and Enter, at every size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from deploy.console.hand_ports import duties_by_ruleset, solve_rack
from processors.runtime.store.warehouse import Warehouse
from tests.browser.conftest import SIZES, PageOf
from tests.hands.stored import floor, renamed


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with floor(tmp_path_factory.mktemp("hands"), {"BJ-12": renamed("breach_overpay", "BJ-12")}) as held:
        yield held


@pytest.fixture
def records(store: Warehouse) -> Warehouse:
    return store


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
