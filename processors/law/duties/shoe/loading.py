"""What is done with a batch before the shoe is loaded with it, and that cards are dealt from a loaded shoe alone."""

from __future__ import annotations

from processors.core.facts_decks import Preparation
from processors.core.folding.decks import batch_due
from processors.core.state import Table
from processors.law.check import UPHELD, Breach, Indeterminate, Judged, Moment, check
from processors.law.duties.shuffle_cut.offer import is_cut_by_hand
from processors.law.steps import LawStep, amiss
from schemas.events import CardDrawn, ShoeLoaded


@check(
    "shoe.load", decides=(
        "opening.shuffled_after", "shuffle_cut.shuffle_due", "shuffle_cut.one_stack", "shuffle_cut.stack_offered",
        "shuffle_cut.dealer_cuts", "shuffle_cut.cut_carried_out", "shuffle_cut.cover_card_placed",
        "shuffle_cut.recut_before_load", "shuffle_cut.idle_washed", "shuffle_cut.idle_opened_again",
        "shoe.cover_card_in_use", "shoe.stack_into_shoe", "shoe.reshuffle_after_cover_card", "shoe.loaded_after_cut",
        "shoe.shuffled_after_rest", "shoe.runs_out",
    ),
    reads=(ShoeLoaded,), scope="shoe", in_round=False,
)  # fmt: skip
def a_shoe_is_loaded_only_with_a_shuffled_and_cut_stack(moment: Moment, data: ShoeLoaded) -> Judged:
    """Before the load the batch was shuffled, stacked, cut (again where ordered) and given its cover card, in order."""
    table = moment.table
    batch, config = table.decks.batches.get(data.batch), table.config
    if batch is None or config is None or batch_due(table, data.batch) != data.batch:
        return None
    steps = _shuffle_steps(table, batch)
    if is_cut_by_hand(table):
        steps += _cut_steps(table)
    found = amiss(steps)
    if found is None:
        return UPHELD
    message = f"Batch {data.batch} was loaded for shoe {data.shoe} with {', '.join(found.words)}."
    if config.shuffler == "batch" and table.blind.day:
        return Indeterminate(roles=found.roles, message=message, missing=tuple(table.blind.day))
    return Breach(
        roles=found.roles,
        message=message,
        expected=[step.name for step in steps],
        observed=[step.name for step in steps if step.sequence],
        sequences=found.sequences,
    )


def _shuffle_steps(table: Table, batch: Preparation) -> list[LawStep]:
    facts = table.decks
    if batch.ready and not batch.dealt and not batch.shuffled:
        return []
    since = batch.dealt if table.round is None else facts.reload or facts.ran_out
    shuffled = batch.shuffled if batch.shuffled > since else 0
    stacked = batch.stacked if batch.stacked > max(since, batch.started) else 0
    again = _again(table, batch)
    why = again or _why_shuffled(table, batch)
    return [
        LawStep("complete shuffle", shuffled, ("shuffle_cut.shuffle_due", "shoe.loaded_after_cut", *why)),
        LawStep("single stack", stacked, ("shuffle_cut.one_stack", "shoe.loaded_after_cut", *again)),
    ]


def _again(table: Table, batch: Preparation) -> tuple[str, ...]:
    """The further roles that ask for shuffle and cut in mid-round, and after an idle table."""
    if table.round is not None:
        return ("shoe.runs_out",)
    return ("shuffle_cut.idle_washed", "shuffle_cut.idle_opened_again") if batch.idle else ()


def _why_shuffled(table: Table, batch: Preparation) -> tuple[str, ...]:
    if not batch.dealt:
        return ("opening.shuffled_after",)
    return ("shoe.shuffled_after_rest", "shoe.reshuffle_after_cover_card") if table.decks.ends.covers else ()


def _cut_steps(table: Table) -> list[LawStep]:
    facts, cut = table.decks, table.decks.cut
    batch = facts.batches.get(facts.in_use)
    again = _again(table, batch) if batch is not None else ()
    steps = []
    if cut.offers and 0 < cut.offers[0].offered < (cut.made or table.chain.next_sequence):
        offer = ("shuffle_cut.stack_offered", "shoe.loaded_after_cut")
        steps.append(LawStep("offer of the cut", cut.offers[0].offered, offer))
    if cut.recut_ordered:
        recut = ("shuffle_cut.recut_before_load", "shoe.loaded_after_cut")
        steps.append(LawStep("recut, which the floor had ordered", 0, recut))
    else:
        wanted = ("shuffle_cut.dealer_cuts", "shuffle_cut.cut_carried_out", "shoe.loaded_after_cut", *again)
        steps.append(LawStep("cut", cut.made, wanted))
    cover = (
        "shuffle_cut.cover_card_placed", "shoe.stack_into_shoe", "shoe.cover_card_in_use", "shoe.loaded_after_cut",
    )  # fmt: skip
    steps.append(LawStep("cover card put in", cut.cover_inserted, cover))
    return steps


@check(
    "shoe.dealt_from", decides=("shoe.dealt_from_shoe", "shoe.loaded_after_cut"),
    reads=(CardDrawn,), scope="shoe", after=("undrawn", "unloaded"),
)  # fmt: skip
def cards_are_dealt_from_a_loaded_shoe(moment: Moment, data: CardDrawn) -> Judged:
    """No card is dealt while the shoe holds no loaded stack."""
    shoe = moment.table.shoe
    if not shoe.emptied:
        return UPHELD if moment.play[0].first_card is None else None
    if moment.table.decks.undealt_told:
        return None
    return Breach(
        message="A card was dealt although no stack had been loaded into the shoe.",
        expected={"shoe_loaded": True},
        observed={"shoe_loaded": False},
        sequences=(shoe.loaded_at,) if shoe.loaded_at else (),
    )
