"""Reads each event against the grammar, before it is judged and folded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from processors.core.folding.handlers import Anomalies
from processors.core.grammar import checkpoints, rounds, shoes, tables
from processors.core.grammar.identity import is_told_again, same_id, used_before
from processors.core.silence import round_is_over
from processors.core.state import Table
from schemas import events as e
from schemas.envelope import Envelope

Rule = Callable[[Table, int, Any], Anomalies | None]

RULES: dict[type, Rule] = {
    e.TableOpened: tables.opened,
    e.TableClosed: tables.closed,
    e.ShoeLoaded: shoes.loaded,
    e.RoundEnded: rounds.ended,
    e.ChainCheckpointed: checkpoints.checkpointed,
}
PLAY = rounds.ONLY_IN_ROUNDS | rounds.BARS.keys() | {e.RoundStarted}


class Reading(NamedTuple):
    """What of an event leaves the grammar, whether the round under way is over, whether the event is a repetition."""

    departures: Anomalies = ()
    over: bool = False
    again: bool = False


LAWFUL = Reading()


def read(table: Table, event: Envelope) -> Reading:
    """Read an event against the grammar: a repetition does not count, and what is over is not gone on with."""
    data, sequence = event.data, event.sequence
    kind = type(data)
    found: Anomalies = ()
    before = used_before(table, event)
    if before:
        found = same_id(table, event, before)
        if is_told_again(table, event, before):
            return Reading(found, again=True)
    over = False
    if kind in PLAY:
        round_ = table.round
        if not table.open:
            found += tables.played(table, sequence)
        if kind is e.CardPlaced:
            found += shoes.hole_laid(table, sequence, data)
        if kind is e.RoundStarted:
            over = round_ is not None
            found += rounds.started(table, sequence, data)
        elif round_ is None:
            if kind in rounds.ONLY_IN_ROUNDS:
                found += rounds.unstarted(table, sequence)
        elif kind is e.WagerPlaced:
            over = round_is_over(table, data)
        elif (bar := rounds.barred(round_, data)) is not None:
            over = True
            found += rounds.of_another(table, round_, sequence, bar)
    elif (rule := RULES.get(kind)) is not None:
        found += rule(table, sequence, data) or ()
    return Reading(found, over) if found or over else LAWFUL
