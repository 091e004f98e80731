"""`catwalk patterns`: what the detectors hold of whom."""

from __future__ import annotations

from pathlib import Path

import click

from deploy.audit.patterns import about, as_table, names, survey
from deploy.cli.options import PATH, as_json, output_format
from deploy.configured.embedded import LEDGER
from deploy.progress import progress
from deploy.replay.run import worth_starting
from deploy.replay.sources import find
from deploy.settings import load

EPILOG = """\b
Example:
  catwalk patterns streams/
  catwalk patterns data/ledger.db --about dealer=D-12
  catwalk patterns streams/ --about shoe=T-4/3 --format json

\b
Evidence is an e-value, with all that was tried paid for: chance alone brings it to 100 on at most one table's stream in
100. It is an alarm from 10,000 on, which chance alone reaches on at most one stream in 10,000.
The column rounds counts shoes, cuts, calls, decisions or counts of the tray where a family weighs these.
"""


@click.command("patterns", epilog=EPILOG)
@click.argument("path", required=False, type=PATH)
@click.option("--about", "wanted", metavar="WHOM", help="Only dealer=D-1, player=P-1, table=S or shoe=S/3.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes.  [default: the machine's cores]")
@output_format()
def command(path: Path | None, wanted: str | None, jobs: int | None, form: str) -> None:
    """What the detectors hold of whom: evidence now, its highest, on how many rounds it rests, alarm or none.

    PATH is a stream, a folder of streams or a ledger; without it, the embedded ledger of the setting `data`.
    """
    only = about(wanted) if wanted is not None else {}
    sources = find([path if path is not None else Path(load().values.data) / LEDGER])
    with progress("patterns", None, "events") as advance:
        rows = survey(sources, jobs=jobs or worth_starting(sources), advance=advance)
    shown = [row for row in rows if names(row, only)]
    click.echo(as_json(shown) if form == "json" else as_table(shown))
    if wanted is not None and all(row.e_value is None for row in shown):
        why = "not all evidence could be read" if shown else f"nothing was seen of {wanted}"
        click.echo(f"catwalk: patterns: {why}", err=True)
