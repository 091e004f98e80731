"""Whole sessions of simulated tables: days, shoes and rounds, as contract lines in constant memory."""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Iterator

from producers.simulator.blackjack_engine import BlackjackEngine
from producers.simulator.day.life import TableLife
from producers.simulator.floor.decks.deck import PhysicalShoe
from producers.simulator.floor.setup import RULESETS, TableSetup
from producers.simulator.floor.writer import TableWriter
from producers.simulator.stacks.engine import StackEngine
from schemas.values import Ruleset

WAKES_BEFORE = dt.timedelta(minutes=2)  # the rules submission is on record before the first gaming day


class Session:
    """One simulated table with everything that takes part in it, for scenarios to drive.

    `number` is the round dealt last. The same setup and seed give the same bytes.
    """

    def __init__(self, setup: TableSetup, seed: int, shoe: PhysicalShoe | None = None) -> None:
        """Set the table up; `shoe` is one that deals otherwise than its cards were shuffled."""
        self.setup = setup
        self.writer = TableWriter(
            setup.subject,
            property_name=setup.property_name,
            pit=setup.pit,
            start=setup.opening_time(setup.first_day) - WAKES_BEFORE,
            seed=seed,
        )
        self.shoe = shoe if shoe is not None else PhysicalShoe()
        self.life = TableLife(self.writer, setup, self.shoe)
        engine: type[BlackjackEngine | StackEngine] = BlackjackEngine if setup.is_blackjack else StackEngine
        self.engine = engine(self.life)
        self.number = 0
        self.day = setup.first_day
        self.is_open = False

    def open(self) -> None:
        """Configure the table if it never was, and open the next gaming day."""
        if self.writer.sequence == 0:
            self.life.configure()
        self.life.open_day(self.day)
        self.is_open = True

    def play(self, irregularity: str | None = None) -> None:
        """Whatever comes before the next round, and the round; opens the table, and goes to the next day."""
        if self.is_open and self.life.day_is_over():
            self.close()
        if not self.is_open:
            self.open()
        self.life.prepare_round()
        self.number += 1
        self.engine.play_round(self.number, irregularity=irregularity)

    def close(self) -> None:
        """Close the gaming day; the next round would be on the next one."""
        self.life.close_day()
        self.day += dt.timedelta(days=1)
        self.is_open = False


class Scenario:
    """What a session is made to do; this one does nothing out of the ordinary.

    `rulesets` are those it can be played under, `breaks` the provisions of which a finding should name one;
    none where all is lawful or put right. One instance serves many tables: each gets a copy of its own.
    """

    summary: str = "an ordinary session"
    rulesets: tuple[Ruleset, ...] = RULESETS
    breaks: tuple[str, ...] = ()

    def prepare(self, setup: TableSetup) -> TableSetup:
        """The table as the scenario needs it."""
        return setup

    def begin(self, session: Session) -> None:
        """Before the first event."""

    def irregularity(self, session: Session) -> str | None:  # noqa: ARG002 - for those who override it
        """What goes wrong in the round after `session.number`, by its name."""
        return None

    def after_round(self, session: Session) -> None:
        """After each round."""

    def transform(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        """The stream as it reaches the ledger."""
        return lines


def simulate_table(
    setup: TableSetup, rounds: int, seed: int, scenario: Scenario | None = None
) -> Iterator[bytes]:
    """The lines of one table that deals so many rounds, over as many gaming days as they take.

    At most a few rounds' lines are held at a time.
    """
    played = copy.deepcopy(scenario) if scenario is not None else Scenario()
    return played.transform(_lines(Session(played.prepare(setup), seed), rounds, played))


def _lines(session: Session, rounds: int, scenario: Scenario) -> Iterator[bytes]:
    scenario.begin(session)
    for _ in range(rounds):
        session.play(scenario.irregularity(session))
        scenario.after_round(session)
        yield from session.writer.take()
    if session.is_open:
        session.close()
    yield from session.writer.take()
