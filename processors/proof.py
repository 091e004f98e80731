"""The cross-check of a finished round by the rack solver: what the rack proves, and where it contradicts the log.

The rack and the shoe's draw order are put together without the layout's word. If they give the hands that the log
has, weaker evidence is tried: the rack with the seats, then the rack alone. Searches are bounded by the hands they
look at, never by time: the same round has the same answer on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from processors.core.state import Round, Table
from processors.games.blackjack.rules import BlackjackRules
from processors.rack import RackProblem, RackTable
from processors.rack.dealt import Budget, Dealt, Spent, dealt_rounds
from processors.rack.house import House, house_of
from processors.rack.laid import Cards, SeatHands
from processors.rack.others import Wider, another_near
from processors.rack.unread import Plain, read_classes
from schemas import events as e
from schemas.rounds import Proof, RackDivergence, RackPlace, RackResult, RoundResult
from schemas.values import DEALER, UNKNOWN

HANDS_LOOKED_AT = 40_000
"""A full table's round takes some 20 with the draw order, and some hundreds where weaker evidence is weighed."""

_IRREGULAR: dict[type, str] = {
    e.CardExposed: "a card was exposed",
    e.CardRefused: "a card was refused",
    e.StackShuffledFromRack: "the rack was reshuffled in the round",
    e.ShoeLoaded: "a shoe was loaded in the round",
    e.HandVoided: "a hand was called dead",
    e.HandContinued: "a hand was played on after a wrong light",
    e.RoundVoided: "the round is void",
}
_LAWFULLY_RACKED = frozenset({"settled", "bust", "blackjack", "surrender"})
# Readings of which the solver knows the declared one only; what the others allow it does not look for.
_READ_AS_DECLARED = {"A1": "literal", "A6": "any_lammer", "A8": "draws", "A40": "last_first"}


class _Told(Struct, frozen=True):
    """The round as three witnesses have it: the layout's hands, the shoe's draws, the rack."""

    house: House
    seats: tuple[int, ...]
    hands: tuple[SeatHands, ...]
    dealer: Cards
    drawn: Cards
    rack: Cards


def proven(result: RoundResult, table: Table, round_: Round, rules: BlackjackRules | None) -> RoundResult:
    """The round with what its rack proves; the class of proof is that of the weakest evidence that is enough."""
    told = _told(table, round_, rules, result.rack)
    result = replace(result, rack=replace(result.rack, in_shoe=_in_shoe(table, round_, rules, result.rack)))
    if isinstance(told, str):
        rack = replace(result.rack, no_proof=told)
    elif UNKNOWN in told.rack or UNKNOWN in told.drawn:
        plain = Plain(_problem(table, told), told.hands, told.dealer)
        proof, reason, money = read_classes(plain, Budget(HANDS_LOOKED_AT))
        rack = replace(result.rack, proof=proof, no_proof=reason, money_unique=money)
    else:
        rack = _weighed(table, told, result.rack)
    return replace(result, rack=rack)


def _in_shoe(table: Table, round_: Round, rules: BlackjackRules | None, rack: RackResult) -> RackPlace | None:
    """The round's place in the whole rack, burnt cards and the rounds before it below; told when it ends."""
    facts, count = table.decks, len(rack.observed)
    returns = table.config is None or table.config.shuffler in ("continuous", "self_shuffling")
    if rules is None or returns or round_.reloads or not count or tuple(facts.rack[-count:]) != rack.observed:
        return None
    ends = len(facts.rack)
    drawn = sum(type(one.data) is e.CardDrawn for one in round_.log)
    given = sorted(facts.drawn[len(facts.drawn) - drawn :])
    same = None if UNKNOWN in given or UNKNOWN in rack.observed else given == sorted(rack.observed)
    return RackPlace(begins=ends - count, ends=ends, same_cards=same)


def _told(table: Table, round_: Round, rules: BlackjackRules | None, rack: RackResult) -> _Told | str:
    """What the round's witnesses say, or why the solver does not apply."""
    config = table.config
    if config is None or rules is None:
        return "no table configuration" if config is None else "a stack game: the solver knows Blackjack only"
    odd = _odd(round_) or _otherwise_read(rules)
    if odd:
        return odd
    if table.blind.round:
        return table.blind.round[0]
    seats = tuple(sorted({stake.seat for stake in round_.stakes.values() if stake.kind == "main"}))
    names = {DEALER, *(f"{seat}.{number}" for seat in seats for number in range(1, rules.hands_at_most + 1))}
    held = {name: tuple(hand.cards) for name, hand in round_.hands.items() if hand.cards}
    if not held:
        return "no card was dealt"
    if DEALER not in held or not names.issuperset(held) or any(f"{seat}.1" not in held for seat in seats):
        return "cards and main wagers lie at different seats"
    hands = tuple(
        tuple(held[name] for number in range(1, 5) if (name := f"{seat}.{number}") in held) for seat in seats
    )
    house = house_of(
        config.ruleset,
        side_wagers=config.side_wagers,
        even_money=rules.even_money,
        bust_collection=config.bust_collection,
        pickup_order=config.pickup_order,
        dealer_cards=config.dealer_cards,
    )
    drawn = [one.data.card for one in round_.log if type(one.data) is e.CardDrawn]
    hole = 2 * len(seats) + 1
    if hole < len(drawn) and drawn[hole] == UNKNOWN and len(held[DEALER]) > 1:
        drawn[hole] = held[DEALER][1]  # sealed when it was drawn, opened at the reveal
    return _Told(house, seats, hands, held[DEALER], tuple(drawn), rack.observed)


