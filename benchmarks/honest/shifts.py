"""One lawful shift of one table, and the most evidence that each family of detectors held against it.

The shift of a seed is the same on every machine. Its ruleset, equipment, people and habits are drawn by the seed. The
devices of half the tables lose or cannot read one or two words in a thousand, where the detectors' null allows five; at
half of them people err as often as it allows: 1 hand in 1,000 is mispaid each way (in Down Under 1 light in 1,000 is
wrong instead), and 1 count of the tray in 20 is off by up to $100.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import replace

from msgspec import Struct

from processors.detectors.family import FAMILIES
from processors.detectors.shapes import CheckedStanding
from processors.detectors.stages.entity_stage import EntityStage
from processors.pipeline import Outcome, TablePipeline
from producers.simulator.floor.gaming_floor import gaming_floor, seed_of
from producers.simulator.floor.setup import TableSetup
from producers.simulator.noise.kinds import through
from producers.simulator.noise.words import recorded, words
from producers.simulator.patterns.paying import everybody
from producers.simulator.patterns.playing import PatternPlay
from producers.simulator.patterns.recording import now_and_then, off_counts
from producers.simulator.patterns.steering import lights
from producers.simulator.session import Session
from schemas.findings import Finding
from schemas.values import Ruleset

HOURS = 8.0
ASKED = 16  # rounds after which it is asked again how much evidence there was about people
RULESETS: tuple[Ruleset, ...] = (
    "free_bet_672a", "down_under_685a", "free_bet_672a", "free_bet_590", "down_under_685a",
    "free_bet_672a", "free_bet_590", "fortune_670a10", "down_under_685a", "manual_shoe_657a8",
)  # fmt: skip
WORN = {
    "unread": 0.002, "placements": 0.001, "draws": 0.001, "wagers": 0.001, "decisions": 0.001, "racked": 0.001,
    "order": 0.01,
}  # fmt: skip
"""How often the devices of some tables fail: kinds of noise of the simulator, and their rates."""
ERRORS = 0.001
"""How often people err: hands mispaid each way, or wrong lights."""
SHOES = 0.75
"""Of the tables whose device would take the cards back after each round, how many deal from a shoe instead: there six
of the families have nothing to weigh."""


class Shift(Struct, frozen=True, kw_only=True):
    """What came of one shift.

    detectors, tables: digests of the code that judged, and of that which dealt. worn: whether its devices lose words;
    erring: whether its people err. alarms: the suspicions raised at the
    default level, each a check and whom it names. peaks: by family, the most evidence there was at the end of any
    round, with all that was tried paid for; a family that weighed nothing is not in it.
    """

    seed: int
    detectors: str
    tables: str
    ruleset: Ruleset
    worn: bool
    erring: bool = False
    rounds: int
    events: int
    seconds: float
    alarms: list[str]
    peaks: dict[str, float]


def setup_of(seed: int) -> TableSetup:
    """The table of a seed: as the gaming floor has them, open for one shift."""
    ruleset = RULESETS[seed % len(RULESETS)]
    [setup] = gaming_floor(1, seed_of(seed, "honest"), [ruleset])
    chance = random.Random(seed_of(seed, "habits"))
    habits = replace(
        setup.habits,
        dealer_minutes=chance.choice((20.0, 30.0, 40.0, 60.0)),
        shift_hours=chance.choice((0.5, 1.0, 4.0, 8.0)),
        arrives=chance.choice((0.0, 0.02, 0.1)),
        leaves=chance.choice((0.0, 0.01, 0.05)),
    )
    if setup.reshuffles_itself and chance.random() < SHOES:
        setup = replace(setup, shuffler=chance.choice(("none", "batch")))
    return replace(setup, first_day_hours=HOURS, habits=habits)


def lines_of(seed: int) -> Iterator[bytes]:
    """The record of that shift, from the opening of the table to the count of its drop box."""
    play = PatternPlay(setup_of(seed), seed, ERRORS)
    dealt = _dealt(play.session)
    if is_erring(seed):
        if play.setup.is_blackjack:
            (lights() if play.setup.ruleset == "down_under_685a" else everybody)(play)
        heard = recorded(off_counts(now_and_then)(play, words(dealt)))
        dealt = (entry.line for entry in heard if entry.line is not None)
    if not is_worn(seed):
        return dealt
    return (entry.line for entry in through(dealt, WORN, seed) if entry.line is not None)


def is_worn(seed: int) -> bool:
    """Whether the devices of that shift lose words."""
    return bool(seed // len(RULESETS) % 2)


def is_erring(seed: int) -> bool:
    """Whether the people of that shift err."""
    return bool(seed // len(RULESETS) // 2 % 2)


def _dealt(session: Session) -> Iterator[bytes]:
    session.open()
    while not session.life.day_is_over():
        session.play()
        yield from session.writer.take()
    session.close()
    yield from session.writer.take()


def watch(lines: Iterator[bytes], subject: str) -> tuple[int, int, list[str], dict[str, float]]:
    """Rounds, events, alarms and peaks of a stream, watched by both stages.

    What is held of people remembers the most evidence that there was, so it is enough to ask for it now and then.
    """
    pipeline, people = TablePipeline(subject, proofs=False), EntityStage()
    rounds, events, alarms = 0, 0, list[str]()
    peaks: dict[str, float] = {}
    heard: set[str] = set()

    def ask() -> None:
        for key in sorted(heard):
            _raise(peaks, people.standings(key))
        heard.clear()

    def take(outcome: Outcome) -> None:
        nonlocal rounds
        found = list(outcome.findings)
        for one in outcome.observations:
            found += people.weigh(one)
        heard.update(one.key for one in outcome.observations)
        alarms.extend(_alarms(found))
        before = rounds
        rounds += len(outcome.rounds)
        if outcome.rounds:
            assert pipeline.detectors is not None
            _raise(peaks, pipeline.detectors.standings(subject))
        if rounds // ASKED > before // ASKED:
            ask()

    for line in lines:
        events += 1
        take(pipeline.advance(line))
    take(pipeline.finish())
    ask()
    return rounds, events, alarms, peaks


def _alarms(findings: list[Finding]) -> Iterator[str]:
    for one in findings:
        if one.check.startswith("pattern."):
            about = one.about if isinstance(one.about, dict) else {}
            yield " ".join([one.check, one.verdict, *(f"{kind}={whom}" for kind, whom in about.items())])


def _raise(peaks: dict[str, float], standings: Iterator[CheckedStanding]) -> None:
    for one in standings:
        if not one.rounds:
            continue
        family = one.check.split(".")[1]
        peaks[family] = max(peaks.get(family, 0.0), one.highest, one.e_value)


def shift(seed: int, detectors: str, tables: str) -> Shift:
    """Deal the shift of a seed and watch it."""
    begun = time.process_time()
    setup = setup_of(seed)
    rounds, events, alarms, peaks = watch(lines_of(seed), setup.subject)
    return Shift(
        seed=seed,
        detectors=detectors,
        tables=tables,
        ruleset=setup.ruleset,
        worn=is_worn(seed),
        erring=is_erring(seed),
        rounds=rounds,
        events=events,
        seconds=round(time.process_time() - begun, 2),
        alarms=alarms,
        peaks={name: float(f"{peaks[name]:.4g}") for name in FAMILIES if name in peaks},
    )
