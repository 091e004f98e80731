"""The audit log in the browser: read, filtered, verified and exported by keyboard; a broken record is named."""

import datetime as dt
import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Page, expect

from dashboards.ledger.acts import Acknowledged, DeskRecord
from tests.browser.conftest import SIZES, THEMES, PageOf
from tests.browser.site import Site

Check = Callable[[Page], list[str]]
Fits = Callable[[Page], bool]
Shoot = Callable[[Page, str], None]


@pytest.mark.soak  # every page in dark and contrast: test_everywhere
@pytest.mark.parametrize(("size", "theme"), list(zip(SIZES, THEMES, strict=True)))
def test_it_and_its_proof_break_no_rule_of_accessibility_and_are_no_wider_than_their_window(
    served: Site, page_of: PageOf, axe: Check, fits: Fits, shoot: Shoot, size: str, theme: str
) -> None:
    page = page_of("otto", "/log", size=size, theme=theme)
    alert = served.desk.snapshot().alerts[0]
    served.desk.act(Acknowledged(alert=alert.id, version=alert.version), "ito")
    today = f"{dt.datetime.now(dt.UTC):%Y-%m-%d}"
    for path in (
        "/log",
        "/log?who=nobody",
        "/log?day=someday&from=tea",
        "/log/verify?first=1&last=5",
        f"/log?day={today}&from=00:00&to=23:59",
    ):
        page.goto(path)
        assert axe(page) == [], path
        assert fits(page), path
        shoot(page, f"log-{size}-{theme}-{path.count('=')}{path[:6:-1].count('y')}")
    broken(served)
    page.goto("/log/verify")
    expect(page.get_by_role("alert").filter(has_text="Broken at record 2")).to_be_visible()
    assert axe(page) == []
    assert fits(page)
    shoot(page, f"log-{size}-{theme}-broken")
    page.goto("/log?who=otto")
    expect(page.get_by_role("region", name="Chain")).to_contain_text("broken at record 2")
    assert axe(page) == []
    shoot(page, f"log-{size}-{theme}-broken-head")


def broken(site: Site) -> None:
    """One record is changed in the desk's file, by someone who may write to it."""
    with sqlite3.connect(site.folder / "desk.db") as file:
        for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            file.execute(f"DROP TRIGGER {name}")
        changed = file.execute(
            "UPDATE records SET line = CAST(replace(CAST(line AS TEXT), 'raised', 'risen!') AS BLOB)"
            " WHERE sequence = 2"
        )
        assert changed.rowcount == 1
    file.close()


def test_an_auditor_finds_who_acknowledged_and_goes_back_by_keyboard(served: Site, page_of: PageOf) -> None:
    alert = served.desk.snapshot().alerts[0]
    served.desk.act(Acknowledged(alert=alert.id, version=alert.version), "ito")
    page = page_of("otto", "/")
    page.keyboard.press("g")
    page.keyboard.press("l")
    page.wait_for_url("**/log")
    page.keyboard.press("/")
    page.keyboard.press("Tab")
    page.keyboard.type("ito")
    page.keyboard.press("Tab")
    page.keyboard.type("acknowledged")
    page.keyboard.press("Enter")
    page.wait_for_url("**who=ito**")
    rows = page.get_by_role("region", name="Records").get_by_role("row")
    expect(rows).to_have_count(2)
    named = rows.nth(1).get_by_role("link", name=f"BJ-19 round 7 seat 4: {alert.finding.message}")
    expect(named).to_have_attribute("href", f"/alerts/{alert.id}")
    page.get_by_role("link", name="All records").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/log")
    assert page.locator("tbody tr").count() > 1


def test_the_head_tells_the_last_proof_and_a_day_and_its_hours_are_chosen_by_keyboard(
    served: Site, page_of: PageOf
) -> None:
    page = page_of("otto", "/log")
    chain = page.get_by_role("region", name="Chain")
    expect(chain).to_contain_text("Nobody has verified them yet")
    page.get_by_role("button", name="Verify range").click()
    page.get_by_role("link", name="Back to the log").click()
    expect(chain).to_contain_text("by otto: records 1 to")
    expect(chain).to_contain_text("intact")
    oldest = page.locator("tbody tr time").last.get_attribute("datetime") or ""
    page.get_by_label("Day (UTC)").fill(oldest[:10])
    page.get_by_label("from", exact=True).fill("00:00")
    page.get_by_label("to", exact=True).last.fill("23:59")
    page.keyboard.press("Enter")
    page.wait_for_url("**to=23*")
    expect(page.locator("tbody tr").first).to_be_visible()
    page.get_by_role("link", name="Day before").click()
    expect(page.get_by_text("There is no record of")).to_be_visible()


def test_a_range_is_verified_and_its_export_bears_what_was_shown(
    served: Site, page_of: PageOf, tmp_path: Path
) -> None:
    page = page_of("otto", "/log")
    page.get_by_label("From record").fill("2")
    page.get_by_label("to", exact=True).first.fill("4")
    page.get_by_role("button", name="Verify range").click()
    expect(page.get_by_text("Intact.")).to_be_visible()
    expect(page.get_by_role("heading", name="Records 2 to 4")).to_be_visible()
    with page.expect_download() as got:
        page.get_by_role("link", name="Export these records").click()
    got.value.save_as(tmp_path / "range.ndjson")
    lines = (tmp_path / "range.ndjson").read_bytes().splitlines()
    assert [msgspec.json.decode(line, type=DeskRecord).sequence for line in lines] == [2, 3, 4]
    assert lines == list(served.desk.lines(2, 3))
