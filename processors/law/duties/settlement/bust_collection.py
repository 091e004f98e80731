"""When the wagers of busted hands are collected: at once or at settlement, as the table configures it (A3)."""

from __future__ import annotations

from processors.core.state import Stake
from processors.games.blackjack.action import open_hands
from processors.games.blackjack.hands import busted_at, is_split
from processors.games.blackjack.rulings import Ruling
from processors.law.check import Breach, Moment
from processors.law.duties.settlement.roles import CAUSES
from processors.law.marks import BUST_AT_OTHER_TIME


def bust_at_other_time(moment: Moment, stake: Stake, ruling: Ruling) -> Breach | None:
    """A bust collected at another moment than the table has it (A3), where that is beyond doubt."""
    round_, rules = moment.play
    hand = round_.hands.get(stake.hand or "")
    if ruling.cause != "bust" or stake.moves or hand is None or is_split(hand):
        return None
    busted, shown = busted_at(hand), round_.hole_revealed
    if rules.readings["A3"] != "configured" or busted is None:
        return None
    if rules.immediate:
        departs = shown is not None and shown > busted
    else:
        departs = shown is None and bool(open_hands(round_, rules))
    if not departs:
        return None
    due, seen = ("at once", "at settlement") if rules.immediate else ("at settlement", "at once")
    return Breach(
        roles=CAUSES["bust"],
        message=f"The {stake.kind} wager of hand {hand.name}, which busted, was collected {seen}; "
        f"this table collects busts {due}.",
        expected={"collected": due},
        observed={"collected": seen},
        sequences=(busted,),
        seat=stake.seat,
        hand=stake.hand,
        discriminator=BUST_AT_OTHER_TIME.of(hand.name),
    )
