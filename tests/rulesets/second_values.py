"""For each number of the law a second value, and the check whose cases show the difference."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

BLACKJACK = ("free_bet_590", "free_bet_672a", "down_under_685a")
FREE_BET, DOWN_UNDER = BLACKJACK[:2], BLACKJACK[2:]
STACKS, FIVE_CARDS = ("fortune_670a10",), ("manual_shoe_657a8",)


class Second(Struct, frozen=True):
    """A second value of a number under some rulesets, and the check whose cases show the difference.

    `table` is what their tables must be configured for; `script` is played in place of the check's cases.
    """

    key: str
    value: Any
    check: str
    rulesets: tuple[str, ...]
    table: dict[str, Any] = {}
    script: tuple[str, ...] = ()


SECOND = (
    Second("seats_at_most", 5, "equipment.table_positions", BLACKJACK),
    Second("decks", [5, 7], "equipment.decks_number", ("free_bet_672a", "down_under_685a")),
    Second("ace_limit_player", 20, "settlement.stake", BLACKJACK),
    Second("ace_limit_dealer", 20, "settlement.stake", BLACKJACK),
    Second("dealer_stands_from", 18, "action.dealer_stands", BLACKJACK),
    Second("dealer_stands_to", 19, "settlement.stake", BLACKJACK),
    Second("push_total", 20, "settlement.stake", BLACKJACK),
    Second("deck_life_hours", 12, "shoe.rotation_age", BLACKJACK),
    Second("cut_from_ends", 11, "shuffle_cut.cut_depth", BLACKJACK),
    Second("cover_from_bottom_quarter", [1, 3], "shuffle_cut.cut_cover_card", BLACKJACK),
    Second("hands_at_most", 3, "action.decision", FREE_BET),
    Second("hands_at_most", 3, "action.decision", DOWN_UNDER),
    Second(
        "split_aces_one_card", True, "action.decision", FREE_BET,
        script=("wager 3 2500", "deal 3:AsAh D:9cTh", "split 3 5c", "hit 3.1 6d", "hit 3.1 2d"),
    ),
    Second("split_aces_one_card", False, "action.card", DOWN_UNDER),
    Second("free_doubles", [10, 11], "added_stakes.stake", FREE_BET),
    Second("free_doubles", [9, 10, 11], "added_stakes.stake", DOWN_UNDER),
    Second("free_splits", False, "added_stakes.stake", FREE_BET),
    Second("free_splits", True, "added_stakes.stake", DOWN_UNDER),
    Second("surrender", False, "action.decision", ("free_bet_590",)),
    Second("surrender", True, "action.decision", ("free_bet_672a", "down_under_685a")),
    Second("odds_main", [6, 5], "settlement.stake", BLACKJACK),
    Second("odds_blackjack", [6, 5], "settlement.stake", BLACKJACK),
    Second("odds_insurance", [3, 1], "settlement.stake", BLACKJACK),
    Second("push22_A", {"same_suit": 40, "same_colour": 15, "other": 9}, "settlement.stake", FREE_BET),
    Second(
        "push22_B", {"same_suit": 40, "same_colour": 15, "other": 9}, "settlement.stake", FREE_BET,
        {"paytables": {"push22": "B"}},
    ),
    Second("match_dealer_6", {"suited": 10, "unsuited": 5}, "settlement.stake", DOWN_UNDER),
    Second(
        "match_dealer_8", {"suited": 10, "unsuited": 5}, "settlement.stake", DOWN_UNDER,
        {"decks": 8, "paytables": {"match_dealer": "8"}},
    ),
    Second("match_dealer_decks", [8], "submission.match_decks", DOWN_UNDER),
    Second("reopens_idle_table", False, "shuffle_cut.idle_steps", DOWN_UNDER),
    Second("cards_in_hand", 5, "stacks.six_cards", STACKS),
    Second("stub", 12, "stacks.void_round_played_on", STACKS),
    Second("envy_from_cents", 1000, "stacks.wagers_envy", STACKS),
    Second("cards_in_hand", 6, "stacks.five_cards_order", FIVE_CARDS),
    Second("deck", 53, "stacks.void_round_played_on", FIVE_CARDS),
    Second("count_every_rounds", 4, "stub.counted_in_time", FIVE_CARDS),
)  # fmt: skip
