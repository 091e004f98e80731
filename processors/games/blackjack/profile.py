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
    dealer_always_draws: bool
    """The dealer draws up to his standing total in every round, whether or not his count still decides a wager."""
    draws_for_push22: bool
    """The text has the dealer draw for an open Push 22 wager alone; where it is silent, reading A8 decides."""
    dealer_catches_up: bool
    """A dealer who skipped his own first card takes it after the players' second cards."""
    pays_no_even_money: bool
    """Even money does not exist: a Blackjack waits for its turn."""


_PROFILES = (
    BlackjackProfile(
        ruleset="free_bet_590",
        free_bets=True,
        masque=False,
        reader="card_reader",
        side_wager="push22",
        surrender=True,
        dealer_always_draws=False,
        draws_for_push22=False,
        dealer_catches_up=True,
        pays_no_even_money=True,
    ),
    BlackjackProfile(
        ruleset="free_bet_672a",
        free_bets=True,
        masque=False,
        reader="card_reader",
        side_wager="push22",
        surrender=False,
        dealer_always_draws=False,
        draws_for_push22=True,
        dealer_catches_up=True,
        pays_no_even_money=False,
    ),
    BlackjackProfile(
        ruleset="down_under_685a",
        free_bets=False,
        masque=True,
        reader="masque_reader",
        side_wager="match_dealer",
        surrender=False,
        dealer_always_draws=True,
        draws_for_push22=False,
        dealer_catches_up=False,
        pays_no_even_money=False,
    ),
)
BLACKJACK_PROFILES: dict[str, BlackjackProfile] = {profile.ruleset: profile for profile in _PROFILES}
