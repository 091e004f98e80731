"""A folder is a room: few modules, a sentence at its door, no import circles, and each matter in its own place."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from schemas.rulesets import RULESETS
from tests.architecture.circles import circles
from tests.architecture.imports import FIRST_PARTY, imports_of, module_name
from tests.architecture.sources import source_of
from tests.architecture.tracked import ROOT, tracked_files

MOST_MODULES = 16
# Who may tell rulesets apart by name: the games, the dated numbers, and the dealer that is simulated.
MAY_NAME_RULESETS = ("processors/games/", "schemas/rulesets/", "producers/simulator/", "benchmarks/")


def _tracked() -> list[Path]:
    return [path.relative_to(ROOT) for path in tracked_files()]


def _modules(root: Path) -> dict[str, Path]:
    paths = (path for name in FIRST_PARTY for path in (root / name).rglob("*.py"))
    return {module_name(path.relative_to(root)): path for path in paths}


def module_circles(root: Path) -> list[list[str]]:
    """The modules that import one another in a circle, also over functions and for types alone."""
    modules = _modules(root)
    edges: dict[str, set[str]] = defaultdict(set)
    for name, path in modules.items():
        for _, target in imports_of(source_of(path), name, path.name == "__init__.py"):
            while target and target not in modules:
                target = target.rpartition(".")[0]
            if target and target != name:
                edges[name].add(target)
    return circles(edges)


def test_no_modules_import_one_another_in_a_circle() -> None:
    assert module_circles(ROOT) == []


@pytest.mark.parametrize("planted", ["import schemas.b", "def f():\n    from schemas.b import x"])
def test_a_planted_circle_is_found(planted: str, tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    texts = {"a": planted, "b": "import schemas.a", "c": "import schemas.a"}
    for name, text in texts.items():
        (tmp_path / "schemas" / f"{name}.py").write_text(text)
    assert module_circles(tmp_path) == [["schemas.a", "schemas.b"]]


def test_no_folder_holds_more_modules_than_can_be_seen_at_a_glance() -> None:
    held: dict[Path, int] = defaultdict(int)
    for path in _tracked():
        if path.suffix == ".py" and path.parts[0] in FIRST_PARTY and path.name != "__init__.py":
            held[path.parent] += 1
    assert {str(folder): count for folder, count in held.items() if count > MOST_MODULES} == {}


def test_nobody_else_tells_rulesets_apart_by_name() -> None:
    names = re.compile("|".join(map(re.escape, RULESETS)))
    found = [
        f"{path}:{line}: {word}"
        for path in _tracked()
        if path.suffix == ".py"
        and path.parts[0] in FIRST_PARTY
        and not str(path).startswith(MAY_NAME_RULESETS)
        for line, word in _code_words(path, names)
    ]
    assert found == []


def _code_words(path: Path, names: re.Pattern[str]) -> list[tuple[int, str]]:
    """Where code, not a docstring or an example of the help, names a ruleset."""
    return [(line, text) for line, text in source_of(ROOT / path).texts if names.fullmatch(text)]
