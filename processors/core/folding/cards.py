"""Cards on the layout: placed, revealed, tucked, racked; decisions that move them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from processors.core import cards, conservation
from processors.core.anomaly import Anomaly
from processors.core.devices import pairing
from processors.core.devices.health import fell_with
from processors.core.facts_decks import Loose
from processors.core.folding.faces import read_by_rack
from processors.core.folding.stacks import is_stack_game
from processors.core.grammar.seals import opened, opens
from processors.core.grammar.shoes import hole_laid
from processors.core.handlers import Anomalies, Handlers
from processors.core.sights import SPLIT, SURRENDER
from processors.core.state import Hand, RackEntry, Round, Table, seat_of, spot_named
from processors.core.unheard import cards_unseen, count_unseen
from processors.core.witnesses import Owed
from schemas import events as e
from schemas.amounts import amount
from schemas.values import DEALER, UNKNOWN


def hand_of(round_: Round, name: str) -> Hand:
    """The round's hand of that name, made at its first event."""
    hand = round_.hands.get(name)
    if hand is None:
        hand = Hand(name=name, seat=seat_of(name))
        round_.hands[name] = hand
    return hand


def _placed(table: Table, sequence: int, data: e.CardPlaced) -> Anomalies:
    round_ = table.round
    if round_ is not None and round_.inferred:
        known = pairing.inferred_before(table.shoe, round_, data, table.time)
        if known is None and is_stack_game(table):
            known = pairing.late_word(table, data.hand, table.time)
        if known is not None:
            return pairing.confirm(table, known, sequence, data.card)
    loose = cards.take_loose(table.shoe, data.card) or pairing.take_back(table, data.card)
    found: Anomalies = ()
    card = data.card
    if loose is None:
        if cards_unseen(table) or table.time is None:
            table.shoe.doubtful += 1
        else:
            table.shoe.owed.append(Owed(data.hand, card, sequence, table.time, data.face_up))
    elif loose.card == UNKNOWN:
        if card != UNKNOWN:
            found = cards.note_identified(table, card, sequence)
    elif card == UNKNOWN:
        card = loose.card
    elif loose.card != card:
        found = (_witnesses_differ(loose, data, sequence),)
        cards.note_disputed(table, loose.card)
        if round_ is not None:
            round_.reported.append(f"disputed:{loose.card}")
    if round_ is None:
        return found
    hand = hand_of(round_, data.hand)
    hand.cards.append(card)
    hand.sequences.append(sequence)
    if loose is not None:
        round_.draws[sequence] = loose.sequence
    if data.hand == DEALER and not data.face_up and (round_.hole_drawn is None or _is_the_hole(hand)):
        round_.hole_drawn = sequence
        round_.hole_index = len(hand.cards) - 1
        round_.hole_seal = loose.seal if loose is not None else ""
        found += hole_laid(table, sequence, loose)
    return found


def _is_the_hole(hand: Hand) -> bool:
    """Whether the second card is the hole card: the first was dealt face down too, but is known."""
    return len(hand.cards) == 2 and hand.cards[0] != UNKNOWN and hand.cards[1] == UNKNOWN


def _witnesses_differ(loose: Loose, data: e.CardPlaced, sequence: int) -> Anomaly:
    drawn, laid = (loose.card, data.card) if data.face_up else ("one card", "another, face down,")
    return Anomaly(
        check="integrity.witness",
        message=f"The shoe gave up {drawn}, {spot_named(data.hand)} received {laid}.",
        sequences=(loose.sequence, sequence),
        expected={"card": loose.card if data.face_up else "the card that was drawn"},
        observed={"card": data.card if data.face_up else "another one"},
        hand=data.hand,
    )


