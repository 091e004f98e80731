"""What lines of the desk's ledger prove: that they stand as they were written, or the first that does not."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from dashboards.ledger.acts import DeskBroken, read
from schemas.events.codec import record_hash
from schemas.events.envelope import GENESIS


class Proven(Struct, frozen=True, kw_only=True):
    """What a range proved: `before` is the hash its first record follows, `head` that of its last, in hex.

    When it is broken: `bad` is the record that is not as it was written, `shown_at` the one that shows it because it
    should carry the hash `expected` and carries `found` (None where it is no record), `why` in words.
    """

    first: int
    records: int
    before: str
    head: str
    bad: int | None = None
    shown_at: int | None = None
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
    head, taken, walked = before, 0, iter(lines)
    for line in walked:
        number = first + taken
        try:
            _, digest = read(line, number, head)
        except DeskBroken as error:
            bad, why = _blamed(line, next(walked, None), number, first, str(error))
            return Proven(
                first=first,
                records=taken,
                before=before,
                head=head,
                bad=bad,
                shown_at=number,
                expected=head,
                found=_carried(line),
                why=why,
            )
        head, taken = digest, taken + 1
    return Proven(first=first, records=taken, before=before, head=head)


def _blamed(line: bytes, following: bytes | None, number: int, first: int, why: str) -> tuple[int, str]:
    """Which record was edited: one that the next follows stands as it was written, so it is the one before it."""
    carried = _carried(line)
    try:
        read(line, number, carried or "")
    except DeskBroken:
        return number, why  # no record, or not the one of this place
    itself = following is not None and _carried(following) != record_hash(line)
    if number == first or itself:
        return number, why
    bad = number - 1
    return bad, f"record {bad} of the desk was edited: record {number} carries the hash of another"


def _carried(line: bytes) -> str | None:
    try:
        return msgspec.json.decode(line, type=_Prevhash).prevhash
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
