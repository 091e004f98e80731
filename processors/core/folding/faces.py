"""Faces of cards that neither shoe nor layout could read: the rack, where cards lie still, may read them (A65)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from processors.core.state import Hand, Logged, Round
from processors.core.witnesses import Face
from schemas.events import CardDrawn, CardPlaced
from schemas.values import DEALER, UNKNOWN


def unread(round_: Round) -> list[tuple[Hand, int]]:
    """The cards of the round whose face nobody has read, by hand and place; not a hole card that nobody has turned."""
    hidden = round_.hole_index if round_.hole_revealed is None else -1
    return [
        (hand, place)
        for hand in round_.hands.values()
        if UNKNOWN in hand.cards
        for place, card in enumerate(hand.cards)
        if card == UNKNOWN and not (hand.name == DEALER and place == hidden)
    ]


def read_by_rack(round_: Round, hand: Hand, racked: Sequence[str], sequence: int) -> None:
    """Take the face of a hand's unread card from the rack, which holds the hand's other cards and one more.

    Of several unread cards only those are known whose faces are the same, whichever is which.
    """
    places = [place for other, place in unread(round_) if other is hand]
    if not places or len(racked) != len(hand.cards) or len(hand.sequences) != len(hand.cards):
        return
    known = Counter(card for card in hand.cards if card != UNKNOWN)
    left = Counter(racked) - known
    if len(left) != 1 or UNKNOWN in left or left.total() != len(places):
        return
    if hand.cards.count(UNKNOWN) != len(places):
        return  # the hole card may be any of them
    [card] = left
    for place in places:
        hand.cards[place] = card
        round_.faces.append(Face(hand.sequences[place], card, sequence))


def log_as_read(round_: Round) -> list[Logged]:
    """The round's log as it reads if shoe and layout had read what the rack read."""
    if not round_.faces:
        return round_.log
    cards: dict[int, str] = {}
    for face in round_.faces:
        cards[face.laid] = cards[round_.draws.get(face.laid, face.laid)] = face.card
    return [
        replace(one, data=replace(one.data, card=cards[one.sequence]))
        if one.sequence in cards and type(one.data) in (CardDrawn, CardPlaced)
        else one
        for one in round_.log
    ]