def _odd(round_: Round) -> str:
    """What is irregular about the round, so that no rule says how its cards must lie; empty if nothing is."""
    first = round_.first_card
    for one in round_.log:
        kind = type(one.data)
        if kind in _IRREGULAR and (kind is not e.CardExposed or one.data.where != "hole"):
            return _IRREGULAR[kind]
        if kind is e.CardBurned and first is not None and one.sequence > first:
            return "a card was burnt in the round"
    for entry in round_.racked:
        if entry.reason not in _LAWFULLY_RACKED:
            return f"cards were racked as {entry.reason}"
    return "a hand is dead" if any(hand.voided is not None for hand in round_.hands.values()) else ""


def _otherwise_read(rules: BlackjackRules) -> str:
    for place, policy in _READ_AS_DECLARED.items():
        if rules.readings[place] != policy:
            return f"{place} is read {rules.readings[place]}; the solver knows {policy} only"
    return ""


def _problem(table: Table, told: _Told) -> RackProblem:
    house = told.house
    return RackProblem(
        ruleset=house.ruleset,
        table=RackTable(
            seats=table.config.seats if table.config is not None else max(told.seats),
            side_wagers=("push22",) if house.push22 else (),
            even_money=house.even_money,
            pickup_order=house.pickup_order,
            dealer_cards="first" if house.dealer_first else "last",
            bust_collection="immediate" if house.busts_at_once else "at_settlement",
        ),
        rack=told.rack,
        seats=told.seats,
        drawn=told.drawn,
    )


def _weighed(table: Table, told: _Told, rack: RackResult) -> RackResult:
    """What the rack proves, all cards being read."""
    budget = Budget(HANDS_LOOKED_AT)
    try:
        found = list(dealt_rounds(told.house, told.rack, len(told.seats), told.drawn, budget))
        if not found:
            return replace(rack, no_proof=_NONE)
        ends = zip(*(one.laying.ends for one in found), strict=True)
        money = all(len(frozenset().union(*ways)) == 1 for ways in ends)
        true = [one for one in found if (one.seats, one.dealer) == (told.hands, told.dealer)]
        if not true:
            first = rack.divergence or _first_difference(told, found[0])
            return replace(rack, no_proof=_OTHER, divergence=first, money_unique=money)
        if len({(one.seats, one.dealer) for one in found}) > 1:
            return replace(rack, proof="not unique", money_unique=money)
        return replace(rack, proof=_weakest(table, told, true[0], budget), money_unique=money)
    except Spent:
        return replace(rack, no_proof=f"not decided by {HANDS_LOOKED_AT:,} hands looked at")


_NONE = "no lawful round deals these cards in this order and leaves this rack"
_OTHER = "the rack and the draw order give other hands than the log"


def _weakest(table: Table, told: _Told, true: Dealt, budget: Budget) -> Proof:
    """The weakest evidence that leaves only this round; the draw order is known to be enough."""
    if another_near(told.house, told.rack, true.seats, true.laying, budget):
        return "rack and draw order"
    wider = Wider(replace(_problem(table, told), seats=None, drawn=None), budget)
    if wider.another(true.seats, true.dealer):
        return "rack and draw order"
    return "rack and seats" if wider.of_others(len(told.seats)) else "rack alone"


def _first_difference(told: _Told, found: Dealt) -> RackDivergence:
    """The first card, seat by seat and then the dealer's, that the rack gives to another hand than the log."""
    places: dict[tuple[int, int], int] = {}
    at = 0
    for spot in found.laying.spots:
        places[spot.seat, spot.number] = at
        at += len(spot.cards)
    for order, seat in enumerate(told.seats):
        for number in range(max(len(told.hands[order]), len(found.seats[order]))):
            logged, rebuilt = _hand(told.hands[order], number), _hand(found.seats[order], number)
            if logged != rebuilt:
                at = places.get((order, number + 1), places[order, 1])
                return _divergence(f"{seat}.{number + 1}", at, logged, rebuilt)
    return _divergence(DEALER, places[-1, 0], told.dealer, found.dealer)


def _hand(hands: Sequence[Cards], number: int) -> Cards:
    return hands[number] if number < len(hands) else ()


def _divergence(hand: str, at: int, logged: Cards, rebuilt: Cards) -> RackDivergence:
    card = 0
    while card < min(len(logged), len(rebuilt)) and logged[card] == rebuilt[card]:
        card += 1
    return RackDivergence(
        index=at + card,
        hand=hand,
        card=card + 1,
        expected=logged[card] if card < len(logged) else None,
        observed=rebuilt[card] if card < len(rebuilt) else None,
    )
