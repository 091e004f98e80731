"""`catwalk analyst`: one worker that counts rounds and findings, and weighs what tables tell of people."""

from __future__ import annotations

import click

from deploy.cli.options import health_port, member, session
from deploy.configured.workers import brokers_of, require_distributed, run_worker
from deploy.settings import load
from processors.runtime.analyst.worker import AnalystWorker, AnalystWorkerOptions

EPILOG = """\b
Example:
  eval "$(catwalk stack env)"
  catwalk analyst

\b
Counts by gaming day, table, ruleset and dealer: rounds, stakes, errors in both
directions, money, pace, findings. Weighs what all tables tell of each dealer and player,
and raises what it suspects. Scale by starting more. Logs are JSON lines on
stderr; /healthz, /readyz and /metrics are on --health-port.
"""


@click.command("analyst", epilog=EPILOG)
@member("partitions")
@session
@health_port
def command(member: str | None, session: float, health_port: int | None) -> None:
    """Count rounds and findings, and look for patterns of dealers and players."""
    settings = load({"health_port": health_port}).values
    require_distributed(settings, "analyst")
    options = AnalystWorkerOptions(
        member=member,
        session_seconds=session,
        health_host=settings.health_host,
        health_port=settings.health_port,
    )

    run_worker("analyst", lambda stop: AnalystWorker(brokers_of(settings), options).run(stop))
