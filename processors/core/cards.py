"""Conservation of cards: shoe + table + rack + removed = batch, by card, at every event.

The batch's composition is known from the decks it was received with. Of the cards outside the shoe every known
one is counted; unknown ones (burnt face down, hole cards before their reveal) are counted as such. A card seen
more often than the batch can hold is named at once; a missing one when the rest of the shoe is laid open.
"""

from __future__ import annotations

from typing import Any

from processors.core.anomaly import Anomaly
from processors.core.facts_stacks import STACK_GAMES
from processors.core.state import Loose, Shoe, Table
from schemas.values import JOKER, RANKS, SUITS, UNKNOWN

CARDS_OF_A_DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)


def copies(table: Table, card: str) -> int | None:
    """How often `card` exists in the batch that is dealt from; None when the batch is not known."""
    batch = table.batches.get(table.shoe.batch)
    if batch is None:
        return None
    if card == JOKER:
        return batch.cards - 52 * batch.decks
    return batch.decks


def note_out(table: Table, card: str, sequence: int) -> tuple[Anomaly, ...]:
    """Count a card that left the shoe."""
    shoe = table.shoe
    if card == UNKNOWN:
        shoe.out_unknown += 1
        return ()
    return _count(table, card, sequence)


def note_identified(table: Table, card: str, sequence: int) -> tuple[Anomaly, ...]:
    """Count a card that was outside the shoe unknown and is now seen."""
    if card == UNKNOWN:
        return ()
    if table.shoe.out_unknown:
        table.shoe.out_unknown -= 1
    return _count(table, card, sequence)


def _count(table: Table, card: str, sequence: int) -> tuple[Anomaly, ...]:
    shoe = table.shoe
    seen = shoe.out.get(card, 0) + 1
    shoe.out[card] = seen
    batch = table.batches.get(shoe.batch)
    if batch is None or (seen <= batch.decks and card != JOKER):
        return ()
    limit = copies(table, card)
    if limit is None or seen <= limit or card in shoe.reported:
        return ()
    shoe.reported.append(card)
    return (
        Anomaly(
            check="integrity.shoe",
            cites="integrity.shoe",
            message=(
                f"Card {card} has now left shoe {shoe.number} {seen} times; "
                f"batch {shoe.batch} holds it {limit} times."
            ),
            sequences=(shoe.loaded_at, sequence),
            expected={"card": card, "at_most": limit},
            observed={"card": card, "seen": seen},
            discriminator=card,
            exposure=exposure(table, shoe),
        ),
    )


def exposure(table: Table, shoe: Shoe) -> dict[str, Any]:
    """The bracket of rounds dealt since the shoe's cards were last known to be whole."""
    batch = table.batches.get(shoe.batch)
    first = shoe.first_round
    if batch is not None and batch.last_whole and batch.last_whole < first:
        first = batch.last_whole
    return {"rounds": [first, max(table.last_round, first)]}


def draw_from(shoe: Shoe, count: int) -> bool:
    """Take cards off the shoe's count; False when it does not hold that many."""
    shoe.remaining -= count
    return shoe.remaining >= 0


def too_many_drawn(table: Table, sequence: int) -> tuple[Anomaly, ...]:
    """Name a shoe that gave up more cards than were loaded, once a shoe.

    Not in the stack games: a stub that is too big is an irregularity, and 670a.10(e) and 657a.8(h) say what follows.
    """
    if table.config is not None and table.config.ruleset in STACK_GAMES:
        return ()
    shoe = table.shoe
    if not shoe.loaded or "#" in shoe.reported:
        return ()
    shoe.reported.append("#")
    return (
        Anomaly(
            check="integrity.shoe",
            cites="integrity.shoe",
            message=f"Shoe {shoe.number} was loaded with {shoe.loaded} cards and has given up more.",
            sequences=(shoe.loaded_at, sequence),
            expected={"loaded": shoe.loaded},
            observed={"drawn": shoe.loaded - shoe.remaining},
            discriminator="count",
            exposure=exposure(table, shoe),
        ),
    )


def reconcile(table: Table, rest: tuple[str, ...], sequence: int) -> tuple[Anomaly, ...]:
    """Hold the opened rest of the shoe against its batch: every card must be there, none twice."""
    shoe = table.shoe
    batch = table.batches.get(shoe.batch)
    found: list[Anomaly] = []
    if shoe.loaded and len(rest) != shoe.remaining and not table.blind.shoe and "#" not in shoe.reported:
        found.append(_rest_differs(table, len(rest), sequence))
    for card in rest:
        if card == UNKNOWN:
            shoe.out_unknown += 1
        else:
            found.extend(_count(table, card, sequence))
    if batch is None or found or shoe.reported or table.blind.shoe:
        return tuple(found)
    missing = {
        card: limit - shoe.out.get(card, 0)
        for card in (*CARDS_OF_A_DECK, JOKER)
        if (limit := copies(table, card) or 0) > shoe.out.get(card, 0)
    }
    if sum(missing.values()) > shoe.out_unknown:
        found.append(_cards_missing(table, missing, sequence))
    elif not shoe.out_unknown:
        batch.last_whole = table.last_round + 1
    return tuple(found)


def _rest_differs(table: Table, count: int, sequence: int) -> Anomaly:
    shoe = table.shoe
    return Anomaly(
        check="integrity.shoe",
        cites="integrity.shoe",
        message=f"{count} cards were left in shoe {shoe.number}; by count there should be {shoe.remaining}.",
        sequences=(shoe.loaded_at, sequence),
        expected={"left": shoe.remaining},
        observed={"left": count},
        discriminator="rest",
        exposure=exposure(table, shoe),
    )


def _cards_missing(table: Table, missing: dict[str, int], sequence: int) -> Anomaly:
    shoe = table.shoe
    short = sum(missing.values()) - shoe.out_unknown
    return Anomaly(
        check="integrity.shoe",
        cites="integrity.shoe",
        message=f"Shoe {shoe.number} is short of {short} card{'s' if short > 1 else ''} of batch {shoe.batch}.",
        sequences=(shoe.loaded_at, sequence),
        expected={"cards": sum(copies(table, card) or 0 for card in (*CARDS_OF_A_DECK, JOKER))},
        observed={"missing": missing if len(missing) <= 8 else len(missing), "unknown": shoe.out_unknown},
        discriminator="missing",
        exposure=exposure(table, shoe),
    )


def take_loose(shoe: Shoe, card: str) -> Loose | None:
    """The drawn card that is now laid somewhere: the same card if it lies there, else the last one drawn."""
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
