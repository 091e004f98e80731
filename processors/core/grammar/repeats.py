"""Second words: a device reports one act twice, under another id (A71). It has spoken once, and the act counts once.

A word is a second one where the same device said the same just before: within half a second, in which nobody acts
twice, and within two seconds where it names a card or a stake. Two cards may read alike, though: a shoe holds six
queens of hearts. So a draw is a card of its own where a placement answers to it, and a placement where a draw does;
both are held until an answer shows. A silent device answers nobody: then both count.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from processors.core.anomaly import Anomaly
from processors.core.cards import fit
from processors.core.devices.thresholds import REPEATED_AT_ONCE, REPEATED_WITHIN
from processors.core.facts_grammar import Said
from processors.core.handlers import Anomalies
from processors.core.state import Table
from processors.core.witnesses import Witness
from schemas import events as e
from schemas.events.envelope import CHAINED, PAYLOADS, Envelope
from schemas.payload import Payload, short_name
from schemas.values import UNKNOWN

CHECK = "integrity.device"
_TAIL = 16  # events of a round, among which are those of two seconds
_STRETCH = 5_000  # events of the table without another second word, after which a device is named anew
_ENCODE = msgspec.msgpack.Encoder().encode
_DECODERS = {name: msgspec.msgpack.Decoder(payload).decode for name, payload in PAYLOADS.items()}
_ENVELOPES: dict[type[Payload], Any] = dict(zip(PAYLOADS.values(), CHAINED, strict=True))
_ANSWERED_BY: dict[type[Payload], Witness] = {
    e.CardDrawn: "placements",
    e.StackDispensed: "placements",
    e.CardPlaced: "shoe",
    e.StackDelivered: "shoe",
}
_OF_CARDS_AND_STAKES = _ANSWERED_BY.keys() | {
    e.CardsRacked, e.CardExposed, e.HoleCardRevealed, e.WagerPlaced, e.CashWagerCalled, e.CashConverted,
    e.ChipsBought, e.ChipsExchanged,
}  # fmt: skip
_DRAWS = (short_name(e.CardDrawn), short_name(e.StackDispensed))
_GIVES_UP = (e.RoundStarted, e.RoundEnded, e.ShoeLoaded)


def first_word(table: Table, event: Envelope) -> int:
    """The event of the same act that this one repeats; 0 if there is none, or if this one has shown to be an act."""
    round_, data, time = table.round, event.data, event.time
    kind = type(data)
    if round_ is None:
        return _first_between(table, event)
    for said in reversed(round_.log):
        if time - said.time > REPEATED_WITHIN:
            break
        if type(said.data) is kind and said.source == event.source and said.data == data:
            after = time - said.time
            again = _is_again(data, after) and not _was_drawn(table, data)
            if not again or _same_id(table, event) or (after > REPEATED_AT_ONCE and _unanswered(table, kind)):
                return 0
            return said.sequence
    if kind is e.RoundEnded:
        late = (one for one in round_.log[-_TAIL:] if time - one.time <= REPEATED_WITHIN)
        table.repeats.between = [
            Said("", one.source, one.sequence, short_name(type(one.data)), _ENCODE(one.data), one.time)
            for one in late
        ]
        _first_between(table, event)
    return 0


def _first_between(table: Table, event: Envelope) -> int:
    """The same outside a round, of which the words of the last two seconds are remembered."""
    repeats, time, data = table.repeats, event.time, event.data
    said = Said(event.id, event.source, event.sequence, short_name(type(data)), _ENCODE(data), time)
    repeats.between = [one for one in repeats.between if time - one.time <= REPEATED_WITHIN]
    for one in repeats.between:
        if (one.source, one.kind, one.data) == (said.source, said.kind, said.data):
            again = _is_again(data, time - one.time) and not _same_id(table, event)
            return one.sequence if again else 0
    repeats.between.append(said)
    return 0


def _same_id(table: Table, event: Envelope) -> bool:
    """Whether the device sent the very same event twice, which the grammar names."""
    return event.id in table.lives.ids.get(event.source, ())


def _is_again(data: Any, after: dt.timedelta) -> bool:
    """Whether the same words are said of one act, so long after the first ones."""
    if type(data) not in _OF_CARDS_AND_STAKES:
        return dt.timedelta(0) < after <= REPEATED_AT_ONCE
    if type(data) is e.CardDrawn:
        unread = data.card == UNKNOWN and not data.seal
    else:
        unread = type(data) is e.StackDispensed or (
            type(data) is e.CardsRacked and all(one == UNKNOWN for one in data.cards)
        )
    return after <= (REPEATED_AT_ONCE if unread else REPEATED_WITHIN)


def _unanswered(table: Table, kind: type[Payload]) -> bool:
    """Whether the device that would answer is silent."""
    return _ANSWERED_BY.get(kind) in table.silent


def _was_drawn(table: Table, data: Any) -> bool:
    """Whether what is laid has left the shoe and lies nowhere yet; what is laid face down left it unknown."""
    if type(data) is e.StackDelivered:
        return bool(table.shoe.loose)
    if type(data) is not e.CardPlaced:
        return False
    unread = data.face_up
    return any(
        one.card == data.card or (unread and not one.seal and fit(one.card, data.card))
        for one in table.shoe.loose
    )


def keep_out(table: Table, event: Envelope, first: int) -> Anomalies:
    """Keep a second word out of the table's state; the finding that names it, once for a stretch of such words.

    A draw or a placement that may be a card of its own is held until that shows, or the round ends.
    """
    data, kind, round_ = event.data, short_name(type(event.data)), table.round
    said = Said(event.id, event.source, event.sequence, kind, _ENCODE(data), event.time, first)
    if round_ is not None and type(data) in _ANSWERED_BY:
        slow = any(one.sequence == first and event.time - one.time > REPEATED_AT_ONCE for one in round_.log)
        table.repeats.held.append(replace(said, slow=slow))
        return ()
    return _named(table, said)


def _named(table: Table, said: Said) -> Anomalies:
    named, device = table.repeats.named, said.source.rpartition("/")[2]
    before, named[said.source] = named.get(said.source), said.sequence
    if before is not None and said.sequence - before <= _STRETCH:
        return ()
    return (
        Anomaly(
            check=CHECK,
            message=f"Event {said.sequence} of {device} repeats its event {said.first} under another id: the device "
            f"has spoken once, and the act counts once. Further repetitions of {device} are not told one by one.",
            sequences=(said.first, said.sequence),
            expected={"words_of_one_act": 1},
            observed={"device": device, "event": said.kind, "words_of_one_act": 2},
            severity="minor",
            discriminator=f"{device}:twice",
        ),
    )


def shown(table: Table, event: Envelope) -> Said | None:
    """The word held back that another device's word shows to be an act of its own, or that nobody will answer."""
    held, shows = table.repeats.held, _SHOWS.get(type(event.data))
    for one in held:
        if one.slow and _unanswered(table, PAYLOADS[one.kind]):
            return one
        if shows is not None and shows(table, event.data, _DECODERS[one.kind](one.data)):
            return one
    return None


