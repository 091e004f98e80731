"""`solve`: a rack problem in, every lawful reconstruction out."""

from __future__ import annotations

from collections.abc import Callable

from processors.rack.answer import Hands, RackAnswer, Reconstruction
from processors.rack.departures.nearest import nearest
from processors.rack.message import cut_message, lawful_message, unlawful_message
from processors.rack.problem import RackProblem
from processors.rack.search import Search, searches
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
        expired: asked now and then; the search ends when it says True.
    """
    found: list[Hands] = []
    done: list[Search] = []
    complete = True
    try:
        for search in searches(problem, expired):
            done.append(search)
            for hands in search.maps():
                if len(found) == limit:
                    raise CutShort
                found.append(hands)
    except CutShort:
        complete = False
    if not complete:
        return _cut(found)
    if not found:
        closest = nearest(problem, expired)
        return RackAnswer(
            count=0,
            complete=True,
            unique=False,
            reconstructions=(),
            agree_on=(),
            differ_on=(),
            money_unique=False,
            message=unlawful_message(closest),
            nearest=closest,
        )
    return _lawful(found, _money_unique(done))


def _cut(found: list[Hands]) -> RackAnswer:
    """A search cut short proves nothing but what differs already."""
    _, differ_on = _compared(found)
    return RackAnswer(
        count=len(found),
        complete=False,
        unique=None,
        reconstructions=tuple(Reconstruction(hands) for hands in found),
        agree_on=(),
        differ_on=differ_on,
        money_unique=None,
        message=cut_message(len(found)),
    )


def _lawful(found: list[Hands], money_unique: bool) -> RackAnswer:
    agree_on, differ_on = _compared(found)
    return RackAnswer(
        count=len(found),
        complete=True,
        unique=len(found) == 1,
        reconstructions=tuple(Reconstruction(hands) for hands in found),
        agree_on=agree_on,
        differ_on=differ_on,
        money_unique=money_unique,
        message=lawful_message(len(found), agree_on, differ_on, money_unique),
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
    """Whether every reading has the same seats, and ends each seat's main wager alike."""
    ends = [found for found in (search.ends() for search in done) if found]
    return len(ends) == 1 and all(len(of_seat) == 1 for of_seat in ends[0])
