"""What players decide: in their turn, on an unfinished hand, and only what its cards allow (readings A21, A26, A35)."""

from __future__ import annotations

from processors.core.state import Hand, Round, seat_of
from processors.games.blackjack import action
from processors.games.blackjack.hands import has_blackjack, is_doubled, is_split, player_hands, total_of
from processors.games.blackjack.rules import BlackjackRules
from processors.games.totals import POINTS
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.duties.action.cards import ONE_CARD, lacks_its_double
from processors.law.judgments import Fault
from processors.law.marks import UNFINISHED
from schemas.amounts import amount
from schemas.events import PlayerDecision


@check(
    "action.decision", decides=(
        "action.clockwise", "action.choices", "action.no_surrender", "action.cards_as_decided",
        "action.drawing_under_21", "action.none_on_21", "action.one_card_on_double", "action.double_allowed",
        "action.doubled_card_dealt", "action.split_allowed", "action.split_hands_in_turn", "action.split_hand_played",
        "action.resplits", "action.missed_card_choice", "action.surrender_allowed", "action.surrender_first",
        "action.one_card_on_doubled_hand", "action.split_once", "action.split_aces",
    ),
    reads=(PlayerDecision,), alters=True, follows=True, readings=("A35", "A21"),
)  # fmt: skip
def decisions_are_those_open_to_the_hand(moment: Moment, data: PlayerDecision) -> Judgment:
    """A decision is made in turn, on an unfinished hand, and is one that the cards allow."""
    round_, rules = moment.play
    hand = round_.hands.get(data.hand)
    fault = _closed_hand(rules, hand, data)
    if fault is None and hand is not None:
        other = _unfinished(moment, hand)
        if other is not None:
            return _out_of_turn(hand, other)
        fault = _unfit_cards(round_, rules, hand, data.kind)
    if fault is None:
        return UPHELD
    cards = list(hand.cards) if hand is not None else []
    return Breach(
        roles=fault.roles,
        message=fault.message,
        expected={"decision": "one open to the hand, in its turn"},
        observed={"hand": data.hand, "decision": data.kind, "cards": cards},
        sequences=tuple(hand.sequences) if hand is not None else (),
        seat=seat_of(data.hand) or None,
        hand=data.hand,
    )


def _closed_hand(rules: BlackjackRules, hand: Hand | None, data: PlayerDecision) -> Fault | None:
    """Why nothing, or no surrender, can be decided on the hand now."""
    if data.kind == "surrender" and not rules.surrender:
        return Fault(f"Seat {data.hand[0]} surrendered; this game has no surrender.", "action.no_surrender")
    if hand is None or not hand.cards or hand.voided is not None:
        return Fault(f"A decision was recorded on hand {data.hand}, which is not in play.", "action.choices")
    if data.kind == "surrender":
        return _surrendered(hand)
    if action.waits_for_second(hand):
        message = f"Hand {hand.name} was decided before it had its second card."
        return Fault(message, "action.split_hands_in_turn", "action.cards_as_decided")
    if action.waits_for_card(hand) is not None:
        message = f"Hand {hand.name} chose to {data.kind} while it waited for the card it had asked for."
        return Fault(message, "action.cards_as_decided", "action.missed_card_choice", *lacks_its_double(hand))
    return _finished(hand, rules, data.kind) if action.is_finished(hand, rules) else None


def _unfinished(moment: Moment, hand: Hand) -> Hand | None:
    """The hand that should have been completed before this one is served: of an earlier seat or of its box."""
    round_, rules = moment.play
    if moment.dealer.blackjack is None and round_.reader is None:
        return None  # the missing reading is reported on its own
    other = action.unfinished_before(round_, hand, rules) or action.split_sibling_in_play(round_, hand, rules)
    return None if other is None or action.is_finished(other, rules) else other


def _out_of_turn(hand: Hand, other: Hand) -> Breach:
    of_box = ("action.split_hands_in_turn", "action.split_hand_played")
    return Breach(
        roles=of_box if other.seat == hand.seat else ("action.clockwise", "action.choices"),
        message=f"Hand {hand.name} was served while hand {other.name} was unfinished.",
        expected={"finished": other.name},
        observed={"served": hand.name, "cards": list(other.cards)},
        sequences=tuple(other.sequences),
        seat=other.seat,
        hand=other.name,
        discriminator=UNFINISHED.of(other.name),
    )


