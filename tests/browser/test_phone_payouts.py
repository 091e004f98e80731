"""On a phone the payout check shows stake, due, moved and difference of each stake without a sideways scroll."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from deploy.console.hand_ports import duties_by_ruleset, solve_rack
from tests.browser.conftest import PageOf
from tests.hands.stored import renamed

WIDE = "[...document.querySelectorAll('.payout')].map(({parentElement: box}) => box.scrollWidth - box.clientWidth)"
SUMS = "[...document.querySelectorAll('.payout .p-sum')].map(one => one.getBoundingClientRect())"


STREAMS = {"FB-12": renamed("breach_dealer22_paid", "FB-12")}


@pytest.fixture
def settings() -> dict[str, Any]:
    return {"duties": duties_by_ruleset(), "solve_rack": solve_rack}


@pytest.mark.parametrize("path", ["/hands/FB-12/12?seat=6", "/disputes/new?subject=FB-12&round=12"])
@pytest.mark.usefixtures("empty_site")
def test_every_sum_of_the_payout_check_is_in_the_width_of_a_phone(
    page_of: PageOf, path: str, fits: Callable[[Page], bool], axe: Callable[..., list[str]]
) -> None:
    page = page_of("hale", path, size="phone")
    row = page.locator(".payout tbody tr").filter(has_text="differs")
    expect(row).to_have_count(1)
    for said in ("Staked", "Due", "Difference"):
        expect(row.locator(f'.p-sum[data-label="{said}"]')).to_be_visible()
    expect(row).to_contain_text("overpaid $100.00")
    assert page.evaluate(WIDE) == [0]
    boxes = page.evaluate(SUMS)
    assert len(boxes) == 4 * page.locator(".payout tbody tr").count()
    assert all(0 <= one["left"] < one["right"] <= 390 for one in boxes)
    line = [one["top"] for one in boxes[:4]]
    assert max(line) - min(line) < 1, "stake, due, moved and difference stand beside each other"
    assert fits(page)
    assert axe(page) == []
