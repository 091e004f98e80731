"""What is known of the hole card, and what it is worth."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from processors.play.composition import ENDLESS, Composition, values_of
from processors.play.game import Game
from processors.play.hands import LAMMER, Play, play_of
from schemas.values import RANKS
from tests.play.choices import Facing, best, decks, hole_chances, worths
from tests.play.games import FREE, GAMES, TEMPORARY, UNDER

NAMES = {10: "Ts", 11: "As", **{value: f"{value}s" for value in range(2, 10)}}
cards = st.sampled_from([rank + "s" for rank in RANKS])


@given(game=st.sampled_from(GAMES), hand=st.tuples(cards, cards), up=cards)
@settings(max_examples=120, deadline=None)
def test_to_know_the_hole_card_is_never_worth_less_than_not_to_know_it(
    game: Game, hand: tuple[str, str], up: str
) -> None:
    play = play_of(game, ENDLESS)
    blind = max(worths(play, Facing(cards=hand, up=up)).values())
    seen = sum(
        chance * max(worths(play, Facing(cards=hand, up=up, known=NAMES[hole])).values())
        for hole, chance in hole_chances(play, up).items()
    )
    assert seen >= blind - 1e-12


@pytest.mark.parametrize("game", GAMES)
def test_the_dealers_results_sum_to_one(game: Game) -> None:
    play = Play(game, decks(6))
    for up in RANKS:
        for light in (None, "small", "medium"):
            value = values_of((up + "s",))[0]
            finals = play.against(value, tuple(hole_chances(play, up + "s", light))).ends
            assert sum(finals.values()) == pytest.approx(1)


def test_a_stiff_hand_stands_against_a_ten_if_the_hole_card_is_known_to_be_small() -> None:
    play = play_of(FREE, ENDLESS)
    asked = {known: Facing(cards=("9s", "7d"), up="Td", known=known) for known in (None, "6c", "Tc")}
    assert [best(worths(play, situation)) for situation in asked.values()] == ["hit", "stand", "hit"]


def test_two_aces_of_the_down_under_dealer_take_nothing_from_who_stands() -> None:
    found = worths(play_of(UNDER, ENDLESS), Facing(cards=("9s", "7d"), up="Ad", known="Ac"))
    assert found["stand"] == 0
    assert worths(play_of(UNDER, ENDLESS), Facing(cards=("Ts", "Jd"), up="Ad", known="Ac"))["stand"] == 1


def test_surrender_is_for_the_first_two_cards_of_the_game_that_has_it() -> None:
    bad = Facing(cards=("Ts", "6d"), up="Td")
    assert worths(play_of(TEMPORARY, ENDLESS), bad)["surrender"] == -0.5
    assert best(worths(play_of(TEMPORARY, ENDLESS), bad)) == "surrender"
    assert "surrender" not in worths(play_of(FREE, ENDLESS), bad)
    split = Facing(cards=("Ts", "6d"), up="Td", split=True, hands=2)
    assert "surrender" not in worths(play_of(TEMPORARY, ENDLESS), split)


def test_a_hand_that_costs_nothing_is_drawn_to_more_boldly() -> None:
    play = play_of(FREE, ENDLESS)
    chips = Facing(cards=("Ts", "7d"), up="9h", split=True, hands=4)
    free = Facing(cards=("Ts", "7d"), up="9h", split=True, hands=4, money=LAMMER)
    assert worths(play, chips)["stand"] > worths(play, chips)["hit"]
    assert worths(play, free)["stand"] < worths(play, free)["hit"]


def test_each_hand_that_a_split_may_add_is_worth_something() -> None:
    play = play_of(FREE, ENDLESS)
    left = [worths(play, Facing(cards=("8s", "8d"), up="6h", hands=hands)) for hands in (1, 2, 3, 4)]
    assert left[0]["split"] > left[1]["split"] > left[2]["split"]
    assert "split" not in left[3]


def test_a_shoe_rich_in_tens_makes_a_standing_hand_worth_more() -> None:
    whole = decks(6)
    rich = whole.without([value for value in (2, 3, 4, 5, 6) for _ in range(12)])
    asked = Facing(cards=("Ts", "2d"), up="5h")
    assert worths(Play(FREE, rich), asked)["stand"] > worths(Play(FREE, whole), asked)["stand"]


def test_cards_nobody_could_read_are_refused() -> None:
    with pytest.raises(KeyError):
        worths(play_of(FREE, ENDLESS), Facing(cards=("Ts", "??"), up="5h"))
    with pytest.raises(ValueError, match="no such hole card"):
        worths(Play(FREE, Composition((0,) * 8 + (9, 9))), Facing(cards=("Ts", "9s"), up="5h", known="4d"))
