"""Section 4: new decks are inspected, shown, washed and stacked before they are shuffled, each batch apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from processors.core.facts_decks import Preparation
from processors.games.blackjack.profile import BLACKJACK_PROFILES
from processors.law.check import UPHELD, Breach, Judged, Moment, check
from processors.law.steps import LawStep, amiss
from schemas.amounts import amount
from schemas.events import CardsWashed, ShoeLoaded, ShufflerLoaded, ShuffleStarted

FirstUse = ShuffleStarted | ShufflerLoaded | ShoeLoaded


def opening_steps(batch: Preparation, *, apart: bool, ready_are_spread: bool = False) -> list[LawStep]:
    """The steps of the opening for a batch: where decks come ready all fall away, or all but the spread."""
    separate = ("opening.batches_apart",) if apart else ()
    spread = ("opening.cards_spread",)
    shown = LawStep("spread face up", batch.shown, spread)
    viewed = LawStep("viewing by the first player", batch.viewed, ("opening.wash_and_stack", *spread))
    if batch.ready:
        return [shown, viewed._replace(roles=spread)] if ready_are_spread else []
    return [
        LawStep("inspection by the dealer", batch.inspected, ("opening.cards_inspected",)),
        LawStep("verification by the floorperson", batch.verified, ("opening.inspection_confirmed",)),
        shown,
        viewed,
        LawStep("wash", batch.washed, ("opening.wash_and_stack", *separate)),
        LawStep("stack", batch.stacked, ("opening.wash_and_stack", *separate)),
    ]


@check(
    "opening.steps", decides=(
        "opening.cards_inspected", "opening.inspection_confirmed", "opening.cards_spread", "opening.wash_and_stack",
        "opening.batches_apart", "opening.preshuffled_exempt", "opening.preshuffled_spread",
    ),
    reads=(ShuffleStarted, ShufflerLoaded, ShoeLoaded), scope="day", in_round=False,
)  # fmt: skip
def new_decks_are_made_ready(moment: Moment, data: FirstUse) -> Judged:
    """Decks that came to the table are inspected, verified, spread, viewed, washed and stacked before the shuffle."""
    table = moment.table
    batch, config = table.decks.batches.get(data.batch), table.config
    profile = BLACKJACK_PROFILES.get(config.ruleset) if config is not None else None
    if batch is None or config is None or profile is None or batch.steps_judged or batch.idle:
        return None
    spread = profile.ready_decks_spread
    steps = opening_steps(batch, apart=config.shuffler == "batch", ready_are_spread=spread)
    found = amiss(steps)
    if found is None:
        return UPHELD if steps else None
    roles = found.roles
    if not any(step.sequence for step in steps if step.name != "stack"):
        roles += ("opening.preshuffled_spread" if batch.ready else "opening.preshuffled_exempt",)
    return Breach(
        roles=roles,
        message=f"Batch {data.batch} was used with {', '.join(found.words)}.",
        expected=[step.name for step in steps],
        observed=[step.name for step in steps if step.sequence],
        sequences=(batch.received, *found.sequences),
        discriminator=data.batch,
    )


@check(
    "opening.manner", decides=(
        "opening.cards_inspected", "opening.inspection_confirmed", "opening.cards_spread", "opening.fans_by_deck",
    ),
    reads=(ShuffleStarted, ShufflerLoaded, ShoeLoaded), scope="day", in_round=False,
)  # fmt: skip
def new_decks_are_made_ready_by_the_right_people(moment: Moment, data: FirstUse) -> Judged:
    """The dealer inspects, the floorperson verifies, defective decks go, the first player sees a sorted spread."""
    batch = moment.table.decks.batches.get(data.batch)
    if batch is None or batch.steps_judged or (batch.ready and not batch.shown):
        return None
    faults = list(_faults(batch, sorted_spread=not batch.ready and not batch.idle))
    if not faults:
        return UPHELD
    return Breach(
        roles=tuple(fault.role for fault in faults),
        message=f"Batch {data.batch} was used although {' and '.join(fault.words for fault in faults)}.",
        expected={"defects": 0, "in_sequence": True},
        observed={
            "defects": batch.inspection.defects,
            "in_sequence": batch.in_sequence,
            "inspected_by": batch.inspection.by,
            "verified_by": batch.inspection.verifier,
            "viewed_at_seat": batch.viewer,
        },
        sequences=tuple(fault.sequence for fault in faults),
        discriminator=data.batch,
    )


class _Fault(NamedTuple):
    """What is wrong with how a batch was made ready, the role it breaks, and the event that shows it."""

    role: str
    words: str
    sequence: int


def _faults(batch: Preparation, *, sorted_spread: bool) -> Iterator[_Fault]:
    seen, at = batch.inspection, batch.inspected
    if at and seen.defects:
        words = f"its inspection found {amount(seen.defects, 'defect')}"
        yield _Fault("opening.cards_inspected", words, at)
    if at and seen.dealer and seen.by != seen.dealer:
        words = f"{seen.by} inspected it, not the dealer {seen.dealer}"
        yield _Fault("opening.cards_inspected", words, at)
    if batch.verified and seen.floorperson and seen.verifier != seen.floorperson:
        words = f"{seen.verifier} verified it, not the assigned floorperson {seen.floorperson}"
        yield _Fault("opening.inspection_confirmed", words, batch.verified)
    if sorted_spread and batch.shown and not batch.in_sequence:
        yield _Fault("opening.fans_by_deck", "it was not spread by suit and in sequence", batch.shown)
    if batch.viewed and not batch.viewer_is_first:
        words = f"seat {batch.viewer} viewed it, not the first player to arrive"
        yield _Fault("opening.cards_spread", words, batch.viewed)


@check("opening.apart", decides=("opening.batches_apart",), reads=(CardsWashed,), scope="day", in_round=False)
def batches_are_opened_apart(moment: Moment, data: CardsWashed) -> Judged:
    """With a batch shuffler no other batch lies spread on the table while one is washed."""
    batches, config = moment.table.decks.batches, moment.table.config
    if config is None or config.shuffler != "batch" or data.batch not in batches:
        return None
    for name, batch in batches.items():
        later = max(batch.washed, batch.stacked, batch.started, batch.dealt)
        if name != data.batch and batch.shown > later and not batch.idle:
            return Breach(
                message=f"Batch {data.batch} was washed while batch {name} lay spread on the same table.",
                expected={"spread": [data.batch]},
                observed={"spread": [data.batch, name]},
                sequences=(batch.shown,),
                discriminator=name,
            )
    return UPHELD
