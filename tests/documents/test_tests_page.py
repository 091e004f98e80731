"""The page that says which test holds what: each place on it is there, and each folder of tests is on it."""

import re

from tests.architecture.tracked import ROOT

TESTS = ROOT / "tests"
PAGE = (TESTS / "README.md").read_text(encoding="utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("|")]
NAMED = {name for line in ROWS for name in re.findall(r"`([a-z_/]+(?:/|\.py))`", line)}


def test_each_place_that_is_named_is_there() -> None:
    assert [name for name in sorted(NAMED) if not (TESTS / name).exists()] == []


def test_each_folder_of_tests_holds_something_that_users_need() -> None:
    folders = {path.parent.relative_to(TESTS).parts[0] for path in TESTS.rglob("*/test_*.py")}
    assert folders - {name.partition("/")[0] for name in NAMED} == set()
