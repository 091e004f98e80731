"""All messages of findings, as the cases of the duties and the published streams bring them about.

`python -m tests.golden.messages` writes `messages.txt` again: read its difference as prose before it is committed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from processors.pipeline import TablePipeline
from tests.law.harness import advance, all_runs
from tests.law.script import play
from tests.mutations.rechain import EXAMPLES

GOLDEN = Path(__file__).parent / "messages.txt"
_CARD = r"(?:[2-9TJQKA][cdhs]|Jo|\?\?)"
# What differs from hand to hand: cards, hands, money, numbers. Two messages that differ in these alone are one.
_PARTICULAR = re.compile(rf"\b{_CARD}\b|\bD\b|\$[\d,]+(?:\.\d\d)?|\d+(?:\.\d+)*")


def form_of(message: str) -> str:
    """A message without its particulars: what it says of any table."""
    return re.sub(r"(?:<>(?:, | and | )?)+", "<>", _PARTICULAR.sub("<>", message))


def said() -> Iterator[tuple[str, str]]:
    """Check and message of every finding of the cases, played before all checks, and of the published streams."""
    seen: set[tuple[str, object]] = set()
    for run in all_runs():
        script = (run.ruleset, json.dumps([run.steps, run.table, run.players], sort_keys=True))
        if script not in seen:
            seen.add(script)
            lines = play(run.steps, run.ruleset, run.table, run.players, run.day).lines
            yield from ((finding.check, finding.message) for finding in advance(lines))
    for path in sorted(EXAMPLES.glob("*.ndjson")):
        lines = path.read_bytes().splitlines()
        pipeline = TablePipeline(json.loads(lines[0])["subject"], proofs=False)
        for line in lines:
            yield from ((finding.check, finding.message) for finding in pipeline.advance(line).findings)


def golden() -> list[str]:
    """One line a form of message: the check, and the first message of that form."""
    found: dict[tuple[str, str], str] = {}
    for check, message in said():
        found.setdefault((check, form_of(message)), message)
    return sorted(f"{check}: {message}" for (check, _), message in found.items())


if __name__ == "__main__":
    GOLDEN.write_text("\n".join(golden()) + "\n", encoding="utf-8")
