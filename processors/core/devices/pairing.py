"""Two words of one act: a card's draw and its placement, in either order, or one of them lost (A65, A67)."""

from __future__ import annotations

import datetime as dt

from msgspec.structs import replace

from processors.core import cards
from processors.core.anomaly import Anomaly
from processors.core.devices.thresholds import APART
from processors.core.facts_decks import Loose, Shoe
from processors.core.state import Hand, Round, Table, seat_of, spot_named
from processors.core.witnesses import Inferred, Owed
from schemas.amounts import amount
from schemas.events import CardDrawn, CardPlaced, CardsRacked
from schemas.payload import Payload
from schemas.values import DEALER, UNKNOWN

_AT_HAND = 8  # the latest words of a round, among which are those of two seconds


def owed_draw(table: Table, card: str) -> Owed | None:
    """The card that lies on the layout already and whose draw this may be."""
    return next((owed for owed in table.shoe.owed if cards.fit(card, owed.card)), None)


def late_draw(round_: Round | None, card: str, time: dt.datetime | None) -> Owed | None:
    """The card laid long since of which this is the draw: by its own time the card was drawn before it was laid."""
    for owed in round_.undrawn if round_ is not None else ():
        if time is not None and time < owed.time and cards.fit(card, owed.card):
            return owed
    return None


def settle(table: Table, owed: Owed) -> None:
    """Note that the draw of a card laid before it has come."""
    if owed in table.shoe.owed:
        table.shoe.owed.remove(owed)
    elif table.round is not None:
        table.round.undrawn.remove(owed)
        table.shoe.doubtful -= 1


def pair(table: Table, owed: Owed, sequence: int, data: CardDrawn) -> tuple[Anomaly, ...]:
    """Take a draw for that of a card laid before it; what the shoe knows better than the layout is put right."""
    settle(table, owed)
    round_ = table.round
    hand = round_.hands.get(owed.hand) if round_ is not None else None
    if round_ is None or hand is None:
        return ()
    round_.draws[owed.sequence] = sequence
    if owed.hand == DEALER and round_.hole_drawn == owed.sequence:
        round_.hole_seal = data.seal or ""
    if owed.card != UNKNOWN:
        return cards.note_identified(table, owed.card, sequence) if data.card == UNKNOWN else ()
    laid = _laid(round_, owed.hand, owed.sequence)
    face = laid[0].cards[laid[1]] if laid is not None else UNKNOWN
    if face != UNKNOWN and cards.fit(face, data.card):
        cards.note_counted(table, data.card)  # when it was turned up
    else:
        _name(round_, owed.hand, owed.sequence, data.card)
    return ()


def take_back(table: Table, card: str) -> Loose | None:
    """Take back a draw that a card of unknown face was paired with, as the card it names is laid elsewhere at once."""
    round_ = table.round
    if round_ is None or table.time is None or card == UNKNOWN:
        return None
    said = {one.sequence: one for one in round_.log[-_AT_HAND:]}
    for placed, drawn in round_.draws.items():
        act, draw = said.get(placed), said.get(drawn)
        if act is None or draw is None or drawn < placed or table.time - draw.time > APART:
            continue
        laid, left = act.data, draw.data
        if type(laid) is CardPlaced and type(left) is CardDrawn and (laid.card, left.card) == (UNKNOWN, card):
            del round_.draws[placed]
            _name(round_, laid.hand, placed, UNKNOWN)
            table.shoe.owed.append(Owed(laid.hand, UNKNOWN, placed, act.time, laid.face_up))
            return Loose(card, drawn, left.seal or "")
    return None


def _laid(round_: Round, spot: str, sequence: int) -> tuple[Hand, int] | None:
    """The hand at a spot and the place of an event's card in it.

    None where no card of it is there: it was taken back, or a stack was laid without a card.
    """
    hand = round_.hands.get(spot)
    if hand is None or sequence not in hand.sequences:
        return None
    place = hand.sequences.index(sequence)
    return (hand, place) if place < len(hand.cards) else None


def _name(round_: Round, spot: str, sequence: int, card: str) -> None:
    if laid := _laid(round_, spot, sequence):
        hand, place = laid
        hand.cards[place] = card


