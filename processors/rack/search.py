"""The search: hands are read off the rack seat after seat, and every distinct map is met exactly once.

Places in the search are nodes; several readings of the same cards lead to several nodes, so a map is a path of
*sets* of nodes, one set after each seat. Distinct paths are distinct maps: nothing is listed twice, however many
readings a map has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from processors.rack.knowledge import Knowledge
from processors.rack.lanes import Cursors, Division, Rack, divisions
from processors.rack.problem import RackProblem
from processors.rack.seat import Option, options
from processors.rack.settlement import Outcome, outcomes

Cards = tuple[str, ...]
SeatHands = tuple[Cards, ...]
"""The cards of a seat's hands, `x.1` first."""


class Expired(Exception):
    """The time for the search is over."""


class Node(NamedTuple):
    """A place in the search: what is read, and whether the dealer's draws are accounted for already."""

    division: int
    order: int
    at: Cursors
    faced: bool
    """The dealer drew with reason: a hand stands, or Push 22 may be open (7(m))."""


class Step(NamedTuple):
    """One seat's hands, and how its main wager may have ended."""

    hands: SeatHands
    to: Node
    main: frozenset[Outcome]


class Facts(NamedTuple):
    """What all complete readings together say of one seat."""

    main: frozenset[Outcome]
    hands: frozenset[SeatHands]


class OptionCache:
    """Options do not depend on the seat, only on where the cursors stand: they are found once."""

    def __init__(self, rack: Rack) -> None:
        self.rack = rack
        self._found: dict[tuple[object, ...], list[Option]] = {}

    def options(self, at: Cursors, division: Division) -> list[Option]:
        """As `seat.options`."""
        dealer = division.dealer_reading
        total = dealer.total if self.rack.house.pickup_order == "losers_first" else 0
        waiting = at.a < division.a_end
        key = (
            at,
            waiting and (dealer.ace_up, dealer.ten_up),
            dealer.kind in ("blackjack", "short") and dealer.kind,
            total,
            division.b_end,
            division.f_end,
            division.g_end,
        )
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = options(self.rack, at, division)
        return found


