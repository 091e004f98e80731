"""Tables in the browser: they move without a reload, the focus stays, a sealed shoe is opened by keyboard."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from dashboards.ledger.acts import Withheld
from dashboards.reader.question import Reader
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.warehouse import Warehouse
from producers.log import EventLog
from producers.memory_log import MemoryLog
from producers.simulator.floor.setup import usual_setup
from tests.browser.conftest import SIZES, THEMES, PageOf
from tests.browser.site import Site
from tests.console.books import simulated
from tests.embedded.ledgers import append

LIVE = "LV-7"
ROUNDS = 40
REASON = "patron at seat 3 disputes the count"


@dataclass
class Game:
    """A table that goes on when it is told to."""

    log: EventLog
    fold: EmbeddedFold
    store: Warehouse
    rest: list[bytes]

    def go_on(self, rounds: int) -> None:
        """Deal so many rounds more, and store them."""
        while rounds:
            place = next(n for n, line in enumerate(self.rest) if b"round_ended" in line) + 1
            append(self.log, LIVE, self.rest[:place])
            del self.rest[:place]
            rounds -= 1
        self.fold.catch_up()


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    setup = usual_setup("free_bet_672a", LIVE, decks=6, open_hours=2.0, number=1)
    log, store = MemoryLog(), ChdbWarehouse(tmp_path_factory.mktemp("tables") / "warehouse")
    store.migrate()
    table = Game(log, EmbeddedFold(log, store), store, simulated(setup, ROUNDS))
    table.go_on(5)
    yield table
    store.close()


@pytest.fixture
def records(game: Game) -> Reader:
    return game.store


@pytest.mark.soak  # every page in dark and contrast: test_everywhere
@pytest.mark.parametrize(("size", "theme"), list(zip(SIZES, THEMES, strict=True)))
def test_they_break_no_rule_of_accessibility_and_no_page_is_wider_than_its_window(
    size: str,
    theme: str,
    page_of: PageOf,
    axe: Callable[[Page], list[str]],
    fits: Callable[[Page], bool],
    shoot: Callable[[Page, str], None],
) -> None:
    for user in ("otto", "hale"):
        page = page_of(user, "/tables", size=size, theme=theme)
        for path in ("/tables", f"/tables/{LIVE}"):
            page.goto(path)
            assert axe(page) == [], path
            assert fits(page), path
            shoot(page, f"tables-{size}-{theme}-{user}-{path.count('/')}")


def test_a_table_moves_without_a_reload_and_what_has_the_focus_keeps_it(page_of: PageOf, game: Game) -> None:
    page = page_of("fay", f"/tables/{LIVE}")
    page.evaluate("window.same = true")
    bars = page.locator(".strip a")
    before = bars.count()
    bars.first.focus()
    held = bars.first.get_attribute("href")
    game.go_on(2)
    expect(bars).to_have_count(before + 2, timeout=15_000)
    assert page.evaluate("window.same") is True
    assert page.evaluate("document.activeElement.getAttribute('href')") == held


def test_what_has_not_changed_is_not_touched(page_of: PageOf) -> None:
    page = page_of("fay", f"/tables/{LIVE}")
    page.evaluate("document.querySelector('.strip').same = true")
    with page.expect_response(lambda answer: "x-catwalk-refresh" in answer.request.headers):
        pass
    page.wait_for_timeout(200)
    assert page.evaluate("document.querySelector('.strip').same") is True


def test_a_page_that_cannot_be_renewed_says_so_and_takes_it_back(page_of: PageOf) -> None:
    page = page_of("fay", "/tables")
    page.route("**/tables", lambda route: route.abort())
    expect(page.locator("#banner")).to_contain_text("Not live", timeout=15_000)
    page.unroute("**/tables")
    expect(page.locator("#banner")).to_be_hidden(timeout=15_000)


def test_when_the_sign_in_is_over_the_tables_go_from_the_screen_and_the_page_leads_to_the_sign_in(
    served: Site, page_of: PageOf
) -> None:
    page = page_of("fay", "/tables")
    expect(page.get_by_role("link", name=LIVE)).to_be_visible()
    page.route("**/sign-in", lambda route: route.abort())  # what is left standing while it is on its way
    assert served.console is not None
    served.console.accounts.sign_ins.end_all("fay")
    expect(page.get_by_text(LIVE)).to_have_count(0)
    page.unroute("**/sign-in")
    page.goto("/tables")
    page.wait_for_url("**/sign-in")


def test_a_table_that_is_withheld_meanwhile_goes_from_the_screen(served: Site, page_of: PageOf) -> None:
    page = page_of("hale", f"/tables/{LIVE}")
    expect(page.locator("#facts")).to_be_visible()
    served.desk.note(Withheld(user="hale", kind="table", value=LIVE, reason="related"), "ann")
    expect(page.locator("#facts")).to_have_count(0)
    expect(page.get_by_role("heading", name="There is no such page")).to_be_visible()
    records = served.desk.records
    page.wait_for_timeout(2_500)
    assert served.desk.records == records, "it is not asked for again and again"


def test_a_sealed_shoe_is_opened_by_keyboard_with_a_reason(page_of: PageOf) -> None:
    page = page_of("hale", f"/tables/{LIVE}")
    expect(page.get_by_text("is sealed while the shoe is dealt from")).to_be_visible()
    page.get_by_text("Open it now, with a reason").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Why must you know").focus()
    page.keyboard.type(REASON)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Cards by rank and suit")).to_be_visible()
    expect(page.get_by_text(REASON)).to_be_visible()


def test_a_bar_opens_the_replay_of_its_round_and_g_t_comes_back(page_of: PageOf) -> None:
    page = page_of("hale", f"/tables/{LIVE}")
    page.locator(".strip a").first.click()
    page.wait_for_url(f"**/hands/{LIVE}/1*")
    page.keyboard.press("g")
    page.keyboard.press("t")
    page.wait_for_url("**/tables")
    page.get_by_role("link", name=LIVE).click()
    page.wait_for_url(f"**/tables/{LIVE}")
    page.keyboard.press("Escape")
    page.wait_for_url("**/tables")
