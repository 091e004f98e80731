"""Checkpoints written: what has grown since the last one is stated, and signed.

Several processes may write one folder: each takes its lock. Nothing is signed that contradicts what was signed before.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from deploy.checkpoints.folder import ENTRIES, Fault, LogReader, Stated, note_path
from deploy.checkpoints.keys import Signing
from deploy.checkpoints.remembered import Remembered, recall, remember
from deploy.checkpoints.trees import Trees
from deploy.errors import NotAsWritten
from producers.log import Head
from schemas.amounts import amount, verb
from schemas.events.codec import record_hash
from schemas.tlog.checkpoints import Checkpoint, signed
from schemas.tlog.merkle import Frontier, leaf_hash
from schemas.tlog.statements import Statement

LOCK: Final = ".lock"
_REMEDY: Final = (
    "nothing is signed until it fits again: `catwalk verify LEDGER --checkpoints DIR --key VKEY` names what does not;"
    " a ledger that was restored or begun anew needs a new folder of checkpoints"
)


class CheckpointWriter:
    """Writes the log of one property into its folder."""

    def __init__(self, folder: Path, signing: Signing, ledger: Path, desk: Path) -> None:
        self._folder = folder
        self._signing = signing
        self._ledger, self._desk = ledger, desk
        self._log = LogReader(folder, signing.verifiers)
        self._grown: dict[str, tuple[Frontier, str]] = {}  # of each tree what is stated last, and its head

    def write(self) -> int | None:
        """State and sign what has grown; the size of the last checkpoint, None where there is none.

        Raises:
            NotAsWritten: what was signed does not fit the records there are, or is damaged.
            OSError, LedgerError: the folder or the records cannot be read or written.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        with self._locked(), closing(Trees(self._ledger, self._desk)) as trees:
            self._go_on(trees)
            heads = trees.heads()
            self._require_all(heads)
            if self._log.unsigned or self._log.torn:
                self._make_good(trees, heads)
            batch = [
                (name, *self._extended(trees, name, head))
                for name, head in heads.items()
                if self._is_new(name, head)
            ]
            if batch:
                size = self._log.size + len(batch)
                statements = [
                    Statement(
                        subject=name, size=tree.size, root=tree.root().hex(), head=head, checkpoint=size
                    )
                    for name, tree, head in batch
                ]
                self._append(statements)
                self._sign(statements)
                self._grown.update({name: (tree, head) for name, tree, head in batch})
                remember(self._folder, Remembered(self._log.offset, self._log.frontier, self._grown))
            return self._log.size or None

    def _go_on(self, trees: Trees) -> None:
        """Take in what others have written since, or what there is at the start."""
        if not self._log.size:
            known = recall(self._folder, self._signing.verifiers)
            if known is not None:
                self._log.frontier, self._log.offset = known.log, known.offset
                self._grown = dict(known.trees)
        self._log.read()
        if self._log.faults:
            raise self._unfit(self._log.faults[0])
        for name, stated in self._log.statements.items():
            before = self._grown.get(name)
            if before is None or before[0].size != stated.sizes[-1]:
                self._grown[name] = self._caught_up(trees, name, stated), stated.head
        self._log.statements.clear()

    def _caught_up(self, trees: Trees, name: str, stated: Stated) -> Frontier:
        """The tree as another process, or an earlier one, stated it, out of the records."""
        size = stated.sizes[-1]
        known = self._grown.get(name)
        tree = known[0].copy() if known is not None and known[0].size < size else Frontier()
        for sequence, line in trees.read_from(name, tree.size + 1):
            if sequence > size:
                break
            tree.append(leaf_hash(line))
        if (tree.size, tree.root()) != (size, stated.root(len(stated.sizes) - 1)):
            why = f"it states {amount(size, 'record')}, and those there are now are others"
            raise self._unfit(Fault(checkpoint=stated.checkpoints[-1], subject=name, why=why))
        return tree

    def _require_all(self, heads: dict[str, Head]) -> None:
        for name, (tree, head) in self._grown.items():
            now = heads.get(name)
            if now is None or now.sequence < tree.size or (now.sequence == tree.size and now.hash != head):
                found = (
                    f"it ends at {now.sequence}"
                    if now is not None and now.sequence < tree.size
                    else "it is gone"
                )
                if now is not None and now.sequence == tree.size:
                    found = f"record {tree.size} is another"
                why = f"{amount(tree.size, 'record')} of it {verb(tree.size, 'was')} stated, and {found}"
                raise self._unfit(Fault(checkpoint=self._log.size, subject=name, why=why))

    def _is_new(self, name: str, head: Head) -> bool:
        return name not in self._grown or head.sequence > self._grown[name][0].size

    def _extended(self, trees: Trees, name: str, head: Head) -> tuple[Frontier, str]:
        """The tree of all records up to the head, which goes on from what was stated of it."""
        tree, stated = self._grown.get(name, (Frontier(), ""))
        tree, begun, digest = tree.copy(), tree.size, ""
        for sequence, line in trees.read_from(name, max(begun, 1)):
            if sequence > head.sequence:
                break
            digest = record_hash(line) if sequence in (begun, head.sequence) else ""
            if sequence == begun:
                if digest != stated:
                    were = f"{amount(begun, 'record')} of it {verb(begun, 'was')} stated"
                    why = f"{were}, and record {begun} is another now"
                    raise self._unfit(Fault(checkpoint=self._log.size, subject=name, why=why))
                continue
            tree.append(leaf_hash(line))
        if (tree.size, digest) != (head.sequence, head.hash):
            why = f"its records do not end as the ledger notes: {head.sequence} were written"
            raise self._unfit(Fault(checkpoint=self._log.size, subject=name, why=why))
        return tree, head.hash

    def _make_good(self, trees: Trees, heads: dict[str, Head]) -> None:
        """Sign what a process that died had stated, or take back what it had not stated in full: nobody signed that."""
        waiting = self._log.unsigned
        if self._log.torn or not self._log.complete:
            with (self._folder / ENTRIES).open("r+b") as file:
                file.truncate(self._log.offset)
                os.fsync(file.fileno())
            self._log.read()
            return
        grown = {}
        for said in waiting:
            tree = self._stated_again(trees, heads, said)
            if tree is None:
                others = (
                    f"its entries state {amount(said.size, 'record')}, and those there are now are others"
                )
                why = f"{others}; it was never signed, or is gone"
                raise self._unfit(Fault(checkpoint=said.checkpoint, subject=said.subject, why=why))
            grown[said.subject] = tree, said.head
        self._sign(waiting)
        self._grown.update(grown)

    def _stated_again(self, trees: Trees, heads: dict[str, Head], said: Statement) -> Frontier | None:
        """The tree that an unsigned entry states, out of the records; None if they are others."""
        known = self._grown.get(said.subject)
        if said.subject not in heads or (known is not None and known[0].size >= said.size):
            return None
        tree = known[0].copy() if known is not None else Frontier()
        digest = ""
        for sequence, line in trees.read_from(said.subject, tree.size + 1):
            if sequence > said.size:
                break
            tree.append(leaf_hash(line))
            digest = record_hash(line) if sequence == said.size else ""
        return tree if (tree.size, tree.root().hex(), digest) == (said.size, said.root, said.head) else None

    def _append(self, statements: list[Statement]) -> None:
        path = self._folder / ENTRIES
        new = not path.exists()
        with path.open("ab") as file:
            file.write(b"".join(said.line + b"\n" for said in statements))
            file.flush()
            os.fsync(file.fileno())
        if new:
            _to_disk(self._folder)

    def _sign(self, statements: list[Statement]) -> None:
        """Sign the log with these entries, which are on the disk, and take it for what is signed now."""
        tree = self._log.frontier.copy()
        for said in statements:
            tree.append(leaf_hash(said.line))
        key = self._signing.key
        note = signed(Checkpoint(key.name, tree.size, tree.root()), key)
        write_whole(note_path(self._folder, tree.size), note.content)
        self._log.read()
        if self._log.size != tree.size:
            raise self._unfit(
                next(iter(self._log.faults), Fault(checkpoint=tree.size, why="it was not kept"))
            )
        self._log.statements.clear()

    def _unfit(self, fault: Fault) -> NotAsWritten:
        table = f", table {fault.subject}" if fault.subject is not None else ""
        return NotAsWritten(f"checkpoint {fault.checkpoint} in {self._folder}{table}", fault.why, _REMEDY)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        handle = os.open(self._folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


def write_whole(path: Path, content: bytes, mode: int | None = None) -> None:
    """Write a file so that it stands there whole, on the disk, or not at all; `mode` are its rights."""
    partial = path.with_name(f".{path.name}.partial")
    with partial.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    if mode is not None:
        partial.chmod(mode)
    partial.rename(path)
    _to_disk(path.parent)


def _to_disk(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
