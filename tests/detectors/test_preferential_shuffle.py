"""Shoes that are reshuffled early by the count, and shoes that are reshuffled early for other reasons."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from processors.detectors.families import preferential_shuffle
from processors.detectors.families.preferential_shuffle import PLANS, SHARES, Row, ratios
from processors.detectors.following.steps import Rounds, step
from processors.detectors.mixture import fresh, weigh
from schemas.findings import Finding
from schemas.values import Ruleset
from tests.detectors import counted
from tests.detectors.steered import When, above, after_rounds, below, lines_of, now_and_then
from tests.detectors.worlds import changed, kind_of, suspected, table
from tests.sampling import one_in

LEFT = 0.26  # of the shoe behind the cover card


def _of_shuffles(lines: list[bytes]) -> list[Finding]:
    return [one for one in suspected(lines) if one.check.startswith("pattern.preferential_shuffle")]


@pytest.mark.parametrize(
    ("when", "variant"),
    [
        (above(2.0), "for_house"),
        pytest.param(above(1.0, 0.5), "for_house", marks=pytest.mark.soak),
        pytest.param(below(-1.0), "for_patrons", marks=pytest.mark.soak),
    ],
)
def test_reshuffles_by_the_count_are_named_by_the_twelfth(when: When, variant: str) -> None:
    (one,) = _of_shuffles(lines_of(1, 190, when=when))
    assert one.check == f"pattern.preferential_shuffle.{variant}"
    assert one.about == {"table": "S-1"}
    assert one.observed["early_reshuffles"] <= 12
    assert (one.observed["mean_true_count"] > 1) == (variant == "for_house")
    assert 0 < len(one.observed["weightiest"]) <= min(10, one.observed["early_reshuffles"])


def test_reshuffles_that_nobody_ordered_are_weighed_as_well() -> None:
    lines = lines_of(1, 130, when=above(2.0))
    unordered = changed(lines, lambda event: [] if kind_of(event) == "reshuffle_ordered" else [event])
    (one,) = _of_shuffles(unordered)
    assert one.check.endswith(".for_house")


@pytest.mark.parametrize(
    "when",
    [
        now_and_then(0.1),
        pytest.param(after_rounds(5), marks=pytest.mark.soak),
        pytest.param(lambda _rng, _count, _rounds: False, marks=pytest.mark.soak),
    ],
    ids=["at whim", "after five rounds", "never"],
)
def test_reshuffles_that_have_nothing_to_do_with_the_count_raise_nothing(when: When) -> None:
    assert _of_shuffles(lines_of(2, 110, when=when)) == []


@pytest.mark.thorough
@pytest.mark.parametrize("ruleset", one_in(2, ["fortune_670a10", "manual_shoe_657a8", "down_under_685a"]))
def test_tables_that_shuffle_after_every_round_or_at_their_cover_cards_have_no_choice(
    ruleset: Ruleset,
) -> None:
    assert _of_shuffles(list(table(4, 60, ruleset))) == []


# The null, at a level that a test can see


@cache
def _shoes() -> tuple[tuple[Row, ...], ...]:
    """The rounds of 200 shoes, up to their cover cards."""
    rng, known, shoes = random.Random(14), Rounds(), []
    for _ in range(200):
        rows, running = [], 0
        for one in counted.dealt(rng):
            drift = step(known, 2, one.cards, one.tags, running, one.left).drift
            running += one.tags
            rows.append(Row(one.cards, one.left - one.cards, running, round(drift, 2)))
        shoes.append(tuple(row for row in rows if row.left > LEFT * 312))
    return tuple(shoes)


def _at_whim(rng: random.Random, _row: Row, _number: int) -> bool:
    return rng.random() < 0.06


def _late(_rng: random.Random, row: Row, _number: int) -> bool:
    return row.left < 170


def _fifth(_rng: random.Random, _row: Row, number: int) -> bool:
    return number == 5


def _honest(rng: random.Random, stops: Callable[[random.Random, Row, int], bool]) -> float:
    """Ten shoes, which some end early for reasons that are not the count."""
    mixtures, peak = (fresh(len(PLANS)), fresh(len(PLANS))), 0.0
    for _ in range(10):
        rows = list(rng.choice(_shoes()))
        end = next((n for n, row in enumerate(rows[:-1], start=1) if stops(rng, row, n)), 0)
        factors = ratios(rows[: end or None], 312, chosen=bool(end))
        halves = factors[: len(PLANS)], factors[len(PLANS) :]
        for mixture, these, share in zip(mixtures, halves, SHARES.values(), strict=True):
            peak = max(peak, weigh(mixture, these) * share)
    return peak


@pytest.mark.thorough
@pytest.mark.parametrize("streams", [120, pytest.param(10_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("stops", one_in(3, [_at_whim, _late, _fifth]))
def test_alarms_of_shuffles_without_a_count_are_as_rare_as_promised(
    streams: int, stops: Callable[[random.Random, Row, int], bool]
) -> None:
    rng = random.Random(15)
    assert sum(_honest(rng, stops) >= 20 for _ in range(streams)) <= 0.05 * streams


def test_a_plan_that_never_reshuffles_early_is_as_likely_with_all_cards() -> None:
    rows = list(_shoes()[0])[:5]
    assert preferential_shuffle.chances(np.array([-9.0]))[: len(PLANS), 0] == pytest.approx(
        [plan[2] for plan in PLANS], rel=0.01
    )
    low = [Row(row.cards, row.left, -abs(row.running) - 5, row.drift) for row in rows]
    assert max(ratios(low, 312, chosen=True)[: len(PLANS)]) < 1
