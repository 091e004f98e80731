"""Lawful streams whose decks, cuts and shoes the mutations of this folder break, one event each."""

from __future__ import annotations

import datetime as dt
from functools import cache

from producers.simulator.floor.setup import Habits, TableSetup
from producers.simulator.session import Session
from tests.mutations.rechain import Event, load, parse

EXAMPLES = (
    "lawful_free_bet_590", "lawful_free_bet_672a", "lawful_free_bet_672a_batch", "lawful_down_under_685a",
    "irregular_shoe_runs_out", "irregular_idle_table_batch", "irregular_continuous_shuffler_du",
)  # fmt: skip
CHAPTERS = {"free_bet_590": "590", "free_bet_672a": "672a", "down_under_685a": "685a"}
_RULESETS = tuple(CHAPTERS)
_LIVELY = Habits(
    idles=0.08, floor_reshuffles=0.06, refuses_cut=0.4, recuts=0.3, jams=0.2, breaks=0.1, preshuffled=0.0,
    dealer_minutes=8.0, leaves=0.03, arrives=0.05, asks_at_spread=0.5,
)  # fmt: skip
ROUNDS = 90


def simulated(ruleset: str, shuffler: str, seed: int) -> list[Event]:
    """A lively simulated session of one table."""
    down_under = ruleset == "down_under_685a"
    setup = TableSetup(
        subject=f"DECKS-{seed}",
        ruleset=ruleset,
        shuffler=shuffler,  # type: ignore[arg-type]  # the names below
        decks=1 if (ruleset, shuffler) == ("free_bet_590", "none") else 6,
        shuffler_counts=shuffler == "continuous",
        side_wagers=("match_dealer",) if down_under else ("push22",),
        paytables={"match_dealer": "6"} if down_under else {"push22": "A"},
        habits=_LIVELY,
        first_day=dt.date(2015, 6, 1) if ruleset == "free_bet_590" else dt.date(2026, 3, 2),
        cameras=("C-1",),
    )
    session = Session(setup, seed)
    for _ in range(ROUNDS):
        session.play()
    return parse(session.writer.take())


@cache
def streams() -> dict[str, list[Event]]:
    """All lawful streams by a name that says where they come from."""
    found = {name: load(name) for name in EXAMPLES}
    for ruleset in _RULESETS:
        for shuffler in ("none", "batch", "continuous"):
            found[f"{ruleset} {shuffler}"] = simulated(ruleset, shuffler, 11)
    return found


def ruleset_of(events: list[Event]) -> str:
    """The ruleset a stream is played under."""
    return str(events[0]["data"]["ruleset"])


def chapter(events: list[Event]) -> str:
    """The chapter of a stream's ruleset."""
    return CHAPTERS[ruleset_of(events)]


def shuffler(events: list[Event]) -> str:
    """The shuffler of a stream's table."""
    return str(events[0]["data"]["shuffler"])
