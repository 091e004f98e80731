"""What `catwalk explain` tells: everything on file about a check, a provision or a finding, as plain data."""

from __future__ import annotations

import inspect
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from deploy.audit.duties import duty_of, sentence_of
from deploy.errors import UserError
from processors.detectors.family import FAMILIES, LEVEL, Family
from processors.detectors.suspicion import check_of
from processors.games.readings import READINGS
from processors.law import duties as _registered  # noqa: F401 - importing registers every check
from processors.law.cases import CaseFile, CaseRun, ends_of, read_cases, runs_of
from processors.law.check import REGISTRY, Check
from processors.law.citations import CITATIONS, FILE, ROLES, LawRole
from processors.law.coverage import DECLARATIONS, Declaration, coverage, read_declarations
from producers.feeds.lines import LongLine
from producers.feeds.streams import find_streams, read_lines, stream_name
from schemas.amounts import amount
from schemas.check_names import current
from schemas.integrity import INTEGRITY
from schemas.payload import short_name
from schemas.provisions import PROVISIONS
from schemas.rulesets import RULESETS

_FINDING = re.compile(r"[0-9a-f]{6,32}")
_READING = re.compile(r"\bA(\d+)(?:-A(\d+))?\b")
_ROW = re.compile(r"\| (A\d+) \| (.+?) \| (.+?) \|$", re.M)
_SPOKEN_OF = {name: (law.chapter, law.title.partition(" Blackjack")[0]) for name, law in RULESETS.items()}
_SCOPE = {"round": "the round under way", "shoe": "the shoe", "day": "the gaming day"}
Told = dict[str, Any]


def explain(name: str, results: Path, streams: Sequence[Path]) -> Told:
    """What there is to tell of a check, a role, a provision or a finding; `results` is a folder of `catwalk replay`.

    A family of detectors is known by its bare name, too: `pace` is `pattern.pace`.

    Raises:
        UserError: nothing has that name, or its files cannot be read.
    """
    name = current(name)
    if name.split(".")[0] in FAMILIES:
        name = f"pattern.{name}"
    if name in REGISTRY:
        return of_check(REGISTRY[name])
    if name in INTEGRITY:
        return {"kind": "check", "check": name, "doc": INTEGRITY[name], "decides": {"every ruleset": [name]}}
    if name.startswith("pattern.") and name.split(".")[1] in FAMILIES:
        return of_family(FAMILIES[name.split(".")[1]], name)
    if name in PROVISIONS:
        return of_provision(name)
    parts = [clause for clause in PROVISIONS if clause.partition("#")[0] == name]
    if parts:
        return {"kind": "clause", "clause": name, "provisions": [of_provision(part) for part in parts]}
    if name in CITATIONS:
        return of_role(CITATIONS[name])
    if name in readings():
        return {"kind": "reading", "readings": {name: readings()[name]}, "checks": resting_on(name)}
    if _FINDING.fullmatch(name):
        return of_finding(name, results, streams)
    raise UserError(f"explain {name}", "no check, role, provision or finding is called so", _meant(name))


def _meant(name: str) -> str:
    patterns = [f"pattern.{family}" for family in FAMILIES]
    known = [*REGISTRY, *CITATIONS, *INTEGRITY, *patterns, *PROVISIONS]
    near = get_close_matches(name, known, 3, 0.6) or [one for one in known if name and name in one][:3]
    return f"did you mean {' or '.join(near)}?" if near else "see `catwalk coverage` for all of them"


def of_check(entry: Check) -> Told:
    """A check: what it holds tables to, the clauses it decides, what it reads, and its cases."""
    runs = [run for run in all_runs() if run.check == entry.id]
    severities = Counter(PROVISIONS[one].severity for ids in entry.provisions.values() for one in ids)
    return {
        "kind": "check",
        "check": entry.id,
        "doc": " ".join(inspect.cleandoc(entry.doc).split()),
        "decides": {ruleset: list(ids) for ruleset, ids in sorted(entry.provisions.items())},
        "severities": dict(severities),
        "reads": [short_name(payload) for payload in entry.reads],
        "looks_back_over": _SCOPE[entry.scope],
        "readings": readings_of(entry),
        "cases": cases_of(runs),
    }


def of_family(family: Family, name: str) -> Told:
    """A family of detectors: its null, what it measures, its bound, its blind spots, what else may explain an alarm."""
    return {
        "kind": "pattern",
        "check": name,
        "doc": sentence_of(family),
        "checks": [check_of(family, variant) for variant in family.variants],
        "about": list(family.about),
        "null": family.null,
        "statistic": family.statistic,
        "level": LEVEL,
        "bound": family.bound,
        "innocent": list(family.innocent),
        "blind": list(family.blind),
        "cost": family.cost,
    }


