"""Where no round is lawful: the reconstruction with the fewest departures from the rules and from what is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, islice
from typing import NamedTuple

from msgspec import structs

from processors.rack.answer import Hands, Reconstruction
from processors.rack.departures.contradictions import distance, explained
from processors.rack.departures.faults import Fault, FaultKind, deviation
from processors.rack.departures.loose import FAULTS_OF_CARDS, LooseOption, LooseTurn, loose_readings
from processors.rack.departures.loose_dealer import MOST_CARDS, end_faults, loose_dealer_readings
from processors.rack.hands import DealerReading, value_of
from processors.rack.knowledge import Knowledge
from processors.rack.lanes import Cursors, Limits, before_action
from processors.rack.problem import RackProblem
from processors.rack.search import searches
from processors.rack.shelf import Rack
from processors.rack.steps import CutShort, faces, unread
from schemas.values import DEALER

MOST_FAULTS = 4
"""Most departures that are tried; a rack that needs more proves nothing of its round."""

MOST_COMPARED = 20_000
"""Lawful reconstructions that are compared with a fact that was set aside."""


class _Place(NamedTuple):
    """A place in the search, and the facts of the hands before it on which the rest depends."""

    at: Cursors
    live: bool
    faced: bool
    tucked: bool
    played: int


class _Way(NamedTuple):
    """The cheapest way to a place: its faults, and the hands of the last seat before it."""

    faults: tuple[Fault, ...]
    before: _Way | None
    taken: LooseOption | None


class _Edit(NamedTuple):
    """One known fact of the table or the round that is set aside, which counts as a fault."""

    fault: Fault
    apply: Callable[[RackProblem], RackProblem]


def nearest(problem: RackProblem, expired: Callable[[], bool]) -> Reconstruction | None:
    """The reconstruction with the fewest deviations; None if none with at most four is found in time.

    A broken rule is preferred to setting a known fact aside, because the fact is evidence; a hand of one card comes
    last, because everybody at the table would have seen it.
    """
    try:
        for budget in range(1, MOST_FAULTS + 1):
            for fewest_cards in (2, 1):
                for count in range(budget + (fewest_cards == 2)):
                    for edits in combinations(_edits(problem), count):
                        if len({edit.fault for edit in edits}) < count:
                            continue  # two other pickup orders
                        found = _edited(problem, edits, budget - count, fewest_cards, expired)
                        if found is not None:
                            return found
    except CutShort:
        pass
    return None


def _edited(
    problem: RackProblem,
    edits: tuple[_Edit, ...],
    budget: int,
    fewest_cards: int,
    expired: Callable[[], bool],
) -> Reconstruction | None:
    original = problem
    for edit in edits:
        problem = edit.apply(problem)
    set_aside = tuple(edit.fault for edit in edits)
    if not budget:
        return _closest(original, problem, set_aside, expired)
    rack = Rack(tuple(value_of(card) for card in problem.rack), problem.house)
    for seats in problem.occupied():
        found = _Loose(problem, rack, seats, budget, fewest_cards, expired).best()
        if found is not None and (found[1] or set_aside):
            return _reconstruction(original, found[0], set_aside + found[1])
    return None


def _closest(
    original: RackProblem, problem: RackProblem, set_aside: tuple[Fault, ...], expired: Callable[[], bool]
) -> Reconstruction | None:
    """The lawful reconstruction that contradicts the facts set aside least."""
    maps = (hands for search in searches(problem, expired) for hands in search.maps())
    best = min(
        islice(maps, MOST_COMPARED),
        key=lambda hands: sum(distance(fault, original, hands) for fault in set_aside),
        default=None,
    )
    return _reconstruction(original, best, set_aside) if best is not None else None


def _reconstruction(problem: RackProblem, hands: Hands, faults: tuple[Fault, ...]) -> Reconstruction:
    said = [explained(fault, problem, hands) for fault in faults]
    said.sort(key=lambda fault: (fault.hand or "", fault.kind))
    return Reconstruction(hands, tuple(deviation(fault, problem.house) for fault in said))


def _edits(problem: RackProblem) -> Iterator[_Edit]:
    """Every fact that can be set aside, the table's pickup order first."""
    for order in ("seats_descending", "seats_ascending", "losers_first"):
        if order != problem.table.pickup_order:
            yield _table_edit("pickup_order", pickup_order=order)
    placing = "first" if problem.table.dealer_cards == "last" else "last"
    yield _table_edit("dealer_place", dealer_cards=placing)
    collection = "immediate" if problem.table.bust_collection == "at_settlement" else "at_settlement"
    yield _table_edit("bust_collection", bust_collection=collection)
    for hand in sorted(problem.known or {}):
        yield _Edit(Fault("known", hand), partial(_without_hand, hand=hand))
    kinds: tuple[FaultKind, ...] = ("upcard", "drawn", "surrendered", "early", "seats")
    for kind in kinds:
        if getattr(problem, kind) is not None:
            yield _Edit(Fault(kind), partial(structs.replace, **{kind: None}))


