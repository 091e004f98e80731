"""Common runs: cards that leave a shoe in an order that was known, and how many such runs chance allows.

Of a stack of N cards in uniformly random order, in which each card lies at most d times, the next k cards are the k of
a given place of a known order with a probability of at most d/N * d/(N-1) * ... * d/(N-k+1). So over all pairs of
places the number of common runs of k cards has a mean of at most that times both numbers of places, and the number seen
over that mean is an e-value. It only grows while the shoe is dealt, so it is one at every stopping time as well. A
longer run holds several runs of k. (First moment of word matches: Arratia, Goldstein, Gordon, Statist. Sci. 5, 1990.)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from msgspec import Struct

from processors.detectors.evidence.logs import log_sum

UNREAD = "??"
SEED = 3
"""A run is looked for from this many cards in a row that match, beginning at every so many-th card of the shoe."""


class OrderRun(Struct, frozen=True):
    """Cards of a shoe that repeat a known order: `matched` of the shoe's cards from `first` to `last`.

    at: where, in the text of the orders, the card lies that matches `first`.
    """

    first: int
    last: int
    matched: int
    at: int

    @property
    def diagonal(self) -> int:
        """What is the same for all runs that lay the shoe beside the orders in one way."""
        return self.at - 2 * self.first


def text_of(orders: Iterable[str]) -> str:
    """Orders as one text in which no run leads from one to the next; cards take two characters each (`Th7s??`).

    Ranks are never lower-case letters and suits always are, so what is found of cards begins where a card begins.
    """
    return "|".join(orders)


def common_runs(text: str, drawn: Sequence[str], since: int, least: int) -> list[OrderRun]:
    """The runs of at least `least` cards in which the cards drawn repeat the text, as far as cards from `since` on do.

    A card that was not read, in the shoe or in the order, neither matches nor ends a run: which cards are not read does
    not depend on what they are. A run is found by `SEED` cards in a row that were read.
    """
    found: dict[tuple[int, int], OrderRun] = {}
    first = max(0, since - 2 * SEED)
    for start in range(first - first % SEED, len(drawn) - SEED + 1, SEED):
        seed = "".join(drawn[start : start + SEED])
        if UNREAD in seed:
            continue
        at = text.find(seed)
        while at >= 0:
            run = _extended(text, drawn, start, at)
            if run.matched >= least:
                found[run.first, run.at] = run
            at = text.find(seed, at + 1)
    return list(found.values())


def _extended(text: str, drawn: Sequence[str], start: int, at: int) -> OrderRun:
    """The whole run around a place where the cards match."""
    matched, ends = 0, []
    for step, place in ((1, start), (-1, start - 1)):
        end, where = place - step, at + 2 * (place - start)
        while 0 <= place < len(drawn):
            there = text[where : where + 2] if where >= 0 else ""
            if len(there) < 2 or "|" in there:
                break
            if there == drawn[place] and there != UNREAD:
                matched, end = matched + 1, place
            elif UNREAD not in (there, drawn[place]):
                break
            place, where = place + step, where + 2 * step
        ends.append(end)
    last, first = ends[0], min(ends[1], start)
    return OrderRun(first, last, matched, at + 2 * (first - start))


def log_expected_runs(known: int, fresh: int, length: int, copies: int, stack: int) -> float:
    """The log of the most common runs of `length` cards that chance gives on average.

    known, fresh: places of the known orders, and of the shoe that are looked at. copies: how often each card lies in
    the stack of `stack` cards at most.
    """
    if known < 1 or fresh < 1 or length > min(stack, fresh):
        return -math.inf
    chance = math.fsum(math.log(min(1.0, copies / (stack - m))) for m in range(length))
    return math.log(known) + math.log(fresh) + chance


def log_e_of_runs(
    matched: Sequence[int], lengths: Sequence[int], log_expected: Sequence[float], weights: Sequence[float]
) -> float:
    """The log e-value of the runs met: seen over expected by length, with weights that sum to at most 1.

    matched: how many cards each run matches, all at different places.
    """
    seen = [sum(max(0, run - length + 1) for run in matched) for length in lengths]
    return log_sum(
        math.log(weight * count) - expected
        for count, expected, weight in zip(seen, log_expected, weights, strict=True)
        if count and expected > -math.inf
    )
