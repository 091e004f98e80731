"""Every round that deals these cards in this order and leaves them in this rack.

The shoe's draw order says which cards begin each hand, and the rack holds every hand in one piece: the next card
shows nearly every wrong turn, so the search is about as long as the deal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from processors.rack.answer import Cards, SeatHands
from processors.rack.hands import ACE, TEN, value_of, values_of
from processors.rack.house import House
from processors.rack.proving.laid import Laying, dealer_reading, layings, reading_of
from processors.rack.splits import Tree


class Spent(Exception):
    """The search has looked at as many hands as it may."""


NODES_PER_HAND = 8
"""A node of the whole search counts as so many hands of the budget: it costs about as much."""


class Budget:
    """How many hands a search may still look at: unlike a time limit, the same on every machine."""

    def __init__(self, hands: int) -> None:
        self.left = hands

    def spend(self, hands: int = 1) -> None:
        """Count hands looked at.

        Raises:
            Spent: there were too many.
        """
        self.left -= hands
        if self.left < 0:
            raise Spent

    def spent_at_node(self) -> bool:
        """Count a node of the whole search; whether the budget is used up."""
        self.left -= NODES_PER_HAND
        return self.left < 0


class Dealt(NamedTuple):
    """One reconstruction, and one way in which it came to lie in the rack."""

    seats: tuple[SeatHands, ...]
    dealer: Cards
    laying: Laying


def _may_draw(cards: Cards) -> bool:
    read = reading_of(cards)
    return read is not None and read.total < 21


class _Played(NamedTuple):
    """A seat's hands, how they were split, and the number of cards drawn when they were over."""

    hands: SeatHands
    tree: Tree
    drawn: int


_UNSPLIT: Tree = (False,)


def dealt_rounds(house: House, rack: Cards, seats: int, drawn: Cards, budget: Budget) -> Iterator[Dealt]:
    """Every lawful round of `seats` seats that draws these cards in this order and leaves this rack.

    The same hands may come more than once, as they lie in more than one lawful way.

    Raises:
        Spent: the budget is used up.
    """
    if len(drawn) == len(rack) >= 2 * seats + 2:
        yield from _Deal(house, rack, seats, drawn, budget).rounds()


class _Deal:
    """One search; it holds what all its steps look at."""

    def __init__(self, house: House, rack: Cards, seats: int, drawn: Cards, budget: Budget) -> None:
        self.house, self.rack, self.seats, self.drawn, self.budget = house, rack, seats, drawn, budget
        self.text = "".join(rack)
        self.first = 2 * seats + 2
        self.dealer = (drawn[seats], drawn[2 * seats + 1])
        one, two = values_of(self.dealer)
        self.blackjack = {one, two} == {ACE, TEN}
        self.taken: list[_Played] = []
        self.ends = self._ends()

    def rounds(self) -> Iterator[Dealt]:
        """Every reconstruction, hand by hand."""
        yield from self._from(self.first)

    def _from(self, drawn: int) -> Iterator[Dealt]:
        order = len(self.taken)
        if order == self.seats:
            yield from self._over(drawn)
            return
        for played in self._seat(self.drawn[order], self.drawn[self.seats + 1 + order], drawn):
            self.taken.append(played)
            yield from self._from(played.drawn)
            self.taken.pop()

    def _ends(self) -> set[int]:
        """Places of the text where a hand can end: where another begins with what the shoe began it with."""
        firsts = zip(self.drawn, self.drawn[self.seats + 1 : self.first], strict=False)
        pairs = {one + two for one, two in firsts}
        text, size = self.text, len(self.text)
        ends = {at for at in range(2, size, 2) if text[at : at + 4] in pairs}
        ends.add(size)
        if not self.blackjack:
            read = [values_of((pair[:2], pair[2:])) for pair in pairs]
            split = {one for one, two in read if one == two}
            if split:
                ends.update(at for at in range(2, size, 2) if value_of(text[at : at + 2]) in split)
        return ends

    def _over(self, drawn: int) -> Iterator[Dealt]:
        """All players are done: the rest is the dealer's."""
        dealer = (*self.dealer, *self.drawn[drawn:])
        if not self._in_one_piece(dealer) or dealer_reading(self.house, dealer) is None:
            return
        seats = tuple(played.hands for played in self.taken)
        trees = [played.tree for played in self.taken]
        for laying in layings(self.house, self.rack, seats, dealer, trees):
            yield Dealt(seats, dealer, laying)

    def _in_one_piece(self, cards: Cards) -> bool:
        self.budget.spend()
        return "".join(cards) in self.text

    def _may_end(self, cards: Cards) -> bool:
        """Whether the cards lie together where another hand begins after them."""
        text, sought = self.text, "".join(cards)
        at = text.find(sought)
        while at >= 0:
            if at + len(sought) in self.ends:
                return True
            at = text.find(sought, at + 2)
        return False

    def _seat(self, one: str, two: str, drawn: int) -> Iterator[_Played]:
        cards = (one, two)
        if self._in_one_piece(cards):
            yield from self._draws(cards, drawn)
        first, second = values_of(cards)
        if first == second and not self.blackjack:
            yield from self._play([(one,), (two,)], (2,), 1, (True,), drawn)

    def _draws(self, cards: Cards, drawn: int) -> Iterator[_Played]:
        """The hand as it is, and with one card more, and so on."""
        if self._may_end(cards):
            yield _Played((cards,), _UNSPLIT, drawn)
        while not self.blackjack and drawn < len(self.drawn) and _may_draw(cards):
            cards, drawn = (*cards, self.drawn[drawn]), drawn + 1
            if not self._in_one_piece(cards):
                return
            if self._may_end(cards):
                yield _Played((cards,), _UNSPLIT, drawn)

    def _play(
        self, hands: list[Cards], waiting: tuple[int, ...], number: int, tree: Tree, drawn: int
    ) -> Iterator[_Played]:
        """Hand `number` gets its second card and is played, then those that wait, the last of them first."""
        if drawn >= len(self.drawn):
            return
        kept, card = hands[number - 1][0], self.drawn[drawn]
        drawn += 1
        if value_of(kept) == value_of(card) and len(hands) < self.house.hands_at_most:
            again = [*hands, (card,)]
            again[number - 1] = (kept,)
            yield from self._play(again, (*waiting, len(again)), number, (*tree, True), drawn)
        cards = (kept, card)
        if not self._in_one_piece(cards):
            return
        one_card = self.house.split_aces_one_card and value_of(kept) == ACE
        for played in self._draws(cards, drawn):
            if one_card and played.drawn > drawn:
                return
            done = [*hands]
            done[number - 1] = played.hands[0]
            if waiting:
                yield from self._play(done, waiting[:-1], waiting[-1], (*tree, False), played.drawn)
            else:
                yield _Played(tuple(done), (*tree, False), played.drawn)
