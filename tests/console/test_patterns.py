"""The pages of patterns and the budget of pages: who sees what, what pages, and what waits until it has grown."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

import msgspec
import pytest
from msgspec.structs import replace

from dashboards.accounts.accounts import Accounts
from dashboards.ledger.acts import Raised, Withheld
from dashboards.patterns.suspicions import course_of, weighty_rounds
from dashboards.web.console import Console, NoRecords
from deploy.console.alerting import Raising
from deploy.console.paging import Paging, budget_in
from deploy.errors import UserError
from deploy.settings import Settings
from processors.detectors.family import FAMILIES
from processors.detectors.paging import ONE_PAGE, Budget
from processors.runtime.embedded.fold import EmbeddedFold
from schemas.findings import Finding
from tests.console.apps import browser_of
from tests.console.conftest import ORIGIN, Browser
from tests.console.desk_building import T0
from tests.embedded.ledgers import new_store
from tests.embedded.test_people import in_order_of_time, ledger_of
from tests.warehouse.memory_warehouse import MemoryWarehouse

_read = msgspec.json.Decoder(Finding).decode
Visit = Callable[[str], Browser]


@pytest.fixture(scope="module")
def fold() -> Iterator[tuple[EmbeddedFold, MemoryWarehouse]]:
    store = new_store()
    fold = EmbeddedFold(ledger_of(list(in_order_of_time())), store)
    fold.catch_up()
    yield fold, store
    store.close()


@pytest.fixture
def suspicion(fold: tuple[EmbeddedFold, MemoryWarehouse]) -> Finding:
    """The suspicion about the dealer who overpays."""
    rows = fold[1].query(
        "SELECT record FROM findings FINAL WHERE check_id = 'pattern.dealer_mispay.for_patrons'"
    )
    return _read(rows[0][0])


@pytest.fixture
def visit(
    console: Console, accounts: Accounts, fold: tuple[EmbeddedFold, MemoryWarehouse]
) -> Iterator[Visit]:
    """A browser in which somebody is signed in, at a console over the store."""
    shown = dataclasses.replace(console, records=fold[1], patterns=Paging(ONE_PAGE, lambda: 2).families)
    with browser_of(shown) as browser:

        def sign_in(name: str) -> Browser:
            browser.cookies.set("__Host-catwalk", accounts.sign_ins.begin(name))
            browser.headers["origin"] = ORIGIN
            return browser

        yield sign_in


def test_surveillance_reads_suspicions_and_floor_revenue_and_admins_do_not(
    visit: Visit, console: Console, suspicion: Finding
) -> None:
    for path in ("/patterns", f"/patterns/{suspicion.finding_id}"):
        assert visit("hale").get(path).status_code == 200
        assert [visit(name).get(path).status_code for name in ("fay", "rex", "ann")] == [403] * 3
    assert visit("hale").get("/patterns/unheard-of").status_code == 404
    page = visit("hale").get("/patterns").text
    assert suspicion.message.replace("'", "&#39;") in page
    assert "waits here: pages at 10,000 to 1" in page, "nobody has raised it in this console"


def test_who_is_not_to_know_of_a_dealer_is_told_of_no_suspicion_about_her(
    visit: Visit, console: Console, suspicion: Finding
) -> None:
    console.desk.note(Withheld(user="hale", kind="dealer", value="D-011"), "ann")
    assert "D-011" not in visit("hale").get("/patterns").text
    assert visit("hale").get(f"/patterns/{suspicion.finding_id}").status_code == 404
    assert "D-011" in visit("ito").get("/patterns").text


def test_a_store_that_is_away_or_empty_is_said(console: Console, accounts: Accounts) -> None:
    class Away:
        def query(self, *_asked: object) -> list[tuple[object, ...]]:
            raise ConnectionError("no store")

    for records, status, said in ((Away(), 503, "does not answer"), (NoRecords(), 200, "No suspicion")):
        with browser_of(dataclasses.replace(console, records=records)) as browser:
            browser.cookies.set("__Host-catwalk", accounts.sign_ins.begin("hale"))
            answer = browser.get("/patterns")
            assert (answer.status_code, said in answer.text) == (status, True)
            assert browser.get("/patterns/x").status_code == (503 if status == 503 else 404)


def test_rounds_that_weigh_most_are_those_the_detector_names_or_those_of_its_events(
    fold: tuple[EmbeddedFold, MemoryWarehouse], suspicion: Finding
) -> None:
    named = weighty_rounds(fold[1], suspicion)
    assert {one.table for one in named} == {"S-1", "S-2"}
    assert all(one.path == f"/hands/{one.table}/{one.round}" for one in named)
    bare = replace(suspicion, observed={"hands": 9})
    of_events = weighty_rounds(fold[1], bare)
    assert of_events[-1].round == suspicion.round
    assert all("first=" in one.path for one in of_events)
    assert course_of(suspicion)[-1][1] == suspicion.e_value
    assert course_of(bare) == course_of(replace(suspicion, observed={"evidence": [["x", 1]]})) == ()


def test_a_budget_is_divided_among_the_families_and_its_promise_is_what_it_says() -> None:
    for tables in (1, 40, 5_000):
        for budget in (ONE_PAGE, Budget(0.01), Budget(1.0, {"pace": 0.5, "counting": 0.0})):
            prices = [budget.price(family, tables) for family in FAMILIES.values()]
            assert sum(one.pages for one in prices) <= budget.pages * (1 + 1e-9)
            for one in prices:
                assert one.page_at is None or one.page_at >= one.raised_at == 1e4
                assert one.page_at is None or one.pages * one.page_at == pytest.approx(tables)
            never = [one.family for one in prices if one.page_at is None]
            assert never == (["counting"] if budget.families else [])
    assert ONE_PAGE.price(FAMILIES["pace"], 600).page_at == 1e4, "with one page a shift a property pages all"


@pytest.mark.parametrize(
    "words", ["pace", "pace=much", "pace=-1", "nobody=1", "pace=0.7,counting=0.7", "pace=nan", "pace=inf"]
)
def test_a_budget_that_cannot_be_divided_is_refused_in_one_line(words: str) -> None:
    with pytest.raises(UserError, match="pattern_pages_of"):
        budget_in(Settings(pattern_pages_of=words))
    assert budget_in(Settings(pattern_pages=2, pattern_pages_of="pace=0.5, counting=0")).families == {
        "pace": 0.5, "counting": 0.0
    }  # fmt: skip


def test_what_does_not_page_waits_and_is_raised_once_when_its_evidence_has_grown(
    console: Console, fold: tuple[EmbeddedFold, MemoryWarehouse], suspicion: Finding
) -> None:
    desk = console.desk
    e_value = suspicion.e_value
    assert isinstance(e_value, float)
    paging = Paging(Budget(1 / e_value, {"dealer_mispay": 0.5 / e_value}), lambda: 2)
    raising = Raising(desk, paging)
    breach = replace(suspicion, finding_id="f" * 32, check="settlement.stake", verdict="breached")
    raising.raise_alerts([Raised(finding=one, decided_at=T0) for one in (suspicion, breach)])
    assert [one.id for one in desk.snapshot().alerts] == [breach.finding_id]
    raising.raise_grown(lambda _: 3 * e_value)
    assert [one.id for one in desk.snapshot().alerts] == [breach.finding_id]
    raising.raise_grown(lambda _: 5 * e_value)
    assert {one.id for one in desk.snapshot().alerts} == {breach.finding_id, suspicion.finding_id}
    assert not paging.waits
    grown = fold[0].evidence(suspicion)
    assert grown >= e_value
    assert fold[0].evidence(breach) == 0.0
