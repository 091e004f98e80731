"""The numbers of a ruleset as they stand on one day: what differs by chapter or by date, and nothing else."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

Positive = Annotated[int, Meta(gt=0)]
Odds = tuple[Positive, Positive]
"""Winnings to stake."""
Lines = dict[str, Positive]
"""A paytable: winnings for each unit staked, by line."""


class Numbers(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The numbers of one ruleset on one day; each family of games has its own."""


class BlackjackNumbers(Numbers, frozen=True, kw_only=True):
    """The numbers of a Blackjack game.

    `decks` are the numbers of decks that a shoe may hold; where there are none, it may hold any number.
    `cover_from_bottom_quarter` is the share of the stack that lies below the cover card at least, as a fraction;
    `cut_from_ends` are the cards that lie on either side of a cut at least.
    """

    seats_at_most: Positive
    ace_limit_player: Positive
    ace_limit_dealer: Positive
    dealer_stands_from: Positive
    dealer_stands_to: Positive
    push_total: Positive
    deck_life_hours: Positive
    cut_from_ends: Positive
    cover_from_bottom_quarter: Odds
    hands_at_most: Positive
    split_aces_one_card: bool
    free_doubles: tuple[Positive, ...]
    free_splits: bool
    surrender: bool
    odds_main: Odds
    odds_blackjack: Odds
    odds_insurance: Odds
    push22_A: Lines = {}
    push22_B: Lines = {}
    match_dealer_6: Lines = {}
    match_dealer_8: Lines = {}
    decks: tuple[Positive, ...] = ()
    match_dealer_decks: tuple[Positive, ...] = ()
    reopens_idle_table: bool = False

    def paytable(self, wager: str, line: str) -> Lines:
        """The paytable of a side wager by its line (`A`, `6`); empty where the ruleset has no such line."""
        name = f"{wager}_{line}"
        found: Lines = getattr(self, name) if name in _PAYTABLES else {}
        return found

    def least_below_cover(self, stack: int) -> int:
        """How many cards of a stack lie below its cover card at least."""
        part, whole = self.cover_from_bottom_quarter
        return -(-stack * part // whole)


_PAYTABLES: Final = frozenset({"push22_A", "push22_B", "match_dealer_6", "match_dealer_8"})


class StackGameNumbers(Numbers, frozen=True, kw_only=True):
    """The numbers that both games out of a dealing shoe have."""

    cards_in_hand: Positive


class StacksNumbers(StackGameNumbers, frozen=True, kw_only=True):
    """The numbers of a game whose shoe gives up whole stacks; `stub` cards are left of the deck."""

    stub: Positive
    envy_from_cents: Positive


class FiveCardsNumbers(StackGameNumbers, frozen=True, kw_only=True):
    """The numbers of a game dealt card by card; the stub is counted once in `count_every_rounds` rounds."""

    deck: Positive
    count_every_rounds: Positive


FAMILIES: Final[dict[str, type[Numbers]]] = {
    "blackjack": BlackjackNumbers,
    "stacks": StacksNumbers,
    "five_cards": FiveCardsNumbers,
}
