"""What was typed for an act is kept by a conflict, a cut link and a sign-out, and says what others did meanwhile."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from dashboards.ledger.acts import Acknowledged
from tests.browser.conftest import PageOf
from tests.browser.proxy import Link
from tests.browser.site import Site, a_finding
from tests.browser.test_alerts import live, row
from tests.waiting import until

TYPED = "seen on camera 12, the floor was told"


@pytest.fixture
def writing(empty_site: Site, link: Link, page_of: PageOf) -> Page:
    """A page on which hale has typed a note and not sent it."""
    empty_site.raise_alerts(
        a_finding(1, "Paid short", subject="BJ-7"), a_finding(2, "Late bet", subject="BJ-8")
    )
    page = live(page_of("hale", origin=empty_site.link_origin))
    row(page, "Paid short").locator(".c-table").click()
    expect(page.locator("#panel .says")).to_have_text("Paid short")
    page.keyboard.press("w")
    note(page).fill(TYPED)
    return page


def note(page: Page) -> Locator:
    return page.get_by_role("dialog").get_by_label("Note")


def send(page: Page) -> None:
    page.get_by_role("dialog").get_by_role("button", name="Note").click()


def noted(site: Site) -> list[str]:
    return [one.last_act for one in site.desk.snapshot().alerts if one.finding.subject == "BJ-7"]


def test_law_14_a_conflict_keeps_what_was_typed_and_says_who_was_faster(
    empty_site: Site, writing: Page, link: Link
) -> None:
    taken = next(one for one in empty_site.desk.snapshot().alerts if one.finding.subject == "BJ-7")
    empty_site.desk.act(Acknowledged(alert=taken.id, version=1), "ito")
    expect(writing.locator('.tabs [data-tab="acked"] b')).to_have_text("1")
    send(writing)
    expect(writing.get_by_role("dialog").get_by_role("alert")).to_contain_text("Taken by ito")
    expect(note(writing)).to_have_value(TYPED)
    send(writing)
    expect(writing.get_by_role("dialog")).to_have_count(0)
    until(lambda: noted(empty_site) == ["noted"])


def test_law_14_a_cut_link_keeps_what_was_typed(empty_site: Site, writing: Page, link: Link) -> None:
    link.be("cut")
    send(writing)
    expect(writing.get_by_role("dialog").get_by_role("alert")).to_contain_text("the console does not answer")
    expect(note(writing)).to_have_value(TYPED)
    link.be("open")
    expect(writing.locator("#banner")).to_be_hidden()
    send(writing)
    expect(writing.get_by_role("dialog")).to_have_count(0)
    until(lambda: noted(empty_site) == ["noted"])


@pytest.mark.parametrize("user", ["hale", "ito"])
def test_law_14_a_sign_out_keeps_what_was_typed_for_whoever_typed_it(
    empty_site: Site, writing: Page, link: Link, user: str
) -> None:
    assert empty_site.console is not None
    token = next(one["value"] for one in writing.context.cookies() if one["name"] == "catwalk")
    empty_site.console.accounts.sign_ins.end(token)
    writing.wait_for_url("**/sign-in", timeout=15_000)
    taken = next(one for one in empty_site.desk.snapshot().alerts if one.finding.subject == "BJ-7")
    empty_site.desk.act(Acknowledged(alert=taken.id, version=1), "ito")
    cookie: Any = {"name": "catwalk", "value": empty_site.sign_in(user), "url": empty_site.link_origin}
    writing.context.add_cookies([cookie])
    writing.goto("/")
    if user == "ito":
        live(writing)
        expect(writing.locator("#fitting")).to_have_text("2 alerts")
        expect(writing.get_by_role("dialog")).to_have_count(0)
        return
    expect(writing.get_by_role("dialog").get_by_role("alert")).to_have_text(
        "Not sent: you were signed out. Meanwhile: acknowledged by ito."
    )
    expect(note(writing)).to_have_value(TYPED)
    send(writing)
    until(lambda: noted(empty_site) == ["noted"])
