"""Stakes that follow the count, and stakes that only look like it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from itertools import permutations
from statistics import fmean

import pytest

from processors.detectors.families.counting import second_look
from processors.detectors.family import LEVEL
from processors.detectors.following.count import true_count
from processors.detectors.following.exchanged import BETS, Order, bets
from processors.detectors.following.moved import Stake
from processors.detectors.mixture import fresh, weigh
from producers.simulator.blackjack.players.strategies import Basic, HiLo
from producers.simulator.floor.decks.deck import fresh_cards
from schemas.findings import Finding
from schemas.values import Ruleset
from tests.detectors.players import Coming, Flat, HouseMoney, Made, Parlay, Spreading, Whim, played
from tests.detectors.worlds import suspected

Bettor = Callable[[random.Random, float, int, list[int]], int]
TAGS = [1] * 20 + [0] * 12 + [-1] * 20


def rounds(bettor: Bettor, seed: int, number: int) -> Iterator[Stake]:
    """Rounds of some eight cards from six decks; low cards make the player lose a little more often."""
    rng = random.Random(seed)
    staked: list[int] = []
    result, shoe = 0, 0
    while True:
        shoe += 1
        cards = TAGS * 6
        rng.shuffle(cards)
        running = dealt = 0
        while dealt < 230:
            count = 52 * running / (312 - dealt)
            variance = 52 * 52 * 10 / 13 * dealt / ((312 - dealt) * 311)
            staked.append(bettor(rng, count, result, staked))
            taken = cards[dealt : dealt + rng.randint(6, 10)]
            dealt, running = dealt + len(taken), running + sum(taken)
            result = rng.choices((-1, 0, 1), (0.48 + 0.01 * sum(taken), 0.09, 0.43 - 0.01 * sum(taken)))[0]
            yield Stake(shoe, count, variance, staked[-1], result)
            if len(staked) == number:
                return


def whim(rng: random.Random, _count: float, _result: int, _before: list[int]) -> int:
    return rng.choice((2500, 2500, 5000, 10000))


def mood(rng: random.Random, _count: float, _result: int, before: list[int]) -> int:
    last = before[-1] if before else 5000
    return int(min(40000, max(1000, last * math.exp(rng.gauss(0, 0.25)))))


def martingale(_rng: random.Random, _count: float, result: int, before: list[int]) -> int:
    last = before[-1] if before else 2500
    return min(40000, 2 * last) if result < 0 else 2500 if result > 0 else last


def drift(rng: random.Random, _count: float, _result: int, before: list[int]) -> int:
    return 2500 + 100 * len(before) + 500 * rng.randint(0, 3)


def stretches(rng: random.Random, _count: float, _result: int, before: list[int]) -> int:
    return before[-1] if before and rng.random() < 0.95 else rng.choice((2500, 5000, 10000, 20000))


def loose(rng: random.Random, count: float, _result: int, _before: list[int]) -> int:
    """Stakes whose correlation with the count is about a half."""
    return max(500, round(10000 + 2500 * (count / 2 + 1.6 * rng.gauss(0, 1))))


HONEST = (whim, mood, martingale, drift, stretches)


def evidence(stakes: Iterator[Stake]) -> tuple[float, float]:
    """The highest evidence of exchanged stakes, and of the second look by what is due of it where the first was 20."""
    order, mixture, held = Order(), fresh(BETS), 0.0
    kept: list[Stake] = []
    for one in stakes:
        kept.append(one)
        now = weigh(mixture, bets(order, one.cents, one.count), 25)
        if now >= 20 and len(kept) % 4 == 0:
            found, due = second_look(kept)
            held = max(held, found / due)
    return mixture.highest, held


def exchanged(stakes: Iterator[Stake]) -> float:
    """The highest evidence of exchanged stakes alone."""
    order, mixture = Order(), fresh(BETS)
    for one in stakes:
        weigh(mixture, bets(order, one.cents, one.count), 25)
    return mixture.highest


def test_the_true_count_is_that_of_the_cards_seen() -> None:
    seen = fresh_cards(6)[:77]
    count = HiLo()
    count.restart(312)
    count.see(seen)
    out = {card: seen.count(card) for card in seen}
    assert true_count(out, 312)[0] == pytest.approx(count.true_count)
    assert true_count({}, 312) == (0, 0)


def test_the_count_strays_as_far_as_is_said() -> None:
    found = [one for seed in range(400) for one in rounds(whim, seed, 18)][17::18]
    spread = fmean(one.count**2 for one in found)
    assert spread == pytest.approx(fmean(one.variance for one in found), rel=0.25)


@pytest.mark.parametrize(
    "stakes", [(1, 2, 3, 4, 5, 6), (1, 1, 1, 1, 2, 8), (3, 3, 3, 3, 3, 3), (1, 1, 2, 2, 4, 4)]
)
def test_bets_on_exchanged_stakes_are_fair_over_all_orders(stakes: tuple[int, ...]) -> None:
    counts = (0.0, 0.4, 1.7, -2.0, 3.0, 1.2)
    means = [0.0] * BETS
    for some in permutations(stakes):
        order, wealth = Order(), [1.0] * BETS
        for units, count in zip(some, counts, strict=True):
            factors = bets(order, 2500 * units, count)
            wealth = [one * factor for one, factor in zip(wealth, factors, strict=True)]
        means = [mean + one / math.factorial(6) for mean, one in zip(means, wealth, strict=True)]
    assert means == pytest.approx([1.0] * BETS)


def test_stakes_that_are_all_alike_say_nothing() -> None:
    order = Order()
    for at in range(40):
        assert bets(order, 2500, math.sin(at) * 3) == pytest.approx([1.0] * BETS)


@pytest.mark.thorough
@pytest.mark.parametrize("bettor", HONEST)
def test_honest_stakes_of_every_order_are_alarms_no_more_often_than_promised(bettor: Bettor) -> None:
    found = [evidence(rounds(bettor, seed, 100)) for seed in range(500)]
    alarms = sum(highest >= 20 and held >= 1 for highest, held in found)
    assert alarms <= 0.05 * len(found)
    if bettor is whim:
        assert sum(highest >= 20 for highest, _ in found) <= 0.05 * len(found)


def test_a_count_followed_by_half_is_found_within_250_rounds() -> None:
    found = [list(rounds(loose, seed, 250)) for seed in range(12)]
    late = [stakes for stakes in found if exchanged(iter(stakes)) < 6 / LEVEL]
    assert len(late) <= 1
    looks = [second_look(stakes) for stakes in found]
    assert sum(evidence < due for evidence, due in looks) <= 1


def counting(made: Made, seed: int, number: int, ruleset: Ruleset = "free_bet_672a") -> list[Finding]:
    return [one for one in suspected(played(made, seed, number, ruleset)) if one.check == "pattern.counting"]


@pytest.mark.parametrize(("ruleset", "seed"), [("free_bet_672a", 3), ("down_under_685a", 1)])
def test_who_stakes_by_the_count_is_named_and_nobody_else(ruleset: Ruleset, seed: int) -> None:
    counters = []

    def made(patron: object, setup: object, rng: object, _table: object) -> Basic:
        counters.append(Spreading(patron, setup, rng))  # type: ignore[arg-type]
        return counters[-1]

    (one,) = counting(made, seed, 100, ruleset)
    assert one.about == {"player": counters[0].patron.name}
    assert one.observed["mean_cents_at_count_of_1_or_more"] > one.observed["mean_cents_below"]


def test_who_stakes_only_while_the_count_is_high_is_named() -> None:
    (one,) = counting(
        lambda patron, setup, rng, _table: Coming(patron, setup, rng), 3, 120, "down_under_685a"
    )
    assert one.observed["mean_cents_below"] < one.observed["mean_cents_at_count_of_1_or_more"] / 4


@pytest.mark.parametrize("kind", [Flat, Whim, HouseMoney, Parlay])
def test_moods_luck_and_progressions_are_not_suspected(kind: type[Basic]) -> None:
    assert counting(lambda patron, setup, rng, _table: kind(patron, setup, rng), 2, 200) == []
