"""`catwalk verify`: what a stream or a ledger proves, or the first bad sequence."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

import click
from msgspec.structs import replace

from dashboards.ledger.acts import SUBJECT
from dashboards.ledger.ledger import LedgerHead as DeskHead
from dashboards.ledger.ledger import MemoryFailed
from deploy.audit.checkpoints import Keys, Tally, read_keys
from deploy.audit.desk_verification import of_the_desk, verify_desk
from deploy.audit.verification import Proof, verify_stream, verify_table
from deploy.checkpoints.holding import Holding, as_lines
from deploy.checkpoints.keys import read_verifiers
from deploy.cli.options import FOLDER, PATH, as_json, output_format
from deploy.configured.desk_ledger import FILE as DESK_FILE
from deploy.configured.embedded import LEDGER
from deploy.console.desk_memory import memory_failed, remembered
from deploy.errors import FOUND, UserError
from deploy.evidence.verify import BundleRefused, read_bundle
from deploy.evidence.verify import verify as verify_bundle
from deploy.progress import progress
from deploy.settings import load
from producers.feeds.lines import AnyLine, FeedLine
from producers.feeds.streams import find_streams, read_lines, stream_name
from producers.log import EMPTY
from producers.sqlite_log import SqliteLog
from producers.sqlite_schema import is_ledger
from schemas.amounts import amount

EPILOG = """\b
Example:
  catwalk verify examples/breach_overpay.ndjson
  catwalk verify data/ledger.db --keys keys.toml --fail-on unverified
  catwalk verify data/ledger.db --checkpoints /mnt/checkpoints --key log.vkey
  catwalk verify FB-12-round-12.zip --key log.vkey

\b
The first bad sequence is that of the event that is not as it was written:
  edited, missing or doubled event k: k; k and k+1 in each other's place: k;
  another line before event k: k. That events were cut off the end, or that the
  last one was edited, only a signed checkpoint or a ledger can show.
