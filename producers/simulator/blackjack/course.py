"""The points of a blackjack round at which something can go otherwise than usual."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from producers.simulator.blackjack.hands import BettingBox, SimulatedHand
from producers.simulator.blackjack.rules import Choice, Range, Result
from schemas.payload import Payload

Wish = Callable[[str], bool]


class Course:
    """An ordinary round: every answer leaves the round as dealer and patrons mean it.

    `happened` says whether what an incident stands for took place; a round may offer no occasion for it.
    """

    happened = False

    def before_round(self) -> None:
        """Before betting opens."""

    def wish(self, spot: str, /) -> Wish | None:
        """Which card should come next for `spot` to give occasion; the shoe may not have it."""

    def before_draw(self, spot: str, /) -> None:
        """Before a card leaves the shoe for `spot`."""

    def deal_order(self, _nth: int, spots: list[str], /) -> list[str]:
        """The spots that get their first (1) or second (2) card, in this order."""
        return spots

    def after_deal(self) -> None:
        """After the initial deal, before side wagers and the reader."""

    def match_order(self, boxes: list[BettingBox], /) -> list[BettingBox]:
        """The order in which Match-the-Dealer is settled."""
        return boxes

    def insures(self, _box: BettingBox, wants: bool, /) -> bool:
        """Whether a patron takes insurance."""
        return wants

    def takes_even_money(self, _box: BettingBox, wants: bool, /) -> bool:
        """Whether a patron is paid even money."""
        return wants

    def surrenders_early(self, _hand: SimulatedHand, wants: bool, /) -> bool:
        """Whether a patron surrenders before the hole card is read."""
        return wants

    def insurance(self, _box: BettingBox, cents: int, /) -> int:
        """The insurance stake a box lays."""
        return cents

    def reads_hole(self, due: bool, /) -> bool:
        """Whether the hole card goes into the reader."""
        return due

    def before_reader(self) -> None:
        """Before the hole card goes into the reader."""

    def after_reader(self) -> None:
        """After the card reader showed its result."""

    def shown_range(self, _what: Literal["light", "area"], right: Range, /) -> Range:
        """The range that the Masque reader lights, or in whose area the dealer's hand is laid."""
        return right

    def shows_large(self, due: bool, /) -> bool:
        """Whether a Large hole card under a Large first card is shown before action."""
        return due

    def before_action(self) -> None:
        """Before the first player decides."""

    def choice(self, _hand: SimulatedHand, choice: Choice, /) -> Choice:
        """The choice that is carried out for `hand`."""
        return choice

    def is_free(self, _hand: SimulatedHand, _choice: Choice, free: bool, /) -> bool:
        """Whether a double or split costs a lammer instead of chips."""
        return free

    def extra_stake(self, _box: BettingBox, _choice: Choice, cents: int, /) -> int:
        """The chips laid for a double or a split that is not free."""
        return cents

    def after_split(self, hand: SimulatedHand, new: SimulatedHand, /) -> None:
        """After a split, when the new hand lies there with one card."""

    def misses(self, _hand: SimulatedHand, /) -> bool:
        """Whether the dealer overlooks the card that `hand` requested."""
        return False

    def wants_late_card(self, _hand: SimulatedHand, /) -> bool:
        """Whether the patron takes the overlooked card late; else the hand is dead."""
        return True

    def refuses(self, _hand: SimulatedHand, /) -> bool:
        """Whether the box of `hand` refuses the exposed card that is next."""
        return False

    def tucks(self, _hand: SimulatedHand, /) -> bool:
        """Whether the cards of a paid Blackjack or busted first split hand are tucked, which must be."""
        return True

    def removes_blackjack(self, _hand: SimulatedHand, /) -> bool:
        """Whether the cards of a paid Blackjack are taken off."""
        return True

    def after_hand(self, hand: SimulatedHand, /) -> None:
        """After the last decision about a hand."""

    def revealed_card(self, card: str, /) -> str:
        """The hole card as it is turned up."""
        return card

    def after_reveal(self) -> None:
        """After the hole card is turned at the end of the action."""

    def dealer_draws(self, due: bool, /) -> bool:
        """Whether the dealer takes a card."""
        return due

    def after_dealer(self) -> None:
        """After the dealer's last card."""

    def result(self, _hand: SimulatedHand, result: Result, /) -> Result:
        """How a hand is settled."""
        return result

    def settle_order(self, boxes: list[BettingBox], /) -> list[BettingBox]:
        """The order in which boxes are settled."""
        return boxes

    def collects_first(self, due: bool, /) -> bool:
        """Whether all losers are collected before any winner is paid."""
        return due

    def pickup(self, hands: list[SimulatedHand | None], /) -> list[SimulatedHand | None]:
        """The order of the final pickup; None is the dealer's hand."""
        return hands

    def after_round(self) -> None:
        """After the round has ended."""

    def edit(self, payload: Payload, /) -> Sequence[Payload]:
        """The events written in place of `payload`."""
        return (payload,)
