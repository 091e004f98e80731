"""A second party that looks at each new checkpoint, and cosigns it only if the log has grown from what it saw last.

It keeps what it saw where the house cannot write. It sees entries and checkpoints, not records: those are held against
the entries by `catwalk verify`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from deploy.checkpoints.folder import ENTRIES, LogReader, note_path, read_signed
from deploy.checkpoints.writing import write_whole
from deploy.errors import NotAsWritten, UserError
from schemas.tlog.checkpoints import cosigned, cosigned_at
from schemas.tlog.keys import SignerKey, VerifierKey
from schemas.tlog.merkle import SpanHashes, consistency_spans, is_consistent, leaf_hash
from schemas.tlog.notes import NoteMalformed

_REMEDY = (
    "keep the folder and this state as they are: they are evidence; nothing was cosigned, and nothing is until the"
    " house has explained it"
)
_Root = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Seen(Struct, frozen=True, kw_only=True):
    """The last checkpoint that was cosigned: whose, how large, and its root, hex."""

    origin: str
    size: Annotated[int, Meta(ge=1)]
    root: _Root


class Witness:
    """One witness of one log."""

    def __init__(self, folder: Path, log: Sequence[VerifierKey], key: SignerKey, state: Path) -> None:
        """Take the keys and read what was seen.

        Raises:
            UserError: the log's key is the witness' own, or the state is another log's or unreadable.
        """
        self._folder, self._log, self._key, self._state = folder, tuple(log), key, state
        if any(one.public == key.verifier.public for one in self._log):
            why = "it is the log's own: a house that vouches for itself is no witness"
            raise UserError("witness' key", why, "make one with `catwalk keygen`")
        self.seen = _read_state(state)
        if self.seen is not None and all(self.seen.origin != one.name for one in self._log):
            why = f"it is of {self.seen.origin}, and the key that is given of {self._log[0].name}"
            raise UserError(f"state {state}", why, "give each log a state of its own")

    def look(self, now: int) -> list[int]:
        """Cosign what is new at `now`, seconds since 1970; the sizes of the checkpoints cosigned.

        Raises:
            NotAsWritten: the log is not one that grew from what was seen; nothing was cosigned.
            UserError: the folder or the state cannot be read or written.
        """
        try:
            reader = LogReader(self._folder, self._log)
            reader.read()
            faults = sorted([*reader.faults, *reader.stray_faults()], key=lambda one: one.checkpoint)
        except OSError as error:
            why = error.strerror or str(error)
            raise UserError(f"checkpoints {self._folder}", why, "name the folder of checkpoints") from error
        before = self.seen.size if self.seen is not None else 0
        if reader.size < before:
            ends = f"the log ends at {reader.size}" if reader.size else "none is there that the log signed"
            raise self._rewritten(
                before, f"it was seen and cosigned, and now {ends}: checkpoints were removed"
            )
        if faults:
            raise self._rewritten(faults[0].checkpoint, faults[0].why)
        new = [size for size in reader.signed if size >= max(before, 1)]
        roots = {size: read_signed(self._folder, size, self._log)[1].root for size in new}
        self._require_growth(before, [size for size in new if size > before], roots)
        if not new:
            return []
        last = new[-1]
        if last > before:
            seen = Seen(origin=self._log[0].name, size=last, root=roots[last].hex())
            # Before anything is cosigned: a crash must not let it cosign another log of this size.
            write_whole(self._state, msgspec.json.encode(seen) + b"\n")
            self.seen = seen
        return [size for size in new if self._cosign(size, now)]

    def _require_growth(self, before: int, new: list[int], roots: dict[int, bytes]) -> None:
        """Hold each new checkpoint against the one before it, by the proof that the entries give."""
        sizes = [before, *new] if before else new
        spans = {(old, size): consistency_spans(old, size) for old, size in pairwise(sizes)}
        hashes = SpanHashes(span for one in spans.values() for span in one)
        with (self._folder / ENTRIES).open("rb") as file:
            for number, line in enumerate(file):
                if sizes and number >= sizes[-1]:
                    break
                hashes.take(leaf_hash(line[:-1]))
        known = dict(roots)
        if self.seen is not None:
            known[before] = bytes.fromhex(self.seen.root)
            if before in roots and roots[before] != known[before]:
                raise self._rewritten(
                    before, f"another was cosigned: of entries 1 to {before} some were written anew"
                )
        for old, size in spans:
            if not is_consistent(old, size, known[old], known[size], hashes.of(spans[old, size])):
                why = f"it does not contain checkpoint {old}: of entries 1 to {old} some were written anew"
                raise self._rewritten(size, why)

    def _cosign(self, size: int, now: int) -> bool:
        """Put the cosignature into the note, unless it bears one already."""
        path = note_path(self._folder, size)
        note, _ = read_signed(self._folder, size, self._log)
        try:
            if cosigned_at(note, self._key.verifier) is not None:
                return False
        except NoteMalformed as error:
            raise self._rewritten(size, str(error)) from error
        write_whole(path, cosigned(note, self._key, now).content, path.stat().st_mode & 0o777)
        return True

    def _rewritten(self, checkpoint: int, why: str) -> NotAsWritten:
        return NotAsWritten(f"checkpoint {checkpoint} in {self._folder}", why, _REMEDY)


def _read_state(path: Path) -> Seen | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Seen)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        remedy = "restore it from a copy; without it nothing says what was seen"
        raise UserError(f"state {path}", f"unreadable: {error}", remedy) from error
