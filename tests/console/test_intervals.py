"""A tray from count to count: what it should hold by the record, and a residual where a count is off."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator

import pytest

from dashboards.ledger.acts import Withheld
from dashboards.reader.cash import SlipRow
from dashboards.reader.revenue import RoundWin
from dashboards.revenue.books import places_of, statement
from dashboards.revenue.intervals import intervals, intervals_of
from dashboards.revenue.wanted import WantedRevenue
from dashboards.web.console import Console
from processors.runtime.store.warehouse import Warehouse
from tests.console.books import store_of, streams
from tests.console.conftest import Browser
from tests.console.test_revenue import DAY, PLAIN
from tests.drawing.streams import Event, changed, kind

SignedIn = Callable[[str], Browser]
OFF = "DU-2"  # whose closing count of the day is $25 short


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    shortened = False

    def shorten(event: Event) -> None:
        nonlocal shortened
        if not shortened and kind(event) == "inventory_counted" and event["data"]["moment"] == "closing":
            event["data"]["cents"] -= 25_00
            shortened = True

    held = {name: list(lines) for name, lines in streams().items()}
    held[OFF] = list(changed(tuple(held[OFF]), shorten))
    with store_of(tmp_path_factory.mktemp("intervals"), held) as found:
        yield found


def residuals(page: str) -> list[int]:
    return [int(one) for one in re.findall(r'data-residual="(-?\d+)"', page)]


@pytest.mark.parametrize("table", PLAIN)
def test_the_residuals_of_a_day_are_what_is_unexplained_less_what_the_drop_was_beyond_the_chips_sold(
    store: Warehouse, table: str
) -> None:
    wanted = WantedRevenue(day=DAY, table=table)
    found = intervals(store, wanted, places_of(store), frozenset())
    total = statement(store, wanted).total
    assert found
    assert total.account is not None
    assert total.unexplained_cents is not None
    beyond = total.account.drop_cents - total.account.sold_cents
    assert sum(one.residual for one in found) == total.unexplained_cents - beyond
    assert sum(one.win for one in found) == total.figures.win_cents
    assert [bool(one.residual) for one in found] == [table == OFF and one is found[-1] for one in found]


def test_the_page_of_a_tables_day_names_the_interval_in_which_chips_are_missing(signed_in: SignedIn) -> None:
    rex = signed_in("rex")
    page = rex.get(f"/revenue/slips?day={DAY}&table={OFF}&what=unexplained").text
    assert residuals(page)[-1] == -25_00
    assert residuals(page)[:-1] == [0] * (len(residuals(page)) - 1)
    assert "From count to count" in page
    whole = residuals(rex.get(f"/revenue/slips?day={DAY}&table=FB-1&what=net").text)
    assert whole
    assert not any(whole)


def test_of_several_tables_or_days_and_of_fills_alone_no_interval_is_told(
    signed_in: SignedIn, console: Console
) -> None:
    rex = signed_in("rex")
    for query in (
        f"day={DAY}&what=net",
        f"day={DAY}&period=month&table={OFF}&what=net",
        f"day={DAY}&table={OFF}&what=fills",
    ):
        assert residuals(rex.get(f"/revenue/slips?{query}").text) == []
    console.desk.note(Withheld(user="rex", kind="table", value=OFF, reason="own table"), "ann")
    assert residuals(rex.get(f"/revenue/slips?day={DAY}&table={OFF}&what=net").text) == []


def moved(sequence: int, type_: str, cents: int, *, stands: bool = True) -> SlipRow:
    at = dt.datetime(2026, 3, 2, 12, tzinfo=dt.UTC) + dt.timedelta(minutes=sequence)
    return SlipRow(DAY, OFF, sequence, at, type_, "", stands, cents, 0, 0)


def test_a_count_that_a_later_one_replaces_ends_no_interval_and_stakes_not_seen_stand_beside_the_win() -> (
    None
):
    rows = [
        moved(1, "inventory_counted", 1_000_00),
        moved(2, "fill_received", 200_00),
        moved(5, "inventory_counted", 900_00, stands=False),
        moved(6, "inventory_counted", 1_150_00),
        moved(9, "inventory_counted", 1_150_00),
    ]
    first, second = intervals_of(rows, [RoundWin(3, -75_00, 25_00), RoundWin(7, 0, 0)])
    assert (first.begins.sequence, first.ends.sequence, first.rounds, first.unseen) == (1, 6, 1, 25_00)
    assert (first.expected, first.residual) == (1_125_00, 25_00)
    assert (second.rounds, second.residual, second.moves) == (1, 0, ())
