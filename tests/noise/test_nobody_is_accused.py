"""Lawful tables seen through bad sensors: nobody is accused, and what other witnesses know is decided."""

from __future__ import annotations

import pytest

from producers.simulator.noise.lost import WITNESSES
from tests.noise import tables
from tests.noise.judged import Figures, Judged
from tests.noise.measure import OFTEN, RATED, Measure
from tests.sampling import one_in

RATES = (0.1, 1.0, 5.0)  # percent
A_FEW, MANY = 5, 20  # tables a kind and rate: one of each ruleset, and over 500 table-shifts in all
SOME_BREACHED = 16  # tables, each with a breach of another scenario
RARELY = 0.02  # of the absences that hide one settlement alone: no other word shows that it was lost (A69)
DECIDED = {"placements": 0.95, "draws": 0.95, "unread": 0.98}  # of the rounds, at one percent
"""The least share of rounds that are decided although one word in a hundred of a kind is lost."""


@pytest.fixture(scope="module")
def few() -> Measure:
    return Measure(tables.lawful(A_FEW), [])


@pytest.fixture(scope="module")
def stacks() -> Measure:
    return Measure(tables.lawful(MANY, rulesets=tables.STACK_GAMES), [])


@pytest.fixture(scope="module")
def many() -> Measure:
    return Measure(tables.lawful(MANY), tables.breached())


def _accused(figures: Figures) -> dict[str, int]:
    return dict(figures.accused)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", RATED)
def test_nobody_is_accused_for_what_a_sensor_missed(few: Measure, kind: str) -> None:
    percent = OFTEN.get(kind, (1.0,))[0]
    assert _accused(few.rated(kind, percent)) == {}


@pytest.mark.thorough
@pytest.mark.parametrize("percent", one_in(2, [1.0, 5.0], 1))
@pytest.mark.parametrize("kind", ["late", "wagers"])
def test_at_stack_games_nobody_is_accused_for_a_late_word_or_a_lost_wager(
    stacks: Measure, kind: str, percent: float
) -> None:
    figures = stacks.rated(kind, percent)
    assert _accused(figures) == {}
    assert figures.words > A_FEW


@pytest.mark.thorough
@pytest.mark.parametrize("witness", one_in(2, WITNESSES))
def test_nobody_is_accused_for_a_device_that_is_dead(few: Measure, witness: str) -> None:
    assert _accused(few.silent(witness)) == {}


# Wagers and totals of the stack games are lost to the console as well, and nothing is inferred of them yet.
@pytest.mark.thorough
@pytest.mark.parametrize(
    "kind", one_in(3, [pair for pair in tables.PAIRS if pair != "racked+silent_console"])
)
def test_nobody_is_accused_for_a_lost_word_beside_a_dead_device(few: Measure, kind: str) -> None:
    assert _accused(few.rated(kind, 5.0)) == {}


@pytest.mark.thorough
@pytest.mark.parametrize("seconds", [3.0, 10.0, 30.0, 60.0])
def test_nobody_is_accused_while_the_recorder_is_away(few: Measure, seconds: float) -> None:
    assert _accused(few.away(seconds, holes=12)) == {}


@pytest.mark.thorough
def test_players_who_think_hide_no_breach_and_put_no_round_in_doubt(few: Measure) -> None:
    for dealt in few.lawful:
        judged = Judged(dealt, tables.with_thinking(dealt))
        assert judged.findings == []
        assert set(judged.statuses) == {"consistent"}
    for dealt in tables.breached(SOME_BREACHED):
        number = Judged(dealt, tables.clean(dealt)).breach()
        assert number is None or Judged(dealt, tables.with_thinking(dealt)).finds(number), dealt.name


@pytest.mark.soak
@pytest.mark.parametrize("seconds", [3.0, 5.0, 10.0, 20.0, 30.0, 45.0, 60.0, 300.0])
def test_of_many_absences_of_the_recorder_hardly_one_accuses_anybody(many: Measure, seconds: float) -> None:
    figures = many.away(seconds)
    assert figures.accusing <= RARELY * figures.tables


@pytest.mark.soak
@pytest.mark.parametrize("percent", RATES)
@pytest.mark.parametrize("kind", RATED)
def test_at_many_tables_nobody_is_accused_and_breaches_are_found(
    many: Measure, kind: str, percent: float
) -> None:
    figures = many.rated(kind, OFTEN.get(kind, (percent,))[0])
    assert _accused(figures) == {}
    assert figures.untouched.right == figures.untouched.whole, "a breach in a round without noise"
    if percent == 1.0 and kind in DECIDED:
        assert figures.decided.right >= DECIDED[kind] * figures.decided.whole


@pytest.mark.soak
@pytest.mark.parametrize("witness", WITNESSES)
def test_at_many_tables_nobody_is_accused_for_a_device_that_is_dead(many: Measure, witness: str) -> None:
    assert _accused(many.silent(witness)) == {}


def test_a_table_without_noise_is_judged_as_it_was_dealt() -> None:
    [dealt] = tables.lawful(1)
    judged = Judged(dealt, tables.clean(dealt))
    assert (judged.findings, judged.accusations()) == ([], [])
