"""Patterns in the browser: from the list to one suspicion, how its evidence grew, and on to the replayer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from deploy.console.alerting import Raising
from deploy.console.paging import Paging
from deploy.evidence.stored import StoredEvidence
from processors.detectors.paging import ONE_PAGE
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from tests.browser.conftest import PageOf
from tests.browser.site import Site
from tests.embedded.test_people import in_order_of_time, ledger_of

PAGING = Paging(ONE_PAGE, lambda: 2)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChdbWarehouse]:
    held = ChdbWarehouse(tmp_path_factory.mktemp("patterns") / "warehouse")
    held.migrate()
    EmbeddedFold(ledger_of(list(in_order_of_time())), held).catch_up()
    yield held
    held.close()


@pytest.fixture
def settings(store: ChdbWarehouse) -> dict[str, Any]:
    return {
        "patterns": PAGING.families,
        "page_budget": PAGING.asked,
        "evidence": StoredEvidence(store),
    }


@pytest.fixture
def suspecting(empty_site: Site, store: ChdbWarehouse) -> Site:
    """A console at whose desk everything is that the store holds."""
    Raising(empty_site.desk, PAGING).of_store(store)
    return empty_site


def test_a_suspicion_is_found_explained_and_followed_to_the_round_that_weighs_most(
    suspecting: Site,
    page_of: PageOf,
    axe: Callable[..., list[str]],
    fits: Callable[[Page], bool],
    shoot: Callable[[Page, str], None],
) -> None:
    page = page_of("hale", "/")
    page.keyboard.press("g")
    page.keyboard.press("p")
    page.wait_for_url("**/patterns")
    row = page.get_by_role("row").filter(has_text="Dealer mispay: for patrons")
    expect(row).to_contain_text("Dealer D-011")
    expect(row).to_contain_text("at most 1 honest table in 10,000")
    expect(row.get_by_role("link", name="New")).to_be_visible()
    assert axe(page) == []
    shoot(page, "patterns-list")
    page.get_by_role("link", name="What a page costs").click()
    prices = page.get_by_role("region", name="What a page costs")
    expect(prices.get_by_role("row").filter(has_text="Counting")).to_contain_text("10,000 to 1")
    assert axe(page) == []
    shoot(page, "patterns-budget")
    page.get_by_label("False pages a shift").fill("0.0001")
    page.get_by_role("button", name="What would it cost?").click()
    expect(page.get_by_text("This budget would allow 0.0001 false pages a shift")).to_be_visible()
    page.go_back()
    page.go_back()
    row.get_by_role("link", name="Dealer mispay: for patrons").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Dealer mispay: for patrons")
    expect(page.get_by_text("chance allows").first).to_be_visible()
    expect(page.locator("figure.course svg path.evidence")).to_have_count(1)
    expect(page.locator("figure.course svg line.alarm-at")).to_have_count(1)
    expect(page.get_by_role("heading", name="What else may explain it")).to_be_visible()
    expect(page.get_by_role("heading", name="What this detector cannot see")).to_be_visible()
    rounds = page.get_by_role("heading", name="What it names").locator("xpath=..").get_by_role("link")
    assert 1 <= rounds.count() <= 10
    assert axe(page) == []
    for size, (width, height) in {"phone": (390, 844), "desk": (1280, 720)}.items():
        page.set_viewport_size({"width": width, "height": height})
        assert fits(page), size
    shoot(page, "patterns-one")
    named = rounds.first.inner_text()
    rounds.first.click()
    page.wait_for_url("**/hands/**")
    expect(page.get_by_role("heading", level=1)).to_contain_text(named.split(" round ")[0])
    page.go_back()
    page.locator("main").get_by_role("link", name="At the desk", exact=True).click()
    page.wait_for_url("**/alerts/**")
    page.get_by_role("link", name="How the evidence grew").click()
    page.wait_for_url("**/patterns/**")


def test_a_suspicion_that_paged_is_taken_and_noted_on_its_page_by_keys_as_any_alert(
    suspecting: Site, page_of: PageOf, axe: Callable[..., list[str]], fits: Callable[[Page], bool]
) -> None:
    page = page_of("hale", "/patterns")
    page.get_by_role("link", name="Dealer mispay: for patrons").click()
    page.wait_for_url("**/patterns/*")
    acts = page.get_by_role("region", name="What is done")
    expect(acts.get_by_role("button", name="Acknowledge")).to_be_visible()
    page.keyboard.press("a")
    expect(page.get_by_role("region", name="Where it stands")).to_contain_text("Acknowledged, hale")
    page.wait_for_load_state()
    page.keyboard.press("w")
    page.locator('form[data-act="noted"] textarea').fill("looked at the five rounds")
    with page.expect_navigation():
        acts.get_by_role("button", name="Keep note").click()
    assert "/patterns/" in page.url
    worked = page.get_by_text("How it is worked out")
    expect(page.get_by_text("Null hypothesis", exact=True)).to_be_hidden()
    worked.click()
    expect(page.get_by_text("Null hypothesis", exact=True)).to_be_visible()
    page.evaluate("window.scrollTo(0, 0)")  # else a link lies half under the head of the page
    assert axe(page) == []
    for width, height in ((1920, 1080), (1440, 900), (1024, 768), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert fits(page), width
    page.get_by_role("link", name="At the desk").click()
    page.wait_for_url("**/alerts/**")
    expect(page.get_by_text("looked at the five rounds").first).to_be_visible()


def test_the_page_of_a_suspicion_says_who_has_its_alert_open_and_lists_the_keys_of_what_is_there(
    suspecting: Site, page_of: PageOf
) -> None:
    page, ito = page_of("hale", "/patterns"), page_of("ito", "/patterns")
    for one in (page, ito):
        one.get_by_role("link", name="Dealer mispay: for patrons").click()
        one.wait_for_url("**/patterns/*")
    stands = page.get_by_role("region", name="Where it stands")
    expect(stands).to_contain_text("ito has it open")
    expect(ito.get_by_role("region", name="Where it stands")).to_contain_text("hale has it open")
    ito.goto(page.url.replace("/patterns/", "/alerts/"))
    expect(stands).to_contain_text("ito has it open")
    expect(ito.locator("header.of-alert")).to_contain_text("hale has it open")
    assert {"Acknowledge", "Dispose", "Write a note"} <= listed(page)
    assert not {"Open replayer", "Text of the clauses", "Open again", "Undo"} & listed(page)
    assert "Open replayer" in listed(ito)
    ito.close()
    expect(stands.locator("[data-looking]")).to_be_empty()
    page.keyboard.press("d")
    form = page.locator('form[data-act="disposed"]')
    form.get_by_label("What it was").select_option("no error")
    form.get_by_label("Note").fill("a new rule, read otherwise")
    with page.expect_navigation():
        form.get_by_role("button", name="Dispose").click()
    expect(stands).to_contain_text("Closed by hale")
    expect(stands).to_contain_text("a new rule, read otherwise")
    assert listed(page) >= {"Open again", "Undo"}
    assert not {"Acknowledge", "Dispose", "Assign to me"} & listed(page)


def listed(page: Page) -> set[str]:
    """What the keys of the page do, as `?` says."""
    page.keyboard.press("?")
    box = page.get_by_role("dialog")
    expect(box).to_be_visible()
    told = set(box.get_by_role("cell").all_inner_texts())
    page.keyboard.press("Escape")
    expect(box).to_have_count(0)
    return told


def test_the_calibration_opens_the_suspicions_that_a_figure_counts(
    suspecting: Site,
    page_of: PageOf,
    axe: Callable[..., list[str]],
    fits: Callable[[Page], bool],
    shoot: Callable[[Page, str], None],
) -> None:
    page = page_of("hale", "/patterns")
    page.get_by_role("link", name="calibration").click()
    line = page.get_by_role("row").filter(has_text="Dealer mispay")
    expect(line).to_contain_text("0.0002")
    assert axe(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert fits(page)
    shoot(page, "patterns-calibration")
    line.get_by_role("link", name="open").click()
    expect(page.get_by_role("row").filter(has_text="Dealer D-011")).to_be_visible()


def test_whom_a_suspicion_names_is_put_on_the_watch_list_from_its_page(
    suspecting: Site,
    page_of: PageOf,
    axe: Callable[..., list[str]],
    fits: Callable[[Page], bool],
    shoot: Callable[[Page, str], None],
) -> None:
    page = page_of("hale", "/patterns")
    row = page.get_by_role("row").filter(has_text="Dealer mispay: for patrons")
    row.get_by_role("link", name="Dealer mispay: for patrons").click()
    page.get_by_role("link", name="Watch dealer D-011").click()
    expect(page.get_by_label("Name, as it stands in the record")).to_have_value("D-011")
    put = page.get_by_role("region", name="Put on the list")
    put.get_by_label("Why").fill("overpays, see the suspicion")
    put.get_by_label("Last day").fill(str(put.get_by_label("Last day").get_attribute("max")))
    put.get_by_role("button", name="Put on the list").click()
    entry = page.get_by_role("row").filter(has_text="Dealer D-011")
    expect(entry).to_contain_text("overpays, see the suspicion")
    assert axe(page) == []
    for width, height in ((390, 844), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        assert fits(page)
    shoot(page, "watch")
    page.goto("/patterns")
    row.get_by_role("link", name="Dealer mispay: for patrons").click()
    expect(page.get_by_text("dealer D-011, until")).to_be_visible()
    page.goto("/watch")
    entry.get_by_text("Change or take off").click()
    entry.get_by_role("button", name="Take off the list").click()
    expect(page.get_by_role("heading", name="Nobody is watched")).to_be_visible()


def test_whoever_may_not_read_suspicions_has_no_way_to_them(suspecting: Site, page_of: PageOf) -> None:
    page = page_of("fay", "/patterns")
    expect(page.get_by_text("does not read suspicions")).to_be_visible()
    expect(page.get_by_role("navigation").get_by_role("link", name="Patterns")).to_have_count(0)


def test_from_a_suspicion_to_the_dealers_page_with_the_evidence_of_all_families(
    suspecting: Site, page_of: PageOf, axe: Callable[..., list[str]], fits: Callable[[Page], bool]
) -> None:
    page = page_of("hale", "/patterns")
    page.get_by_role("link", name="D-011").first.click()
    page.wait_for_url("**/dealers/D-011")
    expect(page.get_by_role("heading", level=1)).to_have_text("Dealer D-011")
    evidence = page.get_by_role("region", name="Evidence of patterns")
    expect(evidence.get_by_role("row").filter(has_text="For patrons")).to_contain_text("raised")
    course = evidence.get_by_text("Course").first
    course.focus()
    page.keyboard.press("Enter")
    expect(evidence.locator("svg path.evidence").first).to_be_visible()
    page.evaluate("window.scrollTo(0, 0)")  # else a link lies half under the head of the page
    assert axe(page) == []
    for size, (width, height) in {"phone": (390, 844), "desk": (1280, 720)}.items():
        page.set_viewport_size({"width": width, "height": height})
        assert fits(page), size
    page.get_by_role("link", name="90 days").click()
    page.wait_for_url("**days=90")
    expect(page.get_by_role("link", name="90 days")).to_have_attribute("aria-current", "true")
    page.get_by_role("region", name="Latest hands").get_by_role("link").first.click()
    page.wait_for_url("**/tables/**")
