"""The money in the panel of an alert: due, moved and the difference, and what else went wrong under the dealer."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from dashboards.alerts.panel_figures import figures_of
from dashboards.ledger.acts import Disposed
from dashboards.web.console import Console
from processors.pipeline import TablePipeline
from schemas.findings import Finding
from tests.console.conftest import Browser
from tests.console.desk_building import T0, a_finding, a_raise
from tests.embedded.ledgers import lines_of, subject_of

SignedIn = Callable[[str], Browser]


def shown(expected: Any, observed: Any, cents: int) -> list[tuple[str, str]]:
    return [(one.name, one.amount) for one in figures_of(expected, observed, cents)]


@pytest.mark.parametrize(
    ("stream", "told"),
    [
        ("breach_overpay", [("Due", "$100.00"), ("Moved", "$200.00"), ("Overpaid", "$100.00")]),
        (
            "breach_dealer22_paid",
            [("To be returned", "$100.00"), ("Was paid", "$100.00"), ("Overpaid", "$100.00")],
        ),
        ("breach_mtd_wrong_pay", [("Due", "$20.00"), ("Moved", "$35.00"), ("Overpaid", "$15.00")]),
    ],
)
def test_findings_of_published_streams_tell_their_figures(stream: str, told: list[tuple[str, str]]) -> None:
    pipeline = TablePipeline(subject_of(stream), proofs=False, detect=False)
    found = [one for line in lines_of(stream) for one in pipeline.advance(line).findings if one.money_cents]
    kept = msgspec.json.decode(msgspec.json.encode(found[0]), type=Finding)  # as the desk has it
    assert shown(kept.expected, kept.observed, kept.money_cents) == told


@pytest.mark.parametrize(
    ("expected", "observed", "cents", "told"),
    [
        (  # never settled
            {"outcome": "pay", "cents": 20_000}, None, 20_000,
            [("To be paid", "$200.00"), ("Moved", "nothing"), ("Owed to patron", "$200.00")],
        ),
        (  # settled twice, or a stake that nobody placed
            None, {"outcome": "pay", "cents": 2_500}, -2_500,
            [("Due", "nothing"), ("Was paid", "$25.00"), ("Overpaid", "$25.00")],
        ),
        (  # halves of a surrendered wager: what moved is no amount
            {"collected": 500, "returned": 500}, {"collected": True, "returned": False}, 500,
            [("Owed to patron", "$5.00")],
        ),
        ({"cents": 1_000}, {"cents": True}, 1_000, [("Owed to patron", "$10.00")]),
        (15_000, 12_000, 3_000, [("Owed to patron", "$30.00")]),
        (None, None, -6_000, [("Overpaid", "$60.00")]),
        ({"outcome": "pay", "cents": 100}, {"outcome": "pay", "cents": 200}, 0, []),
    ],
)  # fmt: skip
def test_what_is_not_told_is_not_made_up(
    expected: Any, observed: Any, cents: int, told: list[tuple[str, str]]
) -> None:
    assert shown(expected, observed, cents) == told


def test_the_panel_tells_what_else_went_wrong_under_the_dealer(signed_in: SignedIn, console: Console) -> None:
    wrong = [
        a_finding(n, subject="BJ-77", money_cents=c)
        for n, c in ((1, 40_000), (2, -2_500), (3, -2_000), (4, 0))
    ]
    console.desk.raise_alerts(a_raise(one, "D77") for one in wrong)
    early = a_finding(5, subject="BJ-77", money_cents=9_900)
    console.desk.raise_alerts(
        [a_raise(early, "D77", T0 - dt.timedelta(hours=9)), a_raise(a_finding(6), "D78")]
    )
    closed = Disposed(alert=wrong[1].finding_id, version=1, disposition="no error", note="seen")
    console.desk.act(closed, "ito")
    said = signed_in("hale").get(f"/alerts/{wrong[0].finding_id}/panel").text
    assert "2 other alerts with money, overpaid $45.00 in all." in said
    assert (
        "no other alert with money." in signed_in("hale").get(f"/alerts/{a_finding(6).finding_id}/panel").text
    )
