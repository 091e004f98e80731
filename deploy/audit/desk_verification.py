"""What the desk's ledger, or a range that was exported from it, proves."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from dashboards.ledger.acts import SUBJECT, TYPE
from dashboards.ledger.ledger import LedgerHead as DeskHead
from dashboards.ledger.proof import Proven, prove
from deploy.audit.checkpoints import Tally
from deploy.audit.verification import Proof
from producers.feeds.lines import AnyLine, LongLine
from producers.log import Head
from schemas.amounts import amount, verb
from schemas.events.codec import record_hash
from schemas.events.envelope import GENESIS


class _Head(Struct):
    type: str
    sequence: int
    prevhash: str
    time: str


_read = msgspec.json.Decoder(_Head).decode


def of_the_desk(line: AnyLine | None) -> bool:
    """Whether a line is a record of the desk."""
    head = _head(_content(line)) if line is not None else None
    return head is not None and head.type == TYPE


def verify_desk(
    file: str, lines: Iterable[AnyLine], written: Head | None = None, acknowledged: DeskHead | None = None
) -> Proof:
    """Say what records of the desk prove; a range may begin anywhere, and its first is taken as it stands.

    `written` is the last record that the ledger knows it wrote, `acknowledged` the last one that a console remembers
    of it, outside of the ledger.
    """
    times: list[str] = []
    passed: list[str] = []
    walked = _passing(_noting(lines, times), acknowledged.sequence if acknowledged else 0, passed)
    first = next(walked, None)
    head = _head(first) if first is not None else None
    begin, before = (head.sequence, head.prevhash) if head is not None and head.sequence > 1 else (1, GENESIS)
    proven = prove(itertools.chain([first] if first is not None else [], walked), begin, before)
    bad, why = _first_bad(proven, written)
    if bad is None and acknowledged is not None:
        bad, why = _unlike_memory(proven, acknowledged, passed)
    return Proof(
        file=file,
        subject=SUBJECT,
        records=proven.records,
        first_time=times[0] if times else None,
        last_time=times[-1] if times else None,
        head=proven.head,
        chain="intact" if bad is None else "broken",
        first_bad_sequence=bad,
        reason=why,
        checkpoints=Tally(),
    )


def _first_bad(proven: Proven, written: Head | None) -> tuple[int, str] | tuple[None, None]:
    if proven.bad is not None:
        return proven.bad, proven.why or ""
    if proven.records == 0:
        return proven.first, "there is not a single record"
    if written is not None and (proven.last, proven.head) != (written.sequence, written.hash):
        return (
            proven.last,
            f"{amount(written.sequence, 'record')} {verb(written.sequence, 'was')} written, and the last is another",
        )
    return None, None


def _unlike_memory(
    proven: Proven, acknowledged: DeskHead, passed: list[str]
) -> tuple[int, str] | tuple[None, None]:
    """The first record that is missing, or the acknowledged one where another stands in its place."""
    sequence = acknowledged.sequence
    if proven.last < sequence:
        return proven.last + 1, f"it ends at record {proven.last}; a console acknowledged {sequence}"
    if passed != [acknowledged.hash]:
        why = f"a console acknowledged another record {sequence}: it or one before it was written anew"
        return sequence, why
    return None, None


def _passing(lines: Iterable[bytes], number: int, passed: list[str]) -> Iterator[bytes]:
    """The lines; the hash of the one of this number is kept on the way."""
    for place, line in enumerate(lines, 1):
        if place == number:
            passed.append(record_hash(line))
        yield line


def _noting(lines: Iterable[AnyLine], times: list[str]) -> Iterator[bytes]:
    """The bytes of the lines; times of the first and the newest are kept on the way."""
    for line in lines:
        content = _content(line)
        head = _head(content)
        if head is not None:
            times[1:] = [head.time]
        yield content


def _content(line: AnyLine) -> bytes:
    """The bytes of a line; none of one that is too long for any record: it is proven to be none."""
    return b"" if isinstance(line, LongLine) else line.content


def _head(content: bytes) -> _Head | None:
    try:
        return _read(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