def _table_edit(kind: FaultKind, **setting: str) -> _Edit:
    return _Edit(Fault(kind), lambda p: structs.replace(p, table=structs.replace(p.table, **setting)))


def _without_hand(problem: RackProblem, hand: str) -> RackProblem:
    known = {name: cards for name, cards in (problem.known or {}).items() if name != hand}
    return structs.replace(problem, known=known)


class _Loose:
    """The search for one set of occupied seats, with at most `budget` faults."""

    def __init__(
        self,
        problem: RackProblem,
        rack: Rack,
        seats: tuple[int, ...],
        budget: int,
        fewest_cards: int,
        expired: Callable[[], bool],
    ) -> None:
        self.problem, self.rack, self.seats, self.expired = problem, rack, seats, expired
        self.budget, self.fewest_cards = budget, fewest_cards
        self.house = rack.house
        self.knowledge = Knowledge(problem, rack, seats)
        self._options: dict[tuple[Cursors, Limits, int], list[LooseOption]] = {}

    def best(self) -> tuple[Hands, tuple[Fault, ...]] | None:
        """Hands and faults of the reconstruction with the fewest."""
        found: tuple[Hands, tuple[Fault, ...]] | None = None
        if not self.knowledge.possible() or len(self.problem.rack) < self._fewest_cards():
            return None
        for place, reading, faults in self._dealers():
            for at, limits in self._starts(place, reading):
                way = self._follow(at, limits, faults)
                if way is not None and (found is None or len(way.faults) < len(found[1])):
                    found = (self._hands(way, place), way.faults)
        return found

    def _fewest_cards(self) -> int:
        """Fewest cards of a rack that can be searched: the draw order deals everybody two."""
        return (len(self.seats) + 1) * (self.fewest_cards if self.problem.drawn is None else 2)

    def _dealers(self) -> Iterator[tuple[tuple[int, int], DealerReading, tuple[Fault, ...]]]:
        size = len(self.rack.values)
        if self.house.dealer_first:
            starts = range(size)
            places = [
                (s, e) for s in starts for e in range(s + self.fewest_cards, min(size, s + MOST_CARDS) + 1)
            ]
        else:
            starts = range(size - self.fewest_cards, max(0, size - MOST_CARDS) - 1, -1)
            places = [(start, size) for start in starts]
        for place in places:
            values = self.knowledge.dealer_values(place)
            for reading, faults in loose_dealer_readings(values, self.house) if values is not None else ():
                if len(faults) <= self.budget:
                    yield place, reading, faults

    def _starts(self, place: tuple[int, int], reading: DealerReading) -> Iterator[tuple[Cursors, Limits]]:
        """Where the lanes of a rack with the dealer's hand at this place can begin and end."""
        start, end = place
        order, early = self.house.pickup_order, self.problem.early
        size = len(self.rack.values)
        bottom, top = (end, size) if self.house.dealer_first else (-1, start)
        ends = [start] if self.house.dealer_first else [-1] if early is None else [early]
        if order == "seats_ascending" and not self.house.dealer_first and early is None:
            ends = list(range(start + 1))
        for b_end in ends:
            floor = bottom if bottom >= 0 else b_end
            if early not in (None, b_end) or b_end > start:
                continue
            highest = start if b_end < 0 else b_end
            for a_end in (
                end for end in before_action(self.rack, len(self.seats), reading) if end <= highest
            ):
                if order == "seats_ascending":
                    yield Cursors(0, a_end, floor, 0), Limits(reading, a_end, b_end, top, 0)
                elif order == "seats_descending":
                    yield Cursors(0, a_end, top, 0), Limits(reading, a_end, b_end, floor, 0)
                else:
                    for middle in range(max(floor, a_end), top + 1):
                        yield Cursors(0, a_end, top, middle), Limits(reading, a_end, b_end, middle, floor)

    def _follow(self, at: Cursors, limits: Limits, faults: tuple[Fault, ...]) -> _Way | None:
        """The cheapest way through all seats."""
        level = {_Place(at, False, False, False, 0): _Way(faults, None, None)}
        for left in range(len(self.seats), 0, -1):
            if self.expired():
                raise CutShort
            onward: dict[_Place, _Way] = {}
            for place, way in level.items():
                for to, onto in self._onward(place, way, limits, left):
                    if to not in onward or len(onto.faults) < len(onward[to].faults):
                        onward[to] = onto
            level = onward
        best: _Way | None = None
        for place, way in level.items():
            faults = way.faults + end_faults(limits.dealer, place.live, place.faced, place.tucked)
            if len(faults) <= self.budget and (best is None or len(faults) < len(best.faults)):
                best = way._replace(faults=faults)
        return best

    def _onward(self, place: _Place, way: _Way, limits: Limits, left: int) -> Iterator[tuple[_Place, _Way]]:
        seat = self.seats[-left]
        before = unread(self.house, place.at, limits)
        for loose in self._options_at(place.at, limits, self.budget - len(way.faults)):
            option = loose.option
            after = unread(self.house, option.after, limits)
            if after < left - 1 or (left == 1 and after):
                continue
            if not self._agrees(loose, left, place.played, limits.dealer.kind == "blackjack"):
                continue
            faults = way.faults + tuple(Fault(kind, f"{seat}.{n}") for kind, n in loose.faults)
            to = _Place(
                option.after,
                place.live or option.live,
                place.faced or faces(self.house, option),
                place.tucked or loose.tucked,
                place.played + before - after - 2 if self.problem.drawn is not None else 0,
            )
            yield to, _Way(faults, way, loose)

    def _agrees(self, loose: LooseOption, left: int, played: int, against_blackjack: bool) -> bool:
        """Whether the hands can be read like this, with these faults, under what is known."""
        option = loose.option
        counted = [
            sum(number == at and kind in FAULTS_OF_CARDS for kind, at in loose.faults)
            for number in range(1, len(option.hands) + 1)
        ]
        for values in self.knowledge.agreeing_values(option, left, played, against_blackjack):
            needed = [
                dict(loose_readings(row)).get(hand.readings[0])
                for hand, row in zip(option.hands, values, strict=True)
            ]
            if all(
                kinds is not None and len(kinds) <= most for kinds, most in zip(needed, counted, strict=True)
            ):
                return True
        return False

    def _options_at(self, at: Cursors, limits: Limits, budget: int) -> list[LooseOption]:
        key = (at, limits, budget)
        found = self._options.get(key)
        if found is None:
            turn = LooseTurn(self.rack, at, limits, budget, self.fewest_cards)
            found = self._options[key] = list(turn.options())
        return found

    def _hands(self, way: _Way, dealer: tuple[int, int]) -> Hands:
        cards, taken = self.problem.rack, []
        step: _Way | None = way
        while step is not None and step.taken is not None:
            taken.append(step.taken.option.hands)
            step = step.before
        hands = {
            f"{seat}.{number}": cards[hand.start : hand.end]
            for seat, of_seat in zip(self.seats, reversed(taken), strict=True)
            for number, hand in enumerate(of_seat, start=1)
        }
        hands[DEALER] = cards[slice(*dealer)]
        return hands
