"""How a rack divides: hands settled before the action, hands racked in it, the final pickup, the dealer.

Each part is read by a cursor, seat after seat: `a` the hands racked before the action, `b` those racked in it, `f`
the final pickup, and `g` its losers where they are picked up first. `b` starts where `a` ends. In a pickup by
descending seats `f` (and `g`) run downwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from processors.rack.hands import BUST, DealerReading, Stretch, dealer_readings, readings, stretches
from processors.rack.house import House
from processors.rack.settlement import loses


class Cursors(NamedTuple):
    """Places in the rack up to which (`f`, `g` downwards: from which) the cards are read."""

    a: int
    b: int
    f: int
    g: int


class Division(NamedTuple):
    """One way to divide the rack, before any seat's hands are read.

    Limits say where a lane ends; -1 means that the lane ends where its neighbour does.
    """

    dealer: tuple[int, int]
    dealer_reading: DealerReading
    start: Cursors
    a_end: int
    b_end: int
    f_end: int
    g_end: int


class Rack:
    """The rack's cards by place, and every hand that can lie there."""

    def __init__(self, values: tuple[int, ...], house: House) -> None:
        self.values = values
        self.house = house
        self.starting = [stretches(values, start) for start in range(len(values))]
        self.ending: list[list[Stretch]] = [[] for _ in range(len(values) + 1)]
        for found in self.starting:
            for stretch in found:
                self.ending[stretch.end].append(stretch)

    def pair(self, start: int) -> Stretch | None:
        """The two cards at this place, if they are there."""
        if start + 2 > len(self.values):
            return None
        return Stretch(start, start + 2, readings(self.values[start : start + 2]))

    def dealers(self) -> Iterator[tuple[int, int, DealerReading]]:
        """Every place at which the dealer's hand can lie on top, and what it can be."""
        size = len(self.values)
        for start in range(size - 2, -1, -1):
            for reading in self.dealer_readings(start, size):
                yield start, size, reading

    def dealer_readings(self, start: int, end: int) -> tuple[DealerReading, ...]:
        """What these cards can be as the dealer's hand."""
        house = self.house
        return dealer_readings(self.values[start:end], house.ace_limit_dealer, house.down_under)

    def dealers_from(self, start: int) -> Iterator[tuple[int, int, DealerReading]]:
        """Every dealer's hand that can begin at this place."""
        for end in range(start + 2, len(self.values) + 1):
            for reading in self.dealer_readings(start, end):
                yield start, end, reading


def divisions(rack: Rack, seats: int, early: int | None) -> Iterator[Division]:
    """Every way to divide the rack among `seats` seats, `early` cards of it racked before the final pickup."""
    if rack.house.dealer_first:
        yield from _dealer_on_early_cards(rack, seats, early)
    else:
        yield from _dealer_on_top(rack, seats, early)


def _dealer_on_top(rack: Rack, seats: int, early: int | None) -> Iterator[Division]:
    for start, end, dealer in rack.dealers():
        for a_end in before_action(rack, seats, dealer):
            if rack.house.pickup_order == "seats_ascending" or dealer.kind == "blackjack":
                ends = early_ends(rack, a_end, start, dealer)
                fixed = ends if early is None else {early} & ends
                for b_end in sorted(fixed):
                    yield from _final(rack, (start, end), dealer, a_end, b_end, (b_end, start))
            elif early is None or a_end <= early <= start:
                yield from _final(rack, (start, end), dealer, a_end, -1 if early is None else early, (-1, start))


def _dealer_on_early_cards(rack: Rack, seats: int, early: int | None) -> Iterator[Division]:
    size = len(rack.values)
    starts = range(size) if early is None else (early,)
    for start in starts:
        for _, end, dealer in rack.dealers_from(start):
            for a_end in before_action(rack, seats, dealer):
                if start in early_ends(rack, a_end, start, dealer):
                    yield from _final(rack, (start, end), dealer, a_end, start, (end, size))


def _final(
    rack: Rack,
    dealer: tuple[int, int],
    reading: DealerReading,
    a_end: int,
    b_end: int,
    final: tuple[int, int],
) -> Iterator[Division]:
    """The divisions of a final pickup that lies at `final` (its first place is -1 where `b` ends)."""
    bottom, top = final
    order = rack.house.pickup_order
    if order == "seats_ascending":
        yield Division(dealer, reading, Cursors(0, a_end, bottom, 0), a_end, b_end, top, 0)
    elif order == "seats_descending":
        yield Division(dealer, reading, Cursors(0, a_end, top, 0), a_end, b_end, bottom, 0)
    else:
        for middle in sorted(_tops_of_losers(rack, reading, max(bottom, a_end), top)):
            yield Division(dealer, reading, Cursors(0, a_end, top, middle), a_end, b_end, middle, bottom)


def before_action(rack: Rack, seats: int, dealer: DealerReading) -> Iterator[int]:
    """Every number of cards that may have been racked before the action: even money, or surrender (590)."""
    yield 0
    for count in range(1, seats + 1):
        pair = rack.pair(2 * count - 2)
        if pair is None or not any(goes_before_action(rack.house, r.natural, dealer) for r in pair.readings):
            return
        yield 2 * count


def goes_before_action(house: House, natural: bool, dealer: DealerReading) -> bool:
    """Whether a hand of two cards may be settled and racked before the first player acts.

    A Blackjack paid even money under an ace (672a.8(e)), or a hand surrendered under an ace or ten-value card
    that is no dealer Blackjack (590.9(a)(2)).
    """
    if natural:
        return house.even_money and dealer.ace_up
    return house.surrender and (dealer.ace_up or dealer.ten_up) and dealer.kind != "blackjack"


def early_ends(rack: Rack, start: int, limit: int, dealer: DealerReading) -> set[int]:
    """Places at which a row of hands racked in action can end: nothing is said yet of seats."""
    house = rack.house
    if dealer.kind == "blackjack":
        return {start}
    ends, open_ = {start}, [start]
    while open_:
        place = open_.pop()
        for stretch in rack.starting[place] if place < limit else ():
            if stretch.end > limit or stretch.end in ends:
                continue
            pair = stretch.end - place == 2
            if any(
                (r.total == BUST and (house.busts_at_once or house.racks_first_at_once(r.first)))
                or (pair and (r.natural or house.surrender))
                for r in stretch.readings
            ):
                ends.add(stretch.end)
                open_.append(stretch.end)
    return ends


def _tops_of_losers(rack: Rack, dealer: DealerReading, bottom: int, top: int) -> set[int]:
    """Places at which the losing hands of a `losers_first` pickup can end and the others begin."""
    ends, open_ = {top}, [top]
    while open_:
        for stretch in rack.ending[open_.pop()]:
            if stretch.start < bottom or stretch.start in ends:
                continue
            if any(not loses(r, split, dealer) for r in stretch.readings for split in (False, True)):
                ends.add(stretch.start)
                open_.append(stretch.start)
    return ends
