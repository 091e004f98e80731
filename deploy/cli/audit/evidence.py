"""`catwalk evidence`: one round as a file that proves itself to a stranger."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import click

from deploy.checkpoints.keys import read_signing, read_verifiers
from deploy.cli.options import FILE, FOLDER
from deploy.configured.embedded import LEDGER
from deploy.errors import UserError
from deploy.evidence.bundle import make_bundle
from deploy.evidence.proofs import ProofPlaces
from deploy.private_files import files_of_the_user
from deploy.progress import progress
from deploy.settings import Settings, load

EPILOG = """\b
Example:
  catwalk evidence FB-12 12 --out FB-12-round-12.zip
  python3 verify.py FB-12-round-12.zip --key parkside.example/records+52f8dd6f+AYQR...

\b
The bundle holds the round's records byte for byte, and those it rests on; proofs
that they are in the log that a checkpoint signed; findings, rules, and verify.py,
which needs Python alone. Cards that nobody at the table saw are not in it. The
table is folded from its first record on, so that nothing stored is believed.
"""


@click.command("evidence", epilog=EPILOG)
@click.argument("subject")
@click.argument("round_", metavar="ROUND", type=click.IntRange(1))
@click.option("--out", required=True, type=FILE, metavar="FILE.zip", help="Where it is written.")
@click.option(
    "--ledger", type=FILE, metavar="FILE", help="Ledger file.  [default: ledger.db of the data folder]"
)
@click.option(
    "--checkpoints",
    "folder",
    type=FOLDER,
    metavar="DIR",
    help="Their folder.  [default: setting checkpoints]",
)
@click.option(
    "--key",
    "given",
    multiple=True,
    metavar="VKEY|FILE",
    help="Who signed them.  [default: setting signing_key]",
)
def command(
    subject: str, round_: int, out: Path, ledger: Path | None, folder: Path | None, given: tuple[str, ...]
) -> None:
    """Write the evidence bundle of one finished round of a table."""
    settings = load().values
    places = _places(settings, ledger, folder, given)
    with progress("evidence", None, "events") as advance:
        content = make_bundle(places, subject, round_, version("catwalk"), advance)
    with files_of_the_user():
        out.write_bytes(content)
    click.echo(f"round {round_} of table {subject}: {len(content):,} bytes -> {out}")
    for key in places.keys[:1]:
        click.echo(f"verify    python3 verify.py {out} --key {key.text}")


def _places(
    settings: Settings, ledger: Path | None, folder: Path | None, given: tuple[str, ...]
) -> ProofPlaces:
    if settings.mode == "distributed":
        why = "checkpoints of topics are not written yet"
        raise UserError("catwalk evidence", why, "use it on a ledger of one machine")
    if folder is None and not settings.checkpoints:
        raise UserError(
            "catwalk evidence", "no checkpoints are kept, so nothing can be proved", "give --checkpoints DIR"
        )
    if given:
        keys = read_verifiers(given)
    elif settings.signing_key:
        keys = read_signing(Path(settings.signing_key)).verifiers
    else:
        raise UserError("catwalk evidence", "nobody is given who signs checkpoints", "give --key VKEY")
    return ProofPlaces(ledger or Path(settings.data) / LEDGER, folder or Path(settings.checkpoints), keys)
