"""Section 5(a) and the shuffler's irregularities: a whole shuffle, one stack, no known order, a marked machine."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.folding.decks import found_order
from processors.core.state import Table
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.deck_clauses import cite
from schemas.events import (
    CardsStacked,
    RoundEnded,
    RoundStarted,
    ShoeEmptied,
    ShoeLoaded,
    ShuffleCompleted,
    ShuffleStarted,
    StackShuffledFromRack,
)


@check(
    "shuffle_cut.shuffle_whole",
    decides=(
        "shuffle_cut.shuffle_due",
        "shuffle_cut.jammed_repeated",
    ),
    formerly="shuffle.whole",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "rack",
    ),
    reads=(ShuffleCompleted,),
    scope="shoe",
    in_round=False,
)
def a_shuffle_is_begun_and_not_interrupted(moment: Moment, data: ShuffleCompleted) -> Iterator[Judgment]:
    """A shuffle that the shuffler broke off is begun again (A61), and none is completed that was never begun."""
    table = moment.table
    batch = table.decks.batches.get(data.batch)
    if batch is None or table.config is None:
        return
    if batch.interrupted > batch.started:
        clause, sequences = "{jam}", [batch.started, batch.interrupted]
        problem = f"The shuffle of batch {data.batch} broke off and was not begun again."
    elif batch.started <= batch.shuffled:
        clause, sequences = "{ch}.5(a)#1", [batch.shuffled] if batch.shuffled else []
        problem = f"A shuffle of batch {data.batch} is said to be complete that never began."
    else:
        yield UPHELD
        return
    yield Breach(
        clauses=cite(table.config.ruleset, (clause,)),
        message=problem,
        expected={"shuffle_started": True},
        observed={"shuffle_started": False},
        sequences=tuple(sequences),
    )


@check(
    "shuffle_cut.shuffle_machine_marked",
    decides=("shuffle_cut.machine_marked",),
    formerly="shuffle.machine_marked",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "rack",
    ),
    reads=(ShuffleStarted,),
    scope="shoe",
    in_round=False,
)
def a_broken_shuffler_is_marked(moment: Moment, data: ShuffleStarted) -> Iterator[Judgment]:
    """A shuffler out of use is covered or signed before cards are shuffled by hand."""
    facts, config = moment.table.decks, moment.table.config
    if data.method != "manual" or not facts.shuffler_down or config is None:
        return
    if facts.shuffler_marked:
        yield UPHELD
        return
    yield Breach(
        clauses=cite(config.ruleset, ("{down}",)),
        message="Cards were shuffled by hand while the broken shuffler stood neither covered nor signed.",
        expected={"device_out_of_service_marked": True},
        observed={"device_out_of_service_marked": False},
        sequences=(facts.shuffler_down,),
    )


@check(
    "shuffle_cut.shuffle_one_stack",
    decides=(
        "opening.wash_and_stack",
        "shuffle_cut.one_stack",
    ),
    formerly="shuffle.one_stack",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "rack",
    ),
    reads=(CardsStacked,),
    scope="shoe",
    in_round=False,
)
def all_cards_are_in_the_stack(moment: Moment, data: CardsStacked) -> Iterator[Judgment]:
    """A stack holds all cards of its batch, or of the rack that is loaded anew."""
    table = moment.table
    batch = table.decks.batches.get(data.batch)
    whole = table.batches.get(data.batch)
    if batch is None or whole is None or table.config is None:
        return
    if table.round is not None and not table.decks.reload:
        return  # what went into this stack was not said
    due = table.decks.reload_rack if table.round is not None else whole.cards
    if data.cards == due or (table.round is not None and data.cards == table.decks.reload_cards):
        yield UPHELD
        return
    washed_only = not batch.shuffled and not batch.ready
    yield Breach(
        clauses=cite(table.config.ruleset, ("{ch}.4(c)#1" if washed_only else "{ch}.5(a)#3",)),
        message=f"Batch {data.batch} was stacked with {data.cards} cards; there are {due}.",
        expected={"cards": due},
        observed={"cards": data.cards},
        sequences=(batch.received,),
    )


@check(
    "shuffle_cut.shuffle_device",
    decides=(
        "shuffle_cut.shuffle_due",
        "shuffle_cut.one_stack",
    ),
    formerly="shuffle.device",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "rack",
    ),
    reads=(RoundStarted,),
    scope="shoe",
    in_round=False,
)
def a_returned_rack_is_shuffled(moment: Moment, data: RoundStarted) -> Iterator[Judgment]:
    """Where the rack goes back into a device that reshuffles, the shuffle is finished before the next round."""
    table = moment.table
    facts, config = table.decks, table.config
    batch = facts.batches.get(facts.in_use)
    if not facts.returned or batch is None or config is None:
        return
    if batch.started > max(batch.shuffled, facts.returned):
        clause, problem = "{ch}.5(a)#1", "the shuffle of the returned cards was complete"
    elif batch.shuffled > facts.returned and batch.stacked < batch.shuffled:
        clause, problem = "{ch}.5(a)#3", "the shuffled cards were in one stack"
    else:
        yield UPHELD
        return
    yield Breach(
        clauses=cite(config.ruleset, (clause,)),
        message=f"Round {data.round} was begun before {problem}.",
        expected={"shuffled": True, "stacked": True},
        observed={"shuffled": batch.shuffled > facts.returned, "stacked": batch.stacked > batch.shuffled},
        sequences=(facts.returned, batch.started),
    )


@check(
    "shuffle_cut.shuffle_random",
    decides=("shuffle_cut.random",),
    formerly="shuffle.random",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "rack",
    ),
    reads=(RoundEnded, ShoeEmptied),
    scope="shoe",
    in_round=False,
)
def cards_do_not_come_in_a_known_order(moment: Moment, data: RoundEnded | ShoeEmptied) -> Iterator[Judgment]:
    """No cards come in the order of the rack, of the last shoe or of a new deck beyond what chance explains (A63)."""
    table = moment.table
    if table.config is None:
        return
    drawn = table.decks.drawn
    if isinstance(data, ShoeEmptied):
        drawn = [*drawn, *data.cards]
    found = found_order(table, drawn)
    if found is None:
        if isinstance(data, ShoeEmptied):
            yield UPHELD
        return
    start, run = found
    yield Breach(
        clauses=cite(table.config.ruleset, ("{ch}.5(a)#2",)),
        message=f"{run} cards of shoe {table.shoe.number} in a row ({' '.join(drawn[start : start + min(run, 10)])}"
        f"{' ...' if run > 10 else ''}) came in an order that was known; chance does that less than once in a million.",
        expected={"chance_below": 1e-6},
        observed={"run": run, "from_card": start + 1},
        sequences=(table.shoe.loaded_at,),
    )


@check(
    "shuffle_cut.shuffle_whole_rack",
    decides=("shoe.runs_out",),
    formerly="shuffle.whole_rack",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "rack",
    ),
    reads=(StackShuffledFromRack, ShoeLoaded),
    scope="shoe",
)
def the_whole_rack_is_shuffled(
    moment: Moment, data: StackShuffledFromRack | ShoeLoaded
) -> Iterator[Judgment]:
    """When the shoe runs out in a round, all cards of the rack go into the new stack."""
    table: Table = moment.table
    if table.config is None:
        return
    if isinstance(data, ShoeLoaded):
        if moment.round is None or moment.round.first_card is None or table.decks.reload:
            return
    elif data.cards == table.shoe.in_rack:
        yield UPHELD
        return
    yield Breach(
        clauses=cite(table.config.ruleset, ("{out}#1",)),
        message=f"{data.cards} cards of the rack were taken for the new stack; it holds {table.shoe.in_rack}."
        if not isinstance(data, ShoeLoaded)
        else f"Shoe {data.shoe} was loaded within a round, but not with the cards of the rack.",
        expected={"cards": table.shoe.in_rack},
        observed={"cards": data.cards},
        sequences=(table.shoe.loaded_at,),
    )
