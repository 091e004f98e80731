"""A device that dies: nobody is accused or said to owe, and its stretch is at most three findings."""

from __future__ import annotations

from functools import cache

import pytest

from deploy.console.alerting import asks_for_alert
from producers.simulator.noise.lost import WITNESSES
from tests.noise import tables
from tests.noise.judged import Judged
from tests.noise.tables import Dealt, Point
from tests.sampling import one_in

RULESETS, MANY = 5, 20  # tables: one of each ruleset, four of each
AT_MOST = 3  # findings for a stretch, its end among them
BETWEEN, WITHIN = Point(5), Point(5, 0.5)
DIES = {"between rounds": BETWEEN, "in a round": WITHIN}
SPEAKS = (Point(10), Point(10, 0.5))
SHARES = (0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9)


@cache
def _tables(many: int) -> list[Dealt]:
    return tables.lawful(many)


def _accuses_nobody(dealt: Dealt, witness: str, dies: Point, speaks: Point) -> Judged:
    judged = Judged(dealt, tables.with_silence(dealt, witness, dies, speaks))
    where = f"{dealt.name}, {witness}, {dies}, {speaks}"
    assert [one.message for one in judged.accusations()] == [], where
    assert judged.debts == [], where
    return judged


def _stays_calm(dealt: Dealt, witness: str, dies: Point, speaks: Point) -> None:
    judged = _accuses_nobody(dealt, witness, dies, speaks)
    said = [f"{one.check} ({one.verdict}, round {one.round}): {one.message}" for one in judged.findings]
    assert len(said) <= AT_MOST, said
    devices = [one for one in judged.findings if one.check == "integrity.device"]
    assert sum(map(asks_for_alert, devices)) <= 1, said


@pytest.mark.parametrize("dies", DIES)
@pytest.mark.parametrize("witness", WITNESSES)
@pytest.mark.parametrize("table", one_in(2, range(RULESETS)))
def test_a_dead_device_accuses_nobody_and_is_told_briefly(table: int, witness: str, dies: str) -> None:
    _stays_calm(_tables(RULESETS)[table], witness, DIES[dies], SPEAKS[table % 2])


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("witness", WITNESSES)
def test_wherever_in_a_round_of_a_stack_game_a_device_dies_it_accuses_nobody(witness: str) -> None:
    for dealt in tables.lawful(MANY, rulesets=tables.STACK_GAMES):
        _accuses_nobody_wherever(dealt, witness)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("witness", WITNESSES)
def test_wherever_in_a_round_a_device_dies_it_accuses_nobody(witness: str) -> None:
    for dealt in _tables(MANY):
        _accuses_nobody_wherever(dealt, witness)


def _accuses_nobody_wherever(dealt: Dealt, witness: str) -> None:
    for share in SHARES:
        for speaks in SPEAKS:
            _accuses_nobody(dealt, witness, Point(5, share), speaks)
