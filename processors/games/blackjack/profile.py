"""What differs between the Blackjack rulesets in kind; what differs in number is data of `schemas/rulesets`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct


class BlackjackProfile(Struct, frozen=True, kw_only=True):
    """How one ruleset plays Blackjack, for the rules, the duties and the rack; a fact that it leaves out is false."""

    ruleset: str
    free_bets: bool = False
    """Doubles and splits can be free: lammers stand for the player's money."""
    masque: bool = False
    """The reader shows the range of the hole card by a light in every round; else it tells Blackjack alone."""
    reader: Literal["card_reader", "masque_reader"]
    side_wager: Literal["push22", "match_dealer"]
    surrender: bool = False
    dealer_always_draws: bool = False
    """The dealer draws up to his standing total in every round, whether or not his count still decides a wager."""
    draws_for_push22: bool = False
    """The text has the dealer draw for an open Push 22 wager alone; where it is silent, reading A8 decides."""
    dealer_catches_up: bool = False
    """A dealer who skipped his own first card takes it after the players' second cards."""
    pays_no_even_money: bool = False
    """Even money does not exist: a Blackjack waits for its turn."""
    even_money_has_rule: bool = False
    """A clause says how and when even money is paid; where none does, the permission to offer it is all there is."""
    any_batches: bool = False
    """The batches of a shuffler may hold any number of decks."""
    deck_cards_counted: bool = False
    """A clause says how many cards a deck has."""
    layout: tuple[str, ...]
    """What its layout and table must carry, as the codes of `table_configured` have it, in their order."""
    even_money_by_reading: bool = False
    """Even money is paid by reading A13; the text names no odds for it."""
    ready_decks_spread: bool = False
    """Decks that come preinspected and preshuffled are spread for the first player all the same."""

    tucks_split_busts: bool = False
    """The cards of a busted split hand may wait under its wager until the box has played."""
    split_bust_at_once: bool = False
    """A busted first hand of a split without a lammer is collected and racked at once, however busts are collected."""
    pays_against_push: bool = False
    """Against a dealer on the push total, hands of 21 and two original Large cards are paid."""
    blackjack_spares_added_stakes: bool = False
    """A dealer Blackjack takes the initial wager alone; stakes added for doubles and splits come back."""


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
        reader="card_reader",
        side_wager="push22",
        surrender=True,
        dealer_catches_up=True,
        pays_no_even_money=True,
        tucks_split_busts=True,
        any_batches=True,
        layout=_FREE_BET_LAYOUT,
    ),
    BlackjackProfile(
        ruleset="free_bet_672a",
        free_bets=True,
        reader="card_reader",
        side_wager="push22",
        draws_for_push22=True,
        dealer_catches_up=True,
        tucks_split_busts=True,
        split_bust_at_once=True,
        even_money_has_rule=True,
        any_batches=True,
        layout=(*_FREE_BET_LAYOUT, "no_surrender"),
    ),
    BlackjackProfile(
        ruleset="down_under_685a",
        masque=True,
        reader="masque_reader",
        side_wager="match_dealer",
        dealer_always_draws=True,
        pays_against_push=True,
        blackjack_spares_added_stakes=True,
        deck_cards_counted=True,
        layout=_MASQUE_LAYOUT,
        even_money_by_reading=True,
        ready_decks_spread=True,
    ),
)
BLACKJACK_PROFILES: dict[str, BlackjackProfile] = {profile.ruleset: profile for profile in _PROFILES}
if TYPE_CHECKING:
    BlackjackRuleset = str
else:
    BlackjackRuleset = Literal[tuple(BLACKJACK_PROFILES)]
