"""How evidence grew is told with a bounded number of points, the last of them the alarm itself."""

from __future__ import annotations

import itertools

import msgspec
import pytest

from processors.detectors.curve import MOST_POINTS, Curve, line_of
from processors.detectors.shapes import EvidenceStanding
from tests.detectors.test_stages import _tables, passed_on
from tests.detectors.worlds import observed, weighed


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
    found = weighed(passed_on())
    assert found
    for one in found:
        curve = one.observed["evidence"]
        assert isinstance(one.e_value, float)
        assert curve[-1][1] == one.e_value >= 1e4
        assert len(curve) >= 2
        assert [step for step, _ in curve] == sorted({step for step, _ in curve})


def test_the_course_of_a_suspicion_at_a_table_ends_with_the_round_whose_end_raised_it() -> None:
    found = observed(_tables()["S-3"])[0]
    assert {one.check for one in found} >= {"pattern.sensor_health.gaps"}
    for one in found:
        assert one.observed["evidence"][-1] == [one.round, one.e_value]


def test_variants_stand_in_the_order_in_which_they_were_told() -> None:
    names = ["e", "b", "d", "a", "c"]
    curve = Curve()
    curve.due()
    curve.take([standing(name, 2.0) for name in names])
    assert list(curve.points) == names, "stored state is compared byte by byte"


def test_each_of_several_people_at_one_table_has_a_course_of_his_own_as_long_as_he_is_spoken_of() -> None:
    def of(who: dict[str, str | int], e_value: float) -> EvidenceStanding:
        about: dict[str, str | int] = {"table": "S", **who}
        return EvidenceStanding(variant="a", about=about, e_value=e_value, highest=e_value, rounds=1)

    ann: dict[str, str | int] = {"dealer": "ann"}
    pat: dict[str, str | int] = {"player": "pat"}
    curve = Curve()
    for now in ([of(ann, 100.0), of(pat, 2.0)], [of(ann, 90.0), of(pat | ann, 3.0)], [of(pat | ann, 4.0)]):
        curve.due()
        curve.take(now)
    line = line_of("a", {"table": "S", **pat})
    assert curve.of(line, 5.0) == [[1, 2.0], [2, 3.02], [3, 5.0]]
    assert [*curve.points] == [line]
