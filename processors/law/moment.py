"""What a check sees: the table before the event, the rules in force, and what was worked out of the round."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar

from processors.core.folding.in_force import Wanted, day_of, numbers_of
from processors.core.state import Round, Stake, Table
from processors.games.blackjack.dealer import Dealer, dealer_of
from processors.games.blackjack.rules import BlackjackRules
from processors.games.blackjack.rulings import Decision, rule_stake
from processors.games.readings import resolve
from schemas.events.envelope import Envelope
from schemas.values import DEALER

DEFAULTS: Mapping[str, str] = MappingProxyType(resolve({}, {}))
Kept = TypeVar("Kept")


class Moment:
    """What a check sees: the table before the event, its sequence, the rules in force, and what follows of them.

    One serves all events of a round, or of the time between two. The dealer's hand, and what stakes are due, are worked
    out once between two events that are more than a settlement: what is paid changes neither.
    """

    __slots__ = (
        "_dealer", "_due", "_kept", "_last", "_played", "_shown", "_time", "play", "readings", "round", "sequence",
        "table",
    )  # fmt: skip

    play: tuple[Round, BlackjackRules]
    """The round under way and the Blackjack rules; only for checks that read events of a Blackjack round."""

    def __init__(
        self,
        table: Table,
        event: Envelope,
        rules: BlackjackRules | None,
        readings: Mapping[str, str] = DEFAULTS,
    ) -> None:
        """`rules` are those of the round under way; `readings` names the policy in force for every unclear place."""
        self.table = table
        self.readings = readings
        self.sequence = event.sequence
        self._time = event.time
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

    def go_on(self, event: Envelope) -> None:
        """Come to a further event of the round: what more than a settlement may have changed is forgotten."""
        self.sequence = event.sequence
        self._time = event.time
        round_ = self.round
        if round_ is not None and round_.played != self._played:
            self._played = round_.played
            self._dealer = None
            if self._due:
                self._due.clear()
            if self._kept:
                self._kept.clear()

    @property
    def day(self) -> dt.date:
        """The day whose law holds at the event: that on which the round started, or the gaming day between two."""
        return day_of(self.table, self._time)

    def numbers(self, family: type[Wanted]) -> Wanted:
        """The numbers of the table's ruleset on the day of the event.

        Raises:
            LookupError: the ruleset is of another family; `citations.csv` lets no check come here.
        """
        found = numbers_of(self.table, family, self._time)
        if found is None:
            raise LookupError(f"no {family.__name__} at this table")
        return found

    @property
    def dealer(self) -> Dealer:
        """The dealer's hand before the event; it changes with his cards, the reader and the reveal only."""
        if self._dealer is None:
            round_, rules = self.play
            hand = round_.hands.get(DEALER)
            shown = (
                tuple(hand.cards) if hand is not None else (),
                round_.hole_index,
                round_.hole_revealed,
                round_.reader,
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
