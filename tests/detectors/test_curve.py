"""How evidence grew is told with a bounded number of points, the last of them the alarm itself."""

from __future__ import annotations

import itertools

import msgspec
import pytest

from processors.detectors.curve import MOST_POINTS, Curve
from processors.detectors.shapes import EvidenceStanding
from tests.detectors.test_stages import _passed
from tests.detectors.worlds import weighed


def standing(variant: str, e_value: float) -> EvidenceStanding:
    return EvidenceStanding(variant=variant, about={"table": "S"}, e_value=e_value, highest=e_value, rounds=1)


@pytest.mark.parametrize("steps", [1, 5, 31, 32, 33, 1_000, 100_000])
def test_a_curve_keeps_few_points_spread_over_all_steps(steps: int) -> None:
    curve = Curve()
    for step in range(1, steps + 1):
        if curve.due():
            curve.take([standing("a", 1.0 + step), standing("a", 0.5)])
    told = curve.of("a", 12_345.0)
    assert told[-1] == [steps, 12_345.0]
    assert len(told) <= MOST_POINTS + 1
    gaps = {later - earlier for (earlier, _), (later, _) in itertools.pairwise(told[:-1])}
    assert len(gaps) <= 1, "evenly spread"
    assert all(value == pytest.approx(1 + step, rel=0.02) for step, value in told[:-1])
    assert steps < 32 or len(told) >= MOST_POINTS // 2
    assert len(msgspec.msgpack.encode(curve)) < 500


def test_a_variant_that_appeared_later_has_no_evidence_before() -> None:
    curve = Curve()
    for step in range(1, 9):
        curve.due()
        curve.take([standing("a", 2.0)] + ([standing("b", 0.0)] if step > 6 else []))
    assert [step for step, _ in curve.of("b", 1.0)] == [7, 8]
    assert curve.of("c", 3.0) == [[8, 3.0]]
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(curve), type=Curve)
    assert again == curve


def test_every_suspicion_about_people_says_how_its_evidence_grew() -> None:
    found = weighed(_passed())
    assert found
    for one in found:
        curve = one.observed["evidence"]
        assert isinstance(one.e_value, float)
        assert curve[-1][1] == one.e_value >= 1e4
        assert len(curve) >= 2
        assert [step for step, _ in curve] == sorted({step for step, _ in curve})


def test_variants_stand_in_the_order_in_which_they_were_told() -> None:
    names = ["e", "b", "d", "a", "c"]
    curve = Curve()
    curve.due()
    curve.take([standing(name, 2.0) for name in names])
    assert list(curve.points) == names, "stored state is compared byte by byte"
