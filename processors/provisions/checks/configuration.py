"""What the rules submission and the table must be: layout, positions, decks, paytables (2(a)-(e), 3(a)-(b), 6, 11(c)).

Each is judged once, when the first round begins under a rules submission or with other decks than before.
"""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.facts_equipment import Delivery
from processors.core.state import Table
from processors.provisions.check import UPHELD, Breach, Indeterminate, Judgment, Moment, check
from processors.provisions.clauses import BLACKJACK, FREE_BET, SECTIONS
from schemas.events import RoundStarted, TableConfigured
from schemas.rulesets import RULESETS

_WORDS = {
    "name": "the name or logo of the certificate holder",
    "wager_area": "a wagering area for each position",
    "side_area": "an area for the side wager at each position",
    "payouts": "the payout odds of the wagers offered",
    "blackjack_3_2": "that Blackjack pays 3 to 2",
    "insurance_2_1": "that insurance pays 2 to 1",
    "draw_16_stand_17": "that the dealer draws to 16 and stands on all 17s",
    "push_22": "that main wagers push against a dealer 22",
    "no_surrender": "that surrender is not available",
    "range_areas": "the three areas for the dealer's hand",
    "range_small": "the area Small, 2-3-4-5",
    "range_medium": "the area Medium, 6-7-8-9",
    "range_large": "the area Large, 10-J-Q-K-A",
    "drop_and_tip_boxes": "a drop box and a tip box",
    "card_reader": "a card reader",
    "masque_reader": "a Masque reader",
    "discard_rack": "a discard rack",
}
_FREE_BET = {
    "name": "2(b)(1)",
    "wager_area": "2(b)(2)",
    "blackjack_3_2": "2(b)(3)(i)",
    "insurance_2_1": "2(b)(3)(ii)",
    "draw_16_stand_17": "2(b)(3)(iii)",
    "push_22": "2(b)(3)(iv)",
    "side_area": "2(b)(4)",
    "payouts": "2(b)(5)",
    "drop_and_tip_boxes": "2(c)#1",
    "card_reader": "2(d)#1",
    "discard_rack": "2(e)",
}
_DOWN_UNDER = {
    "name": "2(b)(1)",
    "wager_area": "2(b)(2)",
    "range_areas": "2(b)(3)",
    "range_small": "2(b)(3)(i)",
    "range_medium": "2(b)(3)(ii)",
    "range_large": "2(b)(3)(iii)",
    "blackjack_3_2": "2(b)(4)(i)",
    "insurance_2_1": "2(b)(4)(ii)",
    "draw_16_stand_17": "2(b)(4)(iii)",
    "no_surrender": "2(b)(4)(iv)",
    "side_area": "2(b)(5)",
    "payouts": "2(b)(6)",
    "drop_and_tip_boxes": "2(c)#1",
    "masque_reader": "2(d)#1",
    "discard_rack": "2(e)",
}
_CLAUSES = {
    "free_bet_590": {code: f"590.{clause}" for code, clause in _FREE_BET.items()},
    "free_bet_672a": {
        **{code: f"672a.{clause}" for code, clause in _FREE_BET.items()},
        "no_surrender": "672a.2(b)(3)(v)",
    },
    "down_under_685a": {code: f"685a.{clause}" for code, clause in _DOWN_UNDER.items()},
}
_ON_A_SIGN = ("payouts", "no_surrender")
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
    "layout.complete",
    provisions={ruleset: tuple(clauses.values()) for ruleset, clauses in _CLAUSES.items()},
    reads=(RoundStarted,),
    scope="day",
    in_round=False,
)
def the_layout_carries_what_it_must(moment: Moment, data: RoundStarted) -> Iterator[Judgment]:
    """Layout and table carry every area, inscription and device of section 2; two texts may stand on approved signs."""
    config = newly_configured(moment)
    if config is None:
        return
    needed = _CLAUSES[config.ruleset]
    if not config.layout and not isinstance(config.layout, tuple):
        yield Indeterminate(
            clauses=tuple(needed.values()),
            message="What the layout carries is not recorded.",
            missing=("the recorded layout",),
            sequences=(moment.table.configured_at,),
        )
        return
    signs = moment.table.equipment.on_file("signage", moment.table.gaming_day)
    lacking = [
        code
        for code in needed
        if code not in config.layout
        and not (code in _ON_A_SIGN and signs)
        and not (code == "side_area" and not config.side_wagers)
    ]
    if not lacking:
        yield UPHELD
    for code in lacking:
        sign = ", and no approved sign is on file" if code in _ON_A_SIGN else ""
        yield Breach(
            clauses=(needed[code],),
            message=f"Layout and table lack {_WORDS[code]}{sign}.",
            expected={"layout": code},
            observed={"layout": list(config.layout)},
            sequences=(moment.table.configured_at,),
            discriminator=code,
        )


