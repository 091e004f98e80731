"""The search: hands are read off the rack seat after seat, and every distinct map is met exactly once.

Several readings of the same cards lead to several nodes, so a map is a path of *sets* of nodes, one set after each
seat. Distinct paths are distinct maps: nothing is listed twice, however many readings a map has.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

from processors.rack.answer import Cards, Hands, SeatHands
from processors.rack.hands import DealerReading, value_of
from processors.rack.knowledge import Knowledge
from processors.rack.lanes import Division, divisions
from processors.rack.problem import RackProblem
from processors.rack.settlement import Outcome, outcomes
from processors.rack.shelf import Rack
from processors.rack.steps import Node, Steps
from schemas.values import DEALER


def searches(problem: RackProblem, expired: Callable[[], bool]) -> Iterator[Search]:
    """One search for each set of seats that may have had a wager; what they have in common is found once."""
    rack = Rack(tuple(value_of(card) for card in problem.rack), problem.house)
    common = Steps(rack, problem.rack, None, expired)
    for seats in problem.occupied():
        knowledge = Knowledge(problem, rack, seats)
        graph = Steps(rack, problem.rack, knowledge, expired) if knowledge.of_seats else common
        yield Search(problem, knowledge, graph)


class Search:
    """Every lawful reconstruction for one set of occupied seats."""

    def __init__(self, problem: RackProblem, knowledge: Knowledge, graph: Steps) -> None:
        self.cards = problem.rack
        self.seats = knowledge.seats
        most = graph.rack.house.hands_at_most
        self.names = [[f"{seat}.{number}" for number in range(1, most + 1)] for seat in self.seats]
        self.graph = graph
        self.house = graph.rack.house
        self.starts: list[tuple[Division, int]] = []
        if not knowledge.possible() or len(problem.rack) < 2 * len(self.seats) + 2:
            return
        for division in divisions(graph.rack, len(self.seats), problem.early):
            if knowledge.dealer_agrees(division.dealer, division.dealer_reading):
                faced = division.dealer_reading.kind != "drawn"
                node = Node(len(self.seats), division.start, division.limits, faced, 0)
                self.starts.append((division, graph.number(node)))
        self._dead: set[frozenset[int]] = set()
        self._ways: dict[frozenset[int], list[tuple[SeatHands, frozenset[int]]]] = {}

    def maps(self) -> Iterator[Hands]:
        """Every reconstruction once, in a fixed order.

        Raises:
            CutShort: the time is over.
        """
        by_dealer: dict[Cards, set[int]] = {}
        for division, start in self.starts:
            by_dealer.setdefault(self.cards[slice(*division.dealer)], set()).add(start)
        for dealer in sorted(by_dealer):
            for seats in self._walk(frozenset(by_dealer[dealer]), len(self.seats), ()):
                yield self._named(dealer, seats)

    def _named(self, dealer: Cards, seats: tuple[SeatHands, ...]) -> Hands:
        named: Hands = {}
        for names, hands in zip(self.names, seats, strict=True):
            named[names[0]] = hands[0]
            if len(hands) > 1:
                named.update(zip(names, hands, strict=False))
        named[DEALER] = dealer
        return named

    def _walk(
        self, nodes: frozenset[int], left: int, read: tuple[SeatHands, ...]
    ) -> Generator[tuple[SeatHands, ...], None, bool]:
        """Every way on from hands read already; whether there was one."""
        if nodes in self._dead:
            return False
        ways = self._ways.get(nodes)
        if ways is None:
            ways = self._ways[nodes] = self._next(nodes)
        if left == 1:
            for hands, _ in ways:
                yield (*read, hands)
            return bool(ways)
        found = False
        for hands, onward in ways:
            if (yield from self._walk(onward, left - 1, (*read, hands))):
                found = True
        if not found:
            self._dead.add(nodes)
        return found

    def _next(self, nodes: frozenset[int]) -> list[tuple[SeatHands, frozenset[int]]]:
        """The next seat's hands in order, each with the nodes it leads to."""
        grouped: dict[SeatHands, set[int]] = {}
        for node in nodes:
            for step in self.graph.steps(node):
                grouped.setdefault(step.hands, set()).add(step.to)
        return [(hands, frozenset(grouped[hands])) for hands in sorted(grouped)]

    def ends(self) -> list[set[Outcome]]:
        """For each seat the ways in which its main wager ended in some reading; empty if there is no reading.

        It stops at the first seat with two ways. Call it after `maps` has ended.
        """
        found: list[set[Outcome]] = [set() for _ in self.seats]
        by_reading: dict[DealerReading, list[int]] = {}
        for division, start in self.starts:
            by_reading.setdefault(division.dealer_reading, []).append(start)
        for reading in sorted(by_reading):
            seen: set[int] = set()
            open_ = by_reading[reading]
            while open_:
                node = open_.pop()
                left = self.graph.nodes[node].left
                if node in seen or not left or not self.graph.alive(node):
                    continue
                seen.add(node)
                main = found[-left]
                for step in self.graph.steps(node):
                    if self.graph.alive(step.to):
                        open_.append(step.to)
                        for first in step.first:
                            main |= outcomes(step.place, first, step.split, reading, self.house)
                if len(main) > 1:
                    return found
        return found if all(found) else []
