"""One table's Blackjack rules: the ruleset's numbers joined with the table's rules submission and readings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from msgspec import Struct

from processors.core.folding.in_force import day_of, numbers_on
from processors.core.state import Table
from processors.games.blackjack.profile import BLACKJACK_PROFILES, BlackjackProfile
from processors.games.readings import resolve
from schemas.events import TableConfigured
from schemas.rulesets import RULESETS
from schemas.rulesets.numbers import BlackjackNumbers


class BlackjackRules(Struct, frozen=True, kw_only=True):
    """Everything a settlement or a rack needs to know of a table; money in cents, odds as (numerator, denominator)."""

    name: str
    profile: BlackjackProfile
    player_limit: int
    dealer_limit: int
    stands_from: int
    stands_to: int
    push_total: int
    hands_at_most: int
    split_aces_one_card: bool
    free_doubles: tuple[int, ...]
    free_splits: bool
    surrender: bool
    even_money: bool
    odds_main: tuple[int, int]
    odds_blackjack: tuple[int, int]
    odds_insurance: tuple[int, int]
    push22: dict[str, int]
    match_dealer: dict[str, int]
    match_decks: str
    chip_cents: int
    pickup_order: str
    dealer_first: bool
    immediate: bool
    readings: dict[str, str]


class RulesInForce:
    """The Blackjack rules of one table, worked out anew when its configuration or the day of its law is another."""

    __slots__ = ("_chosen", "_configured_at", "_day", "_rules")

    def __init__(self, chosen: Mapping[str, str] | None = None) -> None:
        """`chosen` are readings over the table's own."""
        self._chosen = chosen
        self._configured_at = -1
        self._day = dt.date.min
        self._rules: BlackjackRules | None = None

    def on(self, table: Table, day: dt.date) -> BlackjackRules | None:
        """The rules of the table's configuration on a day; None for the stack games, and before it is configured."""
        if self._configured_at != table.configured_at or self._day != day:
            self._configured_at, self._day = table.configured_at, day
            self._rules = None
            if table.config is not None and RULESETS[table.config.ruleset].family == "blackjack":
                self._rules = rules_of(table.config, day, self._chosen)
        return self._rules

    def standing(self, table: Table) -> BlackjackRules | None:
        """The rules at the table as it stands, in a round those of the day on which the round started."""
        return self.on(table, day_of(table)) if table.config is not None else None


def rules_of(
    config: TableConfigured, day: dt.date, chosen: Mapping[str, str] | None = None
) -> BlackjackRules:
    """The Blackjack rules of a table configuration on a gaming day."""
    numbers = numbers_on(config.ruleset, BlackjackNumbers, day)
    readings = resolve(config.readings or {}, chosen or {})
    profile = BLACKJACK_PROFILES[config.ruleset]
    match_decks = config.paytables.get("match_dealer", str(config.decks)).strip()[:1]
    literal = readings["A1"] == "literal"
    return BlackjackRules(
        name=config.ruleset,
        profile=profile,
        player_limit=numbers.ace_limit_player,
        dealer_limit=numbers.ace_limit_dealer if literal else numbers.ace_limit_player,
        stands_from=numbers.dealer_stands_from,
        stands_to=numbers.dealer_stands_to,
        push_total=numbers.push_total,
        hands_at_most=numbers.hands_at_most,
        split_aces_one_card=numbers.split_aces_one_card,
        free_doubles=numbers.free_doubles,
        free_splits=numbers.free_splits,
        surrender=numbers.surrender,
        even_money=config.even_money or (profile.even_money_by_reading and readings["A13"] == "offered"),
        odds_main=numbers.odds_main,
        odds_blackjack=numbers.odds_blackjack,
        odds_insurance=numbers.odds_insurance,
        push22=numbers.paytable("push22", config.paytables.get("push22", "").upper()),
        match_dealer=numbers.paytable("match_dealer", match_decks),
        match_decks=match_decks,
        chip_cents=max(config.chip_cents, 1),
        pickup_order=config.pickup_order,
        dealer_first=config.dealer_cards == "first",
        immediate=config.bust_collection == "immediate",
        readings=readings,
    )
