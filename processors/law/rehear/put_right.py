"""Wrong payments are told when their round is over: what was put right by then is due to nobody any more.

A payment is topped up, a wrong one taken back, a lammer paid after all: within the round these end it. Of several
movements of one stake the last says where it stands; the earlier ones are told by it.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET

from processors.core.devices.health import missing_word
from processors.core.moved import moved, unplaced
from processors.core.state import Lammer, Round, Stake, Table, seat_of
from processors.core.witnesses import Mispaid
from processors.games.blackjack.dealer import Dealer, dealer_of
from processors.games.blackjack.rules import BlackjackRules
from processors.games.blackjack.rulings import Ruling, rule_lammer, rule_stake
from processors.games.settled import observed
from processors.law.finding.finding import lack_no_more
from processors.law.marks import LAMMER_MISSETTLED
from processors.law.rehear.waiting import excuse
from schemas.findings import Finding


def withheld(table: Table, round_: Round, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The findings to be told at once; those of money that moved are kept on the round, the last of each stake."""
    mine = {one.finding_id: one for one in round_.mispaid}
    told: list[Finding] = []
    for finding in findings:
        if finding.finding_id in mine:
            mine[finding.finding_id].finding = finding
        else:
            told.append(finding)
    last = {one.stake: one for one in round_.mispaid}
    if len(last) < len(round_.mispaid):
        for one in round_.mispaid:
            if last[one.stake] is not one:
                _take_back(table, round_, one)
        round_.mispaid = list(last.values())
    return tuple(told)


def settled_at_last(table: Table, round_: Round, rules: BlackjackRules | None) -> tuple[Finding, ...]:
    """The findings that were kept, as the round is over, but those of what was put right."""
    kept, round_.mispaid = round_.mispaid, []
    right = _put_right(round_, rules, kept) if kept and rules is not None else ()
    found: list[Finding] = []
    for one in kept:
        if one.finding_id in right:
            _take_back(table, round_, one)
        elif one.finding is not None:
            found.append(one.finding)
    return tuple(found)


def _put_right(round_: Round, rules: BlackjackRules, kept: Iterable[Mispaid]) -> frozenset[str]:
    """The ids of what a later movement put right: for the stake, or the lammers, in the end moved what is due."""
    dealer = dealer_of(round_, rules)
    right = set()
    for one in kept:
        stake = round_.stakes.get(one.stake)
        lammers = [
            other
            for other in round_.lammers
            if LAMMER_MISSETTLED.of(seat_of(other.hand), other.hand) == one.stake
        ]
        moves = [move for of in (lammers if stake is None else (stake,)) for move in of.moves]
        if max((move.sequence for move in moves), default=0) <= one.sequence:
            continue
        if _is_as_due(round_, stake, dealer, rules) if stake else _are_as_due(round_, lammers, dealer, rules):
            right.add(one.finding_id)
    return frozenset(right)


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
            owed += decision.settlement.patron_cents
        owed -= moved(0, lammer.moves).won
    return not owed


def _take_back(table: Table, round_: Round, one: Mispaid) -> None:
    """Take back what the round bears of a finding that is told no more, or what waits for a device to speak again."""
    finding = one.finding
    if finding is None:
        _decide_no_more(round_, one.finding_id)
        _wait_no_more(table, round_, one.finding_id)
    elif finding.finding_id in round_.findings:
        round_.findings.remove(finding.finding_id)
        if finding.verdict == "breached":
            round_.charges -= 1
        elif finding.because_of is UNSET:
            lack_no_more(round_, finding.missing or ())


def _decide_no_more(round_: Round, finding_id: str) -> None:
    """Let a breach go that waited for the rack, or for a word that explains it."""
    waiting, round_.waiting = round_.waiting, []
    for one in waiting:
        if one.shown.finding_id == finding_id:
            excuse(round_, one)
        else:
            round_.waiting.append(one)


def _wait_no_more(table: Table, round_: Round, finding_id: str) -> None:
    for witness, waiting in list(table.awaited.items()):
        rest = [one for one in waiting if one.finding.finding_id != finding_id]
        if len(rest) == len(waiting):
            continue
        lack_no_more(round_, (missing_word(witness),))
        if rest:
            table.awaited[witness] = rest
        else:
            del table.awaited[witness]
