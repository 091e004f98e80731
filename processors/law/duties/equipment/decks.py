"""The decks and batches in play: how many, and how they look (3(a)-(b)), judged when a round begins with others."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.facts_equipment import Delivery
from processors.core.state import Table
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.clauses import FREE_BET, SECTIONS
from processors.law.duties.submission.configuration import contradicts, newly_configured
from schemas.events import RoundStarted, TableConfigured
from schemas.rulesets import RULESETS


def deliveries_in_use(table: Table) -> list[Delivery]:
    """The batches in use: as many of the last that reached the table as its rules submission has."""
    config = table.config
    count = (
        2 if config is not None and config.shuffler == "batch" else max(config.batches if config else 1, 1)
    )
    by_time = sorted(table.equipment.deliveries.values(), key=lambda one: one.sequence)
    return by_time[-count:]


def allowed(config: TableConfigured, decks: int) -> bool:
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
    wrong = next((n for n in (config.decks, *(lot.decks for lot in lots)) if not allowed(config, n)), None)
    if wrong is not None:
        return number, f"{wrong} decks are no number the chapter allows"
    if batch and lots[0].decks != lots[1].decks:
        return (
            number,
            f"batch {lots[0].name} has {lots[0].decks} decks, batch {lots[1].name} has {lots[1].decks}",
        )
    other = next((lot for lot in lots if lot.decks != config.decks), None)
    if other is not None and not contradicts(config):
        return (
            number,
            f"batch {other.name} has {other.decks} decks, the table is configured for {config.decks}",
        )
    short = next((lot for lot in lots if lot.cards != 52 * lot.decks), None)
    if short is not None and config.ruleset == "down_under_685a":
        return "3(a)#4", f"batch {short.name} of {short.decks} decks has {short.cards} cards"
    return None


@check(
    "equipment.decks_number",
    decides=(
        "equipment.decks_number", "equipment.decks_of_batches", "equipment.batches_equal",
        "equipment.decks_of_52",
    ),
    formerly="decks.number",
    reads=(RoundStarted,),
    scope="day",
    in_round=False,
)  # fmt: skip
def the_decks_are_as_many_as_allowed(moment: Moment, data: RoundStarted) -> Iterator[Judgment]:
    """The game is played with the allowed number of decks, with a batch shuffler in two equal batches."""
    table = moment.table
    config = table.config
    if config is None or (table.equipment.decks_judged and newly_configured(moment) is None):
        return
    if (
        "match_dealer" in config.side_wagers
        and config.decks not in (6, 8)
        and allowed(config, config.decks)
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
        clauses=(f"{SECTIONS[config.ruleset]['ch']}.{clause}",),
        message=f"The round begins with wrong decks: {why}.",
        expected={"decks": config.decks, "batches": config.batches},
        observed={"batches": {lot.name: {"decks": lot.decks, "cards": lot.cards} for lot in lots}},
        sequences=(table.configured_at, *(lot.sequence for lot in lots)),
    )


@check(
    "equipment.decks_look",
    decides=(
        "equipment.decks_alike",
        "equipment.batches_back_colours",
    ),
    formerly="decks.look",
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
        clauses=(f"{SECTIONS[config.ruleset]['ch']}.{clause}",),
        message=f"The round begins with wrong cards: {why}.",
        expected={"design": "one", "back_colours": 2 if batch else 1},
        observed={"batches": {lot.name: [lot.design, lot.colour] for lot in lots}},
        sequences=tuple(lot.sequence for lot in lots),
    )
