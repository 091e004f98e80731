"""Cards that were not dealt: a hand that asked for its card gets it or is called dead, and is dead only with reason."""

from __future__ import annotations

from processors.core.state import Hand, Round, hand_named
from processors.games.blackjack.action import WANTS_A_CARD, is_missed, waits_for_card
from processors.law.check import UPHELD, Breach, Judged, Moment, check, of
from processors.law.duties.action.cards import lacks_its_double
from processors.law.duties.deal.progress import wished
from processors.law.duties.reader.masque import wrong_range
from processors.law.marks import DEAD_UNSEEN, UNFINISHED
from schemas.events import CardsRacked, CardsTucked, HandVoided, PlayerDecision, WagerSettled


@check(
    "action.void", decides=(
        "deal.hand_with_one_card", "reader.wrong_range_remedied", "action.missed_card_choice",
        "action.hole_card_turned",
    ),
    reads=(HandVoided,), alters=True, follows=True,
)  # fmt: skip
def hands_are_called_dead_only_with_reason(moment: Moment, data: HandVoided) -> Judged:
    """A hand is dead with no card, with one card or a missed card by the player's choice, or after a wrong light."""
    round_, rules = moment.play
    hand = round_.hands.get(data.hand)
    if hand is None or not hand.cards:
        return UPHELD
    one, shown = len(hand.cards) == 1, round_.hole_revealed is not None
    short = one or is_missed(hand)
    if short and wished(round_, hand.seat, "dead_hand"):
        return UPHELD
    if rules.profile.masque and shown and wrong_range(round_, moment.dealer.cards[round_.hole_index]):
        return UPHELD
    unseen = rules.profile.masque and not (shown or short)
    if unseen and DEAD_UNSEEN.on(round_):
        return None  # what was wrong with light or area nobody could see: said once, not for every hand
    return Breach(
        roles=(
            "deal.hand_with_one_card" if one else "action.missed_card_choice",
            *(("reader.wrong_range_remedied",) if shown or unseen else ()),
            *(("action.hole_card_turned",) if unseen else ()),
        ),
        message=f"Hand {hand.name} was called dead without the player's choice on record.",
        expected={"wish": "dead_hand"},
        observed={"wish": None, "cards": list(hand.cards)},
        seat=hand.seat,
        hand=hand.name,
        discriminator=DEAD_UNSEEN.of() if unseen else "",
    )


@check(
    "action.missed", decides=(
        "action.cards_as_decided", "action.one_card_on_double", "action.doubled_card_dealt",
        "action.missed_card_choice", "action.one_card_on_doubled_hand",
    ),
    reads=(of(WagerSettled, "main"), CardsRacked, CardsTucked), alters=True, follows=True, after=(PlayerDecision,),
)  # fmt: skip
def a_requested_card_comes_before_the_hand_is_settled(
    moment: Moment, data: WagerSettled | CardsRacked | CardsTucked
) -> Judged:
    """A hand that asked for a card gets it, or is called dead, before its wager is settled or its cards are taken."""
    round_, _ = moment.play
    hand = _settled_or_taken(round_, data)
    if hand is None or hand.voided is not None:
        return None
    if waits_for_card(hand) is None:
        return UPHELD if any(kind in WANTS_A_CARD for kind, _ in hand.decisions) else None
    if UNFINISHED.on(round_, hand.name) or moment.dealer.blackjack:
        return None
    return Breach(
        roles=("action.cards_as_decided", "action.missed_card_choice", *lacks_its_double(hand)),
        message=f"Hand {hand.name} asked for a card and had none when the dealer settled it or took its cards.",
        expected={"card": "dealt, or the hand called dead"},
        observed={"cards": list(hand.cards)},
        sequences=tuple(hand.sequences[-1:]),
        seat=hand.seat,
        hand=hand.name,
        discriminator=UNFINISHED.of(hand.name),
    )


def _settled_or_taken(round_: Round, data: WagerSettled | CardsRacked | CardsTucked) -> Hand | None:
    """The hand whose main wager is settled, or whose cards are taken."""
    if isinstance(data, WagerSettled):
        return round_.hands.get(hand_named(data.seat, data.hand))
    return round_.hands.get(data.hand)
