"""Plays a run through the real pipeline and keeps what its check said, upheld judgments included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

import processors.pipeline  # importing it registers every check
from processors.law.cases import BadCase, CaseRun, read_cases, runs_of
from processors.law.check import REGISTRY, Check, Judgment, Moment, Upheld
from processors.law.judge.judge import each
from schemas.events.envelope import PAYLOADS
from schemas.findings import Finding
from tests.architecture.tracked import ROOT
from tests.law.felt import Felt
from tests.law.record import SUBJECT
from tests.law.script import play

FILES = sorted((ROOT / "processors" / "law" / "duties").glob("*/cases/*.toml"))
GAP_CHECKS = ("integrity.gap",)


class Heard(msgspec.Struct):
    """What one run brought about: the check's judgments at each event, and all findings of the pipeline."""

    felt: Felt
    read: int
    judgments: list[tuple[int, Judgment]]
    findings: list[Finding]

    def of(self, check: str) -> list[Finding]:
        """Findings of one check."""
        return [finding for finding in self.findings if finding.check == check]

    def upheld(self) -> list[Judgment]:
        """Judgments that the duty was met."""
        return [judgment for _, judgment in self.judgments if isinstance(judgment, Upheld)]


@cache
def runs_in(path: Path) -> tuple[CaseRun, ...]:
    """Every run of one case file.

    Raises:
        BadCase: the file says something it cannot mean.
    """
    return tuple(runs_of(read_cases(path.name, path.read_text("utf-8")), REGISTRY))


@cache
def all_runs() -> tuple[CaseRun, ...]:
    """Every run of every case file that can be read; those that cannot are told by a test of their own."""
    found: list[CaseRun] = []
    for path in FILES:
        with suppress(BadCase):
            found += runs_in(path)
    return tuple(found)


def named(run: CaseRun) -> str:
    """A run as the test report calls it."""
    return f"{run.check}/{run.ruleset}/{run.verdict}: {run.case.name}"


def listen(run: CaseRun) -> Heard:
    """Play a run's script through a fresh pipeline whose only checks are its own, an ear at it, and those beside it."""
    felt = play(run.steps, run.ruleset, run.table, run.players, run.day)
    entry = REGISTRY[run.check]
    judgments: list[tuple[int, Judgment]] = []

    pipeline = processors.pipeline.TablePipeline(SUBJECT, proofs=False, detect=False)

    def ear(moment: Moment, data: Any) -> list[Judgment]:
        said = list(each(entry.function(moment, data)))
        if moment.table is pipeline.table:  # and no copy on which a round is heard in another reading
            judgments.extend((moment.sequence, judgment) for judgment in said)
        return said

    heard = msgspec.structs.replace(entry, function=ear)
    with only({check.id: heard if check is entry else check for check in _at_work(run)}):
        findings = _all_of(pipeline, felt.lines)
    return Heard(felt, _events_read(felt, entry), judgments, findings)


def _at_work(run: CaseRun) -> list[Check]:
    """The checks a run is played before, in order of registration."""
    case = run.case
    patterns = ("*",) if case.lawful else (run.check, case.because_of, *case.beside)
    return [entry for entry in REGISTRY.values() if any(fnmatchcase(entry.id, one) for one in patterns)]


@contextmanager
def only(checks: Mapping[str, Check]) -> Iterator[None]:
    """These checks and no others are registered while the block runs."""
    whole = dict(REGISTRY)
    REGISTRY.clear()
    REGISTRY.update(checks)
    try:
        yield
    finally:
        REGISTRY.clear()
        REGISTRY.update(whole)


def advance(lines: list[bytes]) -> list[Finding]:
    """Every finding of a whole record."""
    return _all_of(processors.pipeline.TablePipeline(SUBJECT, proofs=False, detect=False), lines)


def _all_of(pipeline: processors.pipeline.TablePipeline, lines: list[bytes]) -> list[Finding]:
    found: list[Finding] = []
    for line in lines:
        found += pipeline.advance(line).findings
    return [*found, *pipeline.finish().findings]


def broken_down(findings: Iterable[Finding]) -> list[tuple[str, object]]:
    """The checks that failed by a defect of their own, with what was raised: the pipeline goes on without them."""
    return [(one.check, one.missing) for one in findings if "a defect of the " in one.message]


