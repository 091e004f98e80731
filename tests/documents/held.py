"""Tables of the pages under docs: what is said, and the tests that hold it."""

from __future__ import annotations

import re

from tests.architecture.tracked import ROOT

TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")


def section(page: str, heading: str) -> str:
    """The text of a page under docs from a heading (with its `#`s) to the next one."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    return re.split(r"\n##+ ", text.partition(f"{heading}\n")[2], maxsplit=1)[0]


def rows_of(table: str) -> dict[str, str]:
    """What is said, and what holds it, of each row of a section's tables but their heads."""
    return dict(re.findall(r"^\| (?!said |family |sentence |-)(.+?) \| (`.+`) \|$", table, re.MULTILINE))


def faults_of(held: str) -> list[str]:
    """The tests of a row that there are not, and what in it names no test."""
    named = TEST.findall(held)
    missing = [f"{path}::{name}" for path, name in named if not _is_there(path, name)]
    return missing + ([held] if len(named) != held.count("`") // 2 or not named else [])


def _is_there(path: str, name: str) -> bool:
    file = ROOT / "tests" / path
    return file.exists() and f"def {name}(" in file.read_text("utf-8")
