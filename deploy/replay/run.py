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

from deploy.replay.collecting import rarely_collected
from deploy.replay.observed import Observed, path_of, weigh
from deploy.replay.sources import StreamSource, read_lines
from deploy.replay.spool import Spool, insert, join
from processors.core.state import Chain
from processors.detectors.shapes import CheckedStanding
from processors.detectors.stages.entity_stage import EntityStage
from processors.pipeline import NOTHING, Outcome, TablePipeline
from producers.feeds.lines import AnyLine, LongLine
from schemas.events.codec import Malformed, decode
from schemas.findings import Finding
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
    """What one source came to: its tables, its findings counted, and how many files of observations it left.

    `standings` is the evidence about its tables, if that was asked for.
    """

    files: list[FileSummary] = []
    observed: int = 0
    standings: list[CheckedStanding] = []
    by_verdict: Counter[str] = field(default_factory=Counter)
    by_cite: Counter[str] = field(default_factory=Counter)
    by_check: Counter[str] = field(default_factory=Counter)
    unsaid: Counter[str] = field(default_factory=Counter)  # words missing, cards inferred, rounds with either


class Unsaid(Struct, kw_only=True):
    """What devices did not say: words that never came, cards inferred without them, and the rounds of both."""

    words_missing: int
    cards_inferred: int
    rounds: int


class ReplaySummary(Struct, kw_only=True):
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


def prefix_of(name: str) -> bytes:
    """What each line of the results of a source begins with."""
    return b'{"file":' + ENCODE(name) + b","


class Parts:
    """Results of one source on their way into part files, and counted."""

    def __init__(self, name: str, stem: Path) -> None:
        """Begin part files at `stem`; `name` is what the results call the source."""
        self.result = SourceResult()
        self._name = name
        self._prefix = prefix_of(name)
        self._spools = {file: Spool(stem.with_suffix(f".{file}")) for file in FILES}
        self._counts: Counter[tuple[str, str]] = Counter()

    def write(self, file: str, subject: str, sequence: int, record: bytes) -> None:
        """Add to one of `FILES` a table's record, a JSON object; the files are ordered by `sequence`."""
        self._counts[subject, file] += 1
        self._spools[file].write(sequence, self._prefix + record[1:])

    def count(self, verdict: str, check: str, cites: Iterable[str]) -> None:
        """Count a finding."""
        _count(self.result, verdict, check, cites)

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


def _count(result: SourceResult, verdict: str, check: str, cites: Iterable[str]) -> None:
    result.by_verdict[verdict] += 1
    result.by_check[check] += 1
    result.by_cite.update(cites)


class Asked(Struct, frozen=True, kw_only=True):
    """How streams are replayed: the readings chosen, whether racks are weighed, and whether patterns are looked for.

    With `standings` the evidence about each table is told too, also where it is no alarm.
    """

    readings: Mapping[str, str] = {}
    proofs: bool = True
    patterns: bool = True
    standings: bool = False


class _Replayer:
    """One source on its way through the pipelines of its tables."""

    def __init__(self, source: StreamSource, parts: Parts, observed: Observed, asked: Asked) -> None:
        self._source, self._parts, self._observed = source, parts, observed
        self._asked = asked
        self._pipelines: dict[str, TablePipeline] = {}

    def _pipeline(self, subject: str) -> TablePipeline:
        """The pipeline of a table, begun when the table is first met."""
        found = self._pipelines.get(subject)
        if found is None:
            asked = self._asked
            found = self._pipelines[subject] = TablePipeline(
                subject, asked.readings, proofs=asked.proofs, detect=asked.patterns
            )
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
            if outcome is not NOTHING:
                self._keep(current, outcome, line)
            done += 1
            if done & 0x3FF == 0:
                advance(1024)
        advance(done & 0x3FF)
        for subject, pipeline in self._pipelines.items():
            self._keep(pipeline, pipeline.finish(), None)
            self._parts.end(subject, pipeline.table.chain, pipeline.table.chain.records)
            if self._asked.standings and pipeline.detectors is not None:
                self._parts.result.standings += pipeline.detectors.standings(subject)

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
        if outcome.observations:
            self._observed.write(subject, outcome.observations)


