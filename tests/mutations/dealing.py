"""The first deal of a Blackjack round broken in one place (7(b), 7(e), 12(g))."""

from __future__ import annotations

from typing import Any

from tests.mutations.rechain import Event, kind
from tests.mutations.rounds import (
    Mutation,
    Section,
    alter,
    both,
    dealt,
    drop,
    in_the_deal,
    of,
)

PLACED = both(of("card_placed"), in_the_deal)
TO_PLAYER = both(PLACED, lambda s, i, e: e["data"]["hand"] != "D")
UP = both(PLACED, lambda s, i, e: i != dealt(s), of("card_placed", hand="D"))
HOLE = both(of("card_placed"), lambda s, i, e: i == dealt(s))
DEAL = ("{ch}.7(e)", "{irr}(g)", "{irr}(e)")
DEAL_DU = ("685a.7(e)", "685a.12(f)")


def _another_box(section: Section, event: Event) -> dict[str, Any] | None:
    taken = {e["data"]["seat"] for e in section.events if kind(e) == "wager_placed"}
    seat = next((s for s in range(1, section.config["seats"] + 1) if s not in taken), None)
    return None if seat is None else {"hand": f"{seat}.1"}


def _next_box(section: Section, event: Event) -> dict[str, Any] | None:
    seats = sorted({e["data"]["seat"] for e in section.events if kind(e) == "wager_placed"})
    later = [seat for seat in seats if f"{seat}.1" > event["data"]["hand"]]
    return {"hand": f"{later[0]}.1"} if later else None


def _not_last(section: Section, index: int, event: Event) -> bool:
    """Whether a later seat has its second card already, so that this one comes out of its turn."""
    return bool(
        event["data"]["seat"] != max(e["data"]["seat"] for e in section.events if kind(e) == "wager_placed")
    )


def _some_by_hand(section: Section, index: int, event: Event) -> bool:
    return event["data"]["hand"] in ("D", "3.1", "4.1") and "by_hand" in event["data"]


UNSEEN = ("integrity.witness",)
MUTATIONS = [
    Mutation("nobody sees a card of the first deal laid (A65)", drop(TO_PLAYER), UNSEEN, UNSEEN),
    Mutation("nobody sees the up card laid (A65)", drop(UP), UNSEEN, UNSEEN),
    Mutation("nobody sees the hole card laid (A65)", drop(HOLE), UNSEEN, UNSEEN),
    Mutation(
        "a card is dealt face down", alter(TO_PLAYER, lambda s, e: {"face_up": False}), ("{ch}.7(e)",), ("685a.7(e)",)),
    Mutation("the up card is dealt face down", alter(UP, lambda s, e: {"face_up": False}), ("{ch}.7(e)(2)",),
        ("685a.7(e)(2)",)),
    Mutation("the hole card is dealt face up", alter(HOLE, lambda s, e: {"face_up": True}), ("{ch}.7(e)(4)",),
        ("685a.7(e)(4)",)),
    Mutation("a card goes to a box without a wager", alter(TO_PLAYER, _another_box), ("{ch}.7(e)", "{ch}.6(d)"),
        ("685a.7(e)", "685a.6(d)")),
    Mutation("a card goes to the next box", alter(TO_PLAYER, _next_box), DEAL, DEAL_DU),
    Mutation("a card is drawn with the other hand",
        alter(of("card_drawn"), lambda s, e: {"from_hand": "other"} if e["data"].get("from_hand") else None),
        ("{ch}.7(b)#1",), ("685a.7(b)#1",)),
    Mutation("a card is laid down with the drawing hand",
        alter(both(of("card_placed"), _some_by_hand), lambda s, e: {"by_hand": "shoe_side"}),
        ("{ch}.7(b)",), ("685a.7(b)",)),
    Mutation(
        "a hand without cards is not called dead", drop(of("hand_voided", reason="no cards dealt")), ("{irr}(g)#1",),
        ("685a.12(f)#1",)),
    Mutation("a hand of one card is not called dead",
        drop(both(of("hand_voided"), lambda s, i, e: "one card" in e["data"]["reason"])), ("{irr}(g)#2",),
        ("685a.12(f)#2",)),
    Mutation("a second card comes late unasked", drop(both(of("player_request", wish="second_card"), _not_last)),
        ("{irr}(g)#2", "{ch}.7(e)"), ("685a.12(f)#2", "685a.7(e)")),
]  # fmt: skip
