"""Every policy of an unclear place that can be chosen changes what is found in some stream, and says so."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from processors.games.readings import READINGS, Reading, UnknownReading, resolve
from processors.law.check import REGISTRY
from tests.readings.playing import findings, told
from tests.sampling import one_in

HERE = Path(__file__).resolve().parent
CASES: list[dict[str, Any]] = tomllib.loads((HERE / "rivals.toml").read_text("utf-8"))["case"]
RUNS = [(case, policy) for case in CASES for policy in case["under"]]
RIVALLED = [reading for reading in READINGS.values() if reading.rivals]


def named(value: object) -> str:
    if isinstance(value, dict):
        return f"{value['reading']}: {value['about']}"
    return value.id if isinstance(value, Reading) else str(value)


@pytest.mark.parametrize(("case", "policy"), RUNS, ids=named)
def test_what_is_found_follows_the_policy_that_a_replay_chooses(case: dict[str, Any], policy: str) -> None:
    found = findings(case["script"], case["ruleset"], case.get("table", {}), {case["reading"]: policy})
    assert told(found) == case["under"][policy], [one.message for one in found]


@pytest.mark.parametrize(("case", "policy"), one_in(4, RUNS), ids=named)
def test_a_table_chooses_a_policy_as_a_replay_does(case: dict[str, Any], policy: str) -> None:
    table = {**case.get("table", {}), "readings": {case["reading"]: policy}}
    assert told(findings(case["script"], case["ruleset"], table, {})) == case["under"][policy]


@pytest.mark.parametrize("case", CASES, ids=named)
def test_the_default_is_in_force_where_nobody_chooses(case: dict[str, Any]) -> None:
    default = READINGS[case["reading"]].default
    found = findings(case["script"], case["ruleset"], case.get("table", {}), {})
    assert told(found) == case["under"][default]


@pytest.mark.parametrize("reading", RIVALLED, ids=named)
def test_every_rival_differs_from_the_default_in_some_stream(reading: Reading) -> None:
    for rival in reading.rivals:
        assert any(
            case["under"][rival] != case["under"][reading.default]
            for case in CASES
            if case["reading"] == reading.id and rival in case["under"]
        ), rival


@pytest.mark.parametrize("reading", RIVALLED, ids=named)
def test_some_check_says_that_it_turns_on_the_place(reading: Reading) -> None:
    assert any(reading.id in check.readings for check in REGISTRY.values())


def test_a_finding_that_names_a_place_has_the_verdict_of_a51() -> None:
    for case in CASES:
        for found in case["under"].values():
            for place, verdict in re.findall(r"(?=\S+ (breached|interpretation) (A\d+))", " ".join(found)):
                assert READINGS[verdict].departing == place


def test_the_departing_verdicts_are_those_of_a51() -> None:
    interpreted = {reading.id for reading in READINGS.values() if reading.departing == "interpretation"}
    assert interpreted == {
        "A3", "A5", "A7", "A9", "A12", "A15", "A17", "A19", "A20", "A21", "A24", "A25", "A29",
    }  # fmt: skip


def test_a_chosen_policy_that_does_not_exist_is_an_error_and_a_configured_one_is_passed_over() -> None:
    with pytest.raises(UnknownReading, match="A7 can be read either or at_once, tucked"):
        resolve({}, {"A7": "sideways"})
    with pytest.raises(UnknownReading, match="A4 can be read bust_loses only"):
        resolve({}, {"A4": "sideways"})
    assert resolve({"A7": "sideways", "A99": "any"}, {}) == resolve({}, {})
    assert resolve({"A7": "tucked"}, {"A7": "at_once"})["A7"] == "at_once"
