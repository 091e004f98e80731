"""Under the null no e-process reaches 1/a more often than in a share a of all runs, wherever one stops to look.

Every test runs 10,000 short nulls and looks after each observation; a is 0.05, a level that so many runs can see.
"""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import settings

from processors.core.folding.known_orders import reversed_order
from processors.detectors.evidence.betting import SHARES, log_bets, scaled
from processors.detectors.evidence.budgets import log_share, priced
from processors.detectors.evidence.changes import add_to_cusum, add_to_onsets, begin_cusum, begin_onsets
from processors.detectors.evidence.combining import e_bh, log_e_of_p
from processors.detectors.evidence.groups import log_e_of_groups, tilted
from processors.detectors.evidence.permuting import draws, shuffled, soft_rank
from processors.detectors.evidence.ranks import (
    SLOPES,
    begin_ranks,
    log_power_bets,
    log_rank_bets,
    place,
    tie_breaker,
)
from processors.detectors.evidence.rates import (
    LESS_OFTEN,
    MORE_OFTEN,
    log_category_ratios,
    log_count_ratios,
    log_ratios,
)
from processors.detectors.evidence.runs import common_runs, log_e_of_runs, log_expected_runs, text_of
from processors.detectors.evidence.wealth import anytime_p, begin, log_threshold, settle

NULLS = min(10_000, 60 * settings().max_examples)  # all of them in `make soak`
LEVEL = 0.05
ALARM = log_threshold(LEVEL)


@pytest.mark.parametrize("odds", [MORE_OFTEN, LESS_OFTEN])
def test_bets_on_a_rate_that_changes_from_case_to_case(odds: tuple[float, ...]) -> None:
    rng = Random(1)
    alarms = 0
    for _ in range(NULLS):
        wealth = begin([1.0] * len(odds))
        for _ in range(10):
            p = 0.05 + 0.6 * rng.random()
            settle(wealth, log_ratios(odds, p, rng.random() < p))
        alarms += wealth.log_peak >= ALARM
    assert 0 < alarms <= LEVEL * NULLS


def test_a_rate_below_the_stated_one_raises_no_more_alarms() -> None:
    rng = Random(2)
    alarms = 0
    for _ in range(NULLS):
        wealth = begin([1.0] * len(MORE_OFTEN))
        for _ in range(10):
            hits = sum(rng.random() < 0.08 for _ in range(3))
            settle(wealth, log_ratios(MORE_OFTEN, 0.1, hits, 3))
        alarms += wealth.log_peak >= ALARM
    assert alarms <= LEVEL * NULLS


def test_bets_on_counts_and_on_categories() -> None:
    rng = Random(3)
    alarms = 0
    odds = ((2.0, 1.0, 1.0), (1.0, 1.0, 0.5))
    for _ in range(NULLS):
        wealth = begin((1.0, 1.0, 1.0, 1.0))
        for _ in range(7):
            count, bar, mean = (
                0,
                rng.random(),
                0.7,
            )  # a Poisson number by the waiting times that fit into its mean
            while bar > math.exp(-mean):
                count, bar = count + 1, bar * rng.random()
            seen = rng.choices((0, 1, 2), (0.2, 0.3, 0.5))[0]
            factors = log_count_ratios((0.5, 3.0), mean, count)
            settle(wealth, factors + log_category_ratios(odds, (0.2, 0.3, 0.5), seen))
        alarms += wealth.log_peak >= ALARM
    assert 0 < alarms <= LEVEL * NULLS


@pytest.mark.parametrize("mean", [0.1, 0.5])
def test_bets_on_a_mean_whatever_the_distribution(mean: float) -> None:
    rng = Random(4)
    alarms = 0
    for _ in range(NULLS):
        wealth = begin([1.0] * len(SHARES))
        lean = 1.0
        for _ in range(12):
            rare = rng.random() < 0.5
            x = float(rng.random() < mean) if rare else 2.0 * mean * rng.random()
            settle(wealth, log_bets(SHARES, x, mean, lean))
            lean = 1.0 if wealth.log_e > 0.0 else rng.uniform(-1.0, 1.0)  # chosen by what was seen before
        alarms += wealth.log_peak >= ALARM
    assert 0 < alarms <= LEVEL * NULLS
    assert scaled(5.0, 3.0, 7.0) == 0.5


def test_ranks_of_tied_observations_with_a_lean_that_a_covariate_gives() -> None:
    rng = Random(5)
    edges = (1.5, 2.5, 3.5)
    alarms = piled = 0
    for run in range(NULLS):
        ranks = begin_ranks(edges)
        wealth, low = begin([1.0] * len(SLOPES)), begin((1.0, 1.0))
        for n in range(7):
            stake = rng.choice((1, 1, 1, 2, 3, 8))
            rank = place(ranks, edges, stake, tie_breaker(f"{run}:{n}"))
            settle(wealth, log_rank_bets(SLOPES, rank, rng.uniform(-1.0, 1.0)))
            settle(low, log_power_bets((0.3, 0.7), rank))
        alarms += wealth.log_peak >= ALARM
        piled += low.log_peak >= ALARM
    assert max(alarms, piled) <= LEVEL * NULLS
    assert piled > 0


