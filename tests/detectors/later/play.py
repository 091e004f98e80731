"""Playing the cases of all families: honest rounds first, then a pattern until its alarm."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

from processors.detectors.shapes import Alarm
from tests.detectors.later.people import PEOPLE
from tests.detectors.later.tables import TABLES

CASES = PEOPLE | TABLES
HONEST = 10_000  # rounds of a table
LONG = 100_000
NEVER = 4_000


def after_honest_play(variant: str, history: int, rounds: int = HONEST) -> Any:
    """What is known after honest rounds, which raise nothing; a copy."""
    return deepcopy(_honest(variant, history, rounds))


@cache
def _honest(variant: str, history: int, rounds: int) -> Any:
    case, rng = CASES[variant], Random(history)
    state = case.begin()
    assert not any(case.play(state, rng, False) for _ in range(rounds // case.rounds))
    return state


def until_alarm(variant: str, state: Any, seed: int) -> tuple[int, Alarm | None]:
    """How many of the pattern's rounds it takes to an alarm, and the alarm."""
    case, rng = CASES[variant], Random(seed)
    for number in range(1, NEVER):
        alarm = case.play(state, rng, True)
        if alarm is not None:
            return number, alarm
    return NEVER, None
