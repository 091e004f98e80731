"""`catwalk replay --compare-readings` and `catwalk explain A7`: what another reading of a place would change."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.run import Catwalk, catwalk
from tests.law.record import SUBJECT
from tests.law.script import play
from tests.mutations.rechain import parse, rechained
from tests.readings.test_rivals import CASES, named

__all__ = ["catwalk"]  # a fixture

OVER = ("breached", "interpretation")


def recorded(case: dict[str, Any], path: Path) -> Path:
    lines = play(case["script"], case["ruleset"], case.get("table", {})).lines
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def changes(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "readings.ndjson").read_bytes().splitlines()]


def held(found: list[str]) -> list[str]:
    return sorted(" ".join(one.split()[:2]) for one in found if one.split()[1] in OVER)


@pytest.mark.parametrize("case", CASES, ids=named)
def test_every_round_whose_breaches_differ_is_told(
    case: dict[str, Any], catwalk: Catwalk, tmp_path: Path
) -> None:
    stream = recorded(case, tmp_path / "T.ndjson")
    out = tmp_path / "out"
    ran = catwalk("replay", stream, "--out", out, "--compare-readings", case["reading"])
    assert ran.status == 0
    default, *rivals = case["under"]
    for rival in rivals:
        rows = [row for row in changes(out) if row["changes"] == "findings" and row["to"] == rival]
        gone = [f"{one['check']} {one['verdict']}" for row in rows for one in row["only_at"]]
        come = [f"{one['check']} {one['verdict']}" for row in rows for one in row["only_to"]]
        assert sorted(gone) == held(case["under"][default])
        assert sorted(come) == held(case["under"][rival])
        assert all(row["at"] == default and row["place"] == case["reading"] for row in rows)
        assert len({row["round"] for row in rows}) == len(rows)


def test_a_stake_that_changes_is_told_with_the_patrons_gain(catwalk: Catwalk, tmp_path: Path) -> None:
    case = next(one for one in CASES if one["reading"] == "A12")
    stream = recorded(case, tmp_path / "T.ndjson")
    ran = catwalk("replay", stream, "--out", tmp_path / "out", "--compare-readings", "A12")
    [stake, findings] = changes(tmp_path / "out")
    assert (stake["changes"], stake["kind"], stake["cents"]) == ("stake", "match_dealer", -2000)
    assert findings["only_at"][0]["verdict"] == "interpretation"
    assert "1 round and 1 stake change, patrons by -$20.00; findings of 1 round, 1 goes and 0 come" in ran.out


def test_every_table_of_a_file_is_compared(catwalk: Catwalk, tmp_path: Path) -> None:
    case = next(one for one in CASES if one["reading"] == "A20")
    lines = play(case["script"], case["ruleset"], {}).lines
    others = list(rechained([{**event, "subject": "X-1"} for event in parse(lines)]))
    packed = tmp_path / "both.ndjson.gz"
    packed.write_bytes(gzip.compress(b"".join(line + b"\n" for line in [*lines, *others])))
    catwalk("replay", packed, "--out", tmp_path / "out", "--compare-readings", "A20")
    assert [row["changes"] for row in changes(tmp_path / "out")] == ["findings", "findings"]
    assert {row["subject"] for row in changes(tmp_path / "out")} == {SUBJECT, "X-1"}


def test_a_place_without_rivals_cannot_be_compared(catwalk: Catwalk, tmp_path: Path) -> None:
    stream = recorded(CASES[0], tmp_path / "T.ndjson")
    ran = catwalk("replay", stream, "--out", tmp_path / "out", "--compare-readings", "A4")
    assert ran.status == 2
    assert "the place has no rival reading" in ran.err
    assert not (tmp_path / "out").exists()


def test_explain_tells_a_place_with_its_policies_its_verdict_and_its_checks(catwalk: Catwalk) -> None:
    told = catwalk("explain", "A7", "--format", "json").json
    assert told["readings"]["A7"]["policies"] == ["either", "at_once", "tucked"]
    assert told["readings"]["A7"]["departing"] == "interpretation"
    assert "rack.tuck" in told["checks"]
    shown = " ".join(catwalk("explain", "A7").out.split())
    assert "What happens when a second to fourth split hand busts?" in shown
    assert "[either or at_once or tucked], a departure is an interpretation" in shown
    assert "rack.tuck" in shown


def test_explain_tells_the_readings_that_a_check_turns_on(catwalk: Catwalk) -> None:
    told = catwalk("explain", "shoe.burn_due", "--format", "json").json
    assert told["readings"]["A15"]["policies"] == ["either", "one", "two"]
