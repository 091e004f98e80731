"""Decks made ready: received, inspected, spread, washed, shuffled; the shuffler loaded, failed, restored."""

from __future__ import annotations

from itertools import zip_longest

from processors.core.facts_decks import DeckFacts, Inspected, Preparation
from processors.core.folding.known_orders import reversed_order
from processors.core.handlers import Handlers
from processors.core.state import Table
from schemas import events as e

MOST_CARDS = 1024  # that are remembered of a shoe of which no word tells that it ended; eight decks are 416


def reshuffles_itself(table: Table) -> bool:
    """Whether the table deals from a device that reshuffles by itself."""
    return table.config is not None and table.config.shuffler in ("continuous", "self_shuffling")


def end_order(
    facts: DeckFacts, batch: Preparation | None, rest: tuple[str, ...], going_round: int = 0
) -> None:
    """End the shoe: the orders of its rack and its draws become known orders of the batch, in both directions.

    `going_round` is the number of cards of a device that takes the rack back, else 0. The orders before stay known for
    one turn of the device. Unshuffled cards come again in their old order, behind the cards already in the device.
    """
    if batch is not None:
        before = batch.orders[:2] if going_round else ()
        orders = [
            old + "".join((*cards, *rest))
            for old, cards in zip_longest(before, (facts.rack, facts.drawn), fillvalue="")
        ]
        if going_round:
            orders = [order[-2 * going_round :] for order in orders]
        batch.orders = [*orders, *(reversed_order(order) for order in orders)]
    facts.rack.clear()
    facts.drawn.clear()
    facts.looked_through = 0
    facts.order_told = False


def leave_rack(facts: DeckFacts, batch: str) -> None:
    """The cards of a batch are taken out of the discard rack."""
    if facts.rack_of == batch:
        facts.rack_of = ""


def take_out(facts: DeckFacts, batch: str) -> None:
    """A batch leaves the shuffler."""
    if batch in facts.stored:
        facts.stored.remove(batch)


# Decks


def _received(table: Table, sequence: int, data: e.DecksReceived) -> None:
    facts = table.decks
    facts.batches[data.batch] = Preparation(
        received=sequence, opened_at=data.opened_at, ready=data.preinspected and data.preshuffled
    )
    facts.ends.other = sequence


def _removed(table: Table, sequence: int, data: e.DecksRemoved) -> None:
    facts = table.decks
    facts.batches.pop(data.batch, None)
    take_out(facts, data.batch)
    leave_rack(facts, data.batch)
    facts.ends.other = sequence


def _inspected(table: Table, sequence: int, data: e.CardsInspected) -> None:
    batch = table.decks.batches.get(data.batch)
    if batch is not None:
        batch.inspected = sequence
        batch.inspection = Inspected(by=data.staff, dealer=table.dealer, defects=data.defects)


def _verified(table: Table, sequence: int, data: e.InspectionVerified) -> None:
    batch = table.decks.batches.get(data.batch)
    if batch is not None:
        batch.verified = sequence
        batch.inspection.verifier = data.staff
        batch.inspection.floorperson = table.floorperson


def _spread(table: Table, sequence: int, data: e.CardsSpread) -> None:
    facts = table.decks
    _rest_left(table, sequence, data.batch)
    leave_rack(facts, data.batch)
    batch = facts.batches.get(data.batch)
    if batch is None:
        return
    if batch.being_renewed and not (batch.inspected or batch.verified):
        batch.laid = batch.laid or sequence
        if data.face_up:
            batch.laid_face_up = sequence
            if batch.looked:
                batch.shown = sequence
    elif data.face_up:
        batch.shown = sequence
        batch.in_sequence = data.in_sequence


def _viewed(table: Table, sequence: int, data: e.PlayerViewingGiven) -> None:
    facts = table.decks
    batch = facts.batches.get(data.batch)
    if batch is None:
        return
    if batch.being_renewed and not batch.looked and not batch.shown:
        batch.looked = sequence
    else:
        batch.viewed = sequence
    batch.viewer = data.seat
    first = facts.first_seats()
    batch.viewer_is_first = not facts.beginning or not first or data.seat in first


