"""What is paid when an alert is closed: the amount that the record owes is offered, to be ticked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace as changed_to
from playwright.sync_api import expect

from dashboards.ledger.acts import ClosingProposed, ClosingWithdrawn, Disposed
from dashboards.reader.question import Reader
from processors.runtime.store.warehouse import Warehouse
from tests.browser.conftest import PageOf
from tests.browser.site import Site
from tests.browser.test_alerts import live
from tests.console.books import store_of
from tests.console.desk_building import a_raise
from tests.console.test_debt_once import owed
from tests.console.test_dispute_letter import NAME, taken
from tests.drawing.streams import changed
from tests.embedded.ledgers import lines_of, subject_of


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    """A record in which the stake of seat 6 was taken where it was to go back."""
    lines = list(changed(tuple(lines_of(NAME)), taken))
    with store_of(tmp_path_factory.mktemp("paid"), {subject_of(NAME): lines}) as store:
        yield store


@pytest.fixture
def records(held: Warehouse) -> Reader:
    return held


def test_the_dialog_that_closes_an_alert_offers_what_is_still_to_be_paid(
    empty_site: Site, page_of: PageOf
) -> None:
    finding = owed()
    empty_site.desk.raise_alerts([a_raise(finding)])
    page = live(page_of("hale"))
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.locator('.of-alert[data-to-pay="10000"]').wait_for()
    page.keyboard.press("d")
    paid = page.get_by_role("checkbox", name="Paid to the patron: $100.00, still to be paid")
    expect(paid).not_to_be_checked()
    paid.check()
    page.get_by_label("What it was").select_option("dealer error")
    page.get_by_label("Note").fill("Paid at the table.")
    page.locator("dialog button.primary").click()
    expect(page.locator("dialog")).to_have_count(0)
    alert = empty_site.desk.alert(finding.finding_id)
    assert alert is not None
    assert (alert.status, alert.money_cents) == ("disposed", 10_000)


def test_the_dialog_says_what_is_beyond_the_debt_and_closes_the_alert_where_that_is_meant(
    empty_site: Site, page_of: PageOf
) -> None:
    finding = owed()
    empty_site.desk.raise_alerts([a_raise(finding)])
    page = live(page_of("hale"))
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.locator('.of-alert[data-to-pay="10000"]').wait_for()
    page.keyboard.press("d")
    page.get_by_label("What it was").select_option("dealer error")
    page.get_by_label("Note").fill("Goodwill.")
    page.get_by_label("Or other money").or_(page.get_by_label("Money, in dollars")).fill("120.00")
    page.get_by_label("that is").select_option("loss")
    page.locator("dialog button.primary").click()
    expect(page.locator("dialog .wrong")).to_contain_text("this pays $20.00 beyond the debt")
    meant = page.get_by_role("checkbox", name="Pay $20.00 beyond the debt: it is meant")
    expect(meant).not_to_be_checked()
    alert = empty_site.desk.alert(finding.finding_id)
    assert alert is not None
    assert alert.open
    meant.check()
    page.locator("dialog button.primary").click()
    expect(page.locator("dialog")).to_have_count(0)
    alert = empty_site.desk.alert(finding.finding_id)
    assert alert is not None
    assert (alert.money_cents, alert.beyond_cents) == (12_000, 2_000)


def test_a_confirmation_is_never_of_another_proposal_than_the_one_that_was_read(
    empty_site: Site, page_of: PageOf
) -> None:
    desk, finding = empty_site.desk, changed_to(owed(), severity="critical")
    other = changed_to(owed(), finding_id="f" * 32)
    desk.raise_alerts([a_raise(finding)])
    proposed: dict[str, Any] = {"alert": finding.finding_id, "disposition": "dealer error", "note": "Paid."}
    desk.act(ClosingProposed(**proposed, version=1, money_cents=10_000), "hale")
    page = live(page_of("ito"))
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.locator('.of-alert[data-status="awaiting"]').wait_for()
    expect(page.locator(".closing")).to_contain_text("lost $100.00")
    desk.raise_alerts([a_raise(other)])
    desk.act(
        Disposed(alert="f" * 32, version=1, disposition="dealer error", note="Paid.", money_cents=10_000),
        "hale",
    )
    page.keyboard.press("y")
    meant = page.get_by_role("checkbox", name="Pay $100.00 beyond the debt: it is meant")
    meant.check()
    desk.act(ClosingWithdrawn(alert=finding.finding_id, version=2), "hale")
    desk.act(ClosingProposed(**proposed, version=3, money_cents=10_001), "hale")
    expect(page.locator(".closing")).to_contain_text("lost $100.01")
    page.locator("dialog button.primary").click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("#told")).to_contain_text("Closing proposed by hale")
    alert = desk.alert(finding.finding_id)
    assert alert is not None
    assert (alert.status, alert.version) == ("awaiting", 4)


def test_a_confirmation_that_a_sign_out_kept_is_not_offered_for_another_proposal(
    empty_site: Site, page_of: PageOf
) -> None:
    desk, finding = empty_site.desk, changed_to(owed(), severity="critical")
    desk.raise_alerts([a_raise(finding)])
    proposed: dict[str, Any] = {"alert": finding.finding_id, "disposition": "dealer error", "note": "Paid."}
    desk.act(ClosingProposed(**proposed, version=1, money_cents=10_000), "hale")
    page = live(page_of("ito"))
    seen = [{"id": finding.finding_id, "version": 2}]
    draft = {
        "act": "closing_confirmed",
        "seen": seen,
        "listed": False,
        "fields": {},
        "given": {},
        "user": "ito",
    }
    page.evaluate("draft => sessionStorage.setItem('catwalk-draft', draft)", json.dumps(draft))
    desk.act(ClosingWithdrawn(alert=finding.finding_id, version=2), "hale")
    desk.act(ClosingProposed(**proposed, version=3, money_cents=10_001), "hale")
    page.reload()
    expect(page.locator("#told")).to_have_text(
        "Not sent: you were signed out. Meanwhile: closing proposed by hale. Read it, then answer it."
    )
    expect(page.locator("dialog")).to_have_count(0)


def test_nothing_is_offered_to_be_ticked_where_nothing_is_to_be_paid(
    empty_site: Site, page_of: PageOf
) -> None:
    empty_site.desk.raise_alerts([a_raise(changed_to(owed(), money_cents=0))])
    page = live(page_of("hale"))
    page.keyboard.press("j")
    page.keyboard.press("d")
    expect(page.get_by_label("What it was")).to_be_visible()
    expect(page.locator("dialog [data-owed]")).to_be_hidden()
