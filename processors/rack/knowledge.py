"""The other facts known of the round, compared with one seat's or the dealer's hand at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from processors.rack.answer import Cards
from processors.rack.hands import UNREAD, DealerReading, Stretch, dealer_readings, readings, value_of
from processors.rack.problem import RackProblem
from processors.rack.seat import Option
from processors.rack.shelf import Rack
from processors.rack.splits import draw_order
from schemas.values import DEALER, UNKNOWN


class Knowledge:
    """The knowledge of one problem, for one set of occupied seats (ascending).

    An unreadable card of the rack takes the value that the draw order, a known hand or the up card gives it;
    what remains unreadable may be any card.
    """

    def __init__(self, problem: RackProblem, rack: Rack, seats: Sequence[int]) -> None:
        self.rack = rack
        self.cards = problem.rack
        self.seats = tuple(seats)
        self.drawn = problem.drawn
        self.known = problem.known or {}
        self.upcard = problem.upcard or UNKNOWN
        self.surrendered = problem.surrendered
        self.unread = UNKNOWN in problem.rack

    def possible(self) -> bool:
        """Whether the known facts can belong to this rack and these seats at all."""
        hands = {DEALER, *(f"{seat}.{n}" for seat in self.seats for n in range(1, self._most_hands + 1))}
        if self.drawn is not None and len(self.drawn) != len(self.cards):
            return False
        if any(hand not in hands for hand in self.known):
            return False
        may_surrender = {f"{seat}.1" for seat in self.seats} if self.rack.house.surrender else set()
        return may_surrender.issuperset(self.surrendered or ())

    @property
    def _most_hands(self) -> int:
        return self.rack.house.hands_at_most

    def dealer_agrees(self, place: tuple[int, int], reading: DealerReading) -> bool:
        """Whether the cards at this place can be the dealer's hand, read like this."""
        values = self.dealer_values(place)
        if values is None:
            return False
        house = self.rack.house
        always, stands = house.profile.dealer_always_draws, house.stands_from
        return not self.unread or reading in dealer_readings(values, house.ace_limit_dealer, stands, always)

    def dealer_values(self, place: tuple[int, int]) -> tuple[int, ...] | None:
        """Values of the dealer's cards under what is known, if they lie at this place; None if they cannot."""
        cards = self.cards[slice(*place)]
        rows = [(self.upcard, *[UNKNOWN] * (len(cards) - 1))]
        if DEALER in self.known:
            rows.append(self.known[DEALER])
        if self.drawn is not None:
            seats = len(self.seats)
            drawn_last = self.drawn[len(self.drawn) - len(cards) + 2 :]
            rows.append((self.drawn[seats], self.drawn[2 * seats + 1], *drawn_last))
        return _resolve(cards, rows)

    @property
    def of_seats(self) -> bool:
        """Whether something is known that concerns single seats."""
        return bool(self.drawn is not None or self.surrendered is not None or set(self.known) - {DEALER})

    def may_split(self, left: int) -> bool:
        """Whether the draw order lets the next of `left` seats have a pair."""
        if self.drawn is None:
            return True
        order = len(self.seats) - left
        first, second = value_of(self.drawn[order]), value_of(self.drawn[len(self.seats) + 1 + order])
        return first == second or UNREAD in (first, second)

    def agreeing(self, option: Option, left: int, played: int, against_blackjack: bool) -> Iterator[Option]:
        """The option, once for each way of splitting that agrees with what is known.

        Args:
            option: hands of one seat.
            left: how many seats are still to be read, this one counted.
            played: cards that the seats before it drew beyond their first two.
            against_blackjack: the dealer has a Blackjack.
        """
        for values in self.agreeing_values(option, left, played, against_blackjack):
            hands = [self._read_again(hand, row) for hand, row in zip(option.hands, values, strict=True)]
            if all(hand.readings for hand in hands):
                yield replace(option, hands=tuple(hands))

    def agreeing_values(
        self, option: Option, left: int, played: int, against_blackjack: bool
    ) -> Iterator[list[tuple[int, ...]]]:
        """Values of each hand's cards under what is known, once for each way of splitting that agrees."""
        order = len(self.seats) - left
        if not self._surrender_agrees(option, order, against_blackjack):
            return
        known = self._known_of(option, order)
        if known is None:
            return
        for tree in (option.trees or ((False,),)) if self.drawn is not None else ((),):
            drawn = self._drawn_of(option, tree, order, played)
            if drawn is None:
                continue
            values = [
                _resolve(self.cards[hand.start : hand.end], [row for row in rows if row])
                for hand, *rows in zip(option.hands, known, drawn, strict=True)
            ]
            agreed = [row for row in values if row is not None]
            if len(agreed) == len(values):
                yield agreed

    def _surrender_agrees(self, option: Option, order: int, against_blackjack: bool) -> bool:
        """Surrendered as listed; against a dealer Blackjack the cards do not show it (590.9(a)(2))."""
        if self.surrendered is None:
            return True
        listed = f"{self.seats[order]}.1" in self.surrendered
        if against_blackjack:
            return not listed or not option.hands[0].readings[0].natural
        return listed == (option.place == "surrender")

    def _known_of(self, option: Option, order: int) -> list[Cards] | None:
        """For each hand of the option the cards known of it, () for none; None if a known hand is not there."""
        seat, count = self.seats[order], len(option.hands)
        if any(f"{seat}.{number}" in self.known for number in range(count + 1, self._most_hands + 1)):
            return None
        return [self.known.get(f"{seat}.{number}", ()) for number in range(1, count + 1)]

    def _drawn_of(
        self, option: Option, tree: tuple[bool, ...], order: int, played: int
    ) -> list[Cards] | None:
        """For each hand of the option the cards that the draw order gives it, () where it is not known.

        None if the draw order has not so many cards.
        """
        if self.drawn is None:
            return [()] * len(option.hands)
        seats = len(self.seats)
        places = draw_order(tree, [range(hand.start, hand.end) for hand in option.hands])
        begin = 2 * seats + 2 + played
        given = (
            self.drawn[order],
            self.drawn[seats + 1 + order],
            *self.drawn[begin : begin + len(places) - 2],
        )
        if len(given) != len(places):
            return None
        card_at = dict(zip(places, given, strict=True))
        return [tuple(card_at[place] for place in range(hand.start, hand.end)) for hand in option.hands]

    def _read_again(self, hand: Stretch, values: tuple[int, ...]) -> Stretch:
        """The hand with the readings that remain once unreadable cards of it are known."""
        if not self.unread:
            return hand
        possible = readings(values)
        return hand._replace(readings=tuple(reading for reading in hand.readings if reading in possible))


def _resolve(cards: Cards, known: Iterable[Cards]) -> tuple[int, ...] | None:
    """Values of the cards under all rows of facts known of them; None if two facts contradict each other."""
    rows = [cards, *known]
    if any(len(row) != len(cards) for row in rows):
        return None
    values = []
    for column in zip(*rows, strict=True):
        seen = {card for card in column if card != UNKNOWN}
        if len(seen) > 1:
            return None
        values.append(value_of(seen.pop()) if seen else 0)
    return tuple(values)
