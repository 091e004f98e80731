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


class Moment:
    """What a check sees: the table before the event, its sequence, the rules in force, and what follows of them.

    One serves all events of a round, or of the time between two. The dealer's hand, and what stakes are due, are worked
    out once between two events that are more than a settlement: what is paid changes neither.
    """

    __slots__ = (
        "_dealer", "_due", "_kept", "_last", "_played", "_shown", "play", "readings", "round", "rules", "sequence",
        "table",
    )  # fmt: skip

    play: tuple[Round, BlackjackRules]
    """The round under way and the Blackjack rules; only for checks that read events of a Blackjack round."""

    def __init__(
        self,
        table: Table,
        sequence: int,
        rules: BlackjackRules | None,
        readings: Mapping[str, str] = DEFAULTS,
    ) -> None:
        """`readings` names the policy in force for every unclear place; Blackjack rules carry the same."""
        self.table = table
        self.readings = readings
        self.sequence = sequence
        self.rules = rules
        self.round = round_ = table.round
        self._played = round_.played if round_ is not None else 0
        self._dealer: Dealer | None = None
        self._last: Dealer | None = None
        self._shown: tuple[object, ...] = ()
        self._due: dict[int, Decision] = {}
        self._kept: dict[Callable[[Round], Any], Any] = {}
        if round_ is not None and rules is not None:
            self.play = (round_, rules)

    def __getattr__(self, name: str) -> NoReturn:
        """What was never set: `play` where there is none."""
        if name == "play":
            raise LookupError("no Blackjack round under way")
        raise AttributeError(name)

    def go_on(self, sequence: int) -> None:
        """Come to a further event of the round: what more than a settlement may have changed is forgotten."""
        self.sequence = sequence
        round_ = self.round
        if round_ is not None and round_.played != self._played:
            self._played = round_.played
            self._dealer = None
            if self._due:
                self._due.clear()
            if self._kept:
                self._kept.clear()

    @property
    def dealer(self) -> Dealer:
        """The dealer's hand before the event; it changes with his cards, the reader and the reveal only."""
        if self._dealer is None:
            round_, rules = self.play
            hand = round_.hands.get(DEALER)
            shown = (
                len(hand.cards) if hand is not None else 0,
                round_.hole_revealed,
                round_.reader,
                len(round_.faces),
            )
            if self._last is None or shown != self._shown:
                self._last, self._shown = dealer_of(round_, rules), shown
            self._dealer = self._last
        return self._dealer

    def due(self, stake: Stake) -> Decision:
        """What a stake of the round is due as the cards stand before the event."""
        decision = self._due.get(id(stake))  # stakes live as long as their round, and this memory not longer
        if decision is None:
            round_, rules = self.play
            decision = self._due[id(stake)] = rule_stake(round_, stake, self.dealer, rules)
        return decision

    def kept(self, fact: Callable[[Round], Kept]) -> Kept:
        """A fact of the round that settlements do not change, worked out once between two other events."""
        if fact not in self._kept:
            self._kept[fact] = fact(self.play[0])
        value: Kept = self._kept[fact]
        return value
