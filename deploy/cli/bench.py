"""`catwalk bench`: what it costs, each figure beside its peer in the same run."""

from __future__ import annotations

import os
from collections.abc import Callable
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table as Grid

from benchmarks import analyst, core, rack, replay
from benchmarks.console import searching
from benchmarks.console.pages import measure as measure_pages
from benchmarks.console.queue import measure as measure_queue
from benchmarks.console.searching import measure as measure_console
from benchmarks.console.steps import measure as measure_steps
from benchmarks.console.viewers import measure as measure_viewers
from benchmarks.core import Measurement
from benchmarks.hands import revenue
from benchmarks.live import measure as live
from benchmarks.live.measure import AtRate
from benchmarks.patterns import power
from benchmarks.patterns.finding import chosen
from benchmarks.pipeline_fold import measure_fold
from benchmarks.pipeline_producer import measure_producer
from benchmarks.pipeline_sink import measure_sink
from benchmarks.replay import Cost
from deploy.cli.options import FILE, PATH
from deploy.configured.kafka import connection
from deploy.configured.workers import brokers_of, require_distributed
from deploy.errors import UserError
from deploy.private_files import files_of_the_user
from deploy.progress import progress
from deploy.settings import load
from processors.runtime.watch.logs import quiet
from schemas.amounts import amount

EPILOG = """\b
Example:
  catwalk bench core
  catwalk bench replay --long 0 --json figures.json
  eval "$(catwalk stack env)" && catwalk bench pipeline
  catwalk bench console --rounds 1000000 --long 0
  catwalk bench patterns --only counting --seeds 1
  catwalk bench live --rate 100 --rate 3000 --seconds 60 --tables 100
"""
BESIDE = Path(__file__).resolve().parents[2] / "examples"  # those of a checkout, wherever one stands


class Bench(Struct):
    """What one benchmark found: figures beside their peers, remarks, and the dearest checks where it looks at them.

    `rates` is what a whole property came to at each rate of events.
    """

    figures: list[Measurement]
    notes: list[str] = []
    dearest: list[Cost] = []
    rates: list[AtRate] = []


class Given(Struct, frozen=True):
    """What was asked for: where streams lie, events of the long record; rates, seconds, tables of the property.

    `rounds` are those of the store that the console searches, or whose revenue is asked for. Of the patterns those
    are played that `only` names, all if it is empty, at `seeds`, by so many processes.
    """

    streams: Path
    long: int
    rates: tuple[int, ...]
    seconds: float
    tables: int
    rounds: int
    only: tuple[str, ...] = ()
    seeds: range = range(0)
    jobs: int = 1


def _replay(given: Given) -> Bench:
    measured = replay.measure(given.streams, given.long)
    return Bench(measured.figures, measured.notes, measured.dearest)


def _pipeline(given: Given) -> Bench:
    settings = load().values
    require_distributed(settings, "bench pipeline")
    quiet()
    peers = os.environ.get(PEERS_PYTHON, "")
    left_out = f"quixstreams and arroyo are left out: name a Python that has them in {PEERS_PYTHON}"
    produced = measure_producer(connection(settings), given.streams)
    figures, more = measure_fold(brokers_of(settings), given.streams, peers)
    return Bench([*produced, *figures], [*more, *([] if peers else [left_out])])


def _sink(_given: Given) -> Bench:
    settings = load().values
    require_distributed(settings, "bench sink")
    return Bench(*measure_sink(settings))


def _live(given: Given) -> Bench:
    quiet()
    return Bench([], rates=live.measure(load().values, given.rates, given.seconds, given.tables))


def _console(given: Given) -> Bench:
    """The quick figures first, each told as soon as it is there; what takes a full store comes last."""
    streams = given.streams
    phases: dict[str, Callable[[], searching.Measured]] = {
        "the queue with thousands of open alerts": measure_queue,
        "the steps of a hand": lambda: measure_steps(streams),
        "the first row of the alerts": measure_pages,
        "what viewers cost": measure_viewers,
        f"searches among {amount(given.rounds, 'round')}": lambda: measure_console(
            streams, given.rounds, given.long, _say
        ),
    }
    found = Bench([])
    for name, phase in phases.items():
        _say(name)
        figures, notes = phase()
        for one in figures:
            _say(f"{one.name}: {one.value:,.1f} {one.unit}")
        found.figures += figures
        found.notes += notes
    return found


