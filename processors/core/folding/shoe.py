"""The shoe's life: loaded, burnt from, drawn from, emptied, reloaded from the rack in mid-round."""

from __future__ import annotations

from collections import Counter

from processors.core import cards, conservation
from processors.core.devices import pairing
from processors.core.devices.silence import shoe_goes_on
from processors.core.facts_decks import Loose, Shoe
from processors.core.folding.preparation import reshuffles_itself
from processors.core.handlers import Anomalies, Handlers
from processors.core.state import Table
from schemas import events as e
from schemas.values import UNKNOWN


def on_the_table(table: Table) -> Counter[str]:
    """Cards that lie on the layout now, by card; unknown ones under `??`."""
    lying: Counter[str] = Counter(loose.card for loose in table.shoe.loose)
    if table.round is not None:
        for hand in table.round.hands.values():
            if hand.racked is None:
                lying.update(hand.cards)
    return lying


def _loaded(table: Table, sequence: int, data: e.ShoeLoaded) -> Anomalies:
    before = table.shoe
    batch = table.batches.get(data.batch)
    reload = before.reload_from_rack is not None and table.round is not None
    lying = on_the_table(table) if reload else Counter[str]()
    shoe = Shoe(
        number=data.shoe,
        batch=data.batch,
        loaded=data.cards,
        loaded_at=sequence,
        remaining=data.cards,
        emptied=False,
        first_round=table.last_round if reload else table.last_round + 1,
        loose=before.loose if reload else [],
        burnt=0,
    )
    shoe.beside = lying.total()
    shoe.doubtful = 1  # until the burn is seen; a check of the law reports a missing one
    shoe.out_unknown = lying.pop(UNKNOWN, 0)
    shoe.out = dict(lying)
    table.shoe = shoe
    if reload and table.round is not None:
        table.round.reloads.append(sequence)
    if not reload:
        table.blind.renew(table.blind.shoe)
        shoe_goes_on(table)
    if batch is None or (reload and table.blind.round):
        return ()
    return conservation.loaded(table, batch, data, sequence)


def _burned(table: Table, sequence: int, data: e.CardBurned) -> Anomalies:
    shoe = table.shoe
    shoe.in_rack += 1
    if shoe.burnt is not None:
        shoe.burnt += 1
    if data.reason != "new_dealer" and shoe.doubtful:
        shoe.doubtful -= 1
    found = cards.note_out(table, data.card, sequence)
    if not cards.draw_from(shoe, 1):
        found += conservation.overdrawn(table, sequence)
    return found


def _drawn(table: Table, sequence: int, data: e.CardDrawn) -> Anomalies:
    shoe = table.shoe
    shoe.remaining -= 1
    found = cards.note_out(table, data.card, sequence)
    owed = pairing.late_draw(table.round, data.card, table.time)
    if owed is None and shoe.owed:
        owed = pairing.owed_draw(table, data.card)
    if owed is None:
        shoe.loose.append(Loose(data.card, sequence, data.seal or ""))
    else:
        found += pairing.pair(table, owed, sequence, data)
    if shoe.remaining < 0:
        found += conservation.overdrawn(table, sequence)
    if table.round is not None and table.round.first_card is None:
        table.round.first_card = sequence
    return found


def _exposed(table: Table, sequence: int, data: e.CardExposed) -> Anomalies:
    found: Anomalies = ()
    for loose in reversed(table.shoe.loose):
        if loose.card in (data.card, UNKNOWN) and data.where in ("in_shoe", "drawn_in_error"):
            loose.exposed = data.where
            if loose.card == UNKNOWN and data.card != UNKNOWN:
                loose.card = data.card
                found = cards.note_identified(table, data.card, sequence)
            break
    return found


def _emptied(table: Table, sequence: int, data: e.ShoeEmptied) -> Anomalies:
    shoe = table.shoe
    found: Anomalies = ()
    if shoe.emptied:
        return found  # the rest was laid open before
    for card in data.cards:
        found += cards.note_out(table, card, sequence)
    found += conservation.laid_open(table, len(data.cards), sequence)
    shoe.in_rack += len(data.cards)
    shoe.remaining = 0
    shoe.emptied = True
    return found


def _stub_counted(table: Table, sequence: int, data: e.StubCounted) -> None:
    conservation.counted_stub(table, data.cards)


def _shuffled_from_rack(table: Table, sequence: int, data: e.StackShuffledFromRack) -> None:
    table.shoe.reload_from_rack = data.cards


def _shuffler_loaded(table: Table, sequence: int, data: e.ShufflerLoaded) -> None:
    shoe = table.shoe
    if reshuffles_itself(table) and shoe.batch == data.batch and table.round is None:
        # The rack has gone back into the device: the batch is whole in it again.
        shoe.out.clear()
        shoe.out_unknown = 0
        shoe.in_rack = shoe.beside = shoe.doubtful = shoe.burnt = 0
        shoe.remaining = shoe.loaded
        shoe.first_round = table.last_round + 1
        shoe.reported.clear()
        table.blind.renew(table.blind.shoe)
        shoe_goes_on(table)


HANDLERS: Handlers = {
    e.ShoeLoaded: _loaded,
    e.CardBurned: _burned,
    e.CardDrawn: _drawn,
    e.CardExposed: _exposed,
    e.ShoeEmptied: _emptied,
    e.StubCounted: _stub_counted,
    e.StackShuffledFromRack: _shuffled_from_rack,
    e.ShufflerLoaded: _shuffler_loaded,
}
