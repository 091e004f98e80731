"""The id of an event: no source uses one twice, as far as its latest events are remembered."""

from __future__ import annotations

from processors.core.grammar.departures import depart, keeps
from processors.core.handlers import Anomalies
from processors.core.state import Table
from schemas.events import RoundEnded
from schemas.events.envelope import Envelope

REMEMBERED = 64  # ids of each source, at least: some ten rounds of the layout, two of the shoe
KEPT = 2 * REMEMBERED
_STRETCH = 1024  # events without another second use that end the stretch
_SOURCES = 64  # the devices of a table are some ten


def used_before(table: Table, event: Envelope) -> int:
    """Note the id of an event; the sequence of an earlier event of its source with the same id, else 0."""
    ids = table.lives.ids.get(event.source)
    if ids is None:
        if len(table.lives.ids) >= _SOURCES:
            del table.lives.ids[next(iter(table.lives.ids))]
        table.lives.ids[event.source] = {event.id: event.sequence}
        return 0
    name = event.id
    if name in ids:
        return ids[name]
    ids[name] = event.sequence
    if len(ids) > KEPT:
        for old in list(ids)[:REMEMBERED]:
            del ids[old]
    return 0


def is_told_again(table: Table, event: Envelope, before: int) -> bool:
    """Whether the round under way holds the same event already: the device sent it twice, and it is counted once.

    The end of the round before is known too; of other events between two rounds the content is not remembered.
    """
    if table.round is None:
        return type(event.data) is RoundEnded and table.lives.ended == before
    return any(
        entry.sequence == before and entry.source == event.source and entry.data == event.data
        for entry in table.round.log
    )


def same_id(table: Table, event: Envelope, before: int) -> Anomalies:
    """Name the second use of an id; a device that goes on using ids twice is named once."""
    source, last = event.source, table.lives.named.get(f"same_id:{event.source}", 0)
    if event.sequence - last > _STRETCH:
        keeps(table, f"same_id:{source}")
    device = source.rpartition("/")[2]
    return depart(table, "same_id", event.sequence, before, source, device=device, seen=event.id)
