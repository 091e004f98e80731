"""Each total of the day's workbooks, reckoned anew by its formula, is what the raw lines of the ledger come to."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.restitution.causes import every_stake_of, of_days
from dashboards.revenue.filing.line import MONEY
from dashboards.revenue.wanted import BYS
from dashboards.web.console import Console
from processors.runtime.store.warehouse import Warehouse
from tests.console.books import recounted, store_of
from tests.console.libreoffice import require_agreed
from tests.console.reckoning import Reckoned
from tests.console.test_money_without_stake import SignedIn, at_free_seat, decide
from tests.console.test_owed_rulings import only
from tests.console.test_revenue_luck import DAY, books

SUMS = {
    "handle": "handle",
    "win": "win",
    "rounds": "rounds",
    "drop": "drop",
    "fills": "fills",
    "credits": "credits",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    lines = {name: list(one) for name, one in books()[0].items()}
    with store_of(tmp_path_factory.mktemp("reckoned"), lines) as held:
        yield held


def ledger_of(day: dt.date) -> Counter[str]:
    """Sums of a gaming day over all tables, from the raw lines: money in cents."""
    found: Counter[str] = Counter()
    for lines in books()[0].values():
        for name, amount in recounted(list(lines)).get(day.isoformat(), {}).items():
            found[name] += amount
    return found


def test_the_totals_of_the_revenue_are_those_of_the_ledger_on_every_sheet(signed_in: SignedIn) -> None:
    file = Reckoned(signed_in("rex").get(f"/revenue/export.xlsx?day={DAY}").content)
    formulas = list(file.formulas())
    assert {sheet for sheet, _ in formulas} == {f"by {by}" for by in BYS if by != "day"} | (
        {"by day"} if "by day" in file.book.sheetnames else set()
    )
    for sheet, cell in formulas:
        assert file.value(sheet, cell) == file.written(sheet, cell), (sheet, cell)
    ledger = ledger_of(DAY)
    assert ledger["handle"] > 0 < ledger["drop"]
    for sheet in file.book.sheetnames:
        for name, told in SUMS.items():
            amount = file.at(sheet, "total", name)
            cell = file.book[sheet][f"{file.column(sheet, name)}{file.row(sheet, 'total')}"]
            if cell.value is None:
                assert sheet in ("by shift", "by dealer"), (
                    "what is of whole tables is not told apart by these"
                )
                continue
            cents = amount * 100 if told in MONEY else amount
            assert cents == ledger[name], (sheet, name)


def test_the_totals_of_who_is_paid_back_are_the_errors_that_were_planted_and_the_money_decided(
    signed_in: SignedIn, console: Console, store: Warehouse
) -> None:
    made = of_days(store, DAY, DAY)
    places = {(one.subject, one.first_sequence) for one in made.lines}
    free = at_free_seat(every_stake_of(store, places).lines)
    debt = only(made, 1)
    decide(console.desk, free, 5_000)
    decide(console.desk, free, -3_000)
    decide(console.desk, debt, debt.owed)
    file = Reckoned(signed_in("rex").get(f"/revenue/owed/xlsx?day={DAY}").content)
    for sheet, cell in file.formulas():
        assert file.value(sheet, cell) == file.written(sheet, cell), (sheet, cell)
    planted = sum(cents for (_, day, _), cents in books()[1].items() if day == DAY.isoformat())
    assert file.at("restitution", "total", "owed") * 100 == planted != 0
    both = [file.at("restitution", title, "owed") * 100 for title in ("to patrons", "to the house")]
    assert both == [made.owed_total, -made.overpaid_total]
    sums = {
        title: [
            file.at("paid in all", title, name) for name in ("settled", "beyond", "without_stake", "paid")
        ]
        for title in ("to patrons", "to the house", "total")
    }
    settled = Decimal(debt.owed) / 100
    assert sums["to patrons"] == [settled, 0, 50, settled + 50]
    assert sums["to the house"] == [0, 0, -30, -30]
    assert sums["total"] == [settled, 0, 20, settled + 20]


def test_a_workbook_without_a_line_has_totals_of_nought(signed_in: SignedIn) -> None:
    file = Reckoned(signed_in("rex").get("/revenue/owed/xlsx?day=2020-01-01").content)
    assert {sheet for sheet, _ in file.formulas()} == {"paid in all"}
    assert {file.value(*place) for place in file.formulas()} == {Decimal()}


@pytest.mark.soak  # LibreOffice is no tool of the gate; `Reckoned` knows the forms that are written
@pytest.mark.parametrize(
    "page",
    [f"/revenue/export.xlsx?day={DAY}", f"/revenue/owed/xlsx?day={DAY}", "/revenue/month.xlsx?month=2026-03"],
)
def test_libreoffice_gives_each_formula_the_value_that_was_written(
    signed_in: SignedIn, accounts: Accounts, page: str, tmp_path: Path
) -> None:
    require_agreed(signed_in("otto").get(page).content, tmp_path)
