"""The laws of the queue that a browser alone can show: nothing is cut off, nothing moves, what is aimed at is hit."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, expect

from dashboards.ledger.acts import Acknowledged
from tests.browser.conftest import PageOf
from tests.browser.site import Site, a_finding
from tests.browser.test_alerts import live, rows
from tests.waiting import PATIENCE

LINE = 38.0  # px
SHOWN = """() => {
  const box = document.querySelector('.rows').getBoundingClientRect();
  const head = document.querySelector('#rows th').getBoundingClientRect().bottom;
  const whole = [...document.querySelectorAll('#rows tbody tr')].map(row => row.getBoundingClientRect());
  return whole.filter(row => row.top >= head - 0.5 && row.bottom <= box.bottom + 0.5).length;
}"""
HEIGHTS = (
    "() => [...document.querySelectorAll('#rows tbody tr')].map(row => row.getBoundingClientRect().height)"
)
AT = "([x, y]) => document.elementFromPoint(x, y).closest('tr').dataset.key"
BANNER = """() => {
  const make = (tag, fields, ...inside) => {
    const made = Object.assign(document.createElement(tag), fields);
    made.append(...inside);
    return made;
  };
  const told = make('p', {className: 'play'}, 'A demonstration');
  const first = make('details', {className: 'choices look-first'}, make('summary', {}, 'Where to look first'));
  document.getElementById('main').before(make('div', {className: 'playing'}, told, first));
}"""


def raise_lines(site: Site, many: int, first: int = 1, severity: Any = "minor") -> None:
    """So many alerts, each a line of its own."""
    said = "Hand {}.1 was paid $220.00; $200.00 was due, as the dealer is over 22 and the hand has 19"
    site.raise_alerts(
        *(
            a_finding(n, said.format(n), subject=f"RT-{n}", severity=severity, money_cents=100 * n)
            for n in range(first, first + many)
        )
    )


def place_of(page: Page, row: int) -> list[float]:
    """A point in the middle of a line's words."""
    box = rows(page).nth(row).locator(".c-alert").bounding_box()
    assert box is not None
    return [box["x"] + 60, box["y"] + box["height"] / 2]


def opened(page: Page) -> str:
    """The alert that the panel shows."""
    expect(page.locator("#panel [data-alert]")).to_be_visible()
    return str(page.locator("#panel [data-alert]").get_attribute("data-alert"))


@pytest.mark.parametrize(("size", "least"), [("desk", 13), ("wall", 18)])
def test_lines_of_one_height_are_in_view_with_the_panel_open(
    empty_site: Site, page_of: PageOf, size: str, least: int
) -> None:
    raise_lines(empty_site, 60)
    long = "Words that no line of the list has room for stand in the title of their cell, " * 3
    empty_site.raise_alerts(a_finding(900, long.strip(), severity="critical"))
    page = live(page_of("hale", size=size))
    rows(page).nth(2).locator(".c-table").click()
    opened(page)
    without = page.evaluate(SHOWN)
    page.evaluate(BANNER)
    assert without >= page.evaluate(SHOWN) >= least
    assert set(page.evaluate(HEIGHTS)) == {LINE}
    plain = page_of("hale", size=size, java_script_enabled=False)
    assert set(plain.evaluate(HEIGHTS)) == {LINE}
    cut = rows(page).first.locator(".c-alert a")
    assert cut.evaluate("place => place.scrollWidth > place.clientWidth"), (
        "it is cut, and its title has it whole"
    )
    expect(cut).to_have_attribute("title", cut.inner_text())


@pytest.mark.parametrize("size", ["desk", "wall"])
def test_law_7_nothing_moves_under_the_pointer(empty_site: Site, page_of: PageOf, size: str) -> None:
    raise_lines(empty_site, 60)
    page = live(page_of("hale", size=size))
    page.locator(".rows").evaluate("place => place.scrollTo(0, 19 * 38 + 7)")
    page.mouse.move(*(place := [400, 420]))
    page.wait_for_timeout(400)
    key = page.evaluate(AT, place)
    where = f"document.querySelector('tr[data-key=\"{key}\"]').getBoundingClientRect().y"
    before = page.evaluate(where)

    def still() -> None:
        assert page.evaluate(AT, place) == key
        assert page.evaluate(where) == before

    page.mouse.click(*place)
    opened(page)
    still()
    raise_lines(empty_site, 30, 1_000, "critical")
    expect(page.locator("#release")).to_have_text("↑ 30 new · 30 critical")
    still()
    shown = next(one for one in empty_site.desk.snapshot().alerts if one.finding.subject == "RT-1")
    empty_site.desk.act(Acknowledged(alert=shown.id, version=1), "ito")
    expect(page.locator('.tabs [data-tab="acked"] b')).to_have_text("1")
    still()
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_be_hidden()
    still()


