"""`catwalk demo` as someone meets it who has just installed it: a link, the desk, alerts that come by themselves."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.screenshots import demonstration, enter

SOON = 30_000  # ms; at twenty times their pace two tables make a breach every few seconds


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """What a demonstration says of its console."""
    folder = tmp_path_factory.mktemp("demo") / "floor"
    with demonstration(folder, "--history", "0.3", "--tables", "3", "--speed", "100") as told:
        yield told


def entered(chrome: Browser, said: dict[str, str], role: str) -> Page:
    return enter(chrome, said[role], "wall", "dark")


def test_by_its_link_surveillance_sees_alerts_of_the_day_before_and_new_ones_come(
    chrome: Browser, said: dict[str, str]
) -> None:
    page = entered(chrome, said, "surveillance")
    rows = page.locator("table.queue [data-id], table.queue tbody tr")
    expect(rows.first).to_be_visible()
    expect(page.locator("#live")).to_contain_text("Live", timeout=SOON)
    before = page.get_by_role("link", name="Open").or_(page.locator("[data-tab=open]")).first.inner_text()
    expect(page.locator("[data-tab=open]").first).not_to_have_text(before, timeout=SOON)
    again = chrome.new_context().new_page()
    again.goto(said["surveillance"])
    again.get_by_role("button", name="Go on").click()
    expect(again.get_by_role("alert")).to_be_visible()
    again.context.close()
    page.context.close()


@pytest.mark.parametrize(
    ("role", "section"),
    [("floor", "Tables"), ("revenue", "Revenue"), ("auditor", "Audit log"), ("admin", "Users")],
)
def test_each_role_has_its_sections(chrome: Browser, said: dict[str, str], role: str, section: str) -> None:
    page = entered(chrome, said, role)
    page.get_by_role("navigation", name="Sections").get_by_role("link", name=section).click()
    expect(page.get_by_role("heading", level=1).first).to_be_visible()
    page.context.close()
