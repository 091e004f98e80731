"""The steps of the search: from a place up to which the rack is read to the places after one more seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from msgspec import Struct

from processors.rack.answer import Cards, SeatHands
from processors.rack.hands import HandReading
from processors.rack.house import House
from processors.rack.knowledge import Knowledge
from processors.rack.lanes import Cursors, Limits
from processors.rack.seat import Option, can_be_one_seat, options, parts
from processors.rack.settlement import Place
from processors.rack.shelf import Rack

ASK_EVERY = 4096
"""Options found between two looks at the time limit: only a rack of unreadable cards has so many at one place."""


class CutShort(Exception):
    """The search ends before everything is found: the time is over, or enough is listed."""


class Node(NamedTuple):
    """A place in the search: all that the hands of the seats still to be read depend on."""

    left: int
    """Seats still to be read."""
    at: Cursors
    limits: Limits
    faced: bool
    """The dealer drew with reason, or needs none: a hand stands, or Push 22 may be open (7(m))."""
    played: int
    """Cards drawn so far beyond the seats' first two; 0 where the draw order is not known."""


class Step(Struct, frozen=True, gc=False):
    """One seat's hands, where they lead, and what its hand `x.1` may have been."""

    hands: SeatHands
    to: int
    place: Place
    split: bool
    first: tuple[HandReading, ...]


class Steps:
    """The search's graph, found as it is walked. Nodes are numbered; equal nodes have one number.

    Args:
        rack: the rack.
        cards: its cards.
        knowledge: what is known of single seats, or None if there is nothing.
        expired: called at every new node, and at every `ASK_EVERY` options of one node.
    """

    def __init__(
        self, rack: Rack, cards: Cards, knowledge: Knowledge | None, expired: Callable[[], bool]
    ) -> None:
        self.rack, self.cards, self.knowledge, self.expired = rack, cards, knowledge, expired
        self.nodes: list[Node] = []
        self._numbers: dict[Node, int] = {}
        self._steps: dict[int, list[Step]] = {}
        self._options: dict[tuple[Cursors, Limits, bool, bool], list[Option]] = {}
        self._alive: dict[int, bool] = {}

    def number(self, node: Node) -> int:
        """The node's number."""
        number = self._numbers.get(node)
        if number is None:
            number = self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return number

    def steps(self, number: int) -> list[Step]:
        """What the next seat's hands can be, without looking whether the seats after it can be read.

        Raises:
            CutShort: the time is over.
        """
        found = self._steps.get(number)
        if found is None:
            if self.expired():
                raise CutShort
            found = self._steps[number] = list(self._find(self.nodes[number]))
        return found

    def alive(self, number: int) -> bool:
        """Whether all seats that are left can be read from here."""
        alive = self._alive.get(number)
        if alive is None:
            done = not self.nodes[number].left
            alive = self._alive[number] = done or any(self.alive(step.to) for step in self.steps(number))
        return alive

    def _find(self, node: Node) -> Iterator[Step]:
        house, left = self.rack.house, node.left - 1
        before = unread(house, node.at, node.limits)
        splits = self.knowledge is None or self.knowledge.may_split(node.left)
        for option in self._options_at(node.at, node.limits, not left, splits):
            faced = node.faced or faces(house, option)
            after = unread(house, option.after, node.limits)
            if after < 2 * left or (not left and (after or not faced)):
                continue
            if left == 1 and not can_be_one_seat(self.rack, parts(house, option.after, node.limits)):
                continue
            to = self.number(self._after(node, option, faced, before - after))
            for agreed in self._agreeing(option, node):
                hands = tuple(self.cards[hand.start : hand.end] for hand in agreed.hands)
                yield Step(hands, to, agreed.place, bool(agreed.trees), agreed.hands[0].readings)

    def _agreeing(self, option: Option, node: Node) -> Iterable[Option]:
        if self.knowledge is None:
            return (option,)
        against_blackjack = node.limits.dealer.kind == "blackjack"
        return self.knowledge.agreeing(option, node.left, node.played, against_blackjack)

    def _options_at(self, at: Cursors, limits: Limits, last: bool, splits: bool) -> list[Option]:
        key = (at, limits, last, splits)
        found = self._options.get(key)
        if found is None:
            found = []
            for option in options(self.rack, at, limits, last, splits):
                found.append(option)
                if not len(found) % ASK_EVERY and self.expired():
                    raise CutShort
            self._options[key] = found
        return found

    def _after(self, node: Node, option: Option, faced: bool, taken: int) -> Node:
        at, limits = option.after, node.limits
        if limits.a_end and at.a == limits.a_end:
            at, limits = at._replace(a=0), limits.after_lane_a()
        ordered = self.knowledge is not None and self.knowledge.drawn is not None
        return Node(node.left - 1, at, limits, faced, node.played + taken - 2 if ordered else 0)


def faces(house: House, option: Option) -> bool:
    """Whether this seat gives the dealer a reason to draw."""
    return option.live or (house.push22 and option.place not in ("blackjack", "even_money"))


def unread(house: House, at: Cursors, limits: Limits) -> int:
    """Number of players' cards not yet read; negative if a card would be read twice."""
    waiting = limits.a_end - at.a
    floor = limits.b_end if limits.b_end >= 0 else at.b
    racked = floor - at.b
    if house.pickup_order == "seats_ascending":
        return waiting + racked + limits.f_end - at.f if racked >= 0 else -1
    parts = [waiting, racked, at.f - (limits.f_end if limits.f_end >= 0 else floor)]
    if house.pickup_order == "losers_first":
        parts.append(at.g - (limits.g_end if limits.g_end >= 0 else floor))
    return sum(parts) if min(parts) >= 0 else -1
