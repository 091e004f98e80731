"""The order of the first deal: two passes clockwise, the dealer last in each, and whom it may pass over (A22, A23)."""

from __future__ import annotations

from processors.core.state import Round, seat_of
from processors.games.blackjack.rules import BlackjackRules
from processors.law.check import UPHELD, Breach, Judged, Moment, check
from processors.law.duties.deal.progress import (
    called_dead,
    deal_is_over,
    held,
    wagered_boxes,
    wagered_late,
    wished,
)
from processors.law.judgments import Fault
from schemas.events import CardPlaced
from schemas.values import DEALER


@check(
    "deal.order", decides=(
        "wagers.main_required", "deal.clockwise", "deal.first_pass", "deal.dealer_first_card", "deal.second_pass",
        "deal.dealer_second_card", "deal.dealer_skipped", "deal.hand_with_one_card",
    ),
    reads=(CardPlaced,), alters=True, follows=True, before=("dealt",),
)  # fmt: skip
def the_first_deal_goes_clockwise_in_two_passes(moment: Moment, data: CardPlaced) -> Judged:
    """One card up to each wagered box, one up to the dealer, a second up to each box, the dealer's second face down."""
    round_, rules = moment.play
    if deal_is_over(round_):
        return None
    boxes = wagered_boxes(round_)
    if _is_next(round_, data, boxes):
        return UPHELD
    wagered = data.hand == DEALER or data.hand in boxes
    if not wagered and wagered_late(round_, data.hand):
        return None  # the late wager is what is wrong, and is told of itself: cards that follow it are no second fault
    fault = _fault(round_, rules, data, boxes) if wagered else _without_wager(data.hand)
    if fault is None:
        return UPHELD
    spot = _next_spot(round_, boxes)
    return Breach(
        roles=fault.roles,
        message=fault.message,
        expected={"next": spot, "face_up": not (spot == DEALER and held(round_, DEALER))},
        observed={"next": data.hand, "face_up": data.face_up},
        seat=None if wagered else seat_of(data.hand) or None,
        hand=data.hand,
        unheard=fault.unheard,
    )


def _is_next(round_: Round, data: CardPlaced, boxes: list[str]) -> bool:
    """Whether the card goes just where a deal with nothing out of the ordinary has it, the right way up."""
    hands, spot = round_.hands, data.hand
    passes = held(round_, DEALER)
    own = hands.get(spot)
    if data.face_up == (passes == 1 and spot == DEALER) or (own is not None and own.voided is not None):
        return False
    due = passes + 1  # of each box before this one; of the others as many cards as the dealer has
    for box in boxes:
        if box == spot:
            due = passes
        hand = hands.get(box)
        if (len(hand.cards) if hand is not None else 0) != due:
            return False
    return spot == DEALER or due == passes


def _next_spot(round_: Round, boxes: list[str]) -> str:
    for cards in (0, 1):
        for spot in (*boxes, DEALER):
            if held(round_, spot) == cards:
                return spot
    return DEALER


def _without_wager(box: str) -> Fault:
    message = f"Box {box} was dealt a card without a main wager."
    return Fault(message, "deal.first_pass", "wagers.main_required", unheard="wagers")


def _fault(round_: Round, rules: BlackjackRules, data: CardPlaced, boxes: list[str]) -> Fault | None:
    has = held(round_, data.hand)
    if data.hand == DEALER:
        second, first = _dealer_second, _dealer_first
        return second(round_, data, boxes) if has else first(round_, rules, data, boxes)
    if not data.face_up:
        own_pass = "deal.second_pass" if has else "deal.first_pass"
        return Fault(f"Hand {data.hand} was dealt its card face down.", own_pass)
    if called_dead(round_, data.hand):
        return Fault(f"The dead hand {data.hand} was dealt a card.", "deal.hand_without_cards")
    if has >= 2:
        message = f"Hand {data.hand} was dealt a third card in the first deal."
        return Fault(message, "deal.clockwise", "deal.second_pass")
    return _second(round_, rules, data.hand, boxes) if has else _first(round_, data.hand, boxes)


