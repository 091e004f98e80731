"""`catwalk demo` as someone meets it who has just installed it: a link, the desk, alerts that come by themselves."""

import datetime as dt
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from deploy.demo.tables import gaming_day_at
from tests.browser.screenshots import demonstration, enter
from tests.commands.demonstrations import Demonstrated, copy_of, demonstrated
from tests.sampling import one_in

__all__ = ["demonstrated"]  # a fixture

SOON = 30_000  # ms; at twenty times their pace two tables make a breach every few seconds


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory, demonstrated: Demonstrated) -> Iterator[dict[str, str]]:
    """What a demonstration that goes on says of its console."""
    folder = copy_of(demonstrated, tmp_path_factory.mktemp("demo"))
    with demonstration(folder, "--speed", "100") as told:
        yield told


def entered(chrome: Browser, said: dict[str, str], role: str) -> Page:
    return enter(chrome, said[role], "wall", "dark")


@pytest.fixture(scope="module")
def page(chrome: Browser, said: dict[str, str]) -> Iterator[Page]:
    """A page of surveillance, who came in by their link: it is good once."""
    page = entered(chrome, said, "surveillance")
    yield page
    page.context.close()


def test_by_its_link_surveillance_sees_alerts_of_the_day_before_and_new_ones_come(
    chrome: Browser, said: dict[str, str], page: Page
) -> None:
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


def test_the_first_screen_says_how_fast_play_runs_and_what_day_it_is_there(page: Page) -> None:
    page.locator(".brand").click()
    told = page.locator("#play-told")
    expect(told).to_contain_text("Demonstration: play runs 100 times as fast as at a real table.")
    at = None
    for _ in range(60):  # on a busy machine the day before is still being dealt, and it says so
        at = re.search(r"At the tables it is (\w+, \d+ \w+ \d{4}), \d\d:\d\d E[SD]T", told.inner_text())
        if at is not None:
            break
        expect(told).to_contain_text("The day before is being dealt.")
        page.wait_for_timeout(1_000)
        page.reload()
    assert at is not None, "the day before is dealt by now"
    day = dt.datetime.strptime(at[1], "%A, %d %B %Y").replace(tzinfo=dt.UTC).date()
    assert day - gaming_day_at(dt.datetime.now(dt.UTC)) in (dt.timedelta(0), dt.timedelta(days=1))
    page.get_by_role("navigation", name="Sections").get_by_role("link", name="Health").click()
    expect(page.locator("#live")).not_to_contain_text("which is not now")


def test_the_first_screen_says_what_to_look_at_first(page: Page) -> None:
    page.locator(".brand").click()
    page.get_by_text("Where to look first").click()
    offered = page.locator(".look-first a").all_inner_texts()
    assert [one.split(":")[0] for one in offered] == ["Alerts", "Disputes"], (
        "what there is, and this role sees"
    )
    page.get_by_text("Disputes: one is under review").click()
    expect(page.get_by_role("heading", name="Disputes", level=1)).to_be_visible()


def test_disputes_lie_there_and_lead_to_their_hand_with_a_link_to_its_cameras(page: Page) -> None:
    page.get_by_role("navigation", name="Sections").get_by_role("link", name="Disputes").click()
    reviewed = page.get_by_role("row").filter(has_text="was not settled as the cards lay")
    expect(reviewed).to_be_visible()
    reviewed.get_by_role("link", name="DIS-").click()
    expect(
        page.get_by_text(
            re.compile(r"\$[\d.,]+ is owed to the patron by the record; \$[\d.,]+ is still to be paid")
        )
    ).to_be_visible()
    page.get_by_role("link", name="Replayer").click()
    camera = page.locator("#video").get_by_role("link").first
    expect(camera).to_have_text(re.compile(r"C-\d{4}"))
    assert (camera.get_attribute("href") or "").startswith("https://video.example/C-00")


@pytest.mark.parametrize(
    ("role", "section"),
    one_in(2, [("floor", "Tables"), ("revenue", "Revenue"), ("auditor", "Audit log"), ("admin", "Users")]),
)
def test_each_role_has_its_sections(chrome: Browser, said: dict[str, str], role: str, section: str) -> None:
    page = entered(chrome, said, role)
    page.get_by_role("navigation", name="Sections").get_by_role("link", name=section).click()
    expect(page.get_by_role("heading", level=1).first).to_be_visible()
    page.context.close()