def test_a_product_over_blocks_of_permutation_evidence() -> None:
    rng = Random(6)
    alarms = 0
    for run in range(NULLS):
        numbers = draws(str(run))
        log_e = peak = 0.0
        for _ in range(3):
            counts = [rng.gauss(0.0, 1.0) for _ in range(5)]
            stakes = [rng.choice((1, 1, 2, 8)) for _ in range(5)]

            def fit(order: list[int], counts: list[float] = counts) -> float:
                return sum(a * b for a, b in zip(order, counts, strict=True))

            log_e += soft_rank(fit(stakes), [fit(shuffled(stakes, numbers)) for _ in range(4)])
            peak = max(peak, log_e)
        alarms += peak >= ALARM
    assert 0 < alarms <= LEVEL * NULLS


def test_a_change_at_an_unknown_time() -> None:
    rng = Random(7)
    alarms = 0
    for _ in range(NULLS):
        onsets = begin_onsets((1.0, 1.0))
        for _ in range(11):
            add_to_onsets(onsets, log_ratios((4.0, 20.0), 0.1, rng.random() < 0.1))
        alarms += onsets.log_peak >= ALARM
    assert 0 < alarms <= LEVEL * NULLS


def test_cusum_runs_as_long_as_it_states() -> None:
    rng = Random(8)
    stated = 3.0
    observed = 0
    for _ in range(NULLS):
        cusum = begin_cusum((1.0, 1.0))
        while add_to_cusum(cusum, log_ratios((3.0, 10.0), 0.2, rng.random() < 0.2)) < math.log(stated):
            pass
        observed += cusum.observed
    assert observed / NULLS >= stated


@pytest.mark.parametrize("unread", [0.0, 0.1])
def test_common_runs_of_a_well_shuffled_shoe(unread: float) -> None:
    rng = Random(9)
    pack = [f"{rank}{suit}" for rank in "23456" for suit in "cd"] * 2
    lengths, weights = (3, 4, 5), (0.3, 0.3, 0.4)
    expected = [log_expected_runs(40, 20, length, 2, 20) for length in lengths]
    alarms = 0
    for _ in range(NULLS):
        known = "".join(card if rng.random() >= unread else "??" for card in rng.sample(pack, 20))
        drawn = [card if rng.random() >= unread else "??" for card in rng.sample(pack, 20)]
        runs = common_runs(text_of((known, reversed_order(known))), drawn, 0, 3)
        log_e = log_e_of_runs([run.matched for run in runs], lengths, expected, weights)
        alarms += log_e >= ALARM  # it only grows: the end is its peak
    assert 0 < alarms <= LEVEL * NULLS


def test_e_bh_keeps_the_false_share_among_dependent_hypotheses() -> None:
    rng = Random(10)
    false_share = found = 0.0
    for _ in range(NULLS):
        shared = rng.random()
        nulls = [log_e_of_p(shared if index % 2 else rng.random()) for index in range(6)]
        rejected = e_bh([*nulls, *(rng.uniform(2.0, 9.0) for _ in range(3))], LEVEL)
        wrong = sum(index < 6 for index in rejected)
        false_share += wrong / max(1, len(rejected))
        found += len(rejected) - wrong
    assert false_share <= LEVEL * NULLS
    assert found > NULLS


def test_the_hypotheses_tried_share_one_level() -> None:
    """The e-values are the worst that may be: each either lost, or just as high as its own alarm."""
    rng = Random(11)
    alarms = 0
    for _ in range(NULLS):
        tried = rng.randint(1, 12)
        logs = [ALARM - log_share(number) for number in range(1, tried + 1)]
        won = [log if rng.random() < math.exp(-log) else -math.inf for log in logs]
        prices = [log_share(number) for number in range(1, tried + 1)]
        alarms += any(priced(log_e, price) >= ALARM - 1e-9 for log_e, price in zip(won, prices, strict=True))
    assert 0 < alarms <= LEVEL * NULLS


def test_the_highest_wealth_is_a_p_value_at_any_time() -> None:
    rng = Random(12)
    below = dict.fromkeys((0.05, 0.2, 0.5), 0)
    for _ in range(NULLS):
        wealth = begin((1.0,))
        for _ in range(12):
            settle(wealth, log_ratios((4.0,), 0.2, rng.random() < 0.2))
        p = anytime_p(wealth.log_peak)
        for level in below:
            below[level] += p <= level
    assert all(count <= level * NULLS for level, count in below.items())


@pytest.mark.parametrize("rate", [0.2, 0.45, 0.8])
def test_groups_of_one_rate_that_nobody_knows(rate: float) -> None:
    """Groups are chosen by what was seen before, and pairs of cases that always agree count half each."""
    rng = Random(13)
    alternatives = [
        (tilted(base, 1 / odds), base, tilted(base, odds)) for base in (0.4, 0.5) for odds in (3, 9)
    ]
    alarms = 0
    for _ in range(NULLS):
        won, lost, group, alarm = [0.0] * 3, [0.0] * 3, 1, False
        for _ in range(6):
            good = rng.random() < rate
            part = won if good else lost
            other = rng.randrange(3)
            part[group] += 0.5
            part[other] += 0.5
            alarm = alarm or log_e_of_groups(won, lost, alternatives) >= ALARM
            group = 2 if good else rng.randrange(3)
        alarms += alarm
    assert alarms <= LEVEL * NULLS
