"""What is withheld goes from open consoles: the live queue though it is held, the panel beside it, an alert's page."""

from playwright.sync_api import expect

from dashboards.ledger.acts import Withheld
from tests.browser.conftest import PageOf
from tests.browser.site import Site
from tests.browser.test_alerts import TRAY, live, row


def withhold(site: Site) -> None:
    """The table of the tray's alerts, from hale."""
    site.desk.note(Withheld(user="hale", kind="table", value="BJ-19", reason="related"), "ann")


def test_a_withheld_table_goes_from_the_queue_though_its_order_is_held_and_from_the_panel(
    served: Site, page_of: PageOf
) -> None:
    page = live(page_of("hale"))
    page.locator("#hold").click()
    row(page, TRAY).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#panel")).to_contain_text("BJ-19")
    others = page.locator("#rows").get_by_text("BJ-12").count()
    withhold(served)
    expect(row(page, TRAY)).to_have_count(0)
    expect(page.locator("#panel")).to_contain_text("not for you to see")
    expect(page.get_by_text("BJ-19")).to_have_count(0)
    expect(page.locator("#rows").get_by_text("BJ-12")).to_have_count(others)


def test_a_withheld_alert_goes_from_its_own_page(served: Site, page_of: PageOf) -> None:
    alert = next(one for one in served.desk.snapshot().alerts if one.finding.subject == "BJ-19")
    page = page_of("hale", f"/alerts/{alert.id}")
    expect(page.get_by_text("Chip tray is short").first).to_be_visible()
    page.wait_for_timeout(1_000)
    withhold(served)
    expect(page.get_by_text("Chip tray is short")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_contain_text("No such alert")
