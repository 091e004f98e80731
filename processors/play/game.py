"""The numbers of one Blackjack game that decide what a choice is worth."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from processors.games.blackjack.rules import BlackjackRules


class Game(Struct, frozen=True, kw_only=True, cache_hash=True):
    """One game as a player meets it; odds are winnings for each unit staked.

    player_limit, dealer_limit: above it an ace counts 1. push_total: the dealer's total that returns wagers.
    pays_against_push: against it, 21 and two original Large cards are paid; pays_large_split: also two Large cards of
    a split hand. shows_range: the players know the range of the hole card. even_money: a Blackjack against an ace may
    be paid 1 to 1 before the hole card is read.
    """

    player_limit: int
    dealer_limit: int
    stands_from: int
    push_total: int
    hands_at_most: int
    split_aces_one_card: bool
    free_doubles: tuple[int, ...]
    free_splits: bool
    surrender: bool
    pays_against_push: bool
    pays_large_split: bool
    shows_range: bool
    even_money: bool
    odds_main: float
    odds_blackjack: float


class GameInForce:
    """The game of one table, made anew when its rules are others; both are made anew with the configuration or day."""

    __slots__ = ("_game", "_rules")

    def __init__(self) -> None:
        self._rules: BlackjackRules | None = None
        self._game: Game | None = None

    def of(self, rules: BlackjackRules | None) -> Game | None:
        """The game that these rules make; None for the stack games, and where no configuration was seen."""
        if rules is not self._rules:
            self._rules, self._game = rules, None if rules is None else game_of(rules)
        return self._game


def game_of(rules: BlackjackRules) -> Game:
    """The game that a table's rules make: numbers of the ruleset in force, readings as configured."""
    profile = rules.profile
    return Game(
        player_limit=rules.player_limit,
        dealer_limit=rules.dealer_limit,
        stands_from=rules.stands_from,
        push_total=rules.push_total,
        hands_at_most=rules.hands_at_most,
        split_aces_one_card=rules.split_aces_one_card,
        free_doubles=rules.free_doubles,
        free_splits=rules.free_splits,
        surrender=rules.surrender,
        pays_against_push=profile.pays_against_push,
        pays_large_split=rules.readings["A2"] == "any_hand",
        shows_range=profile.masque,
        even_money=rules.even_money,
        odds_main=float(Fraction(*rules.odds_main)),
        odds_blackjack=float(Fraction(*rules.odds_blackjack)),
    )
