"""The fold: `fold(table, event)` advances a table's state by one event and returns what of the record is amiss.

It takes every event of the contract in every state, and changes nothing but the state that it is given: callers that
need the earlier state take a `snapshot` first.
"""

from __future__ import annotations

import msgspec

from processors.core import conservation
from processors.core.anomaly import Anomaly
from processors.core.devices import pairing, silence
from processors.core.devices.accounts import unheard_by
from processors.core.exposure import remember
from processors.core.facts_decks import Batch
from processors.core.facts_equipment import Clock
from processors.core.folding import (
    cards,
    dealt_stacks,
    decks,
    equipment,
    lingering,
    shoe,
    stacks,
    wagers,
    wrong_batches,
)
from processors.core.folding.in_force import day_between
from processors.core.grammar import quiet
from processors.core.grammar.rounds import ONLY_IN_ROUNDS, UNSEEN_START, is_late_start, start_late
from processors.core.handlers import Anomalies, Handler, Handlers
from processors.core.sights import BIT
from processors.core.state import Logged, Round, Table
from processors.core.unheard import cards_unheard, count_unheard, steps_unseen
from schemas import events as e
from schemas.events.envelope import PAYLOADS, Envelope

UNSEEN = "unseen"
_OF_CARDS = ("integrity.witness", "integrity.seal", "integrity.shoe")


def fold(table: Table, event: Envelope) -> Anomalies:
    """Fold one admitted event into the table's state; the anomalies of the record it shows, mostly none."""
    table.time = now = event.time
    data, sequence, source = event.data, event.sequence, event.source
    kind = type(data)
    found: Anomalies = ()
    clock = table.clocks.get(source)
    if clock is not None and clock.last <= now:
        clock.last, clock.sequence = now, sequence
    else:
        found = _watch_clock(table, event, clock)
    if table.shoe.owed:
        found += pairing.overdue(table, now)
    round_ = table.round
    if round_ is None:
        if kind in ONLY_IN_ROUNDS and table.config and steps_unseen(table):
            _begin_unseen(table, sequence)
    elif round_.inferred:
        found += pairing.unplaced(table, now, ended=kind is e.RoundEnded)
    ends = table.round
    handlers, bit = _TAKEN[kind]
    for handler in handlers:
        anomalies = handler(table, sequence, data)
        if anomalies:
            found += anomalies
    round_ = table.round or ends
    if round_ is not None:
        round_.log.append(Logged(sequence, source, data, now))
        round_.seen |= bit
        if kind is not e.WagerSettled and kind is not e.WinningsTakenBack:
            round_.played = sequence
    return _as_far_as_seen(table, found) if found else found


def _begin_unseen(table: Table, sequence: int) -> None:
    """Begin a round whose start was not seen, numbered after the last one."""
    table.last_round += 1
    table.round = Round(
        table.last_round, sequence, table.shoe.number, day_between(table), table.configured_at
    )
    table.blind.cloud(UNSEEN_START, table.blind.round)
    table.lives.unstarted = table.time
    silence.goes_on(table, table.round)


def _as_far_as_seen(table: Table, found: Anomalies) -> Anomalies:
    """Weaken anomalies about cards where events that moved them were not seen; those of a shoe come once."""
    blind, shoe = table.blind, table.shoe
    if count_unheard(table):  # the finding about the silent witness covers these
        hushed = _OF_CARDS if cards_unheard(table) else ("integrity.shoe",)
        found = tuple(anomaly for anomaly in found if anomaly.check not in hushed)
    if not (blind.round or blind.shoe):
        return found
    if any(map(unheard_by, blind.shoe)):
        found = tuple(anomaly for anomaly in found if anomaly.check != "integrity.shoe")
    told: list[Anomaly] = []
    for anomaly in found:
        unseen = blind.shoe if anomaly.check == "integrity.shoe" else blind.round
        if table.round is not None:
            unseen = unseen or blind.round
        if anomaly.check not in _OF_CARDS or not unseen:
            told.append(anomaly)
        elif anomaly.check != "integrity.shoe" or UNSEEN not in shoe.reported:
            told.append(msgspec.structs.replace(anomaly, verdict="indeterminate", missing=tuple(unseen)))
            if anomaly.check == "integrity.shoe":
                shoe.reported.append(UNSEEN)
    return tuple(told)


def _watch_clock(table: Table, event: Envelope, clock: Clock | None) -> Anomalies:
    """Note a new device's clock, or report one that went back."""
    if clock is None:
        table.clocks[event.source] = Clock(event.time, event.sequence)
        return ()
    last, before = clock.last, clock.sequence
    clock.last, clock.sequence = event.time, event.sequence
    if table.times.clocks.get(event.source) in ("replaced", "back"):
        return ()
    device = event.source.rpartition("/")[2]
    if device in table.adjusted:
        table.adjusted.remove(device)
        return ()
    return (
        Anomaly(
            check="integrity.clock",
            message=f"The clock of {device} went back by {(last - event.time).total_seconds():.3f} s.",
            sequences=(before, event.sequence),
            expected={"not_before": last.isoformat()},
            observed={"time": event.time.isoformat()},
            severity="minor",
        ),
    )


