"""The final pickup: each hand whole and in deal order, and not before the last wager is settled (7(s))."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.folding.wagers import stake_key
from processors.core.state import RackEntry, Round
from processors.games.blackjack.rack import cards_agree
from processors.games.blackjack.rules import BlackjackRules
from processors.law.check import UPHELD, Breach, Indeterminate, Judgment, Moment, check
from schemas.events import CardsRacked, WagerSettled


@check(
    "rack.hand",
    explains="integrity.shoe",
    decides=("rack.order_after_settling",),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    turns_on=("cards",),
    reads=(CardsRacked,),
    follows=True,
)
def a_hand_is_racked_whole_and_in_deal_order(moment: Moment, data: CardsRacked) -> Iterator[Judgment]:
    """A hand enters the rack with all its cards in the order in which they were dealt, after the wagers are settled."""
    round_, rules = moment.play
    if data.reason in ("boxed", "accidental", "refused", "stub") or round_.voided is not None:
        return
    hand = round_.hands.get(data.hand)
    if hand is None or not hand.cards:
        return
    clause = f"{rules.chapter}.7(s)"
    agrees = cards_agree(tuple(hand.cards), data.cards)
    if agrees is False:
        yield Breach(
            clauses=(clause,),
            message=f"The cards of {'the dealer' if data.hand == 'D' else f'hand {data.hand}'} were racked as "
            f"{' '.join(data.cards) or 'no card'}; they were dealt as {' '.join(hand.cards)}.",
            expected={"cards": hand.cards},
            observed={"cards": data.cards},
            sequences=tuple(hand.sequences),
            seat=hand.seat or None,
            hand=data.hand,
            discriminator="rack:order",
        )
        return
    if agrees is None:
        yield Indeterminate(
            clauses=(clause,),
            message=f"Whether hand {data.hand} was racked in deal order cannot be said: a card of it is unknown.",
            missing=(f"a card of hand {data.hand}",),
            hand=data.hand,
        )
        return
    yield UPHELD


@check(
    "rack.after_settling",
    decides=("rack.order_after_settling",),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    turns_on=("cards",),
    reads=(WagerSettled,),
    follows=True,
)
def the_pickup_waits_for_the_last_wager(moment: Moment, data: WagerSettled) -> Iterator[Judgment]:
    """The final pickup begins when the last wager is settled; only what is removed early may be racked before.

    It is decided by the wager that is settled too late: one that is never settled is a matter of settlement.
    """
    round_, rules = moment.play
    if round_.voided is not None or "rack:early" in round_.reported:
        return
    stake = round_.stakes.get(stake_key(data.seat, data.kind, data.hand or None))
    if stake is None or stake.moves:
        return
    racked = next((entry for entry in round_.racked if _belongs_to_pickup(round_, entry, rules)), None)
    if racked is None:
        yield UPHELD
        return
    yield Breach(
        clauses=(f"{rules.chapter}.7(s)",),
        message=f"The cards of {'the dealer' if racked.spot == 'D' else f'hand {racked.spot}'} were racked before seat "
        f"{stake.seat}'s {stake.kind.replace('_', ' ')} wager was settled.",
        expected={"racked": "after the last wager is settled"},
        observed={"racked_at": racked.sequence},
        sequences=(racked.sequence,),
        hand=racked.spot,
        discriminator="rack:early",
    )


def _belongs_to_pickup(round_: Round, entry: RackEntry, rules: BlackjackRules) -> bool:
    """Whether the cards were due only in the final pickup: settled hands, and busts that waited for it."""
    if entry.reason == "settled":
        return True
    hand = round_.hands.get(entry.spot)
    shown = round_.hole_revealed is not None and entry.sequence > round_.hole_revealed
    return (
        entry.reason == "bust" and shown and hand is not None and not rules.immediate and not rules.down_under
    )
