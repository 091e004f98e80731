"""Each test of `make soak` is in exactly one of its parts, and the parts are those that people read of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.architecture.tracked import ROOT
from tests.gate.parts import PARTS, paths

TESTS = ROOT / "tests"
IN_PARTS = [folder for folders in PARTS.values() for folder in folders]
MARKS = re.compile(r"\bmark\.soak\b|\bin_soak\b|\bone_in\b|\bSOAK\b")


def in_soak(folder: Path) -> bool:
    """Whether a test below this folder is marked for `make soak`."""
    return any(MARKS.search(path.read_text(encoding="utf-8")) for path in folder.rglob("*.py"))


def test_each_folder_with_tests_of_soak_is_in_exactly_one_part() -> None:
    folders = {path.name for path in TESTS.iterdir() if path.is_dir() and path.name != "gate"}
    assert sorted(IN_PARTS) == sorted(folder for folder in folders if in_soak(TESTS / folder))
    assert not [path.name for path in TESTS.glob("test_*.py")], "a test in no folder is in no part"


def test_a_part_is_its_folders_and_another_word_names_the_parts() -> None:
    assert paths("noise") == ["tests/noise", "tests/pipeline"]
    with pytest.raises(SystemExit, match="no part of it; there are live, "):
        paths("of it")


def test_the_parts_are_those_of_the_page_and_of_make() -> None:
    page = (TESTS / "README.md").read_text(encoding="utf-8")
    table = page.partition("| part | folders |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:3]] for line in table.splitlines()[2:]]
    assert {part.strip("`"): tuple(re.findall(r"`(\w+)/`", folders)) for part, folders in rows} == PARTS
    assert f"PART={'|'.join(PARTS)}" in (ROOT / "Makefile").read_text(encoding="utf-8")
