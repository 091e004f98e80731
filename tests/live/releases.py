"""A second release beside this one: a copy of the code whose fold answers otherwise, and says so by its version."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from schemas.answers import FOLD_VERSION
from tests.live.folding import HOME, REPOSITORY

NEXT: Final = FOLD_VERSION + 1
_PACKAGES: Final = ("schemas", "producers", "processors", "dashboards", "deploy")
# What the next release answers otherwise: one finding in other words, one under another id for the same matter, one
# no longer, one that is new.
CHANGED, RENAMED, GONE, ADDED_TO = "settlement.stake", "action.decision", "rack.order", "reader.masque_remedy"
ADDED: Final = "masque.shown"
SAID_BY_NEXT: Final = "Said by the next release."
_OTHERWISE: Final = f'''

def _otherwise(finding: Finding) -> tuple[Finding, ...]:
    if finding.check == "{CHANGED}":
        return (replace(finding, message=finding.message + " {SAID_BY_NEXT}"),)
    if finding.check == "{RENAMED}":
        return (replace(finding, finding_id=finding.finding_id[::-1]),)
    if finding.check == "{GONE}":
        return ()
    if finding.check == "{ADDED_TO}":
        return (finding, replace(finding, check="{ADDED}", finding_id=finding.finding_id[::-1]))
    return (finding,)


_advance = TablePipeline.advance


def _advance_otherwise(self, line, *, believe=True):
    outcome = _advance(self, line, believe=believe)
    if not outcome.findings:
        return outcome
    return replace(outcome, findings=tuple(new for one in outcome.findings for new in _otherwise(one)))


TablePipeline.advance = _advance_otherwise
'''


def next_release(folder: Path, *, otherwise: bool = True) -> Path:
    """A copy of the product in this folder, with one digest of answers more; it answers `otherwise`, or the same."""
    for name in _PACKAGES:
        shutil.copytree(REPOSITORY / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    answers = folder / "schemas" / "answers.py"
    text = answers.read_text(encoding="utf-8")
    answers.write_text(text.replace("\n)\n", f'\n    "{NEXT:064d}",\n)\n', 1), encoding="utf-8")
    pipeline = folder / "processors" / "pipeline.py"
    if otherwise:
        pipeline.write_text(pipeline.read_text(encoding="utf-8") + _OTHERWISE, encoding="utf-8")
    return folder


def of_next(environment: Mapping[str, str], home: Path) -> dict[str, str]:
    """The variables of a process that runs the next release's code."""
    return {**environment, HOME: str(home)}
