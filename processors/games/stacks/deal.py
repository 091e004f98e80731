"""The deal of a stack game by the text: what each spot is due, what is left for the stub, when it was misdealt."""

from __future__ import annotations

import datetime as dt
from typing import Any

from msgspec import Struct

from processors.core.facts_decks import VoidRound
from processors.core.folding.in_force import numbers_on
from processors.core.state import Round
from schemas.events import CardDrawn, StackDispensed, TableConfigured, WagerSettled
from schemas.rulesets.numbers import FiveCardsNumbers, StackGameNumbers, StacksNumbers
from schemas.values import BONUS, DEALER

MOST_SEATS = 9  # that the contract can name
FirstCard = StackDispensed | CardDrawn
"""What gives up the first card of a round, whichever the shoe."""


class Deal(Struct, frozen=True):
    """Cards at each spot as they were dealt, and as the text has them."""

    sizes: dict[str, int]
    due: dict[str, int]
    stub: int

    @property
    def off(self) -> dict[str, int]:
        """Spots with a wrong number of cards, and how many they have: any makes a misdeal."""
        dealt = {**dict.fromkeys(self.due, 0), **self.sizes}
        return {spot: cards for spot, cards in dealt.items() if cards != self.due.get(spot, 0)}

    def total(self, counted: int) -> int:
        """Cards in the deck, going by a count of the stub."""
        return counted + sum(self.sizes.values())


def deal_of(round_: Round, config: TableConfigured) -> Deal:
    """The deal of a round under way."""
    in_time = wagered(round_, before=round_.first_card)
    dealt = {hand.seat for hand in round_.hands.values() if hand.seat and hand.cards}
    return _deal(
        config,
        round_.day,
        {hand.name: len(hand.cards) for hand in round_.hands.values() if hand.cards},
        in_time | (dealt & wagered(round_)),
        bool(stakes_of(round_, "six_card_bonus")),
    )


def deal_of_void(void: VoidRound, config: TableConfigured) -> Deal:
    """The deal of the last void round."""
    return _deal(config, void.day, void.sizes, set(void.wagered), void.bonus)


def _deal(config: TableConfigured, day: dt.date, sizes: dict[str, int], seats: set[int], bonus: bool) -> Deal:
    numbers = numbers_on(config.ruleset, StackGameNumbers, day)
    hand = numbers.cards_in_hand
    if isinstance(numbers, StacksNumbers):
        return Deal(sizes, dict.fromkeys(circuit(config), hand), numbers.stub)
    deck = numbers_on(config.ruleset, FiveCardsNumbers, day).deck
    due = {f"{seat}.1": hand for seat in sorted(seats)} | {DEALER: hand}
    if bonus:
        due = {BONUS: 1} | due
    unasked = [spot for spot, cards in sizes.items() if spot not in due and cards == hand]
    return Deal(sizes, due, deck - sum(due.values()) - hand * len(unasked))


def circuit(config: TableConfigured) -> list[str]:
    """Every position clockwise, the dealer after the last one."""
    return [*(str(seat) for seat in range(1, min(config.seats, MOST_SEATS) + 1)), DEALER]


def wagered(round_: Round, before: int | None = None) -> set[int]:
    """Seats with a main wager, placed before a sequence if one is given."""
    return {
        stake.seat
        for stake in round_.stakes.values()
        if stake.kind == "main" and stake.cents and (before is None or stake.placed < before)
    }


def stakes_of(round_: Round, kind: str) -> dict[int, int]:
    """Cents of a kind of wager by seat."""
    return {s.seat: s.cents for s in round_.stakes.values() if s.kind == kind and s.cents}


def with_wagers(round_: Round) -> set[int]:
    """Seats with any wager."""
    return {stake.seat for stake in round_.stakes.values() if stake.cents}


def count_is_wrong(round_: Round, deal: Deal) -> bool:
    """Whether the stub was counted and is not what a proper deal leaves of a whole deck."""
    return round_.stub_counted is not None and round_.stub_counted[0] != deal.stub


def stub_racked(round_: Round) -> int | None:
    """Sequence at which the stub entered the rack."""
    return next((entry.sequence for entry in round_.racked if entry.reason == "stub"), None)


def is_played_on(round_: Round, data: Any) -> bool:
    """Whether this event is the first to treat the deal as good: a hand shown, a wager decided, or the end."""
    if round_.voided is not None or round_.first_card is None:
        return False
    if isinstance(data, WagerSettled) and data.outcome == "return":
        return False
    if any(hand.revealed is not None for hand in round_.hands.values()):
        return False
    return not any(move.outcome != "return" for stake in round_.stakes.values() for move in stake.moves)
