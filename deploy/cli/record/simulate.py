"""`catwalk simulate`: contract streams of simulated tables, one file a table."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from deploy.cli.options import FOLDER, output_format
from deploy.cli.record.noise import lines_with_truth, listed_noise, rates_of
from deploy.cli.record.patterns import EXPECT, chosen, listed_patterns, written
from deploy.errors import UserError
from deploy.private_files import files_of_the_user
from deploy.progress import progress
from producers.simulator.floor.setup import BLACKJACK, RULESETS
from schemas.amounts import amount

if TYPE_CHECKING:
    from producers.simulator.noise.words import Entry
    from producers.simulator.session import Scenario
    from schemas.values import Ruleset

EPILOG = """\b
Example:
  catwalk simulate --out tables --tables 5 --rounds 200 --seed 1
  catwalk simulate --scenario list
  catwalk simulate --out tables --noise placements=1% --noise silent_rack=0.1
  catwalk simulate --out tables --pattern overpays=0.05 --pattern honest_errors
  catwalk replay tables --out out

\b
The same arguments give the same bytes. Without --ruleset the tables take turns
over all rulesets that the scenario can be played under. A file that is there
already is replaced.

\b
--noise KIND=RATE records the play through a bad sensor. RATE is a share such as
0.01 or 1%, of words or of time: `--noise list` says of which. Each kind may be
given once. The record stays a whole chain; DIR/<table>.noise.jsonl is the truth,
a line for each word that the noise met. A replay says how many words are missing.