def test_law_8_a_double_click_is_of_the_line_it_was_aimed_at(empty_site: Site, page_of: PageOf) -> None:
    raise_lines(empty_site, 40)
    page = live(page_of("hale"))
    rows(page).nth(5).locator(".c-table").click()
    opened(page)
    expect(rows(page).nth(7).locator(".quick")).to_be_hidden()
    button = page.locator('#panel [data-do="acknowledged"]').bounding_box()
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_be_hidden()
    assert button is not None
    for place in (place_of(page, 3), [button["x"] + 8, button["y"] + 8]):
        table = page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y).closest('tr').children[4].textContent", place
        )
        alert = next(one for one in empty_site.desk.snapshot().alerts if one.finding.subject == table)
        page.mouse.dblclick(*place, delay=150)
        expect(page.locator(f'#panel [data-alert="{alert.id}"]')).to_be_visible()
        page.wait_for_timeout(300)
        assert {one.status for one in empty_site.desk.snapshot().alerts} == {"new"}, (
            "it opens, and acts on nothing"
        )
        page.keyboard.press("Escape")
        expect(page.locator("#panel")).to_be_hidden()


def test_law_6_of_ten_thousand_lines_few_are_drawn_and_the_last_is_reached(
    empty_site: Site, page_of: PageOf
) -> None:
    many = 10_000
    raise_lines(empty_site, many)
    page = page_of("hale")
    page.locator("#rows tbody tr[data-key]").first.wait_for(timeout=PATIENCE * 1_000)  # others compute too
    live(page)
    expect(page.locator("#fitting")).to_have_text(f"{many} alerts")
    place = page.locator(".rows")
    expect(page.locator("#rows")).to_have_attribute("aria-rowcount", str(many + 1))
    high = place.evaluate("place => place.scrollHeight")
    assert abs(high - (30 + many * LINE)) < 3, "the scrollbar tells the truth"
    for where in (0.0, 0.25, 0.5, 0.999, 1.0):
        place.evaluate("(place, where) => place.scrollTo(0, where * place.scrollHeight)", where)
        page.wait_for_function(f"() => ({SHOWN})() >= 18")
        assert rows(page).count() < 80
        assert place.evaluate("place => place.scrollHeight") == high
    expect(page.locator(f'#rows tr[aria-rowindex="{many + 1}"]')).to_be_in_viewport()

    place.evaluate("place => place.scrollTo(0, 0)")
    page.wait_for_function(
        "() => document.querySelector('#rows tbody tr').getAttribute('aria-rowindex') === '2'"
    )
    page.keyboard.press("j")
    page.keyboard.press("x")
    page.keyboard.press("End")
    expect(page.locator(":focus")).to_have_attribute("aria-rowindex", str(many + 1))
    expect(page.locator(":focus")).to_be_in_viewport()
    page.keyboard.press("Shift+K")
    page.keyboard.press("Home")
    expect(page.locator(":focus")).to_have_attribute("aria-rowindex", "2")
    expect(page.locator(":focus")).to_have_attribute("aria-selected", "true")
    place.evaluate("place => place.scrollTo(0, place.scrollHeight / 2)")
    page.wait_for_function("() => document.activeElement.tagName === 'TBODY'")
    page.keyboard.press("j")
    expect(page.locator(":focus")).to_have_attribute("aria-rowindex", "3")
    expect(page.locator(":focus")).to_be_in_viewport()
    page.keyboard.press("a")
    expect(page.get_by_role("dialog")).to_contain_text("3 alerts")


