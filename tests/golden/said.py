"""What is said when: at which event each finding is told, with its verdict, over streams whose devices fail.

python -m tests.golden.said           writes said.txt anew
python -m tests.golden.said FOLDER    writes what is said of each stream into a file of the folder

Two folders, of two versions, show by `diff -r` which finding is told otherwise. What the cases of the law say stands
beside the duties.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import NamedTuple

from msgspec import UNSET

from processors.pipeline import Outcome, TablePipeline
from producers.simulator.noise.kinds import KINDS
from producers.simulator.noise.words import Entry
from schemas.events.codec import decode
from tests.noise.tables import MIXED, Dealt, breached, lawful, noisy, with_hole, with_thinking
from tests.pipeline.streams import EXAMPLES, RULESETS, lines_of

SAID = Path(__file__).with_name("said.txt")
RATE = 0.02
HOLES = (5.0, 60.0)  # seconds that the recorder is away
MOMENTS = 4  # at which it is, by table
ROUNDS = 15
DIGITS = 16


class Stream(NamedTuple):
    """A stream by a name that tells how it came about, and its table."""

    name: str
    subject: str
    lines: Sequence[bytes]


def streams() -> Iterator[Stream]:
    """The examples; lawful tables under each kind of noise; tables that break a duty, with lost words."""
    for path in sorted(EXAMPLES.glob("*.ndjson")):
        lines = lines_of(path.stem)
        yield Stream(path.stem, decode(lines[0]).subject, lines)
    tables = lawful(len(RULESETS), ROUNDS)
    turn = count()
    for kind in (*KINDS, MIXED):
        for dealt in (tables[next(turn) % len(tables)] for _ in range(2)):
            yield _seen(dealt, f"{dealt.ruleset}.{kind}", noisy(dealt, kind, RATE))
    for dealt in tables:
        yield _seen(dealt, f"{dealt.ruleset}.thinking", with_thinking(dealt))
        for seconds in HOLES:
            for number in range(MOMENTS):
                entries = with_hole(dealt, seconds, number)
                if entries is not None:
                    yield _seen(dealt, f"{dealt.ruleset}.away_{seconds:g}s_{number}", entries)
    for dealt in breached():
        yield _seen(dealt, f"{dealt.name}.{MIXED}", noisy(dealt, MIXED, RATE))


def _seen(dealt: Dealt, name: str, entries: Iterable[Entry]) -> Stream:
    return Stream(name, dealt.subject, [entry.line for entry in entries if entry.line is not None])


def told(stream: Stream) -> Iterator[str]:
    """A line for each finding: the stream's line that brings it, event, check, verdict, money, id, missing words."""
    pipeline = TablePipeline(stream.subject, detect=False)
    at = partial(_lines, stream.name)
    for number, line in enumerate(stream.lines, 1):
        yield from at(number, pipeline.advance(line))
    yield from at(len(stream.lines) + 1, pipeline.finish())


def _lines(name: str, number: int, outcome: Outcome) -> Iterator[str]:
    for one in outcome.findings:
        missing = "; ".join(one.missing) if one.missing is not UNSET and one.missing else ""
        money = f" {one.money_cents}" if one.money_cents else ""
        yield f"{number} {one.sequence} {one.check} {one.verdict}{money} {one.finding_id} {missing}".rstrip()
    for result in outcome.rounds:
        yield f"{number} round {result.round} {result.status} {'; '.join(result.missing)}".rstrip()


def summed(stream: Stream) -> str:
    """The stream's line of said.txt: how many findings and breaches are told, and a digest of all."""
    said = list(told(stream))
    breaches = sum(" breached" in line for line in said)
    digest = hashlib.sha256("\n".join(said).encode()).hexdigest()[:DIGITS]
    return f"{stream.name}: {len(said)} told, {breaches} breached, {digest}"


def main(arguments: list[str]) -> None:
    """Write said.txt, or each stream's lines into a folder."""
    if not arguments:
        SAID.write_text("".join(f"{summed(stream)}\n" for stream in streams()), encoding="utf-8")
        return
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for stream in streams():
        text = "".join(f"{line}\n" for line in told(stream))
        (folder / f"{stream.name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
