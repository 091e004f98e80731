"""The next line of a table's record: the event it is, if the chain admits it."""

from __future__ import annotations

from processors.core.chain import admit, unreadable
from processors.core.state import Table
from schemas.codec import Malformed, decode, record_hash
from schemas.envelope import Envelope


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
