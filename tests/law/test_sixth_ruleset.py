"""A sixth ruleset is one file of numbers, one column of citations and one profile: no other module is touched."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.tracked import ROOT
from tests.mutations.rechain import findings_of, load, rechained

# Free Bet with other clauses, at a property of another state: dealer and stakes as in chapter 672a.
LIKE, NAME = "free_bet_672a", "free_bet_999z"
REPLAY = """
import json, sys
from processors.pipeline import TablePipeline
pipeline, found = None, []
for line in sys.stdin.buffer.read().splitlines():
    pipeline = pipeline or TablePipeline(json.loads(line)["subject"], proofs=False, detect=False)
    found += pipeline.advance(line).findings
print(json.dumps([[one.check, one.verdict, list(one.cites), one.message] for one in found]))
"""


def _made_up(clause: str) -> str:
    return clause.replace("672a.", "999z.")


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """The source with the sixth ruleset added to it."""
    for package in ("schemas", "processors"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    rulesets = tmp_path / "schemas" / "rulesets"
    numbers = (rulesets / f"{LIKE}.toml").read_text("utf-8")
    (rulesets / f"{NAME}.toml").write_text(
        numbers.replace(f'name = "{LIKE}"', f'name = "{NAME}"').replace(
            'chapter = "672a"', 'chapter = "999z"'
        )
    )
    _add_rows(tmp_path / "schemas" / "provisions.csv")
    _add_column(tmp_path / "processors" / "law" / "citations.csv")
    profiles = tmp_path / "processors" / "games" / "blackjack" / "profile.py"
    text = profiles.read_text("utf-8")
    own = re.search(rf'    BlackjackProfile\(\n        ruleset="{LIKE}",.*?\n    \),\n', text, re.S)
    assert own is not None
    profiles.write_text(text.replace(own[0], own[0] + own[0].replace(LIKE, NAME)))
    return tmp_path


def _add_rows(register: Path) -> None:
    with register.open(newline="") as file:
        reader = csv.DictReader(file)
        rows, names = list(reader), reader.fieldnames
    own = [
        {**row, "provision_id": _made_up(row["provision_id"]), "ruleset": NAME}
        for row in rows
        if row["ruleset"] == LIKE
    ]
    with register.open("w", newline="") as file:
        writer = csv.DictWriter(file, names or ())
        writer.writeheader()
        writer.writerows([*rows, *own])


def _add_column(citations: Path) -> None:
    with citations.open(newline="") as file:
        rows = list(csv.DictReader(file))
    with citations.open("w", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0], NAME])
        writer.writeheader()
        writer.writerows([{**row, NAME: _made_up(row[LIKE])} for row in rows])


def _decided(house: Path, lines: list[bytes]) -> list[list[object]]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", REPLAY],
        input=b"\n".join(lines), capture_output=True, cwd=house, env={"PYTHONPATH": str(house)}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    found: list[list[object]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    "stream", ["lawful_free_bet_672a", "breach_dealer22_paid", "breach_overpay", "breach_no_burn"]
)
def test_a_stream_under_a_sixth_ruleset_is_decided_as_under_its_like_and_cites_its_own_clauses(
    stream: str, house: Path
) -> None:
    events = load(stream)
    expected = [
        [one.check, one.verdict, [_made_up(clause) for clause in one.cites], one.message]
        for one in findings_of(events)
    ]
    renamed = [json.loads(json.dumps(event).replace(LIKE, NAME)) for event in events]
    assert _decided(house, list(rechained(renamed))) == expected
    assert bool(expected) == stream.startswith("breach")
