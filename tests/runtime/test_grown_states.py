"""The evidence of suspicions that wait or were cleared, as the states of people and tables are read."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from msgspec.structs import replace

from deploy.evidence.grown import GrownEvidence
from processors.detectors.stages.entity_stage import EntityStage
from processors.runtime.brokers.records import Message
from producers.log import LedgerUnusable
from schemas.findings import Finding
from schemas.topics import FINDINGS, SNAPSHOTS
from tests.runtime.test_followed_people import NOON, SECOND, Open, TickingClock, followed, read_all
from tests.runtime.test_grown_evidence import MACHINES, PEOPLE, Brokers, ledger, made, read_finding

__all__ = ["followed", "ledger", "made"]  # fixtures


def _suspected(made: list[Message]) -> list[Finding]:
    found = [read_finding(one.value) for one in made if one.topic is FINDINGS and one.value is not None]
    return [one for one in found if one.verdict == "suspected"]


def test_of_who_waits_only_a_state_that_changed_is_decoded_again(
    made: list[Message], followed: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    brokers, decoded, adopt = Brokers(made), [0], EntityStage.adopt

    def counted(stage: EntityStage, key: str, state: bytes) -> None:
        decoded[0] += 1
        adopt(stage, key, state)

    monkeypatch.setattr(EntityStage, "adopt", counted)
    brokers.upto = len(made)
    people = followed(brokers)
    read_all(people, brokers)
    waiting = [one for one in _suspected(made) if one.about and "dealer" in dict(one.about or {})]
    grown = GrownEvidence(people, lambda: brokers.tail(SNAPSHOTS))
    whom = {str(one.about) for one in waiting}
    grown.look(waiting[:1])
    highest = grown.highest(waiting[0])
    assert decoded == [1]
    for _ in range(5):
        grown.look(waiting[:1])
    assert decoded == [1]
    assert grown.highest(waiting[0]) == highest > 0
    for _ in range(3):
        grown.look(waiting)
    assert decoded == [len(whom)]
    assert all(grown.highest(one) >= float(one.e_value or 0) for one in waiting), (
        "also of who waits since just now"
    )
    grown.close()
    grown.look(waiting)
    assert decoded == [2 * len(whom)], "another version is in force"


def test_a_topic_of_tables_that_was_made_anew_is_read_from_its_first_record(
    made: list[Message], followed: Open
) -> None:
    brokers = Brokers(made)
    brokers.upto = len(made)
    waiting = [one for one in _suspected(made) if one.check.startswith("pattern.sensor_health")][:1]
    grown = GrownEvidence(followed(brokers), lambda: brokers.tail(SNAPSHOTS))

    def lost(_topic: object, _seconds: float) -> list[Any]:
        raise LedgerUnusable("topic", "it ends before", "look")

    for _ in range(50):
        grown.look(waiting)
    first = grown.highest(waiting[0])
    assert first > 0
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("tests.runtime.test_grown_evidence.Tail.take", lost)
        with pytest.raises(LedgerUnusable):
            grown.look(waiting)
    opened = len(brokers.opened)
    for _ in range(50):
        grown.look(waiting)
    assert len(brokers.opened) == opened + 1
    assert grown.highest(waiting[0]) == first


def test_of_a_table_that_is_wanted_later_its_last_state_alone_is_read_again(
    made: list[Message], followed: Open
) -> None:
    brokers, cleared_at = Brokers(made), NOON - dt.timedelta(hours=1)
    brokers.upto, brokers.written = len(made), int(NOON.timestamp() * 1000)
    [first, *_] = [one for one in _suspected(made) if one.check.startswith("pattern.sensor_health")]
    later = replace(
        first, finding_id="0" * 32, subject="S-1", about={**dict(first.about or {}), "table": "S-1"}
    )
    people = followed(brokers)
    grown = GrownEvidence(people, lambda: brokers.tail(SNAPSHOTS), TickingClock())
    fresh = GrownEvidence(people, lambda: brokers.tail(SNAPSHOTS), TickingClock())
    for _ in range(20):
        grown.look([first])
        fresh.look([first, later])
    [tail, whole] = brokers.opened
    before = tail.told
    assert before == whole.told > 20
    for _ in range(20):
        grown.look([first, later])
    assert len(brokers.opened) == 2
    states = [one for one in made if one.topic is SNAPSHOTS]
    last = max(at for at, one in enumerate(states) if one.key == b"S-1")
    assert tail.told - before == len(states) - last, "its last state, and what came after"
    for one in (first, later):
        assert grown.standing(one, cleared_at) == fresh.standing(one, cleared_at)
    assert grown.highest(first) == fresh.highest(first)
    assert grown.standing(later, cleared_at) is not None


def test_of_a_fold_that_reads_the_ledger_again_only_the_end_tells_the_evidence_by_a_clearing(
    made: list[Message], followed: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All its states are written after the clearing, the first ones of them with less than had led to the alarm."""
    monkeypatch.setattr("deploy.evidence.grown._TAKES", 1)
    brokers, cleared_at = Brokers(made), NOON - dt.timedelta(hours=1)
    brokers.upto, brokers.written = len(made), int(NOON.timestamp() * 1000)
    people = followed(brokers)
    waiting = [one for one in _suspected(made) if one.check in (PEOPLE, f"{MACHINES}.gaps")]
    assert {one.check for one in waiting} == {PEOPLE, f"{MACHINES}.gaps"}
    grown = GrownEvidence(people, lambda: brokers.tail(SNAPSHOTS), TickingClock())
    read: dict[str, set[float]] = {one.finding_id: set() for one in waiting}
    told: dict[str, set[float]] = {one.finding_id: set() for one in waiting}
    for _ in range(len(made)):
        people.step(0.0)
        grown.look(waiting)
        for one in waiting:
            read[one.finding_id].add(grown.highest(one))
            standing = grown.standing(one, cleared_at)
            if standing is not None:
                told[one.finding_id].add(standing.highest)
    for one in waiting:
        assert len(read[one.finding_id] - {0.0}) > 1, "else this says nothing"
        assert told[one.finding_id] == {max(read[one.finding_id])}
        assert grown.standing(one, NOON + SECOND) is None, "written before it"
        assert grown.standing(one, NOON + dt.timedelta(days=1)) is None, "nor read up to then"
    grown.close()
    assert all(grown.standing(one, cleared_at) is None for one in waiting), "another version is in force"
