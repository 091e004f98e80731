"""`catwalk lag`: how far each kind of worker is behind the ledger."""

from __future__ import annotations

import asyncio
import time

import click
import msgspec
from rich.console import Console
from rich.table import Table as Grid

from deploy.cli.errors import FOUND
from deploy.cli.settings import load
from deploy.workers import brokers_of, require_distributed
from processors.runtime.asking import FIRST_CONTACT, answered
from processors.runtime.brokers import Brokers
from processors.runtime.lag import Lag, LagMeter
from processors.runtime.logs import quiet
from schemas.topics import GROUPS, Group

EPILOG = """\b
Example:
  catwalk record streams/ --to kafka && catwalk lag --wait --seconds 60
  catwalk lag --format json
  catwalk lag --worker fold

\b
An analyst that was never started is shown and not waited for; fold and sink are
waited for whether they were started or not.
"""
_PAUSE = 0.25  # seconds between two looks


@click.command("lag", epilog=EPILOG)
@click.option("--wait", is_flag=True, help="Return 0 as soon as nothing is behind, 1 after --seconds.")
@click.option(
    "--seconds", default=60.0, show_default=True, type=click.FloatRange(0.0), help="How long to wait."
)
@click.option(
    "--worker", "workers", multiple=True, type=click.Choice([group.worker for group in GROUPS]),
    help="Only this kind of worker; may be given again.  [default: all]",
)  # fmt: skip
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.pass_context
def command(ctx: click.Context, wait: bool, seconds: float, workers: tuple[str, ...], form: str) -> None:
    """Say how many records each kind of worker has still to take, by topic and partition."""
    settings = load().values
    require_distributed(settings, "lag")
    quiet()
    groups = tuple(group for group in GROUPS if not workers or group.worker in workers)
    lag = asyncio.run(_measure(brokers_of(settings), groups, seconds if wait else None))
    if form == "json":
        shown = {"behind": lag.behind, "absent": lag.absent, "partitions": lag.rows}
        click.echo(msgspec.json.format(msgspec.json.encode(shown), indent=1).decode())
    else:
        _show(lag)
    if wait and lag.behind:
        ctx.exit(FOUND)


async def _measure(brokers: Brokers, groups: tuple[Group, ...], seconds: float | None) -> Lag:
    """The lag now; or with a number of seconds as soon as it is nothing, at the latest after so many."""
    until = time.monotonic() + (seconds or 0.0)
    meter = LagMeter(brokers)
    try:
        while True:
            patience = FIRST_CONTACT if seconds is None else until - time.monotonic()
            lag = await answered(brokers, lambda: meter.measure(groups), patience)
            if not lag.behind or time.monotonic() >= until:
                return lag
            await asyncio.sleep(_PAUSE)
    finally:
        await meter.stop()


def _show(lag: Lag) -> None:
    grid = Grid(
        "worker", "topic", "partition", "committed", "end", "behind", title="records behind the ledger"
    )
    for row in lag.rows:
        committed = "-" if row.committed is None else f"{row.committed:,}"
        behind = "not started" if row.worker in lag.absent else f"{row.behind:,}"
        grid.add_row(row.worker, row.topic, str(row.partition), committed, f"{row.end:,}", behind)
    Console(width=120).print(grid)
    click.echo(f"{lag.behind:,} records behind in all")