def _say(text: str, bench: str = "console") -> None:
    """What is being done, at once: a run takes minutes, and may be ended before its tables are printed."""
    click.echo(f"{bench}: {text}", err=True)


def _patterns(given: Given) -> Bench:
    with TemporaryDirectory() as folder, progress("patterns", None, "scenarios") as advance:
        rows = power.measure(Path(folder) / "played.ndjson", given.only, given.seeds, given.jobs, advance)
    late = [
        f"{row.scenario}: {row.in_time} of {row.seeds} in time" for row in rows if row.in_time < row.seeds
    ]
    suite = f"only {', '.join(given.only)}" if given.only else "the suite of `catwalk simulate`"
    played = f"{amount(len(given.seeds), 'seed')} of each scenario, {suite}"
    return Bench(power.figures(rows), [played, *power.by_family(rows), *late])


BENCHES: dict[str, Callable[[Given], Bench]] = {
    "core": lambda given: Bench(core.measure(given.streams)),
    "replay": _replay,
    "rack": lambda _given: Bench(rack.figures()),
    "pipeline": _pipeline,
    "sink": _sink,
    "live": _live,
    "analyst": lambda given: Bench(*analyst.measure(given.streams)),
    "console": _console,
    "revenue": lambda given: Bench(
        *revenue.measure(given.streams, given.rounds, partial(_say, bench="revenue"))
    ),
    "patterns": _patterns,
}
ALWAYS = ("core", "replay")  # the others need servers, or some minutes
SEEDS = 3
PEERS_PYTHON = "BENCH_PEERS_PYTHON"


@click.command("bench", epilog=EPILOG)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--json", "target", type=FILE, help="Write the figures here too.")
@click.option("--streams", default=BESIDE, type=PATH, help="Streams.")
@click.option(
    "--long", default=1_000_000, help="replay, console: events of the long record; 0 leaves it out."
)
@click.option(
    "--rounds",
    type=click.IntRange(1_000),
    help=f"console, revenue: rounds in the store.  [default: {searching.ROUNDS:,}]",
)
@click.option(
    "--rate", "rates", type=click.IntRange(1), multiple=True,
    help=f"live: events a second in all; several are measured in turn.  [default: {', '.join(map(str, live.RATES))}]",
)  # fmt: skip
@click.option(
    "--seconds", type=click.FloatRange(1), help=f"live: of each rate.  [default: {live.SECONDS:.0f}]"
)
@click.option("--tables", type=click.IntRange(1), help=f"live: how many play.  [default: {live.TABLES}]")
@click.option(
    "--only", multiple=True, metavar="NAME",
    help="patterns: only this pattern, scenario or family; several add up.  [default: the whole suite]",
)  # fmt: skip
@click.option(
    "--seeds", type=click.IntRange(1), help=f"patterns: seeds of each scenario.  [default: {SEEDS}]"
)
@click.option("--first", type=click.IntRange(0), help="patterns: the first seed.  [default: 1]")
@click.option("--jobs", type=click.IntRange(1), help="patterns: processes.  [default: one a processor]")
def command(
    names: tuple[str, ...],
    target: Path | None,
    streams: Path,
    long: int,
    rounds: int | None,
    rates: tuple[int, ...],
    seconds: float | None,
    tables: int | None,
    only: tuple[str, ...],
    seeds: int | None,
    first: int | None,
    jobs: int | None,
) -> None:
    """Measure; every figure stands beside its peer of the same run, and their ratio.

    Benchmarks are `core` and `replay`, which are measured if no NAME is given, `rack`, `pipeline`, `sink`, `live`,
    `analyst`, `console`, `revenue` and `patterns`.

    `live` runs a whole property, gateway, fold, sink and analyst, at a rate of events, and says what each process and
    each event cost, and how soon results were there. It starts servers of its own unless the mode is distributed.

    `console` tells each figure on stderr as soon as it is there: the queue in Chromium first, which takes some minutes,
    then searches in a store that is made for it, which takes ten times as long for ten times the rounds. `revenue` asks
    such a store for the statement of a day, a month and a year.

    `patterns` plays simulated patterns and look-alikes, and says when each was found beside what is stated. The whole
    suite takes long: `--only counting` (a family), `counter_ramp` (a pattern) or `counter_ramp_4` (a scenario).
    """
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        raise UserError(f"bench {unknown[0]}", "no such benchmark", f"there are: {', '.join(BENCHES)}")
    if "live" not in names and (rates or seconds or tables):
        what = "--rate, --seconds and --tables"
        raise UserError(what, "they are asked of `live` alone", "`catwalk bench live`")
    if rounds and not {"console", "revenue"}.intersection(names):
        raise UserError("--rounds", "it is asked of `console` and `revenue` alone", "`catwalk bench console`")
    if "patterns" not in names and (only or seeds or first is not None or jobs):
        what = "--only, --seeds, --first and --jobs"
        raise UserError(what, "they are asked of `patterns` alone", "`catwalk bench patterns`")
    _require_known(only)
    if not any(streams.glob("lawful_*.ndjson")):
        why = "no lawful_*.ndjson streams to measure on"
        raise UserError(str(streams), why, "name a folder with --streams")
    given = Given(
        streams,
        long,
        rates or live.RATES,
        seconds or live.SECONDS,
        live.TABLES if tables is None else tables,
        rounds or searching.ROUNDS,
        only,
        range(begin := 1 if first is None else first, begin + (seeds or SEEDS)),
        jobs or os.cpu_count() or 1,
    )
    found = {name: BENCHES[name](given) for name in names or ALWAYS}
    _tell(found)
    if target is not None:
        with files_of_the_user():
            target.write_bytes(msgspec.json.format(msgspec.json.encode(_as_json(found))) + b"\n")


