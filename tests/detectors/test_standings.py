"""What families tell of their evidence now: whether an alarm would be due, and nothing of a family with a defect."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from deploy.audit.patterns import as_table, names, survey
from deploy.replay.sources import find
from processors.detectors.families.counting import OfPlayer, Side
from processors.detectors.family import FAMILIES
from processors.detectors.stages.entity_stage import EntityStage
from processors.detectors.suspicion import family_of, is_unread
from tests.detectors.test_stages import passed_on
from tests.detectors.worlds import table


def _broken(*_: Any) -> Any:
    raise ZeroDivisionError


def _known() -> EntityStage:
    stage = EntityStage()
    for one in passed_on():
        stage.weigh(one)
    return stage


def test_a_family_that_cannot_say_how_it_stands_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = _known()
    whole = list(stage.standings())
    pace = FAMILIES["pace"]
    assert pace.entity is not None
    monkeypatch.setitem(FAMILIES, "pace", replace(pace, entity=replace(pace.entity, standing=_broken)))
    rest = [one for one in whole if family_of(one.check) != "pace"]
    assert 0 < len(rest) < len(whole)
    for told in ([one for one, _ in stage.followed()], list(stage.standings())):
        assert [one for one in told if not is_unread(one)] == rest
        assert {one.check for one in told if is_unread(one)} == {"pattern.pace"}
    assert all(map(is_unread, stage.standings(of="pace")))


def test_the_evidence_after_a_replay_says_which_family_could_not_tell_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "S-1.ndjson").write_bytes(b"\n".join([*table(1, 40), b""]))
    sources = find([tmp_path])
    whole = survey(sources)
    assert all(row.about and row.e_value is not None for row in whole)
    health = FAMILIES["sensor_health"]
    assert health.table is not None
    monkeypatch.setitem(
        FAMILIES, "sensor_health", replace(health, table=replace(health.table, standing=_broken))
    )
    first, *rest = survey(sources)
    assert rest == [row for row in whole if not row.check.startswith("pattern.sensor_health")]
    assert len(rest) < len(whole)
    assert (first.check, first.about, first.e_value, first.highest) == (
        "pattern.sensor_health",
        {},
        None,
        None,
    )
    assert names(first, {"table": "S-1"}), "it may have been about the table"
    assert not names(first, {"dealer": "D-1"}), "of a dealer the family says nothing"
    [_, line, *_] = as_table([first, *rest]).splitlines()
    assert (
        " ".join(line.split()) == "pattern.sensor_health - - - not all evidence of this family could be read"
    )


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
