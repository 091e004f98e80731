"""Cards that reach the discard rack, or the record, otherwise than they lay on the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from producers.simulator.blackjack.course import Wish
from producers.simulator.blackjack.hands import Hand
from producers.simulator.blackjack.rules import Choice
from producers.simulator.scenarios.money import WINS
from producers.simulator.scenarios.side import LOW
from producers.simulator.scenarios.slips import ANY, TEN, Edited, Occasion, Slip, Wrong
from schemas.events import CardDrawn, CardsRacked, HoleCardRevealed, WagerSettled
from schemas.payload import Payload
from schemas.values import DEALER, SUITS, UNKNOWN

TUCKED = Occasion(first="A", second=TEN, up=LOW, side=True)


class Pickup(Slip):
    """The final pickup goes otherwise; `change` gives the new order, or None where it makes no difference."""

    def __init__(
        self, change: Callable[[Slip, list[Hand | None]], list[Hand | None] | None], occasion: Occasion = ANY
    ) -> None:
        super().__init__(occasion)
        self.change = change

    def pickup(self, hands: list[Hand | None], /) -> list[Hand | None]:
        """Change it once."""
        changed = self.change(self, hands) if self.now else None
        if changed is None:
            return hands
        self.happened = True
        return changed


class RackedEarly(Slip):
    """Cards that must be tucked go to the rack at once."""

    def tucks(self, hand: Hand, /) -> bool:
        """Not this time."""
        return not (hand.state == "blackjack" and self.once())


class SplitBustRacked(Slip):
    """A busted first split hand that must be tucked is collected and racked at once."""

    def __init__(self) -> None:
        super().__init__(Occasion(first="8", up=LOW, play="split"))

    def wish(self, spot: str, /) -> Wish | None:
        """Eight, eight; then tens for the first hand."""
        if self.now and self.victim is not None and spot == self.victim.first.name:
            ranks = TEN if self.victim.split else "8"
            return lambda card: card[0] in ranks
        return super().wish(spot)

    def choice(self, hand: Hand, choice: Choice, /) -> Choice:
        """Draw the first hand to its end."""
        if self.now and self.is_victim(hand) and self.table.box_of(hand).split and hand.points < 21:
            return "hit"
        return super().choice(hand, choice)

    def tucks(self, hand: Hand, /) -> bool:
        """Not this time."""
        return not (hand.state == "bust" and self.once())


class BlackjackLeft(Slip):
    """The cards of a paid Blackjack stay on the layout."""

    def removes_blackjack(self, _hand: Hand, /) -> bool:
        """Not this time."""
        return not self.once()


class PickedUpEarly(Slip):
    """A hand is racked as soon as it is paid, while wagers of others are still open."""

    def edit(self, payload: Payload, /) -> Sequence[Payload]:
        """Pick up the first hand that is paid by chips alone."""
        table = self.table
        if not isinstance(payload, WagerSettled) or payload.odds != "1:1" or payload.kind != "main":
            return (payload,)
        hand = next(hand for hand in table.hands() if hand.name == payload.hand)
        others = any(not other.settled for other in table.hands())
        if not others or hand.lammers or hand.double or hand.state != "open" or not self.once():
            return (payload,)
        hand.racked = True
        table.shoe.to_rack(hand.cards)
        return (payload, CardsRacked(hand.name, tuple(hand.cards), "settled"))


class HoleSwitched(Slip):
    """The hole card that is turned up is not the one that was sealed."""

    def revealed_card(self, card: str, /) -> str:
        """Another suit."""
        if self.table.dealer_blackjack or not self.once():
            return card
        return card[0] + self.table.rng.choice([suit for suit in SUITS if suit != card[1]])


def _swapped(_slip: Slip, hands: list[Hand | None]) -> list[Hand | None] | None:
    """Two seats' hands exchanged."""
    players = [hand for hand in hands if hand is not None]
    pairs = [(a, b) for a, b in pairwise(players) if a.seat != b.seat]
    if not pairs:
        return None
    one, other = pairs[0]
    exchanged = {one.name: other, other.name: one}
    return [exchanged.get(hand.name, hand) if hand is not None else None for hand in hands]


def _dealer_misplaced(_slip: Slip, hands: list[Hand | None]) -> list[Hand | None] | None:
    """The dealer's cards at the other end."""
    if len(hands) < 2:
        return None
    players: list[Hand | None] = [hand for hand in hands if hand is not None]
    return [*players, None] if hands[0] is None else [None, *players]


