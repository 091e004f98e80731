"""A Blackjack round that ended while words of it were missing: those that come late are its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from processors.core.devices import pairing
from processors.core.devices.thresholds import LATEST
from processors.core.folding import cards, shoe, wagers
from processors.core.folding.decks import lie_in_rack
from processors.core.folding.faces import read_by_rack
from processors.core.folding.stacks import is_stack_game
from processors.core.handlers import Anomalies
from processors.core.sights import BIT
from processors.core.state import Lingering, Logged, RackEntry, Round, Table
from schemas.events import CardDrawn, CardPlaced, CardsRacked, HoleCardRead, HoleCardRevealed, RoundEnded
from schemas.events.envelope import Envelope
from schemas.payload import Payload
from schemas.values import DEALER


def remember_unfinished(table: Table, round_: Round, sequence: int) -> None:
    """Remember a round that ends while a hand of it is not racked, or a card that was laid is not drawn."""
    table.lingering = None
    if table.time is not None and is_unfinished(table, round_):
        table.lingering = Lingering(round_, table.time, sequence, table.chain.head, list(table.blind.round))


def is_unfinished(table: Table, round_: Round) -> bool:
    """Whether a Blackjack round that ends lacks a word that may still come: a hand's in the rack, a card's draw."""
    if table.config is None or is_stack_game(table):
        return False
    return bool(round_.unracked or round_.undrawn or table.shoe.owed)


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


def is_late(table: Table, event: Envelope) -> bool:
    """Whether an event is a word that the round before lacks, said before that round ended."""
    lingering = table.lingering
    if lingering is None or event.time > lingering.ended:
        return False
    return _lacks(table, lingering.round, event)


def take_late(table: Table, event: Envelope) -> Anomalies:
    """Take a late word of the round before into that round."""
    lingering, data = table.lingering, event.data
    if lingering is None:
        return ()
    round_ = lingering.round
    found: Anomalies = ()
    if type(data) is CardsRacked:
        _rack(table, round_, event.sequence, data)
    else:
        under_way, now = table.round, table.time
        table.round, table.time = round_, event.time
        found = _HANDLERS[type(data)](table, event.sequence, data) or ()
        table.round, table.time = under_way, now
    round_.log.append(Logged(event.sequence, event.source, data, event.time))
    round_.seen |= BIT[type(data)]
    return found


def _rack(table: Table, round_: Round, sequence: int, data: CardsRacked) -> None:
    hand = round_.hands[data.hand]
    hand.racked, hand.racked_cards, hand.rack_reason = sequence, list(data.cards), data.reason
    read_by_rack(round_, hand, data.cards, sequence)
    round_.racked.append(RackEntry(data.hand, list(data.cards), data.reason, sequence))
    table.shoe.in_rack += len(data.cards) - len(hand.cards)  # the round's end counted those that lay there
    lie_in_rack(table.decks, data.cards)


def _lacks(table: Table, round_: Round, event: Envelope) -> bool:
    """Whether a round that has ended lacks the word that an event says."""
    match event.data:
        case CardsRacked(hand=name):
            hand = round_.hands.get(name)
            return hand is not None and hand.racked is None
        case HoleCardRevealed():
            dealer = round_.hands.get(DEALER)
            return dealer is not None and len(dealer.cards) > 1 and round_.hole_revealed is None
        case CardDrawn(card=card):
            return pairing.late_draw(round_, card, event.time) is not None
        case CardPlaced() as laid:
            return pairing.inferred_before(table.shoe, round_, laid, event.time) is not None
        case HoleCardRead():
            return round_.reader is None
    return False


_HANDLERS: dict[type[Payload], Callable[[Table, int, Any], Anomalies | None]] = {
    HoleCardRevealed: cards.HANDLERS[HoleCardRevealed],
    CardDrawn: shoe.HANDLERS[CardDrawn],
    CardPlaced: cards.HANDLERS[CardPlaced],
    HoleCardRead: wagers.HANDLERS[HoleCardRead],
}
