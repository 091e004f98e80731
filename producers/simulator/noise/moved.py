"""Words that reach the recorder in another order than they were said, with the times of their devices."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random

from producers.simulator.noise.words import Noise, Word

ONE_ACT = timedelta(seconds=2)  # A67
# The two words of one act, by their types; they name the same hand, card or position.
ACTS = {
    "card_drawn": "card_placed",
    "stack_dispensed": "stack_delivered",
    "player_decision": "wager_placed",
}
SOONEST, LATEST = 1.0, 6.0  # seconds that a late word is late


def order(name: str) -> Noise:
    """Puts two devices' words of one act in the other order; the rate is the share of the acts of two words."""

    def swap(words: Iterator[Word], rate: float, chance: Random) -> Iterator[Word]:
        first: Word | None = None
        for word in words:
            if first is not None and _one_act(first, word) and chance.random() < rate:
                yield word
                yield first.met(name)
                first = None
                continue
            if first is not None:
                yield first
            first = word
        if first is not None:
            yield first

    return swap


def _one_act(first: Word, second: Word) -> bool:
    if ACTS.get(first.kind) != second.kind or first.lost or second.lost:
        return False
    if first.kind == "player_decision":
        decision, wager = first.event["data"], second.event["data"]
        hand = decision.get("new_hand", decision["hand"])
        if (decision["kind"], hand) != (wager["kind"], wager.get("hand")):
            return False
    return second.time - first.time <= ONE_ACT


def late(name: str) -> Noise:
    """Hands words over one to six seconds late, and no later word of the same device before them.

    The rate is the share of the words that are late of themselves.
    """

    def hold(words: Iterator[Word], rate: float, chance: Random) -> Iterator[Word]:
        held: list[tuple[datetime, int, Word]] = []
        free: dict[str, datetime] = {}  # by device: when all that it said will have been handed over
        for place, word in enumerate(words):
            while held and held[0][0] <= word.time:
                yield heapq.heappop(held)[2]
            due = max(word.time, free.get(word.device, word.time))
            if not word.lost and chance.random() < rate:
                due = max(due, word.time + timedelta(seconds=chance.uniform(SOONEST, LATEST)))
            if due <= word.time:
                yield word
                continue
            free[word.device] = due
            heapq.heappush(held, (due, place, word.met(name)))
        yield from (word for _, _, word in sorted(held, key=lambda one: one[:2]))

    return hold