@check("table.positions", provisions=chapter_ids("2(a)"), reads=(RoundStarted,), scope="day", in_round=False)
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


@check("boxes.limited", provisions=chapter_ids("6(f)"), reads=(RoundStarted,), scope="day", in_round=False)
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


@check("rules.in_force", provisions=_IN_FORCE, reads=(RoundStarted,), scope="day", in_round=False)
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
    "side_wagers.authorised",
    provisions=chapter_ids("6(e)#1"),
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
    "match.decks",
    provisions={"down_under_685a": ("685a.6(e)#2",)},
    reads=(RoundStarted,),
    scope="day",
    in_round=False,
)
def match_the_dealer_needs_six_or_eight_decks(moment: Moment, data: RoundStarted) -> Iterator[Judgment]:
    """Match-the-Dealer is offered with six or eight decks only."""
    config = newly_configured(moment)
    if config is None or "match_dealer" not in config.side_wagers:
        return
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


def _contradicts(config: TableConfigured) -> bool:
    """A Match-the-Dealer line that is not that of the decks in use."""
    line = config.paytables.get("match_dealer", "").strip()[:1]
    return bool(line) and config.decks in (6, 8) and line != str(config.decks)


@check(
    "paytable.selected",
    provisions={
        "free_bet_590": ("590.12(c)#1",),
        "free_bet_672a": ("672a.11(c)#1",),
        "down_under_685a": ("685a.11(c)#1", "685a.11(c)#2", "685a.11(c)#3", "685a.11(c)#4"),
    },
    reads=(RoundStarted,),
    scope="day",
    in_round=False,
)
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
        right, wanted, what = not _contradicts(config), str(config.decks), "Match-the-Dealer"
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
    "even_money.selected",
    provisions={"free_bet_590": ("590.12(a)#2",)},
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


def deliveries_in_use(table: Table) -> list[Delivery]:
    """The batches in use: as many of the last that reached the table as its rules submission has."""
    config = table.config
    count = (
        2 if config is not None and config.shuffler == "batch" else max(config.batches if config else 1, 1)
    )
    by_time = sorted(table.equipment.deliveries.values(), key=lambda one: one.sequence)
    return by_time[-count:]


def _allowed(config: TableConfigured, decks: int) -> bool:
    """Whether a shoe may have that many decks (3(a)); a Free Bet batch for a shuffler may have any (3(b)(1))."""
    if config.ruleset == "free_bet_590" or (config.shuffler == "batch" and config.ruleset in FREE_BET):
        return decks >= 1
    return decks in RULESETS[config.ruleset].get("decks")