class Search:
    """Every lawful reconstruction for one set of occupied seats."""

    def __init__(
        self,
        problem: RackProblem,
        cache: OptionCache,
        seats: Sequence[int],
        expired: Callable[[], bool],
    ) -> None:
        self.cache = cache
        self.house = cache.rack.house
        self.cards = problem.rack
        self.seats = tuple(sorted(seats))
        self.knowledge = Knowledge(problem, cache.rack, self.seats)
        self.expired = expired
        self.divisions: list[Division] = []
        if self.knowledge.possible() and len(problem.rack) >= 2 * len(self.seats) + 2:
            self.divisions = [
                division
                for division in divisions(cache.rack, len(self.seats), problem.early)
                if self.knowledge.dealer_agrees(division.dealer, division.dealer_reading)
            ]
        self._steps: dict[Node, list[Step]] = {}
        self._dead: set[frozenset[Node]] = set()
        self._alive: dict[Node, bool] = {}

    def maps(self) -> Iterator[tuple[Cards, ...] | tuple[SeatHands | Cards, ...]]:
        """Every reconstruction once, in a fixed order: the dealer's cards, then each seat's hands.

        Raises:
            Expired: the time is over.
        """
        starts: dict[Cards, set[Node]] = {}
        for index, division in enumerate(self.divisions):
            faced = division.dealer_reading.kind != "drawn"
            node = Node(index, 0, division.start, faced)
            starts.setdefault(self.cards[slice(*division.dealer)], set()).add(node)
        for dealer in sorted(starts):
            for seats in self._walk(frozenset(starts[dealer]), 0):
                yield (dealer, *seats)

    def _walk(self, nodes: frozenset[Node], order: int) -> Iterator[tuple[SeatHands, ...]]:
        if order == len(self.seats):
            yield ()
            return
        if nodes in self._dead:
            return
        found = False
        grouped: dict[SeatHands, set[Node]] = {}
        for node in nodes:
            for step in self.steps(node):
                grouped.setdefault(step.hands, set()).add(step.to)
        for hands in sorted(grouped):
            for rest in self._walk(frozenset(grouped[hands]), order + 1):
                found = True
                yield (hands, *rest)
        if not found:
            self._dead.add(nodes)

    def steps(self, node: Node) -> list[Step]:
        """What the next seat's hands can be, without looking whether the seats after it can be read."""
        found = self._steps.get(node)
        if found is None:
            if self.expired():
                raise Expired
            found = self._steps[node] = list(self._find_steps(node))
        return found

    def _find_steps(self, node: Node) -> Iterator[Step]:
        division = self.divisions[node.division]
        dealer = division.dealer_reading
        left = len(self.seats) - node.order - 1
        played = self._read(node, division) - 2 * node.order
        for option in self.cache.options(node.at, division):
            faced = node.faced or self._faces(option)
            to = Node(node.division, node.order + 1, option.after, faced)
            if not self._can_go_on(to, division, left):
                continue
            for agreed in self.knowledge.agreeing(option, node.order, played, dealer):
                main: set[Outcome] = set()
                for reading in agreed.hands[0].readings:
                    main |= outcomes(agreed.place, reading, bool(agreed.trees), dealer, self.house)
                hands = tuple(self.cards[hand.start : hand.end] for hand in agreed.hands)
                yield Step(hands, to, frozenset(main))

    def _faces(self, option: Option) -> bool:
        """Whether this seat gives the dealer a reason to draw."""
        return option.live or self.house.push22 and option.place not in ("blackjack", "even_money")

    def _read(self, node: Node, division: Division) -> int:
        """Number of cards that the seats before this node hold."""
        at, start = node.at, division.start
        return at.a + at.b - start.b + abs(at.f - start.f) + start.g - at.g

    def _can_go_on(self, node: Node, division: Division, left: int) -> bool:
        """Whether the cards that remain can be exactly the hands of the seats that are left."""
        remaining = self.remaining(node.at, division)
        if remaining < 2 * left or (remaining and not left):
            return False
        return bool(left) or node.faced

    def remaining(self, at: Cursors, division: Division) -> int:
        """Number of cards not yet read; negative if a card would be read twice."""
        order = self.house.pickup_order
        waiting = division.a_end - at.a
        floor = division.b_end if division.b_end >= 0 else at.b
        racked = floor - at.b
        if order == "seats_ascending":
            return waiting + racked + division.f_end - at.f if racked >= 0 else -1
        parts = [waiting, racked, at.f - (division.f_end if division.f_end >= 0 else floor)]
        if order == "losers_first":
            parts.append(at.g - (division.g_end if division.g_end >= 0 else floor))
        return sum(parts) if min(parts) >= 0 else -1

    def facts(self) -> list[Facts]:
        """For each seat what every complete reading says of it; to be asked after `maps` has ended."""
        main: list[set[Outcome]] = [set() for _ in self.seats]
        hands: list[set[SeatHands]] = [set() for _ in self.seats]
        seen: set[Node] = set()
        open_ = [
            Node(index, 0, division.start, division.dealer_reading.kind != "drawn")
            for index, division in enumerate(self.divisions)
        ]
        while open_:
            node = open_.pop()
            if node in seen or node.order == len(self.seats) or not self._is_alive(node):
                continue
            seen.add(node)
            for step in self.steps(node):
                if self._is_alive(step.to):
                    main[node.order] |= step.main
                    hands[node.order].add(step.hands)
                    open_.append(step.to)
        return [Facts(frozenset(m), frozenset(h)) for m, h in zip(main, hands, strict=True)]

    def _is_alive(self, node: Node) -> bool:
        if node.order == len(self.seats):
            return True
        alive = self._alive.get(node)
        if alive is None:
            alive = self._alive[node] = any(self._is_alive(step.to) for step in self.steps(node))
        return alive
