"""Wrong payments are told when their round is over: what was put right by then is due to nobody any more.

A payment is topped up, a wrong one taken back, a lammer paid after all: within the round these end it. Of several
movements of one stake the last says where it stands; the earlier ones are told by it.
"""

from __future__ import annotations

from collections.abc import Iterable

from processors.core.moved import moved, unplaced
from processors.core.state import Lammer, Round, Stake, seat_of
from processors.games.blackjack.dealer import Dealer, dealer_of
from processors.games.blackjack.rules import BlackjackRules
from processors.games.blackjack.rulings import Ruling, rule_lammer, rule_stake
from processors.games.settled import observed
from processors.law.marks import LAMMER_MISSETTLED


def put_right(round_: Round, rules: BlackjackRules) -> list[str]:
    """The ids of what a later movement put right: for the stake, or the lammers, in the end moved what is due."""
    dealer = dealer_of(round_, rules)
    right = []
    for finding_id, (mark, sequence) in round_.mispaid.items():
        stake = round_.stakes.get(mark)
        lammers = [
            other for other in round_.lammers if LAMMER_MISSETTLED.of(seat_of(other.hand), other.hand) == mark
        ]
        moves = [move for of in (lammers if stake is None else (stake,)) for move in of.moves]
        if max((move.sequence for move in moves), default=0) <= sequence:
            continue
        if _is_as_due(round_, stake, dealer, rules) if stake else _are_as_due(round_, lammers, dealer, rules):
            right.append(finding_id)
    return right


def _is_as_due(round_: Round, stake: Stake, dealer: Dealer, rules: BlackjackRules) -> bool:
    if unplaced(stake):
        return not moved(stake.cents, stake.moves).patron_cents
    decision = rule_stake(round_, stake, dealer, rules)
    return isinstance(decision, Ruling) and observed(stake.cents, stake.moves) == decision.settlement


def _are_as_due(round_: Round, lammers: Iterable[Lammer], dealer: Dealer, rules: BlackjackRules) -> bool:
    """Whether the lammers of a hand were paid what they won, all together: which of them was paid is not on record."""
    owed = 0
    for lammer in lammers:
        if lammer.kind and lammer.kind != "envy":
            decision = rule_lammer(round_, lammer, dealer, rules)
            if not isinstance(decision, Ruling):
                return False
            owed += decision.settlement.patron_cents(0)
        owed -= moved(0, lammer.moves).won
    return not owed
