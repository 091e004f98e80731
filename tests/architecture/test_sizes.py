"""Modules stay readable in one sitting, and are named after what they hold."""

from pathlib import Path

import pytest

from tests.architecture.sources import source_of
from tests.architecture.tracked import ROOT, tracked_files

MOST_LINES = 400
MOST_FUNCTION_LINES = 60  # about 40 is the aim; a table of cases or a long match may be a little longer
NO_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}


def _too_big(root: Path) -> list[str]:
    found = []
    for path in (p for p in tracked_files(root) if p.suffix == ".py"):
        text = path.read_text(encoding="utf-8")
        shown, lines = path.relative_to(root), text.count("\n")
        if lines > MOST_LINES:
            found.append(f"{shown}:1: {lines} lines, at most {MOST_LINES}; divide it by what it is about")
        if path.stem in NO_NAMES:
            found.append(f"{shown}:1: no name for a module; name it after what it holds")
        for first, last, name in source_of(path).functions:
            length = last - first + 1
            if length > MOST_FUNCTION_LINES:
                limit = f"at most {MOST_FUNCTION_LINES}; name its steps"
                found.append(f"{shown}:{first}: {name} has {length} lines, {limit}")
    return found


def test_no_module_or_function_is_too_long_or_named_after_nothing() -> None:
    assert "\n".join(_too_big(ROOT)) == ""


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("long.py", "x = 1\n" * 401, "401 lines"),
        ("utils.py", "x = 1\n", "no name for a module"),
        ("deep.py", "def f():\n" + "    x = 1\n" * 61, "deep.py:1: f has 62 lines"),
    ],
)
def test_a_planted_breach_is_reported(name: str, text: str, word: str, tmp_path: Path) -> None:
    (tmp_path / "allowed.py").write_text("x = 1\n" * 400, encoding="utf-8")
    assert _too_big(tmp_path) == []
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert [word in found for found in _too_big(tmp_path)] == [True]
