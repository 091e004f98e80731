"""`catwalk fold`: the ledger folded; a worker on its topic, or the data folder's into its store."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from deploy.cli.options import SECONDS, health_port, member, session
from deploy.configured.workers import brokers_of, run_worker
from deploy.errors import UserError
from deploy.private_files import keep_private
from deploy.settings import Settings, load
from processors.runtime.brokers.lag import UNANSWERED
from processors.runtime.brokers.preflight import BrokersAway
from processors.runtime.fold.worker import FoldWorker, FoldWorkerOptions
from processors.runtime.rebuild.begin_again import forget
from processors.runtime.watch.logs import quiet
from schemas.amounts import amount

EPILOG = """\b
Example:
  eval "$(catwalk stack env)"
  catwalk topics apply
  catwalk fold

\b
Scale by starting more: each takes a share of the partitions. TERM or INT: the
state is made durable, the group told, and the partitions handed over. Logs are
JSON lines on stderr; /healthz, /readyz and /metrics are on --health-port.

\b
In the embedded mode it folds what is new in the data folder's ledger into the
store beside it, and goes on until it is stopped, or ends there with --once.
"""


@click.command("fold", epilog=EPILOG)
@member("tables")
@session
@click.option(
    "--stuck", default=60.0, type=click.FloatRange(5.0), metavar="SECONDS",
    help="Begins anew, then ends itself, when records wait for so long and none is taken.",
)  # fmt: skip
@click.option(
    "--start", default=30.0, type=SECONDS, metavar="SECONDS",
    help="How long brokers that do not answer yet are waited for.",
)  # fmt: skip
@health_port
@click.option(
    "--forget", "forgets", is_flag=True,
    help="Write off all snapshots and end; then everything is folded again.",
)  # fmt: skip
@click.option("--once", is_flag=True, help="Embedded: end when nothing is new.")
def command(
    member: str | None,
    session: float,
    stuck: float,
    start: float,
    health_port: int | None,
    forgets: bool,
    once: bool,
) -> None:
    """Fold the ledger into rounds, findings and dead letters."""
    settings = load({"health_port": health_port}).values
    if settings.mode == "embedded":
        _embedded(settings, forgets, once)
        return
    if once:
        remedy = "leave it out; `catwalk lag --wait` waits for the workers"
        raise UserError("catwalk fold --once", "a worker of the distributed mode has no end", remedy)
    brokers = brokers_of(settings)
    if forgets:
        quiet()
        try:
            click.echo(f"{asyncio.run(forget(brokers))} snapshots written off", err=True)
        except UNANSWERED as error:
            raise BrokersAway(brokers.servers, error) from error
        return
    options = FoldWorkerOptions(
        member=member,
        session_seconds=session,
        start_seconds=start,
        stuck_seconds=stuck,
        health_host=settings.health_host,
        health_port=settings.health_port,
    )

    run_worker("fold", lambda stop: FoldWorker(brokers, options).run(stop))


def _embedded(settings: Settings, forgets: bool, once: bool) -> None:
    """The data folder's ledger into its store."""
    # Imported here: loading the engine takes longer than a worker's start.
    from deploy.configured.embedded import embedded, fold_as_it_comes

    if forgets:
        why = "the embedded store keeps its snapshots beside its rows"
        raise UserError("catwalk fold --forget", why, "`catwalk rebuild` folds everything again")
    ended, total = threading.Event(), 0
    if once:
        ended.set()

    def told(taken: int) -> None:
        nonlocal total
        total += taken
        click.echo(f"catwalk: fold: {amount(taken, 'record')} folded and stored, {total:,} in all", err=True)

    keep_private(Path(settings.data))
    with embedded(settings) as held, _asked_to_end(ended):
        if not once:
            click.echo(f"catwalk: fold: following {settings.data}; Ctrl-C ends it", err=True)
        fold_as_it_comes(held, ended, told)
    if once and not total:
        click.echo("catwalk: fold: nothing is new", err=True)


@contextmanager
def _asked_to_end(ended: threading.Event) -> Iterator[None]:
    """TERM and INT let it store what it has folded."""
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = [signal.signal(number, lambda _number, _frame: ended.set()) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
