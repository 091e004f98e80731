"""`catwalk lag`: how far each kind of worker is behind the ledger."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import closing

import click
from rich.console import Console
from rich.table import Table as Grid

from deploy.cli.options import SECONDS, as_json, output_format
from deploy.configured.store import open_store
from deploy.configured.workers import brokers_of, require_distributed
from deploy.errors import FOUND, one_line
from deploy.settings import load
from deploy.upgrade.versions import at_work
from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import Behind, Lag
from processors.runtime.brokers.preflight import FIRST_CONTACT, answered
from processors.runtime.brokers.store_lag import StoreLagMeter
from processors.runtime.reconcile.memory import REMEDY, last_known
from processors.runtime.sink.kept import kept_offsets
from processors.runtime.watch.logs import quiet
from schemas.amounts import amount
from schemas.answers import FOLD_VERSION
from schemas.topics import GROUPS, SINK, ConsumerGroup

EPILOG = """\b
Example:
  catwalk record streams/ --to kafka && catwalk lag --wait --seconds 60
  catwalk lag --format json
  catwalk lag --worker fold --partitions

\b
A worker that was killed runs until its --session is over. An analyst that was never
started is shown and not waited for; fold and sink are waited for whether they were
started or not. The sink is behind by what the store
lacks, whatever its group has acknowledged; while the store cannot be asked, by at
least what the group has left, and --wait does not end with 0. Ends with status 1
when records would be left out: no worker goes on there. What `catwalk reconcile`
found last is said too; that is no lag, and does not change the status.
"""
_PAUSE = 0.25  # seconds between two looks


@click.command("lag", epilog=EPILOG)
@click.option("--wait", is_flag=True, help="Return 0 as soon as nothing is behind, 1 after --seconds.")
@click.option("--seconds", default=60.0, type=SECONDS, help="How long to wait.")
@click.option(
    "--worker", "workers", multiple=True, type=click.Choice([group.worker for group in GROUPS]),
    help="Only this kind of worker; may be given again.  [default: all]",
)  # fmt: skip
@click.option("--partitions", is_flag=True, help="Show each topic and partition too.")
@output_format()
@click.pass_context
def command(
    ctx: click.Context, wait: bool, seconds: float, workers: tuple[str, ...], partitions: bool, form: str
) -> None:
    """Say of each kind of worker how many run, and how many records they have still to take."""
    settings = load().values
    require_distributed(settings, "lag")
    quiet()
    groups = tuple(group for group in GROUPS if not workers or group.worker in workers)
    with closing(open_store(settings)) as store:
        meter = StoreLagMeter(brokers_of(settings), lambda: kept_offsets(store))
        lag = asyncio.run(_measure(brokers_of(settings), meter, groups, seconds if wait else None))
        last = None if lag.unknown else last_known(store)
    running = asyncio.run(at_work(settings, FOLD_VERSION))
    if form == "json":
        runs = {group.worker: running[group.worker] for group in groups}
        shown = {"behind": lag.behind, "absent": lag.absent, "running": runs, "partitions": lag.rows}
        click.echo(as_json({**shown, "faults": lag.faults, "unknown": lag.unknown, "reconciled": last}))
    else:
        if partitions:
            _show_partitions(lag)
        _show(lag, running)
        if not lag.unknown:
            never = "never held against the ledger: `catwalk reconcile` does"
            click.echo(str(last) if last is not None else never)
    if lag.unknown:
        click.echo(f"catwalk: lag: what the store lacks is not known: {lag.unknown}", err=True)
    for one in lag.faults:
        click.echo(one_line(f"lag: {one.what}", one.why, one.remedy), err=True)
    if last is not None and not last.well:
        click.echo(one_line("lag: the store", str(last), REMEDY), err=True)
    if lag.faults or (wait and (lag.behind or lag.unknown)):
        ctx.exit(FOUND)


async def _measure(
    brokers: Brokers, meter: StoreLagMeter, groups: tuple[ConsumerGroup, ...], seconds: float | None
) -> Lag:
    """The lag now; with `seconds` when nothing is behind or no worker would go on, at the latest after so many."""
    until = time.monotonic() + (seconds or 0.0)
    try:
        while True:
            patience = FIRST_CONTACT if seconds is None else until - time.monotonic()
            lag = await answered(brokers, lambda: meter.measure(groups), patience)
            if lag.faults or not (lag.behind or lag.unknown) or time.monotonic() >= until:
                return lag
            await asyncio.sleep(_PAUSE)
    finally:
        await meter.stop()


def _show(lag: Lag, running: Mapping[str, int]) -> None:
    """A line for each kind of worker: how many run, how far it is behind, and where most."""
    for worker in dict.fromkeys(row.worker for row in lag.rows):
        rows = [row for row in lag.rows if row.worker == worker]
        runs = running.get(worker, 0)
        said = f"{runs} run" + ("s" if runs == 1 else "")
        if not runs:
            said = f"none runs: start `catwalk {worker}`"
        click.echo(f"{worker:<9}{_behind(rows, lag):<36}  {said}".rstrip())
    click.echo(f"{'at least ' if lag.unknown else ''}{amount(lag.behind, 'record')} behind in all")


def _behind(rows: Sequence[Behind], lag: Lag) -> str:
    if rows[0].worker in lag.absent:
        return "not started"
    least = "at least " if rows[0].worker == SINK.worker and lag.unknown else ""
    most = max(rows, key=lambda row: row.behind)
    where = f", {most.behind:,} in {most.topic}/{most.partition}" if most.behind else ""
    return f"{least}{sum(row.behind for row in rows):,} behind{where}"


def _show_partitions(lag: Lag) -> None:
    columns = ("worker", "topic", "partition", "committed", "stored", "end", "behind")
    grid = Grid(*columns, title="records behind the ledger")
    for row in lag.rows:
        committed = "-" if row.committed is None else f"{row.committed:,}"
        stored = "" if row.worker != SINK.worker else "not known" if row.stored is None else f"{row.stored:,}"
        least = "at least " if row.worker == SINK.worker and lag.unknown else ""
        behind = "not started" if row.worker in lag.absent else f"{least}{row.behind:,}"
        grid.add_row(row.worker, row.topic, str(row.partition), committed, stored, f"{row.end:,}", behind)
    Console(width=120).print(grid)
