"""`catwalk bench`: what it costs, each figure beside its peer in the same run."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table as Grid

from benchmarks.core import Figure, measure, replay_memory
from benchmarks.pipeline_fold import measure_fold
from deploy.cli.errors import UserError
from deploy.cli.settings import load
from deploy.workers import brokers_of, require_distributed

EPILOG = """\b
Example:
  catwalk bench core
  catwalk bench core --json figures.json
  eval "$(catwalk stack env)" && catwalk bench pipeline
"""
STREAMS = Path("examples")


def _core(streams: Path, long: int) -> tuple[list[Figure], list[str]]:
    figures = measure(streams)
    if not long:
        return figures, []
    events, seconds, megabytes = replay_memory(streams, long)
    rate = events / seconds
    return figures, [
        f"replay of one stream of {events:,} events: {megabytes:,.0f} MB peak resident, {rate:,.0f} events/s with files"
    ]


def _pipeline(streams: Path, long: int) -> tuple[list[Figure], list[str]]:  # noqa: ARG001 - one signature for all
    settings = load().values
    require_distributed(settings, "bench pipeline")
    peers = os.environ.get(PEERS_PYTHON, "")
    notes = (
        []
        if peers
        else [f"quixstreams and arroyo are left out: name a Python that has them in {PEERS_PYTHON}"]
    )
    return measure_fold(brokers_of(settings), streams, peers), notes


BENCHES: dict[str, Callable[[Path, int], tuple[list[Figure], list[str]]]] = {
    "core": _core,
    "pipeline": _pipeline,
}
ALWAYS = ("core",)  # the others need servers
PEERS_PYTHON = "BENCH_PEERS_PYTHON"


@click.command("bench", epilog=EPILOG)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--json",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the figures here too.",
)
@click.option(
    "--streams",
    default=STREAMS,
    show_default=True,
    type=click.Path(path_type=Path),
    help="Streams.",
)
@click.option(
    "--long", default=1_000_000, show_default=True, help="Events of the long replay; 0 leaves it out."
)
def command(names: tuple[str, ...], target: Path | None, streams: Path, long: int) -> None:
    """Measure; every figure stands beside its peer of the same run, and their ratio."""
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        raise UserError(f"bench {unknown[0]}", "no such benchmark", f"there are: {', '.join(BENCHES)}")
    if not any(streams.glob("lawful_*.ndjson")):
        raise UserError(
            str(streams), "no lawful_*.ndjson streams to measure on", "name a folder with --streams"
        )
    grid = Grid("figure", "value", "peer", "peer's value", "ratio", title="catwalk bench")
    kept: list[dict[str, object]] = []
    notes: list[str] = []
    for name in names or ALWAYS:
        figures, more = BENCHES[name](streams, long)
        notes += more
        for figure in figures:
            grid.add_row(
                f"{name}: {figure.name}",
                f"{figure.value:,.0f} {figure.unit}",
                figure.peer,
                f"{figure.peer_value:,.0f} {figure.unit}",
                f"{figure.ratio:.2f}",
            )
            kept.append({"bench": name, **msgspec.to_builtins(figure), "ratio": figure.ratio})
    Console(width=120).print(grid)
    for note in notes:
        click.echo(note)
    if target is not None:
        target.write_bytes(
            msgspec.json.format(msgspec.json.encode({"figures": kept, "notes": notes})) + b"\n"
        )