@pytest.mark.parametrize("size", ["wall", "phone"])
def test_law_9_what_is_new_is_brought_to_the_head_marked_until_it_was_seen(
    empty_site: Site, page_of: PageOf, size: str
) -> None:
    raise_lines(empty_site, 80, 1, "major")
    page = live(page_of("hale", size=size))
    rows(page).nth(3).hover()
    page.evaluate("document.querySelector('.rows').scrollTo(0, 1500)")
    page.evaluate("document.querySelector('.rows').scrollTop || window.scrollTo(0, 3000)")
    raise_lines(empty_site, 1, 500, "info")
    raise_lines(empty_site, 1, 501, "critical")
    pill = page.locator("#release")
    expect(pill).to_have_text("↑ 2 new · 1 critical")
    expect(pill).to_be_in_viewport()
    if size == "wall":
        head, lies = page.locator("#rows th").first.bounding_box(), pill.bounding_box()
        assert head is not None
        assert lies is not None
        assert head["y"] - 4 <= lies["y"]
        assert lies["y"] + lies["height"] <= head["y"] + head["height"] + 0.5, (
            "over the heading, and over no line"
        )
    page.keyboard.press("n")
    for place, table in ((0, "RT-501"), (1, "RT-500")):
        expect(rows(page).nth(place).locator(".c-table")).to_have_text(table)
        expect(rows(page).nth(place)).to_have_class(re.compile(r"\bcame\b"))
        expect(rows(page).nth(place)).to_be_in_viewport()
    expect(page.locator("#rows .came")).to_have_count(2)
    cut = "cells => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length"
    assert page.locator("#rows .came .c-severity").evaluate_all(cut) == 0, "the severity is read whole"
    expect(pill).to_be_hidden()
    expect(page.locator("#rows .came")).to_have_count(0, timeout=15_000)


def test_law_4_a_severity_that_is_switched_off_still_announces_a_critical_alert(
    empty_site: Site, page_of: PageOf
) -> None:
    raise_lines(empty_site, 5)
    page = live(page_of("hale"))
    page.keyboard.press("1")
    expect(page.get_by_role("checkbox", name="Critical")).not_to_be_checked()
    raise_lines(empty_site, 1, 700, "critical")
    expect(page.locator("#urgent")).to_contain_text("Critical: Hand 700.1 was paid")
    expect(page.locator("#release")).to_have_text("↑ 1 new · 1 critical")
    expect(rows(page)).to_have_count(5)
    page.keyboard.press("n")
    expect(page.get_by_role("checkbox", name="Critical")).to_be_checked()
    expect(rows(page).first.locator(".c-table")).to_have_text("RT-700")
    expect(page.locator("#fitting")).to_have_text("6 alerts")


def test_law_2_the_largest_debt_is_one_click_away(empty_site: Site, page_of: PageOf) -> None:
    raise_lines(empty_site, 40)
    empty_site.raise_alerts(
        *(
            a_finding(n, "Paid wrong", subject="BJ-7", severity="info", money_cents=c)
            for n, c in ((900, 5), (901, -990_000))
        )
    )
    page = live(page_of("hale"))
    heading = page.get_by_role("columnheader", name="Money")
    expect(heading.get_by_role("link")).to_have_attribute(
        "title", "Sorts the largest money first, owed or overpaid; of a line the largest of its alerts"
    )
    heading.get_by_role("link").click()
    expect(rows(page).first.locator(".c-owed")).to_have_text("owed up to 0.05, overpaid up to 9,900.00")
    expect(rows(page).nth(1).locator(".c-owed")).to_have_text("owed 40.00")
    expect(heading).to_have_attribute("aria-sort", "descending")


@pytest.mark.parametrize("size", ["desk", "wall"])
def test_the_panel_has_one_size_and_its_acts_are_always_in_view(
    served: Site, page_of: PageOf, size: str
) -> None:
    page = live(page_of("hale", size=size))
    sizes, panel, bar = set(), page.locator("#panel"), page.locator("#panel .bar")
    for row in range(4):
        rows(page).nth(row).locator(".c-table").click()
        expect(panel.locator(".says")).to_have_text(rows(page).nth(row).locator(".c-alert a").inner_text())
        box = panel.bounding_box()
        assert box is not None
        sizes.add((box["x"], box["y"], box["width"], box["height"]))
        page.locator("#panel .inside").evaluate("place => place.scrollTo(0, place.scrollHeight)")
        expect(bar.get_by_role("button")).to_have_text(
            [re.compile(one) for one in ("Ack", "Assign", "Shelve", "Dispose", "Case", "Note")]
        )
        for button in bar.get_by_role("button").all():
            expect(button).to_be_in_viewport(ratio=1)
            assert button.evaluate("place => place.scrollWidth <= place.clientWidth"), "its words fit"
    ((_, _, width, _),) = sizes
    assert width == pytest.approx({"desk": 0.33 * 1280, "wall": 520}[size], abs=1)


