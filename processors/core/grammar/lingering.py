"""A Blackjack round that ended while hands of it were not racked: late words of the rack about them are its own."""

from __future__ import annotations

import datetime as dt

from processors.core.folding.faces import read_by_rack
from processors.core.folding.stacks import is_stack_game
from processors.core.state import Lingering, Logged, RackEntry, Round, Table
from schemas.envelope import Envelope
from schemas.events import CardsRacked, RoundEnded

LATEST = dt.timedelta(seconds=8)
"""How late a device's word may be; what lies further from the others is a clock that is off."""


def remember_unracked(table: Table, round_: Round, sequence: int) -> None:
    """Remember a round that ends while a hand of it is not racked."""
    table.lingering = None
    if table.time is None or table.config is None or is_stack_game(table):
        return
    if any(hand.racked is None and hand.cards for hand in round_.hands.values()):
        table.lingering = Lingering(round_, table.time, sequence, table.chain.head, list(table.blind.round))


def stays_open(table: Table, round_: Round) -> bool:
    """Keep a round with a breach that waits open, if it has just ended while a hand was not racked."""
    lingering = table.lingering
    if lingering is None or lingering.round is not round_:
        return False
    lingering.open = True
    return True


def let_go(table: Table, event: Envelope) -> Lingering | None:
    """The round of which no late word can come any more by this event."""
    lingering = table.lingering
    if lingering is None or (event.time - lingering.ended <= LATEST and type(event.data) is not RoundEnded):
        return None
    table.lingering = None
    return lingering


def take_late(table: Table, event: Envelope) -> bool:
    """Take a word of the rack about a hand of the round before, which it said before that round ended."""
    lingering, data = table.lingering, event.data
    if lingering is None or type(data) is not CardsRacked or event.time > lingering.ended:
        return False
    round_ = lingering.round
    hand = round_.hands.get(data.hand)
    if hand is None or hand.racked is not None:
        return False
    hand.racked, hand.racked_cards, hand.rack_reason = event.sequence, list(data.cards), data.reason
    read_by_rack(round_, hand, data.cards, event.sequence)
    round_.racked.append(RackEntry(data.hand, list(data.cards), data.reason, event.sequence))
    round_.log.append(Logged(event.sequence, event.source, data, event.time))
    table.shoe.in_rack += len(data.cards)
    table.decks.rack.extend(data.cards)
    return True
