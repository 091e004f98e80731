"""Section 5(g): the cards of an open table without play lie spread, are shown, and are made ready anew."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.facts_decks import Preparation
from processors.core.state import Table
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.deck_clauses import cite
from processors.law.duties.opening.opening import FirstUse, opening_steps
from processors.law.duties.shuffle_cut.cutting import applies
from processors.law.steps import Step, amiss
from schemas.events import CardsSpread, ShoeLoaded, ShufflerLoaded, ShuffleStarted


@check(
    "shuffle_cut.idle_face_down",
    decides=("shuffle_cut.idle_face_down",),
    formerly="idle.face_down",
    reads=(CardsSpread,),
    scope="shoe",
    in_round=False,
)
def idle_cards_lie_face_down(moment: Moment, data: CardsSpread) -> Iterator[Judgment]:
    """At an idle table the cards are spread face up only when a player asks for it."""
    table = moment.table
    batch = table.decks.batches.get(data.batch)
    if batch is None or not batch.being_renewed or not applies(moment) or table.config is None:
        return
    if batch.inspected or batch.verified or batch.looked:
        return
    if not data.face_up or table.decks.face_up_asked > batch.idle:
        yield UPHELD
        return
    yield Breach(
        clauses=cite(table.config.ruleset, ("{ch}.5(g)#1",)),
        message=f"Batch {data.batch} was spread face up at the idle table, and no player had asked for it.",
        expected={"face_up": False},
        observed={"face_up": True},
        sequences=(batch.idle,),
    )


@check(
    "shuffle_cut.idle_steps",
    decides=(
        "shuffle_cut.idle_face_down", "shuffle_cut.idle_viewed", "shuffle_cut.idle_washed",
        "shuffle_cut.idle_into_shuffler",
    ),
    formerly="idle.steps",
    reads=(ShuffleStarted, ShufflerLoaded, ShoeLoaded),
    scope="shoe",
    in_round=False,
)  # fmt: skip
def idle_cards_are_made_ready_anew(moment: Moment, data: FirstUse) -> Iterator[Judgment]:
    """The first player back looks at the spread cards; then they are washed and stacked, or stacked and loaded."""
    table = moment.table
    batch = table.decks.batches.get(data.batch)
    config = table.config
    if batch is None or config is None or not batch.idle or batch.steps_judged or not applies(moment):
        return
    steps = [
        Step("spread on the idle table", _laid_in_time(table, batch), ("shuffle_cut.idle_face_down",)),
        Step("viewing by the first player back", batch.looked, ("shuffle_cut.idle_viewed",)),
    ]
    steps += _afterwards(batch, config.ruleset, machine=config.shuffler == "batch")
    found = amiss(steps)
    asked = table.decks.face_up_asked
    ignored = asked > batch.idle and asked > batch.laid_face_up and not batch.shown
    late = batch.looked and not batch.viewer_is_first and not batch.viewed
    if found is None and not ignored and not late:
        yield UPHELD
        return
    words = list(found.words) if found else []
    roles = list(found.roles) if found else []
    if ignored:
        words.append("no face-up spread, which a player had asked for")
        roles.append("shuffle_cut.idle_face_down")
    if late:
        words.append(f"a viewing at seat {batch.viewer}, where the first player back does not sit")
        roles.append("shuffle_cut.idle_viewed")
    yield Breach(
        roles=tuple(roles),
        message=f"After the table was idle, batch {data.batch} was used with {', '.join(words)}.",
        expected=[step.name for step in steps],
        observed=[step.name for step in steps if step.sequence],
        sequences=(batch.idle, *(found.sequences if found else ())),
        discriminator=data.batch,
    )


def _laid_in_time(table: Table, batch: Preparation) -> int:
    """The spread that lay there before the first player came back; 0 where there was none."""
    back = table.decks.newcomer_at
    return batch.laid if not batch.idle < back < batch.laid else 0


def _afterwards(batch: Preparation, ruleset: str, *, machine: bool) -> list[Step]:
    if ruleset == "down_under_685a":
        again = "shuffle_cut.idle_viewed"
        return [step._replace(roles=(*step.roles, again)) for step in opening_steps(batch, apart=False)]
    if machine:
        return [Step("stack", batch.stacked, ("shuffle_cut.idle_into_shuffler",))]
    return [
        Step("wash", batch.washed, ("shuffle_cut.idle_washed",)),
        Step("stack", batch.stacked, ("shuffle_cut.idle_washed",)),
    ]


@check(
    "shuffle_cut.idle_swap",
    decides=(
        "shuffle_cut.idle_batch_out",
        "shuffle_cut.idle_batch_dealt",
    ),
    formerly="idle.swap",
    reads=(ShoeLoaded,),
    scope="shoe",
    in_round=False,
)
def the_waiting_batch_is_dealt_after_an_idle_table(moment: Moment, data: ShoeLoaded) -> Iterator[Judgment]:
    """After an idle table the batch that waited in the shuffler is taken out and dealt, reshuffled if a player asks."""
    table = moment.table
    facts, config = table.decks, table.config
    idle = facts.ends.idle
    if config is None or config.shuffler != "batch" or config.ruleset == "down_under_685a" or not idle:
        return
    batch = facts.batches.get(data.batch)
    if batch is None or facts.shuffler_down or len(facts.batches) < 2:
        return
    if facts.in_use == data.batch:
        clause, problem = (
            "{ch}.5(g)(2)#2",
            f"Batch {data.batch} was dealt again instead of the waiting batch.",
        )
    elif batch.unloaded < idle:
        clause, problem = (
            "{ch}.5(g)(2)#2",
            f"Batch {data.batch} was dealt, but it was not taken out of the shuffler.",
        )
    elif facts.reshuffle_asked > idle and not _reshuffled(batch, facts.reshuffle_asked):
        clause = "{ch}.5(g)(2)#3"
        problem = f"A player asked for batch {data.batch} to be spread and reshuffled; it was dealt without."
    else:
        yield UPHELD
        return
    yield Breach(
        clauses=cite(config.ruleset, (clause, "{ch}.3(b)(4)") if facts.in_use == data.batch else (clause,)),
        message=problem,
        expected={"unloaded": True, "reshuffled_if_asked": bool(facts.reshuffle_asked)},
        observed={"unloaded": batch.unloaded > idle, "reshuffled": batch.shuffled > facts.reshuffle_asked},
        sequences=tuple(one for one in (idle, facts.reshuffle_asked) if one),
    )


def _reshuffled(batch: Preparation, asked: int) -> bool:
    return batch.shown > asked and batch.shuffled > asked
