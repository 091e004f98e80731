"""Shoes dealt card by card to plain players, and ways to stake in them, with a count or without one."""

from __future__ import annotations

import datetime as dt
import math
import random
from collections.abc import Callable, Iterable, Iterator

import msgspec
from msgspec import Struct

from processors.detectors.families import counting
from processors.detectors.following.blocks import LEAST, BlockNote
from processors.detectors.following.flips import MOST
from processors.detectors.following.steps import AWAY, Rounds, result_of, step
from processors.detectors.shapes import Alarm, Observation

DECKS = 6
CUT = 0.75
_RANKS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11] * 4


class Dealt(Struct):
    """One round: cards left before it, its cards, their tags, and the first player's result in stakes."""

    left: int
    cards: int
    tags: int
    result: float


Shoe = list[Dealt]
Staking = Callable[[random.Random, Shoe, dict[str, float]], list[int]]
"""From a shoe, and what the player remembers of the last one, to his stake in each round, in cents; 0: none."""


def _total(hand: list[int]) -> int:
    total, aces = sum(hand), hand.count(11)
    while total > 21 and aces:
        total, aces = total - 10, aces - 1
    return total


def dealt(rng: random.Random, boxes: int = 2) -> Shoe:
    """One shoe, dealt to its cut."""
    cards = _RANKS * DECKS
    rng.shuffle(cards)
    place, shoe = 1, []
    while place < CUT * len(cards):
        begun = place
        hands = [[cards[place + 2 * box], cards[place + 2 * box + 1]] for box in range(boxes + 1)]
        place += 2 * (boxes + 1)
        dealer, up = hands[-1], hands[-1][0]
        doubled = [False] * boxes
        if _total(dealer) < 21:
            for box, hand in enumerate(hands[:-1]):
                doubled[box] = _total(hand) in (10, 11) and up < 10
                while _total(hand) < (12 if up < 7 else 17) or (doubled[box] and len(hand) < 3):
                    hand.append(cards[place])
                    place += 1
                    if doubled[box]:
                        break
            if any(_total(hand) <= 21 for hand in hands[:-1]):
                while _total(dealer) < 17:
                    dealer.append(cards[place])
                    place += 1
        tags = sum((card < 7) - (card > 9) for card in cards[begun:place])
        shoe.append(Dealt(len(cards) - begun, place - begun, tags, _result(hands[0], dealer, doubled[0])))
    return shoe


def _result(hand: list[int], dealer: list[int], doubled: bool) -> float:
    mine, its, units = _total(hand), _total(dealer), 2.0 if doubled else 1.0
    if mine == 21 and len(hand) == 2:
        return 0.0 if its == 21 and len(dealer) == 2 else 1.5
    if mine > 21 or (its <= 21 and its > mine) or (its == 21 and len(dealer) == 2):
        return -units
    return 0.0 if mine == its else units


def true_counts(shoe: Shoe) -> Iterator[float]:
    """The true count before each round."""
    running = 0
    for one in shoe:
        yield running / one.left * 52
        running += one.tags


class Follower:
    """One player as the family sees him: notes of his shoes, and the evidence."""

    def __init__(self, boxes: int = 2) -> None:
        self.known, self.boxes = Rounds(), boxes
        self.state = counting.OfPlayer()
        self.alarms: list[Alarm] = []
        self.shoes = self.rounds = 0

    def notes(self, shoe: Shoe, stakes: list[int]) -> Iterator[BlockNote]:
        running, steps = 0, []
        for one in shoe:
            steps.append(step(self.known, self.boxes, one.cards, one.tags, running, one.left))
            running += one.tags
        counts = list(true_counts(shoe))
        for first in range(0, len(shoe), MOST):
            rows = range(first, min(first + MOST, len(shoe)))
            if len(rows) < LEAST:
                continue
            yield BlockNote(
                counts[first],
                [shoe[row].left / 52 for row in rows],
                [steps[row].drift for row in rows],
                [steps[row].turn for row in rows],
                [
                    result_of(round(shoe[row].result * stakes[row]), stakes[row]) if stakes[row] else AWAY
                    for row in rows
                ],
                [stakes[row] for row in rows],
                [self.rounds + row + 1 for row in rows],
                [10 * (self.rounds + row + 1) for row in rows],
            )

    def play(self, shoe: Shoe, stakes: list[int], share: float = 1.0) -> None:
        """Take the stakes of a shoe."""
        for note in self.notes(shoe, stakes):
            self.alarms += counting._weigh(self.state, seen(note.rounds[-1]), note, share)
        self.shoes += 1
        self.rounds += len(shoe)

    @property
    def peaks(self) -> dict[str, float]:
        """The most evidence there was by each variant, before it has a part of the level."""
        return {"stakes": self.state.stakes.highest, "presence": self.state.presence.highest}


def seen(round_: int) -> Observation:
    return Observation(
        family="counting", whom={"player": "P"}, subject="T", round=round_, sequence=10 * round_,
        time=dt.datetime(2026, 1, 1, tzinfo=dt.UTC), nth=1, note=msgspec.Raw(b""),
    )  # fmt: skip


# Players who count.


def ramp(_: random.Random, shoe: Shoe, __: dict[str, float]) -> list[int]:
    """1 to 8 units, two more for each true count above 1."""
    return [2500 * min(8, max(1, math.floor(2 * count - 1))) for count in true_counts(shoe)]


