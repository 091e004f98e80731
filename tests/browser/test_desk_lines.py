"""What the desk does for those who work there and has no other page of tests: each named after what is done."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from dashboards.ledger.acts import Raised
from deploy.console.case_files import FolderFiles
from deploy.console.hand_ports import duties_by_ruleset, solve_rack
from tests.browser.conftest import PageOf
from tests.browser.site import Site, a_finding
from tests.browser.test_alerts import live, row, rows
from tests.embedded.ledgers import lines_of
from tests.hands.stored import renamed

STREAMS = {"FB-12": lines_of("breach_dealer22_paid"), "BJ-20": renamed("breach_surrender_after_hit", "BJ-20")}
RETURNED = "$100.00 was to be returned"
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 40


@pytest.fixture
def settings(tmp_path: Any) -> dict[str, Any]:
    files = FolderFiles(tmp_path / "files")
    return {"duties": duties_by_ruleset(), "solve_rack": solve_rack, "files": files}


def test_a_critical_finding_that_is_not_proven_is_an_alert_and_says_what_is_missing(
    played: Site, page_of: PageOf
) -> None:
    device = "integrity.device"
    played.raise_alerts(a_finding(7, "The shoe is silent", check=device, severity="critical", money_cents=0))
    page = live(page_of("hale"))
    unproven = rows(page).filter(has_text="Not proven: ")
    expect(unproven).to_have_count(3)
    expect(row(page, "The shoe is silent")).to_contain_text("Critical")
    unproven.first.locator(".c-table").click()
    expect(page.locator("#panel .sentence")).to_contain_text(
        "Not proven (may only follow from an earlier finding)"
    )


def test_law_3_counts_follow_the_filter(played: Site, page_of: PageOf) -> None:
    played.raise_alerts(a_finding(8, "Late bet", subject="BJ-20", severity="minor"))
    page = live(page_of("hale"))
    tab, minor, fitting = (
        page.locator(one) for one in ('.tabs [data-tab="open"] b', '[data-severity="minor"]', "#fitting")
    )
    expect(fitting).to_have_text("6 alerts")
    page.get_by_label("Filter by table").fill("table:FB-12")
    for place, text in ((fitting, "1 of 6 alerts fit the filter"), (tab, "1"), (minor, "0")):
        expect(place).to_have_text(text)
    page.get_by_label("Filter by table").fill("table:BJ-20")
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    for place, text in ((fitting, "4 of 6 alerts fit the filter"), (tab, "4"), (minor, "1")):
        expect(place).to_have_text(text)


def test_time_is_a_word_a_search_is_saved_and_columns_are_a_persons_own(
    played: Site, page_of: PageOf
) -> None:
    old = a_finding(9, "Dealt an hour before", subject="BJ-20", severity="minor")
    at = max(one.decided_at for one in played.desk.snapshot().alerts)
    earlier = Raised(finding=old, decided_at=at - dt.timedelta(hours=1), dealer="D-7")
    played.desk.raise_alerts([earlier])
    page = live(page_of("hale"))
    words, fitting = page.get_by_label("Filter by table"), page.locator("#fitting")
    words.fill("1 hour ago")
    expect(page.locator("#understood")).to_contain_text("EST")
    expect(fitting).to_have_text("1 of 6 alerts fit the filter")
    expect(row(page, "Dealt an hour before")).to_be_visible()
    words.fill("dealer:D-301 1 hour ago")
    expect(fitting).to_have_text("0 of 6 alerts fit the filter")
    words.fill("25:00")
    expect(page.locator("#unread")).to_contain_text("“time:25:00” is no time: 25:00 is no time of a day")
    words.fill("last 2 hours minor")
    expect(fitting).to_have_text("1 of 6 alerts fit the filter")
    page.locator(".choices summary", has_text="Searches").click()
    page.get_by_label("Save this search as").fill("Late minor ones")
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_load_state()
    live(page).goto("/")
    page.locator(".choices summary", has_text="Searches").click()
    page.get_by_role("link", name="Late minor ones").click()
    expect(words).to_have_value("last 2 hours minor")
    page.locator(".choices summary", has_text="Columns").click()
    for column, place in (("Severity", "9"), ("State", "8"), ("Seat", "0"), ("Money", "1")):
        page.get_by_label(column, exact=True).last.fill(place)
    page.get_by_role("button", name="Show these").click()
    page.wait_for_load_state()
    live(page)
    expect(row(page, "Dealt an hour before")).to_be_visible()
    cells = (
        row(page, "Dealt an hour before")
        .locator("td")
        .evaluate_all("all => all.map(one => one.className.split(' ')[0])")
    )
    assert cells[0] == "c-owed"
    assert cells[-1] == "c-severity"
    assert "c-seat" not in cells
    page.keyboard.press("Control+k")
    page.get_by_role("dialog").get_by_role("textbox").fill("dealer:D-7 state:new")
    page.keyboard.press("Enter")
    page.wait_for_url("**/find**")
    expect(page.locator(".lists")).to_contain_text("Alerts: 1 of 6 open fit")


def test_law_5_money_has_one_wording_and_a_page_one_clock(played: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    expect(row(page, RETURNED)).to_contain_text("overpaid 100.00")
    row(page, RETURNED).locator(".c-table").click()
    expect(row(page, RETURNED).locator(".c-event")).to_be_visible()
    expect(page.locator("#panel")).to_contain_text("overpaid $100.00")
    for path in ("/dealers/D-301", "/shift", "/hands?table=FB-12&round=12"):
        page.goto(path)
        said = page.locator("main").inner_text()
        assert "UTC" not in said, path
        assert " EST" in said, path
        assert not re.search(r"[−-]\$?\d+\.\d\d", said), path
        assert ("won $" if "hands" in path else "overpaid $100.00") in said, path


def test_a_case_from_an_alert_with_a_file_and_its_pdf(played: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    row(page, RETURNED).locator(".c-table").click()
    page.locator("#panel").get_by_role("link", name="Put into a case").click()
    page.get_by_role("button", name="Open the case").click()
    page.wait_for_url("**/cases/CASE-0001")
    page.locator("details:has(#f-file) summary").click()
    page.locator("#f-file").set_input_files({"name": "slip.png", "mimeType": "image/png", "buffer": PNG})
    page.get_by_role("button", name="Attach it").click()
    expect(page.locator("main")).to_contain_text("slip.png")
    page.wait_for_load_state()
    with page.expect_download() as printing:
        page.keyboard.press("p")
    assert printing.value.path().read_bytes().startswith(b"%PDF-")
    page.goto("/cases?q=dealer")
    expect(page.locator("main")).to_contain_text("CASE-0001")


def test_from_an_alert_to_its_dealer_and_table_and_who_looked(played: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    row(page, RETURNED).locator(".c-table").click()
    page.locator("#panel").get_by_role("link", name="D-301").click()
    expect(page.get_by_role("heading", name="Dealer D-301")).to_be_visible()
    expect(page.locator("main")).to_contain_text("overpaid $100.00")
    page.get_by_role("link", name="FB-12").first.click()
    expect(page.get_by_role("heading", name="FB-12").first).to_be_visible()
    log = page_of("otto", "/log?about=dealer+D-301")
    expect(log.locator("tbody tr")).to_have_count(1)
    expect(log.locator("tbody tr .who")).to_have_text("hale")


def test_trends_are_a_heat_map_by_hour_with_its_numbers(played: Site, page_of: PageOf) -> None:
    page = page_of("hale", "/shift")
    page.wait_for_load_state()
    page.keyboard.press("t")
    page.wait_for_url("**/shift/trends")
    for by, name in (("dealer", "D-301"), ("check", "settlement.stake")):
        page.goto(f"/shift/trends?by={by}")
        expect(page.locator("main svg").first).to_be_visible()
        expect(page.locator("main")).to_contain_text(name)


def test_a_check_is_tuned_by_two_until_an_end_and_the_queue_says_so(played: Site, page_of: PageOf) -> None:
    page = page_of("hale", "/tuning")
    page.get_by_label("Check", exact=True).select_option("settlement.stake")
    page.get_by_label("How its alerts are handled").select_option("group")
    page.get_by_label("For how many days").fill("3")
    page.get_by_label("Why").fill("The layout is being mended.")
    page.get_by_role("button", name="Ask for it").click()
    expect(page.locator("main")).to_contain_text("TUNE-0001")
    expect(page.get_by_role("button", name="Confirm")).to_have_count(0)
    second = page_of("ito")
    expect(second.locator(".tuned")).to_contain_text("Asked for, not in force: settlement.stake, group")
    second.goto("/tuning")
    second.get_by_role("button", name="Confirm").click()
    page.goto("/")
    expect(page.locator(".tuned")).to_contain_text("Tuned: settlement.stake, group, until")


def test_the_log_names_things_and_one_look_is_one_record(played: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    row(page, RETURNED).locator(".c-table").click()
    expect(page.locator("#panel .felt > svg")).to_be_visible()
    log = page_of("otto", "/log?who=hale&what=alert+viewed")
    expect(log.locator("tbody tr")).to_have_count(1)
    expect(log.locator("tbody tr .about")).to_contain_text("FB-12 round 12 seat 6: ")
    log.locator("#who").fill("hal")
    log.keyboard.press("Enter")
    expect(log.locator("main")).to_contain_text("Nobody of the name hal is on record")
    expect(log.get_by_role("link", name="hale", exact=True)).to_be_visible()
