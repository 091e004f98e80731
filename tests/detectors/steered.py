"""Simulated tables whose shoes are cut, covered or reshuffled by somebody's plan, and Masque readers that err."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from producers.simulator.floor.decks import cutting
from producers.simulator.floor.decks.cards import TableCards
from producers.simulator.floor.setup import Habits, usual_setup
from producers.simulator.session import Session
from schemas import events
from schemas.values import Ruleset
from tests.detectors.worlds import Change, Course, Event

ALONE = Habits(
    arrives=0.0, leaves=0.0, idles=0.0, preshuffled=0.0, floor_reshuffles=0.0, dealer_minutes=1e9, shift_hours=1e9
)  # fmt: skip
When = Callable[[random.Random, float, int], bool]
"""From the true count after a round, and how many rounds the shoe has had, to whether the floor has it reshuffled."""
Place = Callable[[random.Random, float, int], float]
"""From the count of the last shoe, in standard deviations, and how many there were, to a place from 0 to 1."""


def _count(cards: list[str]) -> int:
    return sum((card[0] in "23456") - (card[0] in "TJQKA") for card in cards if card != "??")


def wherever(rng: random.Random, _count: float, _shoes: int) -> float:
    return rng.random()


def never(_rng: random.Random, _count: float, _rounds: int) -> bool:
    return False


class _Steered:
    """A table that somebody steers: the count of its last shoe, how many there were, and the rounds of this one."""

    def __init__(
        self, session: Session, seed: int, when: When, cover: Place | None, cut: Place | None
    ) -> None:
        self.session, self.rng = session, random.Random(seed)
        self.when, self.cover, self.cut = when, cover, cut
        self.prepare = session.life._prepare_cards
        self.last, self.shoes, self.rounds = 0.0, 0, 0
        session.life._prepare_cards = self.next_cards  # type: ignore[method-assign]  # the test steers the table
        session.writer.watch(events.ShoeEmptied, self.emptied)

    def next_cards(self) -> None:
        """Before a round: reshuffle by plan, or whatever the table does by itself."""
        shoe, life = self.session.shoe, self.session.life
        self.rounds = self.rounds + 1 if shoe.drawn > 20 else 1
        count = _count(shoe.order[: shoe.drawn]) / max(1, shoe.remaining) * 52
        if life.cards.cover_at is None and shoe.drawn > 1 and self.when(self.rng, count, self.rounds):
            order = events.ReshuffleOrdered(staff=life.floorperson, reason="spilled drink")
            self.session.writer.emit(order, after=5.0)
            life._next_shoe(cutting.cutters_from_right(life.cards))
        else:
            self.prepare()

    def emptied(self, event: events.ShoeEmptied) -> None:
        """Take the count with which a shoe ends: that of the rest, the other way."""
        size, rest = len(self.session.shoe.order), len(event.cards)
        spread = (10 / 13 * rest * (size - rest) / size) ** 0.5
        self.last = -_count(list(event.cards)) / spread if spread else 0.0
        self.shoes += 1

    def insert_cover(self, cards: TableCards, size: int) -> int:
        """Put the cover card in by plan, or anywhere."""
        place = (self.cover or wherever)(self.rng, self.last, self.shoes)
        below = -(-size // 4) + round(place * size / 8)
        cards.writer.emit(events.CoverCardInserted(cards_below=below, stack=size))
        return below

    def cut_once(self, cards: TableCards, stack: list[str], by: str) -> list[str]:
        """Cut by plan, or anywhere."""
        place, size = (self.cut or wherever)(self.rng, self.last, self.shoes), len(stack)
        on_top = 10 + round(place * (size - 20))
        cards.writer.emit(events.CutMade(by=by, cards_on_top=on_top, stack=size))
        return [*stack[on_top:], *stack[:on_top]]


def lines_of(
    seed: int,
    rounds: int,
    *,
    when: When = never,
    cover: Place | None = None,
    cut: Place | None = None,
    ruleset: Ruleset = "free_bet_672a",
    **setup: Any,
) -> list[bytes]:
    """A table of one dealer at which, by these plans, shoes are reshuffled, cover cards put in, and stacks cut."""
    session = Session(
        usual_setup(ruleset, f"S-{seed}", **{"habits": ALONE, "patrons": (5, 5), **setup}), seed
    )
    table = _Steered(session, seed, when, cover, cut)
    lines: list[bytes] = []
    with (
        patch.object(cutting, "_cut_once", table.cut_once),
        patch.object(cutting, "_insert_cover", table.insert_cover),
    ):
        for _ in range(rounds):
            session.play()
            lines += session.writer.take()
        session.close()
    return [*lines, *session.writer.take()]


# Plans


def above(count: float, often: float = 0.9, seldom: float = 0.003) -> When:
    """Reshuffles where the true count is this or more, and now and then elsewhere."""
    return lambda rng, now, _: rng.random() < (often if now >= count else seldom)


def below(count: float, often: float = 0.9) -> When:
    """Reshuffles where the true count is this or less."""
    return lambda rng, now, _: now <= count and rng.random() < often


def now_and_then(chance: float) -> When:
    return lambda rng, _now, _rounds: rng.random() < chance


def after_rounds(number: int) -> When:
    return lambda _rng, _now, rounds: rounds >= number


def by_count(correlation: float) -> Place:
    """Goes with the count of the last shoe so closely, in a normal habit about the middle."""
    noise = (1 - correlation**2) ** 0.5
    return lambda rng, count, _: max(
        0.0, min(1.0, 0.5 + 0.18 * (correlation * count + noise * rng.gauss(0, 1)))
    )


def narrow(rng: random.Random, _count: float, _shoes: int) -> float:
    return 0.4 + 0.02 * rng.random()


def always_there(_rng: random.Random, _count: float, _shoes: int) -> float:
    return 0.5


def deeper_and_deeper(rng: random.Random, _count: float, shoes: int) -> float:
    return min(1.0, 0.03 * shoes + 0.05 * rng.random())


# Lights


def wrong_lights(chance: float, seed: int, *, of: str = "", since: int = 0, way: int = 0) -> Change:
    """The Masque reader shows a wrong light with some chance, for hole cards of one range (empty: of any).

    way: 1 for a larger range, -1 for a smaller one, 0 for either. The hand is laid where the light says.
    """
    course, rng = Course(), random.Random(seed)
    ranges = ("small", "medium", "large")
    light = ""

    def change(event: Event) -> list[Event]:
        nonlocal light
        kind, data = course.take(event), event["data"]
        if kind == "hole_card_read":
            right = data["result"]
            others = [one for one in ranges if one != right]
            if way:
                others = [one for one in others if (ranges.index(one) - ranges.index(right)) * way > 0]
            light = right
            if course.round >= since and of in ("", right) and others and rng.random() < chance:
                light = rng.choice(others)
            data["result"] = light
        elif kind == "dealer_hand_positioned":
            data["area"] = light
        return [event]

    return change
