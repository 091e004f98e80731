"""`solve`: a rack problem in, every lawful reconstruction out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from processors.rack.answer import Hands, RackAnswer, Reconstruction
from processors.rack.departures.nearest import nearest
from processors.rack.problem import RackProblem
from processors.rack.search import Search, searches
from processors.rack.solving.message import cut_message, lawful_message, unlawful_message
from processors.rack.steps import CutShort

LIMIT = 100_000


def never() -> bool:
    """A search without a time limit."""
    return False


def solve(problem: RackProblem, *, limit: int = LIMIT, expired: Callable[[], bool] = never) -> RackAnswer:
    """Every lawful reconstruction of a rack.

    Args:
        problem: as decoded and checked by `decode_problem`.
        limit: at most this many reconstructions are listed.
        expired: called now and then; the search stops when it returns True.
    """
    found: list[Hands] = []
    done: list[Search] = []
    try:
        for search in searches(problem, expired):
            done.append(search)
            for hands in search.maps():
                if len(found) == limit:
                    raise CutShort
                found.append(hands)
    except CutShort:  # hands that differ already are proven to differ; nothing else is proven
        _, differ_on = _compared(found)
        return _answer(found, complete=False, differ_on=differ_on, message=cut_message(len(found)))
    if not found:
        closest = nearest(problem, expired)
        return _answer(found, money_unique=False, message=unlawful_message(closest), nearest=closest)
    agree_on, differ_on = _compared(found)
    money = _money_unique(done)
    message = lawful_message(len(found), agree_on, differ_on, money)
    return _answer(found, agree_on=agree_on, differ_on=differ_on, money_unique=money, message=message)


def _answer(
    found: list[Hands], *, complete: bool = True, money_unique: bool | None = None, **parts: Any
) -> RackAnswer:
    return RackAnswer(
        count=len(found),
        complete=complete,
        unique=len(found) == 1 if complete else None,
        reconstructions=tuple(map(Reconstruction, found)),
        money_unique=money_unique,
        **parts,
    )


def _compared(found: list[Hands]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Hands with the same cards in all reconstructions, and all others that occur."""
    agree = dict(found[0]) if found else {}
    occurring: set[str] = set()
    for hands in found:
        occurring.update(hands)
        for hand in [hand for hand, cards in agree.items() if hands.get(hand) != cards]:
            del agree[hand]
    return tuple(sorted(agree)), tuple(sorted(occurring.difference(agree)))


def _money_unique(done: list[Search]) -> bool:
    """Whether all reconstructions have the same seats, and each seat's main wager ended alike in all of them."""
    ends = [found for found in (search.ends() for search in done) if found]
    return len(ends) == 1 and all(len(of_seat) == 1 for of_seat in ends[0])