def _first(round_: Round, box: str, boxes: list[str]) -> Fault | None:
    """What is wrong with the moment of a box's first card."""
    if held(round_, DEALER):
        message = f"Seat {seat_of(box)} got its first card after the dealer had his."
        return Fault(message, "deal.clockwise", "deal.first_pass", "deal.dealer_first_card")
    return _after_later_box(round_, box, boxes, "deal.clockwise", "deal.first_pass")


def _second(round_: Round, rules: BlackjackRules, box: str, boxes: list[str]) -> Fault | None:
    """What is wrong with the moment of a box's second card."""
    if not _asked_for_second(round_, box, boxes):
        roles = ("deal.clockwise", "deal.second_pass", "deal.hand_with_one_card")
        late = _after_later_box(round_, box, boxes, *roles)
        if late is not None:
            return late
    if held(round_, DEALER):
        return None
    if not rules.profile.dealer_catches_up:
        message = f"Seat {seat_of(box)} was dealt its second card before the dealer had his first."
        return Fault(message, "deal.dealer_first_card")
    without = [other for other in boxes if not held(round_, other)]
    if any(other < box and not called_dead(round_, other) for other in without):
        return None  # no card in the first pass: the hand is dead, which is judged when the deal is over
    if boxes[-1] not in without:
        return None  # the first pass is over: it went over the boxes without a card
    later = seat_of(next(other for other in without if other > box))
    message = f"Seat {seat_of(box)} was dealt its second card before seat {later} had one."
    return Fault(message, "deal.clockwise", "deal.first_pass")


def _after_later_box(round_: Round, box: str, boxes: list[str], *roles: str) -> Fault | None:
    """The fault of a card that comes after a later box got its own of the same pass."""
    has = held(round_, box)
    ahead = [seat_of(other) for other in boxes if other > box and held(round_, other) > has]
    if not ahead:
        return None
    return Fault(f"Seat {seat_of(box)} was dealt after seat {ahead[0]}; the deal goes clockwise.", *roles)


def _asked_for_second(round_: Round, box: str, boxes: list[str]) -> bool:
    """Whether a player with one card may have his second: he asked, and all others have theirs."""
    others = (other for other in boxes if other != box)
    ready = all(held(round_, other) != 1 or called_dead(round_, other) for other in others)
    return ready and wished(round_, seat_of(box), "second_card")


def _dealer_first(round_: Round, rules: BlackjackRules, data: CardPlaced, boxes: list[str]) -> Fault | None:
    if not data.face_up:
        return Fault("The dealer's first card was dealt face down.", "deal.dealer_first_card")
    counts = [held(round_, box) for box in boxes if not called_dead(round_, box)]
    if any(count > 1 for count in counts):
        if not rules.profile.dealer_catches_up:
            message = "The dealer took his first card after the second pass had begun."
            return Fault(message, "deal.dealer_first_card")
        if 1 in counts:
            message = "The dealer took the first card he had missed within the second pass, not after it."
            return Fault(message, "deal.dealer_skipped", "deal.dealer_first_card")
        return None
    without = [box for box in boxes if not held(round_, box)]
    if boxes and boxes[-1] in without and (len(without) > 1 or len(boxes) == 1):
        message = f"The dealer took his first card before seat {seat_of(without[0])} had one."
        return Fault(message, "deal.dealer_first_card", "deal.first_pass")
    return None


def _dealer_second(round_: Round, data: CardPlaced, boxes: list[str]) -> Fault | None:
    if data.face_up:
        message = "The dealer's second card was dealt face up."
        return Fault(message, "deal.dealer_second_card", "reader.hole_card_hidden", "reader.masque_hidden")
    live = [box for box in boxes if not called_dead(round_, box)]
    lacking = [box for box in live if held(round_, box) == 1]
    if len(lacking) > 1 or (lacking and len(live) == 1):
        message = f"The dealer took his second card before hand {lacking[0]} had its second."
        return Fault(message, "deal.dealer_second_card", "deal.second_pass")
    return None
