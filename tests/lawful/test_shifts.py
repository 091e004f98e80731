"""Ten thousand lawful table-shifts, one hundred in a test: chance alone raises hardly any suspicion.

The promise allows one shift in 10,000 with an alarm for each family. At that rate a family would raise alarms at two of
a hundred shifts in one of 20,000 such hundreds: for any family and any of the tests with a chance of 8 %. A single
alarm is within the promise. docs/power.md says of how many shifts the alarms were counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import pytest

from benchmarks.honest import versions
from benchmarks.honest.shifts import Shift, shift

A_TEST = 100  # shifts: three to six minutes of a core


def _more_than_chance(dealt: Iterable[Shift]) -> list[str]:
    """The alarms of families that suspected somebody at two shifts or more."""
    found: defaultdict[str, dict[int, list[str]]] = defaultdict(dict)
    for one in dealt:
        for alarm in one.alarms:
            found[alarm.split(".")[1].split()[0]].setdefault(one.seed, []).append(alarm)
    return [
        f"seed {seed}: {alarm}"
        for at in found.values()
        if len(at) > 1
        for seed, alarms in at.items()
        for alarm in alarms
    ]


@pytest.mark.soak
@pytest.mark.parametrize("hundred", range(100))
def test_chance_hardly_ever_raises_a_suspicion_at_lawful_shifts(hundred: int) -> None:
    seeds = range(hundred * A_TEST, (hundred + 1) * A_TEST)
    dealt = [shift(seed, versions.detectors(), versions.tables()) for seed in seeds]
    assert _more_than_chance(dealt) == []
    assert sum(one.rounds for one in dealt) > 300 * A_TEST


def test_two_shifts_with_an_alarm_of_one_family_are_more_than_chance() -> None:
    def told(seed: int, *alarms: str) -> Shift:
        return Shift(
            seed=seed, detectors="d", tables="t", ruleset="free_bet_672a", worn=False, rounds=1, events=1,
            seconds=1.0, alarms=list(alarms), peaks={},
        )  # fmt: skip

    counter, other = "pattern.counting.stakes suspected player=P-1", "pattern.pace suspected dealer=D-1"
    assert _more_than_chance([told(1, counter, counter), told(2), told(3, other)]) == []
    assert _more_than_chance([told(1, counter), told(2, other), told(7, counter)]) == [
        f"seed 1: {counter}", f"seed 7: {counter}",
    ]  # fmt: skip
