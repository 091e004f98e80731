"""`catwalk migrate`: bring the store to the form of this release, or compare it with that."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from deploy.cli.options import as_json, output_format
from deploy.configured.store import open_store, topology
from deploy.errors import FOUND
from deploy.private_files import keep_private
from deploy.settings import Settings, load
from processors.runtime.store.form import Drift, drifts
from schemas.warehouse import Migration

EPILOG = """\b
Example:
  catwalk migrate
  catwalk migrate --check
"""


@click.command("migrate", epilog=EPILOG)
@click.option("--check", is_flag=True, help="Change nothing; say what is not as declared.")
@output_format("Output.")
def command(check: bool, form: str) -> None:
    """Bring the store that the settings name to the form of this release.

    Creates the database and the relations, or takes those of an older release forward; done again it does
    nothing. Exit status 1 when the store is not as declared afterwards.
    """
    settings = load().values
    if settings.mode == "embedded":
        keep_private(Path(settings.data))
    with closing(open_store(settings)) as store:
        applied: tuple[Migration, ...] = () if check else store.migrate()
        left = drifts(store, topology(settings))
    if form == "json":
        done = [{"number": migration.number, "name": migration.name} for migration in applied]
        click.echo(as_json({"applied": done, "drift": left}))
    else:
        _as_table(settings, applied, left)
    if left:
        raise SystemExit(FOUND)


def _as_table(settings: Settings, applied: tuple[Migration, ...], left: list[Drift]) -> None:
    for migration in applied:
        click.echo(f"applied {migration.number:>3}  {migration.name}")
    for drift in left:
        found = "not there" if drift.found is None else drift.found
        declared = "not declared" if drift.declared is None else f"declared {drift.declared}"
        click.echo(f"{drift.relation}  {drift.field}: {found}; {declared}")
    if not left:
        where = "the store" if settings.mode == "embedded" else f"database {topology(settings).database}"
        click.echo(f"{where} is as this release declares it")
