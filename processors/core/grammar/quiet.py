"""Stretches in which no device said a word: what they hide is in doubt as far as another word shows it (A68).

In a round words follow one another in seconds: in a longer quiet the recorder was away, or the table paused; nothing
tells which. Between rounds tables often pause: there a later word must show that some were lost. A quiet is no finding,
it only keeps a breach from being asserted that it may explain.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from msgspec.structs import replace

from processors.core.devices.thresholds import MOST_PAUSES, PAUSE, QUIET
from processors.core.facts_decks import STACK_GAMES
from processors.core.facts_grammar import Quiet, Slow
from processors.core.state import Round, Table
from processors.core.witnesses import Pause
from schemas import events as e
from schemas.amounts import amount
from schemas.events.envelope import Envelope
from schemas.payload import Payload

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
    """Note a quiet or a pause that an event ends; the clock of one device that runs ahead makes none."""
    clock, last, round_ = table.clocks.get(event.source), table.lives.quiet, table.round
    unheard = event.time - max(before, clock.last if clock is not None else before)
    if round_ is None and unheard >= PAUSE:
        table.lives.paused = event.sequence
    # Between rounds a table pauses for seconds at any time, too.
    natural = unheard <= QUIET or _is_natural(table, event)
    if natural:
        # A wait that is natural in a round may hide as much as any other pause: the record is asked.
        if round_ is not None and unheard >= PAUSE and len(round_.pauses) < MOST_PAUSES:
            round_.pauses.append(Pause(event.sequence, int(unheard.total_seconds())))
        if unheard < PAUSE or round_ is not None or (last is not None and not last.natural):
            return
    if round_ is None and last is not None and last.shown:
        return  # it goes on to be in doubt up to the end of the next round
    seconds = int((event.time - before).total_seconds())
    table.lives.quiet = Quiet(
        event.sequence, unheard_before(event.sequence, seconds), round_ is not None, natural
    )


def unheard_before(sequence: int, seconds: int) -> str:
    """What a round lacks for a stretch without a word, which an event ended."""
    return f"what happened in the {amount(seconds, 'second')} before event {sequence}"


def _is_natural(table: Table, event: Envelope) -> bool:
    slow = table.lives.slow
    # An inspection takes a minute, whatever was said before. Where the batch was not seen to come either, that may be
    # a single word (A69); where another step before it is missing as well, the recorder was away.
    data = event.data
    if isinstance(data, e.CardsInspected) and (
        data.batch in table.batches or not _several_are_missing(table)
    ):
        return True
    if slow is None or slow.sequence != event.sequence - 1:
        return False
    ends = _ENDS[slow.kind]
    return not ends or (type(event.data) in ends and getattr(event.data, "batch", slow.batch) == slow.batch)


def _several_are_missing(table: Table) -> bool:
    """Whether more is missing than the coming of the batch under inspection: of the staff, or of a batch before it."""
    if not (table.dealer and table.floorperson):
        return True
    if not table.batches and _has_a_reader(table) and not table.equipment.inspections:
        return True
    return any(not (batch.ready or batch.verified) for batch in table.decks.batches.values())


def _has_a_reader(table: Table) -> bool:
    return table.config is not None and table.config.ruleset not in STACK_GAMES


def look_back(table: Table, data: Payload) -> None:
    """Note that a word between rounds shows others to be lost: it speaks of what never came or never began."""
    quiet = table.lives.quiet
    if quiet is None or quiet.shown:
        return
    if _follows_the_unheard(table, quiet, data) or (not quiet.natural and _speaks_of_the_unseen(table, data)):
        table.lives.quiet = replace(quiet, shown=True)
        if table.players:
            table.blind.cloud(quiet.hides, table.blind.seats)


def _follows_the_unheard(table: Table, quiet: Quiet, data: Payload) -> bool:
    """Whether an event cannot have come about by the words before it: a round, or several steps, are missing."""
    if isinstance(data, e.RoundStarted):
        begun = bool(table.lives.started_at) or not quiet.natural  # a record may begin with any number
        return begun and data.round > table.last_round + 1
    if isinstance(data, e.ShoeLoaded):
        return _loads_what_it_never_took_out(table, data)
    if isinstance(data, e.ShuffleStarted | e.ShuffleCompleted):
        return _shuffles_what_it_never_got(table, data)
    return False


def _loads_what_it_never_took_out(table: Table, data: e.ShoeLoaded) -> bool:
    """Whether a batch is loaded from the shuffler, while the shoe was not emptied nor the batch stacked."""
    batch = table.decks.batches.get(data.batch)
    if batch is None or data.batch not in table.decks.stored or table.round is not None:
        return False
    return not table.shoe.emptied and batch.stacked <= table.lives.ended


def _shuffles_what_it_never_got(table: Table, data: e.ShuffleStarted | e.ShuffleCompleted) -> bool:
    """Whether the device shuffles a batch that was neither stacked since it was dealt nor put into the device."""
    config, batch = table.config, table.decks.batches.get(data.batch)
    if batch is None or config is None or config.shuffler != "batch" or data.method != "device":
        return False
    if config.ruleset in STACK_GAMES:
        return False  # their decks are shuffled with no further step
    return data.batch not in table.decks.stored and batch.stacked <= batch.dealt


def _speaks_of_the_unseen(table: Table, data: Payload) -> bool:
    kind, batch = type(data), getattr(data, "batch", "")
    if batch and batch not in table.batches and kind is not e.DecksReceived:
        return True
    if isinstance(data, e.PlayerViewingGiven | e.CutOffered) and data.seat not in table.players:
        return True
    if isinstance(data, e.ShuffleStarted | e.ShuffleCompleted) and _never_made_ready(table, data):
        return True
    if isinstance(data, e.CardBurned) and data.reason == "load" and table.shoe.emptied:
        return True
    if isinstance(data, e.TableOpened) and (table.gaming_day is None or not table.dealer):
        return True
    return kind in _AT_AN_OPEN_TABLE and not table.open


def _never_made_ready(table: Table, data: e.ShuffleStarted | e.ShuffleCompleted) -> bool:
    """Whether of a new batch that is shuffled nothing was seen that comes before: several words are missing."""
    batch = table.decks.batches.get(data.batch)
    if batch is None or batch.dealt or batch.idle or batch.ready:
        return False
    return not (batch.started or batch.washed or batch.stacked or data.batch in table.decks.stored)


def end(table: Table, round_: Round) -> None:
    """End the doubt with the first round that began after the quiet and is over."""
    quiet = table.lives.quiet
    if quiet is not None and round_.first_sequence > quiet.ended:
        table.lives.quiet = None


_AT_AN_OPEN_TABLE = (
    e.CardsSpread,
    e.CardsWashed,
    e.ShuffleStarted,
    e.CutOffered,
    e.ShoeLoaded,
    e.RoundStarted,
)
_ENDS = {kind.__name__: ends for kind, ends in TAKES_TIME.items()}
