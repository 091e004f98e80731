"""A blackjack table in one round: hands, money and cards, and the elementary movements of the dealer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import UNSET

from producers.simulator.blackjack.course import Course
from producers.simulator.blackjack.hands import BettingBox, SimulatedHand
from producers.simulator.blackjack.rules import RULES, Range, Rules, total
from producers.simulator.blackjack.strategies import Players
from producers.simulator.day.life import TableLife
from schemas.events import CardsRacked, CardsTucked, WagerSettled
from schemas.payload import Payload

Outcome = Literal["pay", "collect", "return"]
Stake = Literal["main", "insurance", "double", "split", "lammer", "push22", "match_dealer"]
Reason = Literal[
    "settled", "bust", "blackjack", "surrender", "void", "refused", "boxed", "accidental", "other"
]


class BlackjackTable:
    """The hands, chips and cards on one table, of one round after the other.

    `incident` answers at each point of the round whether something goes otherwise. `net` is the round's result
    of each player, `side_result` that of all side wagers, in cents, + won by players.
    """

    def __init__(self, life: TableLife) -> None:
        self.life, self.writer, self.setup, self.shoe = life, life.writer, life.setup, life.shoe
        self.rng = life.rng
        self.rules: Rules = RULES[life.setup.ruleset]
        self.players = Players(life.setup, life.shoe, life.rng)
        self.incident = Course()
        self.clear(0)

    def clear(self, number: int) -> None:
        """Forget the last round and begin round `number`."""
        self.number = number
        self.boxes: list[BettingBox] = []
        self.dealer: list[str] = []
        self.hole: str | None = None  # the sealed card while it lies face down
        self.nonce = ""
        self.hole_open = False
        self.lit: Range = "small"
        self.laid: Range = "small"
        self.dealer_blackjack = False
        self.waiting: str | None = None  # a card already drawn that is next in order
        self.waiting_seen = False
        self.missed: list[SimulatedHand] = []
        self.reloaded = False
        self.net: dict[str, int] = {}
        self.side_result = 0
        self.first_cards: list[tuple[str, ...]] = []

    @property
    def up(self) -> str:
        """The dealer's first card."""
        return self.dealer[0]

    @property
    def dealer_total(self) -> int:
        """The dealer's count, an ace by the chapter's limit (3(d)(3))."""
        return total(self.dealer, self.rules.dealer_limit)[0]

    def hands(self) -> Iterator[SimulatedHand]:
        """All player hands, by seat and number."""
        return (hand for box in self.boxes for hand in box.hands)

    def hand_named(self, name: object) -> SimulatedHand:
        """The player hand of that name."""
        return next(hand for hand in self.hands() if hand.name == name)

    def box_of(self, hand: SimulatedHand) -> BettingBox:
        """The box in which `hand` lies."""
        return next(box for box in self.boxes if box.seat == hand.seat)

    def has_first_two(self, hand: SimulatedHand) -> bool:
        """Whether a hand has just the two cards of the initial deal."""
        return len(hand.cards) == 2 and not self.box_of(hand).split

    def say(self, payload: Payload) -> None:
        """Write one event, as the incident leaves it."""
        for written in self.incident.edit(payload):
            self.writer.emit(written)

    def settle(
        self,
        box: BettingBox,
        kind: Stake,
        outcome: Outcome,
        cents: int,
        odds: str = "",
        hand: SimulatedHand | None = None,
    ) -> None:
        """Move the money of one stake and keep the patron's result."""
        if outcome != "return":
            player, won = box.patron.name, cents if outcome == "pay" else -cents
            self.net[player] = self.net.get(player, 0) + won
            self.side_result += won if kind == self.rules.side_wager else 0
        self.say(
            WagerSettled(
                box.seat, kind, outcome, cents, hand.name if hand else UNSET, odds if odds else UNSET
            )
        )

    def rack(self, spot: str, cards: Sequence[str], reason: Reason) -> None:
        """Lay cards on the discard rack, in deal order."""
        self.say(CardsRacked(spot, tuple(cards), reason))
        self.shoe.to_rack(cards)

    def rack_hand(self, hand: SimulatedHand, reason: Reason) -> None:
        """Rack one player hand."""
        hand.racked = True
        self.rack(hand.name, hand.cards, reason)

    def tuck(self, hand: SimulatedHand, under: Literal["main", "push22"]) -> None:
        """Keep the cards under a wager that is still open (7(h)(1), 10(c)(2))."""
        self.say(CardsTucked(hand.name, under))
