"""What a round rests on: its cards by the devices that vouch for them, what was inferred, which words never came."""

from __future__ import annotations

from msgspec import Struct

from processors.core.sights import BIT
from processors.core.state import Hand, Round, Table, spot_named
from processors.core.unheard import cards_silent
from processors.core.witnesses import Inferred
from schemas.events import CardPlaced, StackDelivered
from schemas.rounds import InferredCard, Known


class Vouched(Struct, frozen=True):
    """The events at which devices saw one card: as it left the shoe, lay on the layout, entered the rack.

    None where the device reported nothing of it. `known` says how its place is known where the layout did not report it
    in time.
    """

    shoe: int | None
    layout: int | None
    rack: int | None
    known: Known | None = None


def vouched(round_: Round, hand: Hand) -> tuple[Vouched, ...]:
    """Who vouches for each card of a hand, in deal order."""
    racked = _racked(round_, hand)
    inferred = {one.drawn: one for one in round_.inferred}
    found = []
    for index in range(len(hand.cards)):
        # A stack is laid at one event, whatever the number of its cards.
        at = hand.sequences[min(index, len(hand.sequences) - 1)] if hand.sequences else None
        one = inferred.get(at) if at is not None else None
        if at is None or hand.is_shown_at(at):
            found.append(Vouched(None, None, racked[index]))
        elif one is None:
            found.append(Vouched(round_.draws.get(at), at, racked[index]))
        else:
            found.append(Vouched(one.drawn, one.word or None, racked[index], _known(one)))
    return tuple(found)


def inferred_cards(round_: Round) -> tuple[InferredCard, ...]:
    """The cards whose laying the layout did not report in time, by their draws."""
    return tuple(_card(round_, one) for one in round_.inferred if not one.denied)


def words_missing(table: Table, round_: Round) -> tuple[str, ...]:
    """Words that a device owes by what the others show, in the order of the events that show it."""
    missing = [
        (one.drawn, f"the placement of the card drawn at event {one.drawn}")
        for one in round_.inferred
        if not one.word
    ]
    what = "stack" if round_.seen & BIT[StackDelivered] else "card"
    missing += [
        (shown, f"the {word} of a {what} of {spot_named(hand.name)} that event {shown} shows")
        for hand in round_.hands.values()
        for shown in hand.sequences
        if hand.is_shown_at(shown)
        for word in ("draw", "placement")
    ]
    # A hole in the record and a silent device are named as such; what they hide word by word nobody can say.
    if not (table.blind.round or cards_silent(round_)):
        words = [one.word for one in round_.inferred]
        missing += [
            (entry.sequence, f"the draw of the card laid at event {entry.sequence}")
            for entry in round_.told(CardPlaced)
            if entry.sequence not in round_.draws and entry.sequence not in words
        ]
    return tuple(dict.fromkeys(word for _, word in sorted(missing)))


def _card(round_: Round, one: Inferred) -> InferredCard:
    # A split may have moved the card since.
    hand = next(
        (hand for hand in round_.hands.values() if one.drawn in hand.sequences[: len(hand.cards)]), None
    )
    known, rack = _known(one), None
    name, card = one.hand, one.card
    if hand is not None:
        index = hand.sequences.index(one.drawn)
        name, card, rack = hand.name, hand.cards[index], _racked(round_, hand)[index]
    shown = one.word if known == "late word" else rack if known == "seen by rack" else None
    return InferredCard(hand=name, card=card, drawn=one.drawn, known=known, shown=shown)


def _known(one: Inferred) -> Known:
    if one.word:
        return "late word"
    return "seen by rack" if one.seen else "inferred by play"


def _racked(round_: Round, hand: Hand) -> list[int | None]:
    """For each card of the hand the event at which it entered the rack with its hand."""
    entered = [
        (card, entry.sequence) for entry in round_.racked if entry.spot == hand.name for card in entry.cards
    ]
    found: list[int | None] = []
    for card in hand.cards:
        at = next((pair for pair in entered if pair[0] == card), None)
        if at is not None:
            entered.remove(at)
        found.append(at[1] if at is not None else None)
    return found
