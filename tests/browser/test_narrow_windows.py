"""Pages in windows that are narrower than a wall of screens: nothing is beside the window, nothing over another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from processors.runtime.store.warehouse import Warehouse
from tests.browser.conftest import PageOf
from tests.console.books import store_of
from tests.console.test_revenue_luck import DAY, books


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    lines = {name: list(one) for name, one in books()[0].items()}
    with store_of(tmp_path_factory.mktemp("narrow"), lines) as held:
        yield held


@pytest.mark.parametrize("width", [1024, 1280])
def test_what_is_still_to_be_paid_is_seen_without_pushing_the_table(width: int, page_of: PageOf) -> None:
    page = page_of("rex", f"/revenue/owed?day={DAY}", viewport={"width": width, "height": 768})
    for name in ("Patrons", "Stakes"):
        region = page.get_by_role("region", name=name, exact=True)
        expect(region.get_by_role("columnheader", name="Still to be paid").first).to_be_visible()
        wide, room = region.evaluate("one => [one.scrollWidth, one.clientWidth]")
        assert wide <= room, name


@pytest.mark.parametrize("width", [1920, 1600, 1440, 1280, 1024, 800])
def test_labels_of_phases_stand_apart(width: int, page_of: PageOf) -> None:
    page = page_of("hale", "/hands", viewport={"width": width, "height": 900})
    page.locator("main a[href^='/hands/']").first.click()
    page.wait_for_selector("#replayer[data-ready]")
    boxes = page.locator(".phases text:visible").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(one => [one.left, one.right])"
    )
    assert len(boxes) >= 2
    for (_, end), (begin, _) in pairwise(sorted(boxes)):
        assert end + 3 <= begin, boxes