def overdue(table: Table, now: dt.datetime) -> tuple[Anomaly, ...]:
    """The placements whose draw did not come within two seconds: a word of the shoe is lost, or no card was drawn."""
    late = [owed for owed in table.shoe.owed if now - owed.time > APART]
    for owed in late:
        table.shoe.owed.remove(owed)
        table.shoe.doubtful += 1
        if table.round is not None:
            table.round.undrawn.append(owed)
    return tuple(_from_nowhere(owed) for owed in late if not owed.told)


def undrawn(table: Table, sequence: int) -> tuple[Anomaly, ...]:
    """That the card laid at an event was not drawn before it, for a breach of the same event to explain."""
    for place, owed in enumerate(table.shoe.owed):
        if owed.sequence == sequence:
            table.shoe.owed[place] = replace(owed, told=True)
            return (_from_nowhere(owed),)
    return ()


def _from_nowhere(owed: Owed) -> Anomaly:
    # What lies face down is named to nobody before it is turned.
    card = owed.card if owed.face_up else UNKNOWN
    stack, spot = owed.cards > 1, spot_named(owed.hand)
    message = f"Card {card} was laid to {spot}, but the shoe gave up no card for it."
    if stack:
        message = f"{amount(owed.cards, 'card')} were laid to {spot}, but the shoe gave up none for them."
    return Anomaly(
        check="integrity.witness",
        message=message,
        sequences=(owed.sequence,),
        expected={"drawn": "a stack" if stack else "a card"},
        observed={"placed": owed.cards if stack else card, "drawn": None},
        hand=owed.hand,
        discriminator=str(owed.sequence),
        severity="minor",
        lost_word=True,
        of="shoe",
    )


def not_denied(table: Table) -> list[Loose]:
    """The drawn cards that lie with no hand and may yet turn out to lie with one."""
    return [one for one in table.shoe.loose if not one.denied]


def lay_inferred(table: Table, spot: str, shown: dt.datetime) -> None:
    """Lay the card or stack that was drawn last where it must lie; an act at the time `shown` rests on it.

    Nothing is laid where nothing lies loose: what was drawn was the card of a placement that came before it.
    """
    round_, drawn = table.round, not_denied(table)
    if round_ is None or not drawn:
        return
    loose = drawn[-1]
    stack = take_event(table.shoe, loose.sequence)
    hand = round_.hands.get(spot)
    if hand is None:
        hand = round_.hands[spot] = Hand(name=spot, seat=seat_of(spot))
    hand.cards += stack
    hand.sequences.append(loose.sequence)
    if spot == DEALER and len(hand.cards) == 2 and round_.hole_drawn is None:
        round_.hole_drawn, round_.hole_index, round_.hole_seal = loose.sequence, 1, loose.seal
    round_.inferred.append(Inferred(spot, loose.card, loose.sequence, shown, cards=len(stack)))


def take_event(shoe: Shoe, sequence: int) -> list[str]:
    """Take up what left the shoe at an event and lies loose: one card, or a stack."""
    stack = [one.card for one in shoe.loose if one.sequence == sequence]
    shoe.loose = [one for one in shoe.loose if one.sequence != sequence]
    return stack


def inferred_before(shoe: Shoe, round_: Round, data: CardPlaced, time: dt.datetime | None) -> Inferred | None:
    """The inferred card of which this placement is the late word; a card that lies loose has the first claim.

    Once a finding says that the word was lost, it must have been said before the act that showed it lacking.
    """
    loose = [one.card for one in shoe.loose]
    for one in round_.inferred:
        if one.word or one.denied or one.hand != data.hand:
            continue
        if one.told and (time is None or time >= one.time):
            continue
        if one.card == data.card and data.card not in loose:
            return one
        if UNKNOWN in (one.card, data.card) and not loose:
            return one
    return None


def late_word(table: Table, spot: str, time: dt.datetime | None) -> Inferred | None:
    """What was inferred to lie at a spot of a stack game and of which this placement is the word, by its own time.

    The word was said before the act that showed it lacking; without a time of its own that tells, nothing lies loose.
    """
    loose = bool(table.shoe.loose)
    for one in table.round.inferred if table.round is not None else ():
        before = time is not None and time < one.time
        if one.hand == spot and not one.word and (before or not (one.told or loose)):
            return one
    return None


