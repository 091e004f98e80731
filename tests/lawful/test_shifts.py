"""Ten thousand lawful table-shifts, one hundred in a test: at none of them is anybody suspected.

The promise allows more: one alarm in 10,000 for each family and each dealer, patron, pair, table, shoe or device, of
whom a shift has dozens. docs/power.md has the count, with the exact limits of what it shows.
"""

from __future__ import annotations

import pytest

from benchmarks.honest import versions
from benchmarks.honest.shifts import shift

A_TEST = 100  # shifts: three to four minutes of a core


@pytest.mark.soak
@pytest.mark.parametrize("hundred", range(100))
def test_nobody_is_suspected_at_lawful_shifts(hundred: int) -> None:
    seeds = range(hundred * A_TEST, (hundred + 1) * A_TEST)
    dealt = [shift(seed, versions.detectors(), versions.tables()) for seed in seeds]
    assert [f"seed {one.seed}: {alarm}" for one in dealt for alarm in one.alarms] == []
    assert sum(one.rounds for one in dealt) > 300 * A_TEST
