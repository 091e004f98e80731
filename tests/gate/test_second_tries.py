"""A second try is given to the tests of one list, with a reason, and to no other."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.tracked import ROOT
from tests.gate.second_tries import REASONS, listed
from tests.gate.test_gate import ALONE

MARKED = """
import pytest

@pytest.mark.flaky(reruns=1)
def test_of_luck():
    pass
"""
GIVING = """
from tests.gate.second_tries import give_second_tries

def pytest_collection_modifyitems(items):
    give_second_tries(items)
"""


@pytest.mark.parametrize("name", REASONS)
def test_each_entry_names_a_test_and_gives_a_reason(name: str) -> None:
    module, _, test = name.partition("::")
    tree = ast.parse((ROOT / "tests" / module).read_text(encoding="utf-8"))
    functions = {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}
    assert not test or test in functions
    assert re.fullmatch(r"\S+( \S+)+", REASONS[name])


def test_a_test_is_listed_by_itself_or_by_its_module() -> None:
    assert listed("tests/live/test_composed.py::test_a[one-two]")
    assert not listed("tests/live/test_fold.py::test_a[live/test_composed.py]")


def test_a_marker_outside_the_list_ends_every_run_at_once(tmp_path: Path) -> None:
    (tmp_path / "test_luck.py").write_text(MARKED, encoding="utf-8")
    (tmp_path / "conftest.py").write_text(GIVING, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q"],
        cwd=tmp_path, env={**ALONE, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "test_luck.py::test_of_luck has the marker `flaky`" in done.stderr


def test_no_run_gives_second_tries_by_option() -> None:
    for name in ("Makefile", "pyproject.toml", "tests/in_memory.sh", "tests/gate/__main__.py"):
        assert "--reruns" not in (ROOT / name).read_text(encoding="utf-8")
