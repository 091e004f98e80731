"""Replay: each source through its own pipelines, in as many processes as asked; the same bytes out either way."""

from __future__ import annotations

import base64
import itertools
import multiprocessing
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from deploy.replay.sources import Source, read_lines
from deploy.replay.spool import Spool, join
from processors.pipeline import Outcome, TablePipeline
from producers.feeds.lines import AnyLine, LongLine
from schemas.codec import Malformed, decode
from schemas.findings import Finding

SMALL = 8_000_000  # bytes that one process replays about as fast as another one starts
FILES = ("rounds", "findings", "deadletters")
_ENCODE = msgspec.json.Encoder().encode


class FileSummary(Struct, kw_only=True):
    """One table's stream of one file, as `summary.json` lists it."""

    file: str
    subject: str
    records: int
    rounds: int
    findings: int
    deadletters: int
    chain: str
    head: str
    first_bad_sequence: int | None


class SourceResult(Struct, kw_only=True):
    """What one source came to: its tables, and its findings counted."""

    files: list[FileSummary]
    by_verdict: dict[str, int]
    by_cite: dict[str, int]
    by_check: dict[str, int]


class Summary(Struct, kw_only=True):
    """The whole replay, as `summary.json` holds it."""

    files: list[FileSummary]
    records: int
    rounds: int
    findings: int
    deadletters: int
    by_verdict: dict[str, int]
    by_cite: dict[str, int]
    by_check: dict[str, int]


class _Replayer:
    """One source on its way through the pipelines of its tables."""

    def __init__(self, source: Source, stem: Path, readings: Mapping[str, str], proofs: bool) -> None:
        self.name = source.name
        self.prefix = b'{"file":' + _ENCODE(source.name) + b","
        self.readings, self.proofs = readings, proofs
        self.spools = {name: Spool(stem.with_suffix(f".{name}")) for name in FILES}
        self.pipelines: dict[str, TablePipeline] = {}
        self.counts: dict[str, Counter[str]] = {}
        self.verdicts: Counter[str] = Counter()
        self.cites: Counter[str] = Counter()
        self.checks: Counter[str] = Counter()

    def pipeline(self, subject: str) -> TablePipeline:
        """The pipeline of a table, begun when the table is first met."""
        found = self.pipelines.get(subject)
        if found is None:
            found = self.pipelines[subject] = TablePipeline(subject, self.readings, proofs=self.proofs)
            self.counts[subject] = Counter()
        return found

    def run(self, source: Source, advance: Callable[[int], None]) -> None:
        """Take every line of the source."""
        current = self.pipeline(first_subject(source))
        done = 0
        for line in read_lines(source):
            if isinstance(line, LongLine):
                outcome = current.refuse_unread(line.digest, line.reason)
            else:
                outcome = current.advance(line.content)
                if outcome.foreign is not None:
                    current = self.pipeline(outcome.foreign)
                    outcome = current.advance(line.content)
            if outcome.rounds or outcome.findings or outcome.dead:
                self.keep(current, outcome, line)
            done += 1
            if done & 0x3FF == 0:
                advance(1024)
        advance(done & 0x3FF)
        for pipeline in self.pipelines.values():
            self.keep(pipeline, pipeline.finish(), None)

    def keep(self, pipeline: TablePipeline, outcome: Outcome, line: AnyLine | None) -> None:
        """Spool what an outcome holds."""
        counts = self.counts[pipeline.table.subject]
        for result in outcome.rounds:
            counts["rounds"] += 1
            self.spools["rounds"].write(result.last_sequence, self.prefix + _ENCODE(result)[1:])
        for finding in outcome.findings:
            counts["findings"] += 1
            self._count(finding)
            self.spools["findings"].write(finding.sequence, self.prefix + _ENCODE(finding)[1:])
        if outcome.dead is not None and line is not None:
            counts["deadletters"] += 1
            letter = _letter(line, outcome.dead.reason)
            self.spools["deadletters"].write(line.number, self.prefix + _ENCODE(letter)[1:])

    def _count(self, finding: Finding) -> None:
        self.verdicts[finding.verdict] += 1
        self.checks[finding.check] += 1
        self.cites.update(finding.cites)

    def result(self) -> SourceResult:
        """Close the spools and sum up."""
        for spool in self.spools.values():
            spool.close()
        return SourceResult(
            files=[self._file(subject) for subject in self.pipelines],
            by_verdict=dict(self.verdicts),
            by_cite=dict(self.cites),
            by_check=dict(self.checks),
        )

    def _file(self, subject: str) -> FileSummary:
        chain, counts = self.pipelines[subject].table.chain, self.counts[subject]
        return FileSummary(
            file=self.name,
            subject=subject,
            records=chain.records,
            rounds=counts["rounds"],
            findings=counts["findings"],
            deadletters=counts["deadletters"],
            chain="broken" if chain.broken else "intact",
            head=chain.head,
            first_bad_sequence=chain.first_bad,
        )


