"""Whether cards come out of a shoe in an order that was known: the rack's, the last shoe's, or a new deck's.

An order is a string of two-character cards. Ranks are never lower-case letters and suits always are, so cards found
in such a string always begin where one of its cards begins.
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
    """The shortest run of cards that repeats a known order by chance less than once in a million shoes.

    `known` and `fresh` count the cards of the known orders and of the shoe. The bound pairs every place of the known
    orders, in both directions, with every place of the shoe; each further card of the run fits by chance with at most
    `decks` of the cards that are left.
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
    """Index and length of a run, from about `since` on, that repeats a known order too long for chance; or None.

    `orders` holds each order in both directions; `fresh` is the number of cards in the shoe.
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
    """A quick test: every run of this length contains one of these half runs whole, so one must occur in the text."""
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
