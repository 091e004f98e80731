"""Totals of 22 and matches: too many, too few, in all rounds or in those with a wager; and as many as is right."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest

from processors.core.state import Round
from processors.detectors.evidence.rates import rate_ratios
from processors.detectors.families.side_wager import (
    MISPAID,
    MISPAID_MORE,
    STRETCH_PAID,
    Paid,
    chance_of_match,
    chance_of_total,
    matches,
)
from processors.detectors.family import FAMILIES
from processors.detectors.mixture import left, weigh
from processors.detectors.shapes import Alarm, Closed
from processors.detectors.stages.table_stage import TableStage
from processors.pipeline import TablePipeline
from schemas.values import Ruleset
from tests.detectors.later.play import CASES, until_alarm
from tests.detectors.shoes import dealt, untouched
from tests.detectors.worlds import Change, Event, changed, kind_of, mispaid, named, suspected, table
from tests.sampling import one_in


@cache
def _rounds(ruleset: Ruleset, seed: int) -> tuple[Closed, ...]:
    """The rounds of a lawful table as its families are told of them."""
    kept: list[Closed] = []
    pipeline = TablePipeline(f"S-{seed}", proofs=False)
    family = FAMILIES["side_wager"].table
    assert family is not None

    class Kept(TableStage):
        def closed(
            self, table: Any, round_: Round, result: Any, play: Any, *, ended: bool, late: bool
        ) -> None:
            kept.append(Closed(table, round_, result, "", 0, table.time, ended, True))

    stage = pipeline.detectors
    assert stage is not None
    pipeline._detectors = Kept()
    for line in dealt(untouched, seed, 300, ruleset):
        pipeline.advance(line)
    return tuple(kept)


def _alarms(rounds: Iterator[Closed]) -> dict[str, int]:
    """In which round each variant alarmed first."""
    family = FAMILIES["side_wager"].table
    assert family is not None
    assert family.closed is not None
    state = family.state()
    found: dict[str, int] = {}
    for number, one in enumerate(rounds, start=1):
        for alarm in family.closed(state, one):
            assert isinstance(alarm, Alarm)
            found.setdefault(alarm.variant, number)
    return found


def _with_total(closed: Closed, total: int) -> Closed:
    hands = closed.result.hands
    dealer = msgspec.structs.replace(hands["D"], total=total)
    return msgspec.structs.replace(
        closed, result=msgspec.structs.replace(closed.result, hands={**hands, "D": dealer})
    )


def _staked(closed: Closed, kind: str) -> bool:
    return any(one.kind == kind for one in closed.round.stakes.values())


def test_the_chances_are_those_published() -> None:
    assert chance_of_total(22, 21, 17) == pytest.approx(0.072591, abs=2e-4)
    assert chance_of_total(22, 22, 17) == pytest.approx(0.083326, abs=3e-4)
    assert chance_of_total(17, 21, 17) == pytest.approx(0.14525, abs=3e-4)
    assert chance_of_match(6) == pytest.approx(0.142662, abs=1e-6)
    assert chance_of_match(8) == pytest.approx(0.143985, abs=1e-6)


def test_lawful_tables_raise_nothing() -> None:
    assert _alarms(iter(_rounds("free_bet_672a", 1))) == {}
    assert _alarms(iter(_rounds("down_under_685a", 1))) == {}


def test_rounds_without_a_match_name_the_seats_that_were_counted_and_their_money() -> None:
    family = FAMILIES["side_wager"].table
    assert family is not None
    assert family.closed is not None
    state = family.state()
    for one in _rounds("down_under_685a", 1):
        if not any(matches(one.round).values()):
            list(family.closed(state, one))
    told = state.tallies["match_dealer_staked"].rounds
    assert told
    assert all(one.seats and one.cents for one in told)


@pytest.mark.parametrize("seed", one_in(2, [1, 2]))
def test_twenty_twos_three_times_as_often_are_named(seed: int) -> None:
    rng = random.Random(seed)
    rounds = (
        _with_total(one, 22) if rng.random() < 0.15 and "D" in one.result.hands else one
        for one in _rounds("free_bet_672a", 1)
    )
    assert _alarms(rounds)["push22"] <= 250


def test_the_figures_of_twenty_twos_are_those_of_the_sentence_beside_the_list_of_rounds() -> None:
    case = CASES["side_wager.push22"]
    rounds, alarm = until_alarm("side_wager.push22", case.begin(), 3)
    assert alarm is not None
    hits, chance = alarm.observed["hits"], alarm.expected["by_chance"]
    assert alarm.message == f"A dealer's 22 came in {hits} of {rounds} rounds; chance allows {chance}."
    assert alarm.observed["rounds_counted"] == rounds
    assert 1 <= len(alarm.observed["rounds"]) <= 10


def test_twenty_twos_that_come_only_where_somebody_staked_on_them_are_named() -> None:
    rng = random.Random(5)
    rounds = [
        _with_total(one, 22) if _staked(one, "push22") and rng.random() < 0.3 else one
        for one in _rounds("free_bet_672a", 1)
    ]
    assert "push22_staked" in _alarms(iter(rounds))


def test_no_twenty_two_for_a_long_time_is_named() -> None:
    rounds = [
        _with_total(one, 20) if one.result.hands["D"].total == 22 else one
        for _ in range(2)
        for one in _rounds("free_bet_672a", 1)
    ]
    assert "push22" in _alarms(iter(rounds))


@pytest.mark.parametrize(("variant", "staked"), [("match_dealer", False), ("match_dealer_staked", True)])
def test_matches_twice_as_often_are_named_also_where_somebody_staked_on_them_alone(
    variant: str, staked: bool
) -> None:
    rng = random.Random(7)

    def matched(one: Closed) -> Closed:
        dealer = one.round.hands.get("D")
        seats = {stake.seat for stake in one.round.stakes.values() if stake.kind == "match_dealer"}
        hands = (hand for name, hand in one.round.hands.items() if name != "D")
        hand = next((hand for hand in hands if hand.seat in seats or not staked), None)
        if dealer is None or hand is None or rng.random() > 0.6 or not dealer.cards:
            return one
        changed = msgspec.structs.replace(hand, cards=[dealer.cards[0][0] + "c", *hand.cards[1:]])
        round_ = msgspec.structs.replace(one.round, hands={**one.round.hands, hand.name: changed})
        return msgspec.structs.replace(one, round=round_)

    found = _alarms(matched(one) for one in _rounds("down_under_685a", 1))
    assert variant in found
    assert Counter(found)["push22"] == 0


def _mispaid(chance: float, seed: int, *, column: bool = False, kind: str = "push22") -> Change:
    """Side wagers that win are paid by another column of the table, or one in so many of all is left uncollected."""
    rng = random.Random(seed)

    def change(event: Event) -> list[Event]:
        data = event["data"]
        if kind_of(event) == "wager_settled" and data["kind"] == kind:
            if column and data["outcome"] == "pay":
                data["cents"] = data["cents"] * 2
            elif not column and data["outcome"] == "collect" and rng.random() < chance:
                data["outcome"] = "return"
        return [event]

    return change


@pytest.mark.parametrize(
    ("kind", "ruleset", "change"),
    [
        ("push22", "free_bet_672a", _mispaid(0, 1, column=True)),
        ("push22", "free_bet_672a", _mispaid(0.08, 1)),
        ("match_dealer", "down_under_685a", _mispaid(0.15, 1, kind="match_dealer")),
    ],
)
def test_side_wagers_paid_by_another_table_or_left_lying_are_named(
    kind: str, ruleset: Ruleset, change: Change
) -> None:
    found = suspected(changed(table(2, 150, ruleset), change))
    assert f"side_wager.{kind}_paid S-2" in list(named(found))
    one = next(one for one in found if one.check == f"pattern.side_wager.{kind}_paid")
    assert one.observed["for_patrons"] <= 6
    assert "too much to patrons" in one.message


def test_evidence_of_payments_rests_on_every_round_with_an_error() -> None:
    lines = changed(table(2, 150), _mispaid(1, 1))
    pipeline = TablePipeline("S-2", proofs=False)
    wrong = set()
    for line in lines:
        for result in pipeline.advance(line).rounds:
            if any(one.kind == "push22" and one.expected != one.observed for one in result.stakes):
                wrong.add(result.round)
    assert pipeline.detectors is not None
    (paid,) = (one for one in pipeline.detectors.standings("S-2") if one.check.endswith(".push22_paid"))
    assert paid.rounds == len(wrong) > 40


def test_one_wrong_payment_of_a_side_wager_and_wrong_payments_of_hands_are_not() -> None:
    one = _once(_mispaid(1, 1))
    assert list(named(suspected(changed(table(2, 60), one)))) == []
    found = named(suspected(changed(table(2, 60), mispaid(0.3, 1, way="patrons", nth=-1))))
    assert not [one for one in found if one.startswith("side_wager")]


def _once(change: Change) -> Change:
    """The change, until it has changed an event."""
    done = False

    def until(event: Event) -> list[Event]:
        nonlocal done
        before = str(event)
        found = [event] if done else change(event)
        done = done or str(found[0]) != before
        return found

    return until


@pytest.mark.thorough
@pytest.mark.parametrize("streams", [1_000, pytest.param(10_000, marks=pytest.mark.soak)])
def test_payments_at_the_edge_of_the_null_alarm_as_rarely_as_promised(streams: int) -> None:
    rng, alarms = random.Random(2), 0
    for _ in range(streams):
        paid = Paid()
        for _ in range(300):
            paid.waiting += 1
            wrong = rng.random() < MISPAID
            if wrong or paid.waiting >= left(paid.mixture, STRETCH_PAID):
                factors = rate_ratios(MISPAID_MORE, MISPAID, int(wrong), paid.waiting)
                weigh(paid.mixture, factors, STRETCH_PAID, paid.waiting)
                paid.waiting = 0
        alarms += paid.mixture.highest >= 20
    assert alarms <= 0.05 * streams
