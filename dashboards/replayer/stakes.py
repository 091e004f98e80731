"""What stakes are due as the cards then shown decide it, and the payout check of a whole round."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from dashboards.replayer.stated import StatedMoney, stated_of
from dashboards.wording.money import owed
from processors.core.state import Lammer, Round, Stake
from processors.games.blackjack.dealer import Dealer, dealer_of
from processors.games.blackjack.rules import BlackjackRules
from processors.games.blackjack.rulings import Ruling, rule_lammer, rule_stake
from processors.games.named_stakes import is_of
from processors.games.stacks import hands as stacks
from schemas.findings import Finding
from schemas.rounds import RoundResult, Settlement, StakeResult
from schemas.values import DEALER, UNKNOWN

UNSEEN: Final = "undecided: the settlement was not seen"


class Dues:
    """What the stakes of a round are due at one moment; nothing that turns on a card still hidden."""

    def __init__(self, round_: Round, rules: BlackjackRules | None, cleared: bool) -> None:
        self._round = round_ if cleared else as_shown(round_)
        self._rules = rules
        self._dealer: Dealer | None = None

    def of_stake(self, stake: Stake) -> int | None:
        """What a stake should do to the patron, in cents; None where that cannot be said yet."""
        if self._rules is None:
            due = stacks.due(self._round, stake.cents)
            return due.patron_cents(stake.cents) if due is not None else None
        return _due(rule_stake(self._round, stake, self._hand(self._rules), self._rules), stake.cents)

    def of_lammer(self, lammer: Lammer) -> int | None:
        """What a lammer should pay, in cents; None where that cannot be said yet."""
        if self._rules is None:
            return None
        return _due(rule_lammer(self._round, lammer, self._hand(self._rules), self._rules), 0)

    def _hand(self, rules: BlackjackRules) -> Dealer:
        if self._dealer is None:
            self._dealer = dealer_of(self._round, rules)
        return self._dealer


def _due(decision: object, staked_cents: int) -> int | None:
    return decision.settlement.patron_cents(staked_cents) if isinstance(decision, Ruling) else None


def as_shown(round_: Round) -> Round:
    """The round as the table knows it: a hole card that the record names too early is not known yet."""
    dealer = round_.hands.get(DEALER)
    if dealer is None or round_.hole_drawn is None or round_.hole_revealed is not None:
        return round_
    if round_.hole_index >= len(dealer.cards) or dealer.cards[round_.hole_index] == UNKNOWN:
        return round_
    cards = [*dealer.cards]
    cards[round_.hole_index] = UNKNOWN
    return replace(round_, hands={**round_.hands, DEALER: replace(dealer, cards=cards)})


class PayoutRow(Struct, frozen=True):
    """One stake of the payout check; money in cents, + to the patron.

    `difference_cents` is observed less due, None where one of them is not known. `sequences` are the events that
    moved it, to jump to. `play_cents` is what the decisions of the seat gave the house; only main wagers have it, and
    None is not worked out. `word` says how the stake was settled: `agrees`, `differs`, `not settled` (a finding says
    that nobody settled it), `not settled yet`, `UNSEEN`, `not known`.
    """

    seat: int
    hand: str | None
    kind: str
    staked_cents: int
    expected: Settlement | None
    observed: Settlement | None
    difference_cents: int | None
    word: str
    sequences: tuple[int, ...] = ()
    play_cents: int | None = None

    @property
    def due_cents(self) -> int | None:
        """What the stake is due to bring the patron; None where that is not known."""
        return None if self.expected is None else self.expected.patron_cents(self.staked_cents)

    @property
    def seen_cents(self) -> int | None:
        """What the stake was seen to bring the patron; None where nothing was seen."""
        return None if self.observed is None else self.observed.patron_cents(self.staked_cents)

    @property
    def owed_cents(self) -> int | None:
        """What the record owes of the stake, - was paid too much; None where it is not known."""
        return None if self.difference_cents is None else -self.difference_cents

    @property
    def wrong_by(self) -> str:
        """What is wrong, in words; empty where nothing is, or where it is not known."""
        unknown = self.expected is None or self.observed is None
        if self.difference_cents is None or (unknown and self.word != "not settled"):
            return ""
        return owed(-self.difference_cents)


def payout_check(
    result: RoundResult, round_: Round | None = None, findings: Iterable[Finding] = (), *, ended: bool = True
) -> tuple[PayoutRow, ...]:
    """Every stake of a round: staked, due, moved, difference; `round_` tells the events that moved them.

    Of a stake that no settlement was seen of, `findings` say whether nobody settled it or nobody saw it.
    """
    findings, told, rows = tuple(findings), set[tuple[str, str | None]](), []
    for stake in result.stakes:
        mine = [one for one in findings if is_of(one, stake.seat, stake.kind, stake.hand)]
        stated = stated_of(mine, stake.observed is not None, stake.due_cents) if mine else None
        # One finding tells of one lammer of a hand: it counts once.
        if stated is not None and stake.kind == "lammer":
            if (stated.finding, stake.hand) in told:
                stated = None
            elif stated.owed_cents:
                told.add((stated.finding, stake.hand))
        rows.append(_row(stake, _moves(stake, round_), stated, ended))
    return tuple(rows)


def _row(
    stake: StakeResult, sequences: tuple[int, ...], stated: StatedMoney | None, ended: bool
) -> PayoutRow:
    due, seen = stake.expected, stake.observed
    due_cents, seen_cents = stake.due_cents, stake.seen_cents
    difference = None
    if due is None or due_cents is None:
        word = "not known"
    elif seen is None and not stake.staked_cents:
        word, difference = "nothing moved", -due_cents
    elif seen is None and stated is not None and stated.owed_cents is not None:
        word, difference = "not settled", -stated.owed_cents
    elif seen is None or seen_cents is None:
        word = UNSEEN if ended else "not settled yet"
    else:
        difference = seen_cents - due_cents
        same = difference == 0 and (seen.outcome == due.outcome or seen.cents == due.cents == 0)
        word = "agrees" if same else "differs"
    return PayoutRow(
        seat=stake.seat,
        hand=stake.hand,
        kind=stake.kind,
        staked_cents=stake.staked_cents,
        expected=due,
        observed=seen,
        difference_cents=difference,
        word=word,
        sequences=sequences,
        play_cents=None if stake.play is UNSET else stake.play,
    )


def _moves(stake: StakeResult, round_: Round | None) -> tuple[int, ...]:
    if round_ is None:
        return ()
    meant: list[Lammer | Stake] = [one for one in round_.lammers if one.hand == stake.hand]
    if stake.kind != "lammer":
        of_seat = (one for one in round_.stakes.values() if (one.seat, one.kind) == (stake.seat, stake.kind))
        meant = [one for one in of_seat if stake.hand in (None, one.hand)]
    return tuple(move.sequence for one in meant for move in one.moves)
