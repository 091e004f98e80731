"""What a duty rests on, and what of it was not seen: then nobody is charged with it.

While a witness is silent, the duties that rest on it are not judged at all (A66). Where events are missing or cards
were not read, a breach is `indeterminate`.
"""

from __future__ import annotations

from processors.core.state import Round, Table, Witness
from processors.provisions.check import Check
from schemas.values import DEALER, UNKNOWN

_CARDS: tuple[Witness, ...] = ("console", "placements", "shoe")
_CARDS_AND_WAGERS: tuple[Witness, ...] = (*_CARDS, "wagers")
_RACK: tuple[Witness, ...] = (*_CARDS_AND_WAGERS, "rack")
# By a check's id, or its first part. A duty that is not named here rests on the console alone, which says when rounds
# begin and end.
RESTS_ON: dict[str, tuple[Witness, ...]] = {
    "action": _CARDS_AND_WAGERS,
    "added": _CARDS_AND_WAGERS,
    "burn": ("console", "shoe"),
    "deal": _CARDS_AND_WAGERS,
    "dealer": _CARDS_AND_WAGERS,
    "dealer.drawn": _RACK,
    "even_money": (*_CARDS_AND_WAGERS, "reader"),
    "exposed": _RACK,
    "five_cards": _CARDS_AND_WAGERS,
    "hole": _CARDS,
    "insurance": (*_CARDS_AND_WAGERS, "reader"),
    "masque": (*_CARDS_AND_WAGERS, "reader"),
    "match": _CARDS_AND_WAGERS,
    "rack": _RACK,
    "reader": (*_CARDS, "reader"),
    "rotation": ("console", "shoe"),
    "settlement": _CARDS_AND_WAGERS,
    "shoe": ("console", "shoe"),
    "shuffle": (*_CARDS, "rack"),
    "stack_wagers": ("console", "wagers"),
    "stacks": _CARDS_AND_WAGERS,
    "stub": _RACK,
    "surrender": _CARDS_AND_WAGERS,
    "void_round": _RACK,
    "wagers": ("console", "wagers"),
}


def not_judged(table: Table, entry: Check) -> bool:
    """Whether the duty rests on a witness that was silent in this round, or between rounds is silent now."""
    silent = table.round.unheard if table.round is not None else table.silent
    if not silent:
        return False
    rests_on = RESTS_ON.get(entry.id) or RESTS_ON.get(entry.id.partition(".")[0], ("console",))
    return any(witness in silent for witness in rests_on)


# Duties that turn on what the cards are; of wagers, of the order of the deal and of the shoe more is seen than that.
TURNS_ON_CARDS = frozenset(
    {"action", "added", "dealer", "even_money", "exposed", "insurance", "masque", "match", "rack", "reader",
     "settlement", "surrender"}
)  # fmt: skip


def unread(round_: Round | None, entry: Check) -> tuple[str, ...]:
    """Cards of the round that nobody read: then a breach of a duty that turns on cards cannot be asserted."""
    if round_ is None or entry.id.partition(".")[0] not in TURNS_ON_CARDS:
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
