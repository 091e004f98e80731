"""Cases as data: short scripts of a round, each with the verdict a check must come to.

The files in `cases` of each folder of duties are read by the tests, which play every case through the pipeline, and by
`catwalk explain`, which shows them. What a step of a script does is told in `tests/law/README.md`.
"""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Mapping
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from processors.law.check import Check
from processors.law.citations import cite
from schemas.findings import Severity
from schemas.values import Ruleset

Verdict = Literal["upheld", "breached", "indeterminate", "interpretation", "not_applicable"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


class Case(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One case as it is written: what happens, and the verdict of each way it may end.

    Either `expect` names the verdict of `given`, or each verdict's own key holds the steps that follow `given`.
    """

    name: str
    given: tuple[str, ...] = ()
    expect: Verdict | None = None
    upheld: tuple[str, ...] | None = None
    breached: tuple[str, ...] | None = None
    indeterminate: tuple[str, ...] | None = None
    interpretation: tuple[str, ...] | None = None
    not_applicable: tuple[str, ...] | None = None
    cites: tuple[str, ...] = ()
    money_cents: int | None = None
    seat: int | None = None
    hand: str | None = None
    severity: Severity | None = None
    reading: str | None = None
    because_of: str = ""
    beside: tuple[str, ...] = ()
    message: str | None = None
    says: str = ""
    expected: Any = None
    observed: Any = None
    findings: int = 1
    also: tuple[str, ...] = ()
    lawful: bool = False
    limit: str = ""
    rulesets: tuple[Ruleset, ...] = ()
    table: dict[str, Any] = {}
    before: tuple[str, ...] | None = None
    players: tuple[int, ...] = ()
    day: dt.date | None = None


class CaseFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file of cases: the check they are about, and what they have in common."""

    check: str
    about: str = ""
    rulesets: tuple[Ruleset, ...] = ()
    table: dict[str, Any] = {}
    before: tuple[str, ...] = ()
    players: tuple[int, ...] = ()
    day: dt.date | None = None
    case: tuple[Case, ...]


class CaseRun(Struct, frozen=True, kw_only=True):
    """One case under one ruleset with one end: the script to play and the verdict to find."""

    check: str
    ruleset: Ruleset
    case: Case
    verdict: Verdict
    steps: tuple[str, ...]
    cites: tuple[str, ...]
    table: dict[str, Any]
    players: tuple[int, ...]
    day: dt.date | None


class BadCase(ValueError):
    """A case file that says something it cannot mean; the message says where and what to do."""


def read_cases(name: str, text: str) -> CaseFile:
    """The cases of one file; `name` is for the message.

    Raises:
        BadCase: not TOML, an unknown key, a case without a verdict or with two, or a name used twice.
    """
    try:
        file = msgspec.convert(tomllib.loads(text), CaseFile)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadCase(f"{name}: {error}") from error
    names = [case.name for case in file.case]
    for case in file.case:
        ends = [verdict for verdict in VERDICTS if getattr(case, verdict) is not None]
        if (case.expect is None) == (not ends):
            raise BadCase(
                f"{name}: case {case.name!r} needs either `expect` or the steps of at least one verdict"
            )
        if names.count(case.name) > 1:
            raise BadCase(f"{name}: two cases are called {case.name!r}; tell them apart")
    return file


def ends_of(case: Case) -> dict[Verdict, tuple[str, ...]]:
    """The verdicts a case must come to, each with the steps that follow `given`."""
    if case.expect is not None:
        return {case.expect: ()}
    ends: dict[Verdict, tuple[str, ...] | None] = {verdict: getattr(case, verdict) for verdict in VERDICTS}
    return {verdict: steps for verdict, steps in ends.items() if steps is not None}


def runs_of(file: CaseFile, registry: Mapping[str, Check]) -> list[CaseRun]:
    """Every run a file asks for: each case, under each of its rulesets, with each of its ends.

    Raises:
        BadCase: the check is not registered, or a cited role is none it decides or none is of the ruleset.
    """
    entry = registry.get(file.check)
    if entry is None:
        raise BadCase(f"no check {file.check} is registered; there are {', '.join(sorted(registry))}")
    found = []
    for case in file.case:
        before = file.before if case.before is None else case.before
        rulesets: tuple[str, ...] = case.rulesets or file.rulesets or tuple(entry.provisions)
        for ruleset in rulesets:
            foreign = [role for role in case.cites if role not in entry.decides]
            if foreign:
                raise BadCase(f"case {case.name!r} cites {foreign[0]}, which {file.check} does not decide")
            if case.cites and not cite(ruleset, case.cites):
                raise BadCase(f"case {case.name!r} cites {case.cites[0]}, which {ruleset} does not have")
            for verdict, steps in ends_of(case).items():
                found.append(
                    CaseRun(
                        check=file.check,
                        ruleset=ruleset,
                        case=case,
                        verdict=verdict,
                        steps=(*before, *case.given, *steps),
                        cites=cite(ruleset, case.cites),
                        table={**file.table, **case.table},
                        players=case.players or file.players,
                        day=case.day or file.day,
                    )
                )
    return found
