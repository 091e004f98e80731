"""The panel and the page of an alert at their sizes: the clause is in view, money whole, the picture of its measure."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import SIZES, PageOf
from tests.browser.site import Site, a_finding
from tests.browser.test_alerts import live, row, rows
from tests.embedded.ledgers import lines_of
from tests.hands.stored import renamed

STREAMS = {"FB-12": lines_of("breach_dealer22_paid"), "BJ-20": renamed("breach_surrender_after_hit", "BJ-20")}
CUT = "place => place.scrollWidth > place.clientWidth || place.scrollHeight > place.clientHeight"


def drawn(page: Page, place: str) -> None:
    """Wait for the picture."""
    expect(page.locator(f"{place} .felt > svg")).to_be_visible()


@pytest.mark.parametrize("size", ["desk", "wall"])
def test_the_first_line_of_the_clause_is_in_view_above_the_acts(
    played: Site, page_of: PageOf, size: str
) -> None:
    page = live(page_of("hale", size=size))
    for place in range(rows(page).count()):
        rows(page).nth(place).locator(".c-table").click()
        expect(page.locator("#panel .says")).to_have_text(
            rows(page).nth(place).locator(".c-alert a").inner_text()
        )
        drawn(page, "#panel")
        clause, bar = page.locator("#panel .clause").first, page.locator("#panel .bar")
        line, acts = clause.bounding_box(), bar.bounding_box()
        assert line is not None
        assert acts is not None
        assert line["y"] + 20 <= acts["y"], page.locator("#panel .says").inner_text()
        if size == "wall":
            around = page.locator("#panel .around .row").bounding_box()
            assert around is not None
            assert around["y"] + around["height"] <= acts["y"], page.locator("#panel .says").inner_text()
        expect(bar).to_be_in_viewport(ratio=1)
        letters = page.locator("#panel .felt.part > svg")
        for image in letters.all():
            assert 18 * image.evaluate("image => image.getBoundingClientRect().width") / 470 >= 13


@pytest.mark.parametrize("size", ["desk", "wall"])
def test_money_owed_and_overpaid_is_read_whole_beside_the_panel(
    empty_site: Site, page_of: PageOf, size: str
) -> None:
    empty_site.raise_alerts(
        *(
            a_finding(n, "Paid wrong", subject="BJ-7", money_cents=c)
            for n, c in ((1, 1_234_500), (2, -990_000))
        ),
        a_finding(9, "Paid short", subject="BJ-8", money_cents=500),
    )
    page = live(page_of("hale", size=size))
    both = row(page, "Paid wrong")
    for opened in (False, True):
        if opened:
            both.locator(".c-table").click()
            expect(page.locator("#panel .says")).to_be_visible()
        cell = both.locator(".c-owed")
        expect(cell).to_have_text("owed up to 12,345.00, overpaid up to 9,900.00")
        assert not cell.evaluate(CUT), f"panel {'open' if opened else 'closed'}"
        assert both.evaluate("place => place.getBoundingClientRect().height") == 38
    plain = page_of("hale", size=size, java_script_enabled=False)
    assert not row(plain, "Paid wrong").locator(".c-owed").evaluate(CUT)


def test_on_its_own_page_the_picture_is_no_wider_than_it_was_drawn(
    played: Site, page_of: PageOf, fits: Callable[[Page], bool]
) -> None:
    paid = next(one for one in played.desk.snapshot().alerts if one.finding.money_cents)
    page = page_of("hale", f"/alerts/{paid.id}")
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        drawn(page, ".alert-page")
        box = page.locator(".alert-page .felt.part > svg").bounding_box()
        assert box is not None
        assert box["width"] <= 470
        assert box["height"] <= 400
        for figure in page.locator(".figs dt, .figs dd").all():
            assert not figure.evaluate("place => place.scrollWidth > place.parentElement.clientWidth"), width
        assert fits(page)


@pytest.mark.parametrize("size", ["desk", "wall"])
def test_on_its_own_page_what_lies_around_fills_the_half_beside_the_picture(
    played: Site, page_of: PageOf, fits: Callable[[Page], bool], size: str
) -> None:
    paid = next(one for one in played.desk.snapshot().alerts if one.finding.money_cents)
    page = page_of("hale", f"/alerts/{paid.id}", size=size)
    drawn(page, ".alert-page")
    half = {name: page.locator(f".two > {name}").bounding_box() for name in (".panel", "div:last-child")}
    left, right = half[".panel"], half["div:last-child"]
    assert left is not None
    assert right is not None
    assert abs(left["height"] - right["height"]) <= left["height"] / 4, "neither half is left empty"
    for part in (".around", ".again", ".history"):
        place = page.locator(part).bounding_box()
        assert place is not None
        assert place["x"] >= right["x"], part
    picture, facts = (page.locator(f".seen > {name}").bounding_box() for name in (".felt", ".facts"))
    assert picture is not None
    assert facts is not None
    assert facts["x"] >= picture["x"] + picture["width"], "what was expected stands beside the picture"
    letters = page.locator(".alert-page .felt.part > svg")
    assert 18 * letters.evaluate("image => image.getBoundingClientRect().width") / 470 >= 13
    assert fits(page)


def test_on_a_phone_the_own_page_tells_what_happened_then_what_is_done_then_what_lies_around(
    played: Site, page_of: PageOf
) -> None:
    paid = next(one for one in played.desk.snapshot().alerts if one.finding.money_cents)
    page = page_of("hale", f"/alerts/{paid.id}", size="phone")
    drawn(page, ".alert-page")
    order = (".says", ".felt", ".facts", ".clauses", ".acting", ".around", ".again", ".history")
    tops = [page.locator(f".alert-page {one}").first.bounding_box() for one in order]
    assert [one["y"] for one in tops if one] == sorted(one["y"] for one in tops if one)
    assert all(tops)