def _revealed(table: Table, sequence: int, data: e.HoleCardRevealed) -> Anomalies:
    round_ = table.round
    if round_ is None:
        return ()
    dealer = round_.hands.get(DEALER)
    if dealer is not None and round_.hole_drawn is None and table.shoe.loose:
        _hole_from_the_felt(table, round_, dealer, sequence)
    if dealer is None or round_.hole_index >= len(dealer.cards):
        return () if cards_unseen(table) else (_no_hole_card(data, sequence),)
    before = dealer.cards[round_.hole_index]
    dealer.cards[round_.hole_index] = data.card
    broken = _check_seal(round_, before, sequence, data)
    again: Anomalies = ()
    if round_.hole_revealed is None:
        round_.hole_revealed = sequence
        if data.nonce and round_.hole_seal and not broken:
            again = opened(table, sequence, data.nonce)
    if before != UNKNOWN or broken or dealer.racked is not None:
        return (*broken, *again)  # the card that left the shoe is in doubt, or the rack has shown it already
    return (*again, *cards.note_identified(table, data.card, sequence))


def _hole_from_the_felt(table: Table, round_: Round, dealer: Hand, sequence: int) -> None:
    """Take the drawn card that lies with no hand for the hole card, whose placing is not on record."""
    loose = cards.take_loose(table.shoe, UNKNOWN)
    if loose is not None:
        dealer.cards.insert(round_.hole_index, loose.card)
        dealer.sequences.insert(round_.hole_index, sequence)
        round_.draws[sequence] = loose.sequence
        round_.hole_drawn, round_.hole_seal = loose.sequence, loose.seal


def _no_hole_card(data: e.HoleCardRevealed, sequence: int) -> Anomaly:
    return Anomaly(
        check="integrity.seal",
        message=f"A hole card {data.card} was revealed, but none lay face down.",
        sequences=(sequence,),
        expected={"hole_card": "a card dealt face down"},
        observed={"card": data.card},
        hand=DEALER,
    )


def _check_seal(round_: Round, before: str, sequence: int, data: e.HoleCardRevealed) -> Anomalies:
    drawn = round_.hole_drawn or sequence
    if before not in (UNKNOWN, data.card):
        observed: Any = {"card": data.card, "before": before}
        reason = f"The hole card was known as {before} and is now {data.card}."
    elif not round_.hole_seal:
        return ()
    elif not data.nonce:
        observed = {"card": data.card, "nonce": None}
        reason = f"The hole card {data.card} was revealed without the nonce that opens its seal."
    elif opens(round_.hole_seal, data):
        return ()
    else:
        observed = {"card": data.card, "opens": False}
        reason = f"The revealed hole card {data.card} is not the card that was sealed when it was drawn."
    return (
        Anomaly(
            check="integrity.seal",
            message=reason,
            sequences=(drawn, sequence),
            expected={"seal": round_.hole_seal},
            observed=observed,
            hand=DEALER,
        ),
    )


def _racked(table: Table, sequence: int, data: e.CardsRacked) -> Anomalies:
    shoe, round_ = table.shoe, table.round
    shoe.in_rack += len(data.cards)
    found: Anomalies = ()
    if data.reason in ("boxed", "accidental", "refused"):
        found = _rack_loose(table, sequence, data)
    elif data.reason == "stub":
        fits = cards.draw_from(shoe, len(data.cards))
        # A round dealt of the wrong deck is void, and that is its remedy (670a.10(e), 657a.8(h)).
        void = round_ is not None and round_.voided is not None
        if not fits and not void:
            found = conservation.overdrawn(table, sequence)
        shoe.out_unknown += len(data.cards)
    elif round_ is not None:
        found = _rack_hand(table, round_, sequence, data)
    if round_ is not None:
        round_.racked.append(RackEntry(data.hand, list(data.cards), data.reason, sequence))
    return found


def _rack_loose(table: Table, sequence: int, data: e.CardsRacked) -> Anomalies:
    found: Anomalies = ()
    strange: list[str] = []
    for card in data.cards:
        loose = cards.take_loose(table.shoe, card)
        if loose is None:
            if not cards_unseen(table):
                strange.append(card)
        elif loose.card == UNKNOWN:
            found += cards.note_identified(table, card, sequence)
        elif card not in (loose.card, UNKNOWN):
            strange.append(card)
    return found + tuple(_not_on_the_table(data, card, sequence) for card in dict.fromkeys(strange))


