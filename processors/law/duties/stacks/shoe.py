"""The dealing shoe: shuffled and cut before it is loaded, loaded before it is dealt from, at an approved location."""

from __future__ import annotations

from processors.games.stacks.deal import FirstCard
from processors.law.check import UPHELD, Breach, Indeterminate, Judged, Moment, check
from schemas.events import CardDrawn, RoundStarted, ShoeLoaded, StackDispensed


@check(
    "stacks.shoe_prepared", decides=("stacks.shoe_loaded",),
    reads=(ShoeLoaded,), scope="shoe", in_round=False, turns_on=("steps",),
)  # fmt: skip
def the_deck_is_shuffled_and_cut_before_it_is_loaded(moment: Moment, data: ShoeLoaded) -> Judged:
    """The deck has been shuffled since it was last dealt, and cut since that shuffle, when the shoe is loaded."""
    facts = moment.table.stacks
    shuffled = facts.shuffled.get(data.batch, 0)
    done = {"shuffle": bool(shuffled), "cut": facts.cut > shuffled}
    missing = [step for step in done if not done[step]]
    if not missing:
        return UPHELD
    were = f"{' and '.join(missing)} {'were' if len(missing) > 1 else 'was'}"
    return Breach(
        message=f"Shoe {data.shoe} was loaded with batch {data.batch} before its {were} complete.",
        expected={"done": list(done)},
        observed={"missing": missing},
        sequences=tuple(sequence for sequence in (shuffled, facts.cut) if sequence),
    )


@check(
    "stacks.shoe_loaded", decides=("stacks.shoe_loaded",),
    reads=(StackDispensed, CardDrawn), scope="shoe", turns_on=("steps",), after=("undrawn",),
)  # fmt: skip
def cards_are_dealt_from_a_loaded_shoe(moment: Moment, data: FirstCard) -> Judged:
    """When a deal begins the shoe has been loaded since the last stub left it."""
    round_, shoe = moment.round, moment.table.shoe
    if round_ is None or round_.first_card is not None:
        return None
    facts = moment.table.stacks
    if facts.loaded:
        return UPHELD
    message = "The deal began from a shoe that had not been loaded since its last stub was taken out."
    # A card came out of an empty shoe: somebody loaded it unseen.
    if not facts.cut and moment.table.lives.paused_since_the_round:
        return Indeterminate(message=message, missing=("the cut and the load of the shoe at the console",))
    return Breach(
        message=message,
        expected={"loaded": True},
        observed={"loaded": False},
        sequences=(shoe.loaded_at,) if shoe.loaded_at else (),
    )


@check(
    "stacks.shoe_location", decides=("submission.manual_shoe_location",),
    reads=(RoundStarted,), scope="day", in_round=False, turns_on=("steps",),
)  # fmt: skip
def the_shoe_stands_at_an_approved_location(moment: Moment, data: RoundStarted) -> Judged:
    """The shoe's location is approved, and was by the gaming day, when a round begins under a rules submission."""
    table = moment.table
    facts = table.equipment
    if facts.judged == table.configured_at:
        return None  # said at the first round under this submission
    if facts.on_file("shoe_location", table.gaming_day):
        return UPHELD
    approval = facts.approvals.get("shoe_location")
    when = f"only from {approval.approved_on}" if approval is not None else "not on file"
    return Breach(
        message=f"The approval of the dealing shoe's location is {when}.",
        expected={"approved": True},
        observed={"approved_on": approval.approved_on.isoformat() if approval is not None else None},
        sequences=(table.configured_at, *((approval.sequence,) if approval is not None else ())),
    )
