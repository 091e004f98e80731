"""Stacks and stubs of the dealing-shoe sections: dispensed, delivered, counted, shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from processors.core import cards, conservation
from processors.core.anomaly import Anomaly
from processors.core.devices import pairing
from processors.core.facts_decks import Loose
from processors.core.folding.cards import hand_of
from processors.core.folding.in_force import numbers_of
from processors.core.handlers import Anomalies, Handlers
from processors.core.state import Hand, Table
from processors.core.unheard import cards_unseen
from processors.core.witnesses import Owed
from schemas import events as e
from schemas.amounts import amount, verb
from schemas.rulesets.numbers import StackGameNumbers
from schemas.values import BONUS, UNKNOWN


def _hand_revealed(table: Table, sequence: int, data: e.HandRevealed) -> Anomalies:
    round_ = table.round
    if round_ is None:
        return ()
    hand = hand_of(round_, data.position)
    found: Anomalies = ()
    known = [card for card in hand.cards if card != UNKNOWN]
    fresh: Iterable[str] = [card for card in data.cards if card != UNKNOWN]
    fits = len(data.cards) == len(hand.cards)
    if known or len(set(data.cards)) != len(data.cards):
        shown = Counter(fresh)
        fits = fits and not Counter(known) - shown
        fresh = (shown - Counter(known)).elements()
    if not fits and not cards_unseen(table) and not _misdealt(table, hand, data):
        found = (
            Anomaly(
                check="integrity.witness",
                message=f"Position {data.position} shows {amount(len(data.cards), 'card')} "
                f"that {verb(len(data.cards), 'is')} not the {len(hand.cards)} it was dealt.",
                sequences=(*hand.sequences[-1:], sequence),
                expected={"cards": len(hand.cards)},
                observed={"cards": len(data.cards)},
                hand=data.position,
            ),
        )
    for card in fresh:
        found += cards.note_identified(table, card, sequence)
    hand.cards = list(data.cards)
    # Where it shows fewer, those laid first are of a round whose end was not seen.
    del hand.sequences[: max(0, len(hand.sequences) - len(data.cards))]
    hand.revealed = sequence
    return found


def _misdealt(table: Table, hand: Hand, data: e.HandRevealed) -> bool:
    """Whether the deal gave a wrong number of cards, as a check of the law reports, and the showdown a right one."""
    numbers = numbers_of(table, StackGameNumbers)
    if numbers is None:
        return False
    due = 1 if data.position == BONUS else numbers.cards_in_hand
    return len(data.cards) == due and len(hand.cards) != due


def _dispensed(table: Table, sequence: int, data: e.StackDispensed) -> Anomalies:
    found: Anomalies = ()
    owed = pairing.late_draw(table.round, UNKNOWN, table.time) or pairing.owed_draw(table, UNKNOWN)
    for card in data.cards:
        if owed is None:
            table.shoe.loose.append(Loose(card, sequence))
        found += cards.note_out(table, card, sequence)
    if not cards.draw_from(table.shoe, len(data.cards)):
        found += conservation.overdrawn(table, sequence)
    if table.round is not None and table.round.first_card is None:
        table.round.first_card = sequence
    if owed is not None:
        pairing.settle(table, owed)
    if owed is not None and owed.cards != len(data.cards):
        found += (_counts_differ(len(data.cards), owed.cards, owed.hand, owed.sequence, sequence),)
    return found


def _delivered(table: Table, sequence: int, data: e.StackDelivered) -> Anomalies:
    known = pairing.late_word(table, data.position, table.time)
    if known is not None:
        return pairing.confirm(table, known, sequence, UNKNOWN)
    loose = table.shoe.loose
    drawn = loose[-1].sequence if loose else sequence
    taken = pairing.take_event(table.shoe, drawn) if loose else []
    found: Anomalies = ()
    if len(taken) != len(data.cards) and not cards_unseen(table):
        if taken or table.time is None:
            found = (_counts_differ(len(taken), len(data.cards), data.position, drawn, sequence),)
        else:
            table.shoe.owed.append(
                Owed(data.position, UNKNOWN, sequence, table.time, data.face_up, cards=len(data.cards))
            )
    if table.round is not None:
        hand = hand_of(table.round, data.position)
        hand.cards.extend(data.cards)
        hand.sequences.append(sequence)
        if taken:
            table.round.draws[sequence] = drawn
    return found


def _counts_differ(gave: int, received: int, spot: str, *sequences: int) -> Anomaly:
    return Anomaly(
        check="integrity.witness",
        message=f"The shoe gave up {amount(gave, 'card')}, position {spot} received {received}.",
        sequences=sequences,
        expected={"cards": gave},
        observed={"cards": received},
        hand=spot,
        of=None if gave else "shoe",
    )


HANDLERS: Handlers = {
    e.HandRevealed: _hand_revealed,
    e.StackDispensed: _dispensed,
    e.StackDelivered: _delivered,
}
