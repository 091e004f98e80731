"""What was due, what moved and the difference, as the panel of an alert shows them in large figures."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dashboards.alerts.panel_figures import figures_of
from processors.pipeline import TablePipeline
from schemas.findings import Finding
from tests.embedded.ledgers import lines_of, subject_of


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
