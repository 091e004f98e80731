"""The state before a round, folded from the lines before it, and the lines of the round itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dashboards.replayer.admitting import Before, admitted
from processors.core.fold import fold
from processors.core.state import Table, snapshot
from schemas import events as e
from schemas.codec import Malformed, decode
from schemas.envelope import Envelope


def round_of(subject: str, number: int, lines: Iterable[bytes]) -> tuple[Before, list[bytes]]:
    """The table before a round and the round's lines, out of the table's whole record from its first line.

    The lines are those from its `round_started` up to its `round_ended`, or to the end of the record.

    Raises:
        LookupError: the record holds no such round.
    """
    table, rest = Table(subject=subject), iter(lines)
    for line in rest:
        event = _event(line)
        data = event.data if event is not None and event.subject == subject else None
        if isinstance(data, e.RoundStarted) and data.round == number:
            return Before(snapshot(table)), [line, *_to_its_end(rest)]
        event = admitted(table, line)
        if event is not None:
            fold(table, event)
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
