"""`catwalk rack`: every lawful reconstruction of a discard rack."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from deploy.cli.options import FILE
from deploy.errors import UserError
from processors.rack.proving.whole import decode_whole, divide, encode_whole, is_whole
from processors.rack.solving import LIMIT, ProblemError, decode_problem, encode_answer, solve

EPILOG = """\b
Example:
  catwalk rack problem.json
  catwalk rack problem.json --limit 1000 --seconds 10

\b
The least that a problem says, bottom card first, `??` for one that cannot be read:
  {"ruleset": "free_bet_672a", "table": {data of table_configured},
   "rack": ["Th", "6c", "Kd", "9s", "8h", "7c"]}
Also, if known: "seats", "drawn", "known", "upcard", "surrendered", "early".
A whole rack has "whole_rack" and "rounds": [{what is known of each, "burnt" cards below it}].
"""
_T = TypeVar("_T")


@click.command("rack", epilog=EPILOG)
@click.argument("problem_file", type=FILE, metavar="PROBLEM.json")
@click.option("--limit", type=click.IntRange(min=1), default=LIMIT, help="Stop at this many reconstructions.")
@click.option(
    "--seconds", type=click.FloatRange(min=0, min_open=True), default=60.0, help="Stop after this time."
)
def command(problem_file: Path, limit: int, seconds: float) -> None:
    """List every lawful reconstruction of the discard rack of one round, or of a whole shoe, as JSON on stdout.

    Where none is lawful, `nearest` departs from the rules least and cites what it breaks.
    """
    deadline = time.monotonic() + seconds
    data = problem_file.read_bytes()
    if is_whole(data):
        whole = _read(problem_file, data, decode_whole)
        click.echo(encode_whole(divide(whole, limit=limit, expired=lambda: time.monotonic() > deadline)))
        return
    problem = _read(problem_file, data, decode_problem)
    stated = problem.table.ruleset
    if stated is not None and stated != problem.ruleset:
        read = f"the table's data say {stated}; read as {problem.ruleset}"
        click.echo(f"catwalk: {problem_file}: {read}", err=True)
    answer = solve(problem, limit=limit, expired=lambda: time.monotonic() > deadline)
    click.echo(encode_answer(answer))


def _read(path: Path, data: bytes, decode: Callable[[bytes], _T]) -> _T:
    try:
        return decode(data)
    except ProblemError as error:
        remedy = "see `catwalk rack --help` for the fields"
        raise UserError(str(path), f"{error.reason} at {error.path}", remedy) from error
