"""`catwalk simulate --pattern`: streams with something that no single round shows, and what is true of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deploy.cli.main import main
from processors.detectors.family import NAMES
from producers.simulator.patterns.catalogue import CATALOGUE, title
from tests.simulator.streams import contract_faults


def simulate(*arguments: object) -> int:
    return main(["simulate", *map(str, arguments)])


def test_the_suite_has_sixty_scenarios_of_all_families_and_fourteen_look_alikes() -> None:
    patterns = [one for one in CATALOGUE.values() if not one.null]
    assert {one.family for one in patterns} == set(NAMES)
    assert sum(len(one.stated) for one in patterns) >= 46
    assert sum(one.null for one in CATALOGUE.values()) >= 14
    titles = [title(one, stated) for one in CATALOGUE.values() for stated in one.stated]
    assert len(set(titles)) == len(titles) >= 60
    for one in CATALOGUE.values():
        for stated in one.stated:
            assert one.between[0] <= stated.size <= one.between[1], one.name
            assert bool(stated.by) is not one.null, one.name


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_pattern_keeps_the_contract_and_tells_its_truth(name: str, tmp_path: Path) -> None:
    assert simulate("--out", tmp_path, "--pattern", name, "--rounds", 3) == 0
    pattern = CATALOGUE[name]
    [(scenario, entry)] = json.loads((tmp_path / "expect.json").read_text()).items()
    streams = sorted((tmp_path / scenario).glob("*.ndjson"))
    assert [path.stem for path in streams] == list(entry["tables"])
    assert len(streams) == pattern.tables
    lines = [line for path in streams for line in path.read_bytes().splitlines()]
    assert entry["events"] == len(lines)
    assert (entry["family"], entry["null"]) == (pattern.family, pattern.null)
    for path in streams:
        faults = [one for one in contract_faults(path.read_bytes().splitlines()) if " after " not in one]
        assert faults == []
        assert name == "clocks_apart" or not list(contract_faults(path.read_bytes().splitlines()))


def test_the_same_arguments_give_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    made = []
    for folder, seed in (("a", 1), ("b", 1), ("c", 2)):
        out = tmp_path / folder
        assert simulate("--out", out, "--pattern", "overpays", "--rounds", 20, "--seed", seed) == 0
        made.append((out / "overpays" / "T-001.ndjson").read_bytes())
    assert made[0] == made[1] != made[2]


def test_the_truth_keeps_what_it_has_of_other_scenarios(tmp_path: Path) -> None:
    assert simulate("--out", tmp_path, "--pattern", "slug=8", "--rounds", 3) == 0
    assert simulate("--out", tmp_path, "--pattern", "moods", "--rounds", 3) == 0
    assert list(json.loads((tmp_path / "expect.json").read_text())) == ["slug_8", "moods"]


def test_offences_are_the_rounds_in_which_it_was_done(tmp_path: Path) -> None:
    assert simulate("--out", tmp_path, "--pattern", "overpays=1", "--rounds", 5) == 0
    offences = json.loads((tmp_path / "expect.json").read_text())["overpays_1"]["offences"]
    assert {number for _, number, _ in offences} <= {1, 2, 3, 4, 5}
    assert {subject for subject, _, _ in offences} == {"T-001"}
    assert len(offences) > 5


def test_patterns_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate("--pattern", "list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(CATALOGUE)
    assert simulate("--pattern", "list", "--format", "json") == 0
    listed = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in listed if row["look_alike"]] == [
        one.name for one in CATALOGUE.values() if one.null
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--pattern", "overpay"], ["write `overpays`", "--pattern list"]),
        (["--pattern", "overpays=many"], ["`many` is no number", "0 to 1: share of her hands"]),
        (["--pattern", "overpays=2"], ["the size 2 means nothing", "0 to 1"]),
        (["--pattern", "moods=3"], ["write 1: players"]),
        (["--pattern", "moods", "--tables", "2"], ["--tables", "leave --tables out"]),
        (["--pattern", "moods", "--noise", "draws=1%"], ["--noise"]),
        (["--pattern", "moods", "--scenario", "lawful"], ["--scenario"]),
    ],
)
def test_a_mistake_is_told_in_one_line(
    arguments: list[str], words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert simulate("--out", tmp_path / "out", *arguments) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert all(word in said for word in words), said
    assert not (tmp_path / "out").exists()


def test_a_file_that_is_no_truth_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "expect.json").write_text("mine\n")
    assert simulate("--out", tmp_path, "--pattern", "moods", "--rounds", 2) == 2
    assert "name another folder with --out" in capsys.readouterr().err
    assert (tmp_path / "expect.json").read_text() == "mine\n"
