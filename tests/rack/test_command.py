"""`catwalk rack`, as a supervisor runs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.rack_dealing import House
from deploy.cli.main import main
from tests.rack.asking import problem

FB = House("free_bet_672a")
OPEN = problem("9c 8d 5h 6h 2c Th 7s", FB)


def _file(folder: Path, stated: dict[str, Any]) -> str:
    path = folder / "problem.json"
    path.write_text(json.dumps(stated), encoding="utf-8")
    return str(path)


def test_the_answer_is_one_json_object_with_the_contracts_fields(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rack", _file(tmp_path, problem("9c 8d Th 7s", FB, upcard="Th"))]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert json.loads(out) == {
        "count": 1,
        "complete": True,
        "unique": True,
        "reconstructions": [{"hands": {"1.1": ["9c", "8d"], "D": ["Th", "7s"]}, "deviations": []}],
        "agree_on": ["1.1", "D"],
        "differ_on": [],
        "money_unique": True,
        "message": "Exactly one lawful round leaves this rack: it proves every hand, "
        "and how every main wager ended.",
    }


def test_the_same_problem_gives_the_same_bytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _file(tmp_path, OPEN)
    main(["rack", path])
    first = capsys.readouterr().out
    main(["rack", path])
    assert capsys.readouterr().out == first


def test_the_limit_cuts_the_answer_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rack", _file(tmp_path, OPEN), "--limit", "1"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["count"], answer["complete"], answer["unique"]) == (1, False, None)
    assert "may be more" in answer["message"]


def test_the_time_cuts_the_answer_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blank = problem(" ".join(["??"] * 24), FB)
    assert main(["rack", _file(tmp_path, blank), "--seconds", "0.2"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["complete"], answer["unique"], answer["money_unique"]) == (False, None, None)


def test_a_table_that_names_another_ruleset_is_remarked_upon(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = OPEN | {"ruleset": "free_bet_590"}
    assert main(["rack", _file(tmp_path, other)]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["count"] > 0
    assert "the table's data say free_bet_672a; read as free_bet_590" in err


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        (OPEN | {"rack": ["9c", "zz"]}, ["zz", "$.rack[1]", "--help"]),
        (OPEN | {"seats": [9]}, ["seat 9", "$.seats[0]"]),
        ({"rack": []}, ["ruleset"]),
    ],
)
def test_a_mistake_is_one_line_and_status_2(
    stated: dict[str, Any], words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rack", _file(tmp_path, stated)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert [word for word in ["problem.json", *words] if word not in err] == []


def test_a_file_that_is_not_there_is_one_line_and_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rack", "no_such_problem.json"]) == 2
    assert "no_such_problem.json: No such file" in capsys.readouterr().err
