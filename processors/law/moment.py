"""What a check sees: the table before the event, the rules in force, and what was worked out of the round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar

from processors.core.state import Round, Stake, Table
from processors.games.blackjack.dealer import Dealer, dealer_of
from processors.games.blackjack.rules import BlackjackRules
from processors.games.blackjack.rulings import Decision, rule_stake
from processors.games.readings import resolve
from schemas.values import DEALER

DEFAULTS: Mapping[str, str] = MappingProxyType(resolve({}, {}))
Kept = TypeVar("Kept")


class Memo:
    """What was worked out of a round last: the dealer's hand, and what its stakes are due.

    The dealer's hand changes with his cards, the reader and the reveal, and seldom else; what is due is not
    changed by what is paid.
    """

    __slots__ = ("_at", "_dealer", "_due", "_kept", "_key", "_round")

    def __init__(self) -> None:
        self._round: Round | None = None
        self._key: tuple[object, ...] = ()
        self._dealer: Dealer | None = None
        self._at: tuple[int, Dealer, BlackjackRules] | None = None
        self._due: dict[int, Decision] = {}
        self._kept: dict[Callable[[Round], Any], Any] = {}

    def due(self, round_: Round, stake: Stake, rules: BlackjackRules) -> Decision:
        """What a stake of the round is due as the round stands."""
        dealer = self._forget(round_, rules)
        decision = self._due.get(id(stake))  # stakes live as long as their round, and this memory not longer
        if decision is None:
            decision = self._due[id(stake)] = rule_stake(round_, stake, dealer, rules)
        return decision

    def kept(self, round_: Round, rules: BlackjackRules, fact: Callable[[Round], Kept]) -> Kept:
        """A fact of the round that settlements do not change."""
        self._forget(round_, rules)
        if fact not in self._kept:
            self._kept[fact] = fact(round_)
        value: Kept = self._kept[fact]
        return value

    def _forget(self, round_: Round, rules: BlackjackRules) -> Dealer:
        """Forget what was worked out before the last event that was more than a settlement; the dealer's hand now."""
        dealer, at = self.dealer(round_, rules), self._at
        if at is None or at[0] != round_.played or at[1] is not dealer or at[2] is not rules:
            self._at = (round_.played, dealer, rules)
            self._due.clear()
            self._kept.clear()
        return dealer

    def dealer(self, round_: Round, rules: BlackjackRules) -> Dealer:
        """The dealer's hand of the round as it stands."""
        hand = round_.hands.get(DEALER)
        key = (rules, len(hand.cards) if hand is not None else 0, round_.hole_revealed, round_.reader)
        if self._dealer is None or self._round is not round_ or self._key != key:
            self._round, self._key, self._dealer = round_, key, dealer_of(round_, rules)
        return self._dealer


class Moment:
    """What a check sees: the table before the event, the event's sequence, and the rules in force."""

    __slots__ = ("_dealer", "_memo", "play", "readings", "round", "rules", "sequence", "table")

    play: tuple[Round, BlackjackRules]
    """The round under way and the Blackjack rules; only for checks that read events of a Blackjack round."""

    def __init__(
        self,
        table: Table,
        sequence: int,
        rules: BlackjackRules | None,
        memo: Memo | None = None,
        readings: Mapping[str, str] = DEFAULTS,
    ) -> None:
        """`readings` names the policy in force for every unclear place; Blackjack rules carry the same."""
        self.table = table
        self.readings = readings
        self.sequence = sequence
        self.rules = rules
        self.round: Round | None = table.round
        self._memo = memo if memo is not None else Memo()
        self._dealer: Dealer | None = None
        if self.round is not None and rules is not None:
            self.play = (self.round, rules)

    def __getattr__(self, name: str) -> NoReturn:
        """What was never set: `play` where there is none."""
        if name == "play":
            raise LookupError("no Blackjack round under way")
        raise AttributeError(name)

    @property
    def dealer(self) -> Dealer:
        """The dealer's hand before the event."""
        dealer = self._dealer
        if dealer is None:
            dealer = self._dealer = self._memo.dealer(*self.play)
        return dealer

    def due(self, stake: Stake) -> Decision:
        """What a stake of the round is due as the cards stand before the event."""
        round_, rules = self.play
        return self._memo.due(round_, stake, rules)

    def kept(self, fact: Callable[[Round], Kept]) -> Kept:
        """A fact of the round that settlements do not change, worked out once between two other events."""
        round_, rules = self.play
        return self._memo.kept(round_, rules, fact)
