"""`catwalk simulate` as a user runs it."""

import csv
import json
from pathlib import Path

import pytest

from deploy.cli.main import main
from producers.simulator.floor.setup import RULESETS
from producers.simulator.scenarios.catalogue import CATALOGUE, STACK_BREACHES, STACK_IRREGULARITIES
from tests.simulator.streams import contract_faults, events, named

PROVISIONS = Path(__file__).resolve().parents[2] / "schemas" / "provisions.csv"


def simulate(*arguments: object) -> int:
    return main(["simulate", *map(str, arguments)])


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_one_stream_a_table_keeps_the_contract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate("--out", tmp_path / "new" / "streams", "--tables", 5, "--rounds", 4, "--seed", 7) == 0
    files = files_of(tmp_path / "new" / "streams")
    assert list(files) == [
        "C4-105.ndjson",
        "DU-103.ndjson",
        "FB-102.ndjson",
        "FB90-101.ndjson",
        "FP-104.ndjson",
    ]
    rulesets = set()
    total = 0
    for name, content in files.items():
        lines = content.splitlines()
        assert list(contract_faults(lines)) == []
        stream = events(lines)
        assert json.loads(lines[0])["subject"] == name.removesuffix(".ndjson")
        assert [event["round"] for event in named(stream, "round_started")] == [1, 2, 3, 4]
        rulesets.add(stream[0]["ruleset"])
        total += len(lines)
    assert rulesets == set(RULESETS)
    out = capsys.readouterr().out
    assert out.count(".ndjson") == 5
    assert f"5 tables, 4 rounds each, {total:,} events" in out


def test_the_same_arguments_give_the_same_bytes(tmp_path: Path) -> None:
    for folder, seed in (("a", 3), ("b", 3), ("c", 4)):
        assert simulate("--out", tmp_path / folder, "--tables", 3, "--rounds", 5, "--seed", seed) == 0
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b")
    assert not set(files_of(tmp_path / "a").values()) & set(files_of(tmp_path / "c").values())


def test_a_table_does_not_depend_on_how_many_there_are(tmp_path: Path) -> None:
    simulate("--out", tmp_path / "few", "--tables", 2, "--rounds", 3)
    simulate("--out", tmp_path / "many", "--tables", 6, "--rounds", 3)
    assert files_of(tmp_path / "few").items() <= files_of(tmp_path / "many").items()


def test_a_file_that_is_there_is_replaced_and_nothing_unfinished_is_left(tmp_path: Path) -> None:
    (tmp_path / "FB90-101.ndjson").write_text("old\n")
    assert simulate("--out", tmp_path, "--rounds", 2) == 0
    assert list(files_of(tmp_path)) == ["FB90-101.ndjson"]
    assert b"old" not in files_of(tmp_path)["FB90-101.ndjson"]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_ruleset_can_be_chosen_for_every_table(ruleset: str, tmp_path: Path) -> None:
    assert simulate("--out", tmp_path, "--tables", 2, "--rounds", 2, "--ruleset", ruleset) == 0
    contents = files_of(tmp_path).values()
    assert [json.loads(c.splitlines()[0])["data"]["ruleset"] for c in contents] == [ruleset] * 2


def test_a_scenario_takes_only_tables_it_can_be_played_at(tmp_path: Path) -> None:
    assert (
        simulate("--out", tmp_path, "--tables", 2, "--rounds", 8, "--scenario", "stacks_position_skipped")
        == 0
    )
    assert list(files_of(tmp_path)) == ["FP-101.ndjson", "FP-102.ndjson"]
    for content in files_of(tmp_path).values():
        stream = events(content.splitlines())
        delivered = len(named(stream, "stack_delivered"))
        assert delivered == 8 * 7 - 1


@pytest.mark.parametrize("name", [*STACK_IRREGULARITIES, *STACK_BREACHES])
def test_every_scenario_of_the_stack_games_keeps_the_contract(name: str, tmp_path: Path) -> None:
    assert simulate("--out", tmp_path, "--tables", 2, "--rounds", 7, "--scenario", name) == 0
    for content in files_of(tmp_path).values():
        assert list(contract_faults(content.splitlines())) == []


def test_an_irregular_session_keeps_the_contract_under_every_ruleset(tmp_path: Path) -> None:
    assert simulate("--out", tmp_path, "--tables", 10, "--rounds", 25, "--scenario", "irregular") == 0
    for content in files_of(tmp_path).values():
        assert list(contract_faults(content.splitlines())) == []


def test_scenarios_are_listed_with_what_happens_in_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate("--scenario", "list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(CATALOGUE)
    assert "an ordinary session (all rulesets)" in lines[0]
    assert simulate("--scenario", "list", "--format", "json") == 0
    listed = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in listed] == list(CATALOGUE)
    assert all(row["summary"] and set(row["rulesets"]) <= set(RULESETS) for row in listed)
    with PROVISIONS.open(encoding="utf-8") as file:
        provisions = {row["provision_id"] for row in csv.DictReader(file)}
    assert {cite for scenario in STACK_BREACHES.values() for cite in scenario.breaks} <= provisions
    assert next(row for row in listed if row["name"] == "stacks_wrong_start")["breaks"] == ["670a.10(c)#1"]


def test_the_files_can_be_had_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate("--out", tmp_path, "--rounds", 2, "--format", "json") == 0
    [row] = json.loads(capsys.readouterr().out)
    content = Path(row["file"]).read_bytes()
    assert (row["events"], row["bytes"]) == (content.count(b"\n"), len(content))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["--out", "add `--out DIR`"]),
        (["--out", "x", "--scenario", "nonsense"], ["nonsense", "--scenario list"]),
        (
            ["--out", "x", "--scenario", "stacks_wrong_hand", "--ruleset", "free_bet_590"],
            ["manual_shoe_657a8"],
        ),
        (["--out", "x", "--ruleset", "poker"], ["poker", "free_bet_590"]),
        (["--out", "x", "--tables", "0"], ["--tables"]),
        (["--out", "x", "--rounds", "none"], ["--rounds"]),
        (["--out", __file__], ["--out"]),
        (["--out", __file__ + "/x"], ["check the path", "folder"]),
    ],
)
def test_a_mistake_is_told_in_one_line_and_ends_with_status_2(
    arguments: list[str],
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert simulate(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert any(word in captured.err for word in words)
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_stream_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from producers.simulator import session

    def breaks_off(*_: object) -> object:
        yield b'{"type":"catwalk.v1.round_started"}'
        raise KeyboardInterrupt

    monkeypatch.setattr(session, "simulate_table", breaks_off)
    assert simulate("--out", tmp_path, "--rounds", 2) == 130
    assert list(tmp_path.iterdir()) == []
