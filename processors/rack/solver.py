"""`solve`: a rack problem in, every lawful reconstruction out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from processors.rack.answer import Hands, RackAnswer, Reconstruction
from processors.rack.hands import value_of
from processors.rack.knowledge import Knowledge
from processors.rack.problem import RackProblem
from processors.rack.search import Search
from processors.rack.shelf import Rack
from processors.rack.steps import Expired, SeatHands, Steps
from schemas.values import DEALER

LIMIT = 100_000


def never() -> bool:
    """A search without a time limit."""
    return False


def solve(problem: RackProblem, *, limit: int = LIMIT, expired: Callable[[], bool] = never) -> RackAnswer:
    """Every lawful reconstruction of a rack.

    Args:
        problem: as decoded and checked by `decode_problem`.
        limit: at most this many reconstructions are listed.
        expired: asked now and then; the search ends when it says True.
    """
    rack = Rack(tuple(value_of(card) for card in problem.rack), problem.house)
    shared = Steps(rack, problem.rack, None, expired)
    found: list[Hands] = []
    searches: list[Search] = []
    complete = True
    try:
        for seats in _occupied(problem):
            knowledge = Knowledge(problem, rack, seats)
            graph = Steps(rack, problem.rack, knowledge, expired) if knowledge.of_seats else shared
            search = Search(problem, knowledge, graph)
            searches.append(search)
            for dealer, hands in search.maps():
                if len(found) == limit:
                    raise Expired
                found.append(_named(search.seats, hands, dealer))
    except Expired:
        complete = False
    return _answer(found, complete, searches)


def _occupied(problem: RackProblem) -> list[tuple[int, ...]]:
    if problem.seats is not None:
        return [tuple(sorted(problem.seats))]
    return [tuple(range(1, count + 1)) for count in range(1, problem.table.seats + 1)]


def _named(seats: Sequence[int], hands: Sequence[SeatHands], dealer: tuple[str, ...]) -> Hands:
    named = {
        f"{seat}.{number}": cards
        for seat, of_seat in zip(seats, hands, strict=True)
        for number, cards in enumerate(of_seat, start=1)
    }
    named[DEALER] = dealer
    return named


def _answer(found: list[Hands], complete: bool, searches: list[Search]) -> RackAnswer:
    agree = dict(found[0]) if found else {}
    occurring: set[str] = set()
    for hands in found:
        occurring.update(hands)
        for hand in [hand for hand, cards in agree.items() if hands.get(hand) != cards]:
            del agree[hand]
    return RackAnswer(
        count=len(found),
        complete=complete,
        unique=len(found) == 1 if complete else None,
        reconstructions=tuple(Reconstruction(hands) for hands in found),
        agree_on=tuple(sorted(agree)),
        differ_on=tuple(sorted(occurring.difference(agree))),
        money_unique=_money_unique(searches) if complete else None,
        message="",
    )


def _money_unique(searches: list[Search]) -> bool:
    """Whether every reading has the same seats, and ends each seat's main wager alike."""
    ends = [found for found in (search.ends() for search in searches) if found]
    return len(ends) == 1 and all(len(of_seat) == 1 for of_seat in ends[0])
