"""The order of one table: what comes next in its chain, and the chain that a device's event is given."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from producers.log import Head
from producers.quarantine import prevhash_of
from schemas.events.codec import Malformed, record_hash, strict_json
from schemas.events.envelope import Envelope

_JSON_SPACE = b" \t\r\n"
_GIVEN = re.compile(rb',(?:"recordedtime":"[^"]*",)?"sequence":\d+,"prevhash":"[0-9a-f]{64}"\}')
CHAIN_BYTES = 160  # at most what `chain` adds to a line
_LONGEST_BRIDGE = 64  # unreadable records in a row; more is a broken device, and a gap


def chain(line: bytes, after: Head, recorded: str | None) -> bytes:
    """Give a device's event its sequence and chain, behind all that the device said, which stays as it came.

    `recorded` is the recorder's clock, or None where the device gave a `recordedtime` itself.
    """
    said = line.rstrip(_JSON_SPACE)[:-1]
    when = b'"recordedtime":"%b",' % recorded.encode() if recorded is not None else b""
    return b'%b,%b"sequence":%d,"prevhash":"%b"}' % (said, when, after.sequence + 1, after.hash.encode())


def says_the_same(record: bytes, line: bytes) -> bool:
    """Whether a record is what `chain` made, or would make, of this device's event.

    Its bytes decide; where they differ, the content does: another order of names or other white space is the
    same event.
    """
    said = line.rstrip(_JSON_SPACE)[:-1]
    if record.startswith(said) and _GIVEN.fullmatch(record, len(said)):
        return True
    told = strict_json(line)
    given = {"sequence", "prevhash"} | ({"recordedtime"} - told.keys())
    try:
        kept = {name: value for name, value in strict_json(record).items() if name not in given}
    except Malformed:  # a record that only its successor vouches for
        return False
    return _canonical(kept) == _canonical(told)


def _canonical(content: dict[str, Any]) -> str:
    return json.dumps(content, sort_keys=True)  # tells 1 from true and from 1.0, which == does not


class Draft:
    """Lines of one table that will be appended behind its head in one step, and the head they will make."""

    def __init__(self, base: Head) -> None:
        self.base = base
        self.head = base
        self.lines: list[bytes] = []

    def add(self, line: bytes) -> int:
        """Put a line behind the head; return its sequence."""
        self.lines.append(line)
        self.head = Head(self.head.sequence + 1, record_hash(line))
        return self.head.sequence

    def line_at(self, sequence: int) -> bytes | None:
        """A line of the draft itself, or None."""
        index = sequence - self.base.sequence - 1
        return self.lines[index] if 0 <= index < len(self.lines) else None

    def bridge(self, event: Envelope, unreadable: Callable[[str], bytes | None]) -> list[bytes] | None:
        """The unreadable lines between the head and this event, if its chain runs through them; else None.

        A line that is no event of the contract may still be a record: its successor's `prevhash` is the
        proof, and with it the table goes on. `unreadable` finds a quarantined line by its SHA-256.
        """
        missing = event.sequence - self.head.sequence - 1
        if not 0 < missing <= _LONGEST_BRIDGE:
            return None
        found: list[bytes] = []
        named: str | None = event.prevhash
        for _ in range(missing):
            line = unreadable(named) if named is not None else None
            if line is None:
                return None
            found.append(line)
            named = prevhash_of(line)
        # Of the first one the `prevhash` may be unreadable too; one that can be read must fit.
        if named is not None and named != self.head.hash:
            return None
        return found[::-1]
