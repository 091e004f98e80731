"""The bets that families place on cards are fair: on neighbours in a shuffled shoe, and on ranks in a part of it."""

from __future__ import annotations

import math
from random import Random

import pytest

from processors.core.conservation import CARDS_OF_A_DECK
from processors.detectors.families.rank_composition import ratios
from processors.detectors.mixture import fresh, weigh
from processors.detectors.shuffling.neighbours import NEAR, ODDS, Bets, followers

NULLS = 10_000
LEVEL = 0.05


def test_neighbours_in_a_shuffled_deck_raise_no_more_alarms_than_stated() -> None:
    rng = Random(1)
    orders = ("".join(rng.sample(CARDS_OF_A_DECK, 52)), None)
    tables = [followers(order) if order else NEAR for order in orders]
    alarms = [0, 0]
    for _ in range(NULLS):
        deck = rng.sample(CARDS_OF_A_DECK, 52)
        for index, near in enumerate(tables):
            left = dict.fromkeys(deck, 1)
            mixture = fresh(len(ODDS))
            for place, card in enumerate(deck[:7]):
                beside = near.get(deck[place - 1], ()) if place else ()
                if beside:
                    bets = Bets()
                    bets.bet(sum(left[one] for one in beside) / (52 - place), card in beside)
                    weigh(mixture, bets.factors())
                left[card] = 0
            alarms[index] += mixture.highest >= 1 / LEVEL
    assert max(alarms) <= LEVEL * NULLS
    assert max(alarms) > 0


@pytest.mark.parametrize(("of", "held"), [(40, 4), (40, 20), (52, 16)])
def test_bets_on_a_rank_gain_nothing_on_average(of: int, held: int) -> None:
    chances = [
        math.comb(held, seen) * math.comb(52 - held, of - seen) / math.comb(52, of)
        if of - seen <= 52 - held
        else 0.0
        for seen in range(held + 1)
    ]
    means = [
        sum(chance * factor for chance, factor in zip(chances, column, strict=True))
        for column in zip(*(ratios(seen, of, held, 52) for seen in range(held + 1)), strict=True)
    ]
    assert all(mean <= 1.0 + 1e-9 for mean in means)


def test_the_ace_lies_beside_the_two_and_the_king() -> None:
    assert set(NEAR["Ac"]) == {"Ac", "Ad", "Ah", "As", "2c", "Kc"}
    assert set(NEAR["7h"]) == {"7c", "7d", "7h", "7s", "6h", "8h"}
    assert followers("2c3d2c4h??5s")["2c"] == ("3d", "4h")
