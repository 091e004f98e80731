"""What every step of a blackjack round does: draw, place, move money, rack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, cast

from msgspec import UNSET

from producers.simulator.blackjack.hands import Box, Hand
from producers.simulator.blackjack.incidents.incident import Incident
from producers.simulator.blackjack.rules import RULES, Choice, Range, Reader, Rules
from producers.simulator.blackjack.strategies import STRATEGIES, Strategy, usual_strategy
from producers.simulator.floor.deck import PhysicalShoe, nonce_from, seal
from producers.simulator.floor.patrons import Patron
from producers.simulator.floor.setup import TableSetup
from producers.simulator.floor.shuffling import Shuffling
from producers.simulator.floor.writer import TableWriter
from schemas.events import CardDrawn, CardPlaced, CardsRacked, CardsTucked, CoverCardReached, WagerSettled
from schemas.payload import Payload
from schemas.values import DEALER, UNKNOWN

if TYPE_CHECKING:
    from producers.simulator.blackjack.engine import BlackjackEngine

Outcome = Literal["pay", "collect", "return"]
Stake = Literal["main", "insurance", "double", "split", "lammer", "push22", "match_dealer"]
Reason = Literal[
    "settled", "bust", "blackjack", "surrender", "void", "refused", "boxed", "accidental", "other"
]


class Life(Protocol):
    """The part of the table's life that a round turns to."""

    @property
    def patrons(self) -> Sequence[Patron]:
        """Who sits at the table and may bet."""

    @property
    def floorperson(self) -> str:
        """The floorperson answerable for the table."""

    @property
    def cards(self) -> Shuffling:
        """The cards outside the shoe."""

    def reload(self) -> None:
        """Shuffle and cut the whole rack into the empty shoe, and burn one card, within a round."""


