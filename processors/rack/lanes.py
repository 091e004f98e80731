"""How a rack divides: hands settled before the action, hands racked in it, the final pickup, the dealer.

Each part is read by a cursor, seat after seat: `a` the hands racked before the action, `b` those racked in it, `f`
the final pickup, and `g` its losers where they are picked up first. `b` starts where `a` ends. In a pickup by
descending seats `f` (and `g`) run downwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from processors.rack.hands import TEN, DealerReading
from processors.rack.house import House
from processors.rack.settlement import loses
from processors.rack.shelf import Rack


class Cursors(NamedTuple):
    """Places in the rack up to which (`f`, `g` downwards: from which) the cards are read."""

    a: int
    b: int
    f: int
    g: int


class Limits(NamedTuple):
    """Where the lanes end, and the facts of the dealer's hand on which the place of a seat's hands depends.

    An end of -1 means that the lane ends where its neighbour's cursor is. Divisions with equal limits are searched
    together.
    """

    dealer: DealerReading
    a_end: int
    b_end: int
    f_end: int
    g_end: int

    def around(self, at: Cursors, losers_apart: bool) -> tuple[int, int, int]:
        """Where lane `b` ends upwards, and `f` and `g` downwards, with the cursors of their neighbours at `at`."""
        b_end = self.b_end if self.b_end >= 0 else at.g if losers_apart else at.f
        return b_end, self.f_end if self.f_end >= 0 else at.b, self.g_end if self.g_end >= 0 else at.b

    def after_lane_a(self) -> Limits:
        """The limits once nobody waits before the action."""
        return self._replace(a_end=0, dealer=self.dealer._replace(ace_up=False, ten_up=False))


class Division(NamedTuple):
    """One way to divide the rack, before any seat's hands are read."""

    dealer: tuple[int, int]
    dealer_reading: DealerReading
    start: Cursors
    limits: Limits


def divisions(rack: Rack, seats: int, early: int | None) -> Iterator[Division]:
    """Every way to divide the rack among `seats` seats, `early` cards of it racked before the final pickup."""
    if rack.house.dealer_first:
        yield from _dealer_on_early_cards(rack, seats, early)
    else:
        yield from _dealer_on_top(rack, seats, early)


def _dealer_on_top(rack: Rack, seats: int, early: int | None) -> Iterator[Division]:
    end = len(rack.values)
    for start in range(end - 2, -1, -1):
        for dealer in rack.dealer_readings(start, end):
            for a_end in before_action(rack, seats, dealer):
                fixed = rack.house.pickup_order == "seats_ascending" or dealer.kind == "blackjack"
                b_ends = [-1 if early is None else early]
                if fixed:
                    possible = early_ends(rack, a_end, start, dealer)
                    b_ends = sorted(possible if early is None else {early} & possible)
                elif early is not None and not a_end <= early <= start:
                    continue
                for b_end in b_ends:
                    yield from _final(
                        rack, (start, end), dealer, a_end, b_end, (b_end if fixed else -1, start)
                    )


def _dealer_on_early_cards(rack: Rack, seats: int, early: int | None) -> Iterator[Division]:
    size = len(rack.values)
    for start in range(size) if early is None else (early,):
        for end in range(start + 2, size + 1):
            for dealer in rack.dealer_readings(start, end):
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
    bearing = reading._replace(
        kind="settled" if reading.kind == "drawn" else reading.kind,
        total=reading.total if order == "losers_first" else 0,
    )
    if order == "seats_ascending":
        lanes = [(bottom, 0, top, 0)]
    elif order == "seats_descending":
        lanes = [(top, 0, bottom, 0)]
    else:
        middles = sorted(_tops_of_losers(rack, reading, max(bottom, a_end), top))
        lanes = [(top, middle, middle, bottom) for middle in middles]
    for f, g, f_end, g_end in lanes:
        limits = Limits(bearing, a_end, b_end, f_end, g_end)
        if a_end:
            yield Division(dealer, reading, Cursors(0, a_end, f, g), limits)
        else:
            yield Division(dealer, reading, Cursors(0, 0, f, g), limits.after_lane_a())


def before_action(rack: Rack, seats: int, dealer: DealerReading) -> Iterator[int]:
    """Every number of cards that may have been racked before the action: even money, or surrender (590)."""
    yield 0
    for count in range(1, seats + 1):
        place = 2 * count - 2
        if place >= len(rack.values) or not any(
            goes_before_action(rack.house, natural, dealer) and shelf.starting[place]
            for natural, shelf in ((True, rack.naturals), (False, rack.pairs))
        ):
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
    """Places at which a row of hands racked in action can end, whatever their seats."""
    house = rack.house
    if dealer.kind == "blackjack":
        return {start}
    shelves = [rack.naturals]
    if house.surrender:
        shelves.append(rack.pairs)
    if house.busts_at_once:
        shelves.append(rack.busts)
    elif TEN in rack.split_values and house.racks_first_at_once(TEN):
        shelves.append(rack.split_busts[TEN])
    ends, open_ = {start}, [start]
    while open_:
        place = open_.pop()
        for shelf in shelves:
            for hand in shelf.starting[place]:
                if hand.end <= limit and hand.end not in ends:
                    ends.add(hand.end)
                    open_.append(hand.end)
    return ends


def _tops_of_losers(rack: Rack, dealer: DealerReading, bottom: int, top: int) -> set[int]:
    """Places at which the losing hands of a `losers_first` pickup can end and the others begin."""
    ends, open_ = {top}, [top]
    while open_:
        place = open_.pop()
        for shelf in (rack.naturals, rack.standing):
            for hand in shelf.ending[place]:
                if (
                    hand.start >= bottom
                    and hand.start not in ends
                    and any(not loses(reading, False, dealer) for reading in hand.readings)
                ):
                    ends.add(hand.start)
                    open_.append(hand.start)
    return ends