def _rack_hand(table: Table, round_: Round, sequence: int, data: e.CardsRacked) -> Anomalies:
    hand = round_.hands.get(data.hand) or hand_of(round_, data.hand)
    hand.racked = sequence
    hand.racked_cards.extend(data.cards)
    hand.rack_reason = data.reason
    if data.cards == tuple(hand.cards):
        return ()
    if count_unseen(table):
        return ()  # the card may have been laid there unseen; its draw counted it
    lying = Counter(hand.cards)
    unknown = lying.pop(UNKNOWN, 0)
    surplus = Counter(card for card in data.cards if card != UNKNOWN) - lying
    if surplus and sum(surplus.values()) <= unknown:  # the hand's own cards, read only now
        found: Anomalies = ()
        for card in surplus.elements():
            found += cards.note_identified(table, card, sequence)
        read_by_rack(round_, hand, data.cards, sequence)
        return found
    for card in list(surplus.elements()):
        if f"disputed:{card}" in round_.reported or _lies_elsewhere(table, round_, hand, card):
            surplus -= Counter((card,))
    return (_not_on_the_table(data, next(iter(surplus)), sequence),) if surplus else ()


def _lies_elsewhere(table: Table, round_: Round, hand: Hand, card: str) -> bool:
    """Whether the card lies with no hand or with another hand: then it is only racked in the wrong place."""
    loose = next((drawn for drawn in table.shoe.loose if drawn.card == card), None)
    if loose is not None:
        table.shoe.loose.remove(loose)
        return True
    for other in round_.hands.values():
        if other is hand or other.cards.count(card) <= other.racked_cards.count(card):
            continue
        if other.seat and not any(stake.hand == other.name for stake in round_.stakes.values()):
            other.cards.remove(card)  # a box without a wager: nobody will rack it there
        return True
    return False


def _not_on_the_table(data: e.CardsRacked, card: str, sequence: int) -> Anomaly:
    return Anomaly(
        check="integrity.shoe",
        message=f"Card {card} was racked with the cards of {spot_named(data.hand)}, but did not lie there.",
        sequences=(sequence,),
        expected={"racked": "cards that lie on the table"},
        observed={"card": card},
        hand=data.hand,
        discriminator=card,
    )


def _decided(table: Table, sequence: int, data: e.PlayerDecision) -> None:
    round_ = table.round
    if round_ is None:
        return
    hand = hand_of(round_, data.hand)
    hand.decisions.append((data.kind, sequence))
    if data.kind == "surrender":
        if hand.surrendered is None:
            hand.surrendered = sequence
            round_.seen |= SURRENDER
    elif data.kind == "split" and data.new_hand:
        new = hand_of(round_, data.new_hand)
        if new is not hand and not new.cards:
            new.parent = data.hand
            new.split_at = sequence
            hand.split_at = sequence
            round_.seen |= SPLIT
            if len(hand.cards) > 1:
                new.cards.append(hand.cards.pop(1))
                new.sequences.extend(hand.sequences[1:2])
                del hand.sequences[1:2]


def left_over(table: Table, sequence: int) -> Anomalies:
    """Name cards that left the shoe in the round that ends and reached neither a hand nor the rack."""
    round_ = table.round
    if round_ is None:
        return ()
    loose = [
        entry
        for entry in cards.clear_layout(table, round_)
        if f"loose:{entry.sequence}" not in round_.reported
    ]
    if not loose or count_unseen(table):
        return ()
    if fell_with(table, "placements") or round_.several_unracked:  # a layout may have died in this round
        return ()
    return (
        Anomaly(
            check="integrity.shoe",
            message=f"{amount(len(loose), 'drawn card')} "
            f"({', '.join(entry.card for entry in loose[:8])}) reached neither a hand nor the rack.",
            sequences=(*(entry.sequence for entry in loose[:8]), sequence),
            expected={"loose": 0},
            observed={"loose": [entry.card for entry in loose[:8]]},
            discriminator="loose",
            verdict="indeterminate" if round_.first_breach else "breached",
            because_of=round_.first_breach,
        ),
    )


HANDLERS: Handlers = {
    e.CardPlaced: _placed,
    e.HoleCardRevealed: _revealed,
    e.CardsRacked: _racked,
    e.PlayerDecision: _decided,
}
