"""The order of the first deal: two passes clockwise, the dealer last in each, and whom it may pass over (A22, A23)."""

from __future__ import annotations

from processors.core.state import Round, seat_of
from processors.games.blackjack.rules import BlackjackRules
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.duties.deal.progress import called_dead, deal_is_over, held, wagered_seats, wished
from processors.law.judgments import Fault
from schemas.events import CardPlaced
from schemas.values import DEALER

_FIRST_HANDS = {seat: f"{seat}.1" for seat in range(1, 10)}


@check(
    "deal.order",
    decides=(
        "wagers.main_required", "deal.clockwise", "deal.first_pass", "deal.dealer_first_card",
        "deal.second_pass", "deal.dealer_second_card", "deal.dealer_skipped", "deal.hand_with_one_card",
    ),
    rests_on=("console", "placements", "shoe", "wagers"),
    reads=(CardPlaced,),
    alters=True,
    follows=True,
    before=("dealt",),
)  # fmt: skip
def the_first_deal_goes_clockwise_in_two_passes(moment: Moment, data: CardPlaced) -> Judgment | None:
    """One card up to each wagered box, one up to the dealer, a second up to each box, the dealer's second face down."""
    round_, rules = moment.play
    if deal_is_over(round_):
        return None
    seats = wagered_seats(round_)
    if _is_next(round_, data, seats):
        return UPHELD
    boxes = [_FIRST_HANDS[seat] for seat in seats]
    wagered = data.hand == DEALER or data.hand in boxes
    fault = _fault(round_, rules, data, seats) if wagered else _without_wager(data.hand)
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
    )


def _is_next(round_: Round, data: CardPlaced, seats: list[int]) -> bool:
    """Whether the card goes just where a deal with nothing out of the ordinary has it, the right way up."""
    order = [*(_FIRST_HANDS[seat] for seat in seats), DEALER]
    hands = round_.hands
    cards = [len(hands[spot].cards) if spot in hands else 0 for spot in order]
    passes, place = divmod(sum(cards), len(order))
    if passes >= 2 or cards != [passes + 1] * place + [passes] * (len(order) - place):
        return False
    if data.hand != order[place] or called_dead(round_, data.hand):
        return False
    return data.face_up != (passes == 1 and data.hand == DEALER)


def _next_spot(round_: Round, boxes: list[str]) -> str:
    for cards in (0, 1):
        for spot in (*boxes, DEALER):
            if held(round_, spot) == cards:
                return spot
    return DEALER


def _without_wager(box: str) -> Fault:
    return Fault(
        f"Box {box} was dealt a card without a main wager.", ("deal.first_pass", "wagers.main_required")
    )


def _fault(round_: Round, rules: BlackjackRules, data: CardPlaced, seats: list[int]) -> Fault | None:
    has = held(round_, data.hand)
    if data.hand == DEALER:
        second, first = _dealer_second, _dealer_first
        return second(round_, data, seats) if has else first(round_, rules, data, seats)
    seat = seat_of(data.hand)
    if not data.face_up:
        own_pass = "deal.second_pass" if has else "deal.first_pass"
        return Fault(f"Hand {data.hand} was dealt its card face down.", (own_pass,))
    if called_dead(round_, data.hand):
        return Fault(f"The dead hand {data.hand} was dealt a card.", ("deal.hand_without_cards",))
    if has >= 2:
        return Fault(
            f"Hand {data.hand} was dealt a third card in the first deal.",
            ("deal.clockwise", "deal.second_pass"),
        )
    return _second(round_, rules, seat, seats) if has else _first(round_, seat, seats)


def _first(round_: Round, seat: int, seats: list[int]) -> Fault | None:
    """What is wrong with the moment of a box's first card."""
    if held(round_, DEALER):
        return Fault(
            f"Seat {seat} got its first card after the dealer had his.",
            ("deal.clockwise", "deal.first_pass", "deal.dealer_first_card"),
        )
    return _after_later_seat(round_, seat, seats, ("deal.clockwise", "deal.first_pass"))


