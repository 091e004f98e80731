"""What may have gone unseen, because a device is silent (A66) or events are missing: cards, counts of them, steps."""

from __future__ import annotations

from typing import Final

from processors.core.state import Round, Table
from processors.core.witnesses import Witness

CARD_WITNESSES: Final[frozenset[Witness]] = frozenset({"placements", "shoe", "console"})
COUNT_WITNESSES: Final[frozenset[Witness]] = CARD_WITNESSES | {"rack"}


def cards_unheard(table: Table) -> bool:
    """Whether a witness of cards is silent in the round under way: then cards may have moved unseen."""
    round_ = table.round
    return round_ is not None and cards_silent(round_)


def cards_unseen(table: Table) -> bool:
    """Whether cards may have moved in the round under way although no event says so."""
    return bool(table.blind.round) or cards_unheard(table)


def cards_silent(round_: Round) -> bool:
    """Whether a witness of cards was silent in a round."""
    return any(witness in CARD_WITNESSES for witness in round_.unheard)


def count_unheard(table: Table) -> bool:
    """Whether a witness of where cards go, the rack among them, is silent: then a count of cards proves nothing."""
    round_ = table.round
    return round_ is not None and any(witness in COUNT_WITNESSES for witness in round_.unheard)


def count_unseen(table: Table) -> bool:
    """Whether cards may have moved unseen in the round under way, to the rack or elsewhere."""
    return bool(table.blind.round) or count_unheard(table)


def steps_unseen(table: Table) -> bool:
    """Whether a round may have started or ended although no event says so."""
    return bool(table.blind.round) or "console" in table.silent
