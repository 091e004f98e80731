"""The dealer's own hand broken in one place (7(l), 7(m), 685a.7(m), 12(d))."""

from __future__ import annotations

from tests.mutations.rounds import (
    Mutation,
    alter,
    both,
    drop,
    first,
    in_the_deal,
    of,
    without,
)

OWN = both(of("card_placed", hand="D"), without(in_the_deal))
# Where a card was drawn in error or a requested one missed, a card without placement is not said to be the dealer's.
IN_ORDER = without(lambda s, i, e: first(s, "card_exposed", "hand_voided") is not None)
ANNOUNCED = of("dealer_total_announced")


MUTATIONS = [
    Mutation(
        "nobody sees a card of the dealer laid (A65)", drop(both(OWN, IN_ORDER)), ("integrity.witness",),
        ("integrity.witness",)),
    Mutation("a card of the dealer is face down", alter(OWN, lambda s, e: {"face_up": False}), ("{ch}.7(l)#2",),
        ("685a.7(m)#2",)),
    Mutation("a total is not announced", drop(ANNOUNCED), ("{ch}.7(l)#3",), ("685a.7(m)#3",)),
    Mutation("a wrong total is announced", alter(ANNOUNCED, lambda s, e: {"total": e["data"]["total"] + 1}),
        ("{ch}.7(l)#3",), ("685a.7(m)#3",)),
    Mutation(
        "a card too many is not racked", drop(of("cards_racked", reason="accidental")), ("{irr}(d)",), ("685a.12(d)",)),
]  # fmt: skip
