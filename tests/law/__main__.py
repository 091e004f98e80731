"""Try a script, see the runs of a check, or what its cases lack: `python -m tests.law`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress

import click
import msgspec

from processors.law.check import REGISTRY
from processors.pipeline import TablePipeline
from schemas.findings import Finding
from schemas.rulesets import RULESETS
from tests.law.harness import all_runs, complaints, lacks, listen, named
from tests.law.record import SUBJECT
from tests.law.script import play

USAGE = """\
python -m tests.law RULESET STEP...   play a script before all checks: events and findings
python -m tests.law CHECK [WORDS]     play the check's cases (whose name holds WORDS) and what they come to
python -m tests.law lacking [PREFIX]  what the cases of the checks whose id begins so still lack
"""


def _script(ruleset: str, steps: list[str]) -> None:
    felt = play(steps, ruleset)
    opening = 0 if steps[0].split()[0] in ("opening", "nothing") else felt.opened
    pipeline = TablePipeline(SUBJECT)
    for number, line in enumerate(felt.lines, 1):
        outcome = pipeline.advance(line)
        if number > opening:
            event = msgspec.json.decode(line)
            data = " ".join(f"{key}={value}" for key, value in event["data"].items())
            click.echo(f"{event['sequence']:>4} {felt.kinds[number - 1]} {data}")
        _findings(outcome.findings)
    _findings(pipeline.finish().findings)


def _findings(findings: Iterable[Finding]) -> None:
    for finding in findings:
        money = f" {finding.money_cents} cents" if finding.money_cents else ""
        cites = " ".join(finding.cites)
        click.echo(f"     > {finding.check} {finding.verdict}{money} [{cites}] {finding.message}")


def _cases(check: str, words: str) -> None:
    for run in all_runs():
        if run.check == check and words in named(run):
            heard = listen(run)
            click.echo(f"{named(run)}\n    {'; '.join(run.steps)}")
            _findings(heard.findings)
            for complaint in complaints(run, heard):
                click.echo(f"     ! {complaint}")


def _lacking(prefix: str) -> None:
    runs = all_runs()
    for check in sorted(REGISTRY):
        if check.startswith(prefix):
            for lack in lacks(check, runs):
                click.echo(f"{check}: {lack}")


def main(arguments: list[str]) -> None:
    """Do what the arguments ask for, or say what they may be."""
    first, rest = (arguments or [""])[0], arguments[1:]
    if first in RULESETS and rest:
        _script(first, rest)
    elif first in REGISTRY:
        _cases(first, " ".join(rest))
    elif first == "lacking":
        _lacking(" ".join(rest))
    else:
        click.echo(USAGE, nl=False)


with suppress(BrokenPipeError):
    main(sys.argv[1:])
