"""`catwalk explain`: a check, a role, a provision or a finding in words."""

from __future__ import annotations

import json
import shutil
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from dashboards.suspicions.curve import odds
from dashboards.wording.money import owed
from deploy.audit.explanations import Told, explain
from deploy.cli.options import FOLDER, PATH, output_format

EPILOG = """\b
Example:
  catwalk explain 672a.7(n)(1)#1
  catwalk explain settlement.stake
  catwalk explain settlement.dealer_22_returns
  catwalk explain pace
  catwalk replay examples/breach_overpay.ndjson --out out
  catwalk explain 1c6f6d --in out --stream examples
"""
_INDENT = " " * 12
_WIDEST = 110


@click.command("explain", epilog=EPILOG)
@click.argument("name", metavar="CHECK|PATTERN|ROLE|PROVISION|FINDING")
@click.option(
    "--in", "results", type=FOLDER, default=Path("out"),
    help="Folder that `catwalk replay` wrote, for findings.",
)  # fmt: skip
@click.option(
    "--stream", "streams", multiple=True, type=PATH,
    help="Stream or folder to take a finding's evidence from; else beside DIR, here and in examples.",
)  # fmt: skip
@output_format()
def command(name: str, results: Path, streams: tuple[Path, ...], form: str) -> None:
    """Tell the clause, the check, its readings and its cases; of a finding also its evidence.

    The first six letters of a finding's id are enough, and of a pattern the name of its family.
    """
    told = explain(name, results, streams)
    if form == "json":
        click.echo(json.dumps(told, indent=1, ensure_ascii=False))
    else:
        click.echo("\n".join(_TELL[told["kind"]](told)))


def _line(title: str, text: object) -> Iterator[str]:
    """A title in the margin and a text beside it, wrapped."""
    width = min(shutil.get_terminal_size((_WIDEST, 24)).columns, _WIDEST)
    yield from textwrap.wrap(
        str(text), width, initial_indent=f"{title:<12}", subsequent_indent=_INDENT, break_on_hyphens=False
    )


def _check(told: Told) -> Iterator[str]:
    yield from _line("check", told["check"])
    yield from _line("", told["doc"])
    for ruleset, clauses in told["decides"].items():
        yield from _line("decides", f"{ruleset}: {', '.join(clauses)}")
    if "reads" in told:
        counted = ", ".join(f"{count} {severity}" for severity, count in sorted(told["severities"].items()))
        yield from _line("severity", counted)
        yield from _line("reads", ", ".join(told["reads"]))
        yield from _line("looks over", told["looks_back_over"])
        yield from _readings(told["readings"])
        yield from _cases(told["cases"], scripts=False)


def _provision(told: Told) -> Iterator[str]:
    yield from _line("provision", f"{told['provision']}  ({told['ruleset']}, {told['severity']})")
    yield from _line("role", told["role"])
    yield from _line("duty", f"{told['duty']} ({told['of'].replace('_', ' ')})")
    yield from _line("breached by", told["violation"])
    yield from _line("status", told["status"])
    yield from _checks(told)
    if told["status"] in ("definition", "not_observable", "open"):
        yield from _line("reason", told["reason"])
    if told["sensor"]:
        yield from _line("sensor", told["sensor"])
    yield from _readings(told["readings"])
    yield from _cases(told["cases"], scripts=True)


def _role(told: Told) -> Iterator[str]:
    yield from _line("role", f"{told['role']}  ({told['row']})")
    yield from _line("duty", told["duty"])
    for ruleset, clauses in told["cites"].items():
        yield from _line("cites", f"{ruleset}: {', '.join(clauses)}")
    yield from _checks(told)


def _clause(told: Told) -> Iterator[str]:
    for index, provision in enumerate(told["provisions"]):
        if index:
            yield ""
        yield from _provision(provision)


def _readings(readings: dict[str, Told]) -> Iterator[str]:
    for place, told in readings.items():
        policies = f" {_policies(told)}" if "policies" in told else ""
        yield from _line("reading", f"{place}: {told.get('question', '')} {told.get('read', '')}{policies}")


def _policies(told: Told) -> str:
    """The policies of a place that can be chosen, the default first, and what a departure from it is called."""
    one = "a breach" if told["departing"] == "breached" else "an interpretation"
    return f"[{' or '.join(told['policies'])}], a departure is {one}"


def _reading(told: Told) -> Iterator[str]:
    yield from _readings(told["readings"])
    yield from _checks(told)


