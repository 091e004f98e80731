"""The table of a stack game: the wagers, hands and stub of one round, and the dealer's elementary movements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec import UNSET

from producers.simulator.day.life import TableLife
from producers.simulator.stacks.deviations import StackDeviation
from schemas.events import CardsRacked, LammerCollected, WagerSettled
from schemas.payload import Payload
from schemas.values import UNKNOWN, WagerKind

Reason = Literal["settled", "void", "stub", "unwagered"]
Outcome = Literal["pay", "collect", "return"]


@dataclass(frozen=True, slots=True)
class StackRules:
    """How one of the games names, deals and counts its cards."""

    spot: str  # a seat's cards: a bare position, or the seat's first hand
    hand: int  # cards of each hand
    stub: int | None  # cards left by a proper deal; None where that depends on the wagers
    counts_every_round: bool


RULES: dict[str, StackRules] = {
    "fortune_670a10": StackRules("{}", 6, 11, True),  # 670a.10(c)-(d)
    "manual_shoe_657a8": StackRules("{}.1", 5, None, False),  # 657a.8(d), (f)
}


class StackTable:
    """What lies on the table in one round; `differs` is what goes otherwise than usual in it.

    `wagers` are cents by seat and kind, `players` pseudonyms by seat, `hands` cards by spot; `envied` are the
    seats that have an Envy lammer.
    """

    def __init__(self, life: TableLife) -> None:
        self.life, self.writer, self.setup, self.shoe = life, life.writer, life.setup, life.shoe
        self.rng = life.rng
        self.rules = RULES[life.setup.ruleset]
        self.begin(StackDeviation())

    def begin(self, differs: StackDeviation) -> None:
        """Clear the table for a round."""
        self.differs = differs
        self.wagers: dict[int, dict[WagerKind, int]] = {}
        self.players: dict[int, str] = {}
        self.hands: dict[str, list[str]] = {}
        self.stub: list[str] = []
        self.envied: list[int] = []

    def say(self, payload: Payload) -> None:
        """Write one event, unless the round's deviation leaves it out."""
        if not isinstance(payload, self.differs.unseen):
            self.writer.emit(payload)

    def spot(self, seat: int) -> str:
        """How the game names a seat's cards."""
        return self.rules.spot.format(seat)

    def staked(self, kind: WagerKind) -> list[int]:
        """The seats with a wager of that kind, ascending."""
        return [seat for seat in sorted(self.wagers) if kind in self.wagers[seat]]

    def settle(self, seat: int, kind: WagerKind, outcome: Outcome, cents: int, odds: int = 0) -> None:
        """Move the money of one stake."""
        paid_at = f"{odds}:1" if outcome == "pay" else UNSET
        self.say(WagerSettled(seat=seat, kind=kind, outcome=outcome, cents=cents, odds=paid_at))

    def collect_lammers(self) -> None:
        """Take the Envy lammers off the table."""
        for seat in self.envied:
            self.say(LammerCollected(hand=f"{seat}.1", kind="envy"))

    def rack(self, spot: str, cards: list[str], reason: Reason, *, hidden: bool = False) -> None:
        """Lay cards on the discard rack, face down where `hidden`."""
        shown = (UNKNOWN,) * len(cards) if hidden else tuple(cards)
        self.shoe.to_rack(cards)
        self.say(CardsRacked(hand=spot, cards=shown, reason=reason))
