"""The cards of an open table without play lie spread, are shown, and are made ready anew."""

from __future__ import annotations

from processors.core.facts_decks import Preparation
from processors.core.folding.decks import reopens_idle_table
from processors.core.state import Table
from processors.law.check import UPHELD, Breach, Indeterminate, Judged, Moment, check
from processors.law.duties.opening.opening import FirstUse, opening_steps
from processors.law.duties.shuffle_cut.offer import is_cut_by_hand
from processors.law.steps import LawStep, amiss
from schemas.events import CardsSpread, ShoeLoaded, ShufflerLoaded, ShuffleStarted

VIEWED = ("shuffle_cut.idle_viewed", "shuffle_cut.idle_opened_again")


@check(
    "shuffle_cut.idle_face_down", decides=("shuffle_cut.idle_face_down",),
    reads=(CardsSpread,), scope="shoe", in_round=False,
)  # fmt: skip
def idle_cards_lie_face_down(moment: Moment, data: CardsSpread) -> Judged:
    """At an idle table the cards are spread face up only when a player asks for it."""
    table = moment.table
    batch = table.decks.batches.get(data.batch)
    if batch is None or not batch.being_renewed or not is_cut_by_hand(table):
        return None
    if batch.inspected or batch.verified or batch.looked:
        return None
    if not data.face_up or table.decks.face_up_asked > batch.idle:
        return UPHELD
    return Breach(
        message=f"Batch {data.batch} was spread face up at the idle table, and no player had asked for it.",
        expected={"face_up": False},
        observed={"face_up": True},
        sequences=(batch.idle,),
    )


@check(
    "shuffle_cut.idle_steps", decides=(
        "shuffle_cut.idle_face_down", "shuffle_cut.idle_viewed", "shuffle_cut.idle_opened_again",
        "shuffle_cut.idle_washed", "shuffle_cut.idle_into_shuffler",
    ),
    reads=(ShuffleStarted, ShufflerLoaded, ShoeLoaded), scope="shoe", in_round=False,
)  # fmt: skip
def idle_cards_are_made_ready_anew(moment: Moment, data: FirstUse) -> Judged:
    """The first player back looks at the spread cards; then they are washed and stacked, or stacked and loaded."""
    table = moment.table
    batch = table.decks.batches.get(data.batch)
    if batch is None or not batch.idle or batch.steps_judged or not is_cut_by_hand(table):
        return None
    steps = _steps(table, batch)
    found = amiss(steps)
    words = list(found.words) if found else []
    roles = list(found.roles) if found else []
    asked = table.decks.face_up_asked
    if asked > batch.idle and asked > batch.laid_face_up and not batch.shown:
        words.append("no face-up spread, which a player had asked for")
        roles.append("shuffle_cut.idle_face_down")
    elsewhere = batch.looked and not batch.viewer_is_first and not batch.viewed
    doubtful = elsewhere and not words and table.blind.seats  # who came back first, nobody knows
    if elsewhere:
        words.append(f"a viewing at seat {batch.viewer}, where the first player back does not sit")
        roles += VIEWED
    if not words:
        return UPHELD
    message = f"After the table was idle, batch {data.batch} was used with {', '.join(words)}."
    if doubtful:
        missing = tuple(table.blind.seats)
        return Indeterminate(roles=tuple(roles), message=message, missing=missing, discriminator=data.batch)
    return Breach(
        roles=tuple(roles),
        message=message,
        expected=[step.name for step in steps],
        observed=[step.name for step in steps if step.sequence],
        sequences=(batch.idle, *(found.sequences if found else ())),
        discriminator=data.batch,
    )


def _steps(table: Table, batch: Preparation) -> list[LawStep]:
    """What is done with the cards of an idle table before they are used again."""
    first = [
        LawStep("spread on the idle table", _laid_in_time(table, batch), ("shuffle_cut.idle_face_down",)),
        LawStep("viewing by the first player back", batch.looked, VIEWED),
    ]
    if reopens_idle_table(table):
        steps = opening_steps(batch, apart=False)
        again = "shuffle_cut.idle_opened_again"
        return [*first, *(step._replace(roles=(*step.roles, again)) for step in steps)]
    if table.config is not None and table.config.shuffler == "batch":
        return [*first, LawStep("stack", batch.stacked, ("shuffle_cut.idle_into_shuffler",))]
    washed = ("shuffle_cut.idle_washed",)
    return [*first, LawStep("wash", batch.washed, washed), LawStep("stack", batch.stacked, washed)]


def _laid_in_time(table: Table, batch: Preparation) -> int:
    """The spread that lay there before the first player came back; 0 where there was none."""
    back = table.decks.newcomer_at
    return batch.laid if not batch.idle < back < batch.laid else 0


@check(
    "shuffle_cut.idle_swap", decides=("shuffle_cut.idle_batch_out", "shuffle_cut.idle_batch_dealt"),
    reads=(ShoeLoaded,), scope="shoe", in_round=False,
)  # fmt: skip
def the_waiting_batch_is_dealt_after_an_idle_table(moment: Moment, data: ShoeLoaded) -> Judged:
    """After an idle table the batch that waited in the shuffler is taken out and dealt, reshuffled if a player asks."""
    facts, config = moment.table.decks, moment.table.config
    batch, idle, asked = facts.batches.get(data.batch), facts.ends.idle, facts.reshuffle_asked
    if config is None or config.shuffler != "batch" or not idle or batch is None:
        return None
    if facts.shuffler_down or len(facts.batches) < 2:
        return None
    roles: tuple[str, ...] = ("shuffle_cut.idle_batch_out",)
    if facts.in_use == data.batch:
        roles = (*roles, "shoe.batches_alternate")
        problem = f"Batch {data.batch} was loaded again instead of the waiting batch."
    elif batch.unloaded < idle:
        problem = f"Batch {data.batch} was loaded, but had not been taken out of the shuffler."
    elif asked > idle and not (batch.shown > asked and batch.shuffled > asked):
        roles = ("shuffle_cut.idle_batch_dealt",)
        problem = f"A player had asked for batch {data.batch} to be spread and reshuffled; it was loaded without that."
    else:
        return UPHELD
    return Breach(
        roles=roles,
        message=problem,
        expected={"unloaded": True, "reshuffled_if_asked": bool(asked)},
        observed={"unloaded": batch.unloaded > idle, "reshuffled": batch.shuffled > asked},
        sequences=tuple(one for one in (idle, asked) if one),
    )
