"""Cards that reach the discard rack, or the record, otherwise than they lay on the table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from producers.simulator.blackjack.course import Wish
from producers.simulator.blackjack.hands import SimulatedHand
from producers.simulator.blackjack.rules import LOW, TEN, Choice
from producers.simulator.scenarios.money import BLACKJACK
from producers.simulator.scenarios.slips import WINS, Occasion, Slip, Way, edited, once
from schemas.events import CardDrawn, CardsRacked, HoleCardRevealed, WagerSettled
from schemas.payload import Payload
from schemas.values import DEALER, SUITS, UNKNOWN

BLACKJACK_AND_PUSH22 = Occasion(first="A", second=TEN, up=LOW, side=True)


class _SplitBustRacked(Slip):
    """A busted first split hand that must be tucked is collected and racked at once."""

    def __init__(self) -> None:
        super().__init__(Occasion(first="8", up=LOW, play="split"))

    def wish(self, spot: str, /) -> Wish | None:
        """Eight, eight; then tens for the first hand."""
        if self.now and self.victim is not None and spot == self.victim.first.name:
            ranks = TEN if self.victim.split else "8"
            return lambda card: card[0] in ranks
        return super().wish(spot)

    def choice(self, hand: SimulatedHand, choice: Choice, /) -> Choice:
        if self.now and self.is_victim(hand) and self.table.box_of(hand).split and hand.points < 21:
            return "hit"
        return super().choice(hand, choice)

    def tucks(self, hand: SimulatedHand, /) -> bool:
        return not (hand.state == "bust" and self.once())


def _picked_up_early(slip: Slip, event: WagerSettled) -> Sequence[Payload] | None:
    """The first hand that is paid by chips alone is racked, while wagers of others are still open."""
    table = slip.table
    if event.odds != "1:1" or event.kind != "main":
        return None
    hand = table.hand_named(event.hand)
    others = any(not other.settled for other in table.hands())
    if not others or hand.lammers or hand.double or hand.state != "open":
        return None
    hand.racked = True
    table.shoe.to_rack(hand.cards)
    return (event, CardsRacked(hand.name, tuple(hand.cards), "settled"))


def _players(hands: list[SimulatedHand | None]) -> list[SimulatedHand]:
    return [hand for hand in hands if hand is not None]


def _swapped(_slip: Slip, hands: list[SimulatedHand | None]) -> list[SimulatedHand | None] | None:
    """Two seats' hands exchanged."""
    pairs = [(a, b) for a, b in pairwise(_players(hands)) if a.seat != b.seat]
    if not pairs:
        return None
    one, other = pairs[0]
    exchanged = {one.name: other, other.name: one}
    return [exchanged.get(hand.name, hand) if hand is not None else None for hand in hands]


def _dealer_misplaced(_slip: Slip, hands: list[SimulatedHand | None]) -> list[SimulatedHand | None] | None:
    """The dealer's cards at the other end."""
    if len(hands) < 2:
        return None
    return [*_players(hands), None] if hands[0] is None else [None, *_players(hands)]


def _mixed(_slip: Slip, hands: list[SimulatedHand | None]) -> list[SimulatedHand | None] | None:
    """The last cards of two hands exchanged."""
    for one, other in pairwise(_players(hands)):
        if one.cards[-1] != other.cards[-1]:
            one.cards[-1], other.cards[-1] = other.cards[-1], one.cards[-1]
            return hands
    return None


def _settled_hand(event: CardsRacked) -> bool:
    """Whether a player's hand is racked after its settlement."""
    return event.reason == "settled" and event.hand != DEALER


def _backwards(_slip: Slip, event: CardsRacked) -> Sequence[Payload] | None:
    turned = event.cards[::-1]
    return (replace(event, cards=turned),) if _settled_hand(event) and turned != event.cards else None


def _other_suit(slip: Slip, card: str) -> str:
    return card[0] + slip.table.rng.choice([suit for suit in SUITS if suit != card[1]])


def _misread(slip: Slip, event: CardDrawn) -> Sequence[Payload] | None:
    if not slip.table.boxes or event.card == UNKNOWN:
        return None
    return (replace(event, card=_other_suit(slip, event.card)),)


WAYS: dict[str, Way] = {
    "hand_not_racked": Way(edited(CardsRacked, lambda _s, event: () if _settled_hand(event) else None)),
    "hand_racked_backwards": Way(edited(CardsRacked, _backwards)),
    "pickup_out_of_order": Way(once("pickup", _swapped)),
    "dealer_cards_misplaced": Way(once("pickup", _dealer_misplaced)),
    "hands_mixed": Way(once("pickup", _mixed)),
    "picked_up_before_settled": Way(edited(WagerSettled, _picked_up_early, WINS)),
    "tucked_blackjack_racked": Way(
        once("tucks", lambda _s, hand: False if hand.state == "blackjack" else None, BLACKJACK_AND_PUSH22)
    ),
    "tucked_split_hand_racked": Way(_SplitBustRacked),
    "blackjack_left_lying": Way(once("removes_blackjack", lambda _s, _hand: False, BLACKJACK)),
    "hole_switched": Way(
        once("revealed_card", lambda s, card: None if s.table.dealer_blackjack else _other_suit(s, card))
    ),
    "hole_never_opened": Way(
        edited(HoleCardRevealed, lambda s, _event: None if s.table.dealer_blackjack else ())
    ),
    "witnesses_disagree": Way(edited(CardDrawn, _misread)),
    "draw_not_recorded": Way(
        edited(CardDrawn, lambda s, event: () if s.table.boxes and event.card != UNKNOWN else None)
    ),
}
