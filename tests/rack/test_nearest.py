"""Where no round is lawful, the nearest one says what was done wrong and which provision it breaks."""

from __future__ import annotations

import csv
import random
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

import schemas
from benchmarks.rack_dealing import House, Table
from processors.rack.answer import RuleDeviation
from processors.rack.departures.faults import FaultKind, provision_of
from schemas.rulesets import RULESETS
from tests.rack.asking import ask, hands, problem

FB = House("free_bet_672a", even_money=False)
NO_PUSH = House("free_bet_672a", even_money=False, side_wagers=())
TEMPORARY = House("free_bet_590", even_money=False, side_wagers=())
DU = House("down_under_685a", even_money=False)


def _provisions() -> set[str]:
    path = Path(schemas.__file__).with_name("provisions.csv")
    with path.open(encoding="utf-8", newline="") as file:
        return {row["provision_id"] for row in csv.DictReader(file)}


CASES: list[tuple[str, dict[str, Any], list[tuple[str, str | None]]]] = [
    (
        "a player who drew on 21",
        problem("9c 5d 7h 2s Th 8s", FB, known=hands(h1_1="9c 5d 7h 2s")),
        [("672a.7(j)(1)", "1.1")],
    ),
    (
        "a player who drew on more than 21",
        problem("9c 5d 9h 2s Th 8s", DU, known=hands(h1_1="9c 5d 9h 2s")),
        [("685a.7(k)", "1.1")],
    ),
    (
        "a dealer who drew on 18",
        problem("9c 8d Th 8s 2c", FB, known=hands(h1_1="9c 8d")),
        [("672a.7(l)#1", "D")],
    ),
    (
        "a dealer who stopped at 15 against a hand that stands",
        problem("9c 8d Th 5s", DU, known=hands(h1_1="9c 8d")),
        [("685a.7(m)#1", "D")],
    ),
    (
        "a dealer who drew for nobody",
        problem("9c 5d 9h Th 2s 9c", TEMPORARY, known=hands(h1_1="9c 5d 9h")),
        [("590.7(m)", "D")],
    ),
    (
        "a dealer who did not draw for a Push 22 that a tucked Blackjack proves",
        problem("As Kd Th 2s", FB, known=hands(h1_1="As Kd"), early=0),
        [("672a.7(m)#2", "D")],
    ),
    (
        "a bust left on the table",
        problem("9c 8d 9h 5d 9s Th 7s", FB, known=hands(h1_1="9h 5d 9s", h2_1="9c 8d")),
        [("672a.7(s)", "1.1")],
    ),
    (
        "a Blackjack left on the table",
        problem("9c 8d As Kd Th 7s", NO_PUSH, known=hands(h1_1="As Kd", h2_1="9c 8d")),
        [("672a.7(h)(1)#2", "1.1")],
    ),
    (
        "a split of cards that are no pair",
        problem("8d Th 9s Tc Th 7s", FB, seats=[1], known=hands(h1_1="9s Tc", h1_2="8d Th")),
        [("672a.10(a)", "1.2")],
    ),
    (
        "a split ace that drew twice",
        problem("Ad 6h 2c As 5c Th 7s", DU, seats=[1], known=hands(h1_1="As 5c", h1_2="Ad 6h 2c")),
        [("685a.10(e)", "1.2")],
    ),
    (
        "a hand played on against a dealer Blackjack",
        problem("9c 2d 5h As Kd", FB, seats=[1], known=hands(D="As Kd")),
        [("672a.7(g)#3", "1.1")],
    ),
    (
        "a hand without its second card",
        problem("9c Th 7s", FB, seats=[1], known=hands(D="Th 7s")),
        [("672a.7(e)(3)", "1.1")],
    ),
    (
        "a pickup in the other direction",
        problem("2c 2d 9c 8d Th 7s", FB, known=hands(h1_1="2c 2d", h2_1="9c 8d", D="Th 7s"), early=0),
        [("672a.7(s)", None)],
    ),
    (
        "a dealer's hand below instead of on top",
        problem("Th 7s 9c 8d", FB, known=hands(D="Th 7s", h1_1="9c 8d")),
        [("672a.7(s)", None)],
    ),
    ("another up card", problem("9c 8d Th 7s", FB, seats=[1], upcard="7s"), [("672a.7(s)", None)]),
    (
        "a surrender where there is none",
        problem("9c 7d Th 7s", FB, seats=[1], surrendered=["1.1"]),
        [("672a.7(h)(2)#2", None)],
    ),
    (
        "another card than the shoe gave",
        problem("9c 8d Th 7s", FB, seats=[1], drawn="9c Th 8h 7s"),
        [("672a.7(s)", "1.1")],
    ),
]


@pytest.mark.parametrize(("stated", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_the_nearest_round_names_what_was_wrong(
    stated: dict[str, Any], expected: list[tuple[str, str | None]]
) -> None:
    answer = ask(stated)
    assert answer.count == 0
    assert answer.unique is answer.money_unique is False
    assert answer.nearest
    assert [(d.provision, d.hand) for d in answer.nearest.deviations] == expected
    assert expected[0][0] in answer.message
    assert {d.provision for d in answer.nearest.deviations} <= _provisions()
    laid = [card for cards in answer.nearest.hands.values() for card in cards]
    assert sorted(laid) == sorted(stated["rack"])


def test_a_known_hand_that_the_rack_does_not_hold_is_set_aside_last() -> None:
    answer = ask(problem("9c 8d Th 7s", FB, seats=[1], known=hands(h1_1="9c 9d")))
    assert answer.nearest
    assert answer.nearest.deviations == (
        RuleDeviation(provision="672a.7(s)", hand="1.1", message="1.1 was 9c 9d, but the rack has 9c 8d"),
    )


def test_a_rack_of_two_cards_is_near_nothing() -> None:
    answer = ask(problem("9c", FB))
    assert answer.nearest is None
    assert answer.count == 0
    assert "No lawful round" in answer.message


@pytest.mark.parametrize("ruleset", ["free_bet_590", "free_bet_672a", "down_under_685a"])
def test_every_fault_cites_a_provision_of_its_chapter(ruleset: str) -> None:
    known, chapter = _provisions(), RULESETS[ruleset].chapter
    never = {"685a": {"dealer_needless", "dealer_push22"}}.get(chapter, {"split_ace_drew"})
    for kind in set(get_args(FaultKind)) - never:
        provision = provision_of(kind, ruleset)
        assert provision in known, kind
        assert provision.startswith(f"{chapter}."), kind


def test_a_disturbed_rack_of_a_dealt_round_has_a_near_round() -> None:
    chance = random.Random(5)
    near = 0
    for _ in range(40):
        house = House(chance.choice(["free_bet_590", "free_bet_672a", "down_under_685a"]))
        played = Table(house, chance).play(sorted(chance.sample(range(1, 7), chance.randint(1, 4))))
        rack = list(played.rack)
        one, other = chance.sample(range(len(rack)), 2)
        rack[one], rack[other] = rack[other], rack[one]
        answer = ask(played.problem("seats", "drawn", "upcard", rack=rack))
        if answer.count == 0:
            assert answer.nearest not in (None, msgspec.UNSET)
            near += 1
    assert near > 10
