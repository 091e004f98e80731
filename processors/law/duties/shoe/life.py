"""Section 7(a) and (d): what must be done before the shoe is loaded, and when its cover card comes."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.facts_decks import Preparation
from processors.core.fold_decks import batch_due, passed_cover
from processors.core.state import Table
from processors.law.check import UPHELD, Breach, Indeterminate, Judgment, Moment, check
from processors.law.deck_clauses import cite
from processors.law.duties.shuffle_cut.cutting import applies
from processors.law.steps import Step, amiss
from schemas.events import (
    CardDrawn,
    CardsSpread,
    CardsStacked,
    CoverCardReached,
    ReshuffleOrdered,
    RoundEnded,
    RoundStarted,
    ShoeLoaded,
    ShufflerLoaded,
    ShuffleStarted,
)


@check(
    "shoe.load",
    decides=(
        "opening.shuffled_after", "shuffle_cut.shuffle_due", "shuffle_cut.one_stack",
        "shuffle_cut.stack_offered", "shuffle_cut.dealer_cuts", "shuffle_cut.cut_carried_out",
        "shuffle_cut.cover_card_placed", "shuffle_cut.recut_before_load", "shuffle_cut.idle_viewed",
        "shuffle_cut.idle_washed", "shoe.cover_card_in_use", "shoe.stack_into_shoe",
        "shoe.reshuffle_after_cover_card", "shoe.loaded_after_cut", "shoe.shuffled_after_rest", "shoe.runs_out",
    ),
    rests_on=(
        "console",
        "shoe",
    ),
    reads=(ShoeLoaded,),
    scope="shoe",
    in_round=False,
)  # fmt: skip
def a_shoe_is_loaded_only_with_a_shuffled_and_cut_stack(
    moment: Moment, data: ShoeLoaded
) -> Iterator[Judgment]:
    """Before the load the batch was shuffled, stacked, cut (again where ordered) and given its cover card, in order."""
    table = moment.table
    batch, config = table.decks.batches.get(data.batch), table.config
    if batch is None or config is None or batch_due(table, data.batch) != data.batch:
        return
    steps = _shuffle_steps(table, batch)
    if applies(moment):
        steps += _cut_steps(table)
    found = amiss(steps)
    if found is None:
        yield UPHELD
        return
    clauses = cite(config.ruleset, found.roles)
    message = f"Shoe {data.shoe} was loaded with batch {data.batch} with {', '.join(found.words)}."
    if config.shuffler == "batch" and table.blind.day:
        yield Indeterminate(clauses=clauses, message=message, missing=tuple(table.blind.day))
        return
    yield Breach(
        clauses=clauses,
        message=message,
        expected=[step.name for step in steps],
        observed=[step.name for step in steps if step.sequence],
        sequences=found.sequences,
    )


def _shuffle_steps(table: Table, batch: Preparation) -> list[Step]:
    facts = table.decks
    reload = table.round is not None
    since = (facts.reload or facts.ran_out) if reload else batch.dealt
    if batch.ready and not batch.dealt and not batch.shuffled:
        return []
    shuffled = batch.shuffled if batch.shuffled > since else 0
    stacked = batch.stacked if batch.stacked > max(since, batch.started) else 0
    again = _again(table, batch, reload=reload)
    return [
        Step(
            "complete shuffle", shuffled, ("{ch}.5(a)#1", "{ch}.7(a)#3", *_why_shuffled(table, batch, again))
        ),
        Step("single stack", stacked, ("{ch}.5(a)#3", "{ch}.7(a)#3", *again)),
    ]


def _again(table: Table, batch: Preparation, *, reload: bool) -> tuple[str, ...]:
    """The further clauses that ask for shuffle and cut in mid-round, and after an idle table."""
    if reload:
        return ("{out}#1",)
    if not batch.idle:
        return ()
    return (
        ("{ch}.5(g)#2",) if table.config and table.config.ruleset == "down_under_685a" else ("{ch}.5(g)(1)",)
    )


def _why_shuffled(table: Table, batch: Preparation, again: tuple[str, ...]) -> tuple[str, ...]:
    if again:
        return again
    if not batch.dealt:
        return ("{ch}.4(c)#2",)
    return ("{ch}.7(d)(2)", "{ch}.5(f)#1") if table.decks.ends.covers else ()


def _cut_steps(table: Table) -> list[Step]:
    facts, cut = table.decks, table.decks.cut
    batch = facts.batches.get(facts.in_use)
    idle = batch is not None and batch.idle
    again = _again(table, batch, reload=table.round is not None) if batch and (table.round or idle) else ()
    steps = []
    if cut.offers and 0 < cut.offers[0].offered < (cut.made or table.chain.next_sequence):
        steps.append(Step("offer of the cut", cut.offers[0].offered, ("{ch}.5(b)#1", "{ch}.7(a)#3")))
    if cut.recut_ordered:
        steps.append(Step("recut, which the floor had ordered", 0, ("{ch}.5(e)#3", "{ch}.7(a)#3")))
    else:
        wanted = ("{ch}.5(b)#2", "{ch}.5(d)#2", "{ch}.7(a)#3", *again)
        steps.append(Step("cut", cut.made, wanted))
    cover = ("{ch}.5(d)#3", "{ch}.5(d)#4", "{ch}.3(a)#3", "{ch}.7(a)#3")
    steps.append(Step("cover card put in", cut.cover_inserted, cover))
    return steps


@check(
    "shoe.early_reshuffle",
    decides=(
        "shoe.reshuffle_ordered",
        "shoe.cover_card_out",
    ),
    rests_on=(
        "console",
        "shoe",
    ),
    reads=(ShoeLoaded, ReshuffleOrdered, CoverCardReached, RoundEnded),
    scope="shoe",
    in_round=False,
)
def a_shoe_ends_at_its_cover_card_or_on_order(
    moment: Moment, data: ShoeLoaded | ReshuffleOrdered | CoverCardReached | RoundEnded
) -> Iterator[Judgment]:
    """A shoe is dealt to its cover card, which is then taken out; before that it ends only when a floorperson says so.

    That the cover card was passed is told once, when the round in which it was due has ended.
    """
    table = moment.table
    ends, config = table.decks.ends, table.config
    if config is None or not applies(moment):
        return
    if isinstance(data, CoverCardReached):
        if ends.beyond_told or not passed_cover(table):
            return
        clause = "{ch}.7(d)#1"
        problem = f"The cover card of shoe {table.shoe.number} was taken out only after cards from behind it."
    elif isinstance(data, RoundEnded):
        if ends.beyond_told or table.shoe.emptied or not passed_cover(table):
            return
        clause = "{ch}.7(d)#1"
        problem = f"Shoe {table.shoe.number} was dealt past its cover card, which was never taken out."
    elif isinstance(data, ReshuffleOrdered):
        if data.staff != table.dealer or data.staff == table.floorperson:
            yield UPHELD
            return
        clause, problem = "{ch}.5(f)#2", f"The dealer {data.staff} ordered a reshuffle, not a floorperson."
    elif not table.decks.loads or table.round is not None:
        return
    elif ends.covers or ends.ordered or ends.idle or ends.other or ends.beyond_told:
        yield UPHELD
        return
    elif ends.beyond_cover:
        clause = "{ch}.7(d)#1"
        problem = f"Shoe {table.shoe.number} was dealt past its cover card, which was never taken out."
    else:
        clause = "{ch}.5(f)#2"
        problem = f"Shoe {table.shoe.number} was reshuffled before its cover card came out, without an order."
    yield Breach(
        clauses=cite(config.ruleset, (clause,)),
        message=problem,
        expected={"cover_card_reached": True} if clause == "{ch}.7(d)#1" else {"floorperson": True},
        observed={"cover_card_reached": False} if clause == "{ch}.7(d)#1" else {"floorperson": False},
        sequences=(table.shoe.loaded_at,),
    )


@check(
    "shoe.rest_to_rack",
    decides=(
        "shuffle_cut.idle_face_down",
        "shoe.rest_to_rack",
    ),
    rests_on=(
        "console",
        "shoe",
    ),
    reads=(CardsStacked, CardsSpread, ShuffleStarted, ShufflerLoaded, ShoeLoaded),
    scope="shoe",
    in_round=False,
)
def the_rest_of_the_shoe_goes_to_the_rack(
    moment: Moment, data: CardsStacked | CardsSpread | ShuffleStarted | ShufflerLoaded | ShoeLoaded
) -> Iterator[Judgment]:
    """Before a dealt batch is taken up again, what is left of it in the shoe goes to the discard rack."""
    table = moment.table
    shoe, facts = table.shoe, table.decks
    if table.round is not None or not shoe.loaded or table.config is None or not applies(moment):
        return
    if data.batch != facts.in_use and not isinstance(data, ShoeLoaded):
        return
    if shoe.emptied:
        yield UPHELD
        return
    if facts.rest_left == shoe.number:
        return
    clause = "{ch}.5(g)#1" if facts.ends.idle else "{ch}.7(d)(1)"
    yield Breach(
        clauses=cite(table.config.ruleset, (clause,)),
        message=f"{shoe.remaining} cards of shoe {shoe.number} were not put into the discard rack.",
        expected={"shoe_emptied": True},
        observed={"shoe_emptied": False},
        sequences=(shoe.loaded_at,),
    )


@check(
    "shoe.next_round",
    decides=(
        "shuffle_cut.shuffle_due", "shuffle_cut.idle_face_down", "shoe.reshuffle_after_cover_card",
        "shoe.last_round",
    ),
    rests_on=(
        "console",
        "shoe",
    ),
    reads=(RoundStarted,),
    scope="shoe",
    in_round=False,
)  # fmt: skip
def no_round_begins_from_a_shoe_that_must_be_reshuffled(
    moment: Moment, data: RoundStarted
) -> Iterator[Judgment]:
    """After the round of the cover card, an order or an idle table no round begins before the cards are reshuffled."""
    table = moment.table
    ends, config = table.decks.ends, table.config
    if config is None or not applies(moment) or table.shoe.emptied:
        return
    if ends.cover_at and data.round > ends.cover_round and not ends.played_past:
        clauses = cite(config.ruleset, ("{ch}.7(d)#2", "{ch}.5(f)#1"))
        problem = f"the cover card had come out in round {ends.cover_round}"
        sequences = (ends.cover_at,)
    elif ends.ordered and not ends.order_told:
        clauses = cite(config.ruleset, ("{ch}.5(a)#1",))
        problem, sequences = "a reshuffle had been ordered", (ends.ordered,)
    elif ends.idle and table.decks.rest_left != table.shoe.number:
        clauses = cite(config.ruleset, ("{ch}.5(g)#1",))
        problem, sequences = "the table had been idle and its cards stayed in the shoe", (ends.idle,)
    else:
        yield UPHELD
        return
    yield Breach(
        clauses=clauses,
        message=f"Round {data.round} was begun from shoe {table.shoe.number} although {problem}.",
        expected={"reshuffle": True},
        observed={"reshuffle": False},
        sequences=sequences,
    )


@check(
    "shoe.dealt_from",
    decides=(
        "shoe.dealt_from_shoe",
        "shoe.loaded_after_cut",
    ),
    rests_on=(
        "console",
        "shoe",
    ),
    reads=(CardDrawn,),
    scope="shoe",
    after=("undrawn", "unloaded"),
)
def cards_are_dealt_from_a_loaded_shoe(moment: Moment, data: CardDrawn) -> Iterator[Judgment]:
    """No card is dealt while the shoe holds no loaded stack."""
    table = moment.table
    if not table.shoe.emptied:
        if moment.play[0].first_card is None:
            yield UPHELD
        return
    if table.decks.undealt_told or table.config is None:
        return
    yield Breach(
        clauses=cite(table.config.ruleset, ("{ch}.7(a)#1", "{ch}.7(a)#3")),
        message="A card was dealt although no stack had been loaded into the shoe.",
        expected={"shoe_loaded": True},
        observed={"shoe_loaded": False},
        sequences=(table.shoe.loaded_at,) if table.shoe.loaded_at else (),
    )
