"""Whether hands that are known card by card can lie in a rack as it lies, and in which ways they came there.

All cards are read: each hand has one reading, so a seat has a few ways to the rack and most of them fail at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from processors.rack.answer import Cards as Cards
from processors.rack.answer import SeatHands as SeatHands
from processors.rack.hands import (
    ACE,
    BUST,
    ROWS_KEPT,
    DealerReading,
    HandReading,
    dealer_readings,
    readings,
    values_of,
)
from processors.rack.house import House
from processors.rack.lanes import goes_before_action
from processors.rack.settlement import Outcome, Place, loses, outcomes
from processors.rack.splits import Tree, order_of_play, trees

DEALER_BLOCK = (-1, 0)


class Spot(NamedTuple):
    """One hand's cards in the rack: the seat's place in the order of seats (-1: the dealer), hand number, cards."""

    seat: int
    number: int
    cards: Cards


class _Way(NamedTuple):
    """One way of a seat's hands to the rack: racked before the action, in it (in this order), at the pickup."""

    before: tuple[int, ...]
    early: tuple[int, ...]
    final: tuple[int, ...]
    place: Place
    live: bool


class Laying(NamedTuple):
    """One lawful way in which the hands came to lie as they do."""

    spots: tuple[Spot, ...]
    """Bottom first, the dealer's hand among them."""
    early: int
    """How many of the spots were racked before the final pickup."""
    ends: tuple[frozenset[Outcome], ...]
    """For each seat the ways in which its main wager may have ended."""


class _Seat(NamedTuple):
    hands: SeatHands
    read: tuple[HandReading, ...]
    ways: tuple[_Way, ...]


def dealer_reading(house: House, cards: Cards) -> DealerReading | None:
    """What these cards are as the dealer's hand; None if he may not hold them."""
    return _dealer_reading(
        cards, house.ace_limit_dealer, house.stands_from, house.profile.dealer_always_draws
    )


@lru_cache(maxsize=ROWS_KEPT)
def _dealer_reading(cards: Cards, limit: int, stands: int, always_draws: bool) -> DealerReading | None:
    found = dealer_readings(values_of(cards), limit, stands, always_draws)
    return found[0] if found else None


@lru_cache(maxsize=ROWS_KEPT)
def reading_of(cards: Cards) -> HandReading | None:
    """What these cards are as a player's hand; None if nobody may hold them."""
    found = readings(values_of(cards))
    return found[0] if found else None


def layings(
    house: House,
    rack: Cards,
    seats: Sequence[SeatHands],
    dealer: Cards,
    played: Sequence[Tree] | None = None,
) -> Iterator[Laying]:
    """Every lawful way in which these hands leave this rack.

    Args:
        house: the table's rules.
        rack: the cards, bottom first, all of them read.
        seats: the hands of each seat with a main wager, by ascending seats.
        dealer: the dealer's hand.
        played: how each seat's hands were split, where that is known.
    """
    own = dealer_reading(house, dealer)
    if own is None:
        return
    told: list[_Seat] = []
    for order, hands in enumerate(seats):
        seat = _seat(house, hands, own, played[order] if played is not None else None)
        if seat is None:
            return
        told.append(seat)
    for before in _waited(rack, told):
        yield from _Rebuilt(house, rack, told, dealer, own, before).layings()


def _seat(house: House, hands: SeatHands, dealer: DealerReading, tree: Tree | None) -> _Seat | None:
    read: list[HandReading] = []
    for cards in hands:
        found = reading_of(cards)
        if found is None:
            return None
        read.append(found)
    if len(hands) == 1:
        ways = _unsplit(house, read[0], len(hands[0]), dealer)
    elif _may_be_split(house, hands, read, dealer):
        ways = _split(house, read, dealer, trees(len(hands)) if tree is None else (tree,))
    else:
        return None
    return _Seat(hands, tuple(read), ways) if ways else None


def _may_be_split(house: House, hands: SeatHands, read: list[HandReading], dealer: DealerReading) -> bool:
    if dealer.kind == "blackjack" or len(hands) > house.hands_at_most:
        return False
    value = read[0].first
    if any(reading.first != value for reading in read):
        return False
    return not (value == ACE and house.split_aces_one_card and any(len(cards) > 2 for cards in hands))


_PICKED_UP = _Way((), (), (1,), "pickup", live=False)
_STANDS = _Way((), (), (1,), "pickup", live=True)


def _unsplit(house: House, read: HandReading, cards: int, dealer: DealerReading) -> tuple[_Way, ...]:
    blackjack = dealer.kind == "blackjack"
    if read.total == BUST:
        if blackjack:
            return ()
        return (_Way((), (1,), (), "bust", live=False),) if house.busts_at_once else (_PICKED_UP,)
    if cards > 2:
        return () if blackjack or dealer.kind == "short" else (_STANDS,)
    ways: list[_Way] = []
    if goes_before_action(house, read.natural, dealer):
        ways.append(_Way((1,), (), (), "even_money" if read.natural else "surrender", live=False))
    if blackjack:
        ways.append(_PICKED_UP)
    elif read.natural:
        ways.append(_Way((), (1,), (), "blackjack", live=False))
        if house.push22 and dealer.kind != "short":
            ways.append(_PICKED_UP)
    else:
        if house.surrender:
            ways.append(_Way((), (1,), (), "surrender", live=False))
        if dealer.kind != "short":
            ways.append(_STANDS)
    return tuple(ways)


