"""`catwalk reconcile`: the store held against the ledger."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from deploy.cli.options import SECONDS, as_json, output_format
from deploy.errors import FOUND, one_line
from deploy.private_files import keep_private
from deploy.progress import progress
from deploy.settings import load
from processors.runtime.brokers.standing import Fault
from processors.runtime.watch.logs import quiet

SHOWN = 20
EPILOG = """\b
Example:
  catwalk reconcile
  catwalk reconcile --repair --format json

\b
Folds the ledger once more from its first record and compares what comes of it with
every row of the store, column by column; no hash that the store holds is believed.
In the distributed mode the workers may run: what the ledger held when the command
was given is waited for, for --seconds; what comes meanwhile need not be stored yet.
--repair puts back rows that are missing or different and takes out those that the
ledger does not give; it needs the right to delete. Ends with status 1 when something
differed, repaired or not.
"""


@click.command("reconcile", epilog=EPILOG)
@click.option("--repair", is_flag=True, help="Put right what differs.")
@click.option(
    "--seconds",
    default=60.0,
    type=SECONDS,
    help="Distributed: how long workers that are behind are waited for.",
)
@output_format()
def command(repair: bool, seconds: float, form: str) -> None:
    """Hold the store against the ledger, table by table, and name every stretch that differs."""
    # With the stack's clients and the engine, that other commands need not load.
    from deploy.audit.reconciliation import reconcile_distributed, reconcile_embedded

    settings = load().values
    keep_private(Path(settings.data))
    quiet()
    faults: tuple[Fault, ...] = ()
    with progress("reconcile", None, "events") as advance:
        if settings.mode == "embedded":
            done = reconcile_embedded(settings, repair=repair, advance=advance)
        else:
            done, lag = reconcile_distributed(settings, repair=repair, seconds=seconds, advance=advance)
            faults = lag.faults
    if form == "json":
        said = {
            "tables": done.tables,
            "rows": done.rows,
            "identical": done.identical,
            "differences": [msgspec.structs.asdict(one) | {"text": str(one)} for one in done.stretches],
            "repaired": done.repaired,
        }
        click.echo(as_json(said))
    else:
        for name, rows in done.rows.items():
            click.echo(f"{name:<13}{rows:>12,} rows")
        for one in done.stretches[:SHOWN]:
            click.echo(f"  {one}")
        if len(done.stretches) > SHOWN:
            click.echo(f"  ... and {len(done.stretches) - SHOWN:,} more; --format json lists all")
        tables = f"{done.tables:,} table" + ("s" if done.tables != 1 else "")
        if done.identical:
            click.echo(f"{tables}: every row is what the ledger gives")
        else:
            number = sum(one.rows for one in done.stretches)
            put_right = "put right" if done.repaired else "`catwalk reconcile --repair` puts them right"
            click.echo(f"{tables}: {number:,} rows are not what the ledger gives; {put_right}")
    for fault in faults:
        click.echo(one_line(f"reconcile: {fault.what}", fault.why, fault.remedy), err=True)
    if faults or not done.identical:
        raise SystemExit(FOUND)
