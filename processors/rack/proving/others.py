"""Whether a rack allows another round than the one that was played.

Without the draw order a similar second round nearly always exists: two hands change seats, or a card goes over to the
neighbouring hand. The whole search runs only where no such round is found, and it stops at the first other round.
"""

from __future__ import annotations

from collections.abc import Iterator

from processors.rack.answer import Cards, SeatHands
from processors.rack.hands import BUST, readings, values_of
from processors.rack.house import House
from processors.rack.knowledge import Knowledge
from processors.rack.problem import RackProblem
from processors.rack.proving.dealt import Budget, Spent
from processors.rack.proving.laid import Laying, Spot, dealer_reading, layings, reading_of
from processors.rack.search import Search
from processors.rack.shelf import Rack
from processors.rack.steps import CutShort, Steps
from schemas.values import DEALER

Seats = tuple[SeatHands, ...]


def another_near(house: House, rack: Cards, seats: Seats, laying: Laying, budget: Budget) -> bool:
    """Whether a second lawful round of the same seats is found close to the one that lies there.

    Raises:
        Spent: the budget is used up.
    """
    if _may_change_seats(seats, laying):
        return True
    for other, dealer in _neighbours(house, seats, laying):
        budget.spend(len(seats))
        if next(layings(house, rack, other, dealer), None) is not None:
            return True
    return False


def _may_change_seats(seats: Seats, laying: Laying) -> bool:
    """Whether two neighbours were racked wholly apart, one early and one at the pickup, with other cards.

    Then each may have had the other's hands: all went to the rack in the same order, only the seats are exchanged.
    """
    early = {spot.seat for spot in laying.spots[: laying.early]}
    final = {spot.seat for spot in laying.spots[laying.early :]}
    for seat in range(len(seats) - 1):
        apart = (seat in early) != (seat + 1 in early) and (seat in final) != (seat + 1 in final)
        if apart and seats[seat] != seats[seat + 1]:
            return True
    return False


def _neighbours(house: House, seats: Seats, laying: Laying) -> Iterator[tuple[Seats, Cards]]:
    if all(len(hands) == 1 for hands in seats):
        yield from _unsplit_neighbours(house, seats, laying)
        return
    dealer = next(spot.cards for spot in laying.spots if spot.seat < 0)
    for other in _exchanged(seats, laying):
        yield other, dealer
    for below, above in zip(laying.spots, laying.spots[1:], strict=False):
        for lower, upper in _cuts(below.cards, above.cards):
            if _keeps(house, below, lower) and _keeps(house, above, upper):
                other = _with(_with(seats, below, lower), above, upper)
                yield other, upper if above.seat < 0 else lower if below.seat < 0 else dealer


def _unsplit_neighbours(house: House, seats: Seats, laying: Laying) -> Iterator[tuple[Seats, Cards]]:
    """The same rack with its hands at other seats, then with two hands of it cut otherwise."""
    played = (seats, next(spot.cards for spot in laying.spots if spot.seat < 0))
    rows = [spot.cards for spot in laying.spots]
    dealer = next(place for place, spot in enumerate(laying.spots) if spot.seat < 0)
    for early_first in (True, False):
        other = _seated(house, rows, dealer, early_first=early_first)
        if other is not None and other != played:
            yield other
    for place in range(len(rows) - 1):
        for lower, upper in _cuts(rows[place], rows[place + 1]):
            other = _seated(
                house, [*rows[:place], lower, upper, *rows[place + 2 :]], dealer, early_first=True
            )
            if other is not None and other != played:
                yield other


def _cuts(below: Cards, above: Cards) -> Iterator[tuple[Cards, Cards]]:
    """Every other way to make two hands of the cards of two, the nearest first."""
    whole, now = below + above, len(below)
    for cut in sorted(range(2, len(whole) - 1), key=lambda place: abs(place - now)):
        if cut != now:
            yield whole[:cut], whole[cut:]


def _seated(house: House, rows: list[Cards], dealer: int, *, early_first: bool) -> tuple[Seats, Cards] | None:
    """Unsplit hands that lie in this order, given to seats: the early ones to the first seats, or to the last."""
    if dealer_reading(house, rows[dealer]) is None:
        return None
    own = rows[dealer]
    rows = rows[:dealer] + rows[dealer + 1 :]
    early = 0
    for place, cards in enumerate(rows, start=1):
        read = reading_of(cards)
        if read is None:
            return None
        if (read.total == BUST and house.busts_at_once) or (read.natural and not house.push22):
            early = place
    final = rows[early:] if house.pickup_order == "seats_ascending" else rows[early:][::-1]
    order = [*rows[:early], *final] if early_first else [*final, *rows[:early]]
    return tuple((cards,) for cards in order), own


def _exchanged(seats: Seats, laying: Laying) -> Iterator[Seats]:
    """Neighbours of whom one's cards were racked early and the other's at the pickup: it may be the other way."""
    early = {spot.seat for spot in laying.spots[: laying.early]}
    for one in range(len(seats) - 1):
        if (one in early) != (one + 1 in early) and seats[one] != seats[one + 1]:
            yield (*seats[:one], seats[one + 1], seats[one], *seats[one + 2 :])


def _keeps(house: House, spot: Spot, cards: Cards) -> bool:
    if spot.seat < 0:
        return dealer_reading(house, cards) is not None
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
        budget: each node of the search counts against it.
    """

    def __init__(self, problem: RackProblem, budget: Budget) -> None:
        self.problem = problem
        self.rack = Rack(values_of(problem.rack), problem.house)
        self.steps = Steps(self.rack, problem.rack, None, budget.spent_at_node)

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
            for count in self.problem.table.places:
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
