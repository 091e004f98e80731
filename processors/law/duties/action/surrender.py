"""Surrender before the hole card is read: the wager waits on top of the cards (590.9(a)(2), readings A26 and A38)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Hand, Round
from processors.games.blackjack.rulings import half_up
from processors.games.totals import POINTS
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from schemas.events import (
    CardsRacked,
    HoleCardRead,
    WagerMoved,
    WagerSettled,
)


@check(
    "action.surrender_marked",
    decides=("action.surrender_marked",),
    formerly="surrender.marked",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    reads=(HoleCardRead, WagerSettled),
    follows=True,
    after=("surrender",),
)
def a_wager_surrendered_early_waits_on_the_cards(
    moment: Moment, data: HoleCardRead | WagerSettled
) -> Iterator[Judgment]:
    """A wager surrendered under an ace or ten-value card lies on the cards until the hole card is read."""
    round_, _ = moment.play
    if round_.reader is not None or POINTS.get(moment.dealer.up or "", 0) < 10:
        return
    for hand in round_.hands.values():
        if hand.surrendered is None or f"early:{hand.name}" in round_.reported:
            continue
        if isinstance(data, WagerSettled):
            if data.kind == "main" and (data.hand or f"{data.seat}.1") == hand.name:
                yield _breach(hand, "was settled before the hole card was read", "settled")
        elif _is_marked(round_, hand):
            yield UPHELD
        else:
            yield _breach(hand, "was not laid on the cards before the hole card was read", "beside")


def _is_marked(round_: Round, hand: Hand) -> bool:
    return any(entry.data.from_hand == entry.data.to_hand == hand.name for entry in round_.told(WagerMoved))


def _breach(hand: Hand, what: str, lies: str) -> Breach:
    return Breach(
        clauses=("590.9(a)(2)#1",),
        message=f"Seat {hand.seat} surrendered under an ace or ten-value card, and its wager {what}.",
        expected={"wager": "on top of the cards until the reader"},
        observed={"wager": lies},
        sequences=(hand.surrendered,) if hand.surrendered is not None else (),
        seat=hand.seat,
        hand=hand.name,
        discriminator=f"early:{hand.name}",
    )


@check(
    "action.surrender_decided",
    decides=(
        "action.choices",
        "action.surrender_allowed",
        "action.surrender_first",
    ),
    formerly="surrender.decided",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    where="surrender",
    reads=(WagerMoved, WagerSettled, CardsRacked),
    alters=True,
    follows=True,
)
def a_surrender_is_the_players_decision(
    moment: Moment, data: WagerMoved | WagerSettled | CardsRacked
) -> Iterator[Judgment]:
    """Half of a wager is taken, a wager laid on the cards, or a hand racked as surrendered only on a surrender."""
    round_, rules = moment.play
    if isinstance(data, WagerSettled):
        name = data.hand or f"{data.seat}.1"
        stake = round_.stakes.get(f"{data.seat}:main:{name}")
        half = stake is not None and data.cents == half_up(stake.cents, rules.chip_cents) < stake.cents
        if data.kind != "main" or data.outcome != "collect" or not half or round_.hole_revealed is not None:
            return
    else:
        name = data.hand if isinstance(data, CardsRacked) else data.to_hand
        if isinstance(data, CardsRacked) and data.reason != "surrender":
            return
        if isinstance(data, WagerMoved) and data.from_hand != data.to_hand:
            return
    hand = round_.hands.get(name)
    if hand is None or not hand.seat or f"undecided:{name}" in round_.reported:
        return
    if hand.surrendered is not None:
        yield UPHELD
        return
    yield Breach(
        clauses=("590.9(a)#1", "590.9(a)#2", "590.7(h)(2)"),
        message=f"Hand {name} was treated as surrendered, but no surrender is on record.",
        expected={"decision": "surrender"},
        observed={"decisions": [kind for kind, _ in hand.decisions]},
        seat=hand.seat,
        hand=name,
        discriminator=f"undecided:{name}",
    )
