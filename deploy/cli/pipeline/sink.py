"""`catwalk sink`: one worker that stores what the topics carry."""

from __future__ import annotations

import asyncio
from contextlib import closing
from functools import partial

import click

from deploy.cli.options import health_port, member, session
from deploy.configured.store import open_store, server
from deploy.configured.workers import brokers_of, require_distributed, run_worker
from deploy.settings import load
from processors.runtime.brokers.preflight import answered
from processors.runtime.brokers.reach import DEADLINE
from processors.runtime.rebuild.begin_again import set_back
from processors.runtime.sink.driver import SinkOptions
from processors.runtime.sink.kept import kept_offsets
from processors.runtime.sink.worker import SinkWorker, SinkWorkerOptions
from processors.runtime.watch.logs import quiet
from schemas.amounts import amount

EPILOG = """\b
Example:
  eval "$(catwalk stack env)"
  catwalk migrate
  catwalk sink
  catwalk sink --set-back

\b
Scale by starting more: each takes a share of the partitions. While ClickHouse is
away nothing is lost: the topics keep it, and alerts go on. A sink whose group has
acknowledged what the store does not hold (a store from a backup, an emptied or
another database) takes nothing and ends with status 2: stop all sinks, run
`catwalk sink --set-back`, start them. Logs are JSON lines on stderr; /healthz,
/readyz and /metrics are on --health-port.
"""


@click.command("sink", epilog=EPILOG)
@member("partitions")
@session
@click.option(
    "--batch", default=50_000, type=click.IntRange(1, 1_000_000), metavar="ROWS",
    help="Most rows that are stored at once.",
)  # fmt: skip
@click.option(
    "--linger", default=0.2, type=click.FloatRange(0.0, 60.0), metavar="SECONDS",
    help="Longest that a row waits for company.",
)  # fmt: skip
@health_port
@click.option(
    "--set-back", "sets_back", is_flag=True,
    help="Set the group back to what the store holds, and end; no sink may run.",
)  # fmt: skip
def command(
    member: str | None, session: float, batch: int, linger: float, health_port: int | None, sets_back: bool
) -> None:
    """Store events, rounds, findings, dead letters, counters and progress in ClickHouse."""
    settings = load({"health_port": health_port}).values
    require_distributed(settings, "sink")
    brokers = brokers_of(settings)
    if sets_back:
        quiet()
        with closing(open_store(settings)) as store:
            kept = kept_offsets(store)
        again = asyncio.run(answered(brokers, lambda: set_back(brokers, kept)))
        click.echo(f"catwalk: sink: {amount(again, 'record')} will be taken again", err=True)
        return
    options = SinkWorkerOptions(
        sink=SinkOptions(batch_rows=batch, linger_seconds=linger),
        member=member,
        session_seconds=session,
        health_host=settings.health_host,
        health_port=settings.health_port,
    )

    made = partial(SinkWorker, brokers, partial(open_store, settings), options)
    look, address = (
        partial(server, settings, DEADLINE),
        f"{settings.clickhouse_host}:{settings.clickhouse_port}",
    )
    run_worker("sink", lambda stop: made(looking=look, store=f"ClickHouse at {address}").run(stop))
