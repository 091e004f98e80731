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

    All of it is asked for again and again between two events that are more than a settlement. The dealer's hand
    changes with his cards, the reader and the reveal only; what is due is not changed by what is paid.
    """

    __slots__ = ("_dealer", "_due", "_kept", "_key", "_played", "_round", "_rules")

    def __init__(self) -> None:
        self._round: Round | None = None
        self._played = -1
        self._rules: BlackjackRules | None = None
        self._key: tuple[object, ...] = ()
        self._dealer: Dealer | None = None
        self._due: dict[int, Decision] = {}
        self._kept: dict[Callable[[Round], Any], Any] = {}

    def due(self, round_: Round, stake: Stake, rules: BlackjackRules) -> Decision:
        """What a stake of the round is due as the round stands."""
        dealer = self.dealer(round_, rules)
        decision = self._due.get(id(stake))  # stakes live as long as their round, and this memory not longer
        if decision is None:
            decision = self._due[id(stake)] = rule_stake(round_, stake, dealer, rules)
        return decision

    def kept(self, round_: Round, rules: BlackjackRules, fact: Callable[[Round], Kept]) -> Kept:
        """A fact of the round that settlements do not change."""
        self.dealer(round_, rules)
        if fact not in self._kept:
            self._kept[fact] = fact(round_)
        value: Kept = self._kept[fact]
        return value

    def dealer(self, round_: Round, rules: BlackjackRules) -> Dealer:
        """The dealer's hand of the round as it stands; what was worked out before another event is forgotten."""
        dealer = self._dealer
        same = self._round is round_ and self._rules is rules
        if dealer is not None and same and self._played == round_.played:
            return dealer
        hand = round_.hands.get(DEALER)
        key = (len(hand.cards) if hand is not None else 0, round_.hole_revealed, round_.reader)
        if dealer is None or not same or self._key != key:
            dealer = self._dealer = dealer_of(round_, rules)
        self._round, self._rules, self._played, self._key = round_, rules, round_.played, key
        self._due.clear()
        self._kept.clear()
        return dealer


class Moment:
    """What a check sees: the table before the event, the event's sequence, and the rules in force."""

    __slots__ = ("_memo", "play", "readings", "round", "rules", "sequence", "table")

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
        return self._memo.dealer(*self.play)

    def due(self, stake: Stake) -> Decision:
        """What a stake of the round is due as the cards stand before the event."""
        round_, rules = self.play
        return self._memo.due(round_, stake, rules)

    def kept(self, fact: Callable[[Round], Kept]) -> Kept:
        """A fact of the round that settlements do not change, worked out once between two other events."""
        round_, rules = self.play
        return self._memo.kept(round_, rules, fact)