def held_draw(table: Table) -> Said | None:
    """The last card or stack that is held back and may have left the shoe."""
    held = (one for one in reversed(table.repeats.held) if one.kind in _DRAWS)
    return next(held, None)


def let_out(table: Table, said: Said, event: Envelope) -> Envelope:
    """The event of a word that is held no longer, to be taken before the event that shows it to be an act."""
    table.repeats.held.remove(said)
    data = _DECODERS[said.kind](said.data)
    own: Envelope = _ENVELOPES[type(data)](
        specversion=event.specversion,
        id=said.id,
        source=said.source,
        subject=event.subject,
        time=event.time,
        sequence=said.sequence,
        prevhash=event.prevhash,
        data=data,
    )
    return own


def given_up(table: Table, event: Envelope) -> Anomalies:
    """What is still held when a round begins or ends, or a shoe is loaded: second words, and no acts of their own."""
    return give_up(table) if type(event.data) in _GIVES_UP else ()


def give_up(table: Table) -> Anomalies:
    """Name what is still held as second words."""
    held, table.repeats.held = table.repeats.held, []
    return tuple(one for said in held for one in _named(table, said))


def _laid(table: Table, laid: e.CardPlaced | e.CardExposed, held: Any) -> bool:
    if type(held) is not e.CardDrawn or laid.card not in (held.card, UNKNOWN):
        return False
    return not any(fit(one.card, laid.card) for one in table.shoe.loose)


def _delivered(table: Table, delivered: e.StackDelivered, held: Any) -> bool:
    return type(held) is e.StackDispensed and not table.shoe.loose


def _racked(table: Table, racked: e.CardsRacked, held: Any) -> bool:
    """Whether the rack shows the card once more than it lay with the hand, and than it was drawn for any."""
    card = held.card if type(held) in (e.CardDrawn, e.CardPlaced) else UNKNOWN
    if card == UNKNOWN or getattr(held, "hand", racked.hand) != racked.hand:
        return False
    hand = table.round.hands.get(racked.hand) if table.round is not None else None
    lay = hand.cards.count(card) if hand is not None else 0
    return racked.cards.count(card) > lay + sum(one.card == card for one in table.shoe.loose)


_SHOWS: dict[type[Payload], Callable[[Table, Any, Any], bool]] = {
    e.CardPlaced: _laid,
    e.CardExposed: _laid,
    e.StackDelivered: _delivered,
    e.CardsRacked: _racked,
}
