"""What begins after long honest play is found within three times the rounds that a fresh start takes."""

from __future__ import annotations

import re
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from processors.detectors.family import FAMILIES
from tests.detectors.later.case import Case
from tests.detectors.later.people import PEOPLE
from tests.detectors.later.tables import TABLES

CASES = PEOPLE | TABLES
HONEST = 10_000  # rounds of a table
NEVER = 4_000
PAGE = Path(__file__).parents[2] / "docs" / "patterns.md"


def _needed(case: Case, state: Any, seed: int) -> int:
    """How many of the pattern's rounds it takes to an alarm."""
    rng = Random(seed)
    return next((number for number in range(1, NEVER) if case.play(state, rng, True)), NEVER)


@pytest.mark.parametrize(("seeds", "history"), [(9, 1), pytest.param(101, 2, marks=pytest.mark.soak)])
@pytest.mark.parametrize("variant", CASES)
def test_what_begins_late_is_found_within_three_times_the_rounds(
    variant: str, seeds: int, history: int
) -> None:
    """By the median; and the honest rounds raise nothing."""
    case = CASES[variant]
    honest, rng = case.begin(), Random(history)
    assert not any(case.play(honest, rng, False) for _ in range(HONEST // case.rounds))
    fresh, late = (
        sorted(_needed(case, deepcopy(known), seed) for seed in range(seeds))
        for known in (case.begin(), honest)
    )
    assert late[seeds // 2] < NEVER
    assert late[seeds // 2] <= 3 * fresh[seeds // 2]


def test_the_page_says_of_each_family_from_when_on_it_looks() -> None:
    part = PAGE.read_text().split("### From when on a family looks")[1].split("\n##")[0]
    told = {
        name for row in re.findall(r"^\| (`.*?) \|", part, re.M) for name in re.findall(r"`([a-z_]+)", row)
    }
    assert told == set(FAMILIES)
    assert {variant.split(".")[0] for variant in CASES} == set(FAMILIES)
