"""Lines kept aside: what could not be read, and what contradicts the ledger, with bytes and reason."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import Literal

import msgspec
from msgspec import Struct

from schemas.messages import DeadLetterMessage, dead_letter

Kind = Literal["unreadable", "conflict"]


class DeadLetter(Struct, frozen=True, kw_only=True):
    """One line that was not recorded: its exact bytes, why, and where it came from.

    `path` says where in the line the fault lies (`$.data.cents`), `origin` which file and line or device sent
    it, `received` when (RFC 3339, UTC), `sequence` the record a conflict contradicts.
    """

    kind: Kind
    line: bytes
    reason: str
    path: str
    origin: str
    received: str
    subject: str | None = None
    sequence: int | None = None

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes, hex: what a successor's `prevhash` says if the line was part of a chain."""
        return hashlib.sha256(self.line).hexdigest()

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """What makes two arrivals the same dead letter, so that a file recorded twice leaves one."""
        return self.kind, self.origin, self.digest, self.reason


class Quarantined(Struct, frozen=True):
    """A dead letter as it is kept, numbered 1, 2, 3 ... per ledger."""

    number: int
    letter: DeadLetter

    @property
    def message(self) -> DeadLetterMessage:
        """The letter as the workers tell of one, under the number that it has in its ledger."""
        letter = self.letter
        return dead_letter(
            letter.line,
            letter.reason,
            msgspec.convert(letter.received, dt.datetime),
            letter.origin,
            subject=letter.subject or "",
            sequence=letter.sequence or 0,
            number=self.number,
            kind=letter.kind,
            path=letter.path,
        )


class _Link(Struct):
    prevhash: str


_read_link = msgspec.json.Decoder(_Link).decode


def prevhash_of(line: bytes) -> str | None:
    """The `prevhash` of a line that is no event of the contract but at least a JSON object; else None."""
    try:
        return _read_link(line).prevhash
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