def of_role(role: LawRole) -> Told:
    """A role of the citations: its duty, the provisions that give it in each ruleset, and the checks that decide it."""
    return {
        "kind": "role",
        "role": role.name,
        "duty": role.duty,
        "cites": {ruleset: list(ids) for ruleset, ids in role.cites.items()},
        "row": f"{FILE}:{role.row}",
        "checks": _sentences(entry for entry in REGISTRY.values() if role.name in entry.decides),
    }


def of_provision(clause: str) -> Told:
    """A provision: its duty in our words, what decides it, the readings it rests on, and the cases that cite it."""
    provision = PROVISIONS[clause]
    row = next(row for row in coverage_rows() if row.provision_id == clause)
    entries = [REGISTRY[check] for check in row.by if check in REGISTRY]
    runs = [run for run in all_runs() if run.ruleset == provision.ruleset and clause in run.cites]
    rival = {run.case.reading for run in runs if run.case.reading}
    return {
        "kind": "provision",
        "provision": clause,
        "role": ROLES[clause],
        "ruleset": provision.ruleset,
        "duty": provision.duty,
        "of": provision.actor,
        "violation": provision.violation,
        "severity": provision.severity,
        "status": row.status,
        "reason": row.reason,
        "sensor": row.sensor,
        "checks": _sentences(entries),
        "readings": readings_about(clause, entries if row.status != "definition" else (), rival),
        "cases": cases_of(runs),
    }


@cache
def coverage_rows() -> tuple[Any, ...]:
    """The rows of `catwalk coverage`."""
    return tuple(coverage(REGISTRY, declarations()))


def declarations() -> dict[str, Declaration]:
    """What the package declares of provisions that no check decides."""
    folder = resources.files("processors.law")
    return read_declarations({name: folder.joinpath(name).read_text("utf-8") for name in DECLARATIONS})


@cache
def all_runs() -> tuple[CaseRun, ...]:
    """Every case of the package under every ruleset, with every end."""
    subjects = sorted(resources.files("processors.law.duties").iterdir(), key=lambda subject: subject.name)
    files: list[CaseFile] = [
        read_cases(file.name, file.read_text("utf-8"))
        for subject in subjects
        if (cases := subject.joinpath("cases")).is_dir()
        for file in sorted(cases.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".toml")
    ]
    return tuple(run for file in files for run in runs_of(file, REGISTRY))


def cases_of(runs: Iterable[CaseRun]) -> list[Told]:
    """Cases as they are shown: what is given, and the steps that lead to each verdict, with the rulesets played."""
    shown: dict[tuple[str, tuple[str, ...]], Told] = {}
    for run in runs:
        ends = ends_of(run.case)
        given = run.steps[: len(run.steps) - len(ends[run.verdict])]
        name = run.case.name
        told = shown.setdefault((name, given), {"case": name, "given": list(given), "ends": {}})
        if run.table:
            told["table"] = run.table
        told["ends"][run.verdict] = list(ends[run.verdict])
        rulesets = told.setdefault("rulesets", [])
        if run.ruleset not in rulesets:
            rulesets.append(run.ruleset)
    return list(shown.values())


@cache
def readings() -> dict[str, Told]:
    """Every reading by its id: the question and how it is read, as the documentation of this clone has it."""
    path = Path(__file__).resolve().parents[2] / "docs" / "readings.md"
    text = path.read_text("utf-8").partition("## All readings")[2] if path.is_file() else ""
    found: dict[str, Told] = {row[1]: {"question": row[2], "read": row[3]} for row in _ROW.finditer(text)}
    for reading in READINGS.values():
        told = found.setdefault(reading.id, {"question": reading.about, "read": reading.default})
        told["policies"] = [reading.default, *reading.rivals]
        told["departing"] = reading.departing
    return found


def readings_of(entry: Check) -> dict[str, Told]:
    """Readings that a check, or the file of checks it stands in, says it rests on."""
    module = inspect.getmodule(entry.function)
    named = {*entry.readings, *_readings_in(f"{entry.doc} {(module.__doc__ or '') if module else ''}")}
    return {place: told for place, told in readings().items() if place in named}


def resting_on(place: str) -> dict[str, str]:
    """Checks that say, themselves or by their file, that they rest on a reading."""
    return _sentences(entry for entry in REGISTRY.values() if place in readings_of(entry))


