"""What a house submits under each ruleset: its games by name of the ruleset."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from schemas.values import Ruleset, SideWager

_PRINTED = ("name", "wager_area", "blackjack_3_2", "insurance_2_1", "draw_16_stand_17", "payouts")
_LAYOUT = (*_PRINTED, "drop_and_tip_boxes", "discard_rack")
_MASQUE = ("masque_reader", "range_areas", "range_small", "range_medium", "range_large")


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One ruleset as houses play it.

    `code` begins the names of a floor's tables. Of `decks` and, with enough decks, of `paytables` a floor
    chooses; without `paytables` the number of decks names the paytable. A side wager is offered with
    `side_decks`, at `side_chance` of the tables. `signs` may stand on a sign instead of on the layout.
    `spreads_anew` says that preshuffled cards are spread, and idle cards opened, as new ones are (685a.4(e),
    5(g)). `submission` are fields of the usual table.
    """

    code: str
    bureau: Literal["BGO", "BCC"] = "BGO"
    is_blackjack: bool = True
    first_day: dt.date = dt.date(2026, 3, 2)
    reader: Literal["card_reader", "masque_reader"] | None = None
    decks: tuple[int, ...] = (1,)
    joker: bool = False
    side_wagers: tuple[SideWager, ...] = ()
    side_decks: tuple[int, ...] = ()
    side_chance: float = 1.0
    paytables: tuple[str, ...] = ()
    even_money: bool = False
    layout: tuple[str, ...] = ("name",)
    signs: tuple[str, ...] = ()
    spreads_anew: bool = False
    readings_with_dealer_last: Mapping[str, str] = field(default_factory=dict)
    submission: Mapping[str, Any] = field(default_factory=dict)


_FREE_BET_672A = Game(
    code="FB",
    reader="card_reader",
    decks=(6, 8),
    side_wagers=("push22",),
    side_decks=(1, 2, 4, 5, 6, 8),
    side_chance=0.8,
    paytables=("A", "B"),
    even_money=True,
    layout=(*_LAYOUT, "card_reader", "push_22", "no_surrender"),
    signs=("payouts", "no_surrender"),
)
_POKER: Mapping[str, Any] = {
    "pit": "3",
    "decks": 1,
    "shuffler": "batch",
    "settle_order": "seat_by_seat",
    "bust_collection": "at_settlement",
    "boxes_per_player": 1,
    "chip_cents": 100,
    "min_cents": 1000,
    "max_cents": 50_000,
    "opening_cents": 2_000_000,
    "cameras": ("C-0301",),
    "patrons": (2, 5),
}
_FORTUNE_670A10 = Game(
    code="FP",
    bureau="BCC",
    is_blackjack=False,
    joker=True,  # six stacks of six, the dealer's and 11 more are 53 cards
    side_wagers=("fortune_bonus", "progressive"),
    readings_with_dealer_last={"A29": "dealer_last"},
    submission=_POKER,
)
GAMES: dict[Ruleset, Game] = {
    "free_bet_590": replace(
        _FREE_BET_672A,
        code="FB90",
        first_day=dt.date(2015, 6, 1),  # 590 had lapsed by the end of August 2016
        decks=(1, 2, 6, 8),
        even_money=False,
        layout=(*_LAYOUT, "card_reader", "push_22"),
        signs=("payouts",),
    ),
    "free_bet_672a": _FREE_BET_672A,
    "down_under_685a": replace(
        _FREE_BET_672A,
        code="DU",
        reader="masque_reader",
        decks=(4, 5, 6, 8),
        side_wagers=("match_dealer",),
        side_decks=(6, 8),  # 685a.6(e)
        side_chance=0.7,
        paytables=(),
        even_money=False,
        layout=(*_LAYOUT, *_MASQUE, "no_surrender"),
        spreads_anew=True,
    ),
    "fortune_670a10": _FORTUNE_670A10,
    "manual_shoe_657a8": replace(
        _FORTUNE_670A10,
        code="C4",
        joker=False,
        readings_with_dealer_last={},
        side_wagers=("progressive", "five_card_hand", "six_card_bonus"),
    ),
}
