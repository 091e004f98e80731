"""A table before a round and the round's lines, and the event of a line if the chain of the table admits it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from processors.core.chain import admit, unreadable
from processors.core.folding.clocks import reckoned
from processors.core.snapshots import restore, snapshot
from processors.core.state import Table
from processors.games.whichever.taking import Taking
from schemas import events as e
from schemas.events.codec import Malformed, decode, record_hash
from schemas.events.envelope import PAYLOADS, Envelope


class Before(Struct, frozen=True):
    """A snapshot of a table's state before a round."""

    snapshot: bytes

    def table(self) -> Table:
        """A copy of the state, to be folded on.

        Raises:
            msgspec.ValidationError: the snapshot is none of this version.
        """
        return restore(self.snapshot, PAYLOADS)


def admitted(table: Table, line: bytes) -> Envelope | None:
    """The event of a line, not yet folded; None for a line that is no event of the table, or not the next one.

    Its time is the one by which it counts.

    The chain of the table is moved on to the line, whatever it is.
    """
    digest = record_hash(line)
    try:
        event = decode(line, table.chain.head, table.subject)
    except Malformed:
        unreadable(table.chain, digest, table.blind)
        return None
    if event.subject != table.subject or not admit(table.chain, event, digest, table.blind)[0]:
        return None
    return reckoned(table.times, event)[0]


def round_of(subject: str, number: int, lines: Iterable[bytes]) -> tuple[Before, list[bytes]]:
    """The table before a round and the round's lines, out of the table's whole record from its first line.

    The lines are those from its `round_started` up to its `round_ended`, or to the end of the record.

    Raises:
        LookupError: the record holds no such round.
    """
    table, rest = Table(subject=subject), iter(lines)
    taking = Taking(table)
    for line in rest:
        event = _event(line)
        data = event.data if event is not None and event.subject == subject else None
        if isinstance(data, e.RoundStarted) and data.round == number:
            return Before(snapshot(table)), [line, *_to_its_end(rest)]
        event = admitted(table, line)
        if event is not None:
            taking.take(event)
    raise LookupError(f"the record of {subject} holds no round {number}")


def _event(line: bytes) -> Envelope | None:
    try:
        return decode(line)
    except Malformed:
        return None


def _to_its_end(lines: Iterable[bytes]) -> Iterator[bytes]:
    for line in lines:
        event = _event(line)
        kind = type(event.data) if event is not None else None
        if kind is e.RoundStarted:
            return
        yield line
        if kind is e.RoundEnded:
            return