def correlated(rng: random.Random, shoe: Shoe, _: dict[str, float]) -> list[int]:
    """Log stakes whose correlation with the true count (s.d. 2.3) is one half."""
    noise = math.sqrt(0.75)
    return [
        max(500, 100 * round(50 * 2 ** (0.8 * (0.5 * count / 2.3 + noise * rng.gauss(0, 1)))))
        for count in true_counts(shoe)
    ]


def plays_when_high(_: random.Random, shoe: Shoe, __: dict[str, float]) -> list[int]:
    return [5000 if count >= 1 else 0 for count in true_counts(shoe)]


def plays_when_low(_: random.Random, shoe: Shoe, __: dict[str, float]) -> list[int]:
    return [5000 if count < 1 else 0 for count in true_counts(shoe)]


def joins_when_high(_: random.Random, shoe: Shoe, __: dict[str, float]) -> list[int]:
    """Comes in at a true count of 1, and goes when it falls below 0."""
    stakes, here = [], False
    for count in true_counts(shoe):
        here = count >= (0 if here else 1)
        stakes.append(5000 if here else 0)
    return stakes


# Players who do not.


def mood(rng: random.Random, shoe: Shoe, mind: dict[str, float]) -> list[int]:
    """Changes his stake now and then, and stays with it, from shoe to shoe."""
    stakes = []
    for _ in shoe:
        if "stake" not in mind or rng.random() < 0.08:
            mind["stake"] = rng.choice((2500, 5000, 7500, 10_000, 20_000))
        stakes.append(int(mind["stake"]))
    return stakes


def drifting(rng: random.Random, shoe: Shoe, mind: dict[str, float]) -> list[int]:
    stakes = []
    for _ in shoe:
        mind["log"] = 0.95 * mind.get("log", 0.0) + rng.gauss(0, 0.3)
        stakes.append(max(500, 100 * round(50 * 2 ** mind["log"])))
    return stakes


def _progression(units: Iterable[int], on: Callable[[float, int, int], int]) -> Staking:
    steps = tuple(units)

    def stakes(_: random.Random, shoe: Shoe, mind: dict[str, float]) -> list[int]:
        made, place = [], int(mind.get("place", 0))
        for one in shoe:
            made.append(2500 * steps[place])
            place = max(0, min(len(steps) - 1, on(one.result, place, len(steps))))
        mind["place"] = place
        return made

    return stakes


doubles_after_loss = _progression(
    (1, 2, 4, 8, 16, 32), lambda r, at, _: at + 1 if r < 0 else 0 if r > 0 else at
)
parlays = _progression((1, 2, 4, 8), lambda r, at, of: (at + 1) % of if r > 0 else 0 if r < 0 else at)
fibonacci = _progression(
    (1, 1, 2, 3, 5, 8, 13), lambda r, at, _: at + 1 if r < 0 else at - 2 if r > 0 else at
)
after_big_wins = _progression((1, 2, 4), lambda r, at, _: at + 1 if r > 1 else at - 1 if r < -1 else at)


def late(_: random.Random, shoe: Shoe, __: dict[str, float]) -> list[int]:
    """More, the fewer cards are left."""
    return [100 * round(25 * 2 ** ((312 - one.left) / 80)) for one in shoe]


def breaks(rng: random.Random, shoe: Shoe, mind: dict[str, float]) -> list[int]:
    """Sits out for a while at times, and stakes at whim."""
    stakes = []
    for _ in shoe:
        if rng.random() < 0.1:
            mind["out"] = 1 - mind.get("out", 0)
        stakes.append(0 if mind.get("out") else rng.choice((2500, 5000)))
    return stakes


def leaves_after_losses(rng: random.Random, shoe: Shoe, _: dict[str, float]) -> list[int]:
    stakes, lost = [], 0
    for one in shoe:
        here = lost < 2 or rng.random() < 0.2
        stakes.append(5000 if here else 0)
        if here:
            lost = lost + 1 if one.result < 0 and lost < 2 else int(one.result < 0)
    return stakes


def waits_after_a_shuffle(rng: random.Random, shoe: Shoe, _: dict[str, float]) -> list[int]:
    first = rng.choice((5, 10, 20))
    return [5000 if place >= first else 0 for place in range(len(shoe))]


def comes_late(rng: random.Random, shoe: Shoe, _: dict[str, float]) -> list[int]:
    return [5000 if one.left < 180 and rng.random() < 0.95 else 0 for one in shoe]


def some_shoes(rng: random.Random, shoe: Shoe, _: dict[str, float]) -> list[int]:
    """Plays whole shoes, or none of their rounds."""
    return [5000 * rng.choice((0, 1))] * len(shoe)


def _quits(ahead: float, behind: float) -> Staking:
    def stakes(_: random.Random, shoe: Shoe, __: dict[str, float]) -> list[int]:
        """Sits out the rest of a shoe once he has won, or lost, so much in it."""
        made, net = [], 0.0
        for one in shoe:
            here = behind < net < ahead
            made.append(5000 if here else 0)
            net += one.result * here
        return made

    return stakes


INNOCENT: dict[str, Staking] = {
    "mood": mood,
    "drifting": drifting,
    "doubles after a loss": doubles_after_loss,
    "parlays": parlays,
    "fibonacci": fibonacci,
    "after big wins": after_big_wins,
    "late in the shoe": late,
    "breaks": breaks,
    "leaves after losses": leaves_after_losses,
    "waits after a shuffle": waits_after_a_shuffle,
    "comes late": comes_late,
    "some shoes": some_shoes,
    "quits when ahead": _quits(3, -1000),
    "quits when behind": _quits(1000, -3),
}
