"""The order in which the hands of one seat are played, and that in which they then lie in the rack."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple, TypeVar

_T = TypeVar("_T")

Tree = tuple[bool, ...]
"""The splits and endings of a seat's hands as they happen: True, the hand in play is split; False, it is over.

A split lays the hand's second card aside as the seat's next number and deals the hand its next card. The new hand
is played before any hand that waited already, so hands wait in a stack (672a.10(c), reading A35).
"""


@cache  # at most four hands
def trees(hands: int) -> tuple[Tree, ...]:
    """Every way in which splits make this many hands."""

    def grow(tree: Tree, splits: int, waiting: int) -> list[Tree]:
        if not splits and not waiting:
            return [(*tree, False)]
        found = grow((*tree, True), splits - 1, waiting + 1) if splits else []
        return found + (grow((*tree, False), splits, waiting - 1) if waiting else [])

    return tuple(grow((), hands - 1, 0))


def order_of_play(tree: Tree) -> tuple[int, ...]:
    """Numbers of the seat's hands, the one finished first in front."""
    stack, made, order = [1], 1, []
    for split in tree:
        if split:
            made += 1
            stack.insert(-1, made)
        else:
            order.append(stack.pop())
    return tuple(order)


def draw_order(tree: Tree, hands: Sequence[Sequence[_T]]) -> list[_T]:
    """The cards of a seat's hands (`x.1` first) in the order in which they left the shoe."""
    stack, made = [1], 1
    drawn = [hands[0][0]]
    for split in tree:
        number = stack[-1]
        if split:
            made += 1
            drawn.append(hands[made - 1][0])
            stack.insert(-1, made)
        else:
            drawn.extend(hands[number - 1][1:])
            stack.pop()
    return drawn


class SplitPlan(NamedTuple):
    """Where the hands of a split lie: numbers racked in action, in rack order, and those left, ascending."""

    early: tuple[int, ...]
    final: tuple[int, ...]
    may_bust: tuple[bool, ...]
    """Which of those left may be over 21."""
    trees: tuple[Tree, ...]
    """Every way of splitting that leads to this order."""


Plans = tuple[dict[tuple[bool, ...], tuple[SplitPlan, ...]], ...]
"""Plans by the number of hands racked in action, then by `may_bust`."""


@cache  # two to four hands, eight ways to collect
def plans(hands_at_most: int, busts_at_once: bool, tucks_first: bool, first_at_once: bool) -> Plans:
    """Every order in which hands over 21 of a split may go to the rack during the action.

    Args:
        hands_at_most: hands a seat may have.
        busts_at_once: `bust_collection` is `immediate`.
        tucks_first: a busted `x.1` waits, and follows the seat's last hand if all of them bust.
        first_at_once: a busted `x.1` goes to the rack even where busts wait.
    """
    found: list[dict[tuple[bool, ...], list[SplitPlan]]] = [{} for _ in range(hands_at_most + 1)]
    for hands in range(2, hands_at_most + 1):
        for early, ways in _early_orders(hands, busts_at_once, tucks_first, first_at_once).items():
            final = tuple(number for number in range(1, hands + 1) if number not in early)
            if busts_at_once:
                # Tucked, because another hand of the seat still stands.
                may_bust = tuple(tucks_first and number == 1 and len(final) > 1 for number in final)
            else:
                may_bust = tuple(not (first_at_once and number == 1) for number in final)
            plan = SplitPlan(early, final, may_bust, tuple(ways))
            found[len(early)].setdefault(may_bust, []).append(plan)
    return tuple({may_bust: tuple(group) for may_bust, group in groups.items()} for groups in found)


def _early_orders(
    hands: int, busts_at_once: bool, tucks_first: bool, first_at_once: bool
) -> dict[tuple[int, ...], list[Tree]]:
    numbers = range(1, hands + 1)
    if busts_at_once:
        busts = [chosen for count in range(hands + 1) for chosen in combinations(numbers, count)]
    else:
        busts = [(), (1,)] if first_at_once else [()]
    found: dict[tuple[int, ...], list[Tree]] = {}
    for tree in trees(hands):
        for chosen in busts:
            early = [number for number in order_of_play(tree) if number in chosen]
            if busts_at_once and tucks_first and 1 in chosen:
                early.remove(1)
                if len(chosen) == hands:
                    early.append(1)
            ways = found.setdefault(tuple(early), [])
            if tree not in ways:
                ways.append(tree)
    return found