def _events_read(felt: Felt, entry: Check) -> int:
    return sum(PAYLOADS[kind] in entry.reads for kind in felt.kinds)


def lacks(check: str, runs: Sequence[CaseRun]) -> list[str]:
    """What the cases of a check still lack: verdicts under its rulesets, breaches that cite what it claims.

    A clause may be shown by another check that claims it too.
    """
    entry = REGISTRY[check]
    seen = {(run.ruleset, run.verdict) for run in runs if run.check == check}
    found = [
        f"no {verdict} case under {ruleset}"
        for ruleset in entry.provisions
        for verdict in ("upheld", "breached")
        if (ruleset, verdict) not in seen
    ]
    if "indeterminate" not in {verdict for _, verdict in seen}:
        found.append("no indeterminate case")
    shown = {clause for run in runs if run.verdict in ("breached", "interpretation") for clause in run.cites}
    claimed = {clause for ids in entry.provisions.values() for clause in ids}
    return [*found, *(f"no breached case cites {clause}" for clause in sorted(claimed - shown))]


def complaints(run: CaseRun, heard: Heard) -> list[str]:
    """Everything in which the run's outcome is not what the case says, in words."""
    case, own = run.case, heard.of(run.check)
    found = [f"{f.check}: {f.message}" for f in heard.findings if _unsound(run, heard, f)]
    found += [f"{check}: {raised}" for check, raised in broken_down(heard.findings)]
    if case.lawful and heard.findings:
        found += [f"not lawful: {f.check}: {f.message}" for f in heard.findings]
    if not heard.read and run.ruleset in REGISTRY[run.check].provisions:
        found.append("the script holds no event the check reads")
    if run.verdict in ("upheld", "not_applicable"):
        found += [f"{f.verdict}: {f.message}" for f in own]
        if (run.verdict == "upheld") != bool(heard.upheld()):
            found.append(f"{len(heard.upheld())} judgments were upheld")
        return found
    if len(own) != case.findings:
        found.append(
            f"{len(own)} findings of {run.check} instead of {case.findings}: {[f.message for f in own]}"
        )
    for finding in own:
        found += _differences(run, finding)
        causes = [cause.check for cause in heard.findings if cause.finding_id == finding.because_of]
        if causes != [case.because_of][: bool(case.because_of)]:
            found.append(f"it follows from {causes}, not from {case.because_of!r}")
    return found


def _unsound(run: CaseRun, heard: Heard, finding: Finding) -> bool:
    """Whether the record itself is amiss in a way the case did not announce."""
    if not finding.check.startswith("integrity.") or finding.check in (*run.case.also, run.check):
        return False
    return not (heard.felt.gaps and finding.check in GAP_CHECKS)


def _differences(run: CaseRun, finding: Finding) -> list[str]:
    case = run.case
    said: dict[str, tuple[Any, Any]] = {"verdict": (run.verdict, finding.verdict)}
    if run.verdict != "indeterminate":
        wanted = {"money_cents": case.money_cents, "reading": case.reading, "severity": case.severity}
        said |= {name: (want, getattr(finding, name)) for name, want in wanted.items() if want is not None}
    for name in ("seat", "hand"):
        if getattr(case, name) is not None:
            said[name] = (getattr(case, name), getattr(finding, name))
    for name in ("expected", "observed"):
        wanted_part = getattr(case, name)
        if wanted_part is not None:
            said[name] = (wanted_part, _part_of(wanted_part, getattr(finding, name)))
    found = [f"{name} is {saw!r} instead of {want!r}" for name, (want, saw) in said.items() if want != saw]
    found += [
        f"it does not cite {clause} but {finding.cites}"
        for clause in run.cites
        if clause not in finding.cites
    ]
    if case.message is not None and case.message != finding.message:
        found.append(f"the message is {finding.message!r} instead of {case.message!r}")
    if case.says and case.says not in finding.message:
        found.append(f"the message does not say {case.says!r} but {finding.message!r}")
    return found


def _part_of(wanted: Any, seen: Any) -> Any:
    """What was seen as a file would have it, of a table only the keys that are wanted."""
    seen = msgspec.json.decode(msgspec.json.encode(seen))
    if isinstance(wanted, dict) and isinstance(seen, dict):
        return {key: value for key, value in seen.items() if key in wanted}
    return seen
