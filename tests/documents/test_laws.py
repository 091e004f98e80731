"""The laws of the queue: each stands in the table of docs/console.md, with tests that there are."""

from __future__ import annotations

import re

from tests.architecture.tracked import ROOT

PAGE = (ROOT / "docs" / "console.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (\d+) \| ([^|]*) \|([^|]*)\|$", PAGE, re.MULTILINE)
TESTS = {
    name
    for path in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"^\s*def (test_law_\d+_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
}


def test_each_law_has_a_row_with_tests_of_its_own_or_says_what_is_not_kept() -> None:
    assert [int(number) for number, _, _ in ROWS] == list(range(1, 23))
    for number, words, tests in ROWS:
        named = re.findall(r"`(\w+)`", tests)
        assert named or words.startswith("not kept yet: "), number
        assert [name for name in named if not name.startswith(f"test_law_{number}_")] == []
        assert [name for name in named if name not in TESTS] == []


def test_each_test_that_is_named_after_a_law_of_the_queue_stands_in_the_table() -> None:
    own = {name for name in TESTS if "browser" in _where(name) or "console" in _where(name)}
    assert sorted(name for name in own if f"`{name}`" not in PAGE) == []


def _where(name: str) -> str:
    return next(
        path.parent.name
        for path in (ROOT / "tests").rglob("test_*.py")
        if f"def {name}(" in path.read_text("utf-8")
    )