def _second(round_: Round, rules: BlackjackRules, seat: int, seats: list[int]) -> Fault | None:
    """What is wrong with the moment of a box's second card."""
    if not _asked_for_second(round_, seat, seats):
        roles = ("deal.clockwise", "deal.second_pass", "deal.hand_with_one_card")
        late = _after_later_seat(round_, seat, seats, roles)
        if late is not None:
            return late
    if held(round_, DEALER):
        return None
    if not rules.profile.dealer_catches_up:
        return Fault(
            f"Seat {seat} was dealt its second card before the dealer had his first.",
            ("deal.dealer_first_card",),
        )
    without = [other for other in seats if not held(round_, _FIRST_HANDS[other])]
    if any(other < seat and not called_dead(round_, _FIRST_HANDS[other]) for other in without):
        return None  # no card in the first pass: the hand is dead, which is judged when the deal is over
    if seats[-1] not in without:
        return None  # the first pass is over: it went over the seats without a card
    later = next(other for other in without if other > seat)
    return Fault(
        f"Seat {seat} was dealt its second card before seat {later} had one.",
        ("deal.clockwise", "deal.first_pass"),
    )


def _after_later_seat(round_: Round, seat: int, seats: list[int], roles: tuple[str, ...]) -> Fault | None:
    """The fault of a card that comes after a later seat got its own of the same pass."""
    has = held(round_, _FIRST_HANDS[seat])
    ahead = [other for other in seats if other > seat and held(round_, _FIRST_HANDS[other]) > has]
    if not ahead:
        return None
    return Fault(f"Seat {seat} was dealt after seat {ahead[0]}; the deal goes clockwise.", roles)


def _asked_for_second(round_: Round, seat: int, seats: list[int]) -> bool:
    """Whether a player with one card may have his second: he asked, and all others have theirs."""
    others = all(
        held(round_, _FIRST_HANDS[other]) != 1 or called_dead(round_, _FIRST_HANDS[other])
        for other in seats
        if other != seat
    )
    return others and wished(round_, seat, "second_card")


def _dealer_first(round_: Round, rules: BlackjackRules, data: CardPlaced, seats: list[int]) -> Fault | None:
    if not data.face_up:
        return Fault("The dealer's first card was dealt face down.", ("deal.dealer_first_card",))
    counts = [held(round_, spot) for spot in _live(round_, seats)]
    if any(count > 1 for count in counts):
        if not rules.profile.dealer_catches_up:
            message = "The dealer took his first card after the second pass had begun."
            return Fault(message, ("deal.dealer_first_card",))
        if 1 in counts:
            message = "The dealer took the first card he had missed within the second pass, not after it."
            return Fault(message, ("deal.dealer_skipped", "deal.dealer_first_card"))
        return None
    without = [seat for seat in seats if not held(round_, _FIRST_HANDS[seat])]
    if seats and seats[-1] in without and (len(without) > 1 or len(seats) == 1):
        message = f"The dealer took his first card before seat {without[0]} had one."
        return Fault(message, ("deal.dealer_first_card", "deal.first_pass"))
    return None


def _dealer_second(round_: Round, data: CardPlaced, seats: list[int]) -> Fault | None:
    if data.face_up:
        return Fault(
            "The dealer's second card was dealt face up.",
            ("deal.dealer_second_card", "reader.hole_card_hidden", "reader.masque_hidden"),
        )
    live = _live(round_, seats)
    lacking = [spot for spot in live if held(round_, spot) == 1]
    if len(lacking) > 1 or (lacking and len(live) == 1):
        return Fault(
            f"The dealer took his second card before hand {lacking[0]} had its second.",
            ("deal.dealer_second_card", "deal.second_pass"),
        )
    return None


def _live(round_: Round, seats: list[int]) -> list[str]:
    """The hands of the deal that are not dead."""
    return [spot for spot in (_FIRST_HANDS[seat] for seat in seats) if not called_dead(round_, spot)]
