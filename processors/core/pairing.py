"""Two words of one act: a card's draw and its placement, in either order, or one of them lost (A65, A67)."""

from __future__ import annotations

import datetime as dt

from msgspec.structs import replace

from processors.core import cards
from processors.core.anomaly import Anomaly
from processors.core.state import Hand, Round, Table, seat_of, spot_named
from processors.core.witnesses import Inferred, Owed
from schemas.events import CardDrawn, CardPlaced
from schemas.values import DEALER, UNKNOWN

AT_ONCE = dt.timedelta(seconds=2)
"""How far apart two devices' words of one act may lie (A67)."""


def owed_draw(table: Table, card: str) -> Owed | None:
    """The card that lies on the layout already and whose draw this may be."""
    for owed in table.shoe.owed:
        if card in (owed.card, UNKNOWN) or owed.card == UNKNOWN:
            return owed
    return None


def pair(table: Table, owed: Owed, sequence: int, data: CardDrawn) -> tuple[Anomaly, ...]:
    """Take a draw for that of a card laid before it; what the shoe knows better than the layout is put right."""
    table.shoe.owed.remove(owed)
    round_ = table.round
    hand = round_.hands.get(owed.hand) if round_ is not None else None
    if round_ is None or hand is None:
        return ()
    if owed.hand == DEALER and round_.hole_drawn == owed.sequence:
        round_.hole_seal = data.seal or ""
    if owed.card == UNKNOWN:
        _name(hand, owed.sequence, data.card)
        return ()
    return cards.note_identified(table, owed.card, sequence) if data.card == UNKNOWN else ()


def _name(hand: Hand, sequence: int, card: str) -> None:
    if sequence in hand.sequences:
        hand.cards[hand.sequences.index(sequence)] = card


def overdue(table: Table, now: dt.datetime) -> tuple[Anomaly, ...]:
    """The placements whose draw did not come within two seconds: a word of the shoe is lost, or no card was drawn."""
    late = [owed for owed in table.shoe.owed if now - owed.time > AT_ONCE]
    for owed in late:
        table.shoe.owed.remove(owed)
        table.shoe.doubtful += 1
    return tuple(_from_nowhere(owed) for owed in late if not owed.told)


def undrawn(table: Table, sequence: int) -> tuple[Anomaly, ...]:
    """That the card laid at an event was not drawn before it, for a breach of the same event to explain."""
    found: tuple[Anomaly, ...] = ()
    for place, owed in enumerate(table.shoe.owed):
        if owed.sequence == sequence:
            table.shoe.owed[place] = replace(owed, told=True)
            found = (_from_nowhere(owed),)
    return found


def _from_nowhere(owed: Owed) -> Anomaly:
    # What lies face down is named to nobody before it is turned.
    card = owed.card if owed.face_up else UNKNOWN
    return Anomaly(
        check="integrity.witness",
        cites="integrity.witness",
        message=f"Card {card} was laid to {spot_named(owed.hand)}, but the shoe gave up no card for it.",
        sequences=(owed.sequence,),
        expected={"drawn": "a card"},
        observed={"placed": card, "drawn": None},
        hand=owed.hand,
        discriminator=str(owed.sequence),
        of="shoe",
    )


def lay_inferred(table: Table, spot: str) -> None:
    """Lay the card that was drawn last to the hand where it must lie, though nobody saw it laid."""
    round_ = table.round
    if round_ is None or table.time is None:
        return
    loose = table.shoe.loose.pop()
    hand = round_.hands.get(spot)
    if hand is None:
        hand = round_.hands[spot] = Hand(name=spot, seat=seat_of(spot))
    hand.cards.append(loose.card)
    hand.sequences.append(loose.sequence)
    if spot == DEALER and len(hand.cards) == 2 and round_.hole_drawn is None:
        round_.hole_drawn, round_.hole_index, round_.hole_seal = loose.sequence, 1, loose.seal
    round_.inferred.append(Inferred(spot, loose.card, loose.sequence, table.time))


def inferred_before(table: Table, data: CardPlaced) -> Inferred | None:
    """The inferred card of which this placement is the late word; a card that lies loose has the first claim."""
    round_, loose = table.round, [one.card for one in table.shoe.loose]
    for one in round_.inferred if round_ is not None else ():
        if one.told or one.hand != data.hand:
            continue
        if one.card == data.card and data.card not in loose:
            return one
        if UNKNOWN in (one.card, data.card) and not loose:
            return one
    return None


def confirm(table: Table, one: Inferred, sequence: int, data: CardPlaced) -> tuple[Anomaly, ...]:
    """The layout says where the card lies after all."""
    round_ = table.round
    if round_ is None:
        return ()
    round_.inferred.remove(one)
    hand = round_.hands[one.hand]
    if one.card == UNKNOWN != data.card and one.drawn in hand.sequences:
        hand.cards[hand.sequences.index(one.drawn)] = data.card
        return cards.note_identified(table, data.card, sequence)
    return ()


def shown_by_rack(round_: Round, hand: Hand, racked: tuple[str, ...]) -> None:
    """The rack shows the hand as it was inferred: its cards are seen."""
    if round_.inferred and racked == tuple(hand.cards):
        round_.inferred = [
            replace(one, seen=True) if one.hand == hand.name else one for one in round_.inferred
        ]


def unplaced(table: Table, now: dt.datetime, *, ended: bool) -> tuple[Anomaly, ...]:
    """The cards whose placement did not come within two seconds of the act that showed it lacking."""
    round_ = table.round
    found: tuple[Anomaly, ...] = ()
    for place, one in enumerate(round_.inferred if round_ is not None else ()):
        if round_ is not None and not one.told and (ended or now - one.time > AT_ONCE):
            round_.inferred[place] = replace(one, told=True)
            found += (_not_seen_laid(one),)
    return found


def _not_seen_laid(one: Inferred) -> Anomaly:
    hidden = one.card == UNKNOWN
    return Anomaly(
        check="integrity.witness",
        cites="integrity.witness",
        message=f"{'A card' if hidden else f'Card {one.card}'} left the shoe, and the layout did not see it laid down; "
        f"by the order of play it lies with {spot_named(one.hand)}.",
        sequences=(one.drawn,),
        expected={"placed": "a card"},
        observed={"drawn": one.card, "placed": None},
        hand=one.hand,
        severity="minor",
        discriminator=str(one.drawn),
        lost_word=True,
        of="placements",
    )
