"""Every kind of noise by name, and a stream as it is recorded through such sensors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple

from producers.simulator.floor.gaming_floor import seed_of
from producers.simulator.noise.lost import WITNESSES, away, silent, single
from producers.simulator.noise.misread import clock, unread
from producers.simulator.noise.moved import late, order
from producers.simulator.noise.words import Entry, Noise, recorded, words


class Kind(NamedTuple):
    """A kind of noise: what it does, of what its rate is a share, and its function."""

    summary: str
    share: str
    noise: Noise


# In the order in which they meet a word on its way from the card to the record.
KINDS: dict[str, Kind] = {
    "unread": Kind(
        "a card that neither the shoe nor the layout could read", "cards drawn face up", unread("unread")
    ),
    "placements": Kind(
        "a word of the layout about a card is lost", "cards or stacks placed", single("placements")
    ),
    "draws": Kind("a word of the shoe about a card is lost", "cards or stacks drawn", single("draws")),
    "wagers": Kind("a word of the layout about a wager is lost", "wagers placed", single("wagers")),
    "decisions": Kind("a word of the console about a decision is lost", "decisions", single("decisions")),
    "racked": Kind("a word of the discard rack is lost", "hands racked", single("racked")),
    "silent": Kind(
        "any one of the devices below is dead for 5 to 15 minutes", "time", silent("silent", *WITNESSES)
    ),
    **{
        f"silent_{witness}": Kind(
            f"the {text} dead for 5 to 15 minutes", "time", silent(f"silent_{witness}", witness)
        )
        for witness, text in {
            "shoe": "shoe is",
            "layout": "layout is, with cards, wagers and rack,",
            "placements": "layout's readers of cards are",
            "wagers": "layout's readers of wagers are",
            "rack": "discard rack is",
            "reader": "reader of the hole card is",
            "console": "console is",
        }.items()
    },
    "clock": Kind(
        "the clock of one device is off by up to 90 seconds for 5 to 15 minutes", "time", clock("clock")
    ),
    "order": Kind(
        "two devices' words of one act stand in the other order", "acts of two words", order("order")
    ),
    "late": Kind("a device's word comes one to six seconds late", "words", late("late")),
    "recorder": Kind(
        "the recorder is away for a minute; it then numbers on without a gap", "time", away("recorder")
    ),
}


def through(lines: Iterator[bytes], rates: Mapping[str, float], seed: int) -> Iterator[Entry]:
    """A whole stream as it is recorded through sensors with these kinds of noise, each at its rate from 0 to 1.

    The same lines, rates and seed give the same entries; a kind meets the same words whichever others are there.
    """
    heard = words(lines)
    for name, kind in KINDS.items():
        rate = rates.get(name, 0.0)
        if rate > 0:
            heard = kind.noise(heard, rate, Random(seed_of(seed, f"noise {name}")))
    return recorded(heard)
