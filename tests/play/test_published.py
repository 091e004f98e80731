"""Exact play against figures from outside: enumerations of a full shoe, and 10^9 rounds simulated elsewhere."""

from __future__ import annotations

import math

import pytest
from msgspec.structs import replace

from dashboards.revenue.edges import EDGES, Edge
from processors.play.composition import ENDLESS, VALUES
from processors.play.dealer import ends, holes_of
from processors.play.edge import house_edge
from processors.play.game import Game
from processors.play.hands import Play
from tests.play.choices import decks, hole_chances
from tests.play.games import CONVENTIONAL, FREE, TEMPORARY, UNDER, game
from tests.sampling import one_in

# A simulated figure has a standard error of 0.0034 %; a player's further cards are drawn with replacement.
WITHIN = 0.013

ONE_CARD_TO_ACES = replace(FREE, split_aces_one_card=True)


@pytest.mark.parametrize(
    ("game", "number", "per_cent"),
    [
        (FREE, 6, 0.580),
        pytest.param(FREE, 8, 0.569, marks=pytest.mark.soak),
        (ONE_CARD_TO_ACES, 6, 0.704),
        pytest.param(ONE_CARD_TO_ACES, 8, 0.695, marks=pytest.mark.soak),
        pytest.param(CONVENTIONAL, 6, 0.386, marks=pytest.mark.soak),
        pytest.param(CONVENTIONAL, 8, 0.417, marks=pytest.mark.soak),
        (UNDER, 6, 0.034),
        pytest.param(UNDER, 8, 0.066, marks=pytest.mark.soak),
    ],
)
def test_the_house_keeps_what_a_thousand_million_rounds_gave(
    game: Game, number: int, per_cent: float
) -> None:
    assert 100 * house_edge(game, decks(number)) == pytest.approx(per_cent, abs=WITHIN)


RECKONED = [one for one in EDGES if one.source.startswith("exact play")]


@pytest.mark.parametrize(
    "edge", [RECKONED[0], *(pytest.param(one, marks=pytest.mark.soak) for one in RECKONED[1:])]
)
def test_an_edge_of_the_revenue_that_nobody_simulated_is_what_exact_play_gives(edge: Edge) -> None:
    played = game(edge.ruleset, **edge.readings)
    assert round(1_000_000 * house_edge(played, decks(edge.decks))) == edge.edge


@pytest.mark.parametrize("edge", [one for one in EDGES if one.kind == "insurance"])
def test_the_edge_of_insurance_is_that_of_the_cards_under_an_ace(edge: Edge) -> None:
    tens, others = 16 * edge.decks, 52 * edge.decks - 1
    assert edge.edge == pytest.approx(1_000_000 * (1 - 3 * tens / others), abs=6)  # three digits of a percent
    assert edge.deviation == round(3_000 * math.sqrt(tens * (others - tens)) / others)


def test_surrender_is_worth_something_to_the_player() -> None:
    assert house_edge(TEMPORARY, ENDLESS) < house_edge(FREE, ENDLESS) - 0.0005


def dealt(game: Game, number: int) -> dict[int, float]:
    """The dealer's finals over all up cards, Blackjack apart."""
    shoe, finals = decks(number), dict.fromkeys(range(17, 24), 0.0)
    for up in VALUES:
        left = shoe.without((up,))
        holes = holes_of(up, None)
        share = shoe.shares[up - 2] * sum(left.shares[hole - 2] for hole in holes)
        for total, chance in ends(game, left, up, holes).items():
            finals[total] += share * chance
    return finals


@pytest.mark.parametrize(
    ("number", "finals"),
    one_in(
        2,
        [
            (6, {17: 0.14525, 18: 0.13926, 19: 0.13368, 20: 0.17953, 21: 0.07287, 22: 0.072591, 23: 0.20933}),
            (8, {17: 0.14522, 18: 0.13932, 19: 0.13363, 20: 0.17971, 21: 0.07284, 22: 0.072599, 23: 0.20924}),
        ],
    ),
)
def test_the_dealer_ends_as_enumerated(number: int, finals: dict[int, float]) -> None:
    assert dealt(FREE, number) == pytest.approx(finals, abs=6e-6)


@pytest.mark.parametrize(("number", "chance"), one_in(2, [(6, 0.083326), (8, 0.083381)]))
def test_a_soft_22_that_stands_is_dealt_as_enumerated(number: int, chance: float) -> None:
    assert dealt(UNDER, number)[22] == pytest.approx(chance, abs=6e-7)


@pytest.mark.parametrize(
    ("light", "chance"), [("small", 0.307692), ("medium", 0.307692), ("large", 0.384615)]
)
def test_the_lights_come_as_often_as_their_cards(light: str, chance: float) -> None:
    hidden = Play(UNDER, decks(6))
    lit = hole_chances(hidden, "7s", light)
    every = hole_chances(hidden, "7s")
    assert sum(every[hole] for hole in lit) == pytest.approx(chance, abs=6e-7)