def confirm(table: Table, one: Inferred, sequence: int, card: str) -> tuple[Anomaly, ...]:
    """The layout says where the card lies after all."""
    round_ = table.round
    if round_ is None:
        return ()
    round_.inferred[round_.inferred.index(one)] = replace(one, seen=True, word=sequence)
    if one.card == UNKNOWN != card and _laid(round_, one.hand, one.drawn):
        _name(round_, one.hand, one.drawn, card)
        return cards.note_identified(table, card, sequence)
    return ()


def shown_by_rack(table: Table, round_: Round, data: CardsRacked) -> bool:
    """Hold what was inferred of a hand against its cards in the rack: it is seen there, or it does not lie there.

    True if the hand is another than was inferred.
    """
    hand = round_.hands.get(data.hand)
    if hand is None:
        return False
    mine = [one for one in round_.inferred if one.drawn in hand.sequences and not one.word]
    if not mine:
        return False
    if data.cards == tuple(hand.cards):
        _mark(round_, mine, seen=True)
        return False
    if len(hand.sequences) != len(hand.cards):
        return False  # a stack lies with its hand whole or not at all
    drawn = {one.drawn for one in mine}
    kept = [place for place, sequence in enumerate(hand.sequences) if sequence not in drawn]
    if data.cards != tuple(hand.cards[place] for place in kept):
        return False
    hand.cards = [hand.cards[place] for place in kept]
    hand.sequences = [hand.sequences[place] for place in kept]
    table.shoe.loose += [Loose(one.card, one.drawn, denied=True) for one in mine]
    _mark(round_, mine, denied=True)
    return True


def laid_elsewhere(table: Table, round_: Round, data: CardPlaced) -> bool:
    """Take the card drawn last back from the hand where it was taken to lie, as the layout sees it laid at another.

    True if so: then it lies loose for the placement to take up.
    """
    last = max((one.sequence for one in round_.told(CardDrawn)), default=0)
    for one in round_.inferred:
        laid = _laid(round_, one.hand, last)
        if one.drawn != last or one.seen or one.denied or laid is None:
            continue
        if one.hand in (data.hand, DEALER) or not cards.fit(one.card, data.card):
            continue
        hand, place = laid
        del hand.cards[place]
        hand.sequences.remove(last)
        if not hand.cards:
            del round_.hands[one.hand]
        table.shoe.loose.append(Loose(one.card, last))
        _mark(round_, [one], denied=True)
        return True
    return False


def _mark(round_: Round, mine: list[Inferred], **shown: bool) -> None:
    round_.inferred = [replace(one, **shown) if one in mine else one for one in round_.inferred]


def unplaced(table: Table, now: dt.datetime, *, ended: bool) -> tuple[Anomaly, ...]:
    """The cards whose placement did not come within two seconds of the act that showed it lacking."""
    round_ = table.round
    found: tuple[Anomaly, ...] = ()
    if round_ is None:
        return found
    for place, one in enumerate(round_.inferred):
        if not (one.told or one.word or one.denied) and (ended or now - one.time > APART):
            round_.inferred[place] = replace(one, told=True)
            found += (_not_seen_laid(one),)
    return found


def _not_seen_laid(one: Inferred) -> Anomaly:
    what = "A card" if one.card == UNKNOWN else f"Card {one.card}"
    if one.cards > 1:
        what = f"A stack of {amount(one.cards, 'card')}"
    return Anomaly(
        check="integrity.witness",
        message=f"{what} left the shoe, and the layout did not see it laid down; "
        f"by the order of play it lies with {spot_named(one.hand)}.",
        sequences=(one.drawn,),
        expected={"placed": "a card" if one.cards == 1 else "a stack"},
        observed={"drawn": one.card if one.cards == 1 else one.cards, "placed": None},
        hand=one.hand,
        severity="info",
        discriminator=str(one.drawn),
        lost_word=True,
        of="placements",
    )


def second_word(table: Table, data: Payload, time: dt.datetime) -> bool:
    """Whether another device told of this act before: the layout of a draw, or play itself of a placement."""
    if type(data) is CardDrawn:
        return bool(table.shoe.owed) and owed_draw(table, data.card) is not None
    if type(data) is CardPlaced and table.round is not None and table.round.inferred:
        return inferred_before(table.shoe, table.round, data, time) is not None
    return False
