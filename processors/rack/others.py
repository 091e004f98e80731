"""Whether a rack allows another round than the one that was played: the weaker the evidence, the nearer the other.

Without the draw order there is nearly always a second round close by: two hands change seats, or a card goes over
to the neighbouring hand. Only where none is found so the whole search is asked, and it stops at the first other.
"""

from __future__ import annotations

from collections.abc import Iterator

from processors.rack.dealt import Budget, Spent
from processors.rack.hands import BUST, readings, values_of
from processors.rack.house import House
from processors.rack.knowledge import Knowledge
from processors.rack.laid import Cards, Laying, SeatHands, Spot, layings
from processors.rack.problem import RackProblem
from processors.rack.search import Search
from processors.rack.shelf import Rack
from processors.rack.steps import CutShort, Steps
from schemas.values import DEALER

Seats = tuple[SeatHands, ...]

NODES_PER_HAND = 8
"""A node of the whole search counts as so many hands of the budget: it costs about as much."""


def another_near(house: House, rack: Cards, seats: Seats, laying: Laying, budget: Budget) -> bool:
    """Whether a second lawful round of the same seats is found close to the one that lies there.

    Raises:
        Spent: the budget is used up.
    """
    for other, dealer in _neighbours(house, seats, laying):
        budget.spend(len(seats))
        if next(layings(house, rack, other, dealer), None) is not None:
            return True
    return False


def _neighbours(house: House, seats: Seats, laying: Laying) -> Iterator[tuple[Seats, Cards]]:
    dealer = next(spot.cards for spot in laying.spots if spot.seat < 0)
    for other in _exchanged(seats, laying):
        yield other, dealer
    for below, above in zip(laying.spots, laying.spots[1:], strict=False):
        whole = below.cards + above.cards
        for cut in (len(below.cards) - 1, len(below.cards) + 1):
            if 2 <= cut <= len(whole) - 2 and _alike(house, below, whole[:cut], above, whole[cut:]):
                changed = _with(seats, below, whole[:cut])
                other = _with(changed, above, whole[cut:])
                yield other, whole[cut:] if above.seat < 0 else whole[:cut] if below.seat < 0 else dealer


def _exchanged(seats: Seats, laying: Laying) -> Iterator[Seats]:
    """Neighbours of whom one's cards were racked early and the other's at the pickup: it may be the other way."""
    early = {spot.seat for spot in laying.spots[: laying.early]}
    for one in range(len(seats) - 1):
        if (one in early) != (one + 1 in early) and seats[one] != seats[one + 1]:
            yield (*seats[:one], seats[one + 1], seats[one], *seats[one + 2 :])


def _alike(house: House, below: Spot, lower: Cards, above: Spot, upper: Cards) -> bool:
    """Whether both rows can be hands that went where those before them did."""
    return _keeps(house, below, lower) and _keeps(house, above, upper)


def _keeps(house: House, spot: Spot, cards: Cards) -> bool:
    if spot.seat < 0:
        return True
    before, after = readings(values_of(spot.cards)), readings(values_of(cards))
    if not after:
        return False
    return not house.busts_at_once or (before[0].total == BUST) == (after[0].total == BUST)


def _with(seats: Seats, spot: Spot, cards: Cards) -> Seats:
    if spot.seat < 0:
        return seats
    hands = seats[spot.seat]
    changed = (*hands[: spot.number - 1], cards, *hands[spot.number :])
    return (*seats[: spot.seat], changed, *seats[spot.seat + 1 :])


class Wider:
    """The whole search over one rack with nothing known but, perhaps, the seats.

    Args:
        problem: the rack, with its seats and nothing else known.
        budget: looked after at every node.
    """

    def __init__(self, problem: RackProblem, budget: Budget) -> None:
        self.problem, self.budget = problem, budget
        self.rack = Rack(values_of(problem.rack), problem.house)
        self.steps = Steps(self.rack, problem.rack, None, self._expired)

    def _expired(self) -> bool:
        self.budget.left -= NODES_PER_HAND
        return self.budget.left < 0

    def another(self, seats: Seats, dealer: Cards) -> bool:
        """Whether the same seats can have had other hands than these.

        Raises:
            Spent: the budget is used up.
        """
        numbers = tuple(range(1, len(seats) + 1))
        played = {
            f"{seat}.{n}": cards for seat in numbers for n, cards in enumerate(seats[seat - 1], start=1)
        }
        played[DEALER] = dealer
        try:
            return any(hands != played for hands in self._search(numbers).maps())
        except CutShort:
            raise Spent from None

    def of_others(self, players: int) -> bool:
        """Whether another number of players than this can have left the rack.

        Raises:
            Spent: the budget is used up.
        """
        try:
            for count in range(1, self.problem.table.seats + 1):
                if (
                    count != players
                    and next(self._search(tuple(range(1, count + 1))).maps(), None) is not None
                ):
                    return True
        except CutShort:
            raise Spent from None
        return False

    def _search(self, seats: tuple[int, ...]) -> Search:
        return Search(self.problem, Knowledge(self.problem, self.rack, seats), self.steps)
