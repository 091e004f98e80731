"""A tab that was asleep is brought up to date when it is seen again, and nothing moves under the hand for it."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from playwright.sync_api import Page, expect

from dashboards.ledger.acts import Acknowledged, Disposed, Withheld
from tests.browser.conftest import PageOf
from tests.browser.proxy import Link
from tests.browser.site import Site, a_finding
from tests.browser.test_alerts import live, rows

PLACES = """() => [...document.querySelectorAll("#rows tbody tr")].map(
  row => [row.dataset.key, row.getBoundingClientRect().y]
)"""
WHICH = {
    name: f"RT-{number}" for number, name in enumerate(("kept", "acked", "closed", "withheld", "last"), 1)
}
GONE = "Open no more, or not for you to see"


@pytest.fixture
def asleep(empty_site: Site, link: Link, page_of: PageOf) -> Page:
    """A page whose list someone was at, and which then fell asleep: its timers stand still, and its link is cut."""
    for number, table in enumerate(WHICH.values(), 1):
        empty_site.raise_alerts(a_finding(number, f"Alert {number}", subject=table, severity="major"))
    page = page_of("hale", None, origin=empty_site.link_origin)
    page.clock.install()
    page.goto("/")
    live(page)
    expect(rows(page)).to_have_count(5)
    page.keyboard.press("j")
    expect(page.locator("#order")).to_contain_text("Order is held")
    page.clock.pause_at(dt.datetime.now(dt.UTC) + dt.timedelta(seconds=2))
    link.be("cut")
    return page


def seen_again(page: Page) -> None:
    """As Chromium tells a tab."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def line(name: str) -> str:
    return f"#rows tbody tr:nth-child({list(WHICH).index(name) + 1})"


def meanwhile(site: Site, withheld: bool) -> None:
    """What others do while it sleeps; one alert may be withheld."""
    found = {one.finding.subject: one.id for one in site.desk.snapshot().alerts}
    site.desk.act(Acknowledged(alert=found[WHICH["acked"]], version=1), "ito")
    closing = Disposed(alert=found[WHICH["closed"]], version=1, disposition="no error", note="seen on camera")
    site.desk.act(closing, "ito")
    if withheld:
        site.desk.note(Withheld(user="hale", kind="alert", value=found[WHICH["withheld"]]), "ann")
    site.raise_alerts(a_finding(90, "Alert 90", subject="RT-90", severity="critical"))


@pytest.mark.parametrize("all_anew", [False, True], ids=["changes", "snapshot"])
def test_law_7_what_changed_while_a_tab_slept_is_told_in_place(
    empty_site: Site, asleep: Page, link: Link, all_anew: bool
) -> None:
    meanwhile(empty_site, withheld=all_anew)
    if all_anew:  # a server that starts again holds no changes
        empty_site.stop()
        empty_site.start()
    link.be("open")
    asleep.clock.fast_forward("08:00:00")
    seen_again(asleep)
    asleep.clock.resume()
    expect(asleep.locator("#release")).to_have_text("↑ 1 new · 1 critical")
    expect(asleep.locator("#banner")).to_be_hidden()
    said = {name: asleep.locator(f"{line(name)} .c-alert") for name in WHICH}
    tables = {name: asleep.locator(f"{line(name)} .c-table") for name in WHICH}
    expect(asleep.locator(f"{line('acked')} .c-status")).to_contain_text("Ack")
    expect(said["closed"]).to_contain_text(GONE if all_anew else "Alert 3")
    expect(asleep.locator(f"{line('closed')} .c-status")).to_contain_text(
        "Gone" if all_anew else "Closed by ito"
    )
    expect(said["withheld"]).to_contain_text(GONE if all_anew else "Alert 4")
    for name in ("kept", "acked", "last") if all_anew else WHICH:
        expect(tables[name]).to_have_text(WHICH[name])
    expect(rows(asleep)).to_have_count(5)
    expect(asleep.locator('.tabs [data-tab="open"] b')).to_have_text("4" if all_anew else "5")
    asleep.keyboard.press("n")
    expect(rows(asleep)).to_have_count(4 if all_anew else 5)
    expect(rows(asleep).first.locator(".c-table")).to_have_text("RT-90")
    expect(asleep.locator("#rows")).not_to_contain_text(GONE)


def test_a_tab_that_is_seen_again_without_a_link_says_at_once_since_when(asleep: Page, link: Link) -> None:
    before = asleep.evaluate(PLACES)
    asleep.clock.set_system_time(dt.datetime.now(dt.UTC) + dt.timedelta(hours=26))
    expect(asleep.locator("#banner")).to_be_hidden()
    seen_again(asleep)  # its timers have not run yet
    expect(asleep.locator("#banner")).to_have_text(
        re.compile(r"^Not live since \d+ \w+ \d\d:\d\d:\d\d UTC: what is shown may be out of date")
    )
    expect(asleep.locator("#live")).not_to_contain_text("Live")
    asleep.clock.resume()
    link.be("open")
    expect(asleep.locator("#banner")).to_be_hidden()
    expect(asleep.locator("#live")).to_contain_text("Live")
    assert asleep.evaluate(PLACES) == before
