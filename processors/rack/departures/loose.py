"""Every way in which one seat's hands can lie in the rack, as in `rack.seat`, with each broken rule counted."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from processors.rack.departures.faults import FaultKind
from processors.rack.hands import (
    ACE,
    BUST,
    EVERY_VALUE,
    ROWS_KEPT,
    UNREAD,
    HandReading,
    Stretch,
    Values,
    total_of,
)
from processors.rack.lanes import Cursors, Limits
from processors.rack.seat import Option, before_action
from processors.rack.settlement import Place, loses
from processors.rack.shelf import Rack
from processors.rack.splits import SplitPlan, plans

MOST_CARDS = 8
"""Longest hand that is tried; a longer lawful one occurs in one shoe of a million."""

FAULTS_OF_CARDS: frozenset[FaultKind] = frozenset({"one_card", "drew_on_21", "drew_over_21"})
"""Faults that the cards of one hand show by themselves."""

Faults = tuple[tuple[FaultKind, int], ...]
"""Faults, each with the number of the seat's hand."""


class LooseOption(NamedTuple):
    """Hands of one seat, with their faults."""

    option: Option
    faults: Faults
    tucked: bool
    """A Blackjack was left for the pickup, which proves an open Push 22."""


class _Row(NamedTuple):
    """Hands that follow each other in one lane, their own faults by place in the row, and the cursors after them."""

    hands: tuple[Stretch, ...]
    faults: Faults
    b: int
    f: int
    g: int


@lru_cache(maxsize=ROWS_KEPT)
def loose_readings(values: Values) -> tuple[tuple[HandReading, tuple[FaultKind, ...]], ...]:
    """Everything these cards can be as a hand, with the fewest faults that each needs."""
    if len(values) == 1:
        firsts = (values[0],) if values[0] else EVERY_VALUE
        return tuple((HandReading(v, 11 if v == ACE else v, False, False), ("one_card",)) for v in firsts)
    states: dict[tuple[int, int, bool], tuple[FaultKind, ...]] = {(0, 0, False): ()}
    for count, value in enumerate(values):
        grown: dict[tuple[int, int, bool], tuple[FaultKind, ...]] = {}
        for (first, low, ace), faults in states.items():
            total = total_of(low, ace)
            if count > 1 and total >= 21:
                faults = (*faults, "drew_on_21" if total == 21 else "drew_over_21")
            for card in (value,) if value else EVERY_VALUE:
                state = (first or card, low + card, ace or card == ACE)
                if state not in grown or len(faults) < len(grown[state]):
                    grown[state] = faults
        states = grown
    found: dict[HandReading, tuple[FaultKind, ...]] = {}
    for (first, low, ace), faults in sorted(states.items()):
        total = min(total_of(low, ace), BUST)
        reading = HandReading(first, total, len(values) == 2 and ace and total == 21, large=False)
        if reading not in found or len(faults) < len(found[reading]):
            found[reading] = faults
    return tuple(found.items())


