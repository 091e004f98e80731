"""Replay: each source through its own pipelines, in as many processes as asked; the same bytes out either way."""

from __future__ import annotations

import base64
import itertools
import multiprocessing
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from deploy.replay.sources import Source, read_lines
from deploy.replay.spool import Spool, join
from processors.core.state import Chain
from processors.pipeline import Outcome, TablePipeline
from producers.feeds.lines import AnyLine, LongLine
from schemas.codec import Malformed, decode
from schemas.rounds import RoundResult

SMALL = 8_000_000  # bytes that one process replays about as fast as another one starts
FILES = ("rounds", "findings", "deadletters")
ENCODE = msgspec.json.Encoder().encode


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

    files: list[FileSummary] = []
    by_verdict: Counter[str] = field(default_factory=Counter)
    by_cite: Counter[str] = field(default_factory=Counter)
    by_check: Counter[str] = field(default_factory=Counter)
    unsaid: Counter[str] = field(default_factory=Counter)  # words missing, cards inferred, rounds with either


class Unsaid(Struct, kw_only=True):
    """What devices did not say: words that never came, cards inferred without them, and the rounds of both."""

    words_missing: int
    cards_inferred: int
    rounds: int


class Summary(Struct, kw_only=True):
    """The whole replay, as `summary.json` holds it; `unsaid` is absent where no word of a device is missing."""

    files: list[FileSummary]
    records: int
    rounds: int
    findings: int
    deadletters: int
    by_verdict: dict[str, int]
    by_cite: dict[str, int]
    by_check: dict[str, int]
    unsaid: Unsaid | UnsetType = UNSET


class Parts:
    """Results of one source on their way into part files, and counted."""

    def __init__(self, name: str, stem: Path) -> None:
        """Begin part files at `stem`; `name` is what the results call the source."""
        self.result = SourceResult()
        self._name = name
        self._prefix = b'{"file":' + ENCODE(name) + b","
        self._spools = {file: Spool(stem.with_suffix(f".{file}")) for file in FILES}
        self._counts: Counter[tuple[str, str]] = Counter()

    def write(self, file: str, subject: str, sequence: int, record: bytes) -> None:
        """Add to one of `FILES` a table's record, a JSON object; the files are ordered by `sequence`."""
        self._counts[subject, file] += 1
        self._spools[file].write(sequence, self._prefix + record[1:])

    def count(self, verdict: str, check: str, cites: Iterable[str]) -> None:
        """Count a finding."""
        self.result.by_verdict[verdict] += 1
        self.result.by_check[check] += 1
        self.result.by_cite.update(cites)

    def count_unsaid(self, result: RoundResult) -> None:
        """Count what devices did not say of a round."""
        missing, inferred = result.words_missing or (), result.inferred or ()
        if missing or inferred:
            self.result.unsaid.update(words_missing=len(missing), cards_inferred=len(inferred), rounds=1)

    def end(self, subject: str, chain: Chain, records: int) -> None:
        """Sum up a table: what was written of it, and how its chain is."""
        summary = FileSummary(
            file=self._name,
            subject=subject,
            records=records,
            rounds=self._counts[subject, "rounds"],
            findings=self._counts[subject, "findings"],
            deadletters=self._counts[subject, "deadletters"],
            chain="broken" if chain.broken else "intact",
            head=chain.head,
            first_bad_sequence=chain.first_bad,
        )
        self.result.files.append(summary)

    def close(self) -> None:
        """Write the part files out."""
        for spool in self._spools.values():
            spool.close()


