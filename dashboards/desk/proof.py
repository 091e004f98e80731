"""What lines of the desk's ledger prove: that they stand as they were written, or the first that does not."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from dashboards.desk.acts import DeskBroken, read
from schemas.codec import record_hash
from schemas.envelope import GENESIS


class Proven(Struct, frozen=True, kw_only=True):
    """What a range proved: `before` is the hash its first record follows, `head` that of its last, in hex.

    When it is broken: `bad` is the record that does not follow, `expected` the hash it should carry, `found` the one
    it carries (None where it is no record), `why` in words.
    """

    first: int
    records: int
    before: str
    head: str
    bad: int | None = None
    expected: str | None = None
    found: str | None = None
    why: str | None = None

    @property
    def last(self) -> int:
        """Number of the last record looked at."""
        return self.first + self.records - 1


class _Prevhash(Struct):
    prevhash: str


def prove(lines: Iterable[bytes], first: int = 1, before: str = GENESIS) -> Proven:
    """Walk the chain from record `first`, which must follow `before`, up to the first break or the end.

    A record that was edited shows at the one after it; the last one of a range is proven by the next record alone.
    """
    head, taken = before, 0
    for line in lines:
        number = first + taken
        try:
            _, digest = read(line, number, head)
        except DeskBroken as error:
            return Proven(
                first=first,
                records=taken,
                before=before,
                head=head,
                bad=number,
                expected=head,
                found=_carried(line),
                why=str(error),
            )
        head, taken = digest, taken + 1
    return Proven(first=first, records=taken, before=before, head=head)


def hash_of(line: bytes) -> str:
    """Hash of one record, which the next one carries, in hex."""
    return record_hash(line)


def _carried(line: bytes) -> str | None:
    try:
        return msgspec.json.decode(line, type=_Prevhash).prevhash
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
