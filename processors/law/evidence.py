"""What a duty needs to have been seen, and what of it was not: then nobody is charged with it.

While a device is silent, the duties that rest on its words are not judged at all (A66). Where events are missing or
cards were not read, a breach is `indeterminate`.
"""

from __future__ import annotations

from processors.core.state import Round, Table, seat_of
from processors.law.check import Breach, Check
from schemas.values import DEALER, UNKNOWN


def not_judged(table: Table, entry: Check) -> bool:
    """Whether the duty rests on a device that was silent in this round, or between rounds is silent now."""
    silent = table.round.unheard if table.round is not None else table.silent
    return any(witness in silent for witness in entry.rests_on)


def unread(round_: Round | None, entry: Check) -> tuple[str, ...]:
    """Cards of the round that nobody read: then a breach of a duty that turns on cards cannot be asserted."""
    if round_ is None or "cards" not in entry.turns_on:
        return ()
    hidden = round_.hole_index if round_.hole_revealed is None else -1
    return tuple(
        f"a card of hand {hand.name}"
        for hand in round_.hands.values()
        if any(
            card == UNKNOWN and not (hand.name == DEALER and place == hidden)
            for place, card in enumerate(hand.cards)
        )
    )


def unseen(table: Table, entry: Check) -> tuple[str, ...]:
    """What was not seen as far back as the check looks: then a breach cannot be asserted."""
    blind = table.blind
    if entry.scope == "round":
        return tuple(blind.round)
    if entry.scope == "shoe":
        return tuple(dict.fromkeys((*blind.round, *blind.shoe)))
    return tuple(dict.fromkeys((*blind.round, *blind.shoe, *blind.day)))


def unplaced(round_: Round | None, entry: Check, breach: Breach) -> tuple[str, ...]:
    """Cards that lawful play alone puts where they are taken to lie: a breach that rests on them is not asserted."""
    if round_ is None or not round_.inferred or "placements" not in entry.rests_on:
        return ()
    return tuple(
        f"the placement of the card drawn at event {one.drawn}"
        for one in round_.inferred
        if not one.seen and (one.hand == DEALER or breach.seat is None or breach.seat == seat_of(one.hand))
    )
