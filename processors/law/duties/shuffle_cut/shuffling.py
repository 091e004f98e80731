"""A whole shuffle, one stack, no known order, a marked machine, and a rack that is shuffled in mid-round."""

from __future__ import annotations

from functools import partial

from processors.core.folding.decks import found_order
from processors.law.check import UPHELD, Breach, Judged, Moment, check
from schemas import events as e
from schemas.amounts import amount, verb

shuffle_check = partial(check, turns_on=("steps", "draws", "places", "rack"))
"""Registers a duty that needs layout, shoe and rack too."""


@shuffle_check(
    "shuffle_cut.shuffle_whole", decides=("shuffle_cut.shuffle_due", "shuffle_cut.jammed_repeated"),
    reads=(e.ShuffleCompleted,), scope="shoe", in_round=False,
)  # fmt: skip
def a_shuffle_is_begun_and_not_interrupted(moment: Moment, data: e.ShuffleCompleted) -> Judged:
    """A shuffle that the shuffler broke off is begun again (A61), and none is completed that was never begun."""
    batch = moment.table.decks.batches.get(data.batch)
    if batch is None:
        return None
    sequences: tuple[int, ...] = (batch.started, batch.interrupted)
    if batch.interrupted > batch.started:
        role = "shuffle_cut.jammed_repeated"
        problem = f"The shuffle of batch {data.batch} broke off and was not begun again."
    elif batch.started <= batch.shuffled:
        role, sequences = "shuffle_cut.shuffle_due", (batch.shuffled,) if batch.shuffled else ()
        problem = f"A shuffle of batch {data.batch} was recorded as complete that had never begun."
    else:
        return UPHELD
    return Breach(
        roles=(role,),
        message=problem,
        expected={"shuffle_started": True},
        observed={"shuffle_started": False},
        sequences=sequences,
    )


@shuffle_check(
    "shuffle_cut.shuffle_machine_marked", decides=("shuffle_cut.machine_marked",),
    reads=(e.ShuffleStarted,), scope="shoe", in_round=False,
)  # fmt: skip
def a_broken_shuffler_is_marked(moment: Moment, data: e.ShuffleStarted) -> Judged:
    """A shuffler out of use is covered or signed before cards are shuffled by hand."""
    facts = moment.table.decks
    if data.method != "manual" or not facts.shuffler_down:
        return None
    if facts.shuffler_marked:
        return UPHELD
    return Breach(
        message="Cards were shuffled by hand while the broken shuffler stood neither covered nor signed.",
        expected={"device_out_of_service_marked": True},
        observed={"device_out_of_service_marked": False},
        sequences=(facts.shuffler_down,),
    )


@shuffle_check(
    "shuffle_cut.shuffle_one_stack", decides=("opening.wash_and_stack", "shuffle_cut.one_stack"),
    reads=(e.CardsStacked,), scope="shoe", in_round=False,
)  # fmt: skip
def all_cards_are_in_the_stack(moment: Moment, data: e.CardsStacked) -> Judged:
    """A stack holds all cards of its batch, or of the rack that is loaded anew."""
    table, facts = moment.table, moment.table.decks
    batch = facts.batches.get(data.batch)
    whole = table.batches.get(data.batch)
    if batch is None or whole is None:
        return None
    due = whole.cards
    if table.round is not None:
        if not facts.reload:
            return None  # what went into this stack was not said
        due = facts.reload_rack
        if data.cards == facts.reload_cards:
            return UPHELD
    if data.cards == due:
        return UPHELD
    washed_only = not batch.shuffled and not batch.ready
    return Breach(
        roles=("opening.wash_and_stack" if washed_only else "shuffle_cut.one_stack",),
        message=f"Batch {data.batch} was stacked with {amount(data.cards, 'card')}; "
        f"there {verb(due, 'is')} {due}.",
        expected={"cards": due},
        observed={"cards": data.cards},
        sequences=(batch.received,),
    )


@shuffle_check(
    "shuffle_cut.shuffle_device", decides=("shuffle_cut.shuffle_due", "shuffle_cut.one_stack"),
    reads=(e.RoundStarted,), scope="shoe", in_round=False,
)  # fmt: skip
def a_returned_rack_is_shuffled(moment: Moment, data: e.RoundStarted) -> Judged:
    """Where the rack goes back into a device that reshuffles, the shuffle is finished before the next round."""
    facts = moment.table.decks
    batch = facts.batches.get(facts.in_use)
    if not facts.returned or batch is None:
        return None
    if batch.started > max(batch.shuffled, facts.returned):
        role, problem = "shuffle_cut.shuffle_due", "the shuffle of the returned cards was complete"
    elif batch.shuffled > facts.returned and batch.stacked < batch.shuffled:
        role, problem = "shuffle_cut.one_stack", "the shuffled cards were in one stack"
    else:
        return UPHELD
    return Breach(
        roles=(role,),
        message=f"Round {data.round} was begun before {problem}.",
        expected={"shuffled": True, "stacked": True},
        observed={"shuffled": batch.shuffled > facts.returned, "stacked": batch.stacked > batch.shuffled},
        sequences=(facts.returned, batch.started),
    )


@shuffle_check(
    "shuffle_cut.shuffle_random", decides=("shuffle_cut.random",),
    reads=(e.RoundEnded, e.ShoeEmptied), scope="shoe", in_round=False,
)  # fmt: skip
def cards_do_not_come_in_a_known_order(moment: Moment, data: e.RoundEnded | e.ShoeEmptied) -> Judged:
    """No cards come in the order of the rack, of the last shoe or of a new deck beyond what chance explains (A63)."""
    table = moment.table
    emptied = isinstance(data, e.ShoeEmptied)
    drawn = [*table.decks.drawn, *data.cards] if isinstance(data, e.ShoeEmptied) else table.decks.drawn
    found = found_order(table, drawn)
    if found is None:
        return UPHELD if emptied else None
    start, run = found
    return Breach(
        message=f"{amount(run, f'card of shoe {table.shoe.number}')} in a row "
        f"({' '.join(drawn[start : start + min(run, 10)])}{' ...' if run > 10 else ''}) came in an order "
        "that was known; chance does that less than once in a million.",
        expected={"chance_below": 1e-6},
        observed={"run": run, "from_card": start + 1},
        sequences=(table.shoe.loaded_at,),
    )


@shuffle_check(
    "shuffle_cut.shuffle_whole_rack", decides=("shoe.runs_out",),
    reads=(e.StackShuffledFromRack, e.ShoeLoaded), scope="shoe",
)  # fmt: skip
def the_whole_rack_is_shuffled(moment: Moment, data: e.StackShuffledFromRack | e.ShoeLoaded) -> Judged:
    """When the shoe runs out in a round, all cards of the rack go into the new stack."""
    table, shoe = moment.table, moment.table.shoe
    if isinstance(data, e.ShoeLoaded):
        if moment.round is None or moment.round.first_card is None or table.decks.reload:
            return None
        message = f"Shoe {data.shoe} was loaded within a round, but not with the cards of the rack."
    elif data.cards == shoe.in_rack:
        return UPHELD
    else:
        taken = f"{amount(data.cards, 'card of the rack')} {verb(data.cards, 'was')} taken for the new stack"
        message = f"{taken}; the rack holds {shoe.in_rack}."
    return Breach(
        message=message,
        expected={"cards": shoe.in_rack},
        observed={"cards": data.cards},
        sequences=(shoe.loaded_at,),
    )