class Table:
    """State of one round, and the dealer's elementary movements."""

    def __init__(self, writer: TableWriter, setup: TableSetup, shoe: PhysicalShoe, life: Life) -> None:
        self.writer = writer
        self.setup = setup
        self.shoe = shoe
        self.life = life
        self.rng = writer.rng
        self.rules: Rules = RULES[setup.ruleset]
        self.strategies: dict[str, Strategy] = {}
        self.style: str | None = None  # how patrons not seen before play; None for the usual mixture
        self.side_kind: Literal["push22", "match_dealer"] = (
            "push22" if self.rules.free_bets else "match_dealer"
        )
        self.install(Incident())
        self.number = 0
        self.shoe_seen = 0
        self.clear()

    def clear(self) -> None:
        """Forget the last round."""
        self.boxes: list[Box] = []
        self.dealer: list[str] = []
        self.hole: str | None = None  # the sealed card while it lies face down
        self.nonce = ""
        self.hole_open = False
        self.lit: Range = "small"
        self.laid: Range = "small"
        self.dealer_blackjack = False
        self.waiting: str | None = None  # a card already drawn that is next in order
        self.waiting_seen = False
        self.missed: list[Hand] = []
        self.reloaded = False
        self.net: dict[str, int] = {}
        self.side_result = 0
        self.first_cards: list[tuple[str, ...]] = []

    def install(self, incident: Incident) -> None:
        """From now on `incident` says what goes otherwise."""
        self.incident = incident
        incident.table = cast("BlackjackEngine", self)

    @property
    def reader(self) -> Reader:
        """The device that reads the hole card."""
        return self.rules.reader

    @property
    def up(self) -> str:
        """The dealer's first card."""
        return self.dealer[0]

    def say(self, payload: Payload) -> None:
        """Write one event, as the incident leaves it."""
        for written in self.incident.edit(payload):
            self.writer.emit(written)

    def hands(self) -> Iterator[Hand]:
        """All player hands, by seat and number."""
        return (hand for box in self.boxes for hand in box.hands)

    def box_of(self, hand: Hand) -> Box:
        """The box in which `hand` lies."""
        return next(box for box in self.boxes if box.seat == hand.seat)

    def draw(self, spot: str) -> str:
        """Take the next card for `spot`, reloading an empty shoe (12(f); 685a.12(e)); its event follows."""
        self._make_ready(spot)
        self.incident.before_draw(spot)
        self._make_ready(spot)
        self._grant_wish(spot)
        return self.shoe.draw()

    def _make_ready(self, spot: str) -> None:
        if not self.shoe.remaining:
            self.life.reload()
            self.reloaded = True
        if self.shoe.cover_due:
            self.shoe.cover_reached = True
            self.say(CoverCardReached(spot.split(".")[0]))

    def _grant_wish(self, spot: str) -> None:
        """Swap the next card with a later one: an order that nobody has seen is as random as before."""
        wish = self.incident.wish(spot)
        order, drawn = self.shoe.order, self.shoe.drawn
        if wish is None or wish(order[drawn]):
            return
        later = [n for n in range(drawn + 1, len(order)) if wish(order[n])]
        if later:
            chosen = self.rng.choice(later)
            order[drawn], order[chosen] = order[chosen], order[drawn]

    def deal_up(self, spot: str, *, sideways: bool = False) -> str:
        """Draw a card, unless one is waiting, and lay it face up on `spot`."""
        if self.waiting is None:
            card = self.draw(spot)
            self.say(CardDrawn(card, "shoe_side"))
        else:
            card, self.waiting, self.waiting_seen = self.waiting, None, False
        self.say(CardPlaced(spot, card, True, True if sideways else UNSET, "other"))
        self.shown([card])
        return card

    def deal_hole(self) -> None:
        """Draw the hole card unseen and lay it face down, sealed (7(e)(4))."""
        self.hole = self.draw(DEALER)
        self.nonce = nonce_from(self.rng)
        self.say(CardDrawn(UNKNOWN, "shoe_side", seal(self.hole, self.nonce)))
        self.say(CardPlaced(DEALER, UNKNOWN, False, UNSET, "other"))

    def shown(self, cards: Iterable[str]) -> None:
        """Let every patron see cards."""
        for strategy in self.strategies.values():
            strategy.sees(cards)

    def strategy_of(self, patron: Patron) -> Strategy:
        """How `patron` plays; one not seen before plays in a way of its own."""
        strategy = self.strategies.get(patron.name)
        if strategy is None:
            made = STRATEGIES[self.style] if self.style is not None else usual_strategy(self.rng)
            strategy = self.strategies[patron.name] = made(patron, self.setup, self.rng)
            strategy.new_shoe(len(self.shoe.order))
        return strategy

    def settle(
        self, box: Box, kind: Stake, outcome: Outcome, cents: int, odds: str = "", hand: Hand | None = None
    ) -> None:
        """Move the money of one stake and keep the patron's result."""
        if outcome != "return":
            player, won = box.patron.name, cents if outcome == "pay" else -cents
            self.net[player] = self.net.get(player, 0) + won
            self.side_result += won if kind == self.side_kind else 0
        self.say(
            WagerSettled(
                box.seat, kind, outcome, cents, hand.name if hand else UNSET, odds if odds else UNSET
            )
        )

    def rack(self, spot: str, cards: Sequence[str], reason: Reason) -> None:
        """Lay cards on the discard rack, in deal order."""
        self.say(CardsRacked(spot, tuple(cards), reason))
        self.shoe.to_rack(cards)

    def rack_hand(self, hand: Hand, reason: Reason) -> None:
        """Rack one player hand."""
        hand.racked = True
        self.rack(hand.name, hand.cards, reason)

    def tuck(self, hand: Hand, under: Literal["main", "push22"]) -> None:
        """Keep the cards under a wager that is still open (7(h)(1), 10(c)(2))."""
        self.say(CardsTucked(hand.name, under))

    def choices(self, box: Box, hand: Hand) -> tuple[Choice, ...]:
        """What the rules let the patron of `hand` decide now."""
        raise NotImplementedError

    def decide(self, hand: Hand, choices: tuple[Choice, ...]) -> Choice:
        """What the patron of `hand` wants."""
        raise NotImplementedError
