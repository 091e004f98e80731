"""Alarms that were raised at different times and stay: how often an honest property has any, by rule.

The streams hang together in the worst way. A number of streams is drawn, `n` with the chance `ALPHA / n`; a stream that
is not drawn loses all on the way. At step `size`, from the number of all streams down to 1, those of which at most
`size` were drawn hold evidence of `STREAMS / (size * ALPHA)`. Each stream by itself is a fair game: the mean of its
evidence is 1 at every step, given what it had before.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from processors.detectors.family import FAMILIES
from processors.detectors.paging import Budget

PAGE = Path(__file__).parents[2] / "docs" / "patterns.md"
STREAMS, ALPHA = 500, 0.05
PROPERTIES = 10_000
SURELY = 4.0  # deviations of a binomial number: beyond them by chance in 3 of 100,000 runs


def _between(chance: float) -> tuple[float, float]:
    """The numbers of properties among which a right rule of this chance stays."""
    wide = SURELY * math.sqrt(PROPERTIES * chance * (1 - chance))
    return PROPERTIES * chance - wide, PROPERTIES * chance + wide


def _drawn(rng: random.Random) -> int:
    """How many streams of a property are drawn; 0: none."""
    at = rng.random()
    for number in range(1, STREAMS + 1):
        at -= ALPHA / number
        if at < 0:
            return number
    return 0


def _steps(drawn: int) -> Iterator[tuple[int, float]]:
    """How many streams hold evidence at each step, and how much each of them, until none holds any."""
    for size in range(STREAMS, max(drawn, 1) - 1, -1):
        yield drawn, STREAMS / (size * ALPHA)


def _e_bh(holding: int, evidence: float) -> bool:
    """Whether e-BH (Wang and Ramdas, J. R. Statist. Soc. B 84, 2022) names any stream, by the evidence of one time."""
    return holding > 0 and evidence >= STREAMS / (ALPHA * holding)


@pytest.fixture(scope="module")
def properties() -> list[int]:
    """How many streams were drawn at each honest property."""
    rng = random.Random(4)
    return [_drawn(rng) for _ in range(PROPERTIES)]


def test_each_stream_by_itself_is_a_fair_game() -> None:
    for size in range(1, STREAMS + 1):
        held = sum(ALPHA / number * number / STREAMS for number in range(1, size + 1))
        assert held * STREAMS / (size * ALPHA) == pytest.approx(1.0)


def test_the_budget_of_pages_holds_whenever_each_page_came(properties: list[int]) -> None:
    """Every family holds a stream against its own part of the budget alone, and parts add up."""
    price = Budget(ALPHA * len(FAMILIES)).price(FAMILIES["pace"], STREAMS)
    assert price.page_at is not None
    paged = [
        sum(evidence >= price.page_at for _, evidence in _steps(drawn) if drawn) > 0 for drawn in properties
    ]
    assert price.pages == pytest.approx(ALPHA)
    assert _between(ALPHA)[0] <= sum(paged) <= _between(ALPHA)[1], "the worst that may be, and no worse"


def test_e_bh_would_not_hold_for_alarms_that_stay(properties: list[int]) -> None:
    """It holds at each time by itself: of the alarms of all times together nearly seven times as many are false."""
    by_time: dict[float, int] = {}
    any_time = 0
    for drawn in properties:
        named = [evidence for holding, evidence in _steps(drawn) if _e_bh(holding, evidence)]
        any_time += bool(named)
        for evidence in named:
            by_time[evidence] = by_time.get(evidence, 0) + 1
    assert max(by_time.values()) <= _between(ALPHA)[1]
    of_all = ALPHA * sum(1 / number for number in range(1, STREAMS + 1))
    assert _between(of_all)[0] <= any_time <= _between(of_all)[1]
    assert of_all > 6 * ALPHA
    said = (
        f"of {STREAMS} simulated streams that hang together in the worst way, it names an honest one at some time in "
        f"{100 * of_all:.0f} of 100 properties, at a level of 1 in {1 / ALPHA:.0f}. The budget of pages,\n"
        f"at the same level, does so in {100 * ALPHA:.0f}."
    )
    assert said in PAGE.read_text("utf-8")