class LooseTurn:
    """One seat's turn at the rack, with at most `budget` faults."""

    def __init__(self, rack: Rack, at: Cursors, limits: Limits, budget: int, fewest_cards: int) -> None:
        self.rack, self.at, self.limits, self.budget = rack, at, limits, budget
        self.fewest_cards = fewest_cards
        self.house = rack.house
        self.against_blackjack = limits.dealer.kind == "blackjack"
        self.losers_apart = self.house.pickup_order == "losers_first"
        self.b_limit, self.f_floor, self.g_floor = limits.around(at, self.losers_apart)

    def options(self) -> Iterator[LooseOption]:
        """Every way in which the seat's hands can lie at the cursors."""
        for option in before_action(self.rack, self.at, self.limits):
            yield LooseOption(option, (), False)
        yield from self._in_action()
        yield from self._picked_up()
        yield from self._split()

    def _in_action(self) -> Iterator[LooseOption]:
        house = self.house
        for row in self._rows(1, None, early=True, split=False):
            hand, faults = row.hands[0], _of_first(row)
            reading, two = hand.readings[0], hand.end - hand.start == 2
            place: Place = "blackjack" if reading.natural else "bust"
            if self.against_blackjack:
                faults += (("live_early", 1),) if two else (("after_blackjack", 1),)
            elif reading.total == BUST and not house.busts_at_once:
                faults += (("bust_early", 1),)
            elif reading.total != BUST and not reading.natural:
                place = "surrender" if two and house.surrender else "pickup"
                if place == "pickup":
                    faults += (("live_early", 1),)
            if len(faults) <= self.budget:
                option = Option(self.at._replace(b=row.b), row.hands, (), place, place == "pickup")
                yield LooseOption(option, faults, False)

    def _picked_up(self) -> Iterator[LooseOption]:
        house = self.house
        for row in self._rows(1, None, early=False, split=False):
            hand, faults = row.hands[0], _of_first(row)
            reading = hand.readings[0]
            if self.against_blackjack:
                if hand.end - hand.start > 2:
                    faults += (("after_blackjack", 1),)
            elif reading.natural and not house.push22:
                faults += (("blackjack_left", 1),)
            elif reading.total == BUST and house.busts_at_once:
                faults += (("bust_left", 1),)
            if len(faults) <= self.budget:
                live = reading.total != BUST and not reading.natural
                option = Option(Cursors(self.at.a, self.at.b, row.f, row.g), row.hands, (), "pickup", live)
                yield LooseOption(option, faults, reading.natural)

    def _split(self) -> Iterator[LooseOption]:
        house, most = self.house, self.house.hands_at_most + 1
        if self.against_blackjack and not self.budget:
            return
        for value in sorted(set(self.rack.values) - {UNREAD}) or EVERY_VALUE:
            racked = [self._rows(count, value, early=True, split=True) for count in range(most + 1)]
            left = [self._rows(count, value, early=False, split=True) for count in range(most + 1)]
            tucks, at_once = house.tucks_first(value), house.racks_first_at_once(value)
            for groups in plans(most, house.busts_at_once, tucks, at_once):
                for plan in (plan for group in groups.values() for plan in group):
                    for early in racked[len(plan.early)]:
                        for final in left[len(plan.final)]:
                            yield from self._laid_out(value, plan, early, final)

    def _laid_out(self, value: int, plan: SplitPlan, early: _Row, final: _Row) -> Iterator[LooseOption]:
        """The option of one plan, if its faults do not exceed the budget."""
        hands = dict(zip((*plan.early, *plan.final), (*early.hands, *final.hands), strict=True))
        faults: Faults = (("too_many_hands", 1),) * (len(hands) - self.house.hands_at_most)
        if self.against_blackjack:
            faults += (("after_blackjack", 1),)
        faults += tuple((kind, plan.early[place]) for kind, place in early.faults)
        faults += tuple((kind, plan.final[place]) for kind, place in final.faults)
        for number, hand in zip(plan.early, early.hands, strict=True):
            if hand.readings[0].total != BUST:
                faults += (("live_early", number),)
        for number, may_bust, hand in zip(plan.final, plan.may_bust, final.hands, strict=True):
            if hand.readings[0].total == BUST and not may_bust:
                faults += (("bust_left", number),)
        # The others are measured by the first hand.
        if hands[1].readings[0].first == value and len(faults) <= self.budget:
            option = Option(
                Cursors(self.at.a, early.b, final.f, final.g),
                tuple(hands[number] for number in sorted(hands)),
                plan.trees,
                "bust" if 1 in plan.early else "pickup",
                any(hand.readings[0].total != BUST for hand in hands.values()),
            )
            yield LooseOption(option, faults, False)

    def _rows(self, count: int, value: int | None, early: bool, split: bool) -> list[_Row]:
        """Rows of so many hands in one lane whose own faults do not exceed the budget."""
        rows = [_Row((), (), self.at.b, self.at.f, self.at.g)]
        for _ in range(count):
            rows = [grown for row in rows for grown in self._grown(row, value, early, split)]
        return rows

    def _grown(self, row: _Row, value: int | None, early: bool, split: bool) -> Iterator[_Row]:
        for start, end, b, f, g in self._next_racked(row) if early else self._next_left(row):
            for reading, kinds in loose_readings(self.rack.values[start:end]):
                if (
                    not early
                    and self.losers_apart
                    and loses(reading, split, self.limits.dealer) != (g != row.g)
                ):
                    continue
                place = len(row.hands)
                faults = row.faults + tuple((kind, place) for kind in kinds)
                if value is not None:
                    faults += self._of_split(value, reading, end - start, place)
                if len(faults) <= self.budget:
                    yield _Row((*row.hands, Stretch(start, end, (reading,))), faults, b, f, g)

    def _of_split(self, value: int, reading: HandReading, cards: int, place: int) -> Faults:
        if reading.first != value:
            return (("unequal_split", place),)
        if value == ACE and self.house.split_aces_one_card and cards > 2:
            return (("split_ace_drew", place),)
        return ()

    def _next_racked(self, row: _Row) -> Iterator[tuple[int, int, int, int, int]]:
        for end in range(row.b + self.fewest_cards, min(self.b_limit, row.b + MOST_CARDS) + 1):
            yield row.b, end, end, row.f, row.g

    def _next_left(self, row: _Row) -> Iterator[tuple[int, int, int, int, int]]:
        if self.house.pickup_order == "seats_ascending":
            for end in range(row.f + self.fewest_cards, min(self.limits.f_end, row.f + MOST_CARDS) + 1):
                yield row.f, end, row.b, end, row.g
            return
        for start in range(row.f - self.fewest_cards, max(self.f_floor, row.f - MOST_CARDS) - 1, -1):
            yield start, row.f, row.b, start, row.g
        if self.losers_apart:
            for start in range(row.g - self.fewest_cards, max(self.g_floor, row.g - MOST_CARDS) - 1, -1):
                yield start, row.g, row.b, row.f, start


def _of_first(row: _Row) -> Faults:
    return tuple((kind, 1) for kind, _ in row.faults)
