"""Published streams as lines, and a run of lines through the pipelines of their tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from processors.pipeline import DeadLetter, Outcome, TablePipeline
from schemas.findings import Finding
from schemas.rounds import RoundResult
from tests.mutations.rechain import Event, rechained

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
RULESETS = {
    "free_bet_590": "lawful_free_bet_590",
    "free_bet_672a": "lawful_free_bet_672a",
    "down_under_685a": "lawful_down_under_685a",
    "fortune_670a10": "lawful_fortune_670a10",
    "manual_shoe_657a8": "lawful_manual_shoe_657a8",
}


@cache
def lines_of(name: str) -> tuple[bytes, ...]:
    """The lines of a published stream, without their ends."""
    return tuple((EXAMPLES / f"{name}.ndjson").read_bytes().splitlines())


@dataclass(slots=True)
class Run:
    """What came of some lines: the tables met, and everything said about them."""

    tables: dict[str, TablePipeline] = field(default_factory=dict)
    rounds: list[RoundResult] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    dead: list[tuple[bytes, DeadLetter]] = field(default_factory=list)

    def take(self, outcome: Outcome, line: bytes = b"") -> None:
        """Keep what an outcome holds."""
        self.rounds += outcome.rounds
        self.findings += outcome.findings
        if outcome.dead is not None:
            self.dead.append((line, outcome.dead))

    def go_on(self, current: TablePipeline, lines: Iterable[bytes]) -> Run:
        """Take the lines, each by its own table's pipeline, and end the stream."""
        self.tables.setdefault(current.table.subject, current)
        for line in lines:
            if not line:
                continue
            outcome = current.advance(line)
            if outcome.foreign is not None:
                subject = outcome.foreign
                current = self.tables.setdefault(
                    subject, TablePipeline(subject, detect=current.detectors is not None)
                )
                outcome = current.advance(line)
            self.take(outcome, line)
        for pipeline in self.tables.values():
            self.take(pipeline.finish())
        return self


def run(subject: str, lines: Iterable[bytes], *, detect: bool = False) -> Run:
    """Run a whole stream that begins as the table `subject`'s; the law alone, unless detectors are asked too."""
    return Run().go_on(TablePipeline(subject, detect=detect), lines)


def run_of(events: list[Event]) -> Run:
    """What is said of events that are chained anew."""
    return run(str(events[0]["subject"]), rechained(events))
