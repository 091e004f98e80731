"""Parses each event by the grammar, before it is judged and folded."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any, NamedTuple

from processors.core.devices.silence import round_is_over
from processors.core.devices.thresholds import LATEST, PAUSE
from processors.core.grammar import checkpoints, quiet, rounds, shoes, tables
from processors.core.grammar.identity import KEPT, is_told_again, same_id, used_before
from processors.core.grammar.quiet import TAKES_TIME
from processors.core.handlers import Anomalies
from processors.core.sights import BIT
from processors.core.state import Table
from schemas import events as e
from schemas.events.envelope import Envelope

Rule = Callable[[Table, int, Any], Anomalies | None]

RULES: dict[type, Rule] = {
    e.TableOpened: tables.opened,
    e.TableClosed: tables.closed,
    e.ShoeLoaded: shoes.loaded,
    e.RoundStarted: rounds.started,
    e.RoundEnded: rounds.ended,
    e.ChainCheckpointed: checkpoints.checkpointed,
}
PLAY: dict[type, int] = dict.fromkeys(rounds.ONLY_IN_ROUNDS, 0) | {
    e.WagerPlaced: BIT[e.CardsRacked],
    **{kind: rounds.after(kind) for kind in rounds.BARS},
}
"""Events of play, with the sights after which they may belong to another round than the one under way."""
_MORE = frozenset({*TAKES_TIME, *RULES})


class Parse(NamedTuple):
    """What of an event leaves the grammar, whether the round under way is over, whether the event is a repetition."""

    departures: Anomalies = ()
    over: bool = False
    again: bool = False


LAWFUL = Parse()


def parse(table: Table, event: Envelope) -> Parse:
    """Parse an event by the grammar: a repetition does not count, and what is over is not gone on with."""
    last, lives, name, data = table.time, table.lives, event.id, event.data
    if last is not None and event.time - last >= PAUSE:
        quiet.note(table, event, last)
    if lives.quiet is not None and table.round is None:
        quiet.look_back(table, data)
    ids, before = lives.ids.get(event.source), 0
    if ids is None or name in ids or len(ids) >= KEPT:
        before = used_before(table, event)
    else:
        ids[name] = event.sequence
    kind = type(data)
    after = PLAY.get(kind)
    if after is None:
        if kind not in _MORE:
            if not before:
                return LAWFUL
        elif kind in TAKES_TIME:
            quiet.begin_to_wait(table, event.sequence, data)
            if not before and kind not in RULES:
                return LAWFUL
    elif not before:
        round_ = table.round
        if round_ is not None and table.open and not round_.seen & after:
            return LAWFUL
    return _closely(table, event, before)


def _closely(table: Table, event: Envelope, before: int) -> Parse:
    """Parse an event that is not plainly lawful; `before` is an earlier event with the same id."""
    data, sequence, kind = event.data, event.sequence, type(event.data)
    found: Anomalies = ()
    if before:
        found = same_id(table, event, before)
        if is_told_again(table, event, before):
            return Parse(found, again=True)
    round_, over = table.round, False
    if not table.open and (kind in PLAY or kind is e.RoundStarted):
        found += tables.played(table, sequence)
    if kind is e.RoundStarted and rounds.is_late_start(table, event.time):
        return Parse(found)
    if kind is e.RoundEnded and rounds.is_late_end(table, event.time):
        table.lives.ended = sequence
        return Parse(found, again=True)
    if kind in RULES:
        over = kind is e.RoundStarted and round_ is not None
        found += RULES[kind](table, sequence, data) or ()
    elif round_ is None:
        if kind in rounds.ONLY_IN_ROUNDS:
            found += rounds.unstarted(table, sequence)
    elif kind is e.WagerPlaced:
        over = round_is_over(table, data)
    elif not _comes_late(table, event) and (bar := rounds.barred(round_, kind)) is not None:
        over = True
        found += rounds.of_another(table, round_, sequence, bar)
    return Parse(found, over)


def _comes_late(table: Table, event: Envelope) -> bool:
    """Whether the event was said before the last one, and is late: then it stands where its time puts it."""
    return table.time is not None and dt.timedelta(0) < table.time - event.time <= LATEST
