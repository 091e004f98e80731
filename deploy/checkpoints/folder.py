"""The folder of checkpoints: `entries.ndjson`, the property's log, and `<size>.note`, its signed checkpoints.

A batch of statements is appended, and then signed by the note whose size each of them names. Whatever is not yet signed
was published by nobody: it may be signed, or taken back.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from schemas.amounts import amount
from schemas.tlog.checkpoints import Checkpoint, read_checkpoint, signed_by
from schemas.tlog.keys import VerifierKey
from schemas.tlog.merkle import Frontier, leaf_hash
from schemas.tlog.notes import Note, NoteMalformed, read_note
from schemas.tlog.statements import MOST_BYTES, Statement, read_statement

ENTRIES: Final = "entries.ndjson"
NOTE: Final = ".note"


class Fault(Struct, frozen=True, kw_only=True):
    """A checkpoint that does not fit what there is: of which table, between which of its sequences, and why."""

    checkpoint: int
    subject: str | None = None
    first: int | None = None
    last: int | None = None
    why: str


class Stated:
    """What signed statements say of one tree, in order: its sizes, their roots, and the checkpoints that sign them."""

    __slots__ = ("checkpoints", "head", "roots", "sizes")

    def __init__(self) -> None:
        self.sizes = array("Q")
        self.checkpoints = array("Q")
        self.roots = bytearray()
        self.head = ""

    def add(self, said: Statement) -> None:
        """Add a statement of a larger tree."""
        self.sizes.append(said.size)
        self.checkpoints.append(said.checkpoint)
        self.roots += bytes.fromhex(said.root)
        self.head = said.head

    def root(self, number: int) -> bytes:
        """The root of the statement of this number, from 0."""
        return bytes(self.roots[32 * number : 32 * number + 32])


def note_path(folder: Path, size: int) -> Path:
    """Where the checkpoint of this size lies."""
    return folder / f"{size}{NOTE}"


def read_signed(folder: Path, size: int, keys: Sequence[VerifierKey]) -> tuple[Note, Checkpoint]:
    """The checkpoint of this size, signed by one of the keys.

    Raises:
        FileNotFoundError: it is not there.
        NoteMalformed: it is not what it must be.
    """
    note = read_note(note_path(folder, size).read_bytes())
    said = read_checkpoint(note)
    if said.size != size:
        raise NoteMalformed(f"it signs {amount(said.size, 'entry')}")
    if not any(said.origin == key.name and signed_by(note, key) for key in keys):
        names = ", ".join(f"{one.name}+{one.key_id.hex()}" for one in note.signatures)
        raise NoteMalformed(f"it is signed by no key that was given, but by {names}"[:300])
    return note, said


class LogReader:
    """The log as far as checkpoints sign it; read again it goes on where it was.

    `size` entries of `offset` bytes are signed; `statements` of each subject are theirs. `unsigned` follow them, of
    which `complete` says whether they are all that their checkpoint would sign; `torn`: the last line has no end.
    """

    def __init__(self, folder: Path, keys: Sequence[VerifierKey]) -> None:
        self._folder = folder
        self._keys = tuple(keys)
        self.frontier = Frontier()
        self.offset = 0
        self.statements: dict[str, Stated] = {}
        self.faults: list[Fault] = []
        self.unsigned: list[Statement] = []
        self.complete = self.torn = False
        self.signed: list[int] = []

    @property
    def size(self) -> int:
        """How many entries are signed."""
        return self.frontier.size

    def read(self) -> None:
        """Read what was written since.

        Raises:
            OSError: the folder cannot be read.
        """
        self.unsigned, self.complete, self.torn, self.faults = [], False, False, []
        tree, offset = self.frontier.copy(), self.offset
        missing: Fault | None = None
        for line in self._lines():
            if not line.endswith(b"\n"):
                self.torn = True
                break
            if missing is not None:
                self.faults.append(missing)
                missing = None
            offset += len(line)
            tree.append(leaf_hash(line[:-1]))
            said = self._statement(line[:-1], tree.size)
            if said is None:
                return
            self.unsigned.append(said)
            self.complete = said.checkpoint == tree.size
            if not self.complete:
                continue
            try:
                if not self._fits(tree):
                    return
            except FileNotFoundError:
                begin = self.size + 1
                why = f"{tree.size}{NOTE} is gone: entries {begin} to {tree.size} state that it signs them"
                missing = Fault(checkpoint=tree.size, why=why)
                continue
            except NoteMalformed as error:
                self.faults.append(Fault(checkpoint=tree.size, why=f"{tree.size}{NOTE}: {error}"))
                continue
            if not self._commit(tree.copy(), offset):
                return

    def unsigned_fault(self) -> Fault | None:
        """What follows the last checkpoint, signed by none: somebody died between the two, or removed one."""
        if self.faults or not (self.unsigned or self.torn):
            return None
        last = self.size + len(self.unsigned)
        size = self.unsigned[0].checkpoint if self.unsigned else last + 1
        why = (
            f"no checkpoint signs entries {self.size + 1} to {last}"
            if self.unsigned
            else "an entry was cut off"
        )
        after = "it was removed, or whoever writes them died before it and was not started since"
        return Fault(checkpoint=size, why=f"{why}: {after}")

    def stray_faults(self) -> Iterator[Fault]:
        """Checkpoints that no entry states: then entries were cut off, or somebody put them there."""
        known = set(self.signed)
        known.update(fault.checkpoint for fault in self.faults)
        for size in sizes_in(self._folder):
            if size not in known:
                there = self.size + len(self.unsigned)
                why = f"{ENTRIES} ends at entry {there}" if size > there else "no entry states it"
                yield Fault(checkpoint=size, why=f"{size}{NOTE} is there, but {why}")

    def _lines(self) -> Iterator[bytes]:
        try:
            file = (self._folder / ENTRIES).open("rb")
        except FileNotFoundError:
            return
        with file:
            file.seek(self.offset)
            while line := file.readline(MOST_BYTES + 1):
                yield line

    def _statement(self, line: bytes, number: int) -> Statement | None:
        try:
            said = read_statement(line)
        except ValueError as error:
            self.faults.append(Fault(checkpoint=number, why=f"entry {number} is {error}"[:300]))
            return None
        if said.checkpoint < number:
            why = f"entry {number} states checkpoint {said.checkpoint}, which is before it"
            self.faults.append(Fault(checkpoint=number, why=why))
            return None
        return said

    def _fits(self, tree: Frontier) -> bool:
        _, said = read_signed(self._folder, tree.size, self._keys)
        if said.root == tree.root():
            return True
        why = f"entries {self.size + 1} to {tree.size} of {ENTRIES} are not those that it signs"
        if self.size:
            why += f"; those before are as checkpoint {self.size} signs them"
        self.faults.append(Fault(checkpoint=tree.size, why=why))
        return False

    def _commit(self, tree: Frontier, offset: int) -> bool:
        for said in self.unsigned:
            stated = self.statements.setdefault(said.subject, Stated())
            if stated.sizes and said.size <= stated.sizes[-1]:
                before = f"checkpoint {stated.checkpoints[-1]} stated {stated.sizes[-1]}"
                why = f"it states {amount(said.size, 'record')}, and {before}"
                fault = Fault(
                    checkpoint=said.checkpoint,
                    subject=said.subject,
                    first=said.size,
                    last=stated.sizes[-1],
                    why=why,
                )
                self.faults.append(fault)
                return False
            stated.add(said)
        self.signed.append(tree.size)
        self.frontier, self.offset, self.unsigned = tree, offset, []
        return True


def sizes_in(folder: Path) -> list[int]:
    """Sizes of the checkpoints that lie in the folder, ascending.

    Raises:
        OSError: it cannot be read.
    """
    names = (path.stem for path in folder.iterdir() if path.suffix == NOTE)
    return sorted(int(name) for name in names if name.isascii() and name.isdigit() and name == str(int(name)))
