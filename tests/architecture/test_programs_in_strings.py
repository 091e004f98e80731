"""Programs that tests keep as texts, for processes of their own: what they import from the project exists."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("benchmarks", "dashboards", "deploy", "processors", "producers", "schemas", "tests")


def imported_in_texts(path: Path) -> Iterator[tuple[str, str]]:
    """Module and name of each import of the project in a text of this module that is a program."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str) and "import " in node.value):
            continue
        try:
            program = ast.parse(node.value)
        except (SyntaxError, ValueError):
            continue
        for line in ast.walk(program):
            if isinstance(line, ast.ImportFrom) and line.module and line.module.split(".")[0] in PACKAGES:
                yield from ((line.module, one.name) for one in line.names)
            elif isinstance(line, ast.Import):
                yield from ((one.name, "") for one in line.names if one.name.split(".")[0] in PACKAGES)


def is_there(module: str, name: str) -> bool:
    """Whether a module has this name, or a module of it."""
    try:
        found = importlib.import_module(module)
        if name not in ("", "*") and not hasattr(found, name):
            importlib.import_module(f"{module}.{name}")
    except ModuleNotFoundError:
        return False
    return True


def test_what_a_program_in_a_text_imports_from_the_project_exists() -> None:
    asked = {
        (str(path.relative_to(ROOT)), module, name)
        for path in (ROOT / "tests").rglob("*.py")
        if path.parent.name != "architecture"  # its programs are made up
        for module, name in imported_in_texts(path)
    }
    assert len(asked) > 20
    assert [one for one in sorted(asked) if not is_there(*one[1:])] == []


def test_a_name_that_was_renamed_is_found(tmp_path: Path) -> None:
    module = tmp_path / "test_one.py"
    module.write_text('P = "from producers.kafka.gateway import Gateway, Plan"\n')
    assert [is_there(*one) for one in imported_in_texts(module)] == [True, False]
