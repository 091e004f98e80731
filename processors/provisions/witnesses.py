"""Which witness a duty rests on: while that witness is silent, nobody is charged with the duty (A66).

Keyed by the first part of a check's id. A duty of a round that names no witness rests on the console alone, which
says when rounds begin and end.
"""

from __future__ import annotations

from processors.core.state import Round, Witness
from processors.provisions.check import Check

_CARDS: tuple[Witness, ...] = ("console", "placements", "shoe")
_CARDS_AND_WAGERS: tuple[Witness, ...] = (*_CARDS, "wagers")
_RACK: tuple[Witness, ...] = (*_CARDS_AND_WAGERS, "rack")
RESTS_ON: dict[str, tuple[Witness, ...]] = {
    "action": _CARDS_AND_WAGERS,
    "added": _CARDS_AND_WAGERS,
    "burn": ("console", "shoe"),
    "deal": _CARDS_AND_WAGERS,
    "dealer": _CARDS,
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
    "stack_wagers": ("console", "wagers"),
    "stacks": _CARDS_AND_WAGERS,
    "stub": _RACK,
    "surrender": _CARDS_AND_WAGERS,
    "void_round": _RACK,
    "wagers": ("console", "wagers"),
}
RACK_ALONE = frozenset({"rack", "stub"})


def not_judged(round_: Round | None, entry: Check) -> bool:
    """Whether the duty rests on a witness that was silent in this round."""
    if round_ is None or not round_.unheard:
        return False
    rests_on = RESTS_ON.get(entry.id.partition(".")[0], ("console",))
    return any(witness in round_.unheard for witness in rests_on)
