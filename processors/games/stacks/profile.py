"""What differs between the rulesets of the stack games in kind; numbers are data of `schemas/rulesets`."""

from __future__ import annotations

from msgspec import Struct


class StacksProfile(Struct, frozen=True, kw_only=True):
    """How one ruleset deals, for the duties and the deal; a fact that it leaves out is false."""

    ruleset: str
    deals_stacks: bool = False
    """An automated shoe gives out whole stacks of cards."""
    deals_single_cards: bool = False
    """The dealer deals one card at a time out of a manual shoe."""
    counts_every_round: bool = False
    """The stub is counted in every round, before it is racked; else once in so many rounds."""
    misdealt_deck_stays: bool = False
    """After a misdeal the deck stays at the table however many cards it has; else only if none is missing."""
    systems: tuple[str, ...]
    """The wagering systems that are locked before the deal."""


_PROFILES = (
    StacksProfile(
        ruleset="fortune_670a10",
        deals_stacks=True,
        counts_every_round=True,
        misdealt_deck_stays=True,
        systems=("progressive",),
    ),
    StacksProfile(
        ruleset="manual_shoe_657a8",
        deals_single_cards=True,
        systems=("progressive", "five_card_hand"),
    ),
)
STACKS_PROFILES: dict[str, StacksProfile] = {profile.ruleset: profile for profile in _PROFILES}
