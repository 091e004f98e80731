"""`catwalk stack`: a real Kafka broker and a real ClickHouse server on this machine."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Literal

import click
import msgspec

from deploy.cli.options import FOLDER, as_json, output_format
from deploy.errors import FOUND, UserError
from deploy.private_files import keep_private
from deploy.settings import load
from deploy.stack.stack import CLICKHOUSE_PORT, HEAP, KAFKA_PORT, Running, Stack, StackPlan, planned

EPILOG = """\b
Example:
  catwalk stack up
  eval "$(catwalk stack env)"
  catwalk topics apply && catwalk migrate
  catwalk stack down
"""


@click.group("stack", epilog=EPILOG)
def command() -> None:
    """Run a real Kafka broker and a real ClickHouse server on this machine.

    For trying and testing the distributed way, on the loopback address alone and without users or TLS.
    Linux on x86-64; needs Java 17, and Maven and npm the first time.
    """


_data = click.option(
    "--data", type=FOLDER, help="Folder of the servers' data and logs.  [default: stack in the data folder]"
)


def _stack(data: Path | None) -> Stack:
    folder = data if data is not None else Path(load().values.data) / "stack"
    keep_private(folder)
    return Stack(folder)


@command.command(
    "up", epilog="\b\nExample:\n  catwalk stack up --brokers 3 --kafka-port 0 --clickhouse-port 0\n"
)
@_data
@click.option("--brokers", type=click.Choice(["1", "3"]), help="Kafka brokers.  [default: 1]")
@click.option(
    "--kafka-port", type=click.IntRange(0, 65_530),
    help=f"First of two ports for each broker, one after the other; 0: free ones.  [default: {KAFKA_PORT}]",
)  # fmt: skip
@click.option(
    "--clickhouse-port", type=click.IntRange(0, 65_535),
    help=f"Native port; 0: a free one.  [default: {CLICKHOUSE_PORT}]",
)  # fmt: skip
@click.option("--heap", help=f"Memory of each broker.  [default: {HEAP}]")
def up(
    data: Path | None,
    brokers: str | None,
    kafka_port: int | None,
    clickhouse_port: int | None,
    heap: str | None,
) -> None:
    """Start the servers and return when they answer; started again on the same folder they keep their ports."""
    stack = _stack(data)
    given = (brokers, kafka_port, clickhouse_port, heap)
    if not stack.exists or any(value is not None for value in given):
        stack.prepare(_plan(stack, *given))
    click.echo("up" if stack.up() else "already running", err=True)
    _show(stack.status(), "table")


def _plan(
    stack: Stack, brokers: str | None, kafka_port: int | None, clickhouse_port: int | None, heap: str | None
) -> StackPlan:
    """What was asked for, and for the rest what the folder holds already."""
    known = stack.plan if stack.exists else None
    count: Literal[1, 3] = 3 if (brokers or str(len(known.voters) if known else 1)) == "3" else 1
    first = known.voters[0].port if known else KAFKA_PORT
    wanted = planned(
        count,
        first if kafka_port is None else kafka_port,
        (known.clickhouse_port if known else CLICKHOUSE_PORT) if clickhouse_port is None else clickhouse_port,
        heap or (known.heap if known else HEAP),
    )
    if known and kafka_port is None and len(known.voters) == count:
        return msgspec.structs.replace(wanted, voters=known.voters)
    return wanted


@command.command("down", epilog="\b\nExample:\n  catwalk stack down\n")
@_data
def down(data: Path | None) -> None:
    """Stop the servers; their data stays."""
    stack = _stack(data)
    click.echo("down" if stack.exists and stack.down() else "nothing runs", err=True)


@command.command("status", epilog="\b\nExample:\n  catwalk stack status --format json\n")
@_data
@output_format("Output.")
def status(data: Path | None, form: str) -> None:
    """Say what runs and where; exit status 1 unless every server answers."""
    rows = _stack(data).status()
    _show(rows, form)
    if any(row.state != "up" for row in rows):
        raise SystemExit(FOUND)


@command.command("logs", epilog="\b\nExample:\n  catwalk stack logs kafka-1 --lines 50\n")
@_data
@click.argument("server", required=False)
@click.option("--lines", type=click.IntRange(1), default=20, help="Last lines of each.")
def logs(data: Path | None, server: str | None, lines: int) -> None:
    """Show the last lines of the servers' logs, or of one SERVER's."""
    rows = _stack(data).status()
    chosen = [row for row in rows if server in (None, row.server)]
    if not chosen:
        names = ", ".join(row.server for row in rows)
        raise UserError(f"stack logs: {server}", "no server of that name", f"name one of {names}")
    for row in chosen:
        path = Path(row.log)
        text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
        if len(chosen) > 1:
            click.echo(f"== {row.server}  {row.log}", err=True)
        for line in text.splitlines()[-lines:]:
            click.echo(line)


@command.command("env", epilog='\b\nExample:\n  eval "$(catwalk stack env)"\n')
@_data
def env(data: Path | None) -> None:
    """Print the lines that point every other command at these servers."""
    for name, value in _stack(data).environment().items():
        click.echo(f"export {name}={shlex.quote(value)}")


def _show(rows: tuple[Running, ...], form: str) -> None:
    if form == "json":
        click.echo(as_json(rows))
        return
    for row in rows:
        process = f"process {row.pid}" if row.pid else ""
        click.echo(f"{row.server:<12}{row.state:<10}{row.address:<18}{process}".rstrip())
