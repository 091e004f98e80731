"""When the dealer draws and where he stops (readings A1, A8-A10)."""

from __future__ import annotations

from processors.core.state import Round, hand_named
from processors.games.blackjack.action import dealer_must_draw, live_hands, push22_open
from processors.games.blackjack.hands import has_blackjack, total_of
from processors.games.blackjack.rules import BlackjackRules
from processors.law.check import UPHELD, Breach, Judged, Moment, check
from processors.law.duties.reader.masque import wrong_range
from processors.law.judgments import Fault
from processors.law.marks import STOPPED_SHORT
from schemas.events import CardPlaced, HoleCardRevealed, LammerCollected, RoundEnded, WagerSettled
from schemas.values import DEALER


def drawn_out(round_: Round) -> bool:
    """Whether the dealer's further cards come now: the hole card shows and the first deal is over."""
    dealer = round_.hands.get(DEALER)
    return round_.hole_revealed is not None and dealer is not None and len(dealer.cards) >= 2


@check(
    "action.dealer_draws", decides=(
        "action.dealer_draws_to_17", "action.dealer_cards_face_up", "action.dealer_draws_only_if_needed",
        "exposed.dealer_accident",
    ),
    reads=(CardPlaced,), alters=True, follows=True, readings=("A1", "A8", "A9"), after=(HoleCardRevealed,),
)  # fmt: skip
def the_dealer_draws_only_as_ruled(moment: Moment, data: CardPlaced) -> Judged:
    """The dealer takes a card below 17 while the round turns on it, face up, and none on a standing total."""
    round_, rules = moment.play
    total = moment.dealer.total
    if data.hand != DEALER or not drawn_out(round_) or total is None:
        return None
    fault = _ill_drawn(round_, rules, total, data)
    return UPHELD if fault is None else dealt(rules, fault, total, data.card)


def _ill_drawn(round_: Round, rules: BlackjackRules, total: int, data: CardPlaced) -> Fault | None:
    if not data.face_up:
        return Fault("The dealer's card was drawn face down.", "action.dealer_cards_face_up")
    if total >= rules.stands_from:
        message = f"The dealer had {total} and took another card into his hand."
        return Fault(message, "action.dealer_draws_to_17", "exposed.dealer_accident")
    if dealer_must_draw(round_, rules, total):
        return None
    idle = "though no live hand or side wager was left for his count to decide"
    return Fault(f"The dealer drew on {total} {idle}.", "action.dealer_draws_only_if_needed")


def dealt(rules: BlackjackRules, fault: Fault, total: int, card: str) -> Breach:
    """The breach of a dealer who had a total and drew a card that was not his to draw."""
    return Breach(
        roles=fault.roles,
        message=fault.message,
        expected={"stands_from": rules.stands_from},
        observed={"total": total, "card": card},
        hand=DEALER,
    )


@check(
    "action.dealer_stands",
    decides=("action.dealer_draws_to_17", "action.dealer_draws_for_push22", "settlement.after_dealer_stands"),
    reads=(WagerSettled, LammerCollected, RoundEnded), alters=True, follows=True,
    readings=("A1", "A8", "A10", "A9"), after=(HoleCardRevealed,),
)  # fmt: skip
def the_dealer_draws_to_seventeen(
    moment: Moment, data: WagerSettled | LammerCollected | RoundEnded
) -> Judged:
    """Before wagers are settled on it the dealer's hand is drawn to 17 or more, unless it decides nothing."""
    round_, rules = moment.play
    total = moment.dealer.total
    if not drawn_out(round_) or total is None or moment.dealer.blackjack or STOPPED_SHORT.on(round_):
        return None
    ended = isinstance(data, RoundEnded)
    if round_.voided is not None or not (ended or _turns_on_the_dealer(round_, rules, data)):
        return None
    if total >= rules.stands_from:
        return UPHELD
    live, always = bool(live_hands(round_, rules)), rules.profile.dealer_always_draws
    if not (live or always or (not ended and dealer_must_draw(round_, rules, total))):
        return None
    if (always and not live and rules.readings["A10"] == "optional") or _owes_a_remedy(moment):
        return None
    only_push22 = not (live or always)
    for_push22 = only_push22 and rules.profile.draws_for_push22
    return Breach(
        roles=(
            "action.dealer_draws_for_push22" if for_push22 else "action.dealer_draws_to_17",
            *(() if ended else ("settlement.after_dealer_stands",)),
        ),
        message=f"The dealer stopped at {total}; he draws to {rules.stands_from}"
        + (" to decide the Push 22 wagers." if only_push22 else "."),
        expected={"at_least": rules.stands_from},
        observed={"total": total, "push22_open": push22_open(round_)},
        sequences=tuple(round_.hands[DEALER].sequences),
        severity="minor" if always and not live else None,
        hand=DEALER,
        discriminator=STOPPED_SHORT.of(),
    )


def _owes_a_remedy(moment: Moment) -> bool:
    """Whether a hand still waits for the remedy of a wrong light, which comes before the dealer draws."""
    round_, rules = moment.play
    if not rules.profile.masque or all(hand.continued is not None for hand in live_hands(round_, rules)):
        return False
    return wrong_range(round_, moment.dealer.cards[round_.hole_index]) is not None


def _turns_on_the_dealer(
    round_: Round, rules: BlackjackRules, data: WagerSettled | LammerCollected | RoundEnded
) -> bool:
    """Whether the stake is settled on the dealer's final count (not a bust, Blackjack, dead hand or the like)."""
    if isinstance(data, RoundEnded):
        return False
    if isinstance(data, LammerCollected):
        own = round_.hands.get(data.hand)
        points = total_of(own, rules) if own is not None and own.voided is None else None
        return points is not None and points <= 21 and data.kind != "envy"
    if data.kind in ("push22", "insurance", "match_dealer"):
        return data.kind == "push22"
    hand = round_.hands.get(hand_named(data.seat, data.hand))
    if hand is None or hand.voided is not None or hand.continued is not None:
        return False
    total = total_of(hand, rules)
    return total is not None and total <= 21 and has_blackjack(hand) is False