"""
_STEP = 1024  # lines between two reports of progress


@click.command("verify", epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, type=PATH, metavar="PATH...")
@click.option(
    "--keys", "key_file", type=PATH, metavar="FILE",
    help='Public Ed25519 keys: TOML lines of key_id = "64 hex digits".',
)  # fmt: skip
@click.option(
    "--checkpoints", "folder", type=FOLDER, metavar="DIR",
    help="Hold a ledger, and the desk beside it, against the checkpoints in this folder.",
)  # fmt: skip
@click.option(
    "--key", "given", multiple=True, metavar="VKEY|FILE",
    help="Who signed them: the line that `catwalk keygen` printed, or a file of such lines. May be given again.",
)  # fmt: skip
@click.option(
    "--fail-on", type=click.Choice(["unverified"]),
    help="End with status 1 also when a checkpoint is not verified or a table has none.",
)  # fmt: skip
@output_format()
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[Path, ...],
    key_file: Path | None,
    folder: Path | None,
    given: tuple[str, ...],
    fail_on: str | None,
    form: str,
) -> None:
    """Prove the chain, sequence, table, schema and signed checkpoints of streams (.ndjson, .gz, folders) and ledgers.

    The record of the desk (desk.db) and what was exported from it are proven the same way; desk.db is also held against
    what a console remembers of it, where that memory (desk_memory.db) is beside it or beside the users.

    With --checkpoints and --key a ledger is held against every checkpoint of that key, with its desk: what was written
    anew, cut off, removed, put in, or taken from an older copy is found, and the first checkpoint named that no longer
    fits.

    Exit status 1 when something is not as it was written.
    """
    if any(path.suffix == ".zip" for path in paths):
        _verify_bundle(ctx, paths, given, form)
        return
    holding = _holding(paths, folder, given)
    keys: Keys = read_keys(key_file) if key_file is not None else {}
    with progress("verify", None, "events") as advance:
        proofs = [proof for path in paths for proof in _prove(path, keys, advance, holding)]
    held = holding.held() if holding is not None else None
    if form == "json":
        click.echo(as_json(_whole(proofs) | ({"log": held} if held is not None else {})))
    else:
        told = as_text(proofs) if held is None else as_text(proofs, signed=False)
        click.echo("\n".join([told, *(as_lines(held) if held is not None else ())]))
    unverified = any(proof.checkpoints.unverified or not proof.checkpoints.verified for proof in proofs)
    altered = any(proof.chain == "broken" for proof in proofs) or (held is not None and not held.fits)
    if altered or (fail_on and unverified):
        ctx.exit(FOUND)


def _verify_bundle(ctx: click.Context, paths: tuple[Path, ...], given: tuple[str, ...], form: str) -> None:
    """Verify an evidence bundle by the very file that is in it."""
    if len(paths) > 1 or not given:
        why = "a bundle is verified alone, by the key of its log"
        raise UserError("verify BUNDLE.zip", why, "give one bundle, and --key VKEY")
    keys = [key.text for key in read_verifiers(given)]
    try:
        proved, unproved = verify_bundle(read_bundle(paths[0]), keys)
    except OSError:
        raise
    except Exception as error:  # whatever an altered file brings about
        why = (
            str(error)
            if isinstance(error, BundleRefused)
            else f"it cannot be read: {type(error).__name__}: {error}"[:300]
        )
        refused = {"intact": False, "reason": why}
        click.echo(as_json(refused) if form == "json" else f"{paths[0]}: REFUSED: {why}")
        ctx.exit(FOUND)
    if form == "json":
        click.echo(as_json({"intact": True, "proved": proved, "not_proved": unproved}))
        return
    click.echo(
        "\n".join([*(f"proved      {one}" for one in proved), *(f"not proved  {one}" for one in unproved)])
    )


def _holding(paths: tuple[Path, ...], folder: Path | None, given: tuple[str, ...]) -> Holding | None:
    """What holds one ledger against checkpoints, if that is asked for."""
    if folder is None and not given:
        return None
    if folder is None:
        raise UserError(
            "--key", "it signs checkpoints, and no folder of them is given", "give --checkpoints DIR too"
        )
    if not given:
        raise UserError("--checkpoints", "nobody is given who may have signed them", "give --key VKEY too")
    path = paths[0]
    if len(paths) > 1 or not (
        _is_home(path) or (path.is_file() and is_ledger(path) and path.name != DESK_FILE)
    ):
        why = "checkpoints are of one whole ledger and the desk beside it"
        raise UserError(
            "verify --checkpoints", why, f"name one ledger, such as data/{LEDGER}, and nothing else"
        )
    return Holding(folder, read_verifiers(given))


def _is_home(path: Path) -> bool:
    return path.is_dir() and (path / LEDGER).is_file()


def _prove(
    path: Path, keys: Keys, advance: Callable[[int], None], holding: Holding | None
) -> Iterator[Proof]:
    if _is_home(path):
        path /= LEDGER
    if path.is_file() and is_ledger(path):
        yield from _prove_ledger(path, keys, advance, holding)
        desk = path.parent / DESK_FILE
        if holding is not None and desk.is_file() and is_ledger(desk):
            yield from _prove_ledger(desk, keys, advance, holding)
        return
    for stream in find_streams([path]):
        counted = _counted(read_lines(stream), advance)
        if of_the_desk(next(iter(read_lines(stream)), None)):
            yield verify_desk(stream_name(stream), counted)
        else:
            yield from verify_stream(stream_name(stream), counted, keys)


def _prove_ledger(
    path: Path, keys: Keys, advance: Callable[[int], None], holding: Holding | None
) -> Iterator[Proof]:
    with closing(SqliteLog(path, read_only=True)) as ledger:
        # Before the head: a console acknowledges what is written already.
        acknowledged = _acknowledged(path)
        subjects = ledger.subjects()
        against = ledger.contradictions()
        for subject in subjects if acknowledged is None else sorted({*subjects, SUBJECT}):
            head = ledger.head(subject)  # before its records: what is written meanwhile is not looked at
            read = (record for record in ledger.read_from(subject) if record.sequence <= head.sequence)
            held = holding.passing(subject, read) if holding is not None else read
            counted = _counted((FeedLine(sequence, 0, line) for sequence, line in held), advance)
            if subject == SUBJECT:
                proof = verify_desk(subject, counted, head if head.sequence else None, acknowledged)
                deque(counted, maxlen=0)  # a chain is walked to its first break, a tree to its end
            else:
                proof = verify_table(subject, counted, keys, head)
            yield _contradicted(proof, against.pop(subject, None))
        for subject, found in sorted(against.items()):
            yield _contradicted(verify_table(subject, [], keys, EMPTY), found)


def _contradicted(proof: Proof, found: tuple[int, str] | None) -> Proof:
    """The proof, if the ledger's own order does not contradict it first."""
    if found is None or (proof.first_bad_sequence is not None and proof.first_bad_sequence <= found[0]):
        return proof
    return replace(proof, chain="broken", first_bad_sequence=found[0], reason=found[1])