def _washed(table: Table, sequence: int, data: e.CardsWashed) -> None:
    batch = table.decks.batches.get(data.batch)
    if batch is not None:
        batch.washed = sequence


def _stacked(table: Table, sequence: int, data: e.CardsStacked) -> None:
    _rest_left(table, sequence, data.batch)
    leave_rack(table.decks, data.batch)
    batch = table.decks.batches.get(data.batch)
    if batch is not None:
        batch.stacked = sequence


def _rest_left(table: Table, sequence: int, batch: str) -> None:
    """Note that the cards of the shoe in play are taken up although its rest never went to the rack."""
    shoe = table.shoe
    if table.round is None and shoe.loaded and not shoe.emptied and batch == table.decks.in_use:
        table.decks.rest_left = shoe.number


# Shuffle


def _shuffle_started(table: Table, sequence: int, data: e.ShuffleStarted) -> None:
    _rest_left(table, sequence, data.batch)
    leave_rack(table.decks, data.batch)
    batch = table.decks.batches.get(data.batch)
    if batch is not None:
        batch.started = sequence
        batch.interrupted = 0
        batch.steps_judged = True
    if data.method == "manual" and table.decks.shuffler_down and not table.decks.shuffler_marked:
        # The check of the mark reports its absence at this event alone.
        table.decks.shuffler_marked = sequence


def _shuffle_completed(table: Table, sequence: int, data: e.ShuffleCompleted) -> None:
    batch = table.decks.batches.get(data.batch)
    if batch is not None:
        batch.shuffled = sequence
        batch.interrupted = 0
    if data.method == "device":
        table.decks.shuffler_down = 0  # it works again, although no event said so


def _shuffler_loaded(table: Table, sequence: int, data: e.ShufflerLoaded) -> None:
    facts = table.decks
    batch = facts.batches.get(data.batch)
    if reshuffles_itself(table):
        if table.round is None and table.decks.in_use == data.batch:
            facts.returned = sequence
            end_order(facts, batch, (), going_round=min(table.shoe.loaded, MOST_CARDS))
        return
    _rest_left(table, sequence, data.batch)
    leave_rack(facts, data.batch)
    if data.batch not in facts.stored:
        facts.stored.append(data.batch)
    if batch is not None:
        batch.steps_judged = True


def _shuffler_unloaded(table: Table, sequence: int, data: e.ShufflerUnloaded) -> None:
    take_out(table.decks, data.batch)
    batch = table.decks.batches.get(data.batch)
    if batch is not None:
        batch.unloaded = sequence


def _fault(table: Table, sequence: int, data: e.DeviceFault) -> None:
    facts = table.decks
    if data.device == "shuffler":
        facts.shuffler_down = sequence
        facts.shuffler_marked = 0
        for batch in facts.batches.values():
            if batch.started > batch.shuffled:
                batch.interrupted = sequence


def _restored(table: Table, sequence: int, data: e.DeviceRestored) -> None:
    if data.device == "shuffler":
        table.decks.shuffler_down = 0


def _marked(table: Table, sequence: int, data: e.DeviceOutOfServiceMarked) -> None:
    if data.device == "shuffler":
        table.decks.shuffler_marked = sequence


def _ordered(table: Table, sequence: int, data: e.ReshuffleOrdered) -> None:
    table.decks.ends.ordered = sequence
    table.decks.ends.order_told = False


HANDLERS: Handlers = {
    e.DecksReceived: _received,
    e.DecksRemoved: _removed,
    e.CardsInspected: _inspected,
    e.InspectionVerified: _verified,
    e.CardsSpread: _spread,
    e.PlayerViewingGiven: _viewed,
    e.CardsWashed: _washed,
    e.CardsStacked: _stacked,
    e.ShuffleStarted: _shuffle_started,
    e.ShuffleCompleted: _shuffle_completed,
    e.ShufflerLoaded: _shuffler_loaded,
    e.ShufflerUnloaded: _shuffler_unloaded,
    e.DeviceFault: _fault,
    e.DeviceRestored: _restored,
    e.DeviceOutOfServiceMarked: _marked,
    e.ReshuffleOrdered: _ordered,
}
