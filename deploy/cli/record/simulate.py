"""`catwalk simulate`: contract streams of simulated tables, one file a table."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deploy.cli.options import FOLDER, output_format
from deploy.errors import UserError
from deploy.private_files import files_of_the_user
from deploy.progress import progress
from producers.simulator.floor.setup import BLACKJACK, RULESETS

if TYPE_CHECKING:
    from producers.simulator.floor.session import Scenario
    from schemas.values import Ruleset

EPILOG = """\b
Example:
  catwalk simulate --out tables --tables 5 --rounds 200 --seed 1
  catwalk simulate --scenario list
  catwalk replay tables --out out

\b
The same arguments give the same bytes. Without --ruleset the tables take turns
over all rulesets that the scenario can be played under. A file that is there
already is replaced.
"""
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
@output_format()
def command(
    out: Path | None, tables: int, rounds: int, seed: int, ruleset: Ruleset | None, name: str, form: str
) -> None:
    """Write contract streams of simulated tables: DIR/<table>.ndjson, several gaming days if need be."""
    if name == "list":
        click.echo(_listed(form))
        return
    if out is None:
        raise UserError("--out", "no folder was given for the streams", "add `--out DIR`")
    scenario = _scenario(name)
    if ruleset is not None and ruleset not in scenario.rulesets:
        remedy = f"choose {', '.join(scenario.rulesets)}"
        raise UserError(f"scenario {name}", f"is not played under {ruleset}", remedy)
    from producers.simulator.floor.gaming_floor import gaming_floor, seed_of
    from producers.simulator.floor.session import simulate_table

    rulesets = (ruleset,) if ruleset is not None else scenario.rulesets
    click.get_current_context().with_resource(files_of_the_user())
    out.mkdir(parents=True, exist_ok=True)
    written: list[dict[str, str | int]] = []
    with progress("simulate", tables * rounds, "rounds") as advance:
        for setup in gaming_floor(tables, seed, rulesets):
            path = out / f"{setup.subject}.ndjson"
            lines = simulate_table(setup, rounds, seed_of(seed, setup.subject), scenario)
            events = _write_stream(path, lines, advance)
            written.append({"file": str(path), "events": events, "bytes": path.stat().st_size})
    click.echo(json.dumps(written, indent=1) if form == "json" else _as_text(written, rounds))


def _write_stream(path: Path, lines: Iterator[bytes], advance: Callable[[int], None]) -> int:
    """Write a stream beside its place and move it there whole; return its number of events."""
    unfinished = path.with_suffix(".ndjson.partial")
    events = 0
    try:
        with unfinished.open("wb") as file:
            while chunk := list(islice(lines, _LINES_A_WRITE)):
                file.write(b"\n".join(chunk) + b"\n")
                events += len(chunk)
                advance(sum(b'"type":"catwalk.v1.round_started"' in line for line in chunk))
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return events


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


def _as_text(written: list[dict[str, str | int]], rounds: int) -> str:
    width = max(len(str(row["file"])) for row in written)
    rows = [f"{row['file']!s:{width}}  {row['events']:>11,} events" for row in written]
    events = sum(int(row["events"]) for row in written)
    size = sum(int(row["bytes"]) for row in written) / 1e6
    total = f"{len(written)} tables, {rounds:,} rounds each, {events:,} events, {size:,.1f} MB"
    return "\n".join([*rows, total])