def _wrong_decks(config: TableConfigured, lots: list[Delivery]) -> tuple[str, str] | None:
    """Clause and words of what is wrong with the number of decks, the first thing of all."""
    batch = config.shuffler == "batch"
    number = "3(b)(1)" if batch else "3(a)#1"
    if batch and config.batches != 2:
        return "3(b)", f"the batch shuffler works with {config.batches} batches instead of two"
    if len(lots) < (2 if batch else 1):
        return (
            "3(b)" if batch else "3(a)#1"
        ), f"{len(lots)} of {2 if batch else 1} batches of cards reached the table"
    wrong = next((n for n in (config.decks, *(lot.decks for lot in lots)) if not _allowed(config, n)), None)
    if wrong is not None:
        return number, f"{wrong} decks are no number the chapter allows"
    if batch and lots[0].decks != lots[1].decks:
        return (
            number,
            f"batch {lots[0].name} has {lots[0].decks} decks, batch {lots[1].name} has {lots[1].decks}",
        )
    other = next((lot for lot in lots if lot.decks != config.decks), None)
    if other is not None and not _contradicts(config):
        return (
            number,
            f"batch {other.name} has {other.decks} decks, the table is configured for {config.decks}",
        )
    short = next((lot for lot in lots if lot.cards != 52 * lot.decks), None)
    if short is not None and config.ruleset == "down_under_685a":
        return "3(a)#4", f"batch {short.name} of {short.decks} decks has {short.cards} cards"
    return None


@check(
    "decks.number",
    provisions={
        **chapter_ids("3(a)#1", "3(b)", "3(b)(1)"),
        "down_under_685a": ("685a.3(a)#1", "685a.3(a)#4", "685a.3(b)", "685a.3(b)(1)"),
    },
    reads=(RoundStarted,),
    scope="day",
    in_round=False,
)
def the_decks_are_as_many_as_allowed(moment: Moment, data: RoundStarted) -> Iterator[Judgment]:
    """The game is played with the allowed number of decks, with a batch shuffler in two equal batches."""
    table = moment.table
    config = table.config
    if config is None or (table.equipment.decks_judged and newly_configured(moment) is None):
        return
    if (
        "match_dealer" in config.side_wagers
        and config.decks not in (6, 8)
        and _allowed(config, config.decks)
        and newly_configured(moment) is not None
    ):
        return  # one wrong number of decks: `match.decks` tells it
    lots = deliveries_in_use(table)
    wrong = _wrong_decks(config, lots)
    if wrong is None:
        yield UPHELD
        return
    clause, why = wrong
    yield Breach(
        clauses=(f"{_chapter(config)}.{clause}",),
        message=f"The round begins with wrong decks: {why}.",
        expected={"decks": config.decks, "batches": config.batches},
        observed={"batches": {lot.name: {"decks": lot.decks, "cards": lot.cards} for lot in lots}},
        sequences=(table.configured_at, *(lot.sequence for lot in lots)),
    )


@check(
    "decks.look",
    provisions=chapter_ids("3(a)#2", "3(b)(2)"),
    reads=(RoundStarted,),
    scope="day",
    in_round=False,
)
def cards_look_as_they_must(moment: Moment, data: RoundStarted) -> Iterator[Judgment]:
    """The cards of a shoe look the same; two batches share one design and differ in the colour of the backs."""
    table = moment.table
    config = table.config
    if config is None or (table.equipment.decks_judged and newly_configured(moment) is None):
        return
    lots = deliveries_in_use(table)
    designs = {lot.design.strip().lower() for lot in lots}
    colours = {lot.colour.strip().lower() for lot in lots}
    batch = config.shuffler == "batch"
    if any(lot.mixed for lot in lots) or (not batch and (len(designs) > 1 or len(colours) > 1)):
        clause, why = "3(a)#2", "cards that look different are in use together"
    elif batch and len(lots) == 2 and len(designs) > 1:
        clause, why = "3(b)(2)", "the two batches are of different designs"
    elif batch and len(lots) == 2 and len(colours) == 1:
        clause, why = "3(b)(2)", "the backs of the two batches have the same colour"
    else:
        yield UPHELD
        return
    yield Breach(
        clauses=(f"{_chapter(config)}.{clause}",),
        message=f"The round begins with wrong cards: {why}.",
        expected={"design": "one", "back_colours": 2 if batch else 1},
        observed={"batches": {lot.name: [lot.design, lot.colour] for lot in lots}},
        sequences=tuple(lot.sequence for lot in lots),
    )
