"""Named sessions at blackjack tables with exactly one thing wrong, for tests, demonstrations and detectors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from producers.simulator.blackjack.engine import BlackjackEngine
from producers.simulator.blackjack.incidents.incident import Incident
from producers.simulator.blackjack.incidents.irregularities import CATALOGUED, Irregularity
from producers.simulator.blackjack.players.strategies import STRATEGIES
from producers.simulator.blackjack.rules import MATCH_ODDS
from producers.simulator.floor.session import Scenario as SessionScenario
from producers.simulator.floor.session import Session
from producers.simulator.floor.setup import BLACKJACK, TableSetup
from producers.simulator.scenarios.faults import FAULTS
from producers.simulator.scenarios.money import MONEY
from producers.simulator.scenarios.play import PLAY
from producers.simulator.scenarios.rack import RACK
from producers.simulator.scenarios.shoe import SHOE, LifeSlip
from producers.simulator.scenarios.side import SIDE
from producers.simulator.scenarios.slips import Slip, Wrong
from producers.simulator.scenarios.stream import Change, rewritten
from schemas.events import PlayerArrived

COUNTER_SPREAD = 12  # largest multiple of the unit that a counter stakes
MANNERS = {
    "basic": "what is worth most",
    "random": "anyhow",
    "counter": "by the count of the cards",
    "progressive": "well and double their stakes after losses",
}
LAST_START = 4  # the wrong waits for a random round up to this one, then for its occasion
OPENING = {"reader_not_inspected", "cards_not_inspected", "inspection_not_verified", "cards_not_shown"}
OPENING |= {"cards_not_washed"}


class Scenario(SessionScenario):
    """A session with one thing wrong.

    `name`, `doc` and `rulesets` describe it, `breaks` are the provisions, or `integrity.*`, any of which the
    wrong violates, `how` makes the slip of one session. `happened` says, after a session, whether there was
    an occasion; a dozen rounds give one for nearly all.
    """

    def __init__(self, name: str, wrong: Wrong) -> None:
        self.name = name
        self.doc = self.summary = wrong.doc
        self.rulesets = wrong.rulesets
        self.breaks = wrong.breaks
        self.how = wrong.how
        self._wrong = wrong
        self._changes: dict[int, Change] = {}
        self.slip: Slip = Slip()

    @property
    def happened(self) -> bool:
        """Whether the wrong took place in the session that this instance was played in."""
        return self.slip.happened

    def prepare(self, setup: TableSetup) -> TableSetup:
        """The table as the wrong needs it."""
        habits = replace(setup.habits, **self._wrong.habits)
        changes: dict[str, Any] = {"habits": habits, "patrons": (3, 5), "seats": 6}
        if self._needs_side_wager():
            decks = setup.decks if setup.decks in MATCH_ODDS else 6
            push22 = setup.ruleset != "down_under_685a"
            changes["decks"] = decks
            changes["side_wagers"] = ("push22",) if push22 else ("match_dealer",)
            changes["paytables"] = {"push22": "A"} if push22 else {"match_dealer": str(decks)}
        if self.name in SHOE and self.name not in OPENING:
            changes["shuffler"] = "none"
        prepared = replace(setup, **(changes | dict(self._wrong.setup)))
        if "match_dealer" not in prepared.side_wagers or prepared.decks in MATCH_ODDS:
            paytables = {kind: str(prepared.decks) for kind in prepared.paytables if kind == "match_dealer"}
            return replace(prepared, paytables=prepared.paytables | paytables)
        return replace(prepared, side_wagers=(), paytables={})  # 685a.6(e)

    def _needs_side_wager(self) -> bool:
        return self.how().occasion.side or self.name == "no_draw_for_push22"

    def begin(self, session: Session) -> None:
        """Choose the first round at which it may happen."""
        self.slip = self.how()
        self._start = 0 if self.name in OPENING else session.writer.rng.randint(2, LAST_START)
        self._installed = False
        if isinstance(self.slip, LifeSlip):
            self.slip.begin(session, self._changes)
            self._engine(session).install(self.slip)
        self.after_round(session)

    def after_round(self, session: Session) -> None:
        """Let it happen from the chosen round on, and never twice."""
        engine = self._engine(session)
        if isinstance(self.slip, LifeSlip):
            self.slip.armed = session.number + 1 >= self._start
        elif self.slip.happened:
            engine.install(Incident())
        elif session.number + 1 >= self._start:
            engine.install(self.slip)

    @staticmethod
    def _engine(session: Session) -> BlackjackEngine:
        if not isinstance(session.engine, BlackjackEngine):
            raise ValueError(
                f"{session.setup.ruleset} is no blackjack; this scenario needs a blackjack table"
            )
        return session.engine

    def transform(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        """The stream with its chain made whole again where an event was changed."""
        return rewritten(lines, self._changes)


class IrregularScenario(SessionScenario):
    """A session in which one named irregularity happens once and is put right; it violates nothing."""

    breaks: tuple[str, ...] = ()

    def __init__(self, irregularity: str, found: Irregularity) -> None:
        self.name = f"irregular_{irregularity}"
        self.doc = self.summary = found.doc
        self.rulesets = found.rulesets
        self.how = found.how
        self.happened = False
        self._irregularity = irregularity

    def prepare(self, setup: TableSetup) -> TableSetup:
        """The table as the irregularity needs it."""
        if self._irregularity == "shoe_runs_out":
            return replace(setup, decks=1, seats=6, patrons=(6, 6), shuffler="none")
        shuffler = setup.shuffler
        if self._irregularity.startswith("shuffler"):
            shuffler = "batch"
        return replace(setup, seats=6, patrons=(3, 5), shuffler=shuffler)

    def begin(self, session: Session) -> None:
        """Choose the first round in which it may happen."""
        self._start = session.writer.rng.randint(2, LAST_START)

    def irregularity(self, session: Session) -> str | None:
        """The irregularity, until it has happened."""
        return self._irregularity if session.number + 1 >= self._start and not self.happened else None

    def after_round(self, session: Session) -> None:
        """See whether it has."""
        if isinstance(session.engine, BlackjackEngine):
            self.happened = self.happened or session.engine.happened


class Styled(SessionScenario):
    """A lawful session in which all patrons play in one way."""

    rulesets = BLACKJACK
    breaks: tuple[str, ...] = ()

    def __init__(self, style: str) -> None:
        self.name = f"patrons_{style}"
        self.doc = self.summary = f"A lawful session in which all patrons play {MANNERS[style]}."
        self._style = style

    def begin(self, session: Session) -> None:
        """Tell the table how newcomers play."""
        if isinstance(session.engine, BlackjackEngine):
            session.engine.felt.players.style = self._style
        session.writer.watch(PlayerArrived, lambda event: self._sits_down(session, event.player))

    def _sits_down(self, session: Session, player: str) -> None:
        """A counter needs room to raise."""
        for patron in session.life.seated:
            if patron.name == player and self._style == "counter":
                patron.boldness = COUNTER_SPREAD


SCENARIOS: dict[str, Scenario | IrregularScenario | Styled] = {
    **{name: Scenario(name, wrong) for name, wrong in (MONEY | SIDE | PLAY | RACK | FAULTS | SHOE).items()},
    **{f"irregular_{name}": IrregularScenario(name, found) for name, found in CATALOGUED.items()},
    **{f"patrons_{style}": Styled(style) for style in STRATEGIES},
}
