"""A round that was called off is no handle, whatever else it was."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

from dashboards.revenue.books import statement
from dashboards.revenue.filing.line import RevenueLine, report_of
from dashboards.revenue.wanted import WantedRevenue
from processors.runtime.store.warehouse import Warehouse
from tests.console.books import store_of
from tests.console.refolded import refolded
from tests.embedded.ledgers import lines_of, subject_of

SCENARIO = "irregular_stacks_misdeal"


def test_a_void_round_is_no_handle_though_it_is_breached_too(tmp_path: Path) -> None:
    subject, lines = subject_of(SCENARIO), lines_of(SCENARIO)
    staked, voided, number = dict[int, int](), set[int](), 0
    for event in map(json.loads, lines):
        match event["type"].removeprefix("catwalk.v1."):
            case "round_started":
                number = event["data"]["round"]
            case "wager_placed":
                staked[number] = staked.get(number, 0) + event["data"]["cents"]
            case "round_voided":
                voided.add(number)
    lawful = sum(cents for round_, cents in staked.items() if round_ not in voided)
    assert sum(staked[round_] for round_ in voided) > 0
    with store_of(tmp_path, {subject: lines}) as store:
        ((day,),) = store.query("SELECT DISTINCT gaming_day FROM rounds FINAL WHERE isNotNull(gaming_day)")
        told = report(store, day)
        assert (told.handle, told.void_rounds) == (lawful, len(voided))
        named = ", ".join(map(str, sorted(voided)))
        for other in ("breached", "indeterminate", "void"):
            with refolded(store, f"round IN ({named})", status=other):
                assert report(store, day) == told


def report(store: Warehouse, day: dt.date) -> RevenueLine:
    return report_of(statement(store, WantedRevenue(day=day))).total
