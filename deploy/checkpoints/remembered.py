"""What a writer of checkpoints would otherwise compute from all records at its start; derived, and may be deleted.

The log's part is believed only if a signed checkpoint has its root. The trees' part can hide nothing: whatever grows
out of it is signed beside what was stated before, and `catwalk verify` computes both from the records.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from deploy.checkpoints.folder import read_signed
from schemas.tlog.keys import VerifierKey
from schemas.tlog.merkle import Frontier
from schemas.tlog.notes import NoteMalformed

FILE: Final = "trees.json"


class _Tree(Struct):
    size: int
    hashes: list[str]
    head: str = ""


class _File(Struct):
    offset: int
    log: _Tree
    trees: dict[str, _Tree]


class Remembered(Struct, frozen=True):
    """The log as it was signed, its bytes, and each tree as it was last stated, with the hash of its last record."""

    offset: int
    log: Frontier
    trees: dict[str, tuple[Frontier, str]]


def remember(folder: Path, what: Remembered) -> None:
    """Write it beside the log; that it cannot be written costs time at the next start, and nothing else."""
    trees = {name: _written(tree, head) for name, (tree, head) in what.trees.items()}
    partial = folder / f".{FILE}.partial"
    with suppress(OSError):
        partial.write_bytes(msgspec.json.encode(_File(what.offset, _written(what.log), trees)))
        partial.rename(folder / FILE)


def recall(folder: Path, keys: Sequence[VerifierKey]) -> Remembered | None:
    """What was remembered, if it is of a log that was signed."""
    try:
        read = msgspec.json.decode((folder / FILE).read_bytes(), type=_File)
        log = _read(read.log)
        trees = {name: (_read(tree), tree.head) for name, tree in read.trees.items()}
        _, said = read_signed(folder, log.size, keys)
    except (OSError, ValueError, NoteMalformed):
        return None
    return Remembered(read.offset, log, trees) if said.root == log.root() else None


def _written(tree: Frontier, head: str = "") -> _Tree:
    return _Tree(tree.size, [base64.b64encode(one).decode() for one in tree.hashes], head)


def _read(tree: _Tree) -> Frontier:
    return Frontier(tree.size, [base64.b64decode(one, validate=True) for one in tree.hashes])
