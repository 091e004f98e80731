"""`catwalk witness`: a second party looks at each new checkpoint, and cosigns it or says what was rewritten."""

from __future__ import annotations

import time
from pathlib import Path

import click

from deploy.checkpoints.keys import read_signing, read_verifiers
from deploy.checkpoints.witnessing import Witness
from deploy.cli.options import FILE, FOLDER, as_json, output_format

EPILOG = """\b
Example:
  catwalk keygen --name board.example/witness --out witness.key
  catwalk witness --checkpoints /mnt/checkpoints --log log.vkey --key witness.key --state seen.json

\b
Run it every minute or every hour (cron), by somebody the house cannot order, with
key and state where the house cannot write. The first time it takes the log as it
stands; from then on the log may only grow.
"""


@click.command("witness", epilog=EPILOG)
@click.option(
    "--checkpoints", "folder", required=True, type=FOLDER, metavar="DIR", help="Folder of the checkpoints."
)
@click.option(
    "--log",
    "logs",
    required=True,
    multiple=True,
    metavar="VKEY|FILE",
    help="Verifier key of the log. May be given again.",
)
@click.option(
    "--key", "key_file", required=True, type=FILE, metavar="FILE", help="The witness' own signer key."
)
@click.option(
    "--state", required=True, type=FILE, metavar="FILE", help="Where it is kept what was seen last."
)
@output_format()
def command(folder: Path, logs: tuple[str, ...], key_file: Path, state: Path, form: str) -> None:
    """Hold each new checkpoint against the last that was seen, and cosign it (C2SP tlog-cosignature).

    Exit status 1 when the log did not only grow: nothing is cosigned then.
    """
    key = read_signing(key_file).key
    witness = Witness(folder, read_verifiers(logs, "--log"), key, state)
    new = witness.look(int(time.time()))
    seen = witness.seen.size if witness.seen is not None else 0
    cosigner = key.cosigner.verifier.text
    if form == "json":
        click.echo(as_json({"cosigner": cosigner, "seen": seen, "cosigned": new}))
        return
    click.echo(f"cosigner   {cosigner}")
    click.echo(f"cosigned   {', '.join(map(str, new)) or 'nothing new'}")
    click.echo(f"seen       {f'up to checkpoint {seen}' if seen else 'no checkpoint yet'}")
