"""The decks and batches in play: how many, and how they look, judged when a round begins with others."""

from __future__ import annotations

from processors.core.facts_equipment import BatchDelivery
from processors.core.state import Table
from processors.games.blackjack.profile import BLACKJACK_PROFILES
from processors.law.check import UPHELD, Breach, Judged, Moment
from processors.law.duties.submission import configuration
from schemas.amounts import amount
from schemas.events import RoundStarted, TableConfigured
from schemas.rulesets.numbers import BlackjackNumbers


def _deliveries_in_use(table: Table, config: TableConfigured) -> list[BatchDelivery]:
    """The batches in use: as many of the last that reached the table as its rules submission has."""
    count = 2 if config.shuffler == "batch" else max(config.batches, 1)
    return sorted(table.equipment.deliveries.values(), key=lambda one: one.sequence)[-count:]


def _allowed(config: TableConfigured, numbers: BlackjackNumbers, decks: int) -> bool:
    """Whether a shoe, or a batch for a shuffler, may have that many decks."""
    any_batch = BLACKJACK_PROFILES[config.ruleset].any_batches and config.shuffler == "batch"
    if any_batch or not numbers.decks:
        return decks >= 1
    return decks in numbers.decks


def _missing_batch(config: TableConfigured, lots: list[BatchDelivery]) -> str:
    needed = 2 if config.shuffler == "batch" else 1
    if needed == 2 and config.batches != 2:
        return f"a batch shuffler needs 2 batches, but the table is configured for {config.batches}"
    return (
        f"{len(lots)} of {amount(needed, 'batch of cards')} reached the table" if len(lots) < needed else ""
    )


def _wrong_number(config: TableConfigured, numbers: BlackjackNumbers, lots: list[BatchDelivery]) -> str:
    named = (config.decks, *(lot.decks for lot in lots))
    wrong = next((decks for decks in named if not _allowed(config, numbers, decks)), None)
    if wrong is not None:
        return f"{wrong} is no number of decks that the chapter allows"
    if config.shuffler == "batch" and lots[0].decks != lots[1].decks:
        one, two = lots
        return f"batch {one.name} has {amount(one.decks, 'deck')}, batch {two.name} has {two.decks}"
    other = next((lot for lot in lots if lot.decks != config.decks), None)
    if other is None or configuration.contradicts(config, numbers):
        return ""
    return f"batch {other.name} has {amount(other.decks, 'deck')}, the table is configured for {config.decks}"


def _short_deck(config: TableConfigured, lots: list[BatchDelivery]) -> str:
    short = next((lot for lot in lots if lot.cards != 52 * lot.decks), None)
    if short is None or not BLACKJACK_PROFILES[config.ruleset].deck_cards_counted:
        return ""
    return f"batch {short.name} of {amount(short.decks, 'deck')} has {amount(short.cards, 'card')}"


@configuration.round_start_check(
    "equipment.decks_number", decides=(
        "equipment.decks_number", "equipment.decks_of_batches", "equipment.batches_equal", "equipment.decks_of_52",
    ),
)  # fmt: skip
def the_decks_are_as_many_as_allowed(moment: Moment, data: RoundStarted) -> Judged:
    """The game is played with the allowed number of decks, with a batch shuffler in two equal batches."""
    table, config = moment.table, moment.table.config
    new = configuration.newly_configured(moment) is not None
    if config is None or (table.equipment.decks_judged and not new):
        return None
    numbers = moment.numbers(BlackjackNumbers)
    if new and configuration.lacks_decks_for_match(config, numbers):
        return None  # one wrong number of decks: `submission.match_decks` tells it
    lots = _deliveries_in_use(table, config)
    batch = config.shuffler == "batch"
    if why := _missing_batch(config, lots):
        role = "equipment.decks_of_batches" if batch else "equipment.decks_number"
    elif why := _wrong_number(config, numbers, lots):
        role = "equipment.batches_equal" if batch else "equipment.decks_number"
    elif why := _short_deck(config, lots):
        role = "equipment.decks_of_52"
    else:
        return UPHELD
    return Breach(
        roles=(role,),
        message=f"The round begins with wrong decks: {why}.",
        expected={"decks": config.decks, "batches": config.batches},
        observed={"batches": {lot.name: {"decks": lot.decks, "cards": lot.cards} for lot in lots}},
        sequences=(table.configured_at, *(lot.sequence for lot in lots)),
    )


@configuration.round_start_check(
    "equipment.decks_look", decides=("equipment.decks_alike", "equipment.batches_back_colours")
)
def cards_look_as_they_must(moment: Moment, data: RoundStarted) -> Judged:
    """The cards of a shoe look the same; two batches share one design and differ in the colour of the backs."""
    table, config = moment.table, moment.table.config
    if config is None or (table.equipment.decks_judged and configuration.newly_configured(moment) is None):
        return None
    lots = _deliveries_in_use(table, config)
    designs = {lot.design.strip().lower() for lot in lots}
    colours = {lot.colour.strip().lower() for lot in lots}
    batch = config.shuffler == "batch"
    if any(lot.mixed for lot in lots) or (not batch and (len(designs) > 1 or len(colours) > 1)):
        role, why = "equipment.decks_alike", "cards that look different are in use together"
    elif batch and len(lots) == 2 and len(designs) > 1:
        role, why = "equipment.batches_back_colours", "the two batches are of different designs"
    elif batch and len(lots) == 2 and len(colours) == 1:
        role, why = "equipment.batches_back_colours", "the backs of the two batches have the same colour"
    else:
        return UPHELD
    return Breach(
        roles=(role,),
        message=f"The round begins with wrong cards: {why}.",
        expected={"design": "one", "back_colours": 2 if batch else 1},
        observed={"batches": {lot.name: [lot.design, lot.colour] for lot in lots}},
        sequences=tuple(lot.sequence for lot in lots),
    )