def test_the_panel_tells_due_moved_and_the_difference_and_its_first_clause(
    empty_site: Site, page_of: PageOf
) -> None:
    due, moved = {"outcome": "pay", "cents": 20_000}, {"outcome": "pay", "cents": 22_000}
    found = a_finding(
        1,
        "Hand 2.1 was paid $220.00; $200.00 was due",
        cites=("672a.11(a)", "672a.7(o)(2)"),
        money_cents=-2_000,
    )
    empty_site.raise_alerts(msgspec.structs.replace(found, expected=due, observed=moved))
    page = live(page_of("hale"))
    rows(page).first.locator(".c-table").click()
    figures = page.locator("#panel .figs > div")
    expect(figures).to_have_text(
        [re.compile(one) for one in (r"Due\s*\$200.00", r"Moved\s*\$220.00", r"Overpaid\s*\$20.00")]
    )
    clauses = page.locator("#panel .clause")
    expect(clauses.first).to_contain_text("672a.11(a)#1")
    expect(clauses.first).to_be_visible()
    expect(clauses.last).to_be_hidden()
    page.keyboard.press("p")
    expect(clauses.last).to_be_visible()
    expect(page.locator("#panel .of-alert")).to_contain_text(
        re.compile(r"breached · raised \d+:\d\d ago · New")
    )


def test_a_note_is_kept_from_the_list(served: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    rows(page).nth(1).locator(".c-table").click()
    expect(page.locator("#panel .says")).to_be_visible()
    page.keyboard.press("w")
    page.get_by_role("dialog").get_by_label("Note").fill("camera 12 shows the payout")
    page.get_by_role("dialog").get_by_role("button", name="Note").click()
    expect(page.locator("#told")).to_contain_text("Note kept")
    (noted,) = [one for one in served.desk.snapshot().alerts if one.last_act == "noted"]
    assert noted.status == "new"


def test_law_11_marks_survive_arrivals_and_a_filter_names_those_it_hides(
    empty_site: Site, page_of: PageOf
) -> None:
    raise_lines(empty_site, 6)
    page = live(page_of("hale"))
    for key in ("j", "x", "j", "x", "j", "x"):
        page.keyboard.press(key)
    expect(page.locator("#marked")).to_have_text("3 marked")
    raise_lines(empty_site, 3, 50, "critical")
    expect(page.locator("#release")).to_contain_text("3 new")
    page.keyboard.press("n")
    expect(rows(page)).to_have_count(9)
    expect(page.locator('tr[aria-selected="true"] .c-table')).to_have_text(["RT-1", "RT-2", "RT-3"])
    page.get_by_label("Filter by table").fill("RT-2")
    expect(page.locator("#told")).to_contain_text(
        "No longer marked, as the filter hides them: RT-1, Hand 1.1"
    )
    expect(page.locator("#told")).to_contain_text("; RT-3, Hand 3.1")
    expect(page.locator("#marked")).to_have_text("1 marked")
    page.get_by_label("Filter by table").fill("")
    expect(rows(page)).to_have_count(9)
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    expect(page.get_by_role("dialog").get_by_role("listitem")).to_have_count(1)


def test_law_10_back_restores_line_filter_panel_and_scroll(empty_site: Site, page_of: PageOf) -> None:
    raise_lines(empty_site, 200)
    page = live(page_of("hale"))
    page.keyboard.press("4")
    page.locator(".rows").evaluate("place => place.scrollTo(0, 100 * 38)")
    line = page.locator('#rows tr[aria-rowindex="106"]')
    line.locator(".c-table").click()
    shown, key = opened(page), line.get_attribute("data-key")
    top = page.locator(".rows").evaluate("place => place.scrollTop")
    page.locator("#panel").get_by_role("link", name="Full page").click()
    page.wait_for_url("**/alerts/*")
    page.go_back()
    live(page)
    expect(page.locator(f'#panel [data-alert="{shown}"]')).to_be_visible()
    expect(page.get_by_label("Info")).not_to_be_checked()
    expect(page.locator(f'tr[data-key="{key}"]')).to_be_in_viewport()
    assert page.locator(".rows").evaluate("place => place.scrollTop") == top
    page.keyboard.press("j")
    expect(page.locator(":focus")).to_have_attribute("aria-rowindex", "106")