def _letter(line: AnyLine, reason: str) -> dict[str, Any]:
    """A dead letter with the line's bytes; of a line that is too long its beginning, length and SHA-256."""
    letter: dict[str, Any] = {"line": line.number, "offset": line.offset, "reason": reason}
    if isinstance(line, LongLine):
        letter |= {"length": line.length, "sha256": line.digest}
    kept = line.beginning if isinstance(line, LongLine) else line.content
    return letter | {"bytes_base64": base64.b64encode(kept).decode()}


def first_subject(source: Source) -> str:
    """The table that the first readable line names, so that unreadable lines before it are that table's."""
    if source.subject is not None:
        return source.subject
    for line in read_lines(source):
        if isinstance(line, LongLine):
            continue
        try:
            return decode(line.content).subject
        except Malformed:
            continue
    return ""


def replay_source(source: Source, stem: Path, readings: Mapping[str, str], proofs: bool) -> SourceResult:
    """Replay one source into `stem`'s part files."""
    return _replay(source, stem, readings, proofs, lambda _lines: None)


def _replay(
    source: Source, stem: Path, readings: Mapping[str, str], proofs: bool, advance: Callable[[int], None]
) -> SourceResult:
    replayer = _Replayer(source, stem, readings, proofs)
    try:
        replayer.run(source, advance)
    finally:
        result = replayer.result()
    return result


def worth_starting(sources: list[Source]) -> int:
    """How many processes a replay is worth: one for each core, or one alone where starting them takes longer."""
    size = sum(path.stat().st_size for path in {source.path for source in sources})
    return len(os.sched_getaffinity(0)) if size > SMALL else 1


def replay(
    sources: list[Source],
    out: Path,
    *,
    jobs: int = 1,
    readings: Mapping[str, str] | None = None,
    proofs: bool = True,
    advance: Callable[[int], None] = lambda _lines: None,
) -> Summary:
    """Replay all sources into `out`: rounds, findings, dead letters and the summary.

    The files are the same, byte for byte, whatever `jobs` is. `advance` is told the lines done. Without `proofs`
    no rack is weighed: `rack.proof`, `rack.no_proof` and `rack.money_unique` of every round are null.
    """
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".parts-", dir=out) as parts:
        stems = [Path(parts) / f"{number:08d}" for number in range(len(sources))]
        results = list(_results(sources, stems, jobs, dict(readings or {}), proofs, advance))
        for name in FILES:
            join([stem.with_suffix(f".{name}") for stem in stems], out / f"{name}.ndjson")
    summary = sum_up(results)
    (out / "summary.json").write_bytes(msgspec.json.format(_ENCODE(summary), indent=1) + b"\n")
    return summary


def _results(
    sources: list[Source],
    stems: list[Path],
    jobs: int,
    readings: dict[str, str],
    proofs: bool,
    advance: Callable[[int], None],
) -> Iterator[SourceResult]:
    if jobs <= 1 or len(sources) == 1:
        for source, stem in zip(sources, stems, strict=True):
            yield _replay(source, stem, readings, proofs, advance)
        return
    # Spawned, not forked: the parent may hold threads (progress) and open databases.
    with ProcessPoolExecutor(min(jobs, len(sources)), multiprocessing.get_context("spawn")) as pool:
        chunk = max(1, min(16, len(sources) // (jobs * 4)))
        same = itertools.repeat(readings), itertools.repeat(proofs)
        for result in pool.map(replay_source, sources, stems, *same, chunksize=chunk):
            advance(sum(file.records for file in result.files))
            yield result


def sum_up(results: list[SourceResult]) -> Summary:
    """Join the results of all sources."""
    files = [file for result in results for file in result.files]
    return Summary(
        files=files,
        records=sum(file.records for file in files),
        rounds=sum(file.rounds for file in files),
        findings=sum(file.findings for file in files),
        deadletters=sum(file.deadletters for file in files),
        by_verdict=_added(result.by_verdict for result in results),
        by_cite=_added(result.by_cite for result in results),
        by_check=_added(result.by_check for result in results),
    )


def _added(counts: Iterator[dict[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return dict(sorted(total.items()))
