"""Every message that a finding can bear stands whole in one reviewed file, and no source has one that does not."""

from __future__ import annotations

import ast
import re

import msgspec
import pytest

from processors.law.check import REGISTRY, Moment
from tests.architecture.tracked import ROOT, syntax_of
from tests.golden.messages import GOLDEN, SOURCES, golden
from tests.law.harness import only
from tests.mutations.rechain import findings_of, load

LINES, FIRST = (path.read_text("utf-8").splitlines() for path in (GOLDEN, SOURCES))
WRITING = sorted((ROOT / "processors").rglob("*.py"))
SPEAKERS = {"Breach", "Indeterminate", "Anomaly"}


REMEDY = "run `python -m tests.golden.messages`, and read the difference as prose"


@pytest.mark.thorough
def test_the_messages_are_those_of_the_file() -> None:
    """As the scripts and streams say them that were the first to bring one."""
    assert golden(frozenset(FIRST)) == (LINES, FIRST), REMEDY


@pytest.mark.soak
def test_no_other_script_or_stream_has_a_message_of_its_own() -> None:
    assert golden() == (LINES, FIRST), REMEDY


def test_no_script_however_unlawful_brings_any_check_down() -> None:
    """Scripts of cases are played before all checks for the file."""
    assert [line for line in LINES if "a defect of the " in line] == []


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
    for path in WRITING:
        for node in ast.walk(syntax_of(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SPEAKERS:
                for keyword in node.keywords:
                    # No record brings a check down; the test below holds what is said where one is.
                    if keyword.arg == "message" and path.name != "judge.py":
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
    "fault", [r"\s\s", r"\s[.,;](?!\.)", r"[^.]$", r"^[a-z]", r"\b(None|True|False)\b", r"[{}]"]
)
def test_a_message_is_a_sentence(fault: str) -> None:
    assert [line for line in LINES if re.search(fault, line.partition(": ")[2])] == []


def test_a_check_that_breaks_down_accuses_nobody_and_says_so() -> None:
    def broken(moment: Moment, data: object) -> None:
        raise ValueError("planted")

    entry = msgspec.structs.replace(REGISTRY["wagers.in_time"], function=broken)
    with only({entry.id: entry}):
        found = findings_of(load("breach_late_bet")[:80])
    assert {(one.verdict, one.message, one.missing) for one in found} == {
        (
            "indeterminate",
            "Check wagers.in_time could not judge this event: a defect of the check, not of the table.",
            ("a working check (ValueError: planted)",),
        )
    }
