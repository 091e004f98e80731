"""What families tell of their evidence now: whether an alarm would be due, and nothing of a family with a defect."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from processors.detectors.families.counting import OfPlayer, Side
from processors.detectors.family import FAMILIES
from processors.detectors.stages.entity_stage import EntityStage
from processors.detectors.suspicion import family_of
from tests.detectors.test_stages import passed_on


def _known() -> EntityStage:
    stage = EntityStage()
    for one in passed_on():
        stage.weigh(one)
    return stage


def test_a_family_that_cannot_say_how_it_stands_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError

    stage = _known()
    whole = list(stage.followed())
    pace = FAMILIES["pace"]
    assert pace.entity is not None
    monkeypatch.setitem(FAMILIES, "pace", replace(pace, entity=replace(pace.entity, standing=broken)))
    rest = [one for one in whole if family_of(one[0].check) != "pace"]
    assert len(rest) < len(whole)
    assert list(stage.followed()) == rest
    assert list(stage.standings()) == [one for one, _ in rest]
    assert list(stage.standings(of="pace")) == []


def test_who_mispays_one_way_alone_is_not_due_as_careless_however_high_the_evidence_is() -> None:
    found = {one.check: one for one in _known().standings("dealer:D-011", "dealer_mispay")}
    careless = found["pattern.dealer_mispay.careless"]
    assert careless.highest >= careless.alarm_at
    assert not careless.due
    assert found["pattern.dealer_mispay.for_patrons"].due


def test_who_lately_stakes_no_more_at_high_counts_is_not_due_as_a_counter() -> None:
    of = FAMILIES["counting"].entity
    assert of is not None
    state, high, low = OfPlayer(), Side(staked=10, cents=9_000), Side(staked=10, cents=1_000)
    state.stakes.rounds = 20
    for blocks, due in (([(high, low)], True), ([(low, high)], False)):
        state.blocks = blocks
        assert [one.due for one in of.standing(state, {"player": "P-1"}, 1.0)] == [due]
