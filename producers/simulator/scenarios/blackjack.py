"""Named sessions at blackjack tables: one thing wrong, one irregularity put right, or one way of playing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from producers.simulator.blackjack.incidents.incident import Incident
from producers.simulator.blackjack.incidents.irregularities import CATALOGUED, Irregularity
from producers.simulator.blackjack.rules import MATCH_ODDS, RULES
from producers.simulator.blackjack.strategies import STRATEGIES
from producers.simulator.blackjack_engine import BlackjackEngine
from producers.simulator.floor.patrons import Patron
from producers.simulator.floor.setup import BLACKJACK, TableSetup
from producers.simulator.scenarios import faults, money, play, rack, shoe, side
from producers.simulator.scenarios.shoe import LifeSlip
from producers.simulator.scenarios.slips import Slip, Way
from producers.simulator.scenarios.stream import Change, rewritten
from producers.simulator.scenarios.texts import TEXTS
from producers.simulator.session import Scenario, Session
from schemas.events import PlayerArrived

WAYS: dict[str, Way] = money.WAYS | side.WAYS | play.WAYS | rack.WAYS | faults.WAYS | shoe.WAYS
COUNTER_SPREAD = 12  # largest multiple of the unit that a counter stakes
LAST_START = 4  # the wrong waits for a random round up to this one, then for its occasion
FULL_TABLE: dict[str, Any] = {"seats": 6, "patrons": (3, 5)}


class WrongScenario(Scenario):
    """A session with one thing wrong.

    `breaks` are the provisions, or `integrity.*`, any of which the wrong violates; `slip` is that of one
    session. `happened` says, after a session, whether there was an occasion; a dozen rounds give one for
    nearly all.
    """

    def __init__(self, name: str, way: Way) -> None:
        text = TEXTS[name]
        self.name, self.summary = name, text.summary
        self.rulesets, self.breaks = text.blackjack_rulesets, text.breaks
        self._way = way
        self._changes: dict[int, Change] = {}
        self.slip: Slip = Slip()

    @property
    def happened(self) -> bool:
        """Whether the wrong took place in the session that this instance was played in."""
        return self.slip.happened

    def prepare(self, setup: TableSetup) -> TableSetup:
        """The table as the wrong needs it."""
        changes = FULL_TABLE | {"habits": replace(setup.habits, **self._way.habits)}
        if self._way.how().occasion.side:
            side = RULES[setup.ruleset].side_wager
            decks = setup.decks if setup.decks in MATCH_ODDS else 6
            paytable = "A" if side == "push22" else str(decks)
            changes |= {"decks": decks, "side_wagers": (side,), "paytables": {side: paytable}}
        if self._way.stage == "shoe":
            changes["shuffler"] = "none"
        prepared = replace(setup, **(changes | dict(self._way.setup)))
        if "match_dealer" not in prepared.side_wagers or prepared.decks in MATCH_ODDS:
            paytables = {kind: str(prepared.decks) for kind in prepared.paytables if kind == "match_dealer"}
            return replace(prepared, paytables=prepared.paytables | paytables)
        return replace(prepared, side_wagers=(), paytables={})  # 685a.6(e)

    def begin(self, session: Session) -> None:
        """Choose the first round at which it may happen."""
        self.slip = self._way.how()
        opening = self._way.stage == "opening"
        self._start = 0 if opening else session.writer.rng.randint(2, LAST_START)
        if isinstance(self.slip, LifeSlip):
            self.slip.begin(session, self._changes)
            _engine(session).install(self.slip)
        self.after_round(session)

    def after_round(self, session: Session) -> None:
        """Let it happen from the chosen round on, and never twice."""
        engine = _engine(session)
        if isinstance(self.slip, LifeSlip):
            self.slip.armed = session.number + 1 >= self._start
        elif self.slip.happened:
            engine.install(Incident())
        elif session.number + 1 >= self._start:
            engine.install(self.slip)

    def transform(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        """The stream with its chain made whole again where an event was changed."""
        return rewritten(lines, self._changes)


def _engine(session: Session) -> BlackjackEngine:
    if not isinstance(session.engine, BlackjackEngine):
        raise ValueError(f"{session.setup.ruleset} is no blackjack; this scenario needs a blackjack table")
    return session.engine


class IrregularScenario(Scenario):
    """A session in which one named irregularity happens once and is put right; it violates nothing."""

    def __init__(self, irregularity: str, found: Irregularity) -> None:
        self.name = f"irregular_{irregularity}"
        self.summary = TEXTS[self.name].summary
        self.rulesets = found.rulesets
        self.happened = False
        self._irregularity = irregularity
        self._setup = found.setup

    def prepare(self, setup: TableSetup) -> TableSetup:
        """The table as the irregularity needs it."""
        return replace(setup, **(FULL_TABLE | dict(self._setup)))

    def begin(self, session: Session) -> None:
        """Choose the first round in which it may happen."""
        self._start = session.writer.rng.randint(2, LAST_START)

    def irregularity(self, session: Session) -> str | None:
        """The irregularity, until it has happened."""
        return self._irregularity if session.number + 1 >= self._start and not self.happened else None

    def after_round(self, session: Session) -> None:
        """See whether it has."""
        self.happened = self.happened or _engine(session).happened


class Styled(Scenario):
    """A lawful session in which all patrons play in one way."""

    rulesets = BLACKJACK

    def __init__(self, style: str) -> None:
        self.name = f"patrons_{style}"
        self.summary = TEXTS[self.name].summary
        self._style = style

    def begin(self, session: Session) -> None:
        """Set how newcomers play; a counter needs room to raise."""
        _engine(session).table.players.style = self._style
        if self._style == "counter":
            session.writer.watch(PlayerArrived, lambda _event: _embolden(session.life.guests.seated[-1]))


def _embolden(patron: Patron) -> None:
    patron.boldness = COUNTER_SPREAD


SCENARIOS: dict[str, WrongScenario | IrregularScenario | Styled] = {
    **{name: WrongScenario(name, way) for name, way in WAYS.items()},
    **{f"irregular_{name}": IrregularScenario(name, found) for name, found in CATALOGUED.items()},
    **{f"patrons_{style}": Styled(style) for style in STRATEGIES},
}
