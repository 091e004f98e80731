"""What a sender is told about each of its lines: a value, never an exception."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


class Appended(Struct, frozen=True, tag="appended"):
    """Recorded now; `bridged` unreadable records before it came in, because its `prevhash` names them."""

    subject: str
    sequence: int
    bridged: int = 0


class AlreadyHave(Struct, frozen=True, tag="already_have"):
    """Recorded before, the same; nothing was written."""

    subject: str
    sequence: int


class RecordConflict(Struct, frozen=True, tag="conflict"):
    """Contradicts record `sequence`; not recorded, its bytes are in quarantine under `number`."""

    subject: str
    sequence: int
    reason: str
    number: int


class Gap(Struct, frozen=True, tag="gap"):
    """Not recorded: `expected` is the sequence the table goes on with; send from there."""

    subject: str
    sequence: int
    expected: int


class LineQuarantined(Struct, frozen=True, tag="quarantined"):
    """No event of the contract; its bytes are in quarantine under `number`."""

    number: int
    reason: str
    path: str


Answer: TypeAlias = Appended | AlreadyHave | RecordConflict | Gap | LineQuarantined
