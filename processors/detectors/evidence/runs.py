"""Common runs: cards that leave a shoe in an order that was known, and how many such runs chance allows.

Of a stack of N cards in uniformly random order, in which each card lies at most d times, the next k cards are the k of
a given place of a known order with a probability of at most d/N * d/(N-1) * ... * d/(N-k+1). So over all pairs of
places the number of common runs of k cards has a mean of at most that times both numbers of places, and the number seen
over that mean is an e-value. It only grows while the shoe is dealt, so it is one at every stopping time as well. A
longer run holds several runs of k. (First moment of word matches: Arratia, Goldstein, Gordon, Statist. Sci. 5, 1990.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct, field

from processors.detectors.evidence.wealth import log_sum

Order = str
"""Cards in an order, two characters each (`Th7s??`)."""
UNREAD = "??"


def reversed_order(order: Order) -> Order:
    """The same cards from the other end."""
    return "".join(order[at : at + 2] for at in range(len(order) - 2, -1, -2))


class Follower(Struct):
    """Runs in which a shoe follows a known order so far: cards matched, by the place in the order reached.

    found: how many runs of each length in question were met. longest: most cards matched in one run.
    """

    active: dict[int, int] = field(default_factory=dict)
    found: list[int] = field(default_factory=list)
    longest: int = 0


@lru_cache(maxsize=64)
def places(order: Order) -> dict[str, tuple[int, ...]]:
    """Where each card lies in an order, from 0."""
    found: dict[str, list[int]] = {}
    for at in range(0, len(order), 2):
        found.setdefault(order[at : at + 2], []).append(at // 2)
    return {card: tuple(where) for card, where in found.items()}


def follow(follower: Follower, order: Order, card: str, lengths: Sequence[int]) -> int:
    """Take the next card of the shoe; how many cards the longest run matches that goes on with it.

    A card that was not read, here or in the order, neither matches nor ends a run: which cards are not read does not
    depend on what they are.
    """
    active, index = follower.active, places(order)
    if not follower.found:
        follower.found = [0] * len(lengths)
    if card == UNREAD:
        follower.active = {at + 1: run for at, run in active.items() if 2 * at + 2 < len(order)}
        return 0
    going = {at: active.get(at - 1, 0) + 1 for at in index.get(card, ())}
    for at in index.get(UNREAD, ()) if active else ():
        if at - 1 in active:
            going[at] = active[at - 1]
    follower.active = going
    best = 0
    for at in index.get(card, ()):
        run = going[at]
        best = max(best, run)
        for place, length in enumerate(lengths):
            if run < length:
                break
            follower.found[place] += 1
    follower.longest = max(follower.longest, best)
    return best


def log_expected_runs(known: int, fresh: int, length: int, copies: int, stack: int) -> float:
    """The log of the most common runs of `length` cards that chance gives on average.

    known, fresh: places of the known order, and of the shoe that are looked at. copies: how often each card lies in the
    stack of `stack` cards at most.
    """
    if known < 1 or fresh < 1 or length > min(stack, fresh):
        return -math.inf
    chance = math.fsum(math.log(min(1.0, copies / (stack - m))) for m in range(length))
    return math.log(known) + math.log(fresh) + chance


def log_e_of_runs(found: Sequence[int], log_expected: Sequence[float], weights: Sequence[float]) -> float:
    """The log e-value of the runs met: seen over expected by length, with weights that sum to at most 1."""
    return log_sum(
        math.log(weight * seen) - expected
        for seen, expected, weight in zip(found, log_expected, weights, strict=False)
        if seen and expected > -math.inf
    )
