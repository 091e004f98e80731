"""The tiles and papers of revenue name the stakes whose outcome was not seen, and the errors of all wagers."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator

import pypdf
import pytest

from dashboards.revenue.books import statement
from dashboards.revenue.filing.line import report_of
from dashboards.revenue.wanted import WantedRevenue
from dashboards.wording.money import dollars
from processors.runtime.store.warehouse import Warehouse
from tests.console.books import store_of
from tests.console.conftest import Browser
from tests.console.test_owed_as_found import HOLED, floor
from tests.console.test_revenue_behind import links_of, number
from tests.console.test_revenue_luck import DAY, UNTOLD, books

SignedIn = Callable[[str], Browser]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    lines = {HOLED: floor()[HOLED], UNTOLD: list(books()[0][UNTOLD])}
    with store_of(tmp_path_factory.mktemp("unseen"), lines) as held:
        yield held


def test_with_a_figure_and_without_and_unseen_make_up_the_handle(
    signed_in: SignedIn, store: Warehouse
) -> None:
    page = signed_in("rex").get(f"/revenue?day={DAY}").text
    links = {one.name: one for one in reversed(links_of(page))}
    found = re.search(r"data-unseen>([\d,]+) stakes?<", page)
    assert found
    sql = (
        "SELECT count(), sum(staked_cents) FROM stakes FINAL WHERE subject = {s:String} AND observed_outcome IS NULL"
        " AND kind != 'lammer' AND (subject, round) IN"
        " (SELECT subject, round FROM rounds FINAL WHERE gaming_day = {d:Date32})"
    )
    ((stakes, cents),) = store.query(sql, {"s": HOLED, "d": DAY})
    assert found[1] == f"{stakes:,}"
    parts = sum(number(links[name].text) for name in ("covered", "uncovered")) + number(dollars(cents))
    assert parts == number(links["handle"].text)


def test_the_paper_has_the_errors_of_all_wagers(signed_in: SignedIn, store: Warehouse) -> None:
    total = report_of(statement(store, WantedRevenue(day=DAY))).total
    assert total.all_errors_for_house != total.errors_for_house
    paper = pypdf.PdfReader(io.BytesIO(signed_in("rex").get(f"/revenue/export.pdf?day={DAY}").content))
    text = "".join(one.extract_text() for one in paper.pages)
    assert "Errors of settlement" in text
    row = " ".join(
        (
            dollars(total.errors_for_house),
            dollars(total.errors_for_patron),
            dollars(total.all_errors_for_house),
            dollars(total.all_errors_for_patron),
            f"{total.unseen_stakes:,}",
        )
    )
    assert f"All {row}" in text


def test_a_table_without_a_figure_has_its_errors_on_the_page_and_they_open_its_rounds(
    signed_in: SignedIn, store: Warehouse
) -> None:
    [line] = [one for one in report_of(statement(store, WantedRevenue(day=DAY))).lines if one.key == UNTOLD]
    assert line.errors_for_house is None
    assert line.all_errors_for_house
    rex, name = signed_in("rex"), "all_errors_for_house"
    page = rex.get(f"/revenue?day={DAY}").text
    [link] = [one for one in links_of(page) if one.name == name and f"table={UNTOLD}" in one.href]
    assert link.text == dollars(line.all_errors_for_house)
    assert dollars(line.all_errors_for_house) in rex.get(link.href).text
    assert "A line without a theoretical figure has the errors of all its wagers" in page
