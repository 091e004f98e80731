"""The store that a report reads, up to date with the ledger where that is this machine's, and where a report goes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import click

from dashboards.reader.question import Reader
from deploy.cli.audit.export import lacking_of_ledger
from deploy.cli.options import FILE
from deploy.configured.store import open_store
from deploy.errors import UserError
from deploy.private_files import files_of_the_user, keep_private
from deploy.settings import Settings

FORMAT: Final = click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "xlsx", "pdf", "json"]),
    default="json",
    show_default=True,
    help="What is written.",
)
OUT: Final = click.option(
    "--out", type=FILE, help="File for it; xlsx and pdf need one.  [default: standard output]"
)


def require_file(command: str, form: str, out: Path | None, example: str) -> None:
    """Refuse to write what is no text to standard output; `example` is a file's name without its ending.

    Raises:
        UserError: no file is named.
    """
    if form in ("xlsx", "pdf") and out is None:
        raise UserError(f"{command} --format {form}", "it is no text", f"name a file: --out {example}.{form}")


def warn_of_lag(settings: Settings, command: str) -> bool:
    """Whether the store is known to hold what the ledger does; if not, say on stderr what it lacks.

    Raises:
        UserError: it lacks records that no worker would take any more.
    """
    lacking = lacking_of_ledger(settings, command) if settings.mode == "distributed" else ""
    if lacking:
        click.echo(f"catwalk: {command}: {lacking}", err=True)
    return not lacking


@contextmanager
def records(settings: Settings) -> Iterator[Reader]:
    """The records of the mode that is set; on the embedded store what the ledger has and the store lacks is folded.

    Raises:
        LedgerUnusable: there is no ledger.
        WarehouseError: the store is another process's, cannot be used, or does not answer.
    """
    if settings.mode == "distributed":
        with closing(open_store(settings)) as store:
            yield store
        return
    # Imported here: the ledger and the engine are not needed where a server has the records.
    from deploy.configured.embedded import embedded, fold_what_is_new

    keep_private(Path(settings.data))
    with embedded(settings) as held:
        fold_what_is_new(held)
        yield held.store


def write(made: bytes, out: Path | None) -> None:
    """The report to a file, or to standard output."""
    if out is None:
        click.echo(made, nl=False)
        return
    with files_of_the_user():
        out.write_bytes(made)
