"""`catwalk keygen`: a key that signs checkpoints, or cosigns them."""

from __future__ import annotations

import secrets
from pathlib import Path

import click

from deploy.checkpoints.keys import write_key
from deploy.cli.options import FILE
from deploy.errors import UserError
from schemas.tlog.keys import KeyUnusable, signer

EPILOG = """\b
Example:
  catwalk keygen --name parkside.example/records --out signing.key
  export CATWALK_SIGNING_KEY=signing.key CATWALK_CHECKPOINTS=/mnt/checkpoints

\b
The line that is printed is the verifier key (C2SP signed-note): give it to whoever
is to verify, at once and by a way of its own. The file is the secret: keep a copy
where nobody who may write the records can read it. A witness has a key of its own.
"""


@click.command("keygen", epilog=EPILOG)
@click.option(
    "--name", required=True, metavar="NAME", help="Name of the log, or of the witness: a host and a path."
)
@click.option(
    "--out", required=True, type=FILE, metavar="FILE", help="Where the secret is written; never over a file."
)
def command(name: str, out: Path) -> None:
    """Make an Ed25519 signer key and print its verifier key."""
    try:
        key = signer(name, secrets.token_bytes(32))
    except KeyUnusable as error:
        raise UserError("--name", str(error), "name it like parkside.example/records") from error
    write_key(out, key)
    click.echo(key.verifier.text)
