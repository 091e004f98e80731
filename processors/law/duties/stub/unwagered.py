"""Stacks at positions without a wager: collected after a proper deal, and shown to nobody."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.folding.unracked import several_unracked
from processors.games.stacks.deal import count_is_wrong, deal_of, with_wagers
from processors.law.check import UPHELD, Breach, Judged, Judgment, Moment, check
from processors.law.marks import UNWAGERED_SEEN
from schemas.events import CardExposed, CardsRacked, HandRevealed, RoundEnded
from schemas.rulesets.numbers import StackGameNumbers
from schemas.values import UNKNOWN


@check("stub.unwagered", decides=("stub.unwagered_collected",), reads=(RoundEnded,))
def unwagered_stacks_are_collected(moment: Moment, data: RoundEnded) -> Iterator[Judgment]:
    """After a proper deal every stack at a position without a wager is put in the discard rack."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or round_.voided is not None or round_.stub_counted is None:
        return
    if count_is_wrong(round_, deal_of(round_, config)):
        return
    wagered = with_wagers(round_)
    for hand in round_.hands.values():
        if not hand.seat or hand.seat in wagered or not hand.cards:
            continue
        racked = len(hand.racked_cards)
        lay = min(
            len(hand.cards), moment.numbers(StackGameNumbers).cards_in_hand
        )  # a misdealt stack has been said
        if racked >= lay:
            yield UPHELD
            continue
        yield Breach(
            message=f"Position {hand.name} has no wager; {racked} of the {lay} cards of its stack were put "
            "in the discard rack.",
            expected={"racked": lay},
            observed={"racked": racked},
            seat=hand.seat,
            discriminator=f"unwagered:{hand.name}",
            unheard="rack" if several_unracked(round_) else None,
        )


@check(
    "stub.unwagered_unseen", decides=("stub.unwagered_unseen",),
    reads=(HandRevealed, CardsRacked, CardExposed),
)  # fmt: skip
def nobody_sees_unwagered_stacks(moment: Moment, data: HandRevealed | CardsRacked | CardExposed) -> Judged:
    """No card of a stack at a position without a wager is shown."""
    round_ = moment.round
    if round_ is None:
        return None
    wagered, hands = with_wagers(round_), round_.hands.values()
    if isinstance(data, CardExposed):
        open_ = [one.name for one in hands if one.seat and one.seat not in wagered and one.racked is None]
        if data.where == "stub" or not open_ or any(hand.revealed for hand in hands):
            return None
        spot, seen = open_[0], 1
    else:
        if isinstance(data, CardsRacked) and data.reason in ("stub", "void"):
            return None
        spot = data.position if isinstance(data, HandRevealed) else data.hand
        seen = sum(card != UNKNOWN for card in data.cards)
    if not spot.isdigit() or int(spot) in wagered or UNWAGERED_SEEN.on(round_, spot):
        return None
    if not seen:
        return UPHELD
    return Breach(
        message=f"Cards were shown of position {spot}, which has no wager.",
        expected={"seen": 0},
        observed={"seen": seen},
        seat=int(spot),
        discriminator=UNWAGERED_SEEN.of(spot),
        unheard="wagers",
    )
