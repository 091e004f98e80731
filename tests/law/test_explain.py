"""`catwalk explain`: a check, a provision, a finding with its evidence; anything else in one line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from deploy.audit.checks_page import page
from deploy.audit.explanations import explain, of_check, of_provision
from deploy.cli.main import main
from processors.detectors.family import FAMILIES
from processors.law.check import REGISTRY
from schemas.integrity import INTEGRITY
from schemas.provisions import PROVISIONS
from tests.architecture.tracked import ROOT

EXAMPLE = ROOT / "examples" / "breach_overpay.ndjson"


def _told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["explain", *arguments, "--format", "json"]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("results")
    assert main(["replay", str(EXAMPLE), "--out", str(out)]) == 0
    return out


@pytest.fixture
def finding(results: Path) -> dict[str, Any]:
    first: dict[str, Any] = json.loads((results / "findings.ndjson").read_bytes().splitlines()[0])
    return first


@pytest.mark.parametrize("check", sorted(REGISTRY))
def test_every_check_can_be_explained(check: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", check]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert " ".join(REGISTRY[check].doc.split()) in shown
    told = of_check(REGISTRY[check])
    assert all(set(case["rulesets"]) for case in told["cases"])


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_a_family_of_detectors_is_explained_by_its_bare_name(family: str, tmp_path: Path) -> None:
    told = explain(family, tmp_path, ())
    assert told == explain(f"pattern.{family}", tmp_path, ())
    assert told["kind"] == "pattern"


def test_every_provision_can_be_explained() -> None:
    for clause, provision in PROVISIONS.items():
        told = of_provision(clause)
        assert (told["duty"], told["severity"]) == (provision.duty, provision.severity)
        assert set(told["checks"]) <= set(REGISTRY)


def test_a_provision_is_told_with_duty_checks_readings_and_cases(capsys: pytest.CaptureFixture[str]) -> None:
    told = _told(capsys, "685a.7(n)(1)#1")
    assert set(told["checks"]) == {"settlement.stake", "settlement.complete"}
    assert told["readings"]["A2"]["policies"] == ["unsplit", "any_hand"]
    assert {verdict for case in told["cases"] for verdict in case["ends"]} >= {"upheld", "breached"}
    assert main(["explain", "685a.7(n)(1)#1"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "two original Large cards are paid against a dealer 22 (upheld, breached)" in shown
    assert "deal 3:TsJd D:Tc2h; stand 3; dealer Kd" in shown


def test_a_clause_of_several_duties_is_told_duty_by_duty(capsys: pytest.CaptureFixture[str]) -> None:
    told = _told(capsys, "672a.7(n)(1)")
    assert [part["provision"] for part in told["provisions"]] == [f"672a.7(n)(1)#{n}" for n in (1, 2, 3)]


def test_a_finding_is_told_with_clause_money_and_evidence(
    results: Path, finding: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    name = finding["finding_id"][:8]
    told = _told(capsys, name, "--in", str(results), "--stream", str(EXAMPLE.parent))
    assert [event["sequence"] for event in told["evidence"]] == finding["sequences"]
    assert told["cites"]["672a.11(a)#1"]["duty"] == PROVISIONS["672a.11(a)#1"].duty
    assert main(["explain", name, "--in", str(results), "--stream", str(EXAMPLE)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert finding["message"] in shown
    assert "overpaid $100.00" in shown
    assert f"{finding['sequence']} " in shown
    assert "wager_settled seat 6, kind main, hand 6.1, outcome pay, $200.00" in shown


def test_without_its_stream_a_finding_says_which_events_and_where_to_name_it(
    results: Path, finding: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["explain", finding["finding_id"], "--in", str(results)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert f"{finding['sequences'][0]}, " in shown
    assert "--stream breach_overpay.ndjson" in shown


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("settlement.stak", "did you mean settlement.stake"),
        ("672a.7(z)", "did you mean 672a.7("),
        ("baccarat", "see `catwalk coverage`"),
        ("ffffffff", "has none whose id begins so"),
        ("", "no check, role, provision or finding is called so"),
    ],
)
def test_an_unknown_name_is_one_line_with_what_to_do(
    name: str, says: str, results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", name, "--in", str(results)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert says in told.err


def test_findings_are_looked_for_where_replay_put_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", "abcdef", "--in", str(tmp_path)]) == 2
    assert "run `catwalk replay" in capsys.readouterr().err


def test_an_id_that_is_too_short_asks_for_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [{"finding_id": f"abcdef{n}", "sequences": [], "cites": []} for n in (1, 2)]
    (tmp_path / "findings.ndjson").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    assert main(["explain", "abcdef", "--in", str(tmp_path)]) == 2
    assert "2 ids begin so: abcdef1, abcdef2; write more of it" in capsys.readouterr().err


def test_a_reading_is_told_with_the_checks_that_rest_on_it(capsys: pytest.CaptureFixture[str]) -> None:
    told = _told(capsys, "A5")
    assert told["readings"]["A5"]["policies"] == ["collect", "return"]
    assert "settlement.stake" in told["checks"]
    assert main(["explain", "A5"]) == 0
    assert "[collect or return]" in " ".join(capsys.readouterr().out.split())


def test_a_check_of_the_record_itself_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert "none missing" in _told(capsys, "integrity.gap")["doc"]


def test_whatever_a_worker_can_find_about_the_record_is_told_and_stands_in_the_document(
    capsys: pytest.CaptureFixture[str],
) -> None:
    sources = [path.read_text("utf-8") for path in (ROOT / "processors").rglob("*.py")]
    raised = {name for text in sources for name in re.findall(r'"(integrity\.\w+)"', text)}
    assert {"integrity.store", "integrity.chain"} <= raised
    told = (ROOT / "docs" / "files.md").read_text("utf-8").partition("Integrity findings are")[2]
    documented = set(re.findall(r"`(integrity\.\w+)`", told.partition("## ")[0]))
    for name in sorted(raised):
        assert _told(capsys, name)["doc"].endswith(".")
    assert raised <= documented == set(INTEGRITY)


def test_every_family_of_checks_stands_in_the_document() -> None:
    told = set(re.findall(r"`(\w+)\.\*`", (ROOT / "docs" / "checks.md").read_text("utf-8")))
    families = {check.partition(".")[0] for check in REGISTRY}
    assert families ^ (told - {"integrity"}) == set()


def test_the_page_of_checks_lists_what_is_registered() -> None:
    text = (ROOT / "docs" / "checks.md").read_text("utf-8")
    assert page(text) == text, "run `make checks-page`"


def test_a_role_tells_its_duty_its_clauses_and_its_checks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "insurance.rounded_up"]) == 0
    told = capsys.readouterr().out
    for words in ("processors/law/citations.csv:", "685a.8(b)#2", "590.8(b)#2", "insurance.size: "):
        assert words in told
    assert main(["explain", "590.8(b)#2"]) == 0
    assert "role        insurance.rounded_up" in capsys.readouterr().out
