"""A table before a round, and the next line of its record: the event it is, if the chain admits it."""

from __future__ import annotations

from msgspec import Struct

from processors.core.chain import admit, unreadable
from processors.core.state import Table, restore
from schemas.codec import Malformed, decode, record_hash
from schemas.envelope import PAYLOADS, Envelope


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
    return event
