"""`catwalk reconcile`: the store held against the ledger."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click
import msgspec

from deploy.cli.options import SECONDS, as_json, health_port, output_format
from deploy.errors import FOUND, UserError, one_line
from deploy.private_files import keep_private
from deploy.progress import progress
from deploy.settings import Settings, load
from processors.runtime.reconcile.reconciler import Reconciled
from processors.runtime.watch.logs import quiet
from schemas.amounts import amount, verb

SHOWN = 20
_NOT_MOVED = (
    "a repair leaves it where it is: a sink may be at work, and the topics may hold what the ledger does not give,"
    " such as lines of other programs, which the store lacks too"
)
_SET_BACK = "stop all sinks, `catwalk sink --set-back`, start them"
EPILOG = """\b
Example:
  catwalk reconcile
  catwalk reconcile --repair --format json
  catwalk reconcile --whole
  catwalk reconcile --every 24

\b
Folds the ledger once more and compares what comes of it with every row of the store,
column by column; no hash that the store holds is believed. Distributed: what an earlier
comparison has proven is not folded again. The store is asked for the digests of those
rows instead, and where one differs, or with --whole or --repair, the ledger is read
from its first record. What was proven is kept in the data folder, not in the store.
In the distributed mode the workers may run: what the ledger held when the command
was given is waited for, for --seconds; what comes meanwhile need not be stored yet.
With --every it is a worker, with its health on --health-port. --repair puts back
rows that are missing or different and takes out those that the ledger does not
give, and compares once more: status 0 when all is right then. It needs the right
to delete. Ends with status 1 when something differs and was not put right, or a
sink's group is ahead of the store, which no repair moves (`catwalk sink --set-back`).
"""


@click.command("reconcile", epilog=EPILOG)
@click.option("--repair", is_flag=True, help="Put right what differs.")
@click.option("--whole", is_flag=True, help="Read the ledger from its first record, whatever was proven.")
@click.option(
    "--seconds",
    default=60.0,
    type=SECONDS,
    help="Distributed: how long workers that are behind are waited for.",
)
@click.option(
    "--every", type=click.FloatRange(0.0, min_open=True), metavar="HOURS",
    help="Distributed: go on as a worker, and compare again so many hours later.",
)  # fmt: skip
@health_port
@output_format()
def command(
    repair: bool, whole: bool, seconds: float, every: float | None, health_port: int | None, form: str
) -> None:
    """Hold the store against the ledger, table by table, and name every stretch that differs."""
    # With the stack's clients and the engine, that other commands need not load.
    from deploy.audit.reconciliation import Held, reconcile_distributed, reconcile_embedded

    settings = load({"health_port": health_port}).values
    if every is not None:
        _work(settings, seconds, every, repair=repair, whole=whole)
        return
    keep_private(Path(settings.data))
    quiet()
    with progress("reconcile", None, "events") as advance:
        if settings.mode == "embedded":
            held = Held(reconcile_embedded(settings, repair=repair, advance=advance))
        else:
            held = reconcile_distributed(
                settings, repair=repair, whole=whole, seconds=seconds, advance=advance
            )
    done = held.found
    if form == "json":
        said = {
            "tables": done.tables,
            "rows": done.rows,
            "identical": done.identical,
            "proven": held.since,
            "differences": [msgspec.structs.asdict(one) | {"text": str(one)} for one in done.stretches],
            "repaired": done.repaired,
            "left": [str(one) for one in done.left],
        }
        click.echo(as_json(said))
    else:
        _tell(done, held.since)
    if done.left:
        number = sum(one.rows for one in done.left)
        wrong = f"{amount(number, 'row')} {verb(number, 'is')} not what the ledger gives after the repair"
        why = f"{wrong}, the first of them {done.left[0]}"
        click.echo(one_line("reconcile", why, "all workers stopped, `catwalk rebuild`"), err=True)
    if held.unkept:
        remedy = "a data folder that can be written (--data); the next comparison reads the whole ledger"
        click.echo(one_line("reconcile: what was proven is not kept", held.unkept, remedy), err=True)
    for fault in held.faults:
        click.echo(one_line(f"reconcile: {fault.what}", fault.why, fault.remedy), err=True)
    if repair and any(fault.kind == "ahead" for fault in held.faults):
        click.echo(one_line("reconcile: the sinks' group", _NOT_MOVED, _SET_BACK), err=True)
    if held.faults or not done.well:
        raise SystemExit(FOUND)


def _tell(done: Reconciled, since: dt.datetime | None) -> None:
    """Say in lines what was compared, and the first stretches that differ."""
    for name, rows in done.rows.items():
        click.echo(f"{name:<13}{amount(rows, 'row'):>17}")
    for one in done.stretches[:SHOWN]:
        click.echo(f"  {one}")
    if len(done.stretches) > SHOWN:
        click.echo(f"  ... and {len(done.stretches) - SHOWN:,} more; --format json lists all")
    tables = amount(done.tables, "table")
    if done.identical:
        click.echo(f"{tables}: every row is what the ledger gives")
        if since is not None:
            click.echo(
                f"what was proven by {since:%Y-%m-%d %H:%M} UTC has the digests of then; --whole folds it again"
            )
    else:
        number = sum(one.rows for one in done.stretches)
        if done.repaired:
            wrong = f"{amount(number, 'row')} {verb(number, 'was')}"
            click.echo(f"{tables}: {wrong} not what the ledger gives; all are now: compared again")
        else:
            remedy = "`catwalk reconcile --repair` puts them right"
            wrong = f"{amount(number, 'row')} {verb(number, 'is')}"
            click.echo(f"{tables}: {wrong} not what the ledger gives; {remedy}")


def _work(settings: Settings, seconds: float, every: float, *, repair: bool, whole: bool) -> None:
    """Compare again and again; a repair is a person's."""
    from deploy.audit.reconciliation import recall, reconcile_distributed
    from deploy.audit.reconciling import ReconcileWorker
    from deploy.configured.workers import require_distributed, run_worker

    require_distributed(settings, "reconcile --every")
    if repair:
        why = "what differs is evidence, and a worker has no right to delete"
        raise UserError("catwalk reconcile --every", why, "leave --repair out, and run it once by hand")

    def compare(advance: Callable[[int], None]) -> str:
        held = reconcile_distributed(settings, repair=False, whole=whole, seconds=seconds, advance=advance)
        return held.unkept

    worker = ReconcileWorker(compare, partial(recall, settings), every)
    run_worker("reconcile", lambda stop: worker.run(stop, settings.health_host, settings.health_port))
