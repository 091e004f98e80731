"""What a rack with unread cards proves: the whole search, for each kind of evidence in turn."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from msgspec.structs import replace

from processors.core.cards import all_fit
from processors.rack.answer import Cards, Hands, SeatHands
from processors.rack.problem import RackProblem
from processors.rack.proving.dealt import Budget
from processors.rack.search import Search, searches
from processors.rack.steps import CutShort
from schemas.rounds import Proof
from schemas.values import DEALER, UNKNOWN

MOST_UNREAD = 3
"""Unread cards of a rack, or of its draws, that are searched over: with each the rounds to look at grow tenfold."""

NONE_LAWFUL = "no lawful round deals these cards in this order and leaves this rack"
OTHER_HANDS = "the rack and the draw order give other hands than the log"
TOO_MANY = "cards nobody read leave too many rounds to look at"


def read_classes(
    problem: RackProblem, hands: tuple[SeatHands, ...], dealer: Cards, budget: Budget
) -> tuple[Proof | None, str | None, bool | None]:
    """The class of proof, or why there is none, and whether the money is proven."""
    if max(problem.rack.count(UNKNOWN), (problem.drawn or ()).count(UNKNOWN)) > MOST_UNREAD:
        return None, TOO_MANY, None

    expired = budget.spent_at_node
    try:
        done, maps = _first_two(searches(problem, expired))
        if not maps:
            return None, NONE_LAWFUL, None
        if len(maps) > 1:
            return "not unique", None, None
        if not _is_logged(problem, hands, dealer, maps[0]):
            return None, OTHER_HANDS, None
        ends = done[0].ends()
        money = bool(ends) and all(len(of_seat) == 1 for of_seat in ends)
        proof: Proof = "rack and draw order"
        if len(_first_two(searches(replace(problem, drawn=None), expired))[1]) == 1:
            alone = _first_two(searches(replace(problem, drawn=None, seats=None), expired))[1]
            proof = "rack alone" if len(alone) == 1 else "rack and seats"
        return proof, None, money
    except CutShort:
        return None, TOO_MANY, None


def _first_two(found: Iterable[Search]) -> tuple[list[Search], list[Hands]]:
    done = list(found)
    return done, list(islice((hands for search in done for hands in search.maps()), 2))


def _is_logged(problem: RackProblem, played: tuple[SeatHands, ...], dealer: Cards, hands: Hands) -> bool:
    """Whether the hands are those of the log, as far as their cards are read."""
    seats = problem.seats or ()
    logged = {
        f"{seat}.{number}": cards
        for seat, of_seat in zip(seats, played, strict=True)
        for number, cards in enumerate(of_seat, start=1)
    }
    logged[DEALER] = dealer
    return logged.keys() == hands.keys() and all(
        all_fit(cards, hands[name]) for name, cards in logged.items()
    )
