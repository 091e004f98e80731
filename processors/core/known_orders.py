"""Whether cards come out of a shoe in an order that was known: the rack's, the last shoe's, a new deck's.

Orders are strings of two-character cards: a rank is never a small letter and a suit always is, so a run of one
string found in another always starts at a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from schemas.values import RANKS, SUITS, UNKNOWN

_ASCENDING = "A" + RANKS
SORTED = (
    *("".join(rank + suit for rank in _ASCENDING) for suit in SUITS),
    "".join(rank + suit for rank in _ASCENDING for suit in SUITS),
    "".join(rank + suit for rank in _ASCENDING for suit in reversed(SUITS)),
)
_SORTED_CARDS = sum(len(order) // 2 for order in SORTED)
LEVEL = 1e-6


def reversed_order(order: str) -> str:
    """The same cards from the other end."""
    return "".join(order[index : index + 2] for index in range(len(order) - 2, -1, -2))


_SORTED_BOTH_WAYS = (*SORTED, *(reversed_order(order) for order in SORTED))


@lru_cache(maxsize=64)
def least_run(known: int, fresh: int, decks: int) -> int:
    """Cards in a row that chance repeats with less than one in a million.

    `known` and `fresh` are the cards of the known orders and of the shoe. A bound by counting: every place in
    the one, either way up, against every place in the other, each card once it fits with the `decks` copies
    there can be of it at most.
    """
    expected = 2.0 * (known + _SORTED_CARDS) * fresh
    run = 0
    while expected >= LEVEL and run < fresh:
        expected *= min(1.0, decks / (fresh - run))
        run += 1
    return run


def known_run(
    drawn: Sequence[str], orders: Iterable[str], decks: int, since: int, fresh: int
) -> tuple[int, int] | None:
    """Where cards from `since` on repeat a known order too long for chance: first index and length, or None.

    `orders` hold each way up already; `fresh` is the number of cards in the shoe.
    """
    orders = (*orders, *_SORTED_BOTH_WAYS)
    text = "|".join(orders)
    run = least_run((len(text) - len(orders) + 1) // 4, fresh, decks)
    first = max(0, since - run + 1)
    if not _may_repeat("".join(drawn[first:]), text, run):
        return None
    for index in range(first, len(drawn) - run + 1):
        window = "".join(drawn[index : index + run])
        if UNKNOWN not in window and any(window in order for order in orders):
            return _extended(drawn, orders, index, run)
    return None


def _may_repeat(cards: str, text: str, run: int) -> bool:
    """Whether half a run stands in the text at all: every run of cards holds one of these halves whole."""
    half = (run + 1) // 2
    step = run - half + 1
    return any(cards[at : at + 2 * half] in text for at in range(0, len(cards) - 2 * half + 1, 2 * step))


def _extended(drawn: Sequence[str], orders: Iterable[str], index: int, run: int) -> tuple[int, int]:
    while index + run < len(drawn):
        window = "".join(drawn[index : index + run + 1])
        if not any(window in order for order in orders):
            break
        run += 1
    return index, run
