"""The wagers that a player adds for a double or split: how much, and where his first chips stay (reading A54)."""

from __future__ import annotations

from processors.core.state import Hand, hand_named, seat_of, stake_key
from processors.games.blackjack.hands import is_free_double, is_free_split, is_split
from processors.games.blackjack.rules import BlackjackRules
from processors.law.check import UPHELD, Breach, Judged, Judgment, Moment, check, of
from processors.law.judgments import Fault
from processors.law.marks import ADDED
from processors.law.wording import dollars
from schemas.events import WagerMoved, WagerPlaced


@check(
    "added_stakes.stake", decides=(
        "added_stakes.free_double", "added_stakes.double_lammer", "added_stakes.paid_double",
        "added_stakes.double_after_split", "added_stakes.paid_split", "added_stakes.free_split",
    ),
    reads=(of(WagerPlaced, "double", "split"),), alters=True, follows=True,
)  # fmt: skip
def doubles_and_splits_cost_what_they_may(moment: Moment, data: WagerPlaced) -> Judged:
    """A paid double adds at most the original wager, a paid split exactly it; free ones cost nothing (A54)."""
    round_, rules = moment.play
    name = hand_named(data.seat, data.hand)
    hand = round_.hands.get(name)
    if hand is None or not hand.cards:
        return None
    stake = round_.main_stake(data.seat)
    main = stake.cents if stake is not None else 0
    before = round_.stakes.get(stake_key(data.seat, data.kind, name))
    cents = data.cents + (before.cents if before is not None else 0)
    fault = (_double_cost if data.kind == "double" else _split_cost)(hand, rules, cents, main)
    if fault is None:
        return UPHELD
    return Breach(
        roles=fault.roles,
        message=f"Seat {data.seat}: {fault.message}",
        expected={"original_cents": main},
        observed={"kind": data.kind, "cents": cents},
        sequences=tuple(hand.sequences),
        seat=data.seat,
        hand=name,
        discriminator=ADDED.of(data.kind, name),
    )


def _double_cost(hand: Hand, rules: BlackjackRules, cents: int, main: int) -> Fault | None:
    if is_free_double(hand, rules):
        after_split = ("added_stakes.double_after_split",) if is_split(hand) else ()
        message = f"{dollars(cents)} was taken for a double on {' '.join(hand.cards)}, which is free."
        return Fault(message, "added_stakes.free_double", "added_stakes.double_lammer", *after_split)
    if 0 < cents <= main:
        return None
    message = f"the double adds {dollars(cents)}; it may add up to {dollars(main)}."
    return Fault(message, "added_stakes.paid_double")


def _split_cost(hand: Hand, rules: BlackjackRules, cents: int, main: int) -> Fault | None:
    if is_free_split(hand, rules):
        pair = "aces" if hand.cards[0][0] == "A" else f"{hand.cards[0][0]}s"
        message = f"{dollars(cents)} was taken for a split of {pair}, which is free."
        return Fault(message, "added_stakes.free_split")
    if cents == main:
        return None
    message = f"the split adds {dollars(cents)}; it costs exactly {dollars(main)}."
    return Fault(message, "added_stakes.paid_split")


@check(
    "added_stakes.moved", decides=("wagers.untouched", "added_stakes.split_chips_travel"),
    reads=(WagerMoved,), where="free_bets", alters=True,
)  # fmt: skip
def the_original_wager_stays_with_the_first_hand(moment: Moment, data: WagerMoved) -> Judgment:
    """After a split the original chips lie by the first hand; no wager goes to another one."""
    if data.from_hand == data.to_hand:
        return UPHELD
    return Breach(
        roles=("added_stakes.split_chips_travel", "wagers.untouched"),
        message=f"The {data.kind} wager of hand {data.from_hand} was moved to hand {data.to_hand}.",
        expected={"wager_of": data.from_hand},
        observed={"wager_of": data.to_hand},
        seat=seat_of(data.from_hand) or None,
        hand=data.from_hand,
    )
