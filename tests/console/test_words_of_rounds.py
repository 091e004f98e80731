"""The words and the order of the rounds that a suspicion names."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from dashboards.suspicions.suspicions import weighty_rounds
from dashboards.web.console import NoRecords
from schemas.findings import Finding

SUSPICION = Finding(
    finding_id="f" * 32, check="pattern.pace.slower", cites=(), verdict="suspected", severity="major", subject="S-1",
    round=12, sequence=120, sequences=(120,), expected=None, observed=None, money_cents=0, message="",
)  # fmt: skip


@pytest.mark.parametrize(
    ("check", "row", "words"),
    [
        ("dealer_mispay.for_house", {"seats": [2], "cents": -500}, "seat 2, $5.00 too little"),
        ("collusion.exchanged", {"seats": [2, 3], "cents": 500}, "seats 2, 3, $5.00 too much"),
        ("dealer_mispay.careless", {"seats": [2, 3], "cents": 10_000}, "seats 2, 3, $100.00 paid wrongly"),
        ("collusion.decisions", {"seats": [2], "cents": 500}, "seat 2, $5.00 staked"),
        (
            "collusion.decisions", {"cents": 500, "factor": 2.5},
            "$5.00 staked, fits who knows the hole card up to 2.5 times as well as chance",
        ),
        ("side_wager.push22", {"cents": 0, "factor": 12.5}, "$0.00 staked, raised the evidence 12 times"),
        ("side_wager.push22", {"cents": 100, "factor": 1.0}, "$1.00 staked"),
        ("side_wager.push22", {"cents": 100, "factor": 0.996}, "$1.00 staked"),
        ("side_wager.push22", {"cents": 100, "factor": 0.25}, "$1.00 staked, left 0.25 of the evidence"),
        ("past_posting.side", {"cents": 100, "factor": 1_234.0}, "$1.00 staked, raised the evidence 1,234 times"),
        ("past_posting.late", {"cents": 0, "factor": 250_000.0}, "$0.00 staked, raised the evidence 250,000 times"),
        ("inventory_drift", {"event": 12_345, "residual_cents": -500}, "event 12345, residual −$5.00"),
        ("side_wager.push22_paid", {"seats": [4], "cents": 100}, "seat 4, $1.00 too much"),
        ("counting.stakes", {"seats": [4], "cents": 100, "true_count": 4.0}, "seat 4, $1.00 staked, true count 4"),
        ("theoretical_win.overpaid", {"cents": 100}, "$1.00 too much"),
        ("theoretical_win.underpaid", {"cents": 100}, "$1.00 too little"),
        (
            "theoretical_win.underpaid", {"seats": [1], "cents": -100, "share_of_wagers": 0.5, "factor": 2.0},
            "seat 1, $1.00 too little, 50.0% of the main wagers, raised the evidence 2 times",
        ),
        (
            "theoretical_win.patrons",
            {"seats": [1, 3], "cents": -17_500, "wagers_won": -3.5, "wagers_expected": 0.02, "factor": 1.5},
            "seats 1, 3, the house lost $175.00, by the cards −3.5 in main wagers, 0.02 expected, raised the evidence "
            "1.5 times",
        ),
        ("theoretical_win.house", {"cents": 17_500}, "the house won $175.00"),
        (
            "called_void.for_patrons", {"seats": [1, 3], "cents": -5_000, "at_every_box": True, "factor": 3.0},
            "seats 1, 3, patrons would have lost $50.00, at every box, raised the evidence 3 times",
        ),
        (
            "called_void.for_house", {"seats": [3], "cents": 5_000, "at_every_box": False, "factor": 3.0},
            "seat 3, patrons would have won $50.00, raised the evidence 3 times",
        ),
        (
            "pace.slower", {"seconds_an_act": 2.31, "table_seconds_an_act": 1.6, "factor": 2.0},
            "seconds an act 2.31, of the table 1.6, raised the evidence 2 times",
        ),
    ],
)  # fmt: skip
def test_money_of_a_round_is_said_to_be_staked_or_paid_wrongly(
    check: str, row: dict[str, Any], words: str
) -> None:
    finding = replace(SUSPICION, check=f"pattern.{check}", observed={"rounds": [{"round": 7, **row}]})
    [one] = weighty_rounds(NoRecords(), finding)
    assert one.words == words


def test_rounds_stand_by_the_money_they_moved_and_by_weight_where_the_family_weighs_them() -> None:
    suspicion = replace(SUSPICION, check="pattern.theoretical_win.overpaid")
    moved = {7: 500, 3: -2_500, 12: 1_000, 4: 500}
    told = [{"table": "S-1", "round": number, "cents": cents} for number, cents in moved.items()]

    def order(finding: Finding, rounds: list[Any]) -> list[int]:
        return [
            one.round for one in weighty_rounds(NoRecords(), replace(finding, observed={"rounds": rounds}))
        ]

    assert order(suspicion, told) == [3, 12, 7, 4]
    for why in ("factor", "true_count"):
        weighed = [{**row, why: 2.0} for row in told]
        assert order(replace(suspicion, check="pattern.counting.stakes"), weighed) == [7, 3, 12, 4]
    older = replace(suspicion, check="pattern.dealer_mispay.for_patrons")
    assert order(older, told) == [3, 12, 7, 4], "an earlier release lists the latest, oldest first"
    assert order(suspicion, [7, 3, 12]) == [7, 3, 12], "no money is told"
    assert order(suspicion, [*told[:2], {"table": "S-1", "round": 9}]) == [7, 3, 9], "not of each"
    many = [{"round": number, "cents": number} for number in range(1, 16)]
    assert order(suspicion, many) == list(range(15, 5, -1))
