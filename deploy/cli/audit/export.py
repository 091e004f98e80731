"""`catwalk export`: the files of an audit out of the store."""

from __future__ import annotations

import datetime as dt
from contextlib import closing
from pathlib import Path

import click

from deploy.audit.export import Exported, export
from deploy.cli.audit.replay import as_table
from deploy.cli.options import FOLDER, output_format
from deploy.configured.standing import standing_of_what_was_there
from deploy.configured.store import open_store
from deploy.errors import FOUND, UserError, one_line
from deploy.private_files import files_of_the_user, keep_private
from deploy.progress import progress
from deploy.settings import Settings, load
from processors.runtime.brokers.lag import NoTopics
from processors.runtime.brokers.preflight import BrokersAway
from processors.runtime.brokers.standing import RecordsMissing
from processors.runtime.reconcile.memory import REMEDY, Last, last_known
from processors.runtime.watch.logs import quiet
from schemas.amounts import amount, verb

EPILOG = """\b
Example:
  catwalk export --out out
  catwalk export --out out --subject FB-12 --day 2026-03-02

\b
The files are those of `catwalk replay` over the same ledger, byte for byte; `file` is
the table. Of a table that was recorded late, suspicions about dealers and players may
differ: replay weighs in order of event time, the store as the events came.
In the embedded mode what the store lacks is folded first. In the
distributed mode the store is held against the topics: one that lacks what its
group has acknowledged is not exported (status 2); one that is behind, or cannot be
held against them, is, and ends with status 1; so does one in which `catwalk
reconcile` last found rows that the ledger does not give, until they are put right.
"""


@click.command("export", epilog=EPILOG)
@click.option("--out", required=True, type=FOLDER, help="Folder for the files.")
@click.option("--subject", metavar="S", help="One table.  [default: all]")
@click.option(
    "--day", type=click.DateTime(["%Y-%m-%d"]), metavar="D", help="One gaming day: its rounds and findings."
)
@output_format()
def command(out: Path, subject: str | None, day: dt.datetime | None, form: str) -> None:
    """Write rounds, findings, dead letters and a summary out of the store (embedded or ClickHouse)."""
    settings = load().values
    lacking = lacking_of_ledger(settings, "export") if settings.mode == "distributed" else ""
    done, last = _export(settings, out, subject, day.date() if day is not None else None)
    if subject is not None and not done.summary.files and day is None:
        raise UserError(f"export: table {subject}", "the store holds no table of that name", "check the name")
    if form == "json":
        click.echo((out / "summary.json").read_text("utf-8"), nl=False)
    else:
        click.echo(as_table(done.summary, out))
    for table in done.behind:
        click.echo(
            f"catwalk: export: table {table.subject} is folded up to event {table.folded:,} and stored up to "
            f"{table.stored:,}; run `catwalk lag --wait` first",
            err=True,
        )
    if lacking:
        click.echo(f"catwalk: export: {lacking}", err=True)
    wrong = last is not None and not last.well
    if wrong:
        click.echo(one_line("export: the store", f"{last}; what was written may be wrong", REMEDY), err=True)
    if done.behind or lacking or wrong:
        raise SystemExit(FOUND)


def lacking_of_ledger(settings: Settings, command: str) -> str:
    """What the store lacks of the ledger as it was when the command was given, or why that is not known; "": nothing.

    Raises:
        UserError: the store lacks records that no worker would take any more.
    """
    quiet()
    try:
        lag = standing_of_what_was_there(settings)
    except (BrokersAway, NoTopics) as error:
        return f"not held against the ledger: {error}"
    if lag.faults:
        missing = RecordsMissing(lag.faults)
        raise UserError(f"{command}: {missing.what}", missing.why, missing.remedy)
    if lag.unknown:
        return f"not held against the ledger: {lag.unknown}"
    if lag.behind:
        behind = f"{amount(lag.behind, 'record')} {verb(lag.behind, 'is')}"
        return f"{behind} not folded and stored yet; run `catwalk lag --wait` first"
    return ""


def _export(
    settings: Settings, out: Path, subject: str | None, day: dt.date | None
) -> tuple[Exported, Last | None]:
    """Write the files; and what was found when the store was last held against the ledger."""
    with progress("export", None, "tables") as advance:
        if settings.mode == "distributed":
            with closing(open_store(settings)) as store, files_of_the_user():
                return export(store, out, subject, day, advance), last_known(store)
        from deploy.configured.embedded import embedded, fold_what_is_new

        keep_private(Path(settings.data))
        with embedded(settings) as held:
            fold_what_is_new(held)
            with files_of_the_user():  # the store's own files stay in its folder, which is closed
                return export(held.store, out, subject, day, advance), last_known(held.store)
