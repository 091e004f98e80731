"""A stake that is returned in part, or for more than was staked, moves money: in findings, rounds, sums and claims."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.restitution.causes import of_days
from dashboards.revenue.books import statement
from dashboards.revenue.filing.line import report_of
from dashboards.revenue.wanted import WantedRevenue
from processors.core.moved import moved
from processors.core.state import Move
from processors.games.settled import observed
from processors.runtime.store.takings import takings_of
from schemas.rounds import Outcome, RoundResult, Settlement
from schemas.warehouse.views import patron_cents
from tests.console.books import store_of
from tests.mutations.rechain import Event, altered, heard, kind, load, rechained

STREAM = "lawful_free_bet_590"
FACTORS = pytest.mark.parametrize("factor", [0.5, 2.0], ids=["half", "double"])
MOVES = st.lists(
    st.builds(
        Move,
        st.sampled_from(["pay", "collect", "return", "take_back"]),
        st.integers(1, 6).map(lambda chips: 500 * chips),
        st.just(1),
    ),
    min_size=1,
    max_size=5,
)


def _returned(factor: float) -> tuple[list[Event], int]:
    """The stream in which a wager that pushed goes back by this factor, and what its patron had too much of it."""
    events = load(STREAM)
    at = next(
        place
        for place, event in enumerate(events)
        if kind(event) == "wager_settled"
        and event["data"]["kind"] == "main"
        and event["data"]["outcome"] == "return"
        and kind(events[place - 1]) != "player_decision"
    )
    due = int(events[at]["data"]["cents"])
    return altered(events, at, cents=int(due * factor)), int(due * factor) - due


def _rounds(events: list[Event]) -> list[RoundResult]:
    return heard(list(rechained(events)), proofs=False)[1]


@FACTORS
def test_the_finding_states_the_money(factor: float) -> None:
    events, gained = _returned(factor)
    findings, _ = heard(list(rechained(events)), proofs=False)
    [told] = [one for one in findings if one.verdict == "breached"]
    assert (told.check, told.money_cents, told.severity) == ("settlement.stake", -gained, "critical")


@FACTORS
def test_the_round_and_its_sums_count_it(factor: float) -> None:
    events, gained = _returned(factor)
    rounds, lawful = _rounds(events), _rounds(load(STREAM))
    assert sum(one.net_cents for one in rounds) - sum(one.net_cents for one in lawful) == gained
    rows = [row for one in rounds for row in takings_of(one)]
    assert sum(row["wrong"] for row in rows) == 1
    assert sum(row["for_patron_cents"] + row["for_house_cents"] for row in rows) == -gained
    assert sum(row["paid_cents"] - row["collected_cents"] for row in rows) == sum(
        one.net_cents for one in rounds
    )


@FACTORS
def test_revenue_and_restitution_count_it(factor: float, tmp_path: Path) -> None:
    events, gained = _returned(factor)
    with store_of(tmp_path, {events[0]["subject"]: list(rechained(events))}) as store:
        ((day,),) = store.query("SELECT DISTINCT gaming_day FROM rounds FINAL WHERE isNotNull(gaming_day)")
        total = report_of(statement(store, WantedRevenue(day=day))).total
        made = of_days(store, day, day)
        ((overpaid,),) = store.query("SELECT sum(overpaid_cents) FROM current_stakes")
        views = store.query(
            "SELECT sum(overpaid_cents - underpaid_cents), sum(win_cents) FROM revenue_by_table_and_day"
            f"(first = '{day}', last = '{day}')"
        )
    assert total.all_errors_for_house + total.all_errors_for_patron == -gained
    assert [one.owed for one in made.lines] == [-gained]
    assert overpaid == gained
    assert views == [(gained, total.win)]


def _chips_of_the_patron(stake: int, moves: list[Move]) -> int:
    """What the patron has more than before, if each chip is followed from one place to the other."""
    layout, patron, house = stake, 0, 0
    for move in moves:
        of_the_stake = min(layout, move.cents)
        match move.outcome:
            case "pay":
                patron, house = patron + move.cents, house - move.cents
            case "take_back":
                patron, house = patron - move.cents, house + move.cents
            case "collect":
                layout, house = layout - of_the_stake, house + move.cents
                patron -= move.cents - of_the_stake
            case "return":
                layout, patron = layout - of_the_stake, patron + move.cents
                house -= move.cents - of_the_stake
    assert layout + patron + house == stake
    outcomes = {move.outcome for move in moves}
    won = sum(_WON.get(move.outcome, 0) * move.cents for move in moves)
    if "return" in outcomes and "collect" not in outcomes and won <= 0:
        layout = 0  # a part went back, the rest lies there for the house
    return patron + layout - stake


_WON = {"pay": 1, "take_back": -1}


@given(st.sampled_from([0, 500, 1_000, 1_500]), MOVES)
def test_a_stake_brings_what_its_chips_do(cents: int, moves: list[Move]) -> None:
    sums, seen = moved(cents, moves), observed(cents, moves)
    brought = _chips_of_the_patron(sums.staked, moves)
    assert sums.patron_cents == brought
    assert (0 if seen is None else seen.patron_cents(cents)) == brought


@pytest.mark.parametrize(
    ("moves", "brought"), [("CRC", -500), ("CRCR", 0), ("RR", 0), ("RCR", 0), ("CRR", 0)]
)
def test_chips_of_a_stake_that_nobody_was_seen_to_place_count_once(moves: str, brought: int) -> None:
    """Where 500 cents are collected (C) or returned (R) each time."""
    made = {"C": Move("collect", 500, 1), "R": Move("return", 500, 1)}
    assert moved(0, [made[letter] for letter in moves]).patron_cents == brought


def test_the_store_counts_a_settlement_as_python_does(tmp_path: Path) -> None:
    sides = [
        None,
        *(Settlement(outcome, cents) for outcome in get_args(Outcome) for cents in (0, 500, 1_500)),
    ]
    rows = list(product([0, 500, 1_000], sides, sides))
    values = ", ".join(f"({staked}, {_text(expected)}, {_text(seen)})" for staked, expected, seen in rows)
    shape = ", ".join(f"{side}_outcome Nullable(String), {side}_cents Nullable(Int64)" for side in _SIDES)
    with store_of(tmp_path, {}) as store:
        told = store.query(
            f"SELECT {', '.join(patron_cents(side, 'r.') for side in _SIDES)} "
            f"FROM values('staked_cents Int64, {shape}', {values}) AS r"
        )
    assert told == [
        tuple(0 if one is None else one.patron_cents(staked) for one in sides) for staked, *sides in rows
    ]


_SIDES = ("expected", "observed")


def _text(one: Settlement | None) -> str:
    return "NULL, NULL" if one is None else f"'{one.outcome}', {one.cents}"


@given(st.sampled_from([500, 1_000, 1_500]), MOVES)
def test_returns_in_parts_count_together(cents: int, moves: list[Move]) -> None:
    """In whatever parts, and collected again they leave the stake lost; of an unseen stake they are no gain."""
    parts = [Move("return", move.cents, 1) for move in moves]
    back = sum(move.cents for move in parts)
    assert moved(cents, parts).patron_cents == back - cents
    taken = Move("collect", max(back, cents), 1)
    assert moved(cents, [*parts, taken]).patron_cents == -cents
    assert moved(0, parts).patron_cents == 0