def _split(
    house: House, read: list[HandReading], dealer: DealerReading, ways_of_splitting: tuple[Tree, ...]
) -> tuple[_Way, ...]:
    over = [number for number, reading in enumerate(read, start=1) if reading.total == BUST]
    live = len(over) < len(read)
    if live and dealer.kind == "short":
        return ()
    value = read[0].first
    found: list[_Way] = []
    for tree in ways_of_splitting:
        early = _racked_early(house, value, over, tree, everything=not live)
        final = tuple(number for number in range(1, len(read) + 1) if number not in early)
        way = _Way((), early, final, "bust" if 1 in early else "pickup", live)
        if way not in found:
            found.append(way)
    return tuple(found)


def _racked_early(
    house: House, value: int, over: list[int], tree: Tree, *, everything: bool
) -> tuple[int, ...]:
    """Which of a seat's split hands go to the rack in the action, in this order (A40; 672a.10(c)(1))."""
    if not house.busts_at_once:
        return (1,) if 1 in over and house.racks_first_at_once(value) else ()
    early = [number for number in order_of_play(tree) if number in over]
    if 1 in early and house.tucks_first(value):
        early.remove(1)
        if everything:
            early.append(1)
    return tuple(early)


def _waited(rack: Cards, seats: list[_Seat]) -> Iterator[int]:
    """Every number of cards that may have been racked before the action."""
    yield 0
    if not any(way.before for seat in seats for way in seat.ways):
        return
    waiting = [seat.hands[0] for seat in seats if seat.ways[0].before]
    for end in range(2, 2 * len(waiting) + 1, 2):
        if rack[end - 2 : end] not in waiting:
            return
        yield end


class _Rebuilt:
    """The search for one number of cards racked before the action."""

    def __init__(
        self, house: House, rack: Cards, seats: list[_Seat], dealer: Cards, own: DealerReading, before: int
    ) -> None:
        self.house, self.rack, self.seats, self.dealer, self.own = house, rack, seats, dealer, own
        self.before = before
        self.taken: list[_Way] = []

    def layings(self) -> Iterator[Laying]:
        """Every way through all seats that ends in this rack."""
        yield from self._from(0, self.before)

    def _from(self, at: int, racked: int) -> Iterator[Laying]:
        """Ways on, with `at` cards read below the action and `racked` in it."""
        order = len(self.taken)
        if order == len(self.seats):
            if at == self.before and self._faced():
                yield from self._laid(racked)
            return
        seat = self.seats[order]
        for way in seat.ways:
            below, above = at, racked
            if way.before:
                below = self._matched(seat.hands[0], at)
                if not 0 < below <= self.before:
                    continue
            for number in way.early:
                above = self._matched(seat.hands[number - 1], above)
                if above < 0:
                    break
            if above < 0:
                continue
            self.taken.append(way)
            yield from self._from(below, above)
            self.taken.pop()

    def _matched(self, cards: Cards, start: int) -> int:
        """The place after these cards, if they lie there; -1 if they do not."""
        end = start + len(cards)
        return end if self.rack[start:end] == cards else -1

    def _faced(self) -> bool:
        """Whether the dealer had a reason to draw, or did not draw (7(m))."""
        if self.own.kind != "drawn" or any(way.live for way in self.taken):
            return True
        push22 = self.house.push22
        return push22 and any(way.place not in ("blackjack", "even_money") for way in self.taken)

    def _laid(self, racked: int) -> Iterator[Laying]:
        spots = self._final()
        at = racked
        for spot in spots:
            at = self._matched(spot.cards, at)
            if at < 0:
                return
        if at != len(self.rack):
            return
        early = [*self._early("before"), *self._early("early")]
        ends = tuple(
            outcomes(way.place, seat.read[0], len(seat.hands) > 1, self.own, self.house)
            for seat, way in zip(self.seats, self.taken, strict=True)
        )
        yield Laying((*early, *spots), len(early), ends)

    def _early(self, when: str) -> Iterator[Spot]:
        for order, way in enumerate(self.taken):
            for number in way.before if when == "before" else way.early:
                yield Spot(order, number, self.seats[order].hands[number - 1])

    def _final(self) -> list[Spot]:
        """The final pickup in the table's order, with the dealer's hand."""
        left = [
            Spot(order, number, self.seats[order].hands[number - 1])
            for order, way in enumerate(self.taken)
            for number in way.final
        ]
        if self.house.pickup_order != "seats_ascending":
            left.reverse()
        if self.house.pickup_order == "losers_first":
            left.sort(key=self._wins)
        own = Spot(*DEALER_BLOCK, self.dealer)
        return [own, *left] if self.house.dealer_first else [*left, own]

    def _wins(self, spot: Spot) -> bool:
        seat = self.seats[spot.seat]
        return not loses(seat.read[spot.number - 1], len(seat.hands) > 1, self.own)
