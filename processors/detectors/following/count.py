"""The High-Low count of a shoe, and how far chance carries it.

The mean tag of the cards left in a shuffled shoe is a martingale: whatever was seen, the next cards move it up as much
as down on average. So the true count at a round is known, and what the next cards do to it owes nothing to a stake that
does not look at them.
"""

from __future__ import annotations

from collections.abc import Mapping

from processors.games.totals import POINTS

TAGS = {card: (value <= 6) - (value >= 10) for card, value in POINTS.items()}
_SPREAD = 10 / 13  # mean square of the tags: 40 of 52 cards count 1 or -1
_LEAST = 26  # nobody reads a shoe finer than half a deck


def true_count(out: Mapping[str, int], cards: int) -> tuple[float, float]:
    """The running count for each deck not yet seen, and the variance that it has before a card is dealt.

    out: cards seen since the shuffle. cards: how many the shoe began with.
    """
    running = seen = 0
    for card, number in out.items():
        tag = TAGS.get(card)
        if tag is not None:
            running += tag * number
            seen += number
    left = max(cards - seen, _LEAST)
    seen = min(seen, cards - 1)
    variance = 52 * 52 * _SPREAD * seen / (left * (cards - 1)) if cards > 1 else 0.0
    return 52 * running / left, variance
