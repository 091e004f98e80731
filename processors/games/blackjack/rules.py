"""One table's Blackjack rules: the ruleset's numbers joined with the table's rules submission and readings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from msgspec import Struct

from processors.core.state import Table
from processors.games.blackjack.profile import BLACKJACK_PROFILES, BlackjackProfile
from processors.games.readings import resolve
from schemas.events import TableConfigured
from schemas.rulesets import RULESETS, Rules


class BlackjackRules(Struct, frozen=True, kw_only=True):
    """Everything a settlement or a rack needs to know of a table; money in cents, odds as (numerator, denominator)."""

    name: str
    profile: BlackjackProfile
    dealer_limit: int
    stands_from: int
    push_total: int
    hands_at_most: int
    split_aces_one_card: bool
    free_doubles: tuple[int, ...]
    surrender: bool
    even_money: bool
    odds_main: tuple[int, int]
    odds_blackjack: tuple[int, int]
    odds_insurance: tuple[int, int]
    push22: dict[str, int]
    match_dealer: dict[str, int]
    chip_cents: int
    pickup_order: str
    dealer_first: bool
    immediate: bool
    readings: dict[str, str]


def rules_in_force(table: Table, chosen: Mapping[str, str] | None = None) -> BlackjackRules | None:
    """The Blackjack rules of the table now; None for the stack games, and before it is configured."""
    config = table.config
    if config is None or RULESETS[config.ruleset].family != "blackjack":
        return None
    return rules_of(config, table.gaming_day, chosen)


def rules_of(
    config: TableConfigured, day: dt.date | None = None, chosen: Mapping[str, str] | None = None
) -> BlackjackRules:
    """The Blackjack rules of a table configuration on a gaming day."""
    law = RULESETS[config.ruleset]
    readings = resolve(config.readings or {}, chosen or {})
    profile = BLACKJACK_PROFILES[config.ruleset]
    match_decks = config.paytables.get("match_dealer", str(config.decks)).strip()[:1]
    literal = readings["A1"] == "literal"
    return BlackjackRules(
        name=config.ruleset,
        profile=profile,
        dealer_limit=law.get("ace_limit_dealer", day) if literal else law.get("ace_limit_player", day),
        stands_from=law.get("dealer_stands_from", day),
        push_total=law.get("push_total", day),
        hands_at_most=law.get("hands_at_most", day),
        split_aces_one_card=law.get("split_aces_one_card", day),
        free_doubles=tuple(law.get("free_doubles", day)),
        surrender=law.get("surrender", day),
        even_money=config.even_money or (profile.even_money_by_reading and readings["A13"] == "offered"),
        odds_main=tuple(law.get("odds_main", day)),
        odds_blackjack=tuple(law.get("odds_blackjack", day)),
        odds_insurance=tuple(law.get("odds_insurance", day)),
        push22=_paytable(law, "push22_" + config.paytables.get("push22", "").upper()),
        match_dealer=_paytable(law, f"match_dealer_{match_decks}"),
        chip_cents=max(config.chip_cents, 1),
        pickup_order=config.pickup_order,
        dealer_first=config.dealer_cards == "first",
        immediate=config.bust_collection == "immediate",
        readings=readings,
    )


def _paytable(law: Rules, line: str) -> dict[str, int]:
    paytable: dict[str, int] = law.get(line) if line in law.values else {}
    return paytable
