"""The health page in the browser: it renews itself, keeps what has the focus, and says when it cannot."""

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dashboards.reader.question import Parameter, Reader
from dashboards.reader.sensors import DeviceRow, FaultRow
from dashboards.server.vitals import Vital
from tests.browser.conftest import SIZES, THEMES, PageOf

T0 = dt.datetime(2026, 3, 2, 21, tzinfo=dt.UTC)
SILENT = DeviceRow("BJ-1", "reader", 100, T0 - dt.timedelta(seconds=1_000), T0 - dt.timedelta(seconds=900))
SPEAKS = DeviceRow("BJ-1", "shoe", 900, T0 - dt.timedelta(seconds=1_000), T0)


class Floor:
    """A store with two devices of a table and a fault of its record, or one that does not answer."""

    away = ""

    def query(self, sql: str, parameters: Mapping[str, Parameter] | None = None) -> list[tuple[Any, ...]]:
        if self.away:
            raise ConnectionError(self.away)
        if "max(time) FROM events" in sql and "GROUP" not in sql:
            return [(T0,)]
        rows = [FaultRow("BJ-1", "integrity.gap", 3, T0)] if "findings" in sql else [SILENT, SPEAKS]
        return [tuple(getattr(row, name) for name in row.__struct_fields__) for row in rows]


@pytest.fixture
def floor() -> Floor:
    return Floor()


@pytest.fixture
def records(floor: Floor) -> Reader:
    return floor


@pytest.fixture
def vitals() -> list[Vital]:
    return [
        Vital(part="Fold", state="warning", told="1,200 records behind", remedy="start another worker"),
        Vital(part="Disk", state="well", told="40 GiB free"),
        Vital(part="Store", state="failed", told="no route", remedy="start it"),
    ]


@pytest.fixture
def settings(vitals: list[Vital]) -> dict[str, Any]:
    return {"vitals": lambda: tuple(vitals)}


@pytest.mark.parametrize(("size", "theme"), list(zip(SIZES, THEMES, strict=True)))
def test_it_breaks_no_rule_of_accessibility_and_is_no_wider_than_its_window(
    page_of: PageOf,
    floor: Floor,
    axe: Callable[[Page], list[str]],
    fits: Callable[[Page], bool],
    shoot: Callable[[Page, str], None],
    size: str,
    theme: str,
) -> None:
    page = page_of("hale", "/status", size=size, theme=theme)
    for away in ("", "no route to the store"):
        floor.away = away
        page.goto("/status")
        assert axe(page) == [], away
        assert fits(page), away
        shoot(page, f"status-{size}-{theme}-{'away' if away else 'there'}")


def test_it_renews_itself_and_what_has_the_focus_keeps_it(
    page_of: PageOf, floor: Floor, vitals: list[Vital]
) -> None:
    page = page_of("hale", "/status")
    page.evaluate("window.same = true")
    region = page.get_by_role("region", name="Sensors by table")
    expect(region).to_contain_text("1 silent")
    region.focus()
    vitals[0] = Vital(part="Fold", state="well", told="0 records behind")
    expect(page.locator(".vitals")).to_contain_text("0 records behind")
    expect(region).to_be_focused()
    floor.away = "no route to the store"
    expect(page.locator("#live").get_by_role("alert")).to_contain_text("The store does not answer")
    expect(page.locator(".vitals")).to_contain_text("0 records behind")
    assert page.evaluate("window.same") is True


def test_a_page_that_cannot_be_renewed_says_so_and_takes_it_back(page_of: PageOf) -> None:
    page = page_of("hale", "/status")
    page.route("**/status", lambda route: route.abort())
    expect(page.locator("#banner")).to_contain_text("Not live")
    page.unroute("**/status")
    expect(page.locator("#banner")).to_be_hidden()
