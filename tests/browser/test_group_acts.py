"""A line of several alerts: of which it speaks, and that an act touches what its person has open or has confirmed."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from dashboards.ledger.acts import Acknowledged
from tests.browser.conftest import PageOf
from tests.browser.site import Site, a_finding
from tests.browser.test_alerts import PAID, live, row, rows, told
from tests.sampling import one_in
from tests.waiting import until

Axe = Callable[[Page], list[str]]
Shoot = Callable[[Page, str], None]
FIRST, SECOND, THIRD = (f"Hand {n}.1 was paid wrongly" for n in (1, 2, 3))


@pytest.fixture
def two(empty_site: Site) -> Site:
    """One line of two alerts: the older of $1,000, the newer overpaid by $25."""
    empty_site.raise_alerts(a_finding(1, FIRST, money_cents=100_000))
    empty_site.raise_alerts(a_finding(2, SECOND, money_cents=-2_500))
    return empty_site


def states(site: Site) -> dict[str, tuple[str, str | None]]:
    """Status and note of each alert of the test, by its message, open or closed."""
    every = (*site.desk.snapshot().alerts, *site.desk.closed())
    return {one.finding.message: (one.status, one.note) for one in every}


def box(page: Page) -> Locator:
    return page.get_by_role("dialog")


def test_law_13_a_key_on_a_line_of_two_lists_both_and_touches_those_ticked(
    two: Site, page_of: PageOf, axe: Axe, shoot: Shoot
) -> None:
    page = live(page_of("hale"))
    page.keyboard.press("j")
    page.keyboard.press("d")
    listed = box(page).get_by_role("listitem")
    expect(listed).to_have_count(2)
    expect(listed.filter(has_text=FIRST)).to_contain_text("1,000.00")
    expect(listed.first).not_to_contain_text("UTC")  # the heading names the one clock
    expect(listed.filter(has_text=SECOND)).to_contain_text("overpaid $25.00")
    expect(box(page).get_by_text("of each alert")).to_be_visible()
    two.raise_alerts(a_finding(3, THIRD))
    expect(page.locator("#release")).to_contain_text("1 new")
    expect(listed).to_have_count(2)
    box(page).get_by_role("checkbox").nth(0).uncheck()
    expect(box(page).get_by_text("of each alert")).to_be_hidden()
    shoot(page, "group-act")
    assert axe(page) == []
    box(page).get_by_label("What it was").select_option("no error")
    box(page).get_by_label("Note").fill("he was paid at once")
    assert {status for status, _ in states(two).values()} == {"new"}, "nothing is done before it is confirmed"
    box(page).get_by_role("button", name="Dispose (1 alert)").click()
    expect(page.locator("#told")).to_have_text(f"Closed: {SECOND}, BJ-12")
    assert states(two) == {
        FIRST: ("new", None),
        SECOND: ("disposed", "he was paid at once"),
        THIRD: ("new", None),
    }


def test_none_ticked_is_no_act_and_escape_does_nothing(two: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    page.keyboard.press("j")
    page.keyboard.press("a")
    expect(box(page).get_by_role("button", name="Acknowledge (2 alerts)")).to_be_focused()
    for each in box(page).get_by_role("checkbox").all():
        each.uncheck()
    expect(box(page).get_by_role("button", name="Acknowledge (0 alerts)")).to_be_disabled()
    for each in box(page).get_by_role("checkbox").all():
        each.check()
    page.keyboard.press("Escape")
    expect(box(page)).to_have_count(0)
    assert {status for status, _ in states(two).values()} == {"new"}


@pytest.mark.parametrize(
    ("key", "done"),
    one_in(2, [("a", "Acknowledge"), ("s", "Assign"), ("Shift+S", "Assign"), ("z", "Shelve"), ("c", "Add")]),
)
def test_every_key_lists_a_line_of_two_and_one_alert_that_is_open_beside_it_alone(
    two: Site, page_of: PageOf, key: str, done: str
) -> None:
    page = live(page_of("hale"))
    page.keyboard.press("j")
    page.keyboard.press(key)
    expect(box(page).get_by_role("button", name=f"{done} (2 alerts)")).to_be_visible()
    expect(box(page).get_by_role("listitem")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(box(page)).to_have_count(0)
    row(page, SECOND).locator(".c-table").click()
    expect(page.locator("#panel .says")).to_have_text(SECOND)
    page.keyboard.press(key)
    if box(page).count():
        expect(box(page).get_by_role("listitem")).to_have_count(0)
        for field in box(page).get_by_role("textbox").all():
            field.fill("2026-117")
        box(page).get_by_role("button", name=done).click()
    expect(page.locator("#told")).to_contain_text(SECOND)
    changed = [one.finding.message for one in two.desk.snapshot().alerts if one.version > 1]
    assert changed == [SECOND]


def test_the_button_of_a_line_of_two_and_marked_lines_are_listed_first(two: Site, page_of: PageOf) -> None:
    two.raise_alerts(a_finding(9, PAID, subject="BJ-40"))
    page = live(page_of("hale"))
    row(page, SECOND).locator(".quick").click()
    expect(box(page).get_by_role("listitem")).to_have_count(2)
    page.keyboard.press("Escape")
    row(page, PAID).locator(".quick").click()
    expect(page.locator("#told")).to_have_text(f"Acknowledged: {PAID}, BJ-40")
    assert states(two)[SECOND] == ("new", None)
    row(page, PAID).focus()
    page.keyboard.press("x")
    row(page, SECOND).focus()
    page.keyboard.press("x")
    page.keyboard.press("Shift+S")
    expect(box(page)).to_contain_text("Assign to hale: 3 alerts")
    expect(box(page).get_by_role("listitem")).to_have_count(3)
    page.keyboard.press("Enter")
    until(lambda: all(one.owner == "hale" for one in two.desk.snapshot().alerts))


def test_the_undo_of_a_group_act_is_listed_and_the_rest_can_still_be_undone(
    two: Site, page_of: PageOf
) -> None:
    page = live(page_of("hale"))
    page.keyboard.press("j")
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_have_text("Acknowledged: 2 alerts")
    page.keyboard.press("u")
    expect(box(page).get_by_role("listitem")).to_have_count(2)
    box(page).get_by_role("checkbox").nth(0).uncheck()
    box(page).get_by_role("button", name="Undo (1 alert)").click()
    expect(page.locator("#told")).to_contain_text("Undone")
    assert sorted(status for status, _ in states(two).values()) == ["acknowledged", "new"]
    page.keyboard.press("u")
    until(lambda: {status for status, _ in states(two).values()} == {"new"})


def test_law_12_who_was_overtaken_in_a_listed_alert_does_not_touch_it(two: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    page.keyboard.press("j")
    page.keyboard.press("a")
    expect(box(page).get_by_role("listitem")).to_have_count(2)
    first = two.desk.snapshot().alerts[0].id
    two.desk.act(Acknowledged(alert=first, version=1), "ito")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_have_text(re.compile(r"Not done to 1 of 2: Taken by ito \d+ s ago"))
    assert [one.owner for one in two.desk.snapshot().alerts] == ["ito", "hale"]


def shown(page: Page) -> str:
    """The one line of the list, without its age."""
    (only,) = told(page)
    return only


def test_a_line_speaks_of_its_newest_unacknowledged_alert_first_and_live(two: Site, page_of: PageOf) -> None:
    plain = page_of("hale", java_script_enabled=False)

    def first() -> str:
        """The line as the server makes it now, without a script."""
        plain.reload()
        return shown(plain)

    def live_line(title: str) -> str:
        expect(rows(page).first.locator(".c-alert a")).to_have_text(title)
        return shown(page)

    page = live(page_of("hale"))
    assert live_line(SECOND) == first()
    expect(rows(page).first).to_contain_text("×2")
    expect(rows(page).first.locator(".c-owed")).to_have_text("owed up to 1,000.00, overpaid up to 25.00")
    older, newer = two.desk.snapshot().alerts
    two.desk.act(Acknowledged(alert=newer.id, version=1), "ito")
    assert live_line(FIRST) == first()
    assert "1 of 2 new" in shown(page)
    two.desk.act(Acknowledged(alert=older.id, version=1), "ito")
    assert live_line(SECOND) == first()
    two.raise_alerts(a_finding(3, THIRD, money_cents=0))
    assert live_line(THIRD) == first()
    expect(rows(page).first.locator(".c-owed")).to_have_text("owed up to 1,000.00, overpaid up to 25.00")
    page.reload()
    live(page)
    assert live_line(THIRD) == first()


def test_money_of_one_side_is_told_once(empty_site: Site, page_of: PageOf) -> None:
    empty_site.raise_alerts(
        *(a_finding(number, "Paid too much.", money_cents=-100 * number) for number in (5, 20))
    )
    page = live(page_of("hale"))
    expect(rows(page).first.locator(".c-owed")).to_have_text("overpaid up to 20.00")


def test_a_held_line_goes_on_to_its_next_alert_when_the_newest_is_acknowledged(
    two: Site, page_of: PageOf
) -> None:
    page = live(page_of("hale"))
    row(page, SECOND).locator(".c-table").click()
    page.keyboard.press("a")
    expect(page.locator("#order")).to_contain_text("Order is held")
    expect(rows(page).first.locator(".c-alert a")).to_have_text(FIRST)
    expect(page.locator("#panel .says")).to_have_text(SECOND)
    # The feed may tell of the act before its answer does, which would then stand in place of the second's.
    expect(page.locator("#told")).to_have_text(f"Acknowledged: {SECOND}, BJ-12")
    page.keyboard.press("a")
    expect(page.locator("#told")).to_have_text(f"{SECOND}, BJ-12: acknowledged, hale")
    assert states(two)[FIRST] == ("new", None), "a second key does not take what only now has come up"


def test_a_button_of_the_panel_acts_upon_the_alert_that_the_panel_shows(two: Site, page_of: PageOf) -> None:
    two.raise_alerts(a_finding(9, PAID, subject="BJ-40"))
    page = live(page_of("hale"))
    row(page, SECOND).locator(".c-table").click()
    expect(page.locator("#panel .says")).to_have_text(SECOND)
    page.route("**/panel", lambda _: None)  # what is chosen next is asked for, and does not come
    page.keyboard.press("j")
    expect(row(page, PAID)).to_be_focused()
    page.locator("#panel").get_by_role("button", name="Ack").click()
    expect(page.locator("#told")).to_have_text(f"Acknowledged: {SECOND}, BJ-12")
    assert [one.finding.message for one in two.desk.snapshot().alerts if one.version > 1] == [SECOND]


def test_law_8_a_key_on_another_line_than_the_open_alerts_asks_first(two: Site, page_of: PageOf) -> None:
    two.raise_alerts(a_finding(9, PAID, subject="BJ-40"))
    page = live(page_of("hale"))
    row(page, PAID).locator(".c-table").click()
    expect(page.locator("#panel .says")).to_have_text(PAID)
    row(page, SECOND).focus()
    page.keyboard.press("a")
    expect(box(page).get_by_role("listitem")).to_have_count(2)
    page.keyboard.press("Escape")
    row(page, PAID).focus()
    page.keyboard.press("a")
    expect(page.locator("#told")).to_have_text(f"Acknowledged: {PAID}, BJ-40")
