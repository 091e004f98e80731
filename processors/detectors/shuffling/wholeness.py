"""Whether a shoe held the cards of its decks, by what two devices saw of it: the shoe itself and the discard rack."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise
from math import log
from typing import Final

from msgspec import Struct

from processors.core.conservation import CARDS_OF_A_DECK, in_doubt
from processors.core.facts_decks import Batch, Shoe
from processors.core.folding.preparation import reshuffles_itself
from processors.core.state import Table
from processors.detectors.shapes import Closed, Happened

LOST: Final = 1 / 200
"""Null: the chance that a device does not report a card, given all before it, is at most this."""
MISREAD: Final = 5e-10
"""Null: the chance that two devices read a card as the same other card, or report one too many, is at most this."""
MORE_LOST: Final = (3.0, 8.0, 20.0)
"""Alternatives: by how much greater the odds are that a card is not reported."""
AWAY: Final = dt.timedelta(seconds=15)
"""A pause that, in a round of which words are missing, may be one of the recorder."""


class ShoeWatch(Struct):
    """One table: whether the recorder may have been `away` in the shoe, and the round and time told last.

    opened: the shoe that was laid open last.
    """

    away: bool = False
    number: int = 0
    last: dt.datetime | None = None
    opened: int = 0


class Opened(Struct, frozen=True):
    """A shoe whose rest was laid open: the cards in the rack and those that left it, each by its own device.

    missing: cards of its batch that neither reported; None where a word about them may be missing.
    """

    shoe: Shoe
    batch: Batch
    racked: list[str]
    drawn: list[str]
    missing: int | None

    @property
    def extra(self) -> int:
        """By how many cards both devices saw more than its decks have; below 0 where either saw fewer."""
        return min(len(self.racked), len(self.drawn)) - self.batch.cards


class Foreign(Struct, frozen=True):
    """Cards that a shoe cannot have of its own: each with how often it came, or only how many too many there were."""

    cards: dict[str, int]
    extra: int
    log_e: float

    def in_words(self, batch: Batch) -> str:
        """What came, in words: `7 of Ks`, `313 cards`."""
        seen = ", ".join(f"{times} of {card}" for card, times in list(self.cards.items())[:4])
        return seen or f"{batch.cards + self.extra} cards"


def loaded(watch: ShoeWatch) -> None:
    """A shoe is loaded."""
    watch.away = False


def told(watch: ShoeWatch, closed: Closed) -> None:
    """A round is over."""
    watch.away = watch.away or _was_away(watch, closed)
    watch.number, watch.last = closed.round.number, closed.time


def _was_away(watch: ShoeWatch, closed: Closed) -> bool:
    """Whether the recorder may have been away in a round or before it, so that all witnesses lack the same cards."""
    if watch.number and closed.round.number != watch.number + 1:
        return True
    if closed.whole:
        return False
    times = [one.time for one in closed.round.log]
    before = [watch.last] if watch.last is not None else []
    return any(later - earlier >= AWAY for earlier, later in pairwise([*before, *times]))


def laid_open(watch: ShoeWatch, happened: Happened) -> Opened | None:
    """What was seen of a shoe that is at its end; None where it did not hold all of its batch, or goes on."""
    table = happened.table
    facts, shoe = table.decks, table.shoe
    batch, made_ready = table.batches.get(shoe.batch), facts.batches.get(facts.in_use)
    # A shoe that was reloaded while cards lay on the table never held all of its batch.
    if happened.round is not None or batch is None or not shoe.loaded or shoe.beside or not shoe.emptied:
        return None
    if made_ready is None or facts.drawn or not made_ready.orders or reshuffles_itself(table):
        return None
    if watch.opened == shoe.number:
        return None
    watch.opened = shoe.number
    racked, drawn = (_cards(order) for order in made_ready.orders[:2])
    away = happened.event.time - watch.last if watch.last is not None else AWAY
    unsure = in_doubt(table) or watch.away or away >= AWAY
    missing = max(0, batch.cards - max(len(racked), len(drawn)))
    # With more missing the rest of the shoe was never told.
    return Opened(shoe, batch, racked, drawn, None if unsure or missing > batch.cards // 4 else missing)


def _cards(order: str) -> list[str]:
    return [order[at : at + 2] for at in range(0, len(order), 2)]


def suspects(table: Table) -> list[str]:
    """Cards that came too often in the shoe in play, or in an earlier one of its batch: a card that is there stays."""
    batch = table.batches.get(table.shoe.batch)
    return list(dict.fromkeys((*table.shoe.reported, *(batch.over if batch is not None else ()))))


def foreign(table: Table, racked: list[str], drawn: list[str], extra: int) -> Foreign | None:
    """Cards that two devices show too often, or `extra` cards more than the decks have, and how surely."""
    shoe, batch, named = table.shoe, table.batches.get(table.shoe.batch), suspects(table)
    if batch is None or not (named or extra > 0) or not shoe.loaded or in_doubt(table):
        return None
    often = [(card, min(racked.count(card), drawn.count(card))) for card in named]
    cards = {card: times for card, times in often if times > batch.decks and card in CARDS_OF_A_DECK}
    if not cards and extra <= 0:
        return None
    more = max(0, extra)
    return Foreign(cards, more, log(max(len(cards), more)) - log(shoe.loaded * MISREAD))
