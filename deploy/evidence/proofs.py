"""What proves records of a table: the statement of its tree, the checkpoint that signs it, and the paths between."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from deploy.checkpoints.folder import ENTRIES, LogReader, read_signed
from deploy.errors import NotAsWritten, UserError
from producers.sqlite_log import SqliteLog
from schemas.amounts import amount
from schemas.tlog.keys import VerifierKey
from schemas.tlog.merkle import Frontier, SpanHashes, inclusion_spans, leaf_hash
from schemas.tlog.statements import Statement, read_statement


class ProofPlaces(NamedTuple):
    """Where everything lies: the ledger, the folder of checkpoints, and who signs them."""

    ledger: Path
    folder: Path
    keys: Sequence[VerifierKey]


def statement_of(places: ProofPlaces, subject: str, last: int, number: int) -> tuple[int, bytes]:
    """Place in the log, from 0, and line of the first signed statement of a tree that holds the record `last`."""
    reader = LogReader(places.folder, places.keys)
    reader.read()
    if reader.faults:
        fault = reader.faults[0]
        what = f"checkpoint {fault.checkpoint} in {places.folder}"
        raise NotAsWritten(what, fault.why, "`catwalk verify --checkpoints` says what else does not fit")
    with (places.folder / ENTRIES).open("rb") as file:
        for entry, line in enumerate(file):
            if entry >= reader.size:
                break
            said = read_statement(line[:-1])
            if said.subject == subject and said.size >= last:
                return entry, line[:-1]
    why = f"no checkpoint has its records yet, of which the last is {last}"
    raise UserError(f"round {number} of table {subject}", why, "ask again after the next checkpoint")


def paths_of(
    log: SqliteLog, said: Statement, wanted: Sequence[int], places: ProofPlaces
) -> tuple[dict[int, bytes], dict[int, list[bytes]]]:
    """Records and their paths in the tree that was stated."""
    spans = {one: inclusion_spans(one - 1, said.size) for one in wanted}
    hashes = SpanHashes(span for one in spans.values() for span in one)
    tree = Frontier()
    lines: dict[int, bytes] = {}
    for sequence, line in log.read_from(said.subject):
        if sequence > said.size:
            break
        leaf = leaf_hash(line)
        hashes.take(leaf)
        tree.append(leaf)
        if sequence in spans:
            lines[sequence] = line
    if (tree.size, tree.root().hex()) != (said.size, said.root):
        why = f"it states {amount(said.size, 'record')} of table {said.subject}, and those there are now are others"
        remedy = "`catwalk verify --checkpoints` says between which of them the change lies"
        raise NotAsWritten(f"checkpoint {said.checkpoint} in {places.folder}", why, remedy)
    return lines, {one: hashes.of(spans[one]) for one in wanted}


def signed_note(places: ProofPlaces, said: Statement, entry: int) -> tuple[bytes, list[bytes]]:
    """A checkpoint that signs the statement, the first that a witness cosigned if one did, and the path to it."""
    reader = LogReader(places.folder, places.keys)
    reader.read()
    sizes = [size for size in reader.signed if size >= said.checkpoint]
    notes = {size: read_signed(places.folder, size, places.keys)[0] for size in sizes}
    ours = {(key.name, key.key_id) for key in places.keys}
    seen = [
        size
        for size, note in notes.items()
        if any((one.name, one.key_id) not in ours for one in note.signatures)
    ]
    size = seen[0] if seen else sizes[0]
    spans = inclusion_spans(entry, size)
    hashes = SpanHashes(spans)
    with (places.folder / ENTRIES).open("rb") as file:
        for number, line in enumerate(file):
            if number >= size:
                break
            hashes.take(leaf_hash(line[:-1]))
    return notes[size].content, hashes.of(spans)
