"""The health page in the browser: it renews itself, keeps what has the focus, and says when it cannot."""

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, expect

from dashboards.health import sensor_reading
from dashboards.reader.devices import DeviceFindingRow
from dashboards.reader.question import Parameter, Reader
from dashboards.reader.sensors import ClockRow, DeviceRow, FaultRow, SeenTableRow
from dashboards.web.vitals import Figures, Vital
from tests.browser.conftest import SIZES, THEMES, PageOf

T0 = dt.datetime(2026, 3, 2, 21, tzinfo=dt.UTC)
NAMES = ("console", "layout", "reader", "shoe")
SCENES = {
    "BJ-1": "round_started",
    "BJ-2": "table_closed",
    "BJ-3": "round_ended",
    "BJ-4": "round_started",
    "BJ-5": "table_idle",
}
STATES = ("there", "empty", "away")
SILENT_READER = msgspec.json.encode(
    {
        "finding_id": "f1",
        "check": "integrity.device",
        "cites": ["integrity.device"],
        "verdict": "breached",
        "severity": "critical",
        "subject": "BJ-1",
        "round": 3,
        "sequence": 43,
        "sequences": [40, 41, 43],
        "expected": {"event": "hole_card_read"},
        "observed": {"silent_since": 40},
        "money_cents": 0,
        "message": "The card reader has said nothing since event 40.",
    }
).decode()


def ago(seconds: float) -> dt.datetime:
    return T0 - dt.timedelta(seconds=seconds)


def device(table: str, name: str) -> DeviceRow:
    """At BJ-1 the reader is silent, at BJ-2 and BJ-4 all is still, and a reader says little."""
    still = {"BJ-2": 1_800, "BJ-4": 700}.get(table, 0) + (900 if (table, name) == ("BJ-1", "reader") else 0)
    events = 9 if name == "reader" and table != "BJ-1" else 4_120
    return DeviceRow(table, f"pit-1/{table}/{name}", events, ago(8_000), ago(still))


def clock(table: str, name: str) -> ClockRow:
    ahead = {("BJ-1", "shoe"): 32.4, ("BJ-3", "layout"): -4.2}.get((table, name), -0.1)
    if table == "BJ-5":
        return ClockRow(table, f"pit-1/{table}/{name}", 40, ago(900), T0, 0, None)
    return ClockRow(table, f"pit-1/{table}/{name}", 40, ago(900), T0, 40, ahead)


class Floor:
    """A store with five tables and faults of their records, an empty one, or one that does not answer."""

    state = "there"

    def query(self, sql: str, parameters: Mapping[str, Parameter] | None = None) -> list[tuple[Any, ...]]:
        if self.state == "away":
            raise ConnectionError("no route to the store")
        if "max(time) FROM events" in sql and "GROUP" not in sql:
            return [(T0 if self.state == "there" else dt.datetime(1970, 1, 1, tzinfo=dt.UTC),)]
        if self.state == "empty":
            return []
        return [tuple(getattr(row, name) for name in row.__struct_fields__) for row in self._rows(sql)]

    def _rows(self, sql: str) -> list[Any]:
        if "check_id = 'integrity.device'" in sql:
            return [DeviceFindingRow("BJ-1", 43, ago(900), SILENT_READER)]
        if "status = 'indeterminate'" in sql:
            return []
        if "FROM findings" in sql:
            back = FaultRow("BJ-3", "pit-1/BJ-3/layout", "integrity.clock", 2, ago(60))
            return [FaultRow("BJ-1", "", "integrity.gap", 3, T0), back]
        if "scenes" in sql:
            return [
                SeenTableRow(table, 9_000, device(table, "shoe").last, scene)
                for table, scene in SCENES.items()
            ]
        of_each = clock if "recordedtime" in sql else device if "GROUP BY subject, source" in sql else None
        return [of_each(table, name) for table in SCENES for name in NAMES] if of_each else []


@pytest.fixture
def floor() -> Floor:
    return Floor()


@pytest.fixture
def records(floor: Floor) -> Reader:
    return floor