def _mixed(_slip: Slip, hands: list[Hand | None]) -> list[Hand | None] | None:
    """The last cards of two hands exchanged."""
    players = [hand for hand in hands if hand is not None]
    for one, other in pairwise(players):
        if one.cards[-1] != other.cards[-1]:
            one.cards[-1], other.cards[-1] = other.cards[-1], one.cards[-1]
            return hands
    return None


def _racked(change: Callable[[CardsRacked], Sequence[Payload] | None]) -> Callable[[], Slip]:
    """A slip about the first hand of a player that is racked once it is settled."""

    def edit(_slip: Edited, payload: Payload) -> Sequence[Payload] | None:
        if isinstance(payload, CardsRacked) and payload.reason == "settled" and payload.hand != DEALER:
            return change(payload)
        return None

    return lambda: Edited(edit)


def _reversed(event: CardsRacked) -> Sequence[Payload] | None:
    turned = event.cards[::-1]
    return (replace(event, cards=turned),) if turned != event.cards else None


def _recorded(
    event: type[Any], change: Callable[[Slip, Any], Sequence[Payload] | None]
) -> Callable[[], Slip]:
    return lambda: Edited(lambda slip, payload: change(slip, payload) if isinstance(payload, event) else None)


def _other_card(slip: Slip, event: CardDrawn) -> Sequence[Payload] | None:
    if not slip.table.boxes or event.card == UNKNOWN:
        return None
    suit = slip.table.rng.choice([suit for suit in SUITS if suit != event.card[1]])
    return (replace(event, card=event.card[0] + suit),)


RACK: dict[str, Wrong] = {
    "hand_not_racked": Wrong(
        doc="A settled hand does not appear in the rack.",
        how=_racked(lambda _event: ()),
        free_bet=("7(s)",),
        down_under=("7(s)",),
        integrity=("shoe",),
    ),
    "hand_racked_backwards": Wrong(
        doc="A hand is racked in another order than it was dealt.",
        how=_racked(_reversed),
        free_bet=("7(s)",),
        down_under=("7(s)",),
    ),
    "pickup_out_of_order": Wrong(
        doc="Two seats' hands are picked up in the wrong order.",
        how=lambda: Pickup(_swapped),
        free_bet=("7(s)",),
        down_under=("7(s)",),
    ),
    "dealer_cards_misplaced": Wrong(
        doc="The dealer's cards are picked up at the wrong time.",
        how=lambda: Pickup(_dealer_misplaced),
        free_bet=("7(s)",),
        down_under=("7(s)",),
    ),
    "hands_mixed": Wrong(
        doc="Cards of two hands change places in the pickup.",
        how=lambda: Pickup(_mixed),
        free_bet=("7(s)",),
        down_under=("7(s)",),
        integrity=("shoe",),
    ),
    "picked_up_before_settled": Wrong(
        doc="Cards are picked up while a wager is still unpaid.",
        how=lambda: PickedUpEarly(WINS),
        free_bet=("7(s)",),
        down_under=("7(s)",),
    ),
    "tucked_blackjack_racked": Wrong(
        doc="A paid Blackjack with an open Push 22 wager is racked instead of tucked.",
        how=lambda: RackedEarly(TUCKED),
        free_bet=("7(h)(1)#3", "7(s)"),
    ),
    "tucked_split_hand_racked": Wrong(
        doc="A busted first split hand with lammers out is racked instead of tucked.",
        how=SplitBustRacked,
        free_bet=("10(c)(2)", "7(s)"),
    ),
    "blackjack_left_lying": Wrong(
        doc="The cards of a paid Blackjack are not taken off.",
        how=lambda: BlackjackLeft(Occasion(first="A", second=TEN, up=LOW, plain=True)),
        free_bet=("7(h)(1)#2",),
        down_under=("7(i)(1)#2",),
    ),
    "hole_switched": Wrong(
        doc="The hole card that is turned up is not the card that was sealed.",
        how=HoleSwitched,
        integrity=("seal", "shoe"),
    ),
    "hole_never_opened": Wrong(
        doc="The hole card's seal is never opened.",
        how=_recorded(HoleCardRevealed, lambda s, _e: None if s.table.dealer_blackjack else ()),
        free_bet=("7(k)", "7(n)"),
        down_under=("7(l)", "7(h)#7", "7(n)"),
        integrity=("seal",),
    ),
    "witnesses_disagree": Wrong(
        doc="The shoe reads another card than reaches the layout.",
        how=_recorded(CardDrawn, _other_card),
        integrity=("witness", "shoe"),
    ),
    "draw_not_recorded": Wrong(
        doc="A card reaches a hand that the shoe never gave.",
        how=_recorded(CardDrawn, lambda s, e: () if s.table.boxes and e.card != UNKNOWN else None),
        integrity=("witness", "shoe"),
    ),
}
