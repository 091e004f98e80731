"""Stretches in which no device said a word: what they hide is in doubt as far as another word shows it (A68).

In play, words follow one another in seconds. Half a minute without any is a pause, or the recorder was away; nothing
in the record tells which. So a quiet is no finding, and only keeps a breach from being asserted that it may explain.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from processors.core.grammar.facts import Quiet, Slow
from processors.core.state import Round, Table
from schemas import events as e
from schemas.envelope import Envelope
from schemas.payload import Payload

QUIET = dt.timedelta(seconds=40)
_WHATEVER: frozenset[type[Payload]] = frozenset()
TAKES_TIME: dict[type[Payload], frozenset[type[Payload]]] = {
    e.TableConfigured: frozenset({e.ApprovalRecorded, e.GamingDayStarted}),
    e.ApprovalRecorded: frozenset({e.GamingDayStarted}),
    e.DecksReceived: frozenset({e.CardsInspected, e.InspectionVerified}),
    e.CardsSpread: frozenset({e.PlayerArrived}),
    e.ShuffleStarted: frozenset({e.ShuffleCompleted}),
    e.StackShuffledFromRack: frozenset({e.ShuffleStarted, e.ShuffleCompleted}),
    **dict.fromkeys(
        (
            e.DecksRemoved,
            e.DropBoxRemoved,
            e.DropCounted,
            e.TableClosed,
            e.TableIdle,
            e.DeviceFault,
            e.FloorpersonNotified,
        ),
        _WHATEVER,
    ),
}
"""Acts that last long, or after which the table waits, each with the events of the same batch that then come next."""


def begin_to_wait(table: Table, sequence: int, data: Any) -> None:
    """Note an act that takes its time."""
    table.lives.slow = Slow(sequence, type(data).__name__, getattr(data, "batch", ""))


def note(table: Table, event: Envelope, before: dt.datetime) -> None:
    """Note a quiet that an event ends, unless it is natural; the clock of one device that runs ahead makes none."""
    clock = table.clocks.get(event.source)
    if _is_natural(table.lives.slow, event) or (clock is not None and event.time - clock.last <= QUIET):
        return
    seconds = int((event.time - before).total_seconds())
    hides = f"what happened in the {seconds} seconds before event {event.sequence}"
    table.lives.quiet = Quiet(event.sequence, hides)


def _is_natural(slow: Slow | None, event: Envelope) -> bool:
    if slow is None or slow.sequence != event.sequence - 1:
        return False
    ends = _ENDS[slow.kind]
    return not ends or (type(event.data) in ends and getattr(event.data, "batch", slow.batch) == slow.batch)


def end(table: Table, round_: Round) -> None:
    """End the doubt with the first round that began after the quiet and is over."""
    quiet = table.lives.quiet
    if quiet is not None and round_.first_sequence > quiet.ended:
        table.lives.quiet = None


_ENDS = {kind.__name__: ends for kind, ends in TAKES_TIME.items()}