def _configured(table: Table, sequence: int, data: e.TableConfigured) -> None:
    table.config = data
    table.configured_at = sequence
    table.blind.rules_submitted(table.chain.next_sequence - 1)


def _gaming_day(table: Table, sequence: int, data: e.GamingDayStarted) -> None:
    table.gaming_day = data.gaming_day
    table.blind.renew(table.blind.day)


def _opened_or_closed(table: Table, sequence: int, data: e.TableOpened | e.TableClosed) -> None:
    table.open = isinstance(data, e.TableOpened)
    if not table.open and table.blind.seats:
        table.players.clear()  # somebody may have left unseen; whoever comes back is seen to arrive
        table.blind.seats.clear()


def _dealer_arrived(table: Table, sequence: int, data: e.DealerArrived) -> None:
    table.dealer = data.staff


def _floorperson(table: Table, sequence: int, data: e.FloorpersonAssigned) -> None:
    table.floorperson = data.staff


def _dealer_left(table: Table, sequence: int, data: e.DealerLeft) -> None:
    if table.dealer == data.staff:
        table.dealer = ""


def _player_arrived(table: Table, sequence: int, data: e.PlayerArrived) -> None:
    table.players[data.seat] = data.player


def _player_left(table: Table, sequence: int, data: e.PlayerLeft) -> None:
    table.players.pop(data.seat, None)


def _decks_received(table: Table, sequence: int, data: e.DecksReceived) -> None:
    table.batches[data.batch] = Batch(
        name=data.batch,
        decks=data.decks,
        cards=data.cards,
        received=sequence,
        back_colour=data.back_colour,
        last_whole=table.last_round + 1,
        last_counted=table.last_round + 1,
    )


def _decks_removed(table: Table, sequence: int, data: e.DecksRemoved) -> Anomalies:
    found = conservation.removed(table, data, sequence)
    table.batches.pop(data.batch, None)
    if table.shoe.batch == data.batch:
        table.shoe.batch = ""
        table.shoe.in_rack = 0
        table.shoe.loaded = 0
        table.shoe.remaining = 0
        table.shoe.emptied = True
    return found


def _clock_adjusted(table: Table, sequence: int, data: e.ClockAdjusted) -> None:
    device = data.device.rpartition("/")[2]
    if device not in table.adjusted:
        table.adjusted.append(device)


def _round_started(table: Table, sequence: int, data: e.RoundStarted) -> None:
    if table.time is not None and is_late_start(table, table.time):
        start_late(table, sequence, data)
        return
    table.lives.unstarted = None
    table.round = Round(data.round, sequence, table.shoe.number, day_between(table), table.configured_at)
    table.last_round = data.round
    table.blind.renew(table.blind.round)
    silence.goes_on(table, table.round)


def _round_ended(table: Table, sequence: int, data: e.RoundEnded) -> Anomalies:
    lost = cards.left_over(table, sequence)
    if table.round is not None:
        lost += conservation.rack_differs(table, sequence)
        remember(table, table.round)
        quiet.end(table, table.round)
        lingering.remember_unfinished(table, table.round, sequence)
    table.round = None
    table.rounds += 1
    return lost


_OWN: Handlers = {
    e.TableConfigured: _configured,
    e.GamingDayStarted: _gaming_day,
    e.TableOpened: _opened_or_closed,
    e.TableClosed: _opened_or_closed,
    e.DealerArrived: _dealer_arrived,
    e.DealerLeft: _dealer_left,
    e.FloorpersonAssigned: _floorperson,
    e.PlayerArrived: _player_arrived,
    e.PlayerLeft: _player_left,
    e.DecksReceived: _decks_received,
    e.DecksRemoved: _decks_removed,
    e.ClockAdjusted: _clock_adjusted,
    e.RoundStarted: _round_started,
    e.RoundEnded: _round_ended,
}


def _joined(*tables: Handlers) -> dict[type, tuple[Handler, ...]]:
    """All handlers by event type, in the order of the tables: several parts of the state may handle one event."""
    joined: dict[type, tuple[Handler, ...]] = {}
    for table in tables:
        for kind, handler in table.items():
            joined[kind] = (*joined.get(kind, ()), handler)
    return joined


# Handlers of facts come last, because they read the state that the parts before them have changed. Those of the stack
# games come first: they need the round that ends and the batch that leaves.
HANDLERS = _joined(
    stacks.HANDLERS,
    _OWN,
    shoe.HANDLERS,
    cards.HANDLERS,
    dealt_stacks.HANDLERS,
    wagers.HANDLERS,
    decks.HANDLERS,
    equipment.HANDLERS,
    wrong_batches.HANDLERS,
)
_TAKEN: dict[type, tuple[tuple[Handler, ...], int]] = {
    kind: (HANDLERS.get(kind, ()), BIT[kind]) for kind in PAYLOADS.values()
}
