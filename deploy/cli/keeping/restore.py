"""`catwalk restore`: a backup into an empty home."""

from __future__ import annotations

from pathlib import Path

import click

from deploy.backup.manifest import Manifest, this_release
from deploy.backup.restoring import Restored, restore, weighed_anew
from deploy.cli.keeping.backup import tell_breaks
from deploy.cli.options import FOLDER, as_json, output_format
from deploy.errors import FOUND
from deploy.private_files import keep_private
from deploy.settings import Settings, load
from schemas.amounts import amount

EPILOG = """\b
Example:
  CATWALK_DATA=/srv/catwalk catwalk restore /mnt/copies/2026-11-23
  catwalk restore /mnt/copies/2026-11-23 --digest 5f0c...

\b
Proves manifest, hashes and chains before it touches anything, and refuses a copy
that is altered, cut off, not whole, or a newer release's. It puts the files into
the folder of the setting data, users into that of console_users, and in the
distributed mode the topics into empty ones (`catwalk topics apply` makes them,
with as many partitions). A home or a topic that holds anything is refused.
What is derived is made again by `catwalk rebuild`. catwalk.toml and public keys
stay in the copy: put them in place yourself.
Exit status 1: restored, but what the copy was made of had been altered before.
"""


@click.command("restore", epilog=EPILOG)
@click.argument("folder", type=FOLDER, metavar="DIR")
@click.option("--digest", metavar="HEX", help="The digest that `backup` printed: refuse any other copy.")
@output_format()
@click.pass_context
def command(ctx: click.Context, folder: Path, digest: str | None, form: str) -> None:
    """Prove a backup, and put it into a home that holds nothing."""
    settings = load().values
    done = restore(settings, folder, digest)
    keep_private(Path(settings.data))
    if form == "json":
        said = {
            "manifest": done.manifest,
            "placed": done.placed,
            "left": done.left,
            "next": _next(done, settings),
        }
        click.echo(as_json({name: _plain(one) for name, one in said.items()}))
    else:
        click.echo(_told(done, settings))
    if done.manifest.breaks:
        tell_breaks(done.manifest.breaks)
        ctx.exit(FOUND)


def _plain(said: object) -> object:
    return [str(one) for one in said] if isinstance(said, list) else said


def _told(done: Restored, settings: Settings) -> str:
    manifest = done.manifest
    lines = [
        f"restored as of {manifest.cut}: {amount(manifest.events, 'event')}, {manifest.bytes / 1e6:,.1f} MB"
    ]
    lines += [f"  {path}" for path in done.placed]
    if manifest.partitions:
        lines.append(
            f"  topics at {settings.kafka}, {amount(manifest.partitions, 'partition')} of the ledger"
        )
        lines += [f"  {one}" for one in weighed_anew(manifest)]
        if manifest.unanswered:
            lines.append(f"  the copy does not say what the old house had answered: {manifest.unanswered}")
    if manifest.catwalk != this_release():
        lines.append(f"made by catwalk {manifest.catwalk}; this is {this_release()}, which folds it anew")
    lines.append("next:")
    lines += [f"  {step}" for step in _next(done, settings)]
    return "\n".join(lines)


def _next(done: Restored, settings: Settings) -> list[str]:
    """What is to be done now, in order."""
    manifest = done.manifest
    steps = [f"compare {path} with this machine's and put it in place" for path in done.left]
    steps += _secret_steps(manifest, settings)
    if manifest.mode == "distributed" and manifest.partitions:
        steps.append("catwalk migrate")
    if manifest.of("ledger") or manifest.partitions:
        against = "" if manifest.unanswered else f" --against {done.copy}"
        steps.append(f"catwalk rebuild{against}")
    if manifest.of("users"):
        steps.append(
            f"disable again who was disabled after {manifest.cut}: catwalk console user disable NAME"
        )
    return steps


def _secret_steps(manifest: Manifest, settings: Settings) -> list[str]:
    return [
        f"set CATWALK_{name.upper()} (or ..._FILE) as it was: it is in no backup"
        for name in manifest.secrets
        if not getattr(settings, name)
    ]
