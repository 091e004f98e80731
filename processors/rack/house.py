"""What the ruleset and the table's rules submission say that bears on where cards lie."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from processors.games.blackjack.profile import BlackjackProfile

PickupOrder = Literal["seats_descending", "seats_ascending", "losers_first"]


class House(Struct, frozen=True, kw_only=True):
    """The rules of one table, as far as the discard rack depends on them."""

    ruleset: str
    profile: BlackjackProfile
    hands_at_most: int
    split_aces_one_card: bool
    surrender: bool
    ace_limit_dealer: int
    stands_from: int
    push22: bool
    """Push 22 is offered; who took it is not known."""
    even_money: bool
    busts_at_once: bool
    pickup_order: PickupOrder
    dealer_first: bool

    def tucks_first(self, value: int) -> bool:
        """Whether a busted `x.1` of a split of cards of this value waits under the original wager.

        Ten-value cards are split for money and carry no lammer; Down Under says nothing of busted split hands.
        """
        return self.profile.tucks_split_busts and not self.racks_first_at_once(value)

    def racks_first_at_once(self, value: int) -> bool:
        """Whether a busted `x.1` goes to the rack at once even where busts wait: split tens carry no lammer."""
        return self.profile.split_bust_at_once and value == 10
