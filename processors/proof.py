"""The cross-check of a finished round by the rack solver: what the rack proves, and where it contradicts the log.

The rack and the shoe's draw order are put together without the layout's word. If they give the hands that the log
has, weaker evidence is tried: the rack with the seats, then the rack alone. Searches are bounded by the hands they
look at, never by time: the same round has the same answer on every machine.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from processors.core.sights import bits_of
from processors.core.state import Round, Table
from processors.games.blackjack.rules import BlackjackRules
from processors.rack.problem import RackProblem, RackTable
from processors.rack.proving.dealt import Dealt
from processors.rack.proving.laid import Cards, SeatHands
from processors.rack.proving.weigh import weigh
from schemas import events as e
from schemas.events import TableConfigured
from schemas.rounds import RackDivergence, RackPlace, RackResult, RoundResult
from schemas.values import DEALER, JOKER, UNKNOWN

_IRREGULAR: dict[type, str] = {
    e.CardExposed: "a card was exposed",
    e.CardRefused: "a card was refused",
    e.StackShuffledFromRack: "the rack was reshuffled in the round",
    e.ShoeLoaded: "a shoe was loaded in the round",
    e.HandVoided: "a hand was called dead",
    e.HandContinued: "a hand was played on after a wrong light",
    e.RoundVoided: "the round is void",
}
_MAY_BE_ODD = bits_of((*_IRREGULAR, e.CardBurned))
_LAWFULLY_RACKED = frozenset({"settled", "bust", "blackjack", "surrender"})
# Readings of which the solver knows the declared one only; what the others allow it does not look for.
_READ_AS_DECLARED = {"A1": "literal", "A6": "any_lammer", "A8": "draws", "A40": "last_first"}


class _Told(NamedTuple):
    """The round as three witnesses have it: rack and draws in the problem, the layout's hands beside it."""

    problem: RackProblem
    hands: tuple[SeatHands, ...]
    dealer: Cards


def proven(result: RoundResult, table: Table, round_: Round, rules: BlackjackRules | None) -> RoundResult:
    """The round with what its rack proves; the class of proof is that of the weakest evidence that is enough."""
    rack = replace(result.rack, in_shoe=_in_shoe(table, round_, rules, result.rack))
    told = _told(table, round_, rules, rack)
    if isinstance(told, str):
        return replace(result, rack=replace(rack, no_proof=told))
    try:
        weighed = weigh(*told)
    except Exception as error:
        # A defect of the solver must not end the audit of a table, nor pass for a proof.
        return replace(result, rack=replace(rack, no_proof=f"a defect of the solver: {error}"[:200]))
    first = rack.divergence
    if first is None and weighed.other is not None:
        first = _first_difference(told, weighed.other)
    return replace(
        result,
        rack=replace(
            rack,
            proof=weighed.proof,
            no_proof=weighed.why_none,
            money_unique=weighed.money_unique,
            divergence=first,
        ),
    )


def _in_shoe(table: Table, round_: Round, rules: BlackjackRules | None, rack: RackResult) -> RackPlace | None:
    """The round's place in the whole rack, burnt cards and the rounds before it below; told when it ends."""
    facts, count = table.decks, len(rack.observed)
    returns = table.config is None or table.config.shuffler in ("continuous", "self_shuffling")
    if rules is None or returns or round_.reloads or not count or tuple(facts.rack[-count:]) != rack.observed:
        return None
    ends = len(facts.rack)
    drawn = len(round_.told(e.CardDrawn))
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
    unseen = [*table.blind.round, *round_.unheard.values()]
    if unseen:
        return unseen[0]
    seats = tuple(sorted({stake.seat for stake in round_.stakes.values() if stake.kind == "main"}))
    numbers = range(1, rules.hands_at_most + 1)
    names = {DEALER, *(f"{seat}.{number}" for seat in seats for number in numbers)}
    held = {name: tuple(hand.cards) for name, hand in round_.hands.items() if hand.cards}
    if not held:
        return "no card was dealt"
    if DEALER not in held or not names.issuperset(held) or any(f"{seat}.1" not in held for seat in seats):
        return "cards and main wagers lie at different seats"
    hands = tuple(
        tuple(held[name] for number in numbers if (name := f"{seat}.{number}") in held) for seat in seats
    )
    drawn = [one.data.card for one in round_.told(e.CardDrawn)]
    hole = 2 * len(seats) + 1
    if hole < len(drawn) and drawn[hole] == UNKNOWN and len(held[DEALER]) > 1:
        drawn[hole] = held[DEALER][1]  # sealed when it was drawn, opened at the reveal
    if JOKER in drawn or JOKER in rack.observed:
        return "a joker lies among the cards"
    problem = _problem(config, round_.day, rules, seats, tuple(drawn), rack.observed)
    return _Told(problem, hands, held[DEALER])


def _odd(round_: Round) -> str:
    """What is irregular about the round, so that no rule says how its cards must lie; empty if nothing is."""
    first = round_.first_card
    for one in round_.log if round_.seen & _MAY_BE_ODD else ():
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


def _problem(
    config: TableConfigured,
    day: dt.date,
    rules: BlackjackRules,
    seats: tuple[int, ...],
    drawn: Cards,
    rack: Cards,
) -> RackProblem:
    return RackProblem(
        ruleset=config.ruleset,
        table=RackTable(
            seats=config.seats,
            side_wagers=config.side_wagers,
            even_money=rules.even_money,
            pickup_order=config.pickup_order,
            dealer_cards=config.dealer_cards,
            bust_collection=config.bust_collection,
        ),
        rack=rack,
        seats=seats,
        drawn=drawn,
        gaming_day=day,
    )


def _first_difference(told: _Told, found: Dealt) -> RackDivergence:
    """The first card, seat by seat and then the dealer's, that the rack gives to another hand than the log."""
    places: dict[tuple[int, int], int] = {}
    at = 0
    for spot in found.laying.spots:
        places[spot.seat, spot.number] = at
        at += len(spot.cards)
    for order, seat in enumerate(told.problem.seats or ()):
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