def _letter(line: AnyLine, reason: str) -> dict[str, Any]:
    """A dead letter with the line's bytes; of a line that is too long its beginning, length and SHA-256."""
    letter: dict[str, Any] = {"line": line.number, "offset": line.offset, "reason": reason}
    if isinstance(line, LongLine):
        letter |= {"length": line.length, "sha256": line.digest}
    kept = line.beginning if isinstance(line, LongLine) else line.content
    return letter | {"bytes_base64": base64.b64encode(kept).decode()}


def first_subject(source: StreamSource) -> str:
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
    source: StreamSource,
    stem: Path,
    asked: Asked,
    advance: Callable[[int], None] = lambda _lines: None,
) -> SourceResult:
    """Replay one source into `stem`'s part files."""
    observed = Observed(stem)
    with closing(Parts(source.name, stem)) as parts, rarely_collected():
        _Replayer(source, parts, observed, asked).run(advance)
    parts.result.observed = observed.close()
    return parts.result


def worth_starting(sources: list[StreamSource]) -> int:
    """How many processes a replay is worth: one for each core, or one alone where starting them takes longer."""
    size = sum(path.stat().st_size for path in {source.path for source in sources})
    return len(os.sched_getaffinity(0)) if size > SMALL else 1


def replay(
    sources: list[StreamSource],
    out: Path,
    *,
    jobs: int = 1,
    readings: Mapping[str, str] | None = None,
    proofs: bool = True,
    patterns: bool = True,
    standings: list[CheckedStanding] | None = None,
    advance: Callable[[int], None] = lambda _lines: None,
) -> ReplaySummary:
    """Replay all sources into `out`: rounds, findings, dead letters and the summary.

    The files are the same, byte for byte, whatever `jobs` is. `advance` is told the lines done. Without `proofs`
    no rack is weighed: `rack.proof`, `rack.no_proof` and `rack.money_unique` of every round are null. Without
    `patterns` no detector is asked. `standings` is given the evidence about everybody and everything.
    """
    asked = Asked(
        readings=dict(readings or {}), proofs=proofs, patterns=patterns, standings=standings is not None
    )

    def made(folder: Path) -> list[tuple[Path, SourceResult]]:
        stems = [folder / f"{number:08d}" for number in range(len(sources))]
        done = list(zip(stems, _results(sources, stems, jobs, asked, advance), strict=True))
        stage = EntityStage()
        with rarely_collected():
            _weigh(sources, done, stage)
        if standings is not None:
            standings.extend(one for _, result in done for one in result.standings)
            standings.extend(stage.standings())
        return done

    return write_results(out, made)


def _weigh(sources: list[StreamSource], done: list[tuple[Path, SourceResult]], stage: EntityStage) -> None:
    """Weigh what all tables said of people, and put the suspicions among the findings of the files where they rose."""
    files = [
        (number, path_of(stem, nth))
        for number, (stem, result) in enumerate(done)
        for nth in range(result.observed)
    ]
    for number, suspicions in weigh(stage, files).items():
        stem, result = done[number]
        prefix = prefix_of(sources[number].name)
        lines = [(one.sequence, prefix + ENCODE(one)[1:]) for one in suspicions]
        insert(stem.with_suffix(".findings"), lines)
        for one in suspicions:
            _count(result, one.verdict, one.check, one.cites)
            _count_at_table(result, one)


def _count_at_table(result: SourceResult, finding: Finding) -> None:
    for file in result.files:
        if file.subject == finding.subject:
            file.findings += 1


def write_results(out: Path, made: Callable[[Path], list[tuple[Path, SourceResult]]]) -> ReplaySummary:
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
    sources: list[StreamSource],
    stems: list[Path],
    jobs: int,
    asked: Asked,
    advance: Callable[[int], None],
) -> Iterator[SourceResult]:
    if jobs <= 1 or len(sources) == 1:
        for source, stem in zip(sources, stems, strict=True):
            yield replay_source(source, stem, asked, advance)
        return
    # Spawned, not forked: the parent may hold threads (progress) and open databases.
    with ProcessPoolExecutor(min(jobs, len(sources)), multiprocessing.get_context("spawn")) as pool:
        chunk = max(1, min(16, len(sources) // (jobs * 4)))
        same = itertools.repeat(asked)
        for result in pool.map(replay_source, sources, stems, same, chunksize=chunk):
            advance(sum(file.records for file in result.files))
            yield result


def _sum_up(results: list[SourceResult]) -> ReplaySummary:
    files = [file for result in results for file in result.files]
    unsaid = _added(result.unsaid for result in results)
    return ReplaySummary(
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