def _checks(told: Told) -> Iterator[str]:
    for check, doc in told["checks"].items():
        yield from _line("check", f"{check}: {doc}")


def _cases(cases: list[Told], *, scripts: bool) -> Iterator[str]:
    if not cases:
        yield from _line("cases", "none cites it")
        return
    counted = Counter(verdict for case in cases for verdict in case["ends"])
    yield from _line("cases", ", ".join(f"{count} {verdict}" for verdict, count in sorted(counted.items())))
    for case in cases:
        yield from _line("", f"{case['case']} ({', '.join(case['ends'])})")
        if scripts:
            yield from _line("", f"    {'; '.join(case['given'])}")
            for verdict, steps in case["ends"].items():
                if steps:
                    yield from _line("", f"    {verdict}: {'; '.join(steps)}")


def _finding(told: Told) -> Iterator[str]:
    where = [f"table {told['subject']}"]
    where += [f"{name} {told[name]}" for name in ("round", "seat", "hand") if told.get(name) is not None]
    yield from _line("finding", told["finding_id"])
    yield from _line("", told["message"])
    yield from _line("verdict", f"{told['verdict']}, {told['severity']}; {', '.join(where)}")
    yield from _line("check", f"{told['check']}: {told['doc']}" if told["doc"] else told["check"])
    for clause, cited in told["cites"].items():
        yield from _line("cites", f"{clause}: {cited['duty']}")
    yield from _line("expected", _short(told["expected"]))
    yield from _line("observed", _short(told["observed"]))
    if told.get("about"):
        yield from _line("about", ", ".join(f"{kind} {name}" for kind, name in told["about"].items()))
        promise = f"at most 1 {told['bound']['per']} in {odds(1 / told['bound']['false_alarm'])}"
        yield from _line("evidence", f"{odds(told['e_value'])} to 1; false alarms on {promise}")
        yield from _line("null", told["bound"]["null"])
    yield from _line("money", _money(told["money_cents"]))
    if told.get("missing"):
        yield from _line("not seen", "; ".join(told["missing"]))
    if told.get("because_of"):
        yield from _line("follows", f"from finding {told['because_of']}")
    yield from _readings(told.get("reading") or {})
    if told["stream"] is None:
        events, file = ", ".join(map(str, told["sequences"])), told["file"]
        yield from _line("evidence", f"events {events} of {file}; show them with --stream {file}.ndjson")
        return
    yield from _line("evidence", told["stream"])
    for event in told["evidence"]:
        device = str(event["source"]).rpartition("/")[2]
        kind, data = str(event["type"]).rpartition(".")[2], _short(event["data"])
        yield from _line("", f"{event['sequence']:>6} {event['time']} {device} {kind} {data}")


def _pattern(told: Told) -> Iterator[str]:
    yield from _line("pattern", ", ".join(told["checks"]))
    yield from _line("", told["doc"])
    yield from _line("about", ", ".join(told["about"]))
    yield from _line("null", told["null"])
    yield from _line("statistic", told["statistic"])
    yield from _line("level", f"1 in {odds(1 / told['level'])} for each table's stream")
    yield from _line("bound", told["bound"])
    for reason in told["innocent"]:
        yield from _line("could be", reason)
    for limit in told["blind"]:
        yield from _line("blind to", limit)
    yield from _line("costs", told["cost"])


def _short(value: Any) -> str:
    """A value on one line, money in dollars."""
    if isinstance(value, dict):
        parts = (
            f"{key.removesuffix('_cents').replace('_', ' ')} {_dollars(part)}"
            if _is_money(key, part)
            else f"{key} {_short(part)}"
            for key, part in value.items()
        )
        return ", ".join(parts).replace("cents $", "$") or "nothing more"
    if isinstance(value, list):
        return " ".join(_short(part) for part in value)
    return "nothing" if value is None else str(value)


def _is_money(key: str, value: Any) -> bool:
    return (key == "cents" or key.endswith("_cents")) and isinstance(value, int)


def _dollars(cents: int) -> str:
    return f"{'-' if cents < 0 else ''}${abs(cents) / 100:,.2f}"


def _money(cents: int) -> str:
    return owed(cents) or "$0.00"


_TELL = {
    "check": _check,
    "provision": _provision,
    "role": _role,
    "clause": _clause,
    "reading": _reading,
    "finding": _finding,
    "pattern": _pattern,
}
