"""Shoes that come in an order that was known, sorted, or hardly shuffled; and shuffles that are good enough."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from processors.core.folding.known_orders import SORTED
from producers.simulator.noise.kinds import through
from schemas.findings import Finding
from schemas.values import RANKS, SUITS, Ruleset
from tests.detectors.shoes import Arrange, Racks, dealt, riffled, untouched, with_slug
from tests.detectors.worlds import kind_of, suspected
from tests.sampling import one_in


def _of_shuffles(lines: list[bytes]) -> list[Finding]:
    return [one for one in suspected(lines) if one.check.startswith("pattern.shuffle_quality")]


def _slug(shoe: int, *, length: int = 7, reverse: bool = False, own: bool = True) -> Arrange:
    def arrange(number: int, batch: str, order: list[str], racks: Racks) -> list[str]:
        if number != shoe:
            return order
        rack = next(cards for of, cards in reversed(racks) if not own or of == batch)
        slug = rack[50 : 50 + length]
        return with_slug(order, slug[::-1] if reverse else slug, 90)

    return arrange


@pytest.mark.parametrize("seed", one_in(2, [1, 2]))
@pytest.mark.parametrize("reverse", [False, True])
def test_seven_cards_of_the_rack_are_named_in_their_shoe(seed: int, reverse: bool) -> None:
    found = _of_shuffles(dealt(_slug(3, reverse=reverse), seed, 60))
    assert {one.check for one in found} == {"pattern.shuffle_quality.slug"}
    assert [one.about for one in found] == [{"table": f"S-{seed}", "shoe": 3}]
    (one,) = found
    assert one.observed["run"] >= 7
    assert one.observed["order"] == ("the rack, reversed," if reverse else "the rack")
    assert isinstance(one.e_value, float)
    assert one.e_value >= 1e4
    assert one.sequences


def test_the_second_shoe_with_a_slug_is_named_with_the_one_before_it() -> None:
    def arrange(number: int, batch: str, order: list[str], racks: Racks) -> list[str]:
        return _slug(number)(number, batch, order, racks) if number in (3, 4) else order

    first, second = _of_shuffles(dealt(arrange, 1, 80))
    assert [one.about for one in (first, second)] == [
        {"table": "S-1", "shoe": 3},
        {"table": "S-1", "shoe": 4},
    ]
    assert "shoes_before" not in first.observed
    words = f"7 cards: {' '.join(first.observed['cards'])}"
    assert second.observed["shoes_before"] == {"shoe 3": words}
    assert f"; shoe 3 ({words}) had repeated an order, too;" in second.message
    assert isinstance(first.e_value, float)
    assert isinstance(second.e_value, float)
    assert second.e_value > first.e_value


@pytest.mark.parametrize("own", [False, True])
def test_a_slug_of_either_batch_is_named(own: bool) -> None:
    setup: dict[str, Any] = {"shuffler": "batch"}
    found = _of_shuffles(dealt(_slug(4, own=own), 3, 80, **setup))
    assert [one.about for one in found] == [{"table": "S-3", "shoe": 4}]


def test_a_slug_in_eight_decks_is_named() -> None:
    found = _of_shuffles(dealt(_slug(3), 4, 75, decks=8))
    assert [one.about for one in found] == [{"table": "S-4", "shoe": 3}]


def test_a_slug_of_which_the_shoe_missed_a_word_is_named_by_what_the_layout_saw() -> None:
    heard = through(iter(dealt(_slug(3), 16, 50)), {"draws": 0.002}, 16)
    found = _of_shuffles([one.line for one in heard if one.line is not None])
    assert [one.about for one in found] == [{"table": "S-16", "shoe": 3}]


def test_five_cards_in_the_order_of_the_rack_are_chance() -> None:
    assert _of_shuffles(dealt(_slug(3, length=5), 5, 60)) == []


def test_the_same_order_again_and_again_is_named() -> None:
    kept: list[str] = []

    def arrange(_number: int, _batch: str, order: list[str], _racks: Racks) -> list[str]:
        kept[:] = kept or order
        return list(kept)

    found = _of_shuffles(dealt(arrange, 6, 40))
    assert {one.check for one in found} >= {"pattern.shuffle_quality.order"}
    assert {"table": "S-6", "shoe": 2} in [one.about for one in found]
    assert min(one.round or 0 for one in found) <= 22


@pytest.mark.parametrize(
    ("again", "of", "backward", "setup"),
    one_in(
        2,
        [
            (6, 2, False, {}),
            (6, 3, True, {"shuffler": "batch"}),
            (20, 2, False, {}),
            (8, 2, True, {"ruleset": "free_bet_590", "decks": 6}),
            (7, 2, False, {"ruleset": "down_under_685a", "decks": 6}),
        ],
    ),
)
def test_an_order_of_before_is_named_when_it_comes_again(
    again: int, of: int, backward: bool, setup: dict[str, Any]
) -> None:
    orders: dict[int, list[str]] = {}

    def arrange(number: int, _batch: str, order: list[str], _racks: Racks) -> list[str]:
        orders[number] = order
        return order if number != again else orders[of][::-1] if backward else orders[of]

    (one,) = _of_shuffles(dealt(arrange, 1, 19 * again, patrons=(5, 5), **setup))
    assert (one.check, one.about) == ("pattern.shuffle_quality.order", {"table": "S-1", "shoe": again})
    assert (one.observed["of_shoe"], one.observed["backward"]) == (of, backward)


@pytest.mark.parametrize("ruleset", one_in(3, ["free_bet_672a", "free_bet_590", "down_under_685a"]))
@pytest.mark.parametrize("turned", [False, True])
def test_six_decks_that_were_made_ready_alike_are_named(ruleset: Ruleset, turned: bool) -> None:
    def arrange(number: int, _batch: str, order: list[str], _racks: Racks) -> list[str]:
        deck = [rank + suit for rank in RANKS for suit in SUITS]
        random.Random(3).shuffle(deck)
        return 3 * (deck + (deck[::-1] if turned else deck)) if number == 3 else order

    (one,) = _of_shuffles(dealt(arrange, 1, 60, ruleset, patrons=(5, 5), decks=6))
    assert (one.check, one.about) == ("pattern.shuffle_quality.order", {"table": "S-1", "shoe": 3})
    assert one.observed["of_shoe"] == 3


def _rounds_of(lines: list[bytes], shoe: int) -> range:
    """The rounds dealt from a shoe."""
    of: dict[int, list[int]] = {}
    now = 0
    for line in lines:
        event = msgspec.json.decode(line)
        now = event["data"]["shoe"] if kind_of(event) == "shoe_loaded" else now
        if kind_of(event) == "round_started":
            of.setdefault(now, []).append(event["data"]["round"])
    return range(of[shoe][0], of[shoe][-1] + 1)


def test_sixteen_cards_left_behind_are_named_with_the_first_shoe_that_lacks_them_and_once() -> None:
    def arrange(number: int, _batch: str, order: list[str], _racks: Racks) -> list[str]:
        return order[:-16] if number == 2 else order

    for seed in (1, 2):
        lines = dealt(arrange, seed, 75, patrons=(5, 5))
        (one,) = _of_shuffles(lines)
        assert (one.check, one.about) == (
            "pattern.shuffle_quality.short",
            {"table": f"S-{seed}", "shoe": 2},
        )
        assert one.observed == one.observed | {"missing": 16}
        assert one.round == _rounds_of(lines, 2)[-1]


def test_a_card_of_the_other_batch_is_named_with_the_first_shoe_that_shows_it_and_once() -> None:
    def arrange(_number: int, batch: str, order: list[str], _racks: Racks) -> list[str]:
        if batch == "B1":
            first = order.index("Ks")
            return order if order.count("Ks") == 5 else [*order[:first], *order[first + 1 :]]
        return [*order[:99], "Ks", *order[99:]] if order.count("Ks") == 6 else order

    for seed in (1, 2):
        lines = dealt(arrange, seed, 90, shuffler="batch", patrons=(5, 5))
        (one,) = _of_shuffles(lines)
        assert (one.check, one.about) == (
            "pattern.shuffle_quality.migrated",
            {"table": f"S-{seed}", "shoe": 2},
        )
        assert one.round in _rounds_of(lines, 2)


@pytest.mark.parametrize("by", one_in(3, ["suit", "rank", "card"]))
@pytest.mark.parametrize("reverse", [False, True])
def test_a_sorted_shoe_is_named_in_its_first_rounds(by: str, reverse: bool) -> None:
    keys = {"suit": (lambda c: (c[1], c[0])), "rank": (lambda c: RANKS.index(c[0])), "card": (lambda c: c)}

    def arrange(number: int, _batch: str, order: list[str], _racks: Racks) -> list[str]:
        return sorted(order, key=keys[by], reverse=reverse) if number == 2 else order

    found = _of_shuffles(dealt(arrange, 7, 32))
    first = min(found, key=lambda one: one.sequence)
    assert first.check == "pattern.shuffle_quality.sorted"
    assert first.about == {"table": "S-7", "shoe": 2}


def test_decks_as_they_come_new_are_named() -> None:
    new = [SORTED[-1][at : at + 2] for at in range(0, 104, 2)]

    def arrange(number: int, _batch: str, order: list[str], _racks: Racks) -> list[str]:
        return new * 6 if number == 1 else order

    assert sorted(new) == sorted(rank + suit for rank in RANKS for suit in SUITS)
    found = _of_shuffles(dealt(arrange, 8, 5))
    assert {one.check for one in found} == {"pattern.shuffle_quality.order", "pattern.shuffle_quality.sorted"}


@pytest.mark.parametrize(("times", "named"), [(1, True), (2, True), (7, False)])
def test_a_rack_that_is_riffled_too_rarely_is_named(times: int, named: bool) -> None:
    def arrange(number: int, _batch: str, order: list[str], racks: Racks) -> list[str]:
        if not racks:
            return order
        cards = riffled(racks[-1][1], times, number)
        return [*cards[100:], *cards[:100]]

    assert bool(_of_shuffles(dealt(arrange, 9, 70))) is named


def _neatly(cards: list[str], times: int) -> list[str]:
    """So many riffles in which the halves fall card by card in turn."""
    half = len(cards) // 2
    once = [card for pair in zip(cards[:half], cards[half:], strict=False) for card in pair]
    return _neatly(once, times - 1) if times else cards


@pytest.mark.parametrize(
    ("riffle", "variant"),
    [
        (lambda rack, shoe: riffled(rack, 3, shoe), "weak_forward"),
        (lambda rack, shoe: riffled(rack[::-1], 2, shoe), "weak_backward"),
        (lambda rack, _: _neatly(rack, 1), "weak_second"),
        (lambda rack, _: _neatly(rack, 2), "weak_fourth"),
    ],
)
def test_a_weak_shuffle_is_named_by_the_way_in_which_it_keeps_neighbours(
    riffle: Callable[[list[str], int], list[str]], variant: str
) -> None:
    def arrange(number: int, _batch: str, order: list[str], racks: Racks) -> list[str]:
        cards = riffle(racks[-1][1], number) if racks else order
        return [*cards[100:], *cards[:100]] if racks else cards

    first, *_ = _of_shuffles(dealt(arrange, 9, 70))
    assert first.check == f"pattern.shuffle_quality.{variant}"


@pytest.mark.parametrize("ruleset", ["free_bet_590", "free_bet_672a", "down_under_685a"])
@pytest.mark.parametrize("shuffler", one_in(2, ["none", "batch", "continuous"]))
def test_lawful_tables_raise_nothing(ruleset: Ruleset, shuffler: str) -> None:
    seed = random.Random(f"{ruleset} {shuffler}").randrange(1000)
    assert suspected(dealt(untouched, seed, 45, ruleset, shuffler=shuffler)) == []
