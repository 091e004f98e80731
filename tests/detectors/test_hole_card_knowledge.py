"""Decisions that follow a card nobody has seen, and those that only follow what is public."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from processors.detectors.knowing.judged import KNOWERS, judged
from processors.detectors.knowing.orders import Orders, orders
from processors.play.dealer import RANGES, holes_of
from processors.play.game import Game
from processors.play.situation import Situation, held
from producers.simulator.blackjack.strategies import Basic, Counter, Random
from schemas.findings import Finding
from schemas.values import RANKS, Ruleset
from tests.detectors.players import Flat, Knower, Made, played
from tests.detectors.worlds import suspected
from tests.play.games import FREE, TEMPORARY, UNDER
from tests.sampling import one_in

cards = st.sampled_from([rank + "s" for rank in RANKS])
counts = st.lists(st.integers(0, 24), min_size=10, max_size=10).map(lambda some: [one + 1 for one in some])


def asked(game: Game, up: int, light: str | None, hands: list[tuple[str, str]], seed: int) -> list[Orders]:
    """Some decisions about hands of two cards, however bad."""
    rng = random.Random(seed)
    found = []
    for hand in hands:
        situation = Situation(cards=hand)
        kind = rng.choice(("hit", "stand", "double"))
        one = orders(game, up, light, held(game, situation), kind)
        if one is not None:
            found.append(one)
    return found


@given(counts, st.integers(2, 11), st.lists(st.tuples(cards, cards), max_size=4), st.integers(0, 99))
@settings(max_examples=100, deadline=None)
def test_a_round_says_nothing_on_average_over_the_cards_that_might_lie_there(
    unseen: list[int], up: int, hands: list[tuple[str, str]], seed: int
) -> None:
    for game in (FREE, TEMPORARY):
        said = asked(game, up, None, hands, seed)
        for insured in (True, False) if up == 11 else (None,):
            holes = [*holes_of(up, None), *([10] if up == 11 else [])]
            whole = sum(unseen[hole - 2] for hole in holes)
            means = [0.0] * len(KNOWERS)
            for hole in holes:
                note = judged(unseen, up, hole, None, insured, said)
                factors = note.factors if note is not None else (1.0,) * len(KNOWERS)
                means = [
                    mean + unseen[hole - 2] / whole * one for mean, one in zip(means, factors, strict=True)
                ]
            assert means == pytest.approx([1.0] * len(KNOWERS), abs=2e-5)


@given(counts, st.integers(2, 10), st.sampled_from(RANGES), st.tuples(cards, cards), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_what_the_light_says_is_public(
    unseen: list[int], up: int, light: str, hand: tuple[str, str], seed: int
) -> None:
    said = asked(UNDER, up, light, [hand], seed)
    holes = holes_of(up, light)
    whole = sum(unseen[hole - 2] for hole in holes)
    notes = {hole: judged(unseen, up, hole, light, None, said) for hole in holes}
    for at in range(len(KNOWERS)):
        mean = sum(
            unseen[hole - 2] / whole * (note.factors[at] if note is not None else 1.0)
            for hole, note in notes.items()
        )
        assert mean == pytest.approx(1.0, abs=2e-5)


def test_a_decision_that_every_hole_card_orders_says_nothing() -> None:
    pat = Situation(cards=("Ts", "Ah"), split=True, hands=2)
    low = Situation(cards=("2s", "3h", "2c"))
    assert orders(FREE, 6, None, held(FREE, pat), "stand") is None
    assert orders(FREE, 10, None, held(FREE, low), "hit") is None


def knowledge(made: Made, seed: int, rounds: int, ruleset: Ruleset = "free_bet_672a") -> list[Finding]:
    found = suspected(played(made, seed, rounds, ruleset))
    return [one for one in found if one.check.startswith("pattern.hole_card")]


@pytest.mark.parametrize(
    ("ruleset", "rounds"), one_in(3, [("free_bet_672a", 90), ("free_bet_590", 90), ("down_under_685a", 200)])
)
def test_who_plays_by_the_hole_card_is_named_and_nobody_else(ruleset: Ruleset, rounds: int) -> None:
    knowers = []

    def made(*whom: object) -> Basic:
        knowers.append(Knower(*whom))  # type: ignore[arg-type]  # passed on as they came
        return knowers[-1]

    (one,) = knowledge(made, 3, rounds, ruleset)
    assert isinstance(one.about, dict)
    assert one.about == {"player": knowers[0].patron.name}
    assert one.observed["decisions_that_fit"] > one.expected["decisions_that_fit"]


@pytest.mark.parametrize("seed", one_in(2, [1, 2]))
@pytest.mark.parametrize("kind", one_in(2, [Flat, Counter, Random, Basic], 1))
def test_public_play_good_or_bad_is_not_suspected(kind: type[Basic], seed: int) -> None:
    assert knowledge(lambda patron, setup, rng, _table: kind(patron, setup, rng), seed, 150) == []
