"""Under the null no e-process reaches 1/a more often than in a share a of all runs, wherever one stops to look.

Every test runs 10,000 short nulls and looks after each observation; a is 0.05, a level that so many runs can see.
"""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import settings

from processors.core.folding.known_orders import reversed_order
from processors.detectors.evidence.budgets import log_share, priced
from processors.detectors.evidence.groups import Groups, log_e_of_groups, since_any_start, tilted
from processors.detectors.evidence.rates import MORE_OFTEN, rate_ratios
from processors.detectors.evidence.runs import common_runs, log_e_of_runs, log_expected_runs, text_of
from processors.detectors.mixture import fresh, weigh
from processors.detectors.shuffling.over_shoes import BETS, OverShoes

NULLS = min(10_000, 60 * settings().max_examples)  # all of them in `make soak`
LEVEL = 0.05
_ONE = [[float(at == place) for at in range(len(BETS))] for place in range(len(BETS))]
ALARM = -math.log(LEVEL)


@pytest.mark.parametrize("odds", [MORE_OFTEN, (0.7, 0.5, 0.25, 0.1)])
def test_bets_on_a_rate_that_changes_from_case_to_case(odds: tuple[float, ...]) -> None:
    rng = Random(1)
    alarms = 0
    for _ in range(NULLS):
        mixture = fresh(len(odds))
        for _ in range(10):
            p = 0.05 + 0.6 * rng.random()
            weigh(mixture, rate_ratios(odds, p, rng.random() < p))
        alarms += mixture.highest >= 1 / LEVEL
    assert 0 < alarms <= LEVEL * NULLS


def test_a_rate_below_the_stated_one_raises_no_more_alarms() -> None:
    rng = Random(2)
    alarms = 0
    for _ in range(NULLS):
        mixture = fresh(len(MORE_OFTEN))
        for _ in range(10):
            hits = sum(rng.random() < 0.08 for _ in range(3))
            weigh(mixture, rate_ratios(MORE_OFTEN, 0.1, hits, 3))
        alarms += mixture.highest >= 1 / LEVEL
    assert alarms <= LEVEL * NULLS


def _log_e_of_a_shoe(rng: Random, unread: float, upto: int = 20) -> float:
    """What a small shoe, well shuffled, says of runs; it only grows as it is dealt from: the end is its peak."""
    pack = [f"{rank}{suit}" for rank in "23456" for suit in "cd"] * 2
    lengths, weights = (3, 4, 5), (0.3, 0.3, 0.4)
    expected = [log_expected_runs(40, 20, length, 2, 20) for length in lengths]
    known = "".join(card if rng.random() >= unread else "??" for card in rng.sample(pack, 20))
    drawn = [card if rng.random() >= unread else "??" for card in rng.sample(pack, 20)]
    runs = common_runs(text_of((known, reversed_order(known))), drawn[:upto], 0, 3)
    return log_e_of_runs([run.matched for run in runs], lengths, expected, weights)


@pytest.mark.parametrize("unread", [0.0, 0.1])
def test_common_runs_of_a_well_shuffled_shoe(unread: float) -> None:
    rng = Random(9)
    alarms = sum(_log_e_of_a_shoe(rng, unread) >= ALARM for _ in range(NULLS))
    assert 0 < alarms <= LEVEL * NULLS


def test_common_runs_of_many_well_shuffled_shoes_that_add_up() -> None:
    """Some are dealt to their end, and some to half."""
    rng, streams = Random(19), NULLS // 10
    above = dict.fromkeys((0.05, 0.2, 0.5), 0)
    for _ in range(streams):
        over = OverShoes()
        for shoe in range(40):
            over.begin()
            over.take(math.exp(_log_e_of_a_shoe(rng, 0.0, rng.choice((10, 20)))), shoe, "", "slug")
        for level in above:
            above[level] += over.mixture.highest >= 1 / level
    assert above[0.5] > 0
    assert all(count <= level * streams for level, count in above.items())


