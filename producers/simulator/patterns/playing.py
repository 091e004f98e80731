"""A table that is played by a plan, and what the plan leaves as its truth."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from producers.simulator.blackjack.incidents.incident import Incident
from producers.simulator.blackjack.strategies import Basic
from producers.simulator.blackjack.table import BlackjackTable
from producers.simulator.blackjack_engine import BlackjackEngine
from producers.simulator.floor.decks.deck import PhysicalShoe
from producers.simulator.floor.gaming_floor import seed_of
from producers.simulator.floor.patrons import Patron
from producers.simulator.floor.setup import Habits, TableSetup, usual_setup
from producers.simulator.noise.words import Word, recorded, words
from producers.simulator.session import Session
from schemas.values import Ruleset

CALM = Habits(arrives=0.0, leaves=0.0, idles=0.0, preshuffled=0.0, floor_reshuffles=0.0, jams=0.0, breaks=0.0,
              boxes_two=0.0, dealer_minutes=25.0)  # fmt: skip
"""Nobody comes or goes, so that a pattern has the whole stream; dealers take turns."""
Arrange = Callable[["ArrangedShoe", list[str]], list[str]]
"""From the shoe, with the number and batch of the load, and its shuffled and cut order, to the order it is dealt in."""


class ArrangedShoe(PhysicalShoe):
    """A shoe whose load somebody may arrange.

    `racks` are those lifted last, each with its batch, bottom card first; `kept` is an order that may come again.
    """

    __slots__ = ("arrange", "kept", "racks")

    def __init__(self) -> None:
        super().__init__()
        self.racks: list[tuple[str, list[str]]] = []
        self.kept: list[str] = []
        self.arrange: Arrange | None = None

    def load(self, batch: str, order: Any, cards_below: int | None = None) -> None:
        """Put a stack into the shoe, as it is arranged."""
        super().load(batch, order, cards_below)
        if self.arrange is not None:
            self.order = self.arrange(self, self.order)

    def take_rack(self) -> list[str]:
        """Lift the rack, and remember it."""
        self.racks = [*self.racks[-3:], (self.batch, list(self.rack))]
        return super().take_rack()


class PatternPlay:
    """One table under a plan.

    size: how much is done, in the pattern's unit. rng: the plan's own chance, apart from the table's. about: whom a
    suspicion should name. offences: the rounds in which it was done, each with the cents lost or won by it.
    """

    def __init__(self, setup: TableSetup, seed: int, size: float) -> None:
        self.size = size
        self.rng = random.Random(seed_of(seed, "pattern"))
        self.shoe = ArrangedShoe()
        self.session = Session(setup, seed, self.shoe)
        self.about: dict[str, str | int] = {}
        self.offences: list[tuple[int, int]] = []

    @property
    def setup(self) -> TableSetup:
        """What the table is."""
        return self.session.setup

    @property
    def table(self) -> BlackjackTable:
        """The hands and chips of the round."""
        engine = self.session.engine
        assert isinstance(engine, BlackjackEngine), "patterns are played at blackjack tables"
        return engine.table

    @property
    def dealer(self) -> str:
        """Who deals now."""
        return self.session.life.staff.dealer

    def name_dealer(self, nth: int = 1) -> str:
        """Name the dealer who comes as the n-th as the one whom it is about."""
        name = f"D-{self.setup.number:02d}{nth}"
        self.about["dealer"] = name
        return name

    def name_table(self) -> None:
        """Name the table as what it is about."""
        self.about["table"] = self.setup.subject

    def offend(self, cents: int = 0) -> None:
        """Write down that it was done in this round."""
        self.offences.append((self.session.number, cents))

    def install(self, plan: Planned) -> None:
        """Let the plan change the rounds."""
        engine = self.session.engine
        assert isinstance(engine, BlackjackEngine)
        plan.play = self
        engine.install(plan)

    def first_patron(self, made: Callable[[Patron], Basic], *, named: bool = True) -> None:
        """Let the patron who plays first play in a way of his own; `named`: he is the one whom it is about."""
        players = self.table.players

        def own(patron: Patron) -> Basic | None:
            if players.strategies:
                return None
            if named:
                self.about["player"] = patron.name
            return made(patron)

        players.own = own


class Planned(Incident):
    """Rounds that a plan changes."""

    play: PatternPlay


Heard = Callable[[PatternPlay, Iterator[Word]], Iterator[Word]]


@dataclass(frozen=True, slots=True)
class Stated:
    """One size of a pattern: how many rounds are played, and by when it should be found (`round`, or `hands`)."""

    size: float
    rounds: int
    by: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """Something that is done at a table, or an honest thing that only looks like it (`null`).

    unit: what a size counts; between: the least and the largest size that mean anything. begin: puts the plan into
    effect before the first event. heard: what becomes of the words of the devices on their way to the record. setup,
    habits: what the table needs. allowed: families that may rightly speak of a look-alike. tables: how many tables are
    played, each alone.
    """

    name: str
    family: str
    summary: str
    unit: str
    stated: tuple[Stated, ...]
    begin: Callable[[PatternPlay], None] = lambda _play: None
    heard: Heard | None = None
    ruleset: Ruleset = "free_bet_672a"
    setup: dict[str, Any] = field(default_factory=dict)
    habits: dict[str, float] = field(default_factory=dict)
    null: bool = False
    allowed: tuple[str, ...] = ()
    tables: int = 1
    between: tuple[float, float] = (0.0, 1.0)

    @property
    def usual(self) -> Stated:
        """The size that is played unless another is named."""
        return self.stated[0]

    def at(self, size: float | None) -> Stated:
        """That size; one that is not stated has the rounds of the nearest smaller one, and no time but the end."""
        if size is None:
            return self.usual
        for one in self.stated:
            if one.size == size:
                return one
        smaller = [one for one in self.stated if one.size <= size]
        nearest = max(smaller, key=lambda one: one.size) if smaller else self.usual
        return Stated(size, nearest.rounds, {"round": nearest.rounds} if nearest.by else {})


@dataclass(slots=True)
class Scene:
    """One table of a played pattern: its lines, to be taken once, and what is true of it once they were."""

    subject: str
    play: PatternPlay
    lines: Iterator[bytes]
    events: int = 0
    days: int = 1


def scenes(pattern: Pattern, size: float | None, seed: int, rounds: int | None = None) -> Iterator[Scene]:
    """The tables of a pattern; the same arguments give the same bytes."""
    stated = pattern.at(size)
    for number in range(1, pattern.tables + 1):
        subject = f"T-{number:03d}"
        chance = seed_of(seed, f"{pattern.name} {stated.size:g} {subject}")
        setup = usual_setup(pattern.ruleset, subject, **_setup_of(pattern, number))
        play = PatternPlay(setup, chance, stated.size)
        scene = Scene(subject, play, iter(()))
        scene.lines = _counted(scene, _lines(pattern, play, rounds or stated.rounds))
        yield scene


def _setup_of(pattern: Pattern, number: int) -> dict[str, Any]:
    habits = replace(CALM, **pattern.habits)
    return {
        "number": number,
        "boxes_per_player": 1,
        "max_cents": 1_000_000,
        "habits": habits,
        **pattern.setup,
    }


def _lines(pattern: Pattern, play: PatternPlay, rounds: int) -> Iterator[bytes]:
    pattern.begin(play)
    dealt = _dealt(play, rounds)
    if pattern.heard is None:
        return dealt
    return (one.line for one in recorded(pattern.heard(play, words(dealt))) if one.line is not None)


def _dealt(play: PatternPlay, rounds: int) -> Iterator[bytes]:
    session = play.session
    for _ in range(rounds):
        session.play()
        yield from session.writer.take()
    session.close()
    yield from session.writer.take()


def _counted(scene: Scene, lines: Iterator[bytes]) -> Iterator[bytes]:
    for line in lines:
        scene.events += 1
        yield line
    scene.days = max(1, (scene.play.session.day - scene.play.setup.first_day).days)
