"""Two batches take turns, one of them waits in the shuffler, and no deck is used for longer than a day."""

from __future__ import annotations

from processors.core.folding.decks import batch_due, holds_another, reopens_idle_table
from processors.core.state import Table
from processors.law.check import UPHELD, Breach, Indeterminate, Judged, Moment, check
from schemas.amounts import amount
from schemas.events import CardBurned, CardDrawn, ShoeLoaded
from schemas.rulesets.numbers import BlackjackNumbers


def takes_turns(table: Table) -> bool:
    """Whether two batches take turns: with a batch shuffler that works, and both batches at the table."""
    config, facts = table.config, table.decks
    works = config is not None and config.shuffler == "batch" and not facts.shuffler_down
    return works and len(facts.batches) > 1


@check(
    "shoe.rotation_waiting", decides=("shoe.batch_waits_in_shuffler",),
    reads=(CardDrawn,), scope="day", after=("undrawn",),
)  # fmt: skip
def the_other_batch_is_in_the_shuffler(moment: Moment, data: CardDrawn) -> Judged:
    """While one batch is dealt, the other is in the shuffler (it may still be shuffling, A47)."""
    table, round_ = moment.table, moment.round
    if round_ is None or round_.first_card is not None or not takes_turns(table):
        return None
    facts = table.decks
    if holds_another(table):
        return UPHELD
    if facts.unstored_told:
        return None
    idle = facts.ends.idle or any(batch.idle for batch in facts.batches.values())
    return Breach(
        roles=("shoe.batch_waits_in_shuffler", *(("shuffle_cut.idle_into_shuffler",) if idle else ())),
        message=f"Batch {facts.in_use} was dealt while no other batch was in the shuffler.",
        expected={"in_shuffler": [name for name in facts.batches if name != facts.in_use]},
        observed={"in_shuffler": list(facts.stored)},
        sequences=(table.shoe.loaded_at,),
    )


@check(
    "shoe.rotation_turns", decides=("shoe.batch_waits_in_shuffler", "shoe.batches_alternate"),
    reads=(ShoeLoaded,), scope="day", in_round=False,
)  # fmt: skip
def batches_take_turns(moment: Moment, data: ShoeLoaded) -> Judged:
    """With a batch shuffler no batch is loaded twice running, nor one that has not left the shuffler."""
    table = moment.table
    if not takes_turns(table) or table.round is not None:
        return None
    due = batch_due(table, data.batch)
    if due == data.batch:
        return UPHELD
    twice = table.decks.in_use == data.batch
    if twice and table.decks.ends.idle and not reopens_idle_table(table):
        return None  # shuffle_cut.idle_swap says it
    role = "shoe.batches_alternate" if twice else "shoe.batch_waits_in_shuffler"
    why = "had served the shoe before this one" if twice else "was still in the shuffler"
    message = f"Batch {data.batch} was loaded for shoe {data.shoe} though it {why}."
    if table.lacks_a_load(data.shoe):
        return Indeterminate(roles=(role,), message=message, missing=(f"the load of shoe {data.shoe - 1}",))
    return Breach(
        roles=(role,),
        message=message,
        expected={"batch": due},
        observed={"batch": data.batch},
        sequences=(table.shoe.loaded_at,),
    )


@check(
    "shoe.rotation_rack", decides=("shoe.rack_of_one_batch",),
    reads=(CardBurned,), scope="shoe", in_round=False,
)  # fmt: skip
def the_rack_holds_one_batch_only(moment: Moment, data: CardBurned) -> Judged:
    """No card goes to the rack while cards of another batch lie there."""
    table = moment.table
    config, rack_of, in_use = table.config, table.decks.rack_of, table.decks.in_use
    if config is None or config.shuffler != "batch" or not in_use:
        return None
    if rack_of in ("", in_use):
        return UPHELD
    return Breach(
        message=f"A card of batch {in_use} went into the rack, where cards of batch {rack_of} still lay.",
        expected={"in_rack": [in_use]},
        observed={"in_rack": [rack_of, in_use]},
        sequences=(table.shoe.loaded_at,),
    )


@check(
    "shoe.rotation_age", decides=("shoe.decks_replaced_daily",),
    reads=(CardDrawn,), scope="round", after=("undrawn", "overdue"),
)  # fmt: skip
def no_deck_is_used_over_a_day(moment: Moment, data: CardDrawn) -> Judged:
    """No card is dealt from decks that were opened more than 24 hours ago; the second such card is the breach."""
    table, round_ = moment.table, moment.round
    batch = table.decks.batches.get(table.decks.in_use)
    if batch is None or table.time is None:
        return None
    if not batch.late_draws:
        return UPHELD if round_ is not None and round_.first_card is None else None
    if batch.late_draws > 1:
        return None
    hours = moment.numbers(BlackjackNumbers).deck_life_hours
    return Breach(
        message=f"Cards of batch {table.decks.in_use} were dealt more than {amount(hours, 'hour')} "
        "after its decks were opened.",
        expected={"hours_at_most": float(hours)},
        observed={"opened_at": batch.opened_at.isoformat()},
        sequences=(batch.received,),
    )