def _sentences(entries: Iterable[Check]) -> dict[str, str]:
    """The checks' ids, each with the first line on what it holds tables to."""
    return {entry.id: entry.doc.partition("\n")[0] for entry in entries}


def readings_about(clause: str, entries: Iterable[Check], rival: Iterable[str]) -> dict[str, Told]:
    """Readings that speak of a clause, that its cases turn on, or that a check of it names and its chapter knows."""
    speaks = _speaks_of(clause)
    named = {place for entry in entries for place in (*entry.readings, *_readings_in(entry.doc))}
    found = {}
    turned_on = set(rival)
    for place, told in readings().items():
        text = f"{told['question']} {told['read']}"
        concerns = place in named and _may_concern(text, PROVISIONS[clause].ruleset)
        if concerns or place in turned_on or speaks.search(text):
            found[place] = told
    return found


def _may_concern(text: str, ruleset: str) -> bool:
    """Whether a text speaks of no chapter, or of this ruleset's among others."""
    spoken = [name for name, words in _SPOKEN_OF.items() if any(word in text for word in words)]
    return not spoken or ruleset in spoken


def _readings_in(text: str) -> Iterator[str]:
    for found in _READING.finditer(text):
        for number in range(int(found[1]), int(found[2] or found[1]) + 1):
            yield f"A{number}"


def _speaks_of(clause: str) -> re.Pattern[str]:
    """The clause by its full name, or without the chapter where all chapters are meant."""
    section = clause.partition("#")[0]
    bare = section.partition(".")[2]
    return re.compile(rf"(?<![\w.]){re.escape(section)}(?![\w(])|(?<![\w.]){re.escape(bare)}(?![\w(])")


def of_finding(name: str, results: Path, streams: Sequence[Path]) -> Told:
    """A finding: what it says, the clauses it cites, and the events it rests on where the stream is found."""
    finding = _find(name, results)
    cites = {
        clause: {"duty": PROVISIONS[clause].duty, "severity": PROVISIONS[clause].severity}
        if clause in PROVISIONS
        else {"duty": INTEGRITY.get(clause, ""), "severity": finding["severity"]}
        for clause in finding["cites"]
    }
    told: Told = {"kind": "finding", **finding, "cites": cites}
    told["doc"] = duty_of(finding["check"])
    if "reading" in finding:
        told["reading"] = {finding["reading"]: readings().get(finding["reading"], {})}
    stream = _stream_of(finding, results, streams)
    told["file"] = _file_of(finding)
    told["stream"] = str(stream) if stream is not None else None
    told["evidence"] = _evidence(stream, set(finding["sequences"])) if stream is not None else []
    return told


def _find(name: str, results: Path) -> Told:
    path = results / "findings.ndjson"
    if not path.is_file():
        remedy = "run `catwalk replay ... --out DIR` and name that folder with --in DIR"
        raise UserError(f"finding {name}", f"there is no {path}", remedy)
    found: dict[str, Told] = {}
    with path.open("rb") as file:
        for line in file:
            if name.encode() in line:
                finding = json.loads(line)
                if finding["finding_id"].startswith(name):
                    found[finding["finding_id"]] = finding
    if not found:
        why = f"{path} has none whose id begins so"
        raise UserError(f"finding {name}", why, "name another folder with --in")
    if len(found) > 1:
        more = ", ".join(sorted(found)[:3])
        raise UserError(f"finding {name}", f"{amount(len(found), 'id')} begin so: {more}", "write more of it")
    return next(iter(found.values()))


def _stream_of(finding: Told, results: Path, streams: Sequence[Path]) -> Path | None:
    """The stream a finding came from: among those named, else beside the results, here, or in `examples`."""
    near = [folder / f"{_file_of(finding)}{end}" for folder in (results, results.parent, Path(), Path("examples"))
            for end in (".ndjson", ".ndjson.gz")]  # fmt: skip
    candidates = find_streams(streams) if streams else [path for path in near if path.is_file()]
    return next((path for path in candidates if stream_name(path) == _file_of(finding)), None)


def _file_of(finding: Told) -> str:
    return str(finding.get("file", finding["subject"]))


def _evidence(stream: Path, wanted: set[int]) -> list[Told]:
    found: list[Told] = []
    for line in read_lines(stream):
        if isinstance(line, LongLine):
            continue
        try:
            event = msgspec.json.decode(line.content)
        except msgspec.DecodeError:
            continue
        if isinstance(event, dict) and event.get("sequence") in wanted:
            found.append({key: event.get(key) for key in ("sequence", "time", "source", "type", "data")})
    return found