class _Replayer:
    """One source on its way through the pipelines of its tables."""

    def __init__(self, source: Source, parts: Parts, readings: Mapping[str, str], proofs: bool) -> None:
        self._source, self._parts = source, parts
        self._readings, self._proofs = readings, proofs
        self._pipelines: dict[str, TablePipeline] = {}

    def _pipeline(self, subject: str) -> TablePipeline:
        """The pipeline of a table, begun when the table is first met."""
        found = self._pipelines.get(subject)
        if found is None:
            found = self._pipelines[subject] = TablePipeline(subject, self._readings, proofs=self._proofs)
        return found

    def run(self, advance: Callable[[int], None]) -> None:
        """Take every line of the source."""
        current = self._pipeline(first_subject(self._source))
        done = 0
        for line in read_lines(self._source):
            if isinstance(line, LongLine):
                outcome = current.refuse_unread(line.digest, line.reason)
            else:
                outcome = current.advance(line.content)
                if outcome.foreign is not None:
                    current = self._pipeline(outcome.foreign)
                    outcome = current.advance(line.content)
            if outcome.rounds or outcome.findings or outcome.dead:
                self._keep(current, outcome, line)
            done += 1
            if done & 0x3FF == 0:
                advance(1024)
        advance(done & 0x3FF)
        for subject, pipeline in self._pipelines.items():
            self._keep(pipeline, pipeline.finish(), None)
            self._parts.end(subject, pipeline.table.chain, pipeline.table.chain.records)

    def _keep(self, pipeline: TablePipeline, outcome: Outcome, line: AnyLine | None) -> None:
        parts, subject = self._parts, pipeline.table.subject
        for result in outcome.rounds:
            parts.count_unsaid(result)
            parts.write("rounds", subject, result.last_sequence, ENCODE(result))
        for finding in outcome.findings:
            parts.count(finding.verdict, finding.check, finding.cites)
            parts.write("findings", subject, finding.sequence, ENCODE(finding))
        if outcome.dead is not None and line is not None:
            letter = _letter(line, outcome.dead.reason)
            parts.write("deadletters", subject, line.number, ENCODE(letter))


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


def replay_source(
    source: Source,
    stem: Path,
    readings: Mapping[str, str],
    proofs: bool,
    advance: Callable[[int], None] = lambda _lines: None,
) -> SourceResult:
    """Replay one source into `stem`'s part files."""
    with closing(Parts(source.name, stem)) as parts:
        _Replayer(source, parts, readings, proofs).run(advance)
    return parts.result


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

    def made(folder: Path) -> list[tuple[Path, SourceResult]]:
        stems = [folder / f"{number:08d}" for number in range(len(sources))]
        results = _results(sources, stems, jobs, dict(readings or {}), proofs, advance)
        return list(zip(stems, results, strict=True))

    return write_results(out, made)


def write_results(out: Path, made: Callable[[Path], list[tuple[Path, SourceResult]]]) -> Summary:
    """Let `made` write part files into a folder within `out`, join them there, and write the summary beside them."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".parts-", dir=out) as folder:
        done = made(Path(folder))
        for name in FILES:
            join([stem.with_suffix(f".{name}") for stem, _ in done], out / f"{name}.ndjson")
    summary = _sum_up([result for _, result in done])
    (out / "summary.json").write_bytes(msgspec.json.format(ENCODE(summary), indent=1) + b"\n")
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
            yield replay_source(source, stem, readings, proofs, advance)
        return
    # Spawned, not forked: the parent may hold threads (progress) and open databases.
    with ProcessPoolExecutor(min(jobs, len(sources)), multiprocessing.get_context("spawn")) as pool:
        chunk = max(1, min(16, len(sources) // (jobs * 4)))
        same = itertools.repeat(readings), itertools.repeat(proofs)
        for result in pool.map(replay_source, sources, stems, *same, chunksize=chunk):
            advance(sum(file.records for file in result.files))
            yield result


def _sum_up(results: list[SourceResult]) -> Summary:
    files = [file for result in results for file in result.files]
    unsaid = _added(result.unsaid for result in results)
    return Summary(
        files=files,
        records=sum(file.records for file in files),
        rounds=sum(file.rounds for file in files),
        findings=sum(file.findings for file in files),
        deadletters=sum(file.deadletters for file in files),
        by_verdict=_added(result.by_verdict for result in results),
        by_cite=_added(result.by_cite for result in results),
        by_check=_added(result.by_check for result in results),
        unsaid=Unsaid(**unsaid) if unsaid else UNSET,
    )


def _added(counts: Iterator[Counter[str]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return dict(sorted(total.items()))
