"""Loading of the dealing shoe (670a.10(a)(1), 657a.8(a)): shuffled and cut first, at an approved location."""

from __future__ import annotations

from collections.abc import Iterator

from processors.games.stacks.deal import FORTUNE, MANUAL
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from schemas.events import CardDrawn, RoundStarted, ShoeLoaded, StackDispensed

LOADED = {FORTUNE: ("670a.10(a)(1)",), MANUAL: ("657a.8(a)#2",)}


@check(
    "stacks.shoe_prepared",
    decides=("stacks.shoe_loaded",),
    formerly="dealing_shoe.prepared",
    reads=(ShoeLoaded,),
    scope="shoe",
    in_round=False,
)
def the_deck_is_shuffled_and_cut_before_it_is_loaded(moment: Moment, data: ShoeLoaded) -> Iterator[Judgment]:
    """The deck has been shuffled since it was last dealt, and cut since that shuffle, when the shoe is loaded."""
    config, facts = moment.table.config, moment.table.stacks
    if config is None:
        return
    shuffled = facts.shuffled.get(data.batch, 0)
    missing = []
    if not shuffled:
        missing.append("shuffle")
    if facts.cut <= shuffled:
        missing.append("cut")
    if not missing:
        yield UPHELD
        return
    steps = " and ".join(missing)
    yield Breach(
        clauses=LOADED[config.ruleset],
        message=f"Shoe {data.shoe} was loaded with batch {data.batch} before its {steps} {_be(missing)} complete.",
        expected={"done": ["shuffle", "cut"]},
        observed={"missing": missing},
        sequences=tuple(sequence for sequence in (shuffled, facts.cut) if sequence),
    )


def _be(missing: list[str]) -> str:
    return "were" if len(missing) > 1 else "was"


@check(
    "stacks.shoe_loaded",
    decides=("stacks.shoe_loaded",),
    formerly="dealing_shoe.loaded",
    reads=(StackDispensed, CardDrawn),
    scope="shoe",
    after=("undrawn",),
)
def cards_are_dealt_from_a_loaded_shoe(
    moment: Moment, data: StackDispensed | CardDrawn
) -> Iterator[Judgment]:
    """When a deal begins the shoe has been loaded since the last stub left it."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or round_.first_card is not None:
        return
    if moment.table.stacks.loaded:
        yield UPHELD
        return
    yield Breach(
        clauses=LOADED[config.ruleset],
        message="The deal began from a shoe that had not been loaded since its last stub was taken out.",
        expected={"loaded": True},
        observed={"loaded": False},
        sequences=(moment.table.shoe.loaded_at,) if moment.table.shoe.loaded_at else (),
    )


@check(
    "stacks.shoe_location",
    decides=("submission.manual_shoe_location",),
    formerly="dealing_shoe.location",
    reads=(RoundStarted,),
    scope="day",
    in_round=False,
)
def the_shoe_stands_at_an_approved_location(moment: Moment, data: RoundStarted) -> Iterator[Judgment]:
    """The shoe's location is approved, and was by the gaming day, when a round begins under a rules submission."""
    table = moment.table
    facts = table.equipment
    if facts.judged == table.configured_at:
        return  # said at the first round under this submission
    if facts.on_file("shoe_location", table.gaming_day):
        yield UPHELD
        return
    approval = facts.approvals.get("shoe_location")
    when = f"only from {approval.approved_on}" if approval is not None else "not on file"
    yield Breach(
        clauses=("657a.8(a)#1",),
        message=f"The approval of the dealing shoe's location is {when}.",
        expected={"approved": True},
        observed={"approved_on": approval.approved_on.isoformat() if approval is not None else None},
        sequences=(table.configured_at, *((approval.sequence,) if approval is not None else ())),
    )
