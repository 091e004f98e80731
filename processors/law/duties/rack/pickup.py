"""The final pickup: each hand whole and in deal order, and not before the last wager is settled (7(s))."""

from __future__ import annotations

from processors.core.state import RackEntry, Round, spot_named, stake_key
from processors.games.blackjack.rack import LOOSE, cards_agree
from processors.games.blackjack.rules import BlackjackRules
from processors.law.check import UPHELD, Breach, Indeterminate, Judged, Moment, check
from processors.law.marks import PICKED_UP_EARLY, RACKED_OUT_OF_ORDER
from processors.law.wording import wager
from schemas.events import CardsRacked, WagerSettled


@check(
    "rack.hand", decides=("rack.order_after_settling",),
    reads=(CardsRacked,), follows=True, explains="integrity.shoe",
)  # fmt: skip
def a_hand_is_racked_whole_and_in_deal_order(moment: Moment, data: CardsRacked) -> Judged:
    """A hand enters the rack with all its cards in the order in which they were dealt, after the wagers are settled."""
    round_, _ = moment.play
    hand = round_.hands.get(data.hand)
    if data.reason in (*LOOSE, "stub") or round_.voided is not None or hand is None or not hand.cards:
        return None
    agrees = cards_agree(tuple(hand.cards), data.cards)
    if agrees is None:
        return Indeterminate(
            message=f"Whether the cards of {spot_named(data.hand)} were racked in deal order cannot be said: one of "
            "them is unknown.",
            missing=(f"a card of hand {data.hand}",),
            hand=data.hand,
        )
    if agrees:
        return UPHELD
    return Breach(
        message=f"The cards of {spot_named(data.hand)} were racked as {' '.join(data.cards) or 'no card'}; "
        f"they were dealt as {' '.join(hand.cards)}.",
        expected={"cards": hand.cards},
        observed={"cards": data.cards},
        sequences=tuple(hand.sequences),
        seat=hand.seat or None,
        hand=data.hand,
        discriminator=RACKED_OUT_OF_ORDER.of(),
    )


@check("rack.after_settling", decides=("rack.order_after_settling",), reads=(WagerSettled,), follows=True)
def the_pickup_waits_for_the_last_wager(moment: Moment, data: WagerSettled) -> Judged:
    """The final pickup begins when the last wager is settled; only what is removed early may be racked before.

    It is decided by the wager that is settled too late: one that is never settled is a matter of settlement.
    """
    round_, rules = moment.play
    if round_.voided is not None or PICKED_UP_EARLY.on(round_):
        return None
    stake = round_.stakes.get(stake_key(data.seat, data.kind, data.hand))
    if stake is None or stake.moves:
        return None
    racked = next((entry for entry in round_.racked if _belongs_to_pickup(round_, entry, rules)), None)
    if racked is None:
        return UPHELD
    return Breach(
        message=f"The cards of {spot_named(racked.spot)} were racked before seat "
        f"{stake.seat}'s {wager(stake.kind)} was settled.",
        expected={"racked": "after the last wager is settled"},
        observed={"racked_at": racked.sequence},
        sequences=(racked.sequence,),
        hand=racked.spot,
        discriminator=PICKED_UP_EARLY.of(),
    )


def _belongs_to_pickup(round_: Round, entry: RackEntry, rules: BlackjackRules) -> bool:
    """Whether the cards were due only in the final pickup: settled hands, and busts that waited for it."""
    if entry.reason != "bust":
        return entry.reason == "settled"
    hand, shown = round_.hands.get(entry.spot), round_.hole_revealed
    after_play = hand is not None and shown is not None and entry.sequence > shown
    return after_play and not rules.immediate and not rules.profile.masque
