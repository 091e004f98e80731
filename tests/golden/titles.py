"""The titles of all messages of findings: one line a message, `check: title <- message`.

`python -m tests.golden.titles` writes `titles.txt` again: read its difference as prose before it is committed. The
messages are those of `messages.txt`, and of `patterns.txt` for suspicions.
"""

from __future__ import annotations

from pathlib import Path

from dashboards.wording.short_titles.title import short_title
from schemas.findings import Finding, Verdict
from tests.golden.messages import GOLDEN

TITLES = Path(__file__).parent / "titles.txt"
PATTERNS = TITLES.with_name("patterns.txt")


def entitled(check: str, message: str, verdict: Verdict = "breached") -> str:
    """The title of a finding of this check that says so."""
    return short_title(
        Finding(
            finding_id="0" * 32,
            check=check,
            cites=(),
            verdict=verdict,
            severity="major",
            subject="BJ-12",
            round=7,
            sequence=41,
            sequences=(41,),
            expected=None,
            observed=None,
            money_cents=0,
            message=message,
        )
    )


def verdict_of(check: str, message: str) -> Verdict:
    """The verdict with which such a message comes; most come as breaches too."""
    if "cannot be said" in message or "could not judge" in message:
        return "indeterminate"
    return "suspected" if check.startswith("pattern.") else "breached"


def said() -> list[tuple[str, str]]:
    """Check and message of every line of the reviewed files."""
    lines = [line for path in (GOLDEN, PATTERNS) for line in path.read_text("utf-8").splitlines()]
    return [(check, message) for check, _, message in (line.partition(": ") for line in lines)]


def titles() -> list[str]:
    """The lines of the file."""
    return [
        f"{check}: {entitled(check, message, verdict_of(check, message))} <- {message}"
        for check, message in said()
    ]


if __name__ == "__main__":
    TITLES.write_text("\n".join(titles()) + "\n", encoding="utf-8")
