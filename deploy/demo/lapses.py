"""What goes wrong at the tables of a demonstration: mostly nothing, now and then something, put right or not.

A floor has an alert or two a table and hour, one in ten of them grave. A few breaches more are staged, as each day
begins: whoever comes to look shall find one of each kind. How grave a breach is the provisions say, not this module.
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

EVERY: Final = 60  # rounds from one breach of a table to its next
SOON: Final = 8  # rounds from one staged breach to the next
PATIENCE: Final = 6  # rounds in which a breach waits for its occasion, before another is tried
CUT_EVERY: Final = 300  # rounds from one wrong cut of a table to the first that may be the next
PUT_RIGHT: Final = 0.06  # chance that something goes wrong in a round and is put right as it must be
OPENS_WRONG: Final = 0.3  # chance that the first day of a table opens with a step left out

Kind = Literal["manners", "procedure", "owed", "overpaid", "grave"]

# What a floor's day brings: words and cards laid carelessly, steps left out, and seldom a wrong payout or worse.
_SMALL: Final[tuple[Kind, ...]] = ("manners", "procedure") * 5
ORDER: Final[tuple[Kind, ...]] = (*_SMALL[:9], "owed", *_SMALL[1:], "overpaid", *_SMALL[1:], "grave")
STRIDE: Final = 4  # places in that order from one table's beginning to its neighbour's
# What is staged at the first table; at each other the same in turn, beginning with another.
FIRST_DAY: Final[tuple[Kind, ...]] = ("owed", "procedure", "manners")
LIVE_DAY: Final[tuple[Kind, ...]] = ("owed", "grave", "procedure", "overpaid", "manners")

BREACHES: Final[dict[Kind, tuple[str, ...]]] = {
    "manners": (
        "total_not_announced", "wrong_total", "double_card_upright", "wrong_hand",
    ),
    "procedure": (
        "peek_not_reported", "lost_insurance_late", "draws_when_barred", "tucked_blackjack_racked",
        "lost_insurance_left", "pays_before_collecting", "match_backwards", "match_not_settled",
        "not_announced", "late_wager",
    ),
    "owed": (
        "underpay", "push_collected", "blackjack_paid_1_to_1", "winner_returned", "dealer22_collected", "winner_unpaid",
        "lammer_unpaid", "void_wager_kept",
    ),
    "overpaid": (
        "overpay", "lost_insurance_paid", "loser_returned", "match_loser_paid", "push_paid", "push22_returned",
        "insurance_paid_3_to_1",
    ),
    "grave": (
        "card_missing", "late_bet", "hole_switched", "dealer_hits_17", "bet_pressed", "hand_not_racked",
        "misdeal_played_on", "stub_exposed", "no_starting_position", "stub_not_counted", "blackjack_left_lying",
    ),
}  # fmt: skip
_CUTS: Final = ("shallow_cut", "cut_not_offered", "cut_offered_to_another")
_OPENINGS: Final = ("cards_not_shown", "reader_not_inspected", "inspection_not_verified")


class Lapses(Scenario):
    """Lawful play, irregularities put right, and now and then a breach."""

    summary = "lawful play with a breach now and then"

    def __init__(self, live_from: dt.date, *, favours: bool = False) -> None:
        """From the gaming day `live_from` on breaches are staged anew; a dealer may favour a patron then."""
        self._live_from, self._favours = live_from, favours
        self._is_live = False
        self._staged: list[Kind] = []
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
        self._is_live = session.day >= self._live_from
        self._staged = _in_turn(LIVE_DAY if self._is_live else FIRST_DAY, number)
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
        self._look_at_the_day(session)
        if number >= self._next:
            name = self._name(session.setup)
            self._gone_on(number)
            return name
        wanted = rng.random() < PUT_RIGHT
        return rng.choice(sorted(stack_deviations.IRREGULARITIES[ruleset])) if wanted else None

    def after_round(self, session: Session) -> None:
        """At a blackjack table a breach is made ready, and waits for an occasion."""
        engine, number = session.engine, session.number + 1
        if not isinstance(engine, BlackjackEngine):
            return
        if self._slip is not None and (self._slip.happened or number >= self._next + PATIENCE):
            self._next = number + 1
            if self._slip.happened:
                self._gone_on(number)
            self._slip = None
        self._look_at_the_day(session)
        if self._slip is None and number >= self._next:
            self._slip = WAYS[self._name(session.setup)].how()
            if isinstance(self._slip, LifeSlip):
                self._arm(self._slip, session)
            engine.install(self._slip)
        if self._slip is None:
            engine.install(self._favour if self._favours and self._is_live else Incident())
        self._cut_wrong(session)

    def transform(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        """The stream with its chain made whole again where a step was left out."""
        return rewritten(lines, self._changes)

    def _look_at_the_day(self, session: Session) -> None:
        """On the day on which the table is live breaches are staged once more."""
        if not self._is_live and session.day >= self._live_from:
            self._is_live = True
            number = session.setup.number
            self._staged = [] if self._favours else _in_turn(LIVE_DAY, number)[:1]
            self._next = session.number + (EVERY if self._favours else 1 + number % 5)

    def _gone_on(self, number: int) -> None:
        """A breach happened in the round of this number: the next one is of another kind."""
        if self._staged:
            del self._staged[0]
        else:
            self._place += 1
        self._next = number + (SOON if self._staged else EVERY)

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
        kind = self._staged[0] if self._staged else ORDER[self._place % len(ORDER)]
        names = _fitting(kind, setup) or _fitting("procedure", setup)
        self._tried += 1
        return names[self._tried % len(names)]


def _in_turn(kinds: tuple[Kind, ...], number: int) -> list[Kind]:
    first = (number - 1) % len(kinds)
    return [*kinds[first:], *kinds[:first]]


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
