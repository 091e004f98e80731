"""What begins after long honest play is found within three times the rounds that a fresh start takes."""

from __future__ import annotations

import re
from pathlib import Path
from statistics import mean

import pytest

from processors.detectors.family import FAMILIES
from tests.detectors.later.play import CASES, NEVER, after_honest_play, until_alarm

PAGE = Path(__file__).parents[2] / "docs" / "patterns.md"


@pytest.mark.parametrize(("seeds", "history"), [(25, 1), pytest.param(101, 2, marks=pytest.mark.soak)])
@pytest.mark.parametrize("variant", CASES)
def test_what_begins_late_is_found_within_three_times_the_rounds(
    variant: str, seeds: int, history: int
) -> None:
    """By the mean of the middle half; and the honest rounds raise nothing.

    A median would jump by a quarter where shoes are weighed and four or five of them are enough.
    """
    fresh, late = (
        sorted(until_alarm(variant, begin(), seed)[0] for seed in range(seeds))
        for begin in (CASES[variant].begin, lambda: after_honest_play(variant, history))
    )
    middle = slice(seeds // 4, seeds - seeds // 4)
    assert max(late[middle]) < NEVER
    assert mean(late[middle]) <= 3 * mean(fresh[middle])


def test_the_page_says_of_each_family_from_when_on_it_looks() -> None:
    part = PAGE.read_text().split("### From when on a family looks")[1].split("\n##")[0]
    told = {
        name for row in re.findall(r"^\| (`.*?) \|", part, re.M) for name in re.findall(r"`([a-z_]+)", row)
    }
    assert told == set(FAMILIES)
    assert {variant.split(".")[0] for variant in CASES} == set(FAMILIES)
