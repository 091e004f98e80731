"""Lawful play at a standard table raises nothing from any check, in any chapter and however the table is set up."""

from typing import Any

import pytest

from tests.law.harness import advance
from tests.law.script import play

BOTH = ("free_bet_590", "free_bet_672a", "down_under_685a")
FREE_BET = BOTH[:2]

SCRIPTS: dict[str, tuple[tuple[str, ...], list[str], dict[str, Any]]] = {
    "a plain round": (
        BOTH,
        ["wager 1", "wager 3", "wager 6", "deal 1:Ts9d 3:5h6h 6:9c4d D:7cKh", "stand 1", "double 3 4c",
         "hit 6 Jc", "bust 6", "finish"],
        {},
    ),
    "splits and doubles": (
        BOTH,
        ["wager 1", "wager 3", "deal 1:8s8d 3:TsTd D:6c5h", "split 1 3c", "double 1.1 9c", "deal 1.2 Kd",
         "stand 1.2", "stand 3", "dealer 9h", "finish"],
        {},
    ),
    "a player Blackjack and a dealer Blackjack": (
        BOTH,
        ["wager 1", "wager 3", "deal 1:AsKd 3:Ts9d D:8cTh", "blackjack 1", "stand 3", "finish",
         "wager 1", "wager 3", "deal 1:AsKd 3:Ts9d D:TcAh", "finish"],
        {},
    ),
    "insurance won and lost": (
        BOTH,
        ["wager 1", "wager 3", "deal 1:Ts9d 3:Ts8d D:AcKh", "insure 1", "insure 3 1000", "peek", "finish",
         "wager 1", "deal 1:Ts9d D:Ac7h", "insure 1", "peek", "collect 1 insurance", "stand 1", "finish"],
        {},
    ),
    "a dealer of 22": (
        BOTH,
        ["wager 1", "wager 3", "deal 1:Ts9d 3:5h6h D:Tc2h", "stand 1", "double 3 9c", "dealer Kd", "finish"],
        {},
    ),
    "two shoes": (
        BOTH,
        ["opening with cover_card_inserted.cards_below=307", "wager 1", "deal 1:Ts9d D:7cKh", "stand 1", "finish",
         "wager 1", "cover_card_reached at=1.1",
         "deal 1:Ts8d D:7cKh", "stand 1", "finish", "reshuffle", "wager 1", "deal 1:Ts7d D:7cKh", "stand 1", "finish"],
        {},
    ),
    "two batches in turn": (
        BOTH,
        ["opening with cover_card_inserted.cards_below=307", "wager 1", "deal 1:Ts9d D:7cKh", "stand 1", "finish",
         "wager 1", "cover_card_reached at=D",
         "deal 1:Ts8d D:7cKh", "stand 1", "finish", "reshuffle", "wager 1", "deal 1:Ts7d D:7cKh", "stand 1", "finish"],
        {"batches": 2, "shuffler": "batch"},
    ),
    "a continuous shuffler": (
        ("down_under_685a",),
        ["wager 1", "deal 1:Ts9d D:7cKh", "stand 1", "finish", "reshuffle", "wager 1", "deal 1:Ts7d D:7cKh",
         "stand 1", "finish"],
        {"shuffler": "continuous", "decks": 4, "side_wagers": [], "paytables": {}},
    ),
    "seat by seat, picked up from the first seat, the dealer's cards first": (
        BOTH,
        ["wager 1", "wager 3", "wager 6", "deal 1:Ts9d 3:5h6h 6:9c4d D:7cKh", "stand 1", "double 3 4c",
         "hit 6 Jc", "finish"],
        {"settle_order": "seat_by_seat", "pickup_order": "seats_ascending", "dealer_cards": "first",
         "bust_collection": "at_settlement"},
    ),
    "losers picked up first": (
        BOTH,
        ["wager 1", "wager 3", "wager 6", "deal 1:Ts6d 3:5h6h 6:9c9d D:7cKh", "stand 1", "double 3 4c",
         "stand 6", "finish"],
        {"pickup_order": "losers_first"},
    ),
    "Push 22 won, with a bust and a Blackjack kept under wagers": (
        FREE_BET,
        ["wager 1", "wager 1 push22", "wager 3", "wager 3 push22", "deal 1:AsKd 3:8s8d D:Tc2h", "blackjack 1",
         "split 3 9c", "hit 3.1 Jc", "bust 3.1", "deal 3.2 Td", "stand 3.2", "dealer Kd", "finish"],
        {},
    ),
    "surrender before and after the reader": (
        ("free_bet_590",),
        ["wager 1", "wager 3", "deal 1:Ts6d 3:Th9h D:9c9h", "surrender 1", "collect 1 1250", "return 1 1250",
         "rack 1 surrender", "stand 3", "finish", "wager 1", "wager 3", "deal 1:Ts6d 3:Th9h D:TcAh",
         "surrender 1", "peek", "reveal", "finish"],
        {},
    ),
    "even money": (
        ("free_bet_672a",),
        ["wager 1", "wager 3", "deal 1:AsKd 3:Ts9d D:AcKh", "insurance_offered", "even_money 1", "pay 1 2500",
         "rack 1 blackjack", "peek", "finish"],
        {"even_money": True},
    ),
    "Match-the-Dealer, and Large shown under Large": (
        ("down_under_685a",),
        ["wager 1", "wager 1 match_dealer", "wager 3", "wager 3 match_dealer", "deal 1:Kc9d 3:Th4d D:KdTs",
         "collect 3 match_dealer", "pay 1 match_dealer 2000", "peek", "stand 1", "hit 3 5c", "stand 3", "finish"],
        {},
    ),
    "an idle table": (
        BOTH,
        ["wager 1", "deal 1:Ts9d D:7cKh", "stand 1", "finish", "player_left seat=1 player=P-1", "wait 2h", "idle 3",
         "wager 3", "deal 3:Ts7d D:7cKh", "stand 3", "finish"],
        {},
    ),
    "an idle table with two batches": (
        BOTH,
        ["wager 1", "deal 1:Ts9d D:7cKh", "stand 1", "finish", "player_left seat=1 player=P-1", "wait 2h", "idle 3",
         "wager 3", "deal 3:Ts7d D:7cKh", "stand 3", "finish"],
        {"batches": 2, "shuffler": "batch"},
    ),
    "new decks after a day": (
        BOTH,
        ["rounds 2", "wait 23h", "change_decks", "wait 2h", "rounds 2"],
        {},
    ),
    "a new dealer": (BOTH, ["rounds 1", "relieve", "rounds 1"], {}),
    "a card face up in the shoe, and one drawn in error": (
        BOTH,
        ["wager 1", "wager 3", "deal 1:Ts5d 3:Th6h D:7cKh", "decide 1 hit", "boxed 4h", "deal 1 3c", "stand 1",
         "misdrawn 5c", "decide 3 hit", "lay 3 5c", "finish"],
        {},
    ),
    "a shoe that runs out in a round": (
        ("free_bet_590",),
        ["opening with cover_card_inserted.cards_below=13", "rounds 9", "wager 1", "wager 2", "wager 3", "wager 4",
         "wager 5", "wager 6", "close", "deal 1 6h", "deal 2 9h", "cover_card_reached at=3.1", "deal 3 9s", "deal 4 Qs",
         "deal 5 Kd", "deal 6 Ac", "deal D Ks", "deal 1 9d", "deal 2 Qd", "deal 3 Qh", "deal 4 Kc", "deal 5 Kh",
         "deal 6 Ad", "hole 6s", "peek", "hit 1 Ah", "decide 1 hit", "reload 3", "deal 1 4c", "stand 1 2 3 4 5 6",
         "dealer 5h", "finish"],
        {"decks": 1},
    ),
    "stacks of six": (
        ("fortune_670a10",),
        ["wager 1", "wager 2", "wager 2 progressive", "wager 5", "wager 5 fortune_bonus", "deal", "stub", "finish",
         "reshuffle", "wager 1", "deal short=1", "stub 12", "void", "finish"],
        {},
    ),
    "hands of five": (
        ("manual_shoe_657a8",),
        ["wager 1", "wager 2", "wager 2 progressive", "wager 5", "wager 5 six_card_bonus", "deal", "stub", "finish",
         "reshuffle", "wager 1", "deal", "stub 42", "finish"],
        {},
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "ruleset"), [(name, ruleset) for name, script in SCRIPTS.items() for ruleset in script[0]]
)
def test_lawful_play_raises_nothing(name: str, ruleset: str) -> None:
    _, steps, table = SCRIPTS[name]
    found = advance(play(steps, ruleset, table).lines)
    assert "\n".join(f"{f.sequence} {f.check} {f.verdict}: {f.message}" for f in found) == ""
