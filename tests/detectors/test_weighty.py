"""The rounds that a suspicion names: those that weigh most of all, of the evidence's beginning, and of any moment."""

from __future__ import annotations

import datetime as dt
import random
from typing import Any

import msgspec
import pytest

from benchmarks.patterns.finding import scenario, suspicions
from processors.detectors import weighty
from processors.detectors.families import (
    called_void,
    collusion,
    counting,
    dealer_mispay,
    hole_card_knowledge,
    pace,
    past_posting,
    side_wager,
    theoretical_win,
)
from processors.detectors.favouring import decided, signals
from processors.detectors.mixture import fresh, since_heaviest, weigh
from processors.detectors.shapes import Observation
from processors.detectors.stages.entity_stage import EntityStage
from processors.detectors.weighty import (
    KEPT,
    LISTED,
    LISTED_BESIDE,
    MOST,
    WeightyRound,
    heaviest_since,
    keep,
    rows_of,
)
from producers.simulator.patterns.playing import scenes
from schemas.findings import Finding

_LIST = list[WeightyRound]
SEEN = Observation(
    family="dealer_mispay", whom={"dealer": "D"}, subject="T", round=1, sequence=1,
    time=dt.datetime(2026, 1, 1, tzinfo=dt.UTC), nth=1, note=msgspec.Raw(b""),
)  # fmt: skip


def _rounds(seed: int, number: int, weights: int) -> _LIST:
    """Rounds of so many different weights."""
    rng = random.Random(seed)
    return [
        WeightyRound("S-1", at, 10 * at, at, rng.randrange(weights) / 8, 100 * at, (at % 7,))
        for at in range(1, number + 1)
    ]


def _kept(rounds: _LIST) -> _LIST:
    kept: _LIST = []
    for one in rounds:
        keep(kept, one)
    return kept


def _plainly(rounds: _LIST, after: int = 0) -> _LIST:
    places = sorted((-one.weight, -place) for place, one in enumerate(rounds) if one.at > after)
    return [rounds[-place] for _, place in places[:MOST]]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("number", "weights"), [(7, 50), (60, 1), (300, 4), (1_000, 1_000_000)])
def test_the_ten_heaviest_of_any_sequence_are_kept_and_of_those_alike_the_later(
    seed: int, number: int, weights: int
) -> None:
    rounds = _rounds(seed, number, weights)
    kept = _kept(rounds)
    assert heaviest_since(kept) == _plainly(rounds)
    assert len(kept) <= KEPT
    assert [one.at for one in kept] == sorted(one.at for one in kept)


@pytest.mark.parametrize("seed", range(20))
def test_the_ten_heaviest_since_any_round_are_kept_and_none_before_it(seed: int) -> None:
    rounds = _rounds(seed, 400, 4)
    kept = _kept(rounds)
    for after in range(0, 401, 7):
        assert heaviest_since(kept, after) == _plainly(rounds, after)


@pytest.mark.parametrize("weights", [sorted(range(500), reverse=True), range(500), [0] * 500])
def test_what_is_kept_is_bounded_and_has_the_latest_and_the_heaviest(weights: Any) -> None:
    rounds = [WeightyRound("S-1", at, at, at, float(one)) for at, one in enumerate(weights, 1)]
    kept = _kept(rounds)
    assert len(kept) <= KEPT
    assert heaviest_since(kept) == _plainly(rounds)
    assert heaviest_since(kept, 490) == _plainly(rounds, 490)


def test_the_heaviest_of_more_than_are_kept_stay_whatever_the_evidence_rested_on() -> None:
    """As of decisions, whose place in the evidence another stage knows."""
    kept: _LIST = []
    for number in range(1, 31):
        keep(kept, WeightyRound("", number, number, 0, 40.0 - number), MOST)
    assert [one.round for one in kept] == list(range(1, MOST + 1))


@pytest.mark.parametrize("at", [0, 3, 57, 200])
def test_what_goes_on_from_a_snapshot_is_what_never_stopped(at: int) -> None:
    rounds = _rounds(3, 200, 1_000)
    kept = msgspec.msgpack.decode(msgspec.msgpack.encode(_kept(rounds[:at])), type=_LIST)
    for one in rounds[at:]:
        keep(kept, one)
    assert kept == _kept(rounds)


