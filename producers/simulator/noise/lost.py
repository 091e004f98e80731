"""Words that never reach the record: single ones, those of a device that is dead, all while the recorder is away."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from producers.simulator.noise.stretches import Stretches
from producers.simulator.noise.words import Noise, Word

SILENT_SECONDS = (300.0, 900.0)  # until somebody has seen to the device
RECORDER_SECONDS = 60.0
# Whose words go missing together, by their device or their type: the layout's parts have sensors of their own.
WITNESSES: dict[str, frozenset[str]] = {
    "shoe": frozenset({"shoe"}),
    "layout": frozenset({"layout"}),
    "placements": frozenset({"card_placed", "stack_delivered"}),
    "wagers": frozenset({"wager_placed"}),
    "rack": frozenset({"cards_racked"}),
    "reader": frozenset({"reader", "masque"}),
    "console": frozenset({"console"}),
}

# The types of the words of which single ones go missing, by kind of noise.
SINGLE: dict[str, frozenset[str]] = {
    "placements": frozenset({"card_placed", "stack_delivered"}),
    "draws": frozenset({"card_drawn", "stack_dispensed"}),
    "wagers": frozenset({"wager_placed"}),
    "decisions": frozenset({"player_decision"}),
    "racked": frozenset({"cards_racked"}),
}


def is_of(word: Word, witness: str) -> bool:
    """Whether the word is one of those of a witness."""
    names = WITNESSES[witness]
    return word.device in names or word.kind in names


def single(name: str) -> Noise:
    """Loses single words of the types of that kind of noise; the rate is the share of those words."""
    kinds = SINGLE[name]

    def lose(words: Iterator[Word], rate: float, chance: Random) -> Iterator[Word]:
        for word in words:
            lost = word.kind in kinds and chance.random() < rate
            yield word.met(name, lost=True) if lost else word

    return lose


def silent(name: str, *witnesses: str) -> Noise:
    """Loses all words of one of these witnesses for 5 to 15 minutes; the rate is the share of the time."""

    def fall_silent(words: Iterator[Word], rate: float, chance: Random) -> Iterator[Word]:
        stretches = Stretches(rate, chance, *SILENT_SECONDS)
        number, dead = 0, ""
        for word in words:
            now = stretches.number_at(word.time)
            if now and now != number:
                number, dead = now, chance.choice(witnesses)
            yield word.met(name, lost=True) if now and is_of(word, dead) else word

    return fall_silent


def away(name: str) -> Noise:
    """Loses every word of a minute; the rate is the share of the time. The recorder then numbers on without a gap."""

    def lose(words: Iterator[Word], rate: float, chance: Random) -> Iterator[Word]:
        stretches = Stretches(rate, chance, RECORDER_SECONDS, RECORDER_SECONDS)
        for word in words:
            yield word.met(name, lost=True) if stretches.number_at(word.time) else word

    return lose
