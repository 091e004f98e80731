"""`catwalk verify`: what a stream or a ledger proves, or the first bad sequence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

import click

from dashboards.ledger.acts import SUBJECT
from dashboards.ledger.ledger import Head as DeskHead
from dashboards.ledger.ledger import MemoryFailed
from deploy.audit.checkpoints import Keys, Tally, read_keys
from deploy.audit.desk_verification import of_the_desk, verify_desk
from deploy.audit.verification import Proof, verify_stream, verify_table
from deploy.cli.options import PATH, as_json, output_format
from deploy.console.desk_memory import memory_failed, remembered
from deploy.errors import FOUND
from deploy.progress import progress
from deploy.settings import load
from producers.feeds.lines import AnyLine, Line
from producers.feeds.streams import find_streams, read_lines, stream_name
from producers.sqlite_log import SqliteLog
from producers.sqlite_schema import is_ledger

EPILOG = """\b
Example:
  catwalk verify examples/breach_overpay.ndjson
  catwalk verify data/ledger.db --keys keys.toml --fail-on unverified

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
    "--fail-on", type=click.Choice(["unverified"]),
    help="End with status 1 also when a checkpoint is not verified or a table has none.",
)  # fmt: skip
@output_format()
@click.pass_context
def command(
    ctx: click.Context, paths: tuple[Path, ...], key_file: Path | None, fail_on: str | None, form: str
) -> None:
    """Prove the chain, sequence, table, schema and signed checkpoints of streams (.ndjson, .gz, folders) and ledgers.

    The record of the desk (desk.db) and what was exported from it are proven the same way; desk.db is also held against
    what a console remembers of it, where that memory (desk_memory.db) is beside it or beside the users.

    Exit status 1 when something is not as it was written.
    """
    keys: Keys = read_keys(key_file) if key_file is not None else {}
    with progress("verify", None, "events") as advance:
        proofs = [proof for path in paths for proof in _prove(path, keys, advance)]
    click.echo(as_json(_whole(proofs)) if form == "json" else as_text(proofs))
    unverified = any(proof.checkpoints.unverified or not proof.checkpoints.verified for proof in proofs)
    if any(proof.chain == "broken" for proof in proofs) or (fail_on and unverified):
        ctx.exit(FOUND)


def _prove(path: Path, keys: Keys, advance: Callable[[int], None]) -> Iterator[Proof]:
    if path.is_file() and is_ledger(path):
        with closing(SqliteLog(path, read_only=True)) as ledger:
            # Before the head: a console acknowledges what is written already.
            acknowledged = _acknowledged(path)
            subjects = ledger.subjects()
            for subject in subjects if acknowledged is None else sorted({*subjects, SUBJECT}):
                head = ledger.head(subject)  # before its records: what is written meanwhile is not looked at
                records = (
                    Line(sequence, 0, line)
                    for sequence, line in ledger.read_from(subject)
                    if sequence <= head.sequence
                )
                counted = _counted(records, advance)
                if subject == SUBJECT:
                    yield verify_desk(subject, counted, head if head.sequence else None, acknowledged)
                else:
                    yield verify_table(subject, counted, keys, head)
        return
    for stream in find_streams([path]):
        counted = _counted(read_lines(stream), advance)
        if of_the_desk(next(iter(read_lines(stream)), None)):
            yield verify_desk(stream_name(stream), counted)
        else:
            yield from verify_stream(stream_name(stream), counted, keys)


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


def as_text(proofs: list[Proof]) -> str:
    """The proofs for a person: what was proven of each table, and a line that sums up."""
    lines = [line for proof in proofs for line in _described(proof)]
    broken = sum(proof.chain == "broken" for proof in proofs)
    records = sum(proof.records for proof in proofs)
    intact = len(proofs) - broken
    lines.append(f"{len(proofs):,} tables, {records:,} events: {intact:,} intact, {broken:,} broken")
    return "\n".join(lines)


def _described(proof: Proof) -> Iterator[str]:
    name = proof.file if proof.subject in (None, proof.file) else f"{proof.file} ({proof.subject})"
    if proof.first_bad_sequence is None:
        yield f"{name}: intact"
        yield f"  proved   chain, sequence, table and schema of {proof.records:,} events"
    else:
        yield f"{name}: BROKEN, first bad sequence {proof.first_bad_sequence}"
        yield f"  why      {proof.reason}"
        yield f"  read     {proof.records:,} lines"
    if proof.first_time is not None:
        yield f"  time     {proof.first_time} to {proof.last_time}"
    yield f"  head     {proof.head}"
    yield f"  signed   {_signed(proof.checkpoints)}"


def _signed(tally: Tally) -> str:
    if not tally.verified and not tally.unverified:
        return "no checkpoint: nothing outside this record vouches for its last event"
    said = []
    if tally.verified:
        signed = f"events 1 to {tally.signed_up_to:,} are as signed"
        said.append(f"{tally.verified:,} checkpoints verified, {signed}")
    if tally.unverified:
        keys = f" (no key given for {', '.join(tally.unknown_keys)})" if tally.unknown_keys else ""
        said.append(f"{tally.unverified:,} checkpoints NOT verified{keys}")
    return "; ".join(said)
