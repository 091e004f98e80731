"""`catwalk coverage`: what decides each provision, and which are open."""

from __future__ import annotations

import re
from collections import Counter
from typing import get_args

import click
import msgspec

from deploy.audit.explanations import declarations
from deploy.cli.options import output_format
from deploy.errors import FOUND
from processors.law.check import REGISTRY
from processors.law.coverage import Row, Status, coverage, idle
from schemas.amounts import amount
from schemas.rulesets import RULESETS

EPILOG = """\b
Example:
  catwalk coverage
  catwalk coverage --ruleset free_bet_672a --status open
  catwalk coverage --by section
  catwalk coverage --format json

\b
Status of a provision:
  check           decided by these checks on events of play
  configuration   decided on the table's rules submission and equipment
  attestation     decided on what staff attest (inspections, spreads, signs)
  definition      a meaning that these checks rest on
  not_observable  no event tells of it; the reason and the sensor that would
  open            none of these yet; the exit status is then 1
"""


@click.command("coverage", epilog=EPILOG)
@click.option("--ruleset", type=click.Choice(list(RULESETS)), help="Only provisions of this ruleset.")
@click.option("--status", type=click.Choice(get_args(Status)), help="Only provisions with this status.")
@click.option("--by", "grouping", type=click.Choice(["provision", "section"]), default="provision")
@output_format()
@click.pass_context
def command(ctx: click.Context, ruleset: str | None, status: Status | None, grouping: str, form: str) -> None:
    """One row per provision: what decides it, and why. Exit status 1 when one is open."""
    declared = declarations()
    rows = [row for row in coverage(REGISTRY, declared) if ruleset in (None, row.ruleset)]
    shown = [row for row in rows if status in (None, row.status)]
    if grouping == "section" and form == "table":
        click.echo(by_section(shown))
    else:
        click.echo(as_json(shown) if form == "json" else as_table(shown))
    click.echo(summary(rows), err=True)
    for complaint in idle(REGISTRY, declared):
        click.echo(f"catwalk: coverage: {complaint}", err=True)
    if any(row.status == "open" for row in rows):
        ctx.exit(FOUND)


def as_json(rows: list[Row]) -> str:
    """The rows for a program, one object each."""
    lines = ",\n".join(" " + msgspec.json.encode(row).decode() for row in rows)
    return f"[\n{lines}\n]" if rows else "[]"


def by_section(rows: list[Row]) -> str:
    """How many provisions of each section end in each status."""
    total = Counter(row.status for row in rows)
    statuses = [status for status in get_args(Status) if status != "open" or total["open"]]
    sections: dict[str, Counter[str]] = {}
    for row in rows:
        section = re.split(r"[(#:]", row.provision_id)[0]
        sections.setdefault(section, Counter())[row.status] += 1
    lines = [("section", *statuses)]
    lines += [(name, *(counts[status] or "" for status in statuses)) for name, counts in sections.items()]
    lines.append(("all", *(total[status] for status in statuses)))
    return "\n".join(
        f"{name:<9}{''.join(f'{cell:>15}' for cell in cells)}".rstrip() for name, *cells in lines
    )


def as_table(rows: list[Row]) -> str:
    """The rows for a person."""
    wide = max((len(row.provision_id) for row in rows), default=0)
    lines = [f"{'provision':<{wide}}  {'status':<14}  by, or the reason"]
    for row in rows:
        told = ", ".join(row.by) if row.by else row.reason
        lines.append(f"{row.provision_id:<{wide}}  {row.status:<14}  {told}")
    return "\n".join(lines)


def summary(rows: list[Row]) -> str:
    """How many provisions have which status, in one line."""
    counted = Counter(row.status for row in rows)
    parts = [f"{counted[status]:,} {status}" for status in get_args(Status) if counted[status]]
    return f"{amount(len(rows), 'provision')}: {', '.join(parts)}"
