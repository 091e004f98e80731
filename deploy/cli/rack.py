"""`catwalk rack`: every lawful reconstruction of a discard rack."""

from __future__ import annotations

import time
from pathlib import Path

import click

from deploy.cli.errors import UserError
from processors.rack import LIMIT, ProblemError, RackProblem, decode_problem, encode_answer, solve

EPILOG = """\b
Example:
  catwalk rack problem.json
  catwalk rack problem.json --limit 1000 --seconds 10

\b
The least that a problem says, bottom card first, `??` for one that cannot be read:
  {"ruleset": "free_bet_672a", "table": {data of table_configured},
   "rack": ["Th", "6c", "Kd", "9s", "8h", "7c"]}
Also, if known: "seats", "drawn", "known", "upcard", "surrendered", "early".
"""


@click.command("rack", epilog=EPILOG)
@click.argument("problem_file", type=click.Path(path_type=Path, dir_okay=False), metavar="PROBLEM.json")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=LIMIT,
    show_default=True,
    help="Stop at this many reconstructions.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    help="Stop after this time.",
)
def command(problem_file: Path, limit: int, seconds: float) -> None:
    """List every lawful reconstruction of one round's cards in the discard rack, as JSON on stdout.

    Where none is lawful, `nearest` departs from the rules least and cites what it breaks.
    """
    problem = _read(problem_file)
    stated = problem.table.ruleset
    if stated is not None and stated != problem.ruleset:
        click.echo(
            f"catwalk: {problem_file}: the table's data say {stated}; read as {problem.ruleset}", err=True
        )
    deadline = time.monotonic() + seconds
    answer = solve(problem, limit=limit, expired=lambda: time.monotonic() > deadline)
    click.echo(encode_answer(answer))


def _read(path: Path) -> RackProblem:
    try:
        return decode_problem(path.read_bytes())
    except ProblemError as error:
        raise UserError(
            str(path), f"{error.reason} at {error.path}", "see `catwalk rack --help` for the fields"
        ) from error
