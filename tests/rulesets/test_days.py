"""Which day's numbers hold: that on which a round started, as the table declared it (A75)."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence

import pytest

from processors.law.check import REGISTRY
from processors.pipeline import TablePipeline
from processors.rack.problem import decode_problem
from schemas.findings import Finding
from schemas.rulesets import Rules
from tests.law.harness import only
from tests.law.record import SUBJECT
from tests.law.script import play
from tests.rulesets.written import CHANGES, EVE, changed, in_force

FREE_BET = "free_bet_672a"
DAY = CHANGES[FREE_BET]
PAID = "settlement.stake"
# A Blackjack is paid 3 to 2 up to the eve, and 6 to 5 from the day on.
SIX_TO_FIVE = changed(FREE_BET, "odds_blackjack", [6, 5])
BLACKJACK = ("deal 3:AsKd D:9cTh", "pay 3 3750")
REST = ("finish",)


def declare(day: dt.date) -> str:
    return f"gaming_day_started gaming_day={day}"


def played(steps: Sequence[str], day: dt.date, ruleset: str = FREE_BET) -> list[bytes]:
    return play(steps, ruleset, {}, (3,), day).lines


def found(
    rules: Rules, lines: Sequence[bytes], check: str = PAID, *, snapshots: bool = False
) -> list[Finding]:
    """The findings of one check, no other being at work."""
    pipeline, findings = TablePipeline(SUBJECT, proofs=False), list[Finding]()
    with in_force(rules), only({check: REGISTRY[check]}):
        for line in lines:
            findings += pipeline.advance(line).findings
            if snapshots:
                pipeline = TablePipeline.restore(pipeline.snapshot())
        findings += pipeline.finish().findings
    return [one for one in findings if one.check == check]


@pytest.mark.parametrize("snapshots", [False, True])
def test_rounds_of_one_stream_are_judged_by_the_day_on_which_they_started(snapshots: bool) -> None:
    steps = ("wager 3 2500", *BLACKJACK, *REST, declare(DAY), "wager 3 2500", *BLACKJACK, *REST)
    findings = found(SIX_TO_FIVE, played(steps, DAY + EVE), snapshots=snapshots)
    assert [(one.round, one.verdict, one.money_cents) for one in findings] == [(2, "breached", -750)]


@pytest.mark.parametrize("snapshots", [False, True])
def test_a_round_that_started_the_day_before_keeps_its_law_when_the_day_changes(snapshots: bool) -> None:
    steps = ("wager 3 2500", "deal 3:AsKd D:9cTh", declare(DAY), "pay 3 3750", *REST)
    assert found(SIX_TO_FIVE, played(steps, DAY + EVE), snapshots=snapshots) == []


def test_the_day_is_the_declared_one_and_not_that_of_a_clock() -> None:
    steps = ("wager 3 2500", *BLACKJACK, *REST)
    declared = played(["opening with gaming_day_started.gaming_day=2027-06-30", *steps], DAY)
    assert found(SIX_TO_FIVE, declared) == []
    ahead = played([f"opening with gaming_day_started.gaming_day={DAY}", *steps], DAY + EVE)
    assert len(found(SIX_TO_FIVE, ahead)) == 1


@pytest.mark.parametrize(("day", "breaches"), [(DAY + EVE, 0), (DAY, 1)])
def test_before_a_day_is_declared_the_time_of_the_round_s_start_says_it(day: dt.date, breaches: int) -> None:
    steps = ("opening without gaming_day_started", "wager 3 2500", *BLACKJACK, *REST)
    lines = played(steps, day)
    assert not any(b"gaming_day_started" in line for line in lines)
    assert len(found(SIX_TO_FIVE, lines)) == breaches


def test_what_is_judged_between_rounds_has_the_day_that_the_table_declared() -> None:
    rules = changed(FREE_BET, "cut_from_ends", 40)
    for day, cuts in ((DAY + EVE, 0), (DAY, 1)):
        lines = played(["opening with cut_made.cards_on_top=30", "wager 3 2500"], day)
        assert len(found(rules, lines, "shuffle_cut.cut_depth")) == cuts


def test_the_rounds_of_a_stream_say_what_was_due_on_their_day() -> None:
    steps = ("wager 3 2500", *BLACKJACK, *REST, declare(DAY), "wager 3 2500", *BLACKJACK, *REST)
    pipeline, due = TablePipeline(SUBJECT), []
    with in_force(SIX_TO_FIVE):
        for line in played(steps, DAY + EVE):
            for round_ in pipeline.advance(line).rounds:
                due += [stake.expected.cents for stake in round_.stakes if stake.expected is not None]
    assert due == [3750, 3000]


def test_a_rack_is_solved_by_the_numbers_of_the_day_it_names() -> None:
    table = {
        "seats": 6, "side_wagers": [], "even_money": False, "pickup_order": "seats_descending", "dealer_cards": "last",
        "bust_collection": "immediate",
    }  # fmt: skip
    asked = {"ruleset": FREE_BET, "table": table, "rack": ["5c", "Kd"]}
    with in_force(changed(FREE_BET, "hands_at_most", 3)):
        most = [
            decode_problem(json.dumps({**asked, **named}).encode()).house.hands_at_most
            for named in ({"gaming_day": "2027-06-30"}, {"gaming_day": "2027-07-01"}, {})
        ]
    assert most == [4, 3, 3]
