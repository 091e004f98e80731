"""Every hand that can lie anywhere in a rack, sorted by its result."""

from __future__ import annotations

from collections.abc import Callable

from processors.rack.hands import (
    ACE,
    BUST,
    EVERY_VALUE,
    UNREAD,
    DealerReading,
    HandReading,
    Stretch,
    dealer_readings,
    stretches,
)
from processors.rack.house import House


class _Places(dict[int, list[Stretch]]):
    """Hands by a place of the rack; most places have none."""

    def __missing__(self, place: int) -> list[Stretch]:
        return _NOTHING


_NOTHING: list[Stretch] = []


class Shelf:
    """Hands of one kind by the place where they begin and by the place where they end, shortest first."""

    __slots__ = ("ending", "starting")

    def __init__(self) -> None:
        self.starting = _Places()
        self.ending = _Places()

    def put(self, stretch: Stretch) -> None:
        """Add a hand."""
        for places, place in ((self.starting, stretch.start), (self.ending, stretch.end)):
            if place in places:
                places[place].append(stretch)
            else:
                places[place] = [stretch]


class Rack:
    """The rack's cards by place, and every hand that can lie there, split or not.

    A hand stands on one shelf with the readings that belong there: a row of unreadable cards stands on several.
    """

    def __init__(self, values: tuple[int, ...], house: House) -> None:
        self.values = values
        self.house = house
        self.naturals, self.pairs = Shelf(), Shelf()
        self.standing, self.busts = Shelf(), Shelf()
        self.split_values = tuple(v for v in EVERY_VALUE if values.count(v) + values.count(UNREAD) > 1)
        self.split_standing = {value: Shelf() for value in self.split_values}
        self.split_busts = {value: Shelf() for value in self.split_values}
        self.places: set[tuple[int, int]] = set()
        """Where any hand can lie."""
        for start in range(len(values)):
            for stretch in stretches(values, start):
                self.places.add((stretch.start, stretch.end))
                self._put(stretch)
        self._chains: dict[tuple[int, int, int], list[tuple[Stretch, ...]]] = {}
        self._rows: dict[tuple[int, int, bool], int] = {}
        self._values: dict[tuple[int, bool], tuple[int, ...]] = {}

    def _put(self, stretch: Stretch) -> None:
        two = stretch.end - stretch.start == 2
        if len(stretch.readings) == 1:
            self._put_read(stretch, stretch.readings[0], two)
            return
        _shelve(self.naturals, stretch, lambda r: r.natural)
        _shelve(self.standing, stretch, lambda r: not r.natural and r.total != BUST)
        _shelve(self.busts, stretch, lambda r: r.total == BUST)
        if two:
            _shelve(self.pairs, stretch, lambda r: not r.natural)
        for value in {reading.first for reading in stretch.readings}.intersection(self.split_values):
            if value == ACE and self.house.split_aces_one_card and not two:
                continue  # 685a.10(e)
            of_value = stretch._replace(readings=tuple(r for r in stretch.readings if r.first == value))
            _shelve(self.split_standing[value], of_value, lambda r: r.total != BUST)
            _shelve(self.split_busts[value], of_value, lambda r: r.total == BUST)

    def _put_read(self, stretch: Stretch, reading: HandReading, two: bool) -> None:
        """The same for cards that are all read, of which there is one reading."""
        if reading.natural:
            self.naturals.put(stretch)
        else:
            (self.busts if reading.total == BUST else self.standing).put(stretch)
            if two:
                self.pairs.put(stretch)
        value = reading.first
        split = self.split_busts if reading.total == BUST else self.split_standing
        if value in split and (two or value != ACE or not self.house.split_aces_one_card):
            split[value].put(stretch)

    def bust_chains(self, value: int, start: int, count: int) -> list[tuple[Stretch, ...]]:
        """Every row of `count` hands over 21 that begin with a card of this value."""
        if not count:
            return [()]
        key = (value, start, count)
        found = self._chains.get(key)
        if found is None:
            found = self._chains[key] = [
                (hand, *rest)
                for hand in self.split_busts[value].starting[start]
                for rest in self.bust_chains(value, hand.end, count - 1)
            ]
        return found

    def split_values_at(self, place: int, *, upwards: bool) -> tuple[int, ...]:
        """Values of the hands of splits that can lie at this place, up or down the rack."""
        found = self._values.get((place, upwards))
        if found is None:
            found = self._values[place, upwards] = tuple(
                value for value in self.split_values if self.longest_row(value, place, upwards=upwards)
            )
        return found

    def longest_row(self, value: int, place: int, *, upwards: bool) -> int:
        """Hands of a split of this value that can follow each other from this place, up or down the rack."""
        key = (value, place, upwards)
        found = self._rows.get(key)
        if found is None:
            found = 0
            for shelf in (self.split_standing[value], self.split_busts[value]):
                for hand in shelf.starting[place] if upwards else shelf.ending[place]:
                    onward = hand.end if upwards else hand.start
                    found = max(found, 1 + self.longest_row(value, onward, upwards=upwards))
            self._rows[key] = found
        return found

    def dealer_readings(self, start: int, end: int) -> tuple[DealerReading, ...]:
        """What the cards from `start` up to `end` can be as the dealer's hand."""
        house = self.house
        return dealer_readings(
            self.values[start:end],
            house.ace_limit_dealer,
            house.stands_from,
            house.profile.dealer_always_draws,
        )


def _shelve(shelf: Shelf, stretch: Stretch, rule: Callable[[HandReading], bool]) -> None:
    kept = tuple(reading for reading in stretch.readings if rule(reading))
    if kept:
        shelf.put(stretch._replace(readings=kept))
