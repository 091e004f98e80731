"""Stacks at positions without a wager: collected after a proper deal, and shown to nobody."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Round
from processors.games.stacks.deal import count_is_wrong, deal_of, with_wagers
from processors.law.check import UPHELD, Breach, Judged, Judgment, Moment, check
from processors.law.marks import UNWAGERED_SEEN
from schemas.amounts import amount, verb
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
            message=f"Position {hand.name} has no wager; {racked} of the {amount(lay, 'card of its stack')} "
            f"{verb(racked, 'was')} put in the discard rack.",
            expected={"racked": lay},
            observed={"racked": racked},
            seat=hand.seat,
            discriminator=f"unwagered:{hand.name}",
            unheard="rack" if round_.several_unracked else None,
        )


@check(
    "stub.unwagered_unseen", decides=("stub.unwagered_unseen",),
    reads=(HandRevealed, CardsRacked, CardExposed, RoundEnded),
)  # fmt: skip
def nobody_sees_unwagered_stacks(
    moment: Moment, data: HandRevealed | CardsRacked | CardExposed | RoundEnded
) -> Judged:
    """No card of a stack at a position without a wager is shown.

    An exposed card is of the stack that lies there alone, or in which the rack reads it; else of one of several.
    """
    round_ = moment.round
    if round_ is None:
        return None
    if isinstance(data, CardExposed):
        spots = _lying(round_, moment.sequence) if data.where != "stub" else []
        return _shown(spots[0], 1) if len(spots) == 1 and not UNWAGERED_SEEN.on(round_, spots[0]) else None
    if isinstance(data, RoundEnded):
        return _of_one_of(round_)
    if isinstance(data, CardsRacked) and data.reason in ("stub", "void"):
        return None
    spot = data.position if isinstance(data, HandRevealed) else data.hand
    seen = sum(card != UNKNOWN for card in data.cards)
    if not spot.isdigit() or int(spot) in with_wagers(round_) or UNWAGERED_SEEN.on(round_, spot):
        return None
    return _shown(spot, seen) if seen else UPHELD


def _lying(round_: Round, at: int) -> list[str]:
    """The positions without a wager whose stacks lay on the layout at an event, before any hand was shown."""
    hands, wagered = round_.hands.values(), with_wagers(round_)
    if any(hand.revealed is not None and hand.revealed < at for hand in hands):
        return []
    return [
        one.name
        for one in hands
        if one.seat
        and one.name.isdigit()
        and one.seat not in wagered
        and (one.racked is None or one.racked > at)
    ]


def _of_one_of(round_: Round) -> Judged:
    """Of a card that was exposed while several such stacks lay there, and that the rack read in none of them."""
    for entry in round_.told(CardExposed):
        spots = _lying(round_, entry.sequence) if entry.data.where != "stub" else []
        if len(spots) > 1 and not any(UNWAGERED_SEEN.on(round_, spot) for spot in spots):
            named = f"{', '.join(spots[:-1])} or {spots[-1]}"
            return Breach(
                message=f"Card {entry.data.card} was shown of position {named}, which have no wagers.",
                expected={"seen": 0},
                observed={"seen": 1},
                sequences=(entry.sequence,),
                discriminator=UNWAGERED_SEEN.of(named),
                unheard="wagers",
            )
    return None


def _shown(spot: str, seen: int) -> Breach:
    return Breach(
        message=f"Cards were shown of position {spot}, which has no wager.",
        expected={"seen": 0},
        observed={"seen": seen},
        seat=int(spot),
        discriminator=UNWAGERED_SEEN.of(spot),
        unheard="wagers",
    )
