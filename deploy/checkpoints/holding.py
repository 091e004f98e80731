"""Records held against every checkpoint: which fits, which is the first that does not, and where the change lies."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from deploy.checkpoints.folder import Fault, LogReader, Stated
from deploy.errors import UserError
from processors.runtime.ledger import said_time
from schemas.amounts import amount
from schemas.events.envelope import utc_text
from schemas.tlog.keys import VerifierKey
from schemas.tlog.merkle import Frontier, leaf_hash

_PATIENCE: Final = (
    2.0  # seconds: who writes a checkpoint now has stated its entries, and signs them in milliseconds
)
_PAUSE: Final = 0.05


class Vouched(Struct, frozen=True, kw_only=True):
    """Of one table, or of the desk: records 1 to `records` are as signed, the last of them of `time`; `after` follow.

    checkpoint: the last one that vouches; None, and no record vouched for, where no signed entry states the table.
    """

    subject: str
    records: int
    time: str | None
    checkpoint: int | None
    after: int


class Held(Struct, frozen=True, kw_only=True):
    """What checkpoints say of the records there are: `fits` only if every one fits, and at least one is signed."""

    folder: str
    keys: tuple[str, ...]
    checkpoints: int
    entries: int
    fits: bool
    first_misfit: Fault | None
    faults: tuple[Fault, ...]
    tables: tuple[Vouched, ...]


class Holding:
    """One pass: records of all trees go by, in order, and are held against what was signed of them."""

    def __init__(self, folder: Path, keys: Sequence[VerifierKey]) -> None:
        """Read the log, before any record: whatever it states was recorded before.

        Raises:
            UserError: the folder cannot be read.
        """
        self._folder = folder
        self._keys = tuple(keys)
        try:
            self._log = self._read()
            self._faults = [*self._log.faults, *self._log.stray_faults()]
        except OSError as error:
            why = error.strerror or str(error)
            raise UserError(
                f"checkpoints {folder}", why, "name the folder that they were written into"
            ) from error
        unsigned = self._log.unsigned_fault()
        self._faults += [unsigned] if unsigned is not None else []
        if not self._log.size and not self._faults:
            names = ", ".join(key.text for key in self._keys)
            self._faults.append(
                Fault(checkpoint=0, why=f"no checkpoint is signed by {names}: nothing is proven")
            )
        self._vouched: dict[str, Vouched] = {}

    def passing(self, subject: str, records: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
        """The records of a tree, from the first on; they must be taken to the end."""
        stated = self._log.statements.get(subject, Stated())
        tree, number, last = Frontier(), 0, b""
        broken = False
        for sequence, line in records:
            yield sequence, line
            tree.append(leaf_hash(line))
            if not broken and number < len(stated.sizes) and stated.sizes[number] == tree.size:
                if tree.root() == stated.root(number):
                    number, last = number + 1, line
                else:
                    broken = True
        if number < len(stated.sizes):
            self._misfit(subject, stated, number, None if broken else tree.size)
        said = said_time(last) if last else None
        size = stated.sizes[number - 1] if number else 0
        self._vouched[subject] = Vouched(
            subject=subject,
            records=size,
            time=utc_text(said) if said is not None else None,
            checkpoint=stated.checkpoints[number - 1] if number else None,
            after=max(tree.size - size, 0),
        )

    def held(self) -> Held:
        """What was found, once all trees there are have gone by."""
        for subject in sorted(self._log.statements.keys() - self._vouched.keys()):
            self._misfit(subject, self._log.statements[subject], 0, 0)
        faults = sorted(self._faults, key=lambda one: (one.checkpoint, one.subject or ""))
        return Held(
            folder=str(self._folder),
            keys=tuple(key.text for key in self._keys),
            checkpoints=len(self._log.signed),
            entries=self._log.size,
            fits=not faults,
            first_misfit=faults[0] if faults else None,
            faults=tuple(faults),
            tables=tuple(self._vouched[subject] for subject in sorted(self._vouched)),
        )

    def _misfit(self, subject: str, stated: Stated, number: int, ends: int | None) -> None:
        """Note that a statement does not fit; `ends` is the last record there is, where the records end before it."""
        size, before = stated.sizes[number], stated.sizes[number - 1] if number else 0
        if ends == 0:
            why = f"it states {amount(size, 'record')}, and the table is gone"
        elif ends is not None:
            why = f"it states {amount(size, 'record')}, and {ends} are there: the rest was cut off"
        else:
            why = f"records {before + 1} to {size} are not those that it states"
            why += (
                f"; those before are as checkpoint {stated.checkpoints[number - 1]} states" if number else ""
            )
        self._faults.append(
            Fault(
                checkpoint=stated.checkpoints[number], subject=subject, first=before + 1, last=size, why=why
            )
        )

    def _read(self) -> LogReader:
        until = time.monotonic() + _PATIENCE
        while True:
            log = LogReader(self._folder, self._keys)
            log.read()
            if log.unsigned_fault() is None or time.monotonic() >= until:
                return log
            time.sleep(_PAUSE)


def as_lines(held: Held) -> Iterator[str]:
    """What was found, for a person."""
    for one in held.tables:
        after = f"{one.after:,} came after"
        if one.checkpoint is None:
            yield f"{one.subject}: no checkpoint vouches for it; {after}"
        else:
            upto = f"records 1 to {one.records:,}, to {one.time}"
            yield f"{one.subject}: {upto}, are as checkpoint {one.checkpoint} has them; {after}"
    for fault in held.faults:
        where = ""
        if fault.subject is not None:
            where = f" table {fault.subject}, between records {fault.first} and {fault.last}:"
        first = (
            "the first that no longer fits; " if fault is held.first_misfit and len(held.faults) > 1 else ""
        )
        yield f"CHECKPOINT {fault.checkpoint} DOES NOT FIT: {first}{where.lstrip()} {fault.why}".replace(
            "  ", " "
        )
    verdict = "all fit" if held.fits else "NOT ALL FIT"
    yield f"{amount(held.checkpoints, 'checkpoint')} over {amount(held.entries, 'entry')} in {held.folder}: {verdict}"
