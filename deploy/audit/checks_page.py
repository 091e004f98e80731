"""The list of all checks for docs/checks.md, made from the registry: `python -m deploy.audit.checks_page`.

Each subject with the sentence at its folder's door, and of each check what it holds tables to and the roles it decides.
"""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from itertools import groupby

from deploy.audit.duties import held_to
from processors.law import duties as _registered  # noqa: F401 - importing registers every check
from processors.law.check import REGISTRY, Check

BEGIN = "## All checks\n"


def listed() -> str:
    """The part of the page that begins with its heading."""
    lines = [BEGIN]
    for subject, entries in groupby(sorted(REGISTRY.values(), key=lambda one: one.id), key=_subject):
        door = inspect.getdoc(import_module(f"processors.law.duties.{subject}")) or ""
        lines += [f"### {subject}", "", door, "", "| check | holds tables to | roles |", "|---|---|---|"]
        lines += [f"| `{one.id}` | {_holds(one)} | {', '.join(one.decides)} |" for one in entries]
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def _subject(entry: Check) -> str:
    return entry.id.partition(".")[0]


def _holds(entry: Check) -> str:
    return held_to(entry).replace("|", "\\|")


def page(text: str) -> str:
    """The page with its list made anew; what stands before the list is kept."""
    return text.partition(BEGIN)[0] + listed()


if __name__ == "__main__":
    sys.stdout.write(page(sys.stdin.read()))
