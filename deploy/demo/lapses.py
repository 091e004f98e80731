"""What goes wrong at the tables of a demonstration: mostly nothing, now and then something, put right or not.

How grave a breach is the provisions say, not this module: it chooses which come about, and how often.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Final, Literal

from deploy.demo.favour import Favour
from producers.simulator.blackjack.incidents import irregularities
from producers.simulator.blackjack.incidents.incident import Incident
from producers.simulator.blackjack_engine import BlackjackEngine
from producers.simulator.floor.setup import TableSetup
from producers.simulator.scenarios.blackjack import WAYS
from producers.simulator.scenarios.shoe import LifeSlip
from producers.simulator.scenarios.slips import Slip, Way
from producers.simulator.scenarios.stream import Change, rewritten
from producers.simulator.scenarios.texts import TEXTS
from producers.simulator.session import Scenario, Session
from producers.simulator.stacks import deviations as stack_deviations

EVERY: Final = 15  # rounds from one breach of a table to its next
PATIENCE: Final = 6  # rounds in which a breach waits for its occasion, before another is tried
CUT_EVERY: Final = 60  # rounds from one wrong cut of a table to the first that may be the next
PUT_RIGHT: Final = 0.06  # chance that something goes wrong in a round and is put right as it must be
OPENS_WRONG: Final = 0.3  # chance that the first day of a table opens with a step left out

Kind = Literal["manners", "procedure", "money", "grave"]

# What a floor's day brings: words and cards laid carelessly, steps left out, wrong payouts, and seldom worse.
ORDER: Final[tuple[Kind, ...]] = (
    "manners", "money", "procedure", "manners", "procedure", "money", "manners", "procedure",
    "manners", "money", "procedure", "manners", "money", "manners", "procedure", "grave",
)  # fmt: skip
STRIDE: Final = 4  # places in that order from one table's beginning to its neighbour's

BREACHES: Final[dict[Kind, tuple[str, ...]]] = {
    "manners": (
        "total_not_announced", "blackjack_left_lying", "wrong_total", "double_card_upright", "wrong_hand",
    ),
    "procedure": (
        "peek_not_reported", "lost_insurance_late", "draws_when_barred", "tucked_blackjack_racked",
        "lost_insurance_left", "pays_before_collecting", "match_backwards", "match_not_settled",
        "not_announced", "late_wager",
    ),
    "money": (
        "underpay", "push_collected", "blackjack_paid_1_to_1", "overpay", "lost_insurance_paid",
        "loser_returned", "dealer22_collected", "winner_returned", "match_loser_paid", "push_paid",
        "lammer_unpaid", "push22_returned", "winner_unpaid", "insurance_paid_3_to_1", "void_wager_kept",
    ),
    "grave": (
        "card_missing", "late_bet", "hole_switched", "dealer_hits_17", "bet_pressed", "hand_not_racked",
        "misdeal_played_on", "stub_exposed", "no_starting_position", "stub_not_counted",
    ),
}  # fmt: skip
_CUTS: Final = ("shallow_cut", "cut_not_offered", "cut_offered_to_another")
_OPENINGS: Final = ("cards_not_shown", "reader_not_inspected", "inspection_not_verified")


class Lapses(Scenario):
    """Lawful play, irregularities put right, and now and then a breach."""

    summary = "lawful play with a breach now and then"

    def __init__(self, favours_from: dt.date | None = None) -> None:
        """From this gaming day on a dealer of the table favours a patron."""
        self._favours_from = favours_from
        self._favour = Favour()
        self._changes: dict[int, Change] = {}
        self._next = 0
        self._place = 0
        self._tried = 0
        self._slip: Slip | None = None
        self._next_cut = 0
        self._cut: LifeSlip | None = None
        self._cuts = 0

    def begin(self, session: Session) -> None:
        """The first breaches of a floor come soon, one table after the other, and each of another kind."""
        number, rng = session.setup.number, session.writer.rng
        self._next = 2 + number % 5
        self._place = number * STRIDE
        self._tried = self._cuts = number
        self._next_cut = rng.randint(1, CUT_EVERY)
        if session.setup.is_blackjack and rng.random() < OPENS_WRONG:
            self._await(_OPENINGS[number % len(_OPENINGS)], session)

    def irregularity(self, session: Session) -> str | None:
        """What is put right in the next round; a stack game's breaches come this way too."""
        number, ruleset, rng = session.number + 1, session.setup.ruleset, session.writer.rng
        if session.setup.is_blackjack:
            wanted = self._slip is None and rng.random() < PUT_RIGHT
            return rng.choice(irregularities.IRREGULARITIES[ruleset]) if wanted else None
        if number >= self._next:
            self._next = number + EVERY
            name = self._name(session.setup)
            self._place += 1
            return name
        wanted = rng.random() < PUT_RIGHT
        return rng.choice(sorted(stack_deviations.IRREGULARITIES[ruleset])) if wanted else None

    def after_round(self, session: Session) -> None:
        """At a blackjack table a breach is made ready, and waits for an occasion."""
        engine, number = session.engine, session.number + 1
        if not isinstance(engine, BlackjackEngine):
            return
        if self._slip is not None and (self._slip.happened or number >= self._next + PATIENCE):
            self._next = number + (EVERY if self._slip.happened else 1)
            self._place += self._slip.happened
            self._slip = None
        if self._slip is None and number >= self._next:
            self._slip = WAYS[self._name(session.setup)].how()
            if isinstance(self._slip, LifeSlip):
                self._arm(self._slip, session)
            engine.install(self._slip)
        if self._slip is None:
            favours = self._favours_from is not None and session.day >= self._favours_from
            engine.install(self._favour if favours else Incident())
        self._cut_wrong(session)

    def transform(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        """The stream with its chain made whole again where a step was left out."""
        return rewritten(lines, self._changes)

    def _cut_wrong(self, session: Session) -> None:
        """A cut goes wrong beside whatever else does: it comes but once a shoe."""
        number = session.number + 1
        if self._cut is not None and self._cut.happened:
            self._cut, self._next_cut = None, number + CUT_EVERY
        if self._cut is None and number >= self._next_cut and not session.setup.reshuffles_itself:
            self._cuts += 1
            self._cut = self._await(_CUTS[self._cuts % len(_CUTS)], session)

    def _await(self, name: str, session: Session) -> LifeSlip | None:
        slip = WAYS[name].how()
        if not isinstance(slip, LifeSlip):
            return None
        self._arm(slip, session)
        return slip

    def _arm(self, slip: LifeSlip, session: Session) -> None:
        slip.begin(session, self._changes)
        slip.armed = True

    def _name(self, setup: TableSetup) -> str:
        """The next breach of the kind that is due; every game has a procedure that can go way."""
        names = _fitting(ORDER[self._place % len(ORDER)], setup) or _fitting("procedure", setup)
        self._tried += 1
        return names[self._tried % len(names)]


def _fitting(kind: Kind, setup: TableSetup) -> list[str]:
    """Breaches of a kind for which a table gives an occasion."""
    if not setup.is_blackjack:
        known = stack_deviations.BREACHES[setup.ruleset]
        return [name for name in BREACHES[kind] if name in known]
    return [name for name in BREACHES[kind] if name in WAYS and _fits(name, WAYS[name], setup)]


def _fits(name: str, way: Way, setup: TableSetup) -> bool:
    if setup.ruleset not in TEXTS[name].blackjack_rulesets:
        return False
    if name == "card_missing" and setup.reshuffles_itself:
        return False
    if way.how().occasion.side and not setup.side_wagers:
        return False
    return all(getattr(setup, field) == value for field, value in way.setup.items())