def _acknowledged(path: Path) -> DeskHead | None:
    try:
        return remembered(load().values, path)
    except MemoryFailed as error:
        raise memory_failed(error) from error


def _counted(lines: Iterable[AnyLine], advance: Callable[[int], None]) -> Iterator[AnyLine]:
    for number, line in enumerate(lines, 1):
        yield line
        if number % _STEP == 0:
            advance(_STEP)


def _whole(proofs: list[Proof]) -> dict[str, object]:
    """The proofs for a program."""
    return {
        "intact": all(proof.chain == "intact" for proof in proofs),
        "records": sum(proof.records for proof in proofs),
        "streams": proofs,
    }


def as_text(proofs: list[Proof], *, signed: bool = True) -> str:
    """The proofs for a person: what was proven of each table, and a line that sums up.

    Without `signed` nothing is said of signatures within streams that have none.
    """
    lines = [line for proof in proofs for line in _described(proof, signed)]
    broken = sum(proof.chain == "broken" for proof in proofs)
    records = sum(proof.records for proof in proofs)
    intact = len(proofs) - broken
    lines.append(
        f"{amount(len(proofs), 'table')}, {amount(records, 'event')}: {intact:,} intact, {broken:,} broken"
    )
    return "\n".join(lines)


def _described(proof: Proof, signed: bool) -> Iterator[str]:
    name = proof.file if proof.subject in (None, proof.file) else f"{proof.file} ({proof.subject})"
    if proof.first_bad_sequence is None:
        yield f"{name}: intact"
        yield f"  proved   chain, sequence, table and schema of {amount(proof.records, 'event')}"
    else:
        yield f"{name}: BROKEN, first bad sequence {proof.first_bad_sequence}"
        yield f"  why      {proof.reason}"
        yield f"  read     {amount(proof.records, 'line')}"
    if proof.first_time is not None:
        yield f"  time     {proof.first_time} to {proof.last_time}"
    yield f"  head     {proof.head}"
    if signed or proof.checkpoints.verified or proof.checkpoints.unverified:
        yield f"  signed   {_signed(proof.checkpoints)}"


def _signed(tally: Tally) -> str:
    if not tally.verified and not tally.unverified:
        return "no checkpoint: nothing outside this record vouches for its last event"
    said = []
    if tally.verified:
        signed = f"events 1 to {tally.signed_up_to:,} are as signed"
        said.append(f"{amount(tally.verified, 'checkpoint')} verified, {signed}")
    if tally.unverified:
        keys = f" (no key given for {', '.join(tally.unknown_keys)})" if tally.unknown_keys else ""
        said.append(f"{amount(tally.unverified, 'checkpoint')} NOT verified{keys}")
    return "; ".join(said)
