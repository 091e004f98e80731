"""Gaming days of 23 and 25 hours, and a round over the change of day: held against the lines alone."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest

from dashboards.revenue.books import statement
from dashboards.revenue.filing.line import RevenueReport, report_of
from dashboards.revenue.wanted import By, Period, WantedRevenue
from processors.runtime.store.warehouse import Warehouse
from producers.simulator.floor.setup import usual_setup
from tests.console.books import recounted, simulated, store_of, streams
from tests.drawing.streams import Event, changed, kind


@pytest.mark.parametrize("first", [dt.date(2026, 3, 7), dt.date(2026, 10, 31)], ids=["spring", "autumn"])
def test_days_on_which_the_clock_changes_are_the_days_that_the_table_declared(
    first: dt.date, tmp_path: Path
) -> None:
    setup = usual_setup("free_bet_672a", "FB-1", decks=6, open_hours=20.0, pit="1", number=1, first_day=first)
    lines = simulated(setup, 120)
    days = recounted(lines)
    with store_of(tmp_path, {"FB-1": lines}) as store:
        held = {line.key: line.handle for line in report(store, max(days), "day").lines}
        assert held == {day: sums["handle"] for day, sums in days.items()}
        for day, sums in days.items():
            whole = report(store, day, "shift", "day")
            assert sum(line.handle for line in whole.lines) == whole.total.handle == sums["handle"]
            assert whole.total.win == sums["win"]


def test_a_round_over_the_change_of_day_belongs_to_the_day_on_which_it_settled(tmp_path: Path) -> None:
    setup = usual_setup("free_bet_672a", "FB-1", decks=6, open_hours=0.5, pit="1", number=1)
    closed = 0

    def begin_a_day(event: Event) -> None:
        nonlocal closed
        closed += kind(event) == "betting_closed"
        if kind(event) == "betting_closed" and closed == 5:
            event["type"], event["data"] = "catwalk.v1.gaming_day_started", {"gaming_day": "2026-03-20"}

    lines = list(changed(tuple(simulated(setup, 12)), begin_a_day))
    staked: dict[str, int] = {}
    day, of_round = "", 0
    for event in map(json.loads, lines):
        match event["type"].removeprefix("catwalk.v1."), event["data"]:
            case "gaming_day_started", data:
                day = data["gaming_day"]
            case "wager_placed", data:
                of_round += data["cents"]
            case "round_ended", _:
                staked[day], of_round = staked.get(day, 0) + of_round, 0
    assert len(staked) > 1
    with store_of(tmp_path, {"FB-1": lines}) as store:
        told = report(store, max(staked), "day")
        assert {line.key: line.handle for line in told.lines if line.handle} == staked


def test_a_table_that_stayed_closed_hides_nothing_of_the_others(tmp_path: Path) -> None:
    played, closed = streams()["DU-2"], streams()["C4-3"]
    begun = next(
        n for n, line in enumerate(closed) if json.loads(line)["type"].endswith("gaming_day_started")
    )
    day = min(recounted(played))
    with store_of(tmp_path / "one", {"DU-2": played}) as store:
        alone = report(store, day, "table", "day").total
    with store_of(tmp_path / "two", {"DU-2": played, "C4-3": closed[: begun + 1]}) as store:
        told = report(store, day, "table", "day")
    assert {line.key for line in told.lines} == {"DU-2", "C4-3"}
    assert told.total == alone
    assert None not in (alone.net_win, alone.tax, alone.drop, alone.hours)


def report(store: Warehouse, day: str, by: By, period: Period = "year") -> RevenueReport:
    return report_of(statement(store, WantedRevenue(day=dt.date.fromisoformat(day), period=period, by=by)))
