"""Laws of the queue about groups and acts, with two people where two are in it; others stand with their subject."""

from __future__ import annotations

import msgspec
from playwright.sync_api import expect

from dashboards.ledger.acts import ClosingConfirmed, ClosingDeclined, ClosingProposed, Disposed
from tests.browser.conftest import PageOf
from tests.browser.site import Site, a_finding
from tests.browser.test_alerts import live, row, rows
from tests.waiting import until


def alert_of(site: Site, table: str) -> str:
    (found,) = [one.id for one in site.desk.snapshot().alerts if one.finding.subject == table]
    return found


def test_law_1_a_group_says_its_rule_opens_in_place_and_a_pattern_swallows_no_row(
    empty_site: Site, page_of: PageOf
) -> None:
    same = [a_finding(n, f"Paid wrong {n}", subject="BJ-7") for n in (1, 2, 3)]
    pattern = msgspec.structs.replace(
        a_finding(
            9, "D105 pays one patron too much", check="pattern.dealer_mispay.patron", verdict="suspected"
        ),
        round=None,
        about={"dealer": "D105"},
    )
    empty_site.raise_alerts(*same, pattern)
    page = live(page_of("hale"))
    expect(rows(page)).to_have_count(2)
    group = row(page, "Paid wrong").locator(".many")
    expect(group).to_have_attribute("title", "3 alerts of one check in round 7")
    place = row(page, "Paid wrong").bounding_box()
    group.click()
    expect(rows(page)).to_have_count(5)
    members = page.locator(".level-2 .c-alert a").all_inner_texts()
    assert sorted(members) == [f"Round 7: Paid wrong {n}" for n in (1, 2, 3)]
    assert rows(page).filter(has=page.locator('[aria-label*="close"]')).first.bounding_box() == place


def test_law_16_acknowledging_is_no_closing_and_a_new_occurrence_joins_no_closed_group(
    empty_site: Site, page_of: PageOf
) -> None:
    empty_site.raise_alerts(a_finding(1, "Paid wrong", subject="BJ-7"), a_finding(2, "Late", subject="BJ-8"))
    page = live(page_of("hale"))
    row(page, "Paid wrong").locator(".quick").click()
    expect(row(page, "Paid wrong").locator(".c-status")).to_contain_text("Ack hale")
    expect(page.locator('.tabs [data-tab="open"] b')).to_have_text("2")
    seen = Disposed(alert=alert_of(empty_site, "BJ-7"), version=2, disposition="no error", note="seen")
    empty_site.desk.act(seen, "ito")
    expect(page.locator('.tabs [data-tab="open"] b')).to_have_text("1")
    empty_site.raise_alerts(a_finding(3, "Paid wrong again", subject="BJ-7"))
    expect(page.locator("#release")).to_have_text("↑ 1 new")
    page.keyboard.press("n")
    again = row(page, "Paid wrong again")
    expect(again.locator(".c-status")).to_contain_text("New")
    expect(again.locator(".many")).to_be_hidden()
    assert [one.status for one in empty_site.desk.closed()] == ["disposed"]


def test_law_17_who_proposed_is_told_who_declined_and_why(empty_site: Site, page_of: PageOf) -> None:
    empty_site.raise_alerts(a_finding(1, "Paid wrong", subject="BJ-7", severity="critical"))
    page = live(page_of("hale"))
    other = live(page_of("rex"))
    alert = alert_of(empty_site, "BJ-7")
    proposal = ClosingProposed(alert=alert, version=1, disposition="no error", note="seen on camera")
    empty_site.desk.act(proposal, "hale")
    expect(row(page, "Paid wrong")).to_contain_text("hale proposes")
    empty_site.desk.act(ClosingDeclined(alert=alert, version=2, reason="the slip is not signed"), "ito")
    expect(page.locator("#told")).to_have_text(
        "Your closing was declined by ito: the slip is not signed (Paid wrong, BJ-7)"
    )
    expect(page.locator("#urgent")).to_contain_text("declined by ito")
    expect(rows(other).first.locator(".c-status")).to_contain_text("New")
    expect(other.locator("#told")).to_be_empty()


