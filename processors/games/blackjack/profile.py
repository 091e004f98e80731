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
    even_money_by_reading: bool
    """Even money is paid by reading A13; the text names no odds for it."""
    split_bust_at_once: bool
    """The first of split hands that busts with no lammer at its box is collected and racked at once."""
    ready_decks_spread: bool
    """Decks that come preinspected and preshuffled are spread for the first player all the same."""


_PROFILES = (
    BlackjackProfile(
        ruleset="free_bet_590",
        free_bets=True,
        masque=False,
        reader="card_reader",
        side_wager="push22",
        surrender=True,
        pays_no_even_money=True,
        even_money_by_reading=False,
        split_bust_at_once=False,
        ready_decks_spread=False,
    ),
    BlackjackProfile(
        ruleset="free_bet_672a",
        free_bets=True,
        masque=False,
        reader="card_reader",
        side_wager="push22",
        surrender=False,
        pays_no_even_money=False,
        even_money_by_reading=False,
        split_bust_at_once=True,
        ready_decks_spread=False,
    ),
    BlackjackProfile(
        ruleset="down_under_685a",
        free_bets=False,
        masque=True,
        reader="masque_reader",
        side_wager="match_dealer",
        surrender=False,
        pays_no_even_money=False,
        even_money_by_reading=True,
        split_bust_at_once=False,
        ready_decks_spread=True,
    ),
)
BLACKJACK_PROFILES: dict[str, BlackjackProfile] = {profile.ruleset: profile for profile in _PROFILES}
