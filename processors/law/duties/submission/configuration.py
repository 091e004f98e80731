"""What the rules submission must say: positions, boxes, side wagers, paytables (2(a), 6(e)-(f), 11(c)).

Each is judged once, when the first round begins under a rules submission.
"""

from __future__ import annotations

from collections.abc import Iterator

from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.clauses import BLACKJACK, FREE_BET, SECTIONS
from schemas.events import RoundStarted, TableConfigured
from schemas.rulesets import RULESETS

_SIDE = {"free_bet_590": "push22", "free_bet_672a": "push22", "down_under_685a": "match_dealer"}


def chapter_ids(*clauses: str, rulesets: tuple[str, ...] = BLACKJACK) -> dict[str, tuple[str, ...]]:
    """The same clauses of each chapter, for registering a check."""
    return {
        ruleset: tuple(f"{SECTIONS[ruleset]['ch']}.{clause}" for clause in clauses) for ruleset in rulesets
    }


def newly_configured(moment: Moment) -> TableConfigured | None:
    """The rules submission in force, when no round has begun under it yet."""
    table = moment.table
    return table.config if table.config and table.equipment.judged != table.configured_at else None


def _chapter(config: TableConfigured) -> str:
    return SECTIONS[config.ruleset]["ch"]


@check(
    "equipment.table_positions",
    decides=("equipment.table_positions",),
    formerly="table.positions",
    reads=(RoundStarted,),
    scope="day",
    in_round=False,
)
def a_table_has_six_positions_at_most(moment: Moment, data: RoundStarted) -> Iterator[Judgment]:
    """The table has betting positions for no more than six players."""
    config = newly_configured(moment)
    if config is None:
        return
    most = RULESETS[config.ruleset].get("seats_at_most", moment.table.gaming_day)
    if config.seats <= most:
        yield UPHELD
        return
    yield Breach(
        clauses=(f"{_chapter(config)}.2(a)",),
        message=f"The table is configured for {config.seats} players; {most} at most are allowed.",
        expected={"seats_at_most": most},
        observed={"seats": config.seats},
        sequences=(moment.table.configured_at,),
    )


@check(
    "wagers.boxes_limited",
    decides=("submission.boxes_of_player",),
    formerly="boxes.limited",
    reads=(RoundStarted,),
    scope="day",
    in_round=False,
)
def the_rules_submission_limits_the_boxes(moment: Moment, data: RoundStarted) -> Iterator[Judgment]:
    """The rules submission says on how many adjacent boxes a player may wager."""
    config = newly_configured(moment)
    if config is None:
        return
    if config.boxes_per_player >= 1:
        yield UPHELD
        return
    yield Breach(
        clauses=(f"{_chapter(config)}.6(f)",),
        message="The rules submission does not say on how many adjacent boxes a player may wager.",
        expected={"boxes_per_player": "at least 1"},
        observed={"boxes_per_player": config.boxes_per_player},
        sequences=(moment.table.configured_at,),
    )


_IN_FORCE = chapter_ids("6(f)", "7(r)")


@check(
    "submission.rules_in_force",
    decides=(
        "submission.boxes_of_player",
        "submission.collection_procedure",
    ),
    formerly="rules.in_force",
    reads=(RoundStarted,),
    scope="day",
    in_round=False,
)
def the_chapter_is_in_force(moment: Moment, data: RoundStarted) -> Iterator[Judgment]:
    """A gaming day is played under a chapter in force on it; a submission under another designates nothing."""
    table = moment.table
    config, day = table.config, table.gaming_day
    if config is None or day is None or (table.equipment.day_judged and newly_configured(moment) is None):
        return
    law = RULESETS[config.ruleset]
    if law.since <= day and (law.until is None or day <= law.until):
        yield UPHELD
        return
    yield Breach(
        clauses=_IN_FORCE[config.ruleset],
        message=f"The rules submission is under chapter {law.chapter}, which is in force from {law.since}"
        + (f" to {law.until}" if law.until else "")
        + f", not on {day}.",
        expected={"since": law.since.isoformat(), "until": law.until.isoformat() if law.until else None},
        observed={"gaming_day": day.isoformat()},
        sequences=(table.configured_at,),
        severity="critical",
    )


