"""What differs between the Blackjack rulesets in kind; what differs in number is data of `schemas/rulesets`."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class BlackjackProfile(Struct, frozen=True, kw_only=True):
    """How one ruleset plays Blackjack: every question that the rules, the duties and the rack ask of it."""

    ruleset: str
    free_bets: bool
    """Doubles and splits can be free: lammers stand for the player's money."""
    masque: bool
    """The reader shows the range of the hole card by a light in every round; else it tells Blackjack alone."""
    reader: Literal["card_reader", "masque_reader"]
    side_wager: Literal["push22", "match_dealer"]
    surrender: bool
    pays_no_even_money: bool
    """Even money does not exist: a Blackjack waits for its turn."""
    even_money_has_rule: bool
    """A clause says how and when even money is paid; where none does, the permission to offer it is all there is."""
    any_decks: bool
    """A shoe may hold any number of decks."""
    any_batches: bool
    """The batches of a shuffler may hold any number of decks."""
    deck_cards_counted: bool
    """A clause says how many cards a deck has."""
    layout: tuple[str, ...]
    """What its layout and table must carry, as the codes of `table_configured` have it, in their order."""


_FREE_BET_LAYOUT = (
    "name", "wager_area", "blackjack_3_2", "insurance_2_1", "draw_16_stand_17", "push_22", "side_area", "payouts",
    "drop_and_tip_boxes", "card_reader", "discard_rack",
)  # fmt: skip
_MASQUE_LAYOUT = (
    "name", "wager_area", "range_areas", "range_small", "range_medium", "range_large", "blackjack_3_2",
    "insurance_2_1", "draw_16_stand_17", "no_surrender", "side_area", "payouts", "drop_and_tip_boxes",
    "masque_reader", "discard_rack",
)  # fmt: skip
_PROFILES = (
    BlackjackProfile(
        ruleset="free_bet_590",
        free_bets=True,
        masque=False,
        reader="card_reader",
        side_wager="push22",
        surrender=True,
        pays_no_even_money=True,
        even_money_has_rule=False,
        any_decks=True,
        any_batches=True,
        deck_cards_counted=False,
        layout=_FREE_BET_LAYOUT,
    ),
    BlackjackProfile(
        ruleset="free_bet_672a",
        free_bets=True,
        masque=False,
        reader="card_reader",
        side_wager="push22",
        surrender=False,
        pays_no_even_money=False,
        even_money_has_rule=True,
        any_decks=False,
        any_batches=True,
        deck_cards_counted=False,
        layout=(*_FREE_BET_LAYOUT, "no_surrender"),
    ),
    BlackjackProfile(
        ruleset="down_under_685a",
        free_bets=False,
        masque=True,
        reader="masque_reader",
        side_wager="match_dealer",
        surrender=False,
        pays_no_even_money=False,
        even_money_has_rule=False,
        any_decks=False,
        any_batches=False,
        deck_cards_counted=True,
        layout=_MASQUE_LAYOUT,
    ),
)
BLACKJACK_PROFILES: dict[str, BlackjackProfile] = {profile.ruleset: profile for profile in _PROFILES}
