"""The example of docs/rack.md is what `catwalk rack` answers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from deploy.cli.main import main

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "rack.md"


def test_the_documented_problem_has_the_documented_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = DOCUMENT.read_text("utf-8")
    problem, answer, deviation = re.findall(r"```json\n(.*?)```", text, flags=re.DOTALL)
    path = tmp_path / "problem.json"
    path.write_text(problem, encoding="utf-8")
    assert main(["rack", str(path)]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(answer)
    overdrawn = json.loads(problem)
    overdrawn["rack"].append("Ks")
    path.write_text(json.dumps(overdrawn), encoding="utf-8")
    assert main(["rack", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["nearest"]["deviations"] == [json.loads(deviation)]


def test_the_measured_tables_are_there() -> None:
    measured = DOCUMENT.read_text("utf-8").partition("<!-- measured: begin -->")[2]
    rows = measured.partition("<!-- measured: end -->")[0].splitlines()
    assert sum(row.startswith("| ") for row in rows) >= 12