def _tell(found: dict[str, Bench]) -> None:
    console = Console(width=120)
    if any(bench.figures for bench in found.values()):
        console.print(_figures(found))
    for name, bench in found.items():
        for at_rate in bench.rates:
            console.print(_rate(at_rate))
        if bench.dearest:
            console.print(_dearest(name, bench.dearest))
        for note in bench.notes:
            click.echo(f"{name}: {note}")


def _require_known(only: tuple[str, ...]) -> None:
    """Raise UserError where a name is of no pattern, scenario or family."""
    known = {name for title, pattern, _ in chosen([]) for name in (title, pattern.name, pattern.family)}
    for name in only:
        if name not in known:
            near = get_close_matches(name, sorted(known), 3)
            remedy = f"did you mean {' or '.join(near)}?" if near else "docs/power.md names them all"
            raise UserError(f"--only {name}", "no pattern, scenario or family is called so", remedy)


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


def _rate(found: AtRate) -> Grid:
    title = f"live: {found.rate:,} events/s of {amount(found.tables, 'table')}, {found.seconds:.0f} s"
    grid = Grid("figure", "in all", "of it", title=title)
    shares = ", ".join(f"{name} {share:.3f}" for name, share in found.processor.items())
    grid.add_row("processor, cores (in all: gateway and workers)", f"{found.workers:.3f}", shares)
    for name, sizes in (
        ("Kafka, bytes an event", found.kafka),
        ("ClickHouse, bytes an event", found.clickhouse),
    ):
        parts = ", ".join(f"{one.removeprefix('catwalk.')} {size:,.0f}" for one, size in sizes.items())
        grid.add_row(name, f"{sum(sizes.values()):,.0f}", parts)
    for name, spread in (("event to topic, ms", found.on_topic), ("event to ClickHouse, ms", found.in_store)):
        said = f"p50 {spread.p50:,.0f}, p95 {spread.p95:,.0f}, p99 {spread.p99:,.0f}"
        lost = f", {spread.lost} never seen" if spread.lost else ""
        grid.add_row(name, amount(spread.results, "result"), said + lost)
    grid.add_row("handed over late, ms at most", f"{found.late:,.0f}", "counted in both")
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
        "rates": [
            {"bench": name, "workers": round(one.workers, 3), **msgspec.to_builtins(one)}
            for name, bench in found.items()
            for one in bench.rates
        ],
        "notes": [f"{name}: {note}" for name, bench in found.items() for note in bench.notes],
    }
