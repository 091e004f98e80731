"""What the rules submission must say: a chapter in force, its side wager, decks, paytable and even money.

Each is judged once, when the first round begins under a rules submission; the chapter on each gaming day.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from processors.games.blackjack.profile import BLACKJACK_PROFILES
from processors.law.check import UPHELD, Breach, Function, Judged, Moment, Said, check
from processors.law.wording import kind_of_wager
from schemas.amounts import amount
from schemas.events import RoundStarted, TableConfigured
from schemas.rulesets import RULESETS
from schemas.rulesets.numbers import BlackjackNumbers

_SIX_DECKS = ("settlement.match_six_decks_suited", "settlement.match_six_decks")
_EIGHT_DECKS = ("settlement.match_eight_decks_suited", "settlement.match_eight_decks")
round_start_check = partial(check, reads=(RoundStarted,), scope="day", in_round=False)
"""Registers a duty that is judged when a round begins."""


def newly_configured(moment: Moment) -> TableConfigured | None:
    """The rules submission in force, when no round has begun under it yet."""
    table = moment.table
    return table.config if table.config and table.equipment.judged != table.configured_at else None


def submission_check(id: str, **how: Any) -> Callable[[Callable[[Moment, TableConfigured], Said]], Function]:
    """Registers a duty that is judged once, when the first round begins under a rules submission."""

    def register(function: Callable[[Moment, TableConfigured], Said]) -> Function:
        @wraps(function)
        def judge(moment: Moment, data: RoundStarted) -> Said:
            config = newly_configured(moment)
            return function(moment, config) if config is not None else None

        return round_start_check(id, **how)(judge)

    return register


@round_start_check(
    "submission.rules_in_force", decides=("submission.boxes_of_player", "submission.collection_procedure")
)
def the_chapter_is_in_force(moment: Moment, data: RoundStarted) -> Judged:
    """A gaming day is played under a chapter in force on it; a submission under another designates nothing."""
    table = moment.table
    config, day = table.config, table.gaming_day
    if config is None or day is None or (table.equipment.day_judged and newly_configured(moment) is None):
        return None
    law = RULESETS[config.ruleset]
    if law.is_in_force(day):
        return UPHELD
    until = f" to {law.until}" if law.until else ""
    return Breach(
        message=f"The rules submission is under chapter {law.chapter}, which is in force from {law.since}{until}, "
        f"not on {day}.",
        expected={"since": law.since.isoformat(), "until": law.until.isoformat() if law.until else None},
        observed={"gaming_day": day.isoformat()},
        sequences=(table.configured_at,),
        severity="critical",
    )


@submission_check(
    "submission.side_wagers_authorised", decides=("wagers.side_with_main", "wagers.match_with_main")
)
def only_the_chapters_side_wager_is_offered(moment: Moment, config: TableConfigured) -> Judged:
    """The rules submission offers no side wager but the chapter's own (Push 22; Match-the-Dealer)."""
    own = BLACKJACK_PROFILES[config.ruleset].side_wager
    foreign = [kind for kind in config.side_wagers if kind != own]
    if not foreign:
        return UPHELD
    return Breach(
        message=f"The table offers {', '.join(map(kind_of_wager, foreign))}, which the chapter does not know.",
        expected={"side_wagers": [own]},
        observed={"side_wagers": list(config.side_wagers)},
        sequences=(moment.table.configured_at,),
    )


def lacks_decks_for_match(config: TableConfigured, numbers: BlackjackNumbers) -> bool:
    """Whether Match-the-Dealer is offered with a number of decks that is lawful, but not for this wager."""
    right = numbers.match_dealer_decks
    offered = bool(right) and "match_dealer" in config.side_wagers
    return offered and config.decks in numbers.decks and config.decks not in right


def contradicts(config: TableConfigured, numbers: BlackjackNumbers) -> bool:
    """Whether the paytable of Match-the-Dealer is that of another number of decks."""
    line = config.paytables.get("match_dealer", "").strip()[:1]
    return bool(line) and config.decks in numbers.match_dealer_decks and line != str(config.decks)


@submission_check("submission.match_decks", decides=("submission.match_decks",))
def match_the_dealer_needs_six_or_eight_decks(moment: Moment, config: TableConfigured) -> Judged:
    """Match-the-Dealer is offered with six or eight decks only; a number that no wager allows breaches other duties."""
    numbers = moment.numbers(BlackjackNumbers)
    right = numbers.match_dealer_decks
    if "match_dealer" in config.side_wagers and config.decks in right:
        return UPHELD
    if not lacks_decks_for_match(config, numbers):
        return None
    return Breach(
        message=f"Match-the-Dealer is offered at a table of {amount(config.decks, 'deck')}; "
        f"it may be offered with {' or '.join(map(str, right))} decks only.",
        expected={"decks": list(right)},
        observed={"decks": config.decks},
        sequences=(moment.table.configured_at,),
    )


@submission_check(
    "submission.paytable_selected", decides=(
        "settlement.match_six_decks_suited", "settlement.match_six_decks", "settlement.match_eight_decks_suited",
        "settlement.match_eight_decks", "submission.paytable",
    ),
)  # fmt: skip
def one_paytable_is_selected(moment: Moment, config: TableConfigured) -> Judged:
    """Push 22 is offered with paytable A or B; Match-the-Dealer pays by the line of the decks in use."""
    own = BLACKJACK_PROFILES[config.ruleset].side_wager
    if own not in config.side_wagers:
        return None
    line, numbers = config.paytables.get(own, ""), moment.numbers(BlackjackNumbers)
    if own == "push22":
        line = line.strip().upper()
        right, wanted, wager = bool(numbers.paytable(own, line)), "A or B", "Push 22"
    else:
        right, wanted, wager = not contradicts(config, numbers), str(config.decks), "Match-the-Dealer"
    if right:
        return UPHELD
    return Breach(
        roles=("submission.paytable", *(_SIX_DECKS if config.decks == 6 else _EIGHT_DECKS)),
        message=f"{wager} is offered with {f'the paytable {line}' if line else 'no paytable'}; it must be {wanted}.",
        expected={"paytable": wanted},
        observed={"paytables": dict(config.paytables)},
        sequences=(moment.table.configured_at,),
    )


@submission_check(
    "submission.even_money_selected", decides=("settlement.blackjack_odds",), where="pays_no_even_money"
)
def no_unknown_even_money_is_selected(moment: Moment, config: TableConfigured) -> Judged:
    """Where the chapter pays Blackjack 3 to 2 and knows no even money, a rules submission cannot select it."""
    if not config.even_money:
        return UPHELD
    return Breach(
        message=f"The rules submission selects even money, which chapter {RULESETS[config.ruleset].chapter} "
        "does not know.",
        expected={"even_money": False},
        observed={"even_money": True},
        sequences=(moment.table.configured_at,),
    )
