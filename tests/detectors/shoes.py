"""Simulated tables whose shoes somebody arranges before they are dealt from, and stakes that follow the result."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

from producers.simulator.floor.decks.deck import PhysicalShoe
from producers.simulator.floor.setup import Habits, usual_setup
from producers.simulator.session import Session
from schemas.values import Ruleset
from tests.detectors.worlds import Event, changed, kind_of

CALM = Habits(arrives=0.0, leaves=0.0, idles=0.0, preshuffled=0.0, floor_reshuffles=0.0, jams=0.0, breaks=0.0)
Racks = list[tuple[str, list[str]]]
"""The racks lifted so far, each with its batch, bottom card first."""
Arrange = Callable[[int, str, list[str], Racks], list[str]]
"""From a shoe's number, its batch, its shuffled and cut order and the racks before it to the order it is dealt in."""


def dealt(
    arrange: Arrange, seed: int, rounds: int, ruleset: Ruleset = "free_bet_672a", **setup: Any
) -> list[bytes]:
    """The lines of a lawful table but for the order of its shoes."""
    racks: Racks = []

    class Arranged(PhysicalShoe):
        __slots__ = ()

        def load(self, batch: str, order: Iterable[str], cards_below: int | None = None) -> None:
            super().load(batch, arrange(self.number + 1, batch, list(order), racks), cards_below)

        def take_rack(self) -> list[str]:
            racks.append((self.batch, list(self.rack)))
            return super().take_rack()

    session = Session(usual_setup(ruleset, f"S-{seed}", **{"habits": CALM, **setup}), seed)
    session.shoe.__class__ = Arranged
    lines: list[bytes] = []
    for _ in range(rounds):
        session.play()
        lines += session.writer.take()
    session.close()
    return [*lines, *session.writer.take()]


def untouched(_number: int, _batch: str, order: list[str], _racks: Racks) -> list[str]:
    return order


def with_slug(order: list[str], slug: list[str], at: int) -> list[str]:
    """The same cards, but that those of the slug come one after the other from the `at`-th on."""
    rest = list(order)
    for card in slug:
        rest.remove(card)
    return [*rest[:at], *slug, *rest[at:]]


def riffled(cards: list[str], times: int, seed: int) -> list[str]:
    """So many riffles by the model of Gilbert, Shannon and Reeds."""
    rng = random.Random(seed)
    for _ in range(times):
        cut = sum(rng.random() < 0.5 for _ in cards)
        halves = [cards[:cut], cards[cut:]]
        cards = []
        while halves[0] or halves[1]:
            left = len(halves[0]) / (len(halves[0]) + len(halves[1]))
            cards.append(halves[rng.random() >= left].pop(0))
    return cards


def restaked(lines: list[bytes], seed: int, factor: float, won: float, lost: float, seat: int) -> list[bytes]:
    """The seat's stakes of a round, and all they earn, multiplied: in a share of rounds that it wins, and loses."""
    outcomes: dict[tuple[int, str], str] = {}
    number = 0

    def learn(event: Event) -> list[Event]:
        nonlocal number
        kind, data = kind_of(event), event["data"]
        if kind == "round_started":
            number = data["round"]
        elif kind == "wager_settled" and data["kind"] == "main" and data["seat"] == seat:
            outcomes.setdefault((number, "first"), data["outcome"])
        return [event]

    changed(lines, learn)
    rng = random.Random(seed)
    chances = {"pay": won, "collect": lost, "return": lost}
    chosen = {n for (n, _), outcome in outcomes.items() if rng.random() < chances[outcome]}

    def change(event: Event) -> list[Event]:
        nonlocal number
        kind, data = kind_of(event), event["data"]
        if kind == "round_started":
            number = data["round"]
        elif number in chosen and data.get("seat") == seat and kind in ("wager_placed", "wager_settled"):
            data["cents"] = int(data["cents"] * factor)
        return [event]

    return changed(lines, change)
