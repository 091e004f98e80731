"""The cards the dealer draws: into his hand, or too many and racked, each total announced (readings A1, A18)."""

from __future__ import annotations

from processors.games.blackjack.action import dealer_must_draw, players_act
from processors.law.check import UPHELD, Breach, Judged, Moment, check, of
from processors.law.duties.action.dealer import dealt, drawn_out
from processors.law.judgments import Fault
from processors.law.marks import LOOSE_CARD_MISUSED, UNANNOUNCED
from schemas import events as e
from schemas.values import DEALER


@check(
    "action.dealer_drawn", decides=("action.dealer_draws_to_17", "exposed.dealer_accident"),
    reads=(e.CardDrawn, e.DealerTotalAnnounced, e.WagerSettled, e.RoundEnded), alters=True, follows=True,
    readings=("A1",), turns_on=("steps", "decisions", "draws", "places", "stakes", "rack", "faces"),
    after=(e.HoleCardRevealed,),
)  # fmt: skip
def a_card_the_dealer_drew_is_laid_down_or_racked(moment: Moment, data: object) -> Judged:
    """A card drawn for the dealer goes to his hand, or where he stands already to the rack, before the next step."""
    round_, rules = moment.play
    if not drawn_out(round_) or moment.dealer.blackjack:
        return None
    if not moment.table.shoe.loose:
        return UPHELD if isinstance(data, e.DealerTotalAnnounced) else None
    shown = round_.hole_revealed or 0
    loose = next((one for one in moment.table.shoe.loose if not one.exposed and one.sequence > shown), None)
    if loose is None or LOOSE_CARD_MISUSED.on(round_, loose.sequence):
        return None
    total = moment.dealer.total
    stands = total is not None and total >= rules.stands_from
    on = f" on {total}" if total is not None else ""
    missed = "racked, though he stood" if stands else "laid into his hand"
    return Breach(
        roles=("exposed.dealer_accident" if stands else "action.dealer_draws_to_17",),
        message=f"Card {loose.card}, which the dealer drew{on}, was not {missed}.",
        expected={"card": "racked" if stands else "laid to the dealer's hand"},
        observed={"card": loose.card, "total": total},
        sequences=(loose.sequence,),
        hand=DEALER,
        discriminator=LOOSE_CARD_MISUSED.of(loose.sequence),
    )


@check(
    "action.dealer_announces", decides=("action.dealer_announces",),
    reads=(e.DealerTotalAnnounced, e.CardDrawn, e.WagerSettled, e.RoundEnded), follows=True, readings=("A1",),
    after=(e.HoleCardRevealed,),
)  # fmt: skip
def the_dealer_announces_each_total(moment: Moment, data: object) -> Judged:
    """After each card he draws, the dealer announces his total, and the right one."""
    round_, _ = moment.play
    total = moment.dealer.total
    if not drawn_out(round_) or total is None:
        return None
    dealer = round_.hands[DEALER]
    last = dealer.sequences[-1] if dealer.sequences else 0
    if isinstance(data, e.DealerTotalAnnounced):
        if data.total == total:
            return UPHELD
        return Breach(
            message=f"The dealer announced {data.total}; his cards count {total}.",
            expected={"total": total},
            observed={"total": data.total},
            sequences=tuple(dealer.sequences),
            hand=DEALER,
            discriminator=UNANNOUNCED.of(last),
        )
    if last < (round_.hole_revealed or 0) or len(dealer.cards) < 3 or UNANNOUNCED.on(round_, last):
        return None
    if round_.last(e.DealerTotalAnnounced) > last:
        return None
    return Breach(
        message=f"The dealer drew {dealer.cards[-1]} and did not announce his total of {total}.",
        expected={"announced": total},
        observed={"announced": None},
        sequences=(last,),
        hand=DEALER,
        discriminator=UNANNOUNCED.of(last),
        unheard="console",
    )


@check(
    "action.dealer_accident", decides=("action.dealer_draws_to_17", "exposed.dealer_accident"),
    reads=(of(e.CardsRacked, "accidental"),), alters=True, follows=True, readings=("A1", "A18", "A8", "A9"),
    after=(e.HoleCardRevealed,),
)  # fmt: skip
def only_a_card_too_many_is_racked_as_accidental(moment: Moment, data: e.CardsRacked) -> Judged:
    """A card the dealer drew is racked unused only if he stood already or his count decided nothing."""
    round_, rules = moment.play
    total = moment.dealer.total
    if not drawn_out(round_) or total is None or players_act(round_, rules):
        return None  # a card racked while the players act was theirs
    if dealer_must_draw(round_, rules, total):
        return Breach(
            roles=("exposed.dealer_accident", "action.dealer_draws_to_17"),
            message=f"The dealer had {total} and needed the card that was racked as accidental.",
            expected={"card": "counts in the dealer's hand"},
            observed={"racked": list(data.cards), "total": total},
            hand=DEALER,
        )
    if total <= rules.stands_from or rules.readings["A18"] != "seventeen":
        return UPHELD
    message = f"The dealer stood on {total} and drew a card; only at {rules.stands_from} may it be set aside."
    fault = Fault(message, "action.dealer_draws_to_17")
    return dealt(rules, fault, total, data.cards[0] if data.cards else "")