def test_rounds_before_the_beginning_of_the_evidence_leave_the_list() -> None:
    mixture, kept = fresh(1), list[WeightyRound]()
    for at in range(200):
        hit = at == 3 or at >= 150
        weigh(mixture, [40.0 if at == 3 else 3.0 if hit else 0.6], 25)
        if hit:
            keep(kept, WeightyRound("S-1", at, at, mixture.rounds, 40.0 if at == 3 else 3.0))
    assert heaviest_since(kept)[0].round == 3, "it weighs most of all play"
    assert [one.round for one in since_heaviest(mixture, kept)] == list(range(199, 189, -1))


def test_errors_both_ways_of_one_round_do_not_cancel_out() -> None:
    bad = [dealer_mispay.Bad(2, 5_000, 1), dealer_mispay.Bad(2, -5_000, 3)]
    state, none = dealer_mispay.OfDealer(), [0] * len(dealer_mispay.SIZES)
    list(dealer_mispay._weigh(state, SEEN, dealer_mispay.Note(0, none, none, bad), 1.0))
    told = {variant: (one.cents, one.seats) for variant, [one] in state.rounds.items()}
    assert told == {"for_patrons": (5_000, (1,)), "for_house": (-5_000, (3,)), "careless": (10_000, (1, 3))}


MODULES = (
    called_void,
    collusion,
    counting,
    dealer_mispay,
    hole_card_knowledge,
    pace,
    past_posting,
    side_wager,
    theoretical_win,
    decided,
    signals,
)
SEATED = (
    "counting", "past_posting", "side_wager", "collusion", "hole_card_knowledge", "dealer_mispay", "called_void",
    "theoretical_win",
)  # fmt: skip
SCENARIOS = (
    "overpays_0.1", "caps_winners", "partner", "matches", "twenty_twos_0.5", "hole_card", "counter_ramp_12",
    "posts_side_wagers", "signals", "lost_rounds_void", "won_rounds_void", "dealer_slows", "dealer_hurries",
    "busts_for_patrons", "draws_for_house",
)  # fmt: skip
QUICK = ("overpays_0.1", "caps_winners", "twenty_twos_0.5", "hole_card", "dealer_slows")


@pytest.mark.parametrize(
    "name", [one if one in QUICK else pytest.param(one, marks=pytest.mark.thorough) for one in SCENARIOS]
)
def test_a_suspicion_names_the_ten_rounds_that_weigh_most_with_their_seats_and_money(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of all that its family ever took, since the beginning it tells of."""
    taken: dict[int, tuple[_LIST, _LIST]] = {}

    def take(rounds: _LIST, new: WeightyRound, most: int = KEPT) -> None:
        taken.setdefault(id(rounds), (rounds, []))[1].append(new)
        weighty.keep(rounds, new, most)

    for module in MODULES:
        monkeypatch.setattr(module, "keep", take)
    pattern, _ = scenario(name)
    found = _first(name)
    assert isinstance(found.observed, dict)
    rows = found.observed.get(LISTED_BESIDE) or found.observed[LISTED]
    assert 0 < len(rows) <= MOST
    assert any(_are_heaviest(rows, all_) for _, all_ in taken.values())
    for kept, all_ in taken.values():
        assert heaviest_since(kept, -1) == _plainly(all_, -1)
    if pattern.family in SEATED:
        assert any(row.get("seats") for row in rows)
        assert all("seats" in row or not row["cents"] for row in rows), "where nobody staked, none is"


def _first(name: str) -> Finding:
    """The first suspicion of a scenario of its own family; at a seed of three one is raised."""
    pattern, stated = scenario(name)
    return next(
        one
        for people, seed in ((EntityStage(), seed) for seed in (1, 2, 3))
        for scene in scenes(pattern, stated.size, seed)
        for one in suspicions(scene.lines, scene.subject, people)
        if one.check.split(".")[1] == pattern.family
    )


def _are_heaviest(rows: list[dict[str, Any]], taken: _LIST) -> bool:
    """Whether these are the ten heaviest of all that was taken, or of more than ten since a beginning."""
    later = {one.at - 1 for one in taken[: -MOST - 1]}
    return any(rows_of(_plainly(taken, after)) == rows for after in {0, *later})
