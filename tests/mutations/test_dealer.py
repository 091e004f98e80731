"""The dealer's own hand broken in one place (7(l), 7(m), 685a.7(m), 12(d))."""

from __future__ import annotations

import pytest

from schemas.values import Ruleset
from tests.mutations.rounds import (
    Mutation,
    a_case_each,
    alter,
    assert_found,
    both,
    cases,
    drop,
    in_the_deal,
    of,
    without,
)

OWN = both(of("card_placed", hand="D"), without(in_the_deal))
ANNOUNCED = of("dealer_total_announced")


MUTATIONS = [
    Mutation(
        "nobody sees a card of the dealer laid (A65)",
        drop(OWN),
        ("integrity.witness",),
        ("integrity.witness",),
    ),
    Mutation(
        "a card of the dealer is face down",
        alter(OWN, lambda s, e: {"face_up": False}),
        ("{ch}.7(l)#2",),
        ("685a.7(m)#2",),
    ),
    Mutation("a total is not announced", drop(ANNOUNCED), ("{ch}.7(l)#3",), ("685a.7(m)#3",)),
    Mutation(
        "a wrong total is announced",
        alter(ANNOUNCED, lambda s, e: {"total": e["data"]["total"] + 1}),
        ("{ch}.7(l)#3",),
        ("685a.7(m)#3",),
    ),
    Mutation(
        "a card too many is not racked",
        drop(of("cards_racked", reason="accidental")),
        ("{irr}(d)",),
        ("685a.12(d)",),
    ),
]


@pytest.mark.parametrize(("mutation", "ruleset"), a_case_each(MUTATIONS))
def test_one_wrong_thing_is_told_once_by_its_clause(mutation: Mutation, ruleset: Ruleset) -> None:
    assert_found(mutation, ruleset)


@pytest.mark.soak
@pytest.mark.parametrize(("mutation", "ruleset"), cases(MUTATIONS))
def test_it_is_told_at_every_place(mutation: Mutation, ruleset: Ruleset) -> None:
    assert_found(mutation, ruleset, most=150)
