"""What may have gone wrong in a round, the provision it breaks, and the sentence that says so."""

from __future__ import annotations

from typing import Literal, NamedTuple

from processors.rack.answer import Deviation
from processors.rack.house import House

FaultKind = Literal[
    "one_card",
    "drew_on_21",
    "drew_over_21",
    "unequal_split",
    "too_many_hands",
    "split_ace_drew",
    "after_blackjack",
    "blackjack_left",
    "bust_left",
    "bust_early",
    "live_early",
    "dealer_one_card",
    "dealer_overdrew",
    "dealer_stopped",
    "dealer_needless",
    "dealer_push22",
    "pickup_order",
    "dealer_place",
    "bust_collection",
    "drawn",
    "known",
    "upcard",
    "seats",
    "surrendered",
    "early",
]


class Fault(NamedTuple):
    """One departure from the rules or from what is known, at a hand where there is one."""

    kind: FaultKind
    hand: str | None = None
    detail: str = ""
    """What was known and what was found instead."""


# Clause letters in 590 and 672a, then in 685a where its section 7 runs one letter ahead.
_SECTION_7: dict[FaultKind, tuple[str, str]] = {
    "one_card": ("(e)(3)", "(e)(3)"),
    "drew_on_21": ("(j)(1)", "(k)(1)"),
    "drew_over_21": ("(j)", "(k)"),
    "after_blackjack": ("(g)#3", "(h)#8"),
    "blackjack_left": ("(h)(1)#2", "(i)(1)#2"),
    "dealer_one_card": ("(e)(4)", "(e)(4)"),
    "dealer_overdrew": ("(l)#1", "(m)#1"),
    "dealer_stopped": ("(l)#1", "(m)#1"),
    "seats": ("(e)(1)", "(e)(1)"),
}
_OF_CHAPTER: dict[tuple[str, FaultKind], str] = {
    ("590", "unequal_split"): "590.11(a)",
    ("672a", "unequal_split"): "672a.10(a)",
    ("685a", "unequal_split"): "685a.10(a)#1",
    ("590", "too_many_hands"): "590.11(d)#2",
    ("672a", "too_many_hands"): "672a.10(d)#2",
    ("685a", "too_many_hands"): "685a.10(c)#2",
    ("685a", "split_ace_drew"): "685a.10(e)",
    ("590", "dealer_needless"): "590.7(m)",
    ("672a", "dealer_needless"): "672a.7(m)#1",
    ("590", "dealer_push22"): "590.7(l)#1",  # 590.7(m) names no Push 22 (reading A8)
    ("672a", "dealer_push22"): "672a.7(m)#2",
    ("590", "surrendered"): "590.9(a)#1",
    ("672a", "surrendered"): "672a.7(h)(2)#2",
    ("685a", "surrendered"): "685a.7(i)(2)#2",
}

_SAYS: dict[FaultKind, str] = {
    "one_card": "{hand} holds one card only",
    "drew_on_21": "{hand} took a card on 21",
    "drew_over_21": "{hand} took a card on more than 21",
    "unequal_split": "{hand} was split off cards of another value",
    "too_many_hands": "the seat of {hand} has more hands than it may have",
    "split_ace_drew": "{hand}, a split ace, holds more than two cards",
    "after_blackjack": "{hand} was played on against a dealer Blackjack",
    "blackjack_left": "the Blackjack {hand} was left on the table though no Push 22 wager is offered",
    "bust_left": "{hand} is over 21 and was not racked when it should have been",
    "bust_early": "{hand} is over 21 and was racked before the final pickup",
    "live_early": "{hand} stood against the dealer and was racked before the final pickup",
    "dealer_one_card": "the dealer holds one card only",
    "dealer_overdrew": "the dealer took a card on a standing total",
    "dealer_stopped": "the dealer stopped below 17",
    "dealer_needless": "the dealer drew though no hand stood and no Push 22 wager can have been open",
    "dealer_push22": "the dealer did not draw though a tucked Blackjack proves an open Push 22 wager",
    "pickup_order": "the cards were picked up in another order than the table's pickup_order",
    "dealer_place": "the dealer's cards do not lie where dealer_cards puts them",
    "bust_collection": "busts were not collected as bust_collection says",
    "drawn": "the cards lie in no order that the shoe's draw order allows",
    "known": "the rack does not hold the cards known of {hand}",
    "upcard": "the rack does not allow the known up card",
    "seats": "the rack does not fit the seats with a wager",
    "surrendered": "the rack does not fit the list of surrendered hands",
    "early": "another number of cards was racked early",
}


def provision_of(kind: FaultKind, chapter: str) -> str:
    """The provision that such a fault breaks; what concerns only the order of the cards breaks 7(s) (A58)."""
    own = _OF_CHAPTER.get((chapter, kind))
    if own is not None:
        return own
    letters = _SECTION_7.get(kind, ("(s)", "(s)"))
    return f"{chapter}.7{letters[chapter == '685a']}"


def deviation(fault: Fault, house: House) -> Deviation:
    """The fault as an answer states it."""
    message = fault.detail or _SAYS[fault.kind].format(hand=fault.hand or "a hand")
    return Deviation(provision=provision_of(fault.kind, house.chapter), hand=fault.hand, message=message)