@check(
    "submission.side_wagers_authorised",
    decides=(
        "wagers.side_with_main",
        "wagers.match_with_main",
    ),
    formerly="side_wagers.authorised",
    reads=(RoundStarted,),
    scope="day",
    in_round=False,
)
def only_the_chapters_side_wager_is_offered(moment: Moment, data: RoundStarted) -> Iterator[Judgment]:
    """The rules submission offers no side wager but the chapter's own (Push 22; Match-the-Dealer)."""
    config = newly_configured(moment)
    if config is None:
        return
    foreign = [kind for kind in config.side_wagers if kind != _SIDE[config.ruleset]]
    if not foreign:
        yield UPHELD
        return
    yield Breach(
        clauses=(f"{_chapter(config)}.6(e)#1",),
        message=f"The table offers {', '.join(foreign).replace('_', ' ')}, which the chapter does not know.",
        expected={"side_wagers": [_SIDE[config.ruleset]]},
        observed={"side_wagers": list(config.side_wagers)},
        sequences=(moment.table.configured_at,),
    )


@check(
    "submission.match_decks",
    decides=("submission.match_decks",),
    formerly="match.decks",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    reads=(RoundStarted,),
    scope="day",
    in_round=False,
)
def match_the_dealer_needs_six_or_eight_decks(moment: Moment, data: RoundStarted) -> Iterator[Judgment]:
    """Match-the-Dealer is offered with six or eight decks only."""
    config = newly_configured(moment)
    if config is None or "match_dealer" not in config.side_wagers:
        return
    if config.decks not in RULESETS[config.ruleset].get("decks"):
        return  # no lawful number at all: `decks.number` tells it
    if config.decks in (6, 8):
        yield UPHELD
        return
    yield Breach(
        clauses=("685a.6(e)#2",),
        message=f"Match-the-Dealer is offered at a table of {config.decks} decks; only with 6 or 8 it may be.",
        expected={"decks": [6, 8]},
        observed={"decks": config.decks},
        sequences=(moment.table.configured_at,),
    )


def contradicts(config: TableConfigured) -> bool:
    """A Match-the-Dealer line that is not that of the decks in use."""
    line = config.paytables.get("match_dealer", "").strip()[:1]
    return bool(line) and config.decks in (6, 8) and line != str(config.decks)


@check(
    "submission.paytable_selected",
    decides=(
        "settlement.match_six_decks_suited", "settlement.match_six_decks",
        "settlement.match_eight_decks_suited", "settlement.match_eight_decks", "submission.paytable",
    ),
    formerly="paytable.selected",
    reads=(RoundStarted,),
    scope="day",
    in_round=False,
)  # fmt: skip
def one_paytable_is_selected(moment: Moment, data: RoundStarted) -> Iterator[Judgment]:
    """Push 22 is offered with paytable A or B; Match-the-Dealer pays by the line of the decks in use."""
    config = newly_configured(moment)
    if config is None or _SIDE[config.ruleset] not in config.side_wagers:
        return
    if config.ruleset in FREE_BET:
        line = config.paytables.get("push22", "").strip().upper()
        clauses: tuple[str, ...] = (f"{SECTIONS[config.ruleset]['odds']}(c)#1",)
        right, wanted, what = line in ("A", "B"), "A or B", "Push 22"
    else:
        line = config.paytables.get("match_dealer", "")
        two = ("#1", "#2") if config.decks == 6 else ("#3", "#4")
        clauses = tuple(f"685a.11(c){one}" for one in two)
        right, wanted, what = not contradicts(config), str(config.decks), "Match-the-Dealer"
    if right:
        yield UPHELD
        return
    yield Breach(
        clauses=clauses,
        message=f"{what} is offered with "
        + (f"the paytable {line}" if line else "no paytable")
        + f"; it must be {wanted}.",
        expected={"paytable": wanted},
        observed={"paytables": dict(config.paytables)},
        sequences=(moment.table.configured_at,),
    )


@check(
    "submission.even_money_selected",
    decides=("settlement.blackjack_odds",),
    formerly="even_money.selected",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "reader",
    ),
    turns_on=("cards",),
    where="pays_no_even_money",
    reads=(RoundStarted,),
    scope="day",
    in_round=False,
)
def chapter_590_selects_no_even_money(moment: Moment, data: RoundStarted) -> Iterator[Judgment]:
    """Chapter 590 pays Blackjack 3 to 2 and knows no even money that a rules submission could select."""
    config = newly_configured(moment)
    if config is None:
        return
    if not config.even_money:
        yield UPHELD
        return
    yield Breach(
        clauses=("590.12(a)#2",),
        message="The rules submission selects even money, which chapter 590 does not know.",
        expected={"even_money": False},
        observed={"even_money": True},
        sequences=(moment.table.configured_at,),
    )
