"""`catwalk backup`: a proven copy of all that is not derived, made while the house is at work."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from deploy.backup.checking import check
from deploy.backup.making import BackupWanted, back_up
from deploy.backup.manifest import Manifest
from deploy.cli.options import FILE, FOLDER, as_json, output_format
from deploy.errors import FOUND, UserError
from deploy.settings import load
from producers.copies.chains import Break
from schemas.amounts import amount

SHOWN = 20
EPILOG = """\b
Example:
  catwalk backup --out /mnt/copies/2026-11-23
  catwalk backup --verify /mnt/copies/2026-11-23
  CATWALK_MODE=distributed catwalk backup --files --out /mnt/copies/pit-2

\b
Copied are the ledger, the desk's record, a gateway's journal, the users of the
console, demo.json and catwalk.toml; in the distributed mode the topics events,
desk, deadletter and writers, that of observations (in whose order the evidence
about people was weighed), and of the machine it is run on the journal, the users
and the settings. All else is made again from these. Secrets are in no backup;
sign-ins and one-time links are left out.

\b
Whoever works goes on working: the copy is of one moment, before which no act of
the desk speaks of an event that comes later. What was written is read back from
the disk and its chains are walked. The digest that is printed names this backup:
keep it where who can write the copy cannot, and give it to --digest.
Exit status 1: the copy is whole, but of something that was altered before; or
--verify found it altered.
"""


@click.command("backup", epilog=EPILOG)
@click.option("--out", type=FOLDER, metavar="DIR", help="Folder to make it in: new, or empty.")
@click.option("--verify", type=FOLDER, metavar="DIR", help="Hold a backup against its manifest instead.")
@click.option("--digest", metavar="HEX", help="With --verify: the digest that was printed when it was made.")
@click.option(
    "--ledger", "ledgers", type=FILE, multiple=True, metavar="FILE",
    help="Another ledger or gateway's journal, kept elsewhere. May be given again.",
)  # fmt: skip
@click.option("--keys", type=FILE, metavar="FILE", help="Public keys that `verify --keys` is given.")
@click.option("--files", is_flag=True, help="Distributed: this machine's files alone, and no topics.")
@output_format()
@click.pass_context
def command(
    ctx: click.Context,
    out: Path | None,
    verify: Path | None,
    digest: str | None,
    ledgers: tuple[Path, ...],
    keys: Path | None,
    files: bool,
    form: str,
) -> None:
    """Copy all that is not derived, while the house is at work, and prove the copy; or prove one that was made."""
    if (out is None) == (verify is None):
        raise UserError("backup", "give --out or --verify, one of them", "see `catwalk backup --help`")
    if verify is not None:
        try:
            manifest = check(verify, digest)
        except UserError as error:
            error.show()
            ctx.exit(FOUND)
        click.echo(as_json(manifest) if form == "json" else _told(manifest, verify, "proven"))
        return
    assert out is not None
    wanted = BackupWanted(ledgers, keys, topics=not files)
    manifest = back_up(load().values, out, wanted)
    click.echo(as_json(manifest) if form == "json" else _told(manifest, out, "written and proven"))
    if manifest.breaks:
        tell_breaks(manifest.breaks)
        ctx.exit(FOUND)


def _told(manifest: Manifest, folder: Path, done: str) -> str:
    """The backup for a person."""
    lines = [f"{folder}: {done}, {manifest.bytes / 1e6:,.1f} MB, as of {manifest.cut}"]
    for file in manifest.files:
        if file.holds == "topic" and not file.records:
            continue
        tables = f", {amount(len(file.tables), 'table')}" if len(file.tables) > 1 else ""
        unit = "users" if file.holds == "users" else "records"
        counted = f"{file.records:>12,} {unit}{tables}" if file.form is not None or file.topic else ""
        lines.append(f"  {file.name:<28}{file.bytes / 1e6:>12,.1f} MB{counted}")
    if manifest.partitions and not manifest.weighed:
        lines.append(
            "  not copied: the order in which evidence about people was weighed; its beginning is gone"
        )
    if manifest.withheld:
        lines.append(
            f"  not copied: what the house has answered, for its store does not ({manifest.withheld})"
        )
    if manifest.secrets:
        lines.append(f"  not copied, keep them elsewhere: the secrets {', '.join(manifest.secrets)}")
    lines.append(f"  digest {manifest.digest}")
    return "\n".join(lines)


def tell_breaks(breaks: Iterable[Break]) -> None:
    """Say on stderr what was not as it was written when the copy was made."""
    for number, one in enumerate(breaks):
        if number == SHOWN:
            click.echo("catwalk: ... and more; the manifest lists all", err=True)
            return
        click.echo(f"catwalk: {one.file}: table {one.subject}, record {one.sequence}: {one.why}", err=True)
