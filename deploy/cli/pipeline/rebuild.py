"""`catwalk rebuild`: fold everything again and compare."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from deploy.cli.options import FOLDER, as_json, output_format
from deploy.errors import FOUND
from deploy.private_files import keep_private
from deploy.settings import load
from processors.runtime.watch.logs import quiet
from schemas.amounts import amount

SHOWN = 20
EPILOG = """\b
Example:
  catwalk rebuild
  catwalk rebuild --workers 2 --seconds 7200
  catwalk rebuild --against /mnt/copies/2026-11-23

\b
The ledger is not touched. Ends with status 1 when the store was not what folding
the ledger gives: edited, cut, or written by another release; with --against also
when the house of that copy had answered otherwise: rounds, hands, stakes, takings,
racks and findings of what was settled then, and the finding of each alert.
"""


@click.command("rebuild", epilog=EPILOG)
@click.option(
    "--workers", default=1, type=click.IntRange(1, 64), metavar="N",
    help="Distributed: fold processes to start.",
)  # fmt: skip
@click.option(
    "--seconds", default=3600.0, type=click.FloatRange(1.0), metavar="S",
    help="Distributed: give up when it takes longer.",
)  # fmt: skip
@click.option(
    "--against", type=FOLDER, metavar="DIR",
    help="Distributed: hold what comes of it against what the house of this backup had answered, too.",
)  # fmt: skip
@output_format()
def command(workers: int, seconds: float, against: Path | None, form: str) -> None:
    """Empty the store, fold the ledger from its beginning, and compare row by row's hash with what was there.

    In the distributed mode stop all workers first: rebuild starts its own, and stops them.
    """
    from deploy.upgrade.rebuild import rebuild  # with the stack's clients, that other commands need not load

    settings = load().values
    keep_private(Path(settings.data))  # the logs of the workers it starts stand there too
    quiet()
    done = rebuild(
        settings, workers, seconds, lambda step: click.echo(f"catwalk: rebuild: {step}", err=True), against
    )
    if form == "json":
        said = {
            "compared": done.compared.rstrip(","),
            "before": done.before,
            "after": done.after,
            "identical": not done.differences,
            "differences": done.differences,
            "unlike_copy": done.unlike_copy,
        }
        click.echo(as_json(said))
    else:
        for name, rows in done.after.items():
            before = done.before[name]
            was = f", {before:,} before" if before != rows else ""
            click.echo(f"{name:<13}{amount(rows, 'row'):>17}{was}")
        _list(done.differences)
        found = "every row is the same"
        if done.differences:
            found = "they differ in what stands above: the store was not what the ledger gives"
        click.echo(f"compared {done.compared} with what the whole ledger, folded again, gives: {found}")
        if done.unlike_copy is not None:
            _list(done.unlike_copy)
            found = "they differ in what stands above" if done.unlike_copy else "every answer is the same"
            click.echo(
                f"compared what the house of {against} had answered with what is answered now: {found}"
            )
    rate = f"{done.events_per_second:,.0f} events/s"
    click.echo(f"{amount(done.after['events'], 'event')} in {done.seconds:.1f} s, {rate}", err=True)
    if done.differences or done.unlike_copy:
        raise SystemExit(FOUND)


def _list(differences: Sequence[str]) -> None:
    for one in differences[:SHOWN]:
        click.echo(f"  {one}")
    if len(differences) > SHOWN:
        click.echo(f"  ... and {len(differences) - SHOWN:,} more; --format json lists all")
