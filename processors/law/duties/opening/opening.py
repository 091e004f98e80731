"""Section 4: new decks are inspected, shown, washed and stacked before they are shuffled, each batch apart."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.facts_decks import Preparation
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.deck_clauses import cite
from processors.law.steps import Step, amiss
from schemas.events import CardsWashed, ShoeLoaded, ShufflerLoaded, ShuffleStarted

FirstUse = ShuffleStarted | ShufflerLoaded | ShoeLoaded


def opening_steps(batch: Preparation, *, apart: bool, ready_are_spread: bool = False) -> list[Step]:
    """The steps of the opening for a batch: where decks come ready all fall away, or all but the spread."""
    separate = ("opening.batches_apart",) if apart else ()
    spread = ("opening.cards_spread",)
    shown = Step("spread face up", batch.shown, spread)
    viewed = Step("viewing by the first player", batch.viewed, ("opening.wash_and_stack", *spread))
    if batch.ready:
        return [shown, viewed._replace(roles=spread)] if ready_are_spread else []
    return [
        Step("inspection by the dealer", batch.inspected, ("opening.cards_inspected",)),
        Step("verification by the floorperson", batch.verified, ("opening.inspection_confirmed",)),
        shown,
        viewed,
        Step("wash", batch.washed, ("opening.wash_and_stack", *separate)),
        Step("stack", batch.stacked, ("opening.wash_and_stack", *separate)),
    ]


@check(
    "opening.steps",
    decides=(
        "opening.cards_inspected", "opening.inspection_confirmed", "opening.cards_spread",
        "opening.wash_and_stack", "opening.batches_apart", "opening.preshuffled_exempt",
        "opening.preshuffled_spread",
    ),
    reads=(ShuffleStarted, ShufflerLoaded, ShoeLoaded),
    scope="day",
    in_round=False,
)  # fmt: skip
def new_decks_are_made_ready(moment: Moment, data: FirstUse) -> Iterator[Judgment]:
    """Decks that came to the table are inspected, verified, spread, viewed, washed and stacked before the shuffle."""
    table = moment.table
    batch = table.decks.batches.get(data.batch)
    config = table.config
    if batch is None or config is None or batch.steps_judged or batch.idle:
        return
    steps = opening_steps(
        batch, apart=config.shuffler == "batch", ready_are_spread=config.ruleset == "down_under_685a"
    )
    found = amiss(steps)
    if found is None:
        if steps:
            yield UPHELD
        return
    waived = (
        ()
        if any(step.sequence for step in steps if step.name != "stack")
        else (("opening.preshuffled_spread" if batch.ready else "opening.preshuffled_exempt"),)
    )
    yield Breach(
        roles=(*found.roles, *waived),
        message=f"Batch {data.batch} was used with {', '.join(found.words)}.",
        expected=[step.name for step in steps],
        observed=[step.name for step in steps if step.sequence],
        sequences=(batch.received, *found.sequences),
        discriminator=data.batch,
    )


@check(
    "opening.manner",
    decides=(
        "opening.cards_inspected", "opening.inspection_confirmed", "opening.cards_spread",
        "opening.fans_by_deck",
    ),
    reads=(ShuffleStarted, ShufflerLoaded, ShoeLoaded),
    scope="day",
    in_round=False,
)  # fmt: skip
def new_decks_are_made_ready_by_the_right_people(moment: Moment, data: FirstUse) -> Iterator[Judgment]:
    """The dealer inspects, the floorperson verifies, defective decks go, the first player sees a sorted spread."""
    table = moment.table
    batch = table.decks.batches.get(data.batch)
    config = table.config
    if batch is None or config is None or batch.steps_judged or (batch.ready and not batch.shown):
        return
    faults = list(_faults(batch, sorted_spread=not batch.ready and not batch.idle))
    if not faults:
        yield UPHELD
        return
    yield Breach(
        clauses=cite(config.ruleset, (clause for clause, _, _ in faults)),
        message=f"Batch {data.batch} was used although {' and '.join(words for _, words, _ in faults)}.",
        expected={"defects": 0, "in_sequence": True},
        observed={
            "defects": batch.inspection.defects,
            "in_sequence": batch.in_sequence,
            "inspected_by": batch.inspection.by,
            "verified_by": batch.inspection.verifier,
            "viewed_at_seat": batch.viewer,
        },
        sequences=tuple(sequence for _, _, sequence in faults),
        discriminator=data.batch,
    )


def _faults(batch: Preparation, *, sorted_spread: bool) -> Iterator[tuple[str, str, int]]:
    seen = batch.inspection
    if batch.inspected and seen.defects:
        yield "{ch}.4(a)#1", f"its inspection found {seen.defects} defects", batch.inspected
    if batch.inspected and seen.dealer and seen.by != seen.dealer:
        yield "{ch}.4(a)#1", f"{seen.by} inspected it, not the dealer {seen.dealer}", batch.inspected
    if batch.verified and seen.floorperson and seen.verifier != seen.floorperson:
        yield (
            "{ch}.4(a)#2",
            f"{seen.verifier} verified it, not the assigned floorperson {seen.floorperson}",
            batch.verified,
        )
    if sorted_spread and batch.shown and not batch.in_sequence:
        yield "{ch}.4(b)#2", "it was not spread by suit and in sequence", batch.shown
    if batch.viewed and not batch.viewer_is_first:
        yield "{ch}.4(b)#1", f"seat {batch.viewer} viewed it, not the first player to arrive", batch.viewed


@check(
    "opening.apart",
    decides=("opening.batches_apart",),
    reads=(CardsWashed,),
    scope="day",
    in_round=False,
)
def batches_are_opened_apart(moment: Moment, data: CardsWashed) -> Iterator[Judgment]:
    """With a batch shuffler no other batch lies spread on the table while one is washed."""
    table = moment.table
    config = table.config
    if config is None or config.shuffler != "batch" or data.batch not in table.decks.batches:
        return
    for name, batch in table.decks.batches.items():
        later = max(batch.washed, batch.stacked, batch.started, batch.dealt)
        if name != data.batch and batch.shown > later and not batch.idle:
            yield Breach(
                clauses=cite(config.ruleset, ("{ch}.4(d)",)),
                message=f"Batch {data.batch} was washed while batch {name} lay spread on the same table.",
                expected={"spread": [data.batch]},
                observed={"spread": [data.batch, name]},
                sequences=(batch.shown,),
                discriminator=name,
            )
            return
    yield UPHELD
