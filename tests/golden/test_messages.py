"""Every message that a finding can bear stands whole in one reviewed file, and no source has one that does not."""

from __future__ import annotations

import ast
import re

import pytest

from tests.architecture.tracked import ROOT
from tests.golden.messages import GOLDEN, golden

LINES = GOLDEN.read_text("utf-8").splitlines()
SOURCES = sorted((ROOT / "processors").rglob("*.py"))
SPEAKERS = {"Breach", "Indeterminate", "Anomaly"}


@pytest.mark.thorough
def test_the_messages_are_those_of_the_file() -> None:
    assert golden() == LINES, "run `python -m tests.golden.messages`, and read the difference as prose"


def _patterns(node: ast.expr) -> list[str]:
    """The messages that an expression can be, as regular expressions; what is not written there is anything."""
    if isinstance(node, ast.Constant):
        return [re.escape(str(node.value))]
    if isinstance(node, ast.JoinedStr):
        return [
            "".join(
                re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*" for part in node.values
            )
        ]
    if isinstance(node, ast.IfExp):
        return _patterns(node.body) + _patterns(node.orelse)
    return []


def written() -> list[tuple[str, str]]:
    """Place and pattern of every message that the sources write where they make a judgment or an anomaly."""
    found = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SPEAKERS:
                for keyword in node.keywords:
                    if keyword.arg == "message":
                        place = f"{path.relative_to(ROOT)}:{keyword.value.lineno}"
                        found += [(place, pattern) for pattern in _patterns(keyword.value)]
    return found


def test_every_message_that_is_written_stands_in_the_file() -> None:
    messages = [line.partition(": ")[2] for line in LINES]
    unheard = [
        place for place, pattern in written() if not any(re.fullmatch(pattern, one) for one in messages)
    ]
    assert unheard == []


@pytest.mark.parametrize(
    "fault", [r"\s\s", r"\s[.,;]", r"[^.]$", r"^[a-z]", r"\b(None|True|False)\b", r"[{}]"]
)
def test_a_message_is_a_sentence(fault: str) -> None:
    assert [line for line in LINES if re.search(fault, line.partition(": ")[2])] == []