@pytest.fixture(autouse=True)
def read_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look asks the store: what is changed here is there at the next one."""
    monkeypatch.setattr(sensor_reading, "READ_EVERY", 0.0)


LAG = Figures(
    caption="Lag by worker, topic and partition",
    headings=("Worker", "Topic", "Records behind", "By partition", "Worker takes, records/s"),
    rows=(
        ("fold", "catwalk.events", "1,200", "0: 200, 1: 200, 2: 200, 3: 200, 4: 200, 5: 200", "212.4"),
        ("sink", "catwalk.findings", "0", "0: 0, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0", "1.5"),
    ),
)
BROKERS_AWAY = Vital(
    part="Lag",
    state="failed",
    told="not known for 75 s: KafkaConnectionError: unable to bootstrap from [('kafka-1', 9092)]",
    remedy="runbook lost-broker",
)


@pytest.fixture
def vitals() -> list[Vital]:
    catches_up = "it catches up by itself; if the number grows, the workers are too few or too slow"
    return [
        Vital(part="Lag", state="warning", told="1,200 records behind", remedy=catches_up, figures=LAG),
        Vital(part="Disk", state="well", told="40.0 GiB free of 100.0 GiB (40%); days left not known"),
        Vital(part="Store", state="failed", told="no route", remedy="start it"),
    ]


@pytest.fixture
def settings(vitals: list[Vital]) -> dict[str, Any]:
    return {"vitals": lambda: tuple(vitals)}


@pytest.mark.soak  # every page in dark and contrast: test_everywhere
@pytest.mark.parametrize(("size", "theme"), list(zip(SIZES, THEMES, strict=True)))
def test_it_breaks_no_rule_of_accessibility_and_is_no_wider_than_its_window(
    page_of: PageOf,
    floor: Floor,
    vitals: list[Vital],
    axe: Callable[[Page], list[str]],
    fits: Callable[[Page], bool],
    shoot: Callable[[Page, str], None],
    size: str,
    theme: str,
) -> None:
    page = page_of("hale", "/status", size=size, theme=theme)
    for state in STATES:
        floor.state = state
        if state == "away":
            vitals[0] = BROKERS_AWAY
        page.goto("/status")
        assert axe(page) == [], state
        assert fits(page), state
        shoot(page, f"status-{size}-{theme}-{state}")


def test_the_matrix_tells_each_device_of_each_table_in_words(page_of: PageOf) -> None:
    page = page_of("hale", "/status", size="desk")
    region = page.get_by_role("region", name="Sensors by table")
    for name in NAMES:
        expect(region.get_by_role("columnheader", name=name, exact=True)).to_be_visible()

    def row(table: str) -> Any:
        return region.get_by_role("row").filter(has=page.get_by_role("rowheader", name=table))

    expect(row("BJ-1")).to_contain_text("1 silent")
    expect(row("BJ-1")).to_contain_text("gap 3")
    expect(row("BJ-1")).to_contain_text("+32.4 s by arrival: its clock is ahead")
    expect(row("BJ-2")).to_contain_text("closed, newest 20:30:00")
    expect(row("BJ-3")).to_contain_text("-4.2 s by arrival: its clock is behind, or its events come late")
    expect(row("BJ-4")).to_contain_text("in a round")
    expect(row("BJ-4")).to_contain_text("700 s behind the floor, watched for")
    expect(row("BJ-5")).to_contain_text("clock not known")
    lag = page.get_by_role("region", name="Lag by worker")
    expect(lag.get_by_role("row", name="fold")).to_contain_text("5: 200")


def test_a_device_that_the_others_show_to_be_silent_stands_with_since_when_and_its_cost(
    page_of: PageOf,
) -> None:
    region = page_of("hale", "/status").get_by_role("region", name="Devices that fail")
    row = region.get_by_role("row").filter(has_text="BJ-1")
    expect(row).to_contain_text("card reader, readings")
    expect(row).to_contain_text("silent")
    expect(row).to_contain_text("event 40")
    expect(row).to_contain_text("at least 3")


def test_it_renews_itself_and_what_has_the_focus_keeps_it(
    page_of: PageOf, floor: Floor, vitals: list[Vital]
) -> None:
    page = page_of("hale", "/status")
    page.evaluate("window.same = true")
    region = page.get_by_role("region", name="Sensors by table")
    expect(region).to_contain_text("1 silent")
    region.focus()
    vitals[0] = Vital(part="Lag", state="well", told="0 records behind")
    expect(page.locator(".vitals")).to_contain_text("0 records behind")
    expect(region).to_be_focused()
    floor.state = "away"
    expect(page.locator("#live").get_by_role("alert")).to_contain_text("The store does not answer")
    expect(page.locator(".vitals")).to_contain_text("0 records behind")
    assert page.evaluate("window.same") is True


def test_a_page_that_cannot_be_renewed_says_so_and_takes_it_back(page_of: PageOf) -> None:
    page = page_of("hale", "/status")
    page.route("**/status", lambda route: route.abort())
    expect(page.locator("#banner")).to_contain_text("Not live")
    page.unroute("**/status")
    expect(page.locator("#banner")).to_be_hidden()


def test_commands_are_marked_as_code_and_no_backtick_is_read(page_of: PageOf, vitals: list[Vital]) -> None:
    never = "`catwalk migrate`, then `catwalk reconcile <all>`"
    vitals[:] = [
        Vital(part="Store", state="warning", told="never held against the ledger", remedy=never),
        Vital(part="Odd", state="warning", told="a ` of its own"),
    ]
    page = page_of("hale", "/status", size="desk")
    store = page.locator(".vitals li").filter(has_text="never held")
    assert store.locator("code").all_inner_texts() == ["catwalk migrate", "catwalk reconcile <all>"]
    expect(store).to_contain_text("catwalk migrate, then catwalk reconcile <all>")
    expect(page.locator(".vitals li").filter(has_text="Odd")).to_contain_text("a ` of its own")
    assert "monospace" in store.locator("code").first.evaluate("place => getComputedStyle(place).fontFamily")
