"""`catwalk bench`: what it costs, each figure beside its peer in the same run."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import click
import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table as Grid

from benchmarks import analyst, core, rack, replay
from benchmarks.console import measure as measure_console
from benchmarks.console_pages import measure as measure_pages
from benchmarks.console_steps import measure as measure_steps
from benchmarks.console_viewers import measure as measure_viewers
from benchmarks.core import Figure
from benchmarks.pipeline_fold import measure_fold
from benchmarks.pipeline_producer import measure_producer
from benchmarks.pipeline_sink import measure_sink
from benchmarks.replay import Cost
from deploy.cli.options import FILE, PATH
from deploy.configured.kafka import connection
from deploy.configured.workers import brokers_of, require_distributed
from deploy.errors import UserError
from deploy.private_files import files_of_the_user
from deploy.settings import load
from processors.runtime.watch.logs import quiet

EPILOG = """\b
Example:
  catwalk bench core
  catwalk bench replay --long 0 --json figures.json
  eval "$(catwalk stack env)" && catwalk bench pipeline
"""
STREAMS = Path("examples")


class Bench(Struct):
    """What one benchmark found: figures beside their peers, remarks, and the dearest checks where it looks at them."""

    figures: list[Figure]
    notes: list[str] = []
    dearest: list[Cost] = []


def _replay(streams: Path, long: int) -> Bench:
    measured = replay.measure(streams, long)
    return Bench(measured.figures, measured.notes, measured.dearest)


def _pipeline(streams: Path, _long: int) -> Bench:
    settings = load().values
    require_distributed(settings, "bench pipeline")
    quiet()
    peers = os.environ.get(PEERS_PYTHON, "")
    left_out = f"quixstreams and arroyo are left out: name a Python that has them in {PEERS_PYTHON}"
    produced = measure_producer(connection(settings), streams)
    figures, more = measure_fold(brokers_of(settings), streams, peers)
    return Bench([*produced, *figures], [*more, *([] if peers else [left_out])])


def _sink(_streams: Path, _long: int) -> Bench:
    settings = load().values
    require_distributed(settings, "bench sink")
    return Bench(*measure_sink(settings))


def _console(streams: Path, _long: int) -> Bench:
    measured = (measure_console(streams), measure_pages(), measure_steps(streams), measure_viewers())
    figures = [figure for found, _ in measured for figure in found]
    return Bench(figures, [note for _, said in measured for note in said])


BENCHES: dict[str, Callable[[Path, int], Bench]] = {
    "core": lambda streams, _long: Bench(core.measure(streams)),
    "replay": _replay,
    "rack": lambda _streams, _long: Bench(rack.figures()),
    "pipeline": _pipeline,
    "sink": _sink,
    "analyst": lambda streams, _long: Bench(*analyst.measure(streams)),
    "console": _console,
}
ALWAYS = ("core", "replay")  # the others need servers, or a minute
PEERS_PYTHON = "BENCH_PEERS_PYTHON"


@click.command("bench", epilog=EPILOG)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--json", "target", type=FILE, help="Write the figures here too.")
@click.option("--streams", default=STREAMS, type=PATH, help="Streams.")
@click.option("--long", default=1_000_000, help="Events of the long replay; 0 leaves it out.")
def command(names: tuple[str, ...], target: Path | None, streams: Path, long: int) -> None:
    """Measure; every figure stands beside its peer of the same run, and their ratio."""
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        raise UserError(f"bench {unknown[0]}", "no such benchmark", f"there are: {', '.join(BENCHES)}")
    if not any(streams.glob("lawful_*.ndjson")):
        why = "no lawful_*.ndjson streams to measure on"
        raise UserError(str(streams), why, "name a folder with --streams")
    found = {name: BENCHES[name](streams, long) for name in names or ALWAYS}
    console = Console(width=120)
    console.print(_figures(found))
    for name, bench in found.items():
        if bench.dearest:
            console.print(_dearest(name, bench.dearest))
        for note in bench.notes:
            click.echo(f"{name}: {note}")
    if target is not None:
        with files_of_the_user():
            target.write_bytes(msgspec.json.format(msgspec.json.encode(_as_json(found))) + b"\n")


def _figures(found: dict[str, Bench]) -> Grid:
    grid = Grid("figure", "value", "peer", "peer's value", "ratio", title="catwalk bench")
    for name, bench in found.items():
        for figure in bench.figures:
            value, peers = (f"{each:,.0f} {figure.unit}" for each in (figure.value, figure.peer_value))
            grid.add_row(f"{name}: {figure.name}", value, figure.peer, peers, f"{figure.ratio:.3f}")
    return grid


def _dearest(name: str, costs: list[Cost]) -> Grid:
    grid = Grid("check", "us an event", "calls", "part of all checks", title=f"{name}: the dearest checks")
    for cost in costs:
        grid.add_row(cost.check, f"{cost.microseconds:.2f}", f"{cost.calls:,}", f"{cost.share:.1%}")
    return grid


def _as_json(found: dict[str, Bench]) -> dict[str, object]:
    return {
        "figures": [
            {"bench": name, **msgspec.to_builtins(figure), "ratio": figure.ratio}
            for name, bench in found.items()
            for figure in bench.figures
        ],
        "dearest": [
            {"bench": name, **msgspec.to_builtins(cost)}
            for name, bench in found.items()
            for cost in bench.dearest
        ],
        "notes": [f"{name}: {note}" for name, bench in found.items() for note in bench.notes],
    }
