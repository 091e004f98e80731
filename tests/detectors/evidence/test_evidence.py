"""What each kind of evidence computes, that it grows where something is amiss, and that it goes on from a snapshot."""

from __future__ import annotations

import itertools
import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from processors.detectors.evidence.budgets import log_share
from processors.detectors.evidence.groups import log_e_of_groups, tilted
from processors.detectors.evidence.logs import log_sum, plain
from processors.detectors.evidence.rates import MORE_OFTEN, rate_ratios
from processors.detectors.evidence.runs import common_runs, log_e_of_runs, log_expected_runs, text_of
from processors.detectors.mixture import fresh, weigh

PROBABILITIES = st.floats(0.001, 0.999)
HIGH = -math.log(1e-4)  # the log of evidence that chance reaches once in 10,000 runs


@given(p=PROBABILITIES, ratio=st.floats(0.01, 50.0))
def test_a_bet_on_a_rate_is_fair(p: float, ratio: float) -> None:
    won, lost = (rate_ratios((ratio,), p, hit)[0] for hit in (1, 0))
    assert p * won + (1.0 - p) * lost == pytest.approx(1.0)


def test_ten_times_too_many_hits_are_seen_and_their_absence_costs_little() -> None:
    rng = Random(1)
    mixture = fresh(len(MORE_OFTEN))
    hits = 0
    while mixture.value() < 1e4:
        hit = rng.random() < 0.01
        hits += hit
        weigh(mixture, rate_ratios(MORE_OFTEN, 0.001, hit), 25)
    assert hits <= 8
    assert mixture.highest >= 1e4


def test_a_number_too_large_to_write_is_capped() -> None:
    assert math.isfinite(plain(5000.0))
    assert plain(0.0) == 1.0


def test_no_evidence_sums_to_nothing() -> None:
    assert log_sum(()) == -math.inf


def test_shares_sum_to_the_whole_level() -> None:
    spent = sum(math.exp(log_share(number)) for number in range(1, 5000))
    assert 0.99 < spent < 1.0
    assert math.exp(-log_share(1)) == pytest.approx(9)


def _brute_force(known: list[str], fresh: list[str], length: int) -> int:
    return sum(
        known[i : i + length] == fresh[j : j + length]
        for i in range(len(known) - length + 1)
        for j in range(len(fresh) - length + 1)
    )


def test_common_runs_are_those_found_by_comparing_every_pair_of_places() -> None:
    rng = Random(4)
    cards = ["2c", "3c", "4d", "Th", "Js", "Qd"]
    for _ in range(100):
        orders, fresh = [rng.choices(cards, k=40) for _ in range(2)], rng.choices(cards, k=40)
        runs = common_runs(text_of("".join(order) for order in orders), fresh, 0, 5)
        for length in (5, 6, 7):
            seen = sum(max(0, run.matched - length + 1) for run in runs)
            assert seen == sum(_brute_force(order, fresh, length) for order in orders)
        for run in runs:
            assert run.last - run.first + 1 == run.matched


def test_a_run_that_goes_on_is_found_again_as_a_whole() -> None:
    order = "2c3c4c5c6c7c8c9cTc"
    drawn = ["Ks", "Ad", *(order[at : at + 2] for at in range(0, 18, 2))]
    (before,) = common_runs(order, drawn[:9], 0, 5)
    (after,) = common_runs(order, drawn, 9, 5)
    assert (before.first, before.last, before.matched) == (2, 8, 7)
    assert (after.first, after.last, after.matched) == (2, 10, 9)
    assert after.diagonal == before.diagonal
    assert common_runs(order, [*drawn, "Ks", "Ad", "Qd"], 20, 5) == []


def test_chance_has_no_more_common_runs_than_stated() -> None:
    """Of all orders of a small stack: the mean number of runs lies below the bound, and near it."""
    stack = ["2c", "2c", "3d", "3d", "4h", "4h"]
    known = ["3d", "2c", "4h", "2c", "3d", "4h"]
    orders = list(itertools.permutations(stack))
    for length in (1, 2, 3):
        mean = sum(_brute_force(known, list(order), length) for order in orders) / len(orders)
        bound = math.exp(log_expected_runs(6, 6, length, 2, 6))
        assert mean <= bound + 1e-9 <= 4.0 * mean


def test_seven_cards_in_the_order_of_the_rack_are_as_rare_as_published() -> None:
    """A run of seven or more in six decks comes by chance with a probability of about 1e-7; of six 4.9e-6."""
    assert math.exp(log_expected_runs(312, 312, 7, 6, 312)) == pytest.approx(1e-7, rel=0.1)
    assert math.exp(log_expected_runs(312, 312, 6, 6, 312)) == pytest.approx(4.9e-6, rel=0.1)
    assert math.exp(log_expected_runs(312, 312, 5, 6, 312)) == pytest.approx(2.6e-4, rel=0.1)
    assert log_expected_runs(0, 312, 7, 6, 312) == -math.inf


def test_unread_cards_neither_match_nor_end_a_run() -> None:
    order = "2c3c4c??6c7c8cTh"
    drawn = ["2c", "3c", "4c", "5d", "6c", "??", "8c", "9h"]
    (run,) = common_runs(text_of(("KsKs", order)), drawn, 0, 4)
    assert (run.first, run.last, run.matched) == (0, 6, 5)
    assert math.exp(log_e_of_runs([run.matched], (5,), (math.log(0.01),), (0.5,))) == pytest.approx(50.0)
    assert log_e_of_runs([], (5,), (math.log(0.01),), (0.5,)) == -math.inf


def test_groups_that_differ_are_seen_without_a_known_rate() -> None:
    alternatives = [(base, tilted(base, odds)) for base in (0.3, 0.45) for odds in (3.0, 20.0)]
    assert log_e_of_groups((20, 40), (50, 2), alternatives) > HIGH
    assert log_e_of_groups((20, 8), (30, 12), alternatives) < 0.0
    assert log_e_of_groups((0, 0), (0, 0), alternatives) == 0.0
    assert tilted(0.5, 3.0) == pytest.approx(0.75)
