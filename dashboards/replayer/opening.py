"""The state before a round, folded from the lines before it, and the lines of the round itself."""

from __future__ import annotations

from collections.abc import Iterable

from dashboards.replayer.replay import Before
from processors.core.chain import admit, unreadable
from processors.core.fold import fold
from processors.core.state import Table, snapshot
from schemas import events as e
from schemas.codec import Malformed, decode, record_hash


def round_of(subject: str, number: int, lines: Iterable[bytes]) -> tuple[Before, list[bytes]]:
    """The table before a round and the round's lines, out of the table's whole record from its first line.

    The lines are those from its `round_started` up to its `round_ended`, or to the end of the record.

    Raises:
        LookupError: the record holds no such round.
    """
    table = Table(subject=subject)
    found: Before | None = None
    own: list[bytes] = []
    for line in lines:
        digest = record_hash(line)
        try:
            event = decode(line, table.chain.head, table.subject)
        except Malformed:
            if found is None:
                unreadable(table.chain, digest, table.blind)
            else:
                own.append(line)
            continue
        data = event.data
        if found is not None:
            if type(data) is e.RoundStarted:
                break
            own.append(line)
            if type(data) is e.RoundEnded:
                break
            continue
        if type(data) is e.RoundStarted and data.round == number and event.subject == subject:
            found = Before(snapshot(table))
            own.append(line)
        elif event.subject == subject and admit(table.chain, event, digest, table.blind)[0]:
            fold(table, event)
    if found is None:
        raise LookupError(f"the record of {subject} holds no round {number}")
    return found, own
