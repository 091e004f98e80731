"""Words that say less, or otherwise, than what happened: cards that nobody could read, and clocks that are off."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from random import Random

from producers.simulator.noise.lost import SILENT_SECONDS
from producers.simulator.noise.stretches import Stretches
from producers.simulator.noise.words import Noise, Word
from schemas.values import UNKNOWN

CLOCKED = ("shoe", "layout", "console", "reader", "masque")
SMALLEST_OFFSET, LARGEST_OFFSET = 1.0, 90.0  # seconds that a clock is off, ahead or behind


def unread(name: str) -> Noise:
    """Makes cards unreadable on their way from the shoe to the layout; the rate is the share of the cards drawn.

    The draw and the placement of such a card say `??`; the rack, where cards lie still, reads it.
    """

    def blur(words: Iterator[Word], rate: float, chance: Random) -> Iterator[Word]:
        unseen: list[str] = []
        for word in words:
            data = word.event["data"]
            if word.kind == "card_drawn" and data["card"] != UNKNOWN and chance.random() < rate:
                unseen.append(data["card"])
                yield word.says(name, data=data | {"card": UNKNOWN})
            elif word.kind == "card_placed" and data["card"] in unseen:
                unseen.remove(data["card"])
                yield word.says(name, data=data | {"card": UNKNOWN})
            else:
                if word.kind == "round_ended":
                    unseen.clear()
                yield word

    return blur


def clock(name: str) -> Noise:
    """Sets the clock of one device wrong for 5 to 15 minutes; the rate is the share of the time."""

    def run_wrong(words: Iterator[Word], rate: float, chance: Random) -> Iterator[Word]:
        stretches = Stretches(rate, chance, *SILENT_SECONDS)
        number, device, offset = 0, "", timedelta()
        for word in words:
            now = stretches.number_at(word.time)
            if now and now != number:
                number, device = now, chance.choice(CLOCKED)
                seconds = chance.uniform(SMALLEST_OFFSET, LARGEST_OFFSET)
                offset = timedelta(seconds=seconds * chance.choice((-1, 1)))
            if now and word.device == device:
                shown = (word.time + offset).isoformat(timespec="microseconds")
                yield word.says(name, time=shown.removesuffix("+00:00") + "Z")
            else:
                yield word

    return run_wrong