@pytest.mark.parametrize("shoes", [3, 60])
def test_shoes_of_any_evidence_that_add_up(shoes: int) -> None:
    """The worst that may be: a shoe says nothing, or just as much as is an alarm, or less more often, as it pleases."""
    rng, alarms = Random(23), 0
    for _ in range(NULLS):
        over = OverShoes()
        for shoe in range(shoes):
            over.begin()
            steep = sum(
                share * over.mixture.value(one) / (1 - share) for share, one in zip(BETS, _ONE, strict=True)
            )
            enough = (1 / LEVEL - over.mixture.value()) / steep + 1e-6
            most = max(1.0, enough * rng.choice((1, 1, 0.1, 0.01)))
            if rng.random() < 1 / most:
                for step in range(rng.randint(1, 3), 0, -1):
                    over.take(most / step, shoe, "", "slug")
        alarms += over.mixture.highest >= 1 / LEVEL
    assert 0 < alarms <= LEVEL * NULLS


def test_a_shoe_counts_once_whatever_it_said_before_its_most() -> None:
    at_once, step_by_step = OverShoes(), OverShoes()
    for number in range(1, 6):
        for over in (at_once, step_by_step):
            over.begin()
        at_once.take(8.0 * number, number, "", "slug")
        for part in (1.0, 3.0, 3.0, 8.0, 2.0):
            step_by_step.take(part * number, number, "", "slug")
    assert step_by_step.mixture.value() == pytest.approx(at_once.mixture.value())
    assert [one.shoe for one in step_by_step.before()] == [1, 2, 3, 4]


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


def test_the_most_evidence_there_was_is_a_p_value_at_any_time() -> None:
    rng = Random(12)
    below = dict.fromkeys((0.05, 0.2, 0.5), 0)
    for _ in range(NULLS):
        mixture = fresh(1)
        for _ in range(12):
            weigh(mixture, rate_ratios((4.0,), 0.2, rng.random() < 0.2))
        for level in below:
            below[level] += mixture.highest >= 1 / level
    assert all(count <= level * NULLS for level, count in below.items())


@pytest.mark.parametrize("rate", [0.2, 0.45, 0.8])
def test_groups_of_one_rate_that_nobody_knows(rate: float) -> None:
    """Groups are chosen by what was seen before, and pairs of cases that always agree count half each."""
    rng = Random(13)
    alternatives = [(base, tilted(base, odds)) for base in (0.4, 0.5) for odds in (1 / 9, 1 / 3, 3, 9)]
    alarms = 0
    for _ in range(NULLS):
        won, lost, group, alarm = [0.0] * 2, [0.0] * 2, 1, False
        for _ in range(24):  # with six, evidence that takes the rate for known is never an alarm
            good = rng.random() < rate
            part = won if good else lost
            other = rng.randrange(2)
            part[group] += 0.5
            part[other] += 0.5
            alarm = alarm or log_e_of_groups(won, lost, alternatives) >= ALARM
            group = 1 if good else rng.randrange(2)
        alarms += alarm
    assert alarms <= LEVEL * NULLS


@pytest.mark.parametrize("rate", [0.3, 0.45])
def test_groups_of_one_rate_from_any_start(rate: float) -> None:
    rng = Random(17)
    alternatives = [(base, tilted(base, odds)) for base in (0.3, 0.45) for odds in (3, 10)]
    alarms = 0
    for _ in range(NULLS // 4):
        groups, alarm = Groups(), False
        for number in range(40):
            if number and number % 4 == 0:
                groups.start()
            (groups.won if rng.random() < rate else groups.lost)[rng.random() < 0.3] += 1.0
            alarm = alarm or since_any_start(groups, alternatives).log_e >= ALARM
        alarms += alarm
    assert alarms <= LEVEL * NULLS // 4


def test_what_begins_late_is_seen_nearly_as_soon_as_what_begins_at_once() -> None:
    """Of 10,000 honest cases before nothing hides it: at most three times as many cases are needed."""
    alternatives = [(base, tilted(base, odds)) for base in (0.2, 0.32, 0.44) for odds in (3, 10, 60)]
    needed = {}
    for before in (0, 10_000):
        rng, groups, cases = Random(5), Groups(), 0
        for number in range(before):
            if number and number % 25 == 0:
                groups.start()
            (groups.won if rng.random() < 0.44 else groups.lost)[rng.random() < 0.2] += 1.0
        while since_any_start(groups, alternatives).log_e < 9.2:
            cases += 1
            if cases % 25 == 0:
                groups.start()
            chosen = rng.random() < 0.4
            (groups.won if rng.random() < (0.9 if chosen else 0.3) else groups.lost)[chosen] += 1.0
        needed[before] = cases
    assert needed[10_000] <= 3 * needed[0]
