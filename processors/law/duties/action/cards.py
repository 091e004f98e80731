"""The cards players get after the first deal: face up, for a decision, and in turn, or late on their wish (A35)."""

from __future__ import annotations

from processors.core.state import Hand, Round, seat_of
from processors.games.blackjack import action
from processors.games.blackjack.hands import is_doubled, is_split, total_of
from processors.games.blackjack.rules import BlackjackRules
from processors.law.check import UPHELD, Breach, Judged, Moment, check
from processors.law.duties.deal.progress import deal_is_over, wished
from processors.law.judgments import Fault
from schemas.events import BlackjackAnnounced, CardPlaced, PlayerDecision
from schemas.values import DEALER

ONE_CARD = ("action.one_card_on_double", "action.one_card_on_doubled_hand")


def lacks_its_double(hand: Hand) -> tuple[str, ...]:
    """The roles that give a doubled hand its one card and no other; none where the hand did not double."""
    return (*ONE_CARD, "action.doubled_card_dealt") if is_doubled(hand) else ()


@check(
    "action.card", decides=(
        "action.clockwise", "action.cards_as_decided", "action.drawing_under_21", "action.none_on_21",
        "action.one_card_on_double", "action.hole_card_revealed", "action.doubled_card", "action.doubled_card_dealt",
        "action.doubled_card_sideways", "action.split_hands_in_turn", "action.split_hand_played",
        "action.missed_card_choice", "action.missed_card_late", "action.hole_card_turned",
        "action.one_card_on_doubled_hand", "action.split_aces", "exposed.refusal_ends_drawing",
    ),
    reads=(CardPlaced,), alters=True, follows=True, readings=("A35",), after=("dealt",),
)  # fmt: skip
def cards_follow_the_decisions(moment: Moment, data: CardPlaced) -> Judged:
    """After the first deal a player gets a card, face up, only where a decision calls for it, and in turn."""
    round_, rules = moment.play
    if data.hand == DEALER or not deal_is_over(round_):
        return None
    hand = round_.hands.get(data.hand)
    fault = _closed_hand(hand, data.hand)
    if fault is None and hand is not None:
        called = action.waits_for_card(hand) is not None or action.waits_for_second(hand)
        fault = _called(round_, hand, rules, data) if called else _uncalled(hand, rules)
    if fault is None:
        return UPHELD
    return Breach(
        roles=fault.roles,
        message=fault.message,
        expected={"card": "where a decision calls for it, face up, in turn"},
        observed={"hand": data.hand, "card": data.card, "face_up": data.face_up},
        seat=seat_of(data.hand) or None,
        hand=data.hand,
        unheard=fault.unheard,
    )


def _closed_hand(hand: Hand | None, name: str) -> Fault | None:
    if hand is None or not hand.cards:
        message = f"Hand {name} got a card though it is not in play."
        return Fault(message, "action.cards_as_decided", unheard="console")
    if hand.refused is not None:
        message = f"Hand {name} refused an exposed card and gets no more cards this round."
        return Fault(message, "exposed.refusal_ends_drawing")
    if hand.voided is not None:
        return Fault(f"The dead hand {name} got a card.", "action.cards_as_decided")
    return None


def _called(round_: Round, hand: Hand, rules: BlackjackRules, data: CardPlaced) -> Fault | None:
    """What is wrong with the manner or the moment of a card that the hand waits for."""
    doubled = is_doubled(hand)
    if not data.face_up:
        of_double = ("action.doubled_card", "action.doubled_card_dealt") if doubled else ()
        message = f"The card of hand {hand.name} was dealt face down."
        return Fault(message, *of_double, "action.cards_as_decided")
    if doubled and not data.sideways:
        message = f"The doubling card of hand {hand.name} was not laid sideways."
        return Fault(message, "action.doubled_card_sideways")
    late = _late(round_, hand, rules)
    sibling = action.split_sibling_in_play(round_, hand, rules) if action.waits_for_second(hand) else None
    if late is not None or sibling is None:
        return late
    message = f"Hand {hand.name} got its second card while hand {sibling.name} was unfinished."
    return Fault(message, "action.split_hands_in_turn", "action.split_hand_played", unheard="console")


def _uncalled(hand: Hand, rules: BlackjackRules) -> Fault | None:
    if len(hand.cards) == 1:
        return None  # the second card of a hand that got only one: judged with the deal
    total = total_of(hand, rules)
    if is_doubled(hand):
        message = f"Hand {hand.name} was doubled and got a second further card."
        return Fault(message, *lacks_its_double(hand), "action.doubled_card", "action.cards_as_decided")
    if rules.split_aces_one_card and action.is_split_ace(hand):
        message = f"The split ace {hand.name} got more than one card."
        return Fault(message, "action.split_aces", "action.cards_as_decided")
    if total is not None and total >= 21:
        message = f"Hand {hand.name} has {total} and got another card."
        return Fault(message, "action.none_on_21", "action.drawing_under_21", "action.cards_as_decided")
    of_split = ("action.split_hand_played",) if is_split(hand) else ()
    message = f"Hand {hand.name} got a card that no decision called for."
    return Fault(message, "action.cards_as_decided", "action.choices", *of_split, unheard="console")


def _late(round_: Round, hand: Hand, rules: BlackjackRules) -> Fault | None:
    """A card that was missed when asked for comes after all others, on the player's wish."""
    asked = action.waits_for_card(hand)
    if asked is None:
        return None
    if round_.hole_revealed is not None and round_.hole_revealed > asked:
        message = f"The late card of hand {hand.name} came after the hole card was shown."
        shown = ("action.hole_card_revealed", "action.hole_card_turned")
        return Fault(message, "action.missed_card_late", *shown)
    passed_over = any(
        entry.sequence > asked and entry.data.hand not in (hand.name, DEALER)
        for entry in round_.told(PlayerDecision, BlackjackAnnounced, CardPlaced)
    )
    if not passed_over:
        return None
    if not wished(round_, hand.seat, "late_card"):
        message = f"Hand {hand.name} got its missed card late without the player's choice on record."
        return Fault(message, "action.missed_card_choice", unheard="console")
    for other in action.open_hands(round_, rules):
        if other.name != hand.name and not action.is_missed(other):
            message = f"The late card of hand {hand.name} came before hand {other.name} was finished."
            return Fault(message, "action.missed_card_late", unheard="console")
    return None
