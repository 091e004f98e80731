"""A device dies at a table that is played on: one alert, and the pages say which device, since when and at what cost.

One console over five tables, at each of which another device dies; in the last test all of them speak again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from deploy.console.alerting import Raising, alerts_of
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.warehouse import Warehouse
from producers.memory_log import MemoryLog
from producers.simulator.floor.setup import usual_setup
from producers.simulator.noise.lost import is_of
from producers.simulator.noise.words import Entry, Word, recorded, words
from producers.simulator.session import simulate_table
from schemas.findings import Finding
from schemas.values import Ruleset
from tests.browser.conftest import SIZES
from tests.browser.site import Site
from tests.embedded.ledgers import append
from tests.sampling import one_in

ROUNDS, DIES, SEEN, SPEAKS = 26, 6, 13, 18  # the pages are looked at in round 13


class Dying(NamedTuple):
    """A table and its device that dies, at the next word of that type; `told` are the words that it reports."""

    table: str
    device: str
    told: str
    ruleset: Ruleset
    witness: str
    at: str = "round_started"
    seed: int = 2

    def entries(self) -> Iterator[Entry]:
        """The table as it is recorded, with the words that the device did not say."""
        setup = usual_setup(self.ruleset, self.table, open_hours=2.0)
        return recorded(self._heard(words(iter(simulate_table(setup, ROUNDS, self.seed)))))

    def _heard(self, said: Iterable[Word]) -> Iterator[Word]:
        dead = False
        for word in said:
            if word.kind == self.at and word.round in (DIES, SPEAKS):
                dead = word.round == DIES
            yield word.met("silent", lost=True) if dead and is_of(word, self.witness) else word


TABLES = {
    dying.witness: dying
    for dying in (
        Dying("LA-1", "layout", "cards laid", "free_bet_672a", "layout"),
        Dying("SH-2", "shoe", "cards drawn", "fortune_670a10", "shoe"),
        Dying("RA-3", "discard rack", "hands racked", "manual_shoe_657a8", "rack"),
        Dying("CO-4", "console", "steps and decisions", "down_under_685a", "console", at="round_ended"),
        Dying("RE-5", "card reader", "readings", "free_bet_672a", "reader", seed=4),
    )
}


class Floor:
    """A console over tables that are played on, as the command keeps it: what is decided is raised at its desk."""

    def __init__(self, site: Site, store: Warehouse) -> None:
        self.site, self.store, self.log = site, store, MemoryLog()
        self.fold = EmbeddedFold(self.log, store)
        self.raising = Raising(site.desk)
        self.findings: list[Finding] = []
        self.lost: dict[str, list[Word]] = {dying.table: [] for dying in TABLES.values()}
        self.rest = {dying.table: list(dying.entries()) for dying in TABLES.values()}

    def play(self, before: int) -> None:
        """Play every table up to the start of a round."""
        for table, entries in self.rest.items():
            place = next((n for n, one in enumerate(entries) if one.word.round == before), len(entries))
            lines = [one.line for one in entries[:place] if one.line is not None]
            self.lost[table] += [one.word for one in entries[:place] if one.line is None]
            del entries[:place]
            if lines:
                append(self.log, table, lines)
        while True:
            folded = self.fold.fold()
            self.raising.raise_alerts(alerts_of(folded.decided))
            self.findings += [one for each in folded.decided for one in each.outcome.findings]
            self.fold.store()
            if not folded.events:
                return

    def time_of(self, table: str, sequence: int) -> str:
        """When an event of a table happened."""
        line = next(line for number, line in self.log.read_from(table, sequence) if number == sequence)
        time: str = json.loads(line)["time"]
        return time

    def alerts(self) -> dict[str, list[Finding]]:
        """The alerts of the desk by table."""
        found: dict[str, list[Finding]] = {}
        for alert in self.site.desk.snapshot().alerts:
            found.setdefault(alert.finding.subject, []).append(alert.finding)
        return found


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    store = ChdbWarehouse(tmp_path_factory.mktemp("floor") / "warehouse")
    store.migrate()
    site = Site(tmp_path_factory.mktemp("site"), {"records": store})
    site.start()
    try:
        played = Floor(site, store)
        played.play(SEEN)
        yield played
    finally:
        site.stop()
        store.close()


@pytest.fixture(scope="module")
def page(floor: Floor, chrome: Browser) -> Iterator[Page]:
    """The page of someone of surveillance; no page may throw an error."""
    context = chrome.new_context(base_url=floor.site.origin)
    context.add_cookies([{"name": "catwalk", "value": floor.site.sign_in("hale"), "url": floor.site.origin}])
    made, wrong = context.new_page(), list[str]()
    made.on("pageerror", lambda error: wrong.append(f"{made.url}: {error}"))
    yield made
    context.close()
    assert wrong == []


@pytest.fixture
def right_at_every_size(
    page: Page,
    axe: Callable[[Page], list[str]],
    fits: Callable[[Page], bool],
    shoot: Callable[[Page, str], None],
) -> Callable[[str, str], None]:
    """Looks at a page on a phone and on the wall: accessible, and no wider than its window."""

    def check(path: str, name: str) -> None:
        for size in ("phone", "wall"):
            width, height = SIZES[size]
            page.set_viewport_size({"width": width, "height": height})
            page.goto(path)
            assert axe(page) == [], (path, size)
            assert fits(page), (path, size)
            shoot(page, f"dead-{name}-{size}")

    return check


def since(finding: Finding) -> int:
    """The event since which the device of a finding is silent."""
    return int(finding.observed["silent_since"])


@pytest.mark.parametrize("witness", one_in(3, TABLES))
def test_a_device_that_dies_is_one_alert_and_its_table_says_which_since_when_and_what_it_costs(
    floor: Floor, page: Page, right_at_every_size: Callable[[str, str], None], witness: str
) -> None:
    table, device, told = TABLES[witness][:3]
    (alert,) = floor.alerts()[table]
    assert alert.check == "integrity.device"
    others = [one for one in floor.findings if one.subject == table and one != alert]
    assert {one.because_of for one in others} <= {alert.finding_id}
    right_at_every_size(f"/tables/{table}", f"table-{witness}")
    row = page.get_by_role("region", name="Devices of the table").get_by_role("row")
    row = row.filter(has=page.get_by_role("rowheader", name=f"{device}, {told}"))
    expect(row).to_contain_text("✕ silent")
    expect(row).to_contain_text(f"event {since(alert)}")
    expect(row.locator("time").last).to_have_attribute("datetime", floor.time_of(table, since(alert)))
    lost, rounds = row.locator(".number").all_inner_texts()
    known = int(lost.removeprefix("at least "))
    assert 3 <= known <= len(floor.lost[table])
    assert int(rounds) in (len({word.round for word in floor.lost[table]} - {None}) - n for n in (0, 1))
    page.goto("/tables?view=list")
    expect(page.get_by_role("row").filter(has_text=table)).to_contain_text(f"{device} silent ({told})")


def test_the_health_page_names_each_device_that_is_dead(
    floor: Floor, page: Page, right_at_every_size: Callable[[str, str], None]
) -> None:
    right_at_every_size("/status", "status")
    region = page.get_by_role("region", name="Devices that fail")
    for table, device, told, *_ in TABLES.values():
        (alert,) = floor.alerts()[table]
        row = region.get_by_role("row").filter(has_text=table).filter(has_text=f"{device}, {told}")
        expect(row).to_contain_text("silent")
        expect(row).to_contain_text(f"event {since(alert)}")
        expect(row).to_contain_text("at least")


def test_the_queue_has_one_row_for_each_device_that_is_dead_and_its_panel_says_what_is_not_judged(
    floor: Floor, page: Page, right_at_every_size: Callable[[str, str], None]
) -> None:
    right_at_every_size("/", "queue")
    rows = page.get_by_role("row").filter(has=page.locator(".severity"))
    expect(rows).to_have_count(len(TABLES))
    for table, device, *_ in TABLES.values():
        expect(rows.filter(has_text=table)).to_contain_text(re.compile(f"{device} silent", re.IGNORECASE))
    (alert,) = floor.alerts()[TABLES["layout"].table]
    right_at_every_size(f"/alerts/{alert.finding_id}", "alert")
    expect(page.locator(".sentence")).to_contain_text("not judged until it speaks again")


def test_when_they_speak_again_their_tables_say_so_at_once_and_no_alert_comes(
    floor: Floor, page: Page
) -> None:
    page.goto(f"/tables/{TABLES['rack'].table}")
    page.evaluate("window.same = true")
    floor.play(ROUNDS + 1)
    row = page.get_by_role("region", name="Devices of the table").get_by_role("row", name="hands racked")
    expect(row).to_contain_text("in order again since")
    assert page.evaluate("window.same") is True
    assert {table: len(alerts) for table, alerts in floor.alerts().items()} == {
        dying.table: 1 for dying in TABLES.values()
    }
    over = [one for one in floor.findings if one.check == "integrity.device" and one.severity == "info"]
    assert {one.because_of for one in over} == {one.finding_id for (one,) in floor.alerts().values()}
    page.goto("/status")
    region = page.get_by_role("region", name="Devices that fail")
    for table, device, told, *_ in TABLES.values():
        row = region.get_by_role("row").filter(has_text=table).filter(has_text=f"{device}, {told}")
        expect(row).to_contain_text("in order again since")
