"""Shoes that lack cards, hold cards of another batch, or other ranks than their decks; and whole ones badly seen."""

from __future__ import annotations

import pytest

from benchmarks.honest.shifts import watch
from producers.simulator.noise.kinds import through
from schemas.findings import Finding
from schemas.values import Ruleset
from tests.detectors.shoes import Arrange, Racks, dealt, untouched
from tests.detectors.worlds import Change, Event, changed, dropped, kind_of, misread, suspected
from tests.pipeline.simulated import lines_of_table
from tests.sampling import one_in


def _of_cards(lines: list[bytes]) -> list[Finding]:
    return [one for one in suspected(lines) if one.check.startswith("pattern.rank_composition")]


def test_sixteen_cards_left_in_the_shuffler_are_named_at_the_end_of_the_first_shoe_without_them() -> None:
    def arrange(number: int, _batch: str, order: list[str], _racks: Racks) -> list[str]:
        return order[:-16] if number == 2 else order

    found = _of_cards(dealt(arrange, 1, 60))
    (one,) = [one for one in found if one.check.endswith(".short")]
    assert one.about == {"table": "S-1"}
    assert one.observed == one.observed | {"missing_of_this_shoe": 16, "missing": 16, "shoes": 1}


def _moved(_number: int, batch: str, order: list[str], _racks: Racks) -> list[str]:
    if batch == "B1":
        first = order.index("Ks")
        return order if order.count("Ks") == 5 else [*order[:first], *order[first + 1 :]]
    return [*order[:99], "Ks", *order[99:]] if order.count("Ks") == 6 else order


def _exchanged(_number: int, _batch: str, order: list[str], _racks: Racks) -> list[str]:
    out = order.index("2c")
    return [*order[:out], *order[out + 1 : 120], "Ks", *order[120:]] if order.count("Ks") == 6 else order


def test_a_card_moved_to_the_other_batch_is_named_when_it_is_seen() -> None:
    found = _of_cards(dealt(_moved, 2, 60, shuffler="batch"))
    (one,) = [one for one in found if one.check.endswith(".foreign")]
    assert one.about == {"table": "S-2"}
    assert one.observed["cards"] == {"Ks": 7}
    assert one.round is not None


@pytest.mark.parametrize("arrange", [_moved, _exchanged])
def test_a_card_of_other_decks_speaks_in_every_shoe_that_it_lies_in(arrange: Arrange) -> None:
    lines = dealt(arrange, 2, 150, shuffler="batch")
    (one,) = [one for one in _of_cards(lines) if one.check.endswith(".foreign")]
    *_, peaks = watch(iter(lines), "S-2")
    assert isinstance(one.e_value, float)
    assert peaks["rank_composition"] > 1_000 * one.e_value


def _switched(each: int, to: str) -> Change:
    """Every so many hole cards another card is turned up, and goes to the rack, than was dealt face down."""
    number, was = 0, ""

    def change(event: Event) -> list[Event]:
        nonlocal number, was
        data = event["data"]
        if kind_of(event) == "hole_card_revealed":
            number, was = number + 1, ""
            if number % each == 0 and data["card"] != to:
                was, data["card"] = data["card"], to
        elif kind_of(event) == "cards_racked" and data["hand"] == "D" and was:
            data["cards"] = [to if card == was else card for card in data["cards"]]
        return [event]

    return change


@pytest.mark.parametrize("each", [1, 3, 10])
def test_hole_cards_that_were_switched_say_nothing_of_the_shoe(each: int) -> None:
    assert _of_cards(changed(dealt(untouched, 5, 60), _switched(each, "Ks"))) == []


def test_a_rank_that_was_stripped_shoe_after_shoe_is_named() -> None:
    def arrange(_number: int, _batch: str, order: list[str], _racks: Racks) -> list[str]:
        kept = 0
        made = []
        for card in order:
            kept += card[0] == "A"
            made.append("4" + card[1] if card[0] == "A" and kept > 16 else card)
        return made

    found = _of_cards(dealt(arrange, 3, 60))
    named = {one.check.rpartition(".")[2] for one in found}
    assert "ranks" in named
    (one,) = [one for one in found if one.check.endswith(".ranks")]
    assert one.observed["cards"] in ("A", "4")
    assert one.observed["staked_cents"] > 0


@pytest.mark.parametrize(
    ("ruleset", "shuffler"), [("free_bet_672a", "continuous"), ("down_under_685a", "self_shuffling")]
)
def test_ten_values_taken_out_of_a_device_that_reshuffles_by_itself_are_named(
    ruleset: Ruleset, shuffler: str
) -> None:
    """Thirty-two are replaced by eights: the device counts its cards, and finds as many as before."""

    def arrange(_number: int, _batch: str, order: list[str], _racks: Racks) -> list[str]:
        taken = [at for at, card in enumerate(order) if card[0] in "TJQK"][:32]
        return [f"8{card[1]}" if at in taken else card for at, card in enumerate(order)]

    found = [
        one for one in _of_cards(dealt(arrange, 6, 300, ruleset, shuffler=shuffler)) if "ranks" in one.check
    ]
    (one,) = found
    assert one.observed["cards"] in ("ten-values", "8")
    assert one.about == {"table": "S-6"}
    rows = one.observed["weightiest"]
    assert 0 < len(rows) <= 10
    assert all(row["cents"] > 0 and row["factor"] > 1 for row in rows)
    assert [row["factor"] for row in rows] == sorted((row["factor"] for row in rows), reverse=True)
    assert one.observed["staked_cents"] > sum(row["cents"] for row in rows)
    assert one.message.startswith("Too ")
    assert " came out of the shuffler for the decks that the record says: " in one.message


@pytest.mark.parametrize("seed", one_in(3, range(6)))
def test_a_whole_device_that_reshuffles_by_itself_raises_nothing(seed: int) -> None:
    assert _of_cards(dealt(untouched, seed, 150, shuffler="continuous")) == []


@pytest.mark.parametrize(
    ("ruleset", "seed", "rounds", "noise"),
    [
        (
            "down_under_685a",
            17,
            50,
            dict.fromkeys(("unread", "placements", "draws", "racked", "order", "late"), 0.002),
        ),
        ("free_bet_590", 12, 100, {"recorder": 0.02}),
    ],
)
def test_noise_on_the_way_to_the_record_is_no_card_too_many_or_too_few(
    ruleset: Ruleset, seed: int, rounds: int, noise: dict[str, float]
) -> None:
    heard = through(iter(lines_of_table(ruleset, seed, rounds)), noise, seed)
    assert _of_cards([one.line for one in heard if one.line is not None]) == []


def test_whole_shoes_that_are_badly_seen_raise_nothing_of_their_cards() -> None:
    lines = dealt(untouched, 4, 50)
    for change in (misread(0.01, 1), dropped("card_drawn", 0.04, 2), dropped("card_placed", 0.02, 3)):
        assert _of_cards(changed(lines, change)) == []
    assert _of_cards(lines) == []
