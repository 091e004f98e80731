"""Surrender: decided by the player, and before the hole card is read the wager waits on his cards (A26, A38)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from processors.core.state import Hand, Round, hand_named
from processors.games.blackjack.rules import BlackjackRules
from processors.games.blackjack.rulings import half_up
from processors.games.totals import POINTS
from processors.law.check import UPHELD, Breach, Judged, Judgment, Moment, check, of
from processors.law.marks import SURRENDER_ASTRAY, UNDECIDED
from schemas import events as e


@check(
    "action.surrender_marked", decides=("action.surrender_marked",),
    reads=(e.HoleCardRead, of(e.WagerSettled, "main")), follows=True, after=("surrender",),
)  # fmt: skip
def a_wager_surrendered_early_waits_on_the_cards(
    moment: Moment, data: e.HoleCardRead | e.WagerSettled
) -> Iterator[Judgment]:
    """A wager surrendered under an ace or ten-value card lies on the cards until the hole card is read."""
    round_, _ = moment.play
    if round_.reader is not None or POINTS.get(moment.dealer.up or "", 0) < 10:
        return
    for hand in round_.hands.values():
        if hand.surrendered is None or SURRENDER_ASTRAY.on(round_, hand.name):
            continue
        if isinstance(data, e.WagerSettled):
            if hand_named(data.seat, data.hand) == hand.name:
                yield _astray(hand, "was settled before the hole card was read", "settled")
        elif _is_marked(round_, hand):
            yield UPHELD
        else:
            unmarked = _astray(hand, "was not laid on the cards before the hole card was read", "beside")
            yield replace(unmarked, unheard="placements")


def _is_marked(round_: Round, hand: Hand) -> bool:
    return any(entry.data.from_hand == entry.data.to_hand == hand.name for entry in round_.told(e.WagerMoved))


def _astray(hand: Hand, happened: str, lies: str) -> Breach:
    return Breach(
        message=f"Seat {hand.seat} surrendered under an ace or ten-value card, and its wager {happened}.",
        expected={"wager": "on top of the cards until the reader"},
        observed={"wager": lies},
        sequences=(hand.surrendered,) if hand.surrendered is not None else (),
        seat=hand.seat,
        hand=hand.name,
        discriminator=SURRENDER_ASTRAY.of(hand.name),
    )


@check(
    "action.surrender_decided",
    decides=("action.choices", "action.surrender_allowed", "action.surrender_first"),
    reads=(e.WagerMoved, of(e.WagerSettled, "main"), of(e.CardsRacked, "surrender")),
    where="surrender", alters=True, follows=True,
)  # fmt: skip
def a_surrender_is_the_players_decision(
    moment: Moment, data: e.WagerMoved | e.WagerSettled | e.CardsRacked
) -> Judged:
    """Half of a wager is taken, a wager laid on the cards, or a hand racked as surrendered only on a surrender."""
    round_, rules = moment.play
    name = _treated_as_surrendered(round_, rules, data)
    hand = round_.hands.get(name)
    if hand is None or not hand.seat or UNDECIDED.on(round_, name):
        return None
    if hand.surrendered is not None:
        return UPHELD
    return Breach(
        roles=("action.surrender_allowed", "action.surrender_first", "action.choices"),
        message=f"Hand {name} was treated as surrendered, but no surrender is on record.",
        expected={"decision": "surrender"},
        observed={"decisions": [kind for kind, _ in hand.decisions]},
        seat=hand.seat,
        hand=name,
        discriminator=UNDECIDED.of(name),
        unheard="console",
    )


def _treated_as_surrendered(
    round_: Round, rules: BlackjackRules, data: e.WagerMoved | e.WagerSettled | e.CardsRacked
) -> str:
    """The name of the hand that the event treats as surrendered; empty where it treats none so."""
    if isinstance(data, e.CardsRacked):
        return data.hand
    if isinstance(data, e.WagerMoved):
        return data.to_hand if data.from_hand == data.to_hand else ""
    if data.outcome != "collect" or round_.hole_revealed is not None:
        return ""
    name = hand_named(data.seat, data.hand)
    stake = round_.main_stake(data.seat, name)
    half = stake is not None and data.cents == half_up(stake.cents, rules.chip_cents) < stake.cents
    return name if half else ""
