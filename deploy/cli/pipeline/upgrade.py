"""`catwalk upgrade`: a new version of the fold beside the old one, compared, put in force, the old one removed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click
import msgspec
from rich.console import Console
from rich.table import Table as Grid

from deploy.cli.options import SECONDS, as_json, output_format, whoever
from deploy.configured.workers import require_distributed
from deploy.errors import FOUND
from deploy.settings import Settings, load
from processors.runtime.watch.logs import quiet
from schemas.amounts import amount, verb

if TYPE_CHECKING:
    from deploy.upgrade.versions import Versions
    from processors.runtime.versions.comparison import Comparison, Count

# The modules of `deploy.upgrade` are imported where they are used: they load the clients of Kafka and ClickHouse.
EPILOG = """\b
Example:
  catwalk upgrade status
  catwalk upgrade order 9
  catwalk upgrade compare 9
  catwalk upgrade switch 9 --seen 4f0c2a91b7de
  catwalk upgrade retire 8

\b
Each version of the fold has topics, groups and a database of its own, so two of
them run beside each other. What the desk shows, and what alerts are raised from,
is the version in force. docs/upgrading.md goes through an upgrade step by step.
"""


@click.group("upgrade", epilog=EPILOG)
def command() -> None:
    """Bring in a release that folds otherwise, while everything runs."""


@command.command("status", epilog="\b\nExample:\n  catwalk upgrade status --format json\n")
@output_format()
def status(form: str) -> None:
    """Say which versions there are, who works for each, and how far each table of each is."""
    from deploy.upgrade.versions import versions

    found = versions(_settings())
    if form == "json":
        held = found.standing
        said = {"in_force": held.fold, "switch": held.switch, "earlier": held.earlier}
        click.echo(as_json({**said, "versions": found.versions}))
    else:
        _show_status(found)


@command.command("order", epilog="\b\nExample:\n  catwalk upgrade order 9\n")
@click.argument("fold", type=click.IntRange(1))
def order(fold: int) -> None:
    """Put the evidence about people that FOLD has told into the order of the version in force.

    Stop its folds before, and start its analyst behind it. It needs the rights to delete, make, read and write its
    topic of observations.
    """
    from deploy.upgrade.ordering import order as run

    found = run(_settings(), fold, _say("order"))
    click.echo(
        f"{amount(found.observations, 'observation')} of fold {found.new} "
        f"{verb(found.observations, 'stands')} in the order of fold {found.old}; "
        f"{found.moved:,} of them {verb(found.moved, 'was')} told too early"
    )
    click.echo("next: start its folds and its analyst")


@command.command(
    "compare", epilog="\b\nExample:\n  catwalk upgrade compare 9 --format json > upgrade-9.json\n"
)
@click.argument("fold", type=click.IntRange(1))
@click.option(
    "--seconds", default=60.0, type=SECONDS, help="How long workers that are behind are waited for."
)
@output_format()
@click.pass_context
def compare(ctx: click.Context, fold: int, seconds: float, form: str) -> None:
    """Compare rounds, settlements and findings of FOLD with those of the version in force.

    Both may go on folding. Ends with status 1 when they differ, and with the number that `switch` asks for.
    """
    from deploy.upgrade.comparing import compare as run

    found = run(_settings(), fold, whoever(), seconds, _say("compare"))
    if form == "json":
        total = msgspec.structs.asdict(found.total)
        click.echo(as_json({**msgspec.structs.asdict(found), "total": total, "seen": found.digest[:12]}))
    else:
        _show_comparison(found)
    if found.total.differs:
        ctx.exit(FOUND)


@command.command("switch", epilog="\b\nExample:\n  catwalk upgrade switch 9 --seen 4f0c2a91b7de\n")
@click.argument("fold", type=click.IntRange(1))
@click.option("--seen", default="", metavar="NUMBER", help="The number that the comparison ended with.")
@click.option(
    "--seconds", default=60.0, type=SECONDS, help="How long workers that are behind are waited for."
)
def switch(fold: int, seen: str, seconds: float) -> None:
    """Put FOLD in force: consoles show it, and alerts are raised from it, a second later.

    Refuses while it is behind, while nobody works for it, or where the comparison was not seen.
    """
    from deploy.upgrade.switching import switch as run

    after = run(_settings(), fold, seen, whoever(), seconds)
    before = after.earlier[-1].fold if after.earlier else 0
    click.echo(f"fold {after.fold} is in force; fold {before} goes on beside it")
    click.echo(f"back: catwalk upgrade switch {before} --seen {seen}")


@command.command("retire", epilog="\b\nExample:\n  catwalk upgrade retire 8\n")
@click.argument("fold", type=click.IntRange(1))
@click.option("--now", is_flag=True, help="Also where it was in force within the last seven days, or never.")
def retire(fold: int, now: bool) -> None:
    """Remove topics, groups and rows of FOLD, which is no longer in force; stop its workers first.

    It needs the rights to delete topics and groups, and to drop a database.
    """
    from deploy.upgrade.switching import retire as run

    for gone in run(_settings(), fold, whoever(), _say("retire"), now=now):
        click.echo(f"removed {gone}")


def _settings() -> Settings:
    settings = load().values
    require_distributed(settings, "upgrade")
    quiet()
    return settings


def _say(what: str) -> Callable[[str], None]:
    return lambda step: click.echo(f"catwalk: upgrade {what}: {step}", err=True)


def _show_status(found: Versions) -> None:
    for one in found.versions:
        workers = ", ".join(f"{number} {worker}" for worker, number in one.workers.items() if number)
        behind = ", ".join(f"{worker} {number:,}" for worker, number in one.behind.items())
        click.echo(f"fold {one.fold}  {one.role}; database {one.database}")
        click.echo(f"  at work: {workers or 'nobody'}; records behind: {behind or 'not known'}")
        if one.trouble:
            click.echo(f"  {one.trouble}")
    ends = found.ends()
    grid = Grid(
        "table", *(f"fold {one.fold} stored up to" for one in found.versions), "behind", title="tables"
    )
    for subject, end in sorted(ends.items()):
        reached = [one.tables.get(subject, 1) - 1 for one in found.versions]
        left = ", ".join(
            f"fold {one.fold}: {end - 1 - at:,}"
            for one, at in zip(found.versions, reached, strict=True)
            if at < end - 1
        )
        grid.add_row(subject, *(f"{at:,}" for at in reached), left or "nobody")
    Console(width=120).print(grid)


_COLUMNS = ("same", "changed", "new", "gone")


def _figures(count: Count) -> tuple[str, ...]:
    return tuple(f"{getattr(count, column):,}" for column in _COLUMNS)


def _show_comparison(found: Comparison) -> None:
    wide = Console(width=120)
    tables = Grid(
        "table", "up to event", "", *_COLUMNS, title=f"fold {found.new} against fold {found.old}, by table"
    )
    for (subject, kind), count in sorted(found.by_table().items()):
        tables.add_row(subject, f"{found.up_to.get(subject, 1) - 1:,}", kind, *_figures(count))
    wide.print(tables)
    rules = Grid("findings by rule", *_COLUMNS, "for example", title="by rule")
    for (kind, rule), count in sorted(found.by_rule().items()):
        unit = "event" if kind == "findings" else "round"
        shown = found.examples.get(rule or kind, ())
        examples = "; ".join(f"{one.subject} {unit} {one.number:,}: {one.what}" for one in shown)
        rules.add_row(rule or f"({kind})", *_figures(count), examples)
    wide.print(rules)
    if found.total.differs:
        click.echo(
            "changed: made by both and not alike; new: by the new one alone; gone: by the old one alone"
        )
    else:
        click.echo("every row is the same")
    click.echo(f"to put it in force: catwalk upgrade switch {found.new} --seen {found.digest[:12]}")
