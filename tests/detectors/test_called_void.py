"""Rounds called void when one side would have lost: how soon that is found, and what says nothing of it."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterable, Iterator
from itertools import product

import msgspec
import pytest

from processors.detectors.calling.chances import ALTERNATIVES, BOUNDS, SharesSoFar, compared, factors_of
from processors.detectors.calling.results import MOST_BOXES, CardsResult
from processors.detectors.families.called_void import Note
from processors.detectors.family import LEVEL
from processors.detectors.shapes import Observation
from processors.detectors.stages.entity_stage import EntityStage
from producers.simulator.floor.setup import RULESETS
from schemas.findings import Finding
from tests.detectors.worlds import called_void, changed, named, observed, table, weighed
from tests.pipeline.simulated import PutRight, lines_of_table
from tests.pipeline.streams import lines_of
from tests.sampling import one_in

FAMILY = "called_void"
NOW = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def _calls(outcomes: Iterable[int], boxes: int = 4) -> Iterator[Observation]:
    """Rounds of one dealer that were called void, two minutes apart, beside others that came out either way."""
    lost, lost_everywhere, won, won_everywhere = SharesSoFar().chances(boxes)
    beside = (2, 3, 1, 3, 1) if boxes > 1 else (5, 0, 1, 0, 4)
    for number, outcome in enumerate(outcomes, 1):
        note = Note(outcome, 2500 * outcome, (lost, lost_everywhere, won, won_everywhere), beside)
        yield Observation(
            family=FAMILY, whom={"dealer": "D"}, subject="T", round=number, sequence=number, nth=1,
            time=NOW + dt.timedelta(minutes=2 * number), note=msgspec.Raw(msgspec.msgpack.encode(note)),
        )  # fmt: skip


def _found(outcomes: Iterable[int], boxes: int = 4) -> dict[str, int]:
    """By check, the how many-th call makes it due."""
    return {one.check: one.round or 0 for one in weighed(_calls(outcomes, boxes))}


@pytest.mark.parametrize(
    ("outcomes", "boxes", "check", "calls"),
    [
        ([-2] * 60, 4, "for_patrons", 9),
        ([-1] * 60, 4, "for_patrons", 21),
        ([2] * 60, 4, "for_house", 7),
        ([1] * 60, 4, "for_house", 16),
        ([-2] * 60, 1, "for_patrons", 19),
        ([2] * 60, 1, "for_house", 15),
        ([-2, -1, -1] * 20, 3, "for_patrons", 21),
        ([-2, -1, -1, 1, -1, -2, -1, -1, -1, -2] * 10, 3, "for_patrons", 40),
    ],
)
def test_so_many_calls_for_one_side_are_found(
    outcomes: list[int], boxes: int, check: str, calls: int
) -> None:
    assert _found(outcomes, boxes) == {f"pattern.{FAMILY}.{check}": calls}


def test_eight_rounds_that_all_patrons_lost_are_not_enough() -> None:
    assert _found([-2] * 8) == {}


def test_calls_that_fall_on_either_side_say_nothing() -> None:
    rng = random.Random(5)
    assert _found(rng.choices([-2, -1, 0, 1, 2], [20, 38, 4, 29, 9], k=500)) == {}


def test_no_result_that_the_null_allows_gains_on_average() -> None:
    """Also where patrons lose less often than the highest share that it allows."""
    for (some, everywhere), lower in product(
        (
            (BOUNDS[one][at], BOUNDS[two][at])
            for one, two in (((-1, -2), (-2, -2)), ((1, 2), (2, 2)))
            for at in range(5)
        ),
        (0.0, 0.3, 1.0),
    ):
        factors = [factors_of(outcome, some, everywhere) for outcome in (0, 1, 2)]
        for part in (lower * everywhere, everywhere):
            chances = (1.0 - max(part, some * lower), max(part, some * lower) - part, part)
            for alternative in range(ALTERNATIVES):
                mean = sum(chance * one[alternative] for chance, one in zip(chances, factors, strict=True))
                assert mean <= 1.0 + 1e-12


def test_a_round_called_void_and_others_together_gain_nothing_whatever_share_patrons_lose() -> None:
    """The mean over all results of one round called void and two others is at most 1, by exact sums."""
    for lost, everywhere in product((0.0, 0.3, 0.6, 0.8, 0.95, 1.0), (0.0, 0.4, 1.0)):
        chances = (1.0 - lost, lost * (1.0 - everywhere), lost * everywhere)
        means = [0.0] * ALTERNATIVES
        for void, *others in product(range(3), repeat=3):
            chance = chances[void] * chances[others[0]] * chances[others[1]]
            beside = [others.count(outcome) for outcome in range(3)]
            told = compared(void, 0.66, 0.25, beside)
            means = [mean + chance * one for mean, one in zip(means, told, strict=True)]
        assert all(mean <= 1.0 + 1e-12 for mean in means)
    assert compared(2, 0.66, 0.25, (0, 0, 0)) == pytest.approx([1.0] * ALTERNATIVES), "alone it says nothing"


def test_rounds_are_compared_once_the_latest_first_and_learnt_from_afterwards() -> None:
    shares = SharesSoFar()
    for outcome in (-1, -2, -2, 1, 2):
        shares.take(CardsResult(3, outcome, 0))
    stated = SharesSoFar().chances(3)
    assert shares.chances(3) == stated, "what is still to be compared with says nothing of the share"
    beside = [shares.beside(3) for _ in range(4)]
    assert beside == [(0, 0, 0, 1, 1), (2, 0, 0, 0, 0), (0, 1, 0, 0, 0), (0, 0, 0, 0, 0)]
    assert shares.rounds == [0, 0, 5, 0, 0]
    assert shares.beside(2) == (0, 0, 0, 0, 0)


def test_a_table_whose_patrons_lose_more_is_held_to_its_own_share_and_no_other_to_less() -> None:
    shares, stated = SharesSoFar(), SharesSoFar().chances(3)
    for _ in range(400):
        shares.take(CardsResult(3, -2, -7500))
    lost, lost_everywhere, won, won_everywhere = shares.chances(3)
    assert (lost, lost_everywhere) > (0.9, 0.9)
    assert (won, won_everywhere) == pytest.approx(stated[2:])
    assert shares.chances(2) == SharesSoFar().chances(2)
    assert len(stated) == len(BOUNDS)
    assert all(len(one) == MOST_BOXES for one in BOUNDS.values())


def _of_the_family(found: Iterable[Finding]) -> list[str]:
    return [one for one in named(found) if one.startswith(FAMILY)]


def test_the_message_says_whose_rounds_were_called_and_how_others_came_out() -> None:
    [one] = weighed(_calls([-2, -1, -2, -2] * 6))
    assert one.message == (
        "Of 19 rounds of dealer D that were called void once the cards had decided them, patrons would have lost "
        "19 ($825.00), 14 of them at every box; of 190 rounds beside them they lost 95, 38 of them at every box."
    )
    assert one.about == {"dealer": "D"}
    assert isinstance(one.observed, dict)
    assert one.observed["called_void"] == one.observed["patrons_would_have_lost"] == one.round
    assert isinstance(one.e_value, float)
    assert one.e_value >= 1 / LEVEL


def test_what_is_known_of_a_dealer_goes_on_from_what_was_stored() -> None:
    stage, other, calls = EntityStage(), EntityStage(), list(_calls([2, 1] * 20))
    early = [finding for one in calls[:9] for finding in stage.weigh(one)]
    other.adopt("dealer:D", stage.snapshot("dealer:D"))
    late = [[finding for one in calls[9:] for finding in of.weigh(one)] for of in (stage, other)]
    assert early == []
    assert late[0] == late[1] != []


def test_only_rounds_called_void_are_passed_on_and_only_when_the_cards_had_decided_them() -> None:
    _, passed = observed(changed(table(1, 60), called_void(1.0, 1, side="any", nth=-1)))
    calls = [one for one in passed if one.family == FAMILY]
    assert len(calls) > 30
    notes = [msgspec.msgpack.decode(one.note, type=Note) for one in calls]
    assert {one.outcome for one in notes} == {-2, -1, 0, 1, 2}
    assert all(
        (note.cents > 0) - (note.cents < 0) == (note.outcome > 0) - (note.outcome < 0) for note in notes
    )
    _, passed = observed(table(1, 60))
    assert [one for one in passed if one.family == FAMILY] == []


def test_a_void_round_of_a_stack_game_says_nothing() -> None:
    findings, passed = observed(lines_of("irregular_stacks_misdeal"))
    assert [one for one in passed if one.family == FAMILY] == []
    assert _of_the_family(findings) == []


@pytest.mark.thorough
@pytest.mark.parametrize("ruleset", one_in(3, RULESETS))
def test_rounds_that_are_put_right_say_nothing(ruleset: str) -> None:
    _, passed = observed(lines_of_table(ruleset, 33, 80, PutRight()))
    assert [one for one in passed if one.family == FAMILY] == []