def test_law_15_one_proposes_to_open_it_again_and_another_confirms_with_a_key(
    empty_site: Site, page_of: PageOf
) -> None:
    empty_site.raise_alerts(
        a_finding(1, "Paid wrong", subject="BJ-7", severity="critical"),
        a_finding(2, "Cut late", subject="BJ-8"),
    )
    alert = alert_of(empty_site, "BJ-7")
    empty_site.desk.act(ClosingProposed(alert=alert, version=1, disposition="no error", note="n"), "hale")
    empty_site.desk.act(ClosingConfirmed(alert=alert, version=2), "ito")
    other = live(page_of("ito"))
    page = page_of("hale", f"/alerts/{alert}")
    page.locator("summary", has_text="Open again").click()
    page.get_by_label("Reason").fill("the patron has a witness")
    page.get_by_role("button", name="Propose to open it again").click()
    expect(row(other, "Paid wrong")).to_contain_text("hale would reopen")
    row(other, "Paid wrong").click()
    other.keyboard.press("Enter")
    expect(other.locator("#panel")).to_contain_text("hale proposes to open it again")
    expect(other.locator("#panel")).to_contain_text("the patron has a witness")
    other.keyboard.press("y")
    expect(other.locator("#told")).to_contain_text("Opened again: Paid wrong")
    expect(row(other, "Paid wrong").locator(".c-status")).to_contain_text("New")


def test_law_15_reopening_keeps_what_was_written_and_adds_to_it(empty_site: Site, page_of: PageOf) -> None:
    empty_site.raise_alerts(a_finding(1, "Paid wrong", subject="BJ-7"))
    alert = alert_of(empty_site, "BJ-7")
    empty_site.desk.act(
        Disposed(alert=alert, version=1, disposition="no error", note="seen on camera 12"), "ito"
    )
    page = page_of("hale", f"/alerts/{alert}")
    page.locator("summary", has_text="Open again").click()
    page.get_by_label("Reason").fill("the patron has a witness")
    page.get_by_role("button", name="Open again").click()
    until(lambda: empty_site.desk.closed() == ())
    history = page.locator(".history")
    for kept in ("no error", "seen on camera 12", "the patron has a witness"):
        expect(history).to_contain_text(kept)


def test_law_18_two_people_see_who_has_an_alert_open(empty_site: Site, page_of: PageOf) -> None:
    empty_site.raise_alerts(
        a_finding(1, f"Paid wrong {'and long after ' * 12}", subject="BJ-7"),
        a_finding(2, "Late", subject="BJ-8"),
    )
    hale, ito = live(page_of("hale")), live(page_of("ito"))
    places = [row(hale, one).bounding_box() for one in ("Paid wrong", "Late")]
    row(ito, "Paid wrong").locator(".c-table").click()
    expect(row(hale, "Paid wrong").locator(".c-alert")).to_contain_text("◉ ito")
    assert [row(hale, one).bounding_box() for one in ("Paid wrong", "Late")] == places, "no line moves"
    expect(row(ito, "Paid wrong").locator(".looking")).to_be_empty()
    row(hale, "Paid wrong").locator(".c-table").click()
    expect(hale.locator("#panel")).to_contain_text("ito has it open")
    expect(ito.locator("#panel")).to_contain_text("hale has it open")
    hale.goto(f"{hale.url.split('/?')[0]}/alerts/{alert_of(empty_site, 'BJ-7')}")
    expect(hale.locator("header.of-alert")).to_contain_text("ito has it open")
    row(ito, "Late").locator(".c-table").click()
    expect(hale.locator("[data-looking]")).to_be_empty()
    expect(row(ito, "Paid wrong").locator(".c-alert")).to_contain_text("◉ hale")
    hale.close()
    expect(row(ito, "Paid wrong").locator(".looking")).to_be_empty()
