"""`catwalk fold`: one worker that folds the ledger's topic."""

from __future__ import annotations

import asyncio

import click

from deploy.cli.settings import load
from deploy.workers import brokers_of, require_distributed, run_worker
from processors.runtime.fold.preflight import BrokersAway
from processors.runtime.fold.reset import forget
from processors.runtime.fold.worker import FoldWorker, WorkerOptions
from processors.runtime.lag import UNANSWERED
from processors.runtime.logs import quiet

EPILOG = """\b
Example:
  eval "$(catwalk stack env)"
  catwalk topics apply
  catwalk fold

\b
Scale by starting more: each takes a share of the partitions. TERM or INT: the
state is made durable, the group told, and the partitions handed over. Logs are
JSON lines on stderr; /healthz, /readyz and /metrics are on --health-port.
"""


@click.command("fold", epilog=EPILOG)
@click.option(
    "--member", metavar="NAME", help="Name in the group: a restart within --session keeps its tables."
)
@click.option(
    "--session", default=15.0, show_default=True, type=click.FloatRange(6.0, 300.0), metavar="SECONDS",
    help="Silence after which the others take over.",
)  # fmt: skip
@click.option(
    "--stuck", default=60.0, show_default=True, type=click.FloatRange(5.0), metavar="SECONDS",
    help="Ends itself when records wait for so long and none is taken.",
)  # fmt: skip
@click.option(
    "--start", default=30.0, show_default=True, type=click.FloatRange(0.0), metavar="SECONDS",
    help="How long brokers that do not answer yet are waited for.",
)  # fmt: skip
@click.option(
    "--health-port", type=click.IntRange(0, 65535), help="Health and metrics.  [default: setting health_port]"
)
@click.option(
    "--forget",
    "forgets",
    is_flag=True,
    help="Write off all snapshots and end; then everything is folded again.",
)
def command(
    member: str | None, session: float, stuck: float, start: float, health_port: int | None, forgets: bool
) -> None:
    """Fold the ledger's topic into rounds, findings and dead letters."""
    settings = load({"health_port": health_port}).values
    require_distributed(settings, "fold")
    brokers = brokers_of(settings)
    if forgets:
        quiet()
        try:
            click.echo(f"{asyncio.run(forget(brokers))} snapshots written off", err=True)
        except UNANSWERED as error:
            raise BrokersAway(brokers.servers, error) from error
        return
    options = WorkerOptions(
        member=member,
        session_seconds=session,
        start_seconds=start,
        stuck_seconds=stuck,
        health_host=settings.health_host,
        health_port=settings.health_port,
    )

    async def work(stop: asyncio.Event) -> None:
        await FoldWorker(brokers, options).run(stop)

    run_worker("fold", work)
