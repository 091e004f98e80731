"""What is to be paid back is what findings say: each amount that a finding states is owed once, or named as open."""

from __future__ import annotations

import datetime as dt
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from dashboards.folding.states import States
from dashboards.hands.hand import stored_round
from dashboards.hands.view import stakes_of
from dashboards.replayer.replay import ReplayAsked
from dashboards.replayer.stated import HALF
from dashboards.reports.hand_report import paid_row
from dashboards.restitution.causes import of_days, of_finding, of_shoe
from dashboards.restitution.claims import UNSEEN, Claim, Restitution, Undecided
from processors.runtime.store.warehouse import Warehouse
from producers.simulator.floor.setup import usual_setup
from tests.console.books import simulated, store_of
from tests.mutations.rechain import Event, kind, like, rechained

FIRST, LAST = dt.date(2000, 1, 1), dt.date(2100, 1, 1)
HOLED = "DU-9"  # its record has holes: nobody can say whether what is not there happened
SETUPS = (
    usual_setup("free_bet_672a", "FB-1", decks=6, open_hours=0.5, number=1),
    usual_setup("down_under_685a", "DU-2", decks=8, open_hours=0.5, number=2),
    usual_setup("free_bet_590", "OLD-3", decks=6, open_hours=0.5, number=3),
    usual_setup("fortune_670a10", "FP-4", open_hours=0.5, number=4),
)
ROUNDS = 40


def spoilt(events: list[Event], dice: random.Random) -> Iterator[Event]:
    """One settlement in six left out, of another amount or outcome, or done twice; lammers taken unpaid, too."""
    for event in events:
        if kind(event) not in ("wager_settled", "lammer_collected") or dice.random() > 1 / 6:
            yield event
            continue
        data = event["data"]
        match dice.choice(("left out", "amount", "outcome", "twice")):
            case "left out":
                continue
            case "amount" if "cents" in data:
                yield {**event, "data": {**data, "cents": max(100, data["cents"] + dice.choice((-500, 500)))}}
            case "outcome" if "outcome" in data:
                other = dice.choice([one for one in ("pay", "collect", "return") if one != data["outcome"]])
                yield {**event, "data": {**data, "outcome": other}}
            case "twice":
                yield event
                yield like(event, kind(event), **data)
            case _:
                yield event


def holed(lines: list[bytes], dice: random.Random) -> list[bytes]:
    """The record without one settlement in twelve, whose places stay empty."""
    return [line for line in lines if b"wager_settled" not in line or dice.random() > 1 / 12]


@cache
def floor() -> dict[str, list[bytes]]:
    dice = random.Random(23)
    held = {
        setup.subject: list(rechained(spoilt([json.loads(line) for line in simulated(setup, ROUNDS)], dice)))
        for setup in SETUPS
    }
    setup = usual_setup("down_under_685a", HOLED, decks=8, open_hours=0.5, number=5)
    return held | {HOLED: holed(simulated(setup, ROUNDS), dice)}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with store_of(tmp_path_factory.mktemp("found"), floor()) as held:
        yield held


@pytest.fixture(scope="module")
def made(store: Warehouse) -> Restitution:
    return of_days(store, FIRST, LAST)


def findings(store: Warehouse) -> list[dict[str, Any]]:
    told = store.query("SELECT record FROM findings FINAL ORDER BY subject, sequence, finding_id")
    return [json.loads(record) for (record,) in told]


def test_each_amount_that_a_finding_states_is_owed_once_or_named_as_open(
    store: Warehouse, made: Restitution
) -> None:
    stated = {one["finding_id"]: one for one in findings(store) if one.get("money_cents")}
    owed = Counter(one.finding for one in made.lines if one.finding)
    assert set(owed.values()) == {1}
    assert {one.finding: one.owed for one in made.lines if one.finding} == {
        name: one["money_cents"] for name, one in stated.items() if name in owed
    }
    apart = [one for name, one in stated.items() if name not in owed]
    assert {one["check"] for one in apart} <= {"settlement.surrender_halves"}
    half_open = {(one.subject, one.round, one.hand) for one in made.undecided if HALF in one.missing}
    told = {(one.subject, one.round, one.hand) for one in made.lines if one.finding}
    for one in apart:
        assert (one["subject"], one["round"], one["hand"]) in half_open | told
    never = [one for one in stated.values() if one["check"] == "settlement.complete"]
    assert sum(one["money_cents"] for one in never) != 0
    assert {one["finding_id"] for one in never} <= owed.keys()


def test_what_no_finding_states_is_owed_by_its_stake_alone_where_a_finding_of_the_seat_is_open(
    store: Warehouse, made: Restitution
) -> None:
    alone = [one for one in made.lines if one.finding is None]
    opened = {
        (one["subject"], one["round"], one["seat"])
        for one in findings(store)
        if "seat" in one and not one.get("money_cents")
    }
    assert {(one.subject, one.round, one.seat) for one in alone} <= opened


def test_a_stake_whose_settlement_may_have_been_missed_stays_undecided(
    store: Warehouse, made: Restitution
) -> None:
    assert {one.subject for one in made.lines}.isdisjoint({HOLED})
    unseen = [one for one in made.undecided if one.subject == HOLED]
    assert unseen
    assert all(one.missing[0] == UNSEEN and "missing" in one.missing[1] for one in unseen)
    named = {
        one["finding_id"] for one in findings(store) if one["subject"] == HOLED and one.get("money_cents")
    }
    assert not named


def test_finding_shoe_and_days_say_the_same_of_a_stake(store: Warehouse, made: Restitution) -> None:
    never = [
        one for one in findings(store) if one["check"] == "settlement.complete" and one.get("money_cents")
    ]
    for one in never:
        of_one = of_finding(store, one["finding_id"])
        assert of_one.owed_total - of_one.overpaid_total == one["money_cents"]
        (line,) = of_one.lines
        assert line in made.lines
    subject, shoe = str(never[0]["subject"]), 1
    of_all = [one for one in of_shoe(store, subject, shoe).lines if one.owed]
    rounds = {one.first_sequence for one in of_all}
    assert of_all == [one for one in made.lines if one.subject == subject and one.first_sequence in rounds]


def test_the_replayer_says_of_a_stake_that_was_not_seen_to_be_settled_what_the_list_says(
    store: Warehouse, made: Restitution
) -> None:
    states, unpaid, unseen = States(store), 0, 0
    undecided = [one for one in made.undecided if UNSEEN in one.missing]
    by_round: dict[tuple[str, int, int], list[Claim | Undecided]] = defaultdict(list)
    every: list[Claim | Undecided] = [*made.lines, *undecided]
    for one in every:
        by_round[one.subject, one.round, one.first_sequence].append(one)
    for (subject, number, first), listed in by_round.items():
        stored = stored_round(store, states, subject, number, first)
        replay = stored.replay(ReplayAsked(frames=False), stored.findings)
        rows = {(row.seat, row.hand, row.kind): row for row in replay.payouts if row.kind != "lammer"}
        for one in listed:
            row = rows.get((one.seat, one.hand, one.kind))
            if row is None or row.observed is not None or row.expected is None:
                continue
            [view] = stakes_of([row], ())
            if isinstance(one, Claim):
                unpaid += 1
                assert (row.word, row.owed_cents, view.sign) == ("not settled", one.owed, "✕")
            else:
                unseen += 1
                assert (row.word, row.owed_cents) == ("undecided: the settlement was not seen", None)
                assert (view.sign, view.difference, paid_row(row, replay).wrong) == ("?", "", False)
    assert unpaid > 3
    assert unseen > 3