def _finished(hand: Hand, rules: BlackjackRules, kind: str) -> Fault | None:
    """Why a finished hand has nothing more to decide; None where a card is unknown or a reading lets it."""
    total = total_of(hand, rules)
    last = hand.decisions[-1][0] if hand.decisions else ""
    if total is None and hand.refused is None and last not in ("stand", "double", "surrender"):
        return None  # a card of it is unknown: whether it is finished cannot be said
    if kind == "stand":
        return Fault(f"Hand {hand.name} stood twice.", "action.choices") if last == "stand" else None
    if hand.refused is not None:
        message = f"Hand {hand.name} refused an exposed card and gets no more, yet chose to {kind}."
        return Fault(message, "exposed.refusal_ends_drawing")
    split_ace = rules.split_aces_one_card and action.is_split_ace(hand)
    if kind == "double" and total == 21 and _doubles_on_21(hand, rules) and not split_ace:
        return None
    if total is not None and total >= 21 and kind in ("hit", "double"):
        return Fault(f"Hand {hand.name} has {total} and may not {kind}.", *_no_card_at(hand, kind))
    if split_ace:
        message = f"Hand {hand.name} is a split ace, which gets one card only, yet chose to {kind}."
        return Fault(message, "action.split_aces", *(("action.double_allowed",) if kind == "double" else ()))
    if is_doubled(hand):
        return Fault(f"Hand {hand.name} was doubled and is finished, yet chose to {kind}.", *ONE_CARD)
    if kind == "split" and has_blackjack(hand):
        message = f"Hand {hand.name} is a Blackjack, yet chose to split."
        return Fault(message, "action.split_allowed", "action.choices")
    return Fault(f"Hand {hand.name} is finished, yet chose to {kind}.", "action.choices")


def _no_card_at(hand: Hand, kind: str) -> tuple[str, ...]:
    """The roles that give a hand of 21 or more no further card."""
    if not has_blackjack(hand):
        return ("action.none_on_21", "action.drawing_under_21")
    return ("action.double_allowed" if kind == "double" else "action.none_on_21", "action.choices")


def _doubles_on_21(hand: Hand, rules: BlackjackRules) -> bool:
    """Whether A21 is read so that a split hand of two cards that counts 21 may double."""
    return rules.readings["A21"] == "allowed" and is_split(hand) and len(hand.cards) == 2


def _surrendered(hand: Hand) -> Fault | None:
    if len(hand.cards) != 2 or is_split(hand):
        message = f"Hand {hand.name} surrendered with other than its two first cards."
        return Fault(message, "action.surrender_allowed", "action.surrender_first")
    if hand.decisions:
        message = f"Hand {hand.name} surrendered after it had chosen to {hand.decisions[-1][0]}."
        return Fault(message, "action.surrender_first")
    if has_blackjack(hand):
        message = f"Hand {hand.name} is a Blackjack, which does not surrender."
        return Fault(message, "action.surrender_allowed")
    return None


def _unfit_cards(round_: Round, rules: BlackjackRules, hand: Hand, kind: str) -> Fault | None:
    """Why the cards of a hand in play do not allow its double or split."""
    if kind == "double":
        return _doubled(hand, rules)
    return _split(round_, hand, rules) if kind == "split" else None


def _doubled(hand: Hand, rules: BlackjackRules) -> Fault | None:
    if len(hand.cards) != 2:
        message = f"Hand {hand.name} was doubled on other than two cards."
        return Fault(message, "action.double_allowed")
    if rules.split_aces_one_card and action.is_split_ace(hand):
        message = f"Hand {hand.name} is a split ace and may not double."
        return Fault(message, "action.split_aces", "action.double_allowed")
    return None


def _split(round_: Round, hand: Hand, rules: BlackjackRules) -> Fault | None:
    if len(hand.cards) != 2:
        message = f"Hand {hand.name} was split with other than two cards."
        return Fault(message, "action.split_allowed")
    one, two = (POINTS.get(card) for card in hand.cards)
    if one is not None and two is not None and one != two:
        message = f"Hand {hand.name} split {hand.cards[0]} and {hand.cards[1]}, which differ in value."
        return Fault(message, "action.split_allowed")
    if sum(other.seat == hand.seat for other in player_hands(round_)) >= rules.hands_at_most:
        message = f"Seat {hand.seat} split to more than {amount(rules.hands_at_most, 'hand')}."
        return Fault(message, "action.resplits", "action.split_once")
    return None
