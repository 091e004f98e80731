"""The floor in the browser: a hundred tables on one screen, five hundred in use, a pulse where something happens."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from dashboards.tables import page as tables_page
from dashboards.tables.floor import TableLine
from deploy.console.server import utc_now
from tests.browser.conftest import PageOf
from tests.browser.site import Site, a_finding

IN_VIEW = """() => [...document.querySelectorAll('.tile')].filter(tile => {
  const box = tile.getBoundingClientRect();
  return box.width > 0 && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
}).length"""


class Floor:
    """The lines of a floor of tables in pits of eight."""

    def __init__(self) -> None:
        self.lines: list[TableLine] = []

    def of(self, tables: int) -> None:
        """A floor of so many."""
        states = ("in a round", "in a round", "open", "closed")
        self.lines = [
            TableLine(
                f"FB-{101 + number}", "Parkside", str(1 + number // 8), "Free Bet Blackjack",
                states[number % 4], f"D-{number:03}", dt.date(2026, 3, 2), 12, 3, number % 312, 312, None,
                utc_now(), int(number == 9),
            )
            for number in range(tables)
        ]  # fmt: skip

    def play(self, number: int) -> None:
        """Something happens at one table."""
        self.lines[number] = replace(
            self.lines[number], round=self.lines[number].round + 1, last_event=utc_now()
        )


@pytest.fixture
def floor(monkeypatch: pytest.MonkeyPatch) -> Floor:
    made = Floor()
    monkeypatch.setattr(tables_page, "floor_lines", lambda *_: tuple(made.lines))
    return made


def test_the_floor_is_a_map_of_100_on_one_screen_and_500_in_use_and_a_list(
    floor: Floor,
    empty_site: Site,
    page_of: PageOf,
    axe: Callable[[Page], list[str]],
    fits: Callable[[Page], bool],
    shoot: Callable[[Page, str], None],
) -> None:
    floor.of(100)
    for number, (subject, severity, cents) in enumerate(
        (("FB-103", "critical", 40_000), ("FB-103", "minor", -2_000), ("FB-120", "major", -125_000)), 1
    ):
        empty_site.raise_alerts(a_finding(number, subject=subject, severity=severity, money_cents=cents))  # type: ignore[arg-type]
    page = page_of("hale", "/tables")
    assert page.evaluate(IN_VIEW) == 100
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.locator("#tile-FB-103 .alerts").inner_text().strip().startswith("2")
    expect(page.locator("#tile-FB-120 .third")).to_contain_text("overpaid $1,250.00")
    expect(page.locator("#tile-FB-110 .trouble")).to_have_text("✕ gap of 1")
    assert axe(page) == []
    shoot(page, "floor-100")
    for theme in ("light", "contrast"):
        page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        assert axe(page) == [], theme
        shoot(page, f"floor-100-{theme}")

    page.evaluate("document.querySelector('#tile-FB-150').same = true")
    page.locator("#tile-FB-101 a").focus()
    floor.play(0)
    expect(page.locator("#tile-FB-101")).to_have_class("tile in-a-round pulsed")
    assert page.evaluate("document.activeElement.textContent") == "FB-101", "what has the focus keeps it"
    assert page.evaluate("document.querySelector('#tile-FB-150').same") is True, "another pit is not touched"
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.textContent") == "FB-102"
    page.get_by_role("link", name="List", exact=True).click()
    expect(page.locator("table.floor tbody tr")).to_have_count(100)
    page.get_by_role("link", name="Map", exact=True).click()

    floor.of(500)
    page.reload()
    expect(page.locator(".tile")).to_have_count(500)
    floor.play(499)
    expect(page.locator("#tile-FB-600")).to_have_class("tile closed pulsed")
    for width, height in ((1280, 720), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert fits(page)
        shoot(page, f"floor-500-{width}")
    page.locator("#tile-FB-600 a").click()
    page.wait_for_url("**/tables/FB-600")
