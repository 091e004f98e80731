"""Conservation of cards: shoe + table + rack + removed = batch, by card, at every event.

The decks received give the batch's composition. Cards outside the shoe are counted by name, unknown ones (burnt face
down, hole cards before their reveal) together. A card seen more often than the batch holds it is a finding at once,
a missing one when the rest of the shoe is laid open.
"""

from __future__ import annotations

from collections.abc import Sequence

from processors.core.anomaly import Anomaly
from processors.core.conservation import nominal, too_many
from processors.core.facts_decks import Loose, Shoe
from processors.core.state import Round, Table
from schemas.values import JOKER, UNKNOWN


def fit(card: str, other: str) -> bool:
    """Whether two words of a face may be of one card: they name the same, or one of them was not read."""
    return card == other or UNKNOWN in (card, other)


def all_fit(run: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two runs may be of the same cards, in this order."""
    return run == other or (len(run) == len(other) and all(map(fit, run, other)))


def note_out(table: Table, card: str, sequence: int) -> tuple[Anomaly, ...]:
    """Count a card that left the shoe."""
    shoe = table.shoe
    if card == UNKNOWN:
        shoe.out_unknown += 1
        return ()
    return _count(table, card, sequence)


def note_identified(table: Table, card: str, sequence: int) -> tuple[Anomaly, ...]:
    """Count by name a card that left the shoe unknown and is now seen."""
    if card == UNKNOWN:
        return ()
    if table.shoe.out_unknown:
        table.shoe.out_unknown -= 1
    return _count(table, card, sequence)


def note_unseen(table: Table, card: str, sequence: int) -> tuple[Anomaly, ...]:
    """Count a card that left the shoe without a word of the shoe."""
    table.shoe.remaining -= 1
    return note_out(table, card, sequence)


def _count(table: Table, card: str, sequence: int) -> tuple[Anomaly, ...]:
    shoe = table.shoe
    seen = shoe.out.get(card, 0) + 1
    shoe.out[card] = seen
    batch = table.batches.get(shoe.batch)
    if batch is None or (seen <= batch.decks and card != JOKER):
        return ()
    if seen <= nominal(batch, card) + batch.over.get(card, 0) or card in shoe.reported:
        return ()
    return too_many(table, batch, card, sequence)


def note_counted(table: Table, card: str) -> None:
    """Take back the count of a draw whose card was counted before, as its face was seen."""
    shoe = table.shoe
    if card == UNKNOWN:
        shoe.out_unknown = max(0, shoe.out_unknown - 1)
    elif shoe.out.get(card):
        shoe.out[card] -= 1


def note_disputed(table: Table, card: str) -> None:
    """Two witnesses name a card differently: one card is out, but nobody knows which."""
    shoe = table.shoe
    if card != UNKNOWN and shoe.out.get(card):
        shoe.out[card] -= 1
        shoe.out_unknown += 1


def note_doubtful(table: Table, card: str) -> None:
    """Put back a card that the shoe reported and no other device confirmed: it may still be in the shoe."""
    shoe = table.shoe
    shoe.remaining += 1
    shoe.doubtful += 1
    note_counted(table, card)


def clear_layout(table: Table, round_: Round) -> list[Loose]:
    """Count a round's hands to the rack, and its drawn cards that lie with no hand as doubtful; the latter."""
    shoe = table.shoe
    shoe.in_rack += sum(len(hand.cards) for hand in round_.hands.values() if hand.racked is None)
    drawn, shoe.loose = shoe.loose, []
    for entry in drawn:
        note_doubtful(table, entry.card)
    return drawn


def draw_from(shoe: Shoe, count: int) -> bool:
    """Take cards off the shoe's count; False if the shoe does not hold that many."""
    shoe.remaining -= count
    return shoe.remaining >= 0


def take_loose(shoe: Shoe, card: str) -> Loose | None:
    """Take the drawn card that is now laid somewhere: the latest of that name, else of no name, else of all drawn."""
    loose = shoe.loose
    if not loose:
        return None
    for index in range(len(loose) - 1, -1, -1):
        if loose[index].card == card:
            return loose.pop(index)
    for index in range(len(loose) - 1, -1, -1):
        if loose[index].card == UNKNOWN:
            return loose.pop(index)
    return loose.pop()