\b
--pattern NAME[=SIZE] plays tables at which something is done that no single round
shows, or honest ones that only look like it, each to DIR/<scenario>/<table>.ndjson;
DIR/expect.json is the truth: the family, whom it is about, by when it should be
found. It may be given several times; `all` plays every one at every stated size.
"""
Written = dict[str, Any]  # file, events, bytes; with noise also its `truth`, and `noise`: words met, by kind
_LINES_A_WRITE = 512


@click.command("simulate", epilog=EPILOG)
@click.option("--out", type=FOLDER, metavar="DIR", help="Where the streams go.")
@click.option("--tables", type=click.IntRange(1, 999), default=1, help="Gaming tables.")
@click.option("--rounds", type=click.IntRange(min=1), default=100, help="Rounds at each table.")
@click.option("--seed", type=int, default=1, help="Another seed, other streams.")
@click.option("--ruleset", type=click.Choice(RULESETS), help="Every table under this one.")
@click.option(
    "--scenario", "name", default="lawful", show_default=False, metavar="NAME",
    help="What happens; `list` lists.",
)  # fmt: skip
@click.option(
    "--noise", multiple=True, metavar="KIND=RATE", help="A bad sensor, 0 to 1 or 0% to 100%; `list` lists."
)
@click.option(
    "--pattern", "patterns", multiple=True, metavar="NAME[=SIZE]",
    help="Something that no single round shows; `list` lists.",
)  # fmt: skip
@output_format()
def command(
    out: Path | None,
    tables: int,
    rounds: int,
    seed: int,
    ruleset: Ruleset | None,
    name: str,
    noise: tuple[str, ...],
    patterns: tuple[str, ...],
    form: str,
) -> None:
    """Write contract streams of simulated tables: DIR/<table>.ndjson, several gaming days if need be."""
    from producers.simulator.noise.kinds import through

    if name == "list":
        click.echo(_listed(form))
        return
    if "list" in noise:
        click.echo(listed_noise(form))
        return
    if "list" in patterns:
        click.echo(listed_patterns(form))
        return
    if out is None:
        raise UserError("--out", "no folder was given for the streams", "add `--out DIR`")
    if patterns:
        _play_patterns(patterns, out, seed, form)
        return
    scenario, rates = _scenario(name), rates_of(noise)
    if ruleset is not None and ruleset not in scenario.rulesets:
        remedy = f"choose {', '.join(scenario.rulesets)}"
        raise UserError(f"scenario {name}", f"is not played under {ruleset}", remedy)
    from producers.simulator.floor.gaming_floor import gaming_floor, seed_of
    from producers.simulator.session import simulate_table

    rulesets = (ruleset,) if ruleset is not None else scenario.rulesets
    click.get_current_context().with_resource(files_of_the_user())
    out.mkdir(parents=True, exist_ok=True)
    written: list[Written] = []
    with progress("simulate", tables * rounds, "rounds") as advance:
        for setup in gaming_floor(tables, seed, rulesets):
            path = out / f"{setup.subject}.ndjson"
            table_seed = seed_of(seed, setup.subject)
            lines = simulate_table(setup, rounds, table_seed, scenario)
            row: Written = {"file": str(path)}
            truth = path.with_suffix(".noise.jsonl")
            truth.unlink(missing_ok=True)  # an earlier stream's would be none of this one's
            if rates:
                heard = through(lines, rates, table_seed)
                row |= _write_noisy(path, truth, heard, Counter(dict.fromkeys(rates, 0)), advance)
            else:
                row["events"] = _write_stream(path, lines, advance)
            written.append(row | {"bytes": path.stat().st_size})
    click.echo(json.dumps(written, indent=1) if form == "json" else _as_text(written, rounds))


def _play_patterns(patterns: tuple[str, ...], out: Path, seed: int, form: str) -> None:
    """Write the streams of patterns; a pattern has its own tables, rulesets and devices."""
    context = click.get_current_context()
    own = {"tables": "tables", "ruleset": "ruleset", "name": "scenario", "noise": "noise"}
    for parameter, option in own.items():
        if context.get_parameter_source(parameter) is not ParameterSource.DEFAULT:
            why = f"a pattern has its own {option if option.endswith('s') else option + 's'}"
            raise UserError(f"--{option}", f"it does not go with --pattern: {why}", f"leave --{option} out")
    scenarios = chosen(patterns)
    given = context.get_parameter_source("rounds") is not ParameterSource.DEFAULT
    rounds = context.params["rounds"] if given else None
    context.with_resource(files_of_the_user())
    out.mkdir(parents=True, exist_ok=True)
    total = sum((rounds or stated.rounds) * pattern.tables for _, pattern, stated in scenarios)
    with progress("simulate", total, "rounds") as advance:
        rows = written(scenarios, out, seed, rounds, lambda path, lines: _write_stream(path, lines, advance))
    if form == "json":
        click.echo(json.dumps(rows, indent=1))
        return
    width = max(len(row["file"]) for row in rows)
    for row in rows:
        click.echo(f"{row['file']:{width}}  {amount(row['events'], 'event'):>18}")
    said = f"{amount(len(scenarios), 'scenario')}, {amount(total, 'round')}"
    click.echo(f"{said}; what is true of them is in {out / EXPECT}")


def _write_noisy(
    path: Path, truth: Path, heard: Iterator[Entry], met: Counter[str], advance: Callable[[int], None]
) -> Written:
    """Write a stream as bad sensors leave it, and the truth about them beside it; what the summary says of both."""
    with _unfinished(truth) as file:
        events = _write_stream(path, lines_with_truth(heard, file, met), advance)
    return {"events": events, "truth": str(truth), "noise": dict(met)}


def _write_stream(path: Path, lines: Iterator[bytes], advance: Callable[[int], None]) -> int:
    """Write a stream beside its place and move it there whole; return its number of events."""
    events = 0
    with _unfinished(path) as file:
        while chunk := list(islice(lines, _LINES_A_WRITE)):
            file.write(b"\n".join(chunk) + b"\n")
            events += len(chunk)
            advance(sum(b'"type":"catwalk.v1.round_started"' in line for line in chunk))
    return events


@contextmanager
def _unfinished(path: Path) -> Iterator[IO[bytes]]:
    """A file beside its place, moved there once it is whole; nothing of it stays if it never is."""
    partial = path.with_suffix(f"{path.suffix}.partial")
    try:
        with partial.open("wb") as file:
            yield file
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _scenario(name: str) -> Scenario:
    from producers.simulator.scenarios.catalogue import CATALOGUE

    if name not in CATALOGUE:
        raise UserError(f"scenario {name}", "there is none of that name", "see `--scenario list`")
    return CATALOGUE[name]


def _listed(form: str) -> str:
    from producers.simulator.scenarios.catalogue import CATALOGUE

    if form == "json":
        shown = ("rulesets", "summary", "breaks")
        rows = [
            {"name": name} | {field: getattr(scenario, field) for field in shown}
            for name, scenario in CATALOGUE.items()
        ]
        return json.dumps(rows, indent=1)
    width = max(map(len, CATALOGUE))
    return "\n".join(
        f"{name:{width}}  {scenario.summary.rstrip('.')} ({_under(scenario)})"
        for name, scenario in CATALOGUE.items()
    )


def _under(scenario: Scenario) -> str:
    if set(scenario.rulesets) == set(RULESETS):
        return "all rulesets"
    return "all blackjack" if set(scenario.rulesets) == set(BLACKJACK) else ", ".join(scenario.rulesets)


def _as_text(written: list[Written], rounds: int) -> str:
    width = max(len(row["file"]) for row in written)
    rows = [f"{row['file']:{width}}  {amount(row['events'], 'event'):>18}{_met(row)}" for row in written]
    events = sum(row["events"] for row in written)
    size = sum(row["bytes"] for row in written) / 1e6
    total = f"{amount(len(written), 'table')}, {amount(rounds, 'round')} each, "
    total += f"{amount(events, 'event')}, {size:,.1f} MB"
    if any("truth" in row for row in written):
        total += "; what the noise met is in the .noise.jsonl beside each"
    return "\n".join([*rows, total])


def _met(row: Written) -> str:
    """What noise did at a table, by kind."""
    counts = ", ".join(f"{count:,} {name}" for name, count in row.get("noise", {}).items())
    return f", words met by noise: {counts}" if counts else ""
