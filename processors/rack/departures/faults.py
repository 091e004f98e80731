"""What may have gone wrong in a round, the provision it breaks, and the sentence that says so."""

from __future__ import annotations

from typing import Literal, NamedTuple

from processors.law.citations import cite
from processors.rack.answer import RuleDeviation
from processors.rack.house import House

FaultKind = Literal[
    "one_card", "drew_on_21", "drew_over_21", "unequal_split", "too_many_hands", "split_ace_drew", "after_blackjack",
    "blackjack_left", "bust_left", "bust_early", "live_early", "dealer_one_card", "dealer_overdrew", "dealer_stopped",
    "dealer_needless", "dealer_push22", "pickup_order", "dealer_place", "bust_collection", "drawn", "known", "upcard",
    "seats", "surrendered", "early",
]  # fmt: skip


class Fault(NamedTuple):
    """One departure from the rules or from what is known, at a hand where there is one."""

    kind: FaultKind
    hand: str | None = None
    detail: str = ""
    """What was known and what was found instead."""


_ORDER = "rack.order_after_settling"
_BREAKS: dict[FaultKind, tuple[str, ...]] = {
    "one_card": ("deal.second_pass",),
    "drew_on_21": ("action.none_on_21",),
    "drew_over_21": ("action.drawing_under_21",),
    "unequal_split": ("action.split_allowed",),
    "too_many_hands": ("action.resplits", "action.split_once"),
    "split_ace_drew": ("action.split_aces",),
    "after_blackjack": ("reader.blackjack_ends_deal",),
    "blackjack_left": ("rack.blackjack_removed",),
    "dealer_one_card": ("deal.dealer_second_card",),
    "dealer_overdrew": ("action.dealer_draws_to_17",),
    "dealer_stopped": ("action.dealer_draws_to_17",),
    "dealer_needless": ("action.dealer_draws_only_if_needed",),
    # Where the text names no Push 22 (reading A8), the dealer stopped too early.
    "dealer_push22": ("action.dealer_draws_for_push22", "action.dealer_draws_to_17"),
    "seats": ("deal.first_pass",),
    "surrendered": ("action.surrender_allowed", "action.no_surrender"),
}
"""Roles of the provisions a fault breaks: the first that the ruleset has; other faults break the rack's order (A58)."""

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


def provision_of(kind: FaultKind, ruleset: str) -> str:
    """The provision of the ruleset that such a fault breaks."""
    return cite(ruleset, (*_BREAKS.get(kind, ()), _ORDER))[0]


def deviation(fault: Fault, house: House) -> RuleDeviation:
    """The fault as an answer states it."""
    message = fault.detail or _SAYS[fault.kind].format(hand=fault.hand or "a hand")
    return RuleDeviation(provision=provision_of(fault.kind, house.ruleset), hand=fault.hand, message=message)
