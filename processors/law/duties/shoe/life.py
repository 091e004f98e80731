"""How a shoe ends: at its cover card or on order, its rest in the rack, and no other round dealt from it."""

from __future__ import annotations

from processors.core.folding.decks import MISCOUNTED, deepest_cover, passed_cover
from processors.core.state import Table
from processors.law.check import UPHELD, Breach, Indeterminate, Judged, Judgment, Moment, check
from processors.law.duties.shuffle_cut.offer import is_cut_by_hand
from schemas import events as e
from schemas.amounts import amount, verb

BatchTaken = e.CardsStacked | e.CardsSpread | e.ShuffleStarted | e.ShufflerLoaded | e.ShoeLoaded


@check(
    "shoe.early_reshuffle",
    decides=("shuffle_cut.cover_card_placed", "shoe.reshuffle_ordered", "shoe.cover_card_out"),
    reads=(e.ShoeLoaded, e.ReshuffleOrdered, e.CoverCardReached, e.RoundEnded, e.ShoeEmptied), scope="shoe",
    in_round=False,
)  # fmt: skip
def a_shoe_ends_at_its_cover_card_or_on_order(
    moment: Moment,
    data: e.ShoeLoaded | e.ReshuffleOrdered | e.CoverCardReached | e.RoundEnded | e.ShoeEmptied,
) -> Judged:
    """A shoe is dealt to its cover card, which is then taken out; before that it ends only when a floorperson says so.

    That the cover card was passed is said once, when the round in which it was due has ended; one or two cards too many
    are said when the rest of the shoe is counted, which shows that none was miscounted. A cover card that comes out
    elsewhere than it was put in, but with a quarter of the stack behind it, is no proof: the sensor may have erred.
    """
    table = moment.table
    if not is_cut_by_hand(table):
        return None
    if isinstance(data, e.ReshuffleOrdered):
        return _ordered(table, data.staff)
    if isinstance(data, e.ShoeLoaded):
        return _reshuffled(table)
    if isinstance(data, e.CoverCardReached):
        return None if table.decks.ends.beyond_told else _came_out(table)
    if isinstance(data, e.ShoeEmptied):
        return None if table.decks.ends.beyond_told else _counted_out(table, len(data.cards))
    if table.decks.ends.beyond_told or not passed_cover(table):
        return None
    return None if table.shoe.emptied else _never_taken_out(table)


def _came_out(table: Table) -> Judged:
    """Of the cover card: whether it comes out where it was put in."""
    shoe, put = table.shoe, table.decks.cover_in_shoe
    if passed_cover(table):
        late = "was taken out only after cards from behind it"
        roles = ("shoe.cover_card_out", "shuffle_cut.cover_card_placed")
        return _passed(table, f"The cover card of shoe {shoe.number} {late}.", roles)
    if shoe.emptied or not put or table.decks.ends.covers or table.blind.shoe:
        return None
    if abs(shoe.remaining - put) <= MISCOUNTED + shoe.doubtful:
        return UPHELD
    deeper = ("shoe.cover_card_out",) if shoe.remaining < put else ()
    return Indeterminate(
        roles=("shuffle_cut.cover_card_placed", *deeper),
        message=f"The cover card of shoe {shoe.number} came out with {amount(shoe.remaining, 'card')} left; "
        f"it had been put in with {put} below it.",
        missing=("the place of the cover card",),
        expected={"cards_below": put},
        observed={"cards_left": shoe.remaining},
        sequences=(shoe.loaded_at,),
    )


def _counted_out(table: Table, rest: int) -> Judged:
    """Of the counted rest of a shoe: whether the cover card came out before the last quarter, to the card.

    Cards that were dealt, burned and left over are as many as were loaded, and the batch is whole: so none of them was
    miscounted.
    """
    shoe, ends = table.shoe, table.decks.ends
    batch = table.batches.get(shoe.batch)
    uncounted = batch is None or batch.off or batch.short or shoe.doubtful or rest != shoe.remaining
    if table.round is not None or shoe.emptied or uncounted or not table.decks.cover_in_shoe:
        return None
    least, left = deepest_cover(table), ends.cover_left if ends.covers else rest
    if left >= least:
        return UPHELD
    if not ends.covers:
        return _never_taken_out(table)
    came = f"The cover card of shoe {shoe.number} came out with {amount(left, 'card')} left"
    message = f"{came}; at least {least} are to be left."
    return _passed(table, message, ("shoe.cover_card_out", "shuffle_cut.cover_card_placed"))


def _ordered(table: Table, staff: str) -> Judgment:
    if staff != table.dealer or staff == table.floorperson:
        return UPHELD
    return _without_order(table, f"The reshuffle was ordered by the dealer {staff}, not by a floorperson.")


def _reshuffled(table: Table) -> Judged:
    """Of the load that follows a shoe: why that shoe had come to its end."""
    ends = table.decks.ends
    if not table.decks.loads:
        return None
    if table.round is not None:
        return _within_a_round(table)
    if ends.covers or ends.ordered or ends.idle or ends.other or ends.beyond_told:
        return UPHELD
    if ends.beyond_cover:
        return _never_taken_out(table)
    early = "was reshuffled before its cover card came out, without an order"
    return _without_order(table, f"Shoe {table.shoe.number} {early}.")


def _within_a_round(table: Table) -> Judged:
    """Of a load in mid-round: that is for a shoe that ran out (12(e), 12(f), 13(f)); else it waits for the round."""
    facts, shoe = table.decks, table.shoe
    begun = table.round is not None and table.round.first_card is not None
    if not begun or facts.reload or facts.ran_out or shoe.emptied or facts.ends.covers or passed_cover(table):
        return None
    left = f"{amount(shoe.remaining, 'card')} left in it"
    message = f"Shoe {shoe.number} was replaced in the middle of a round with {left}."
    return _ended(table, ("shoe.reshuffle_ordered",), "round_ended", message)


def _without_order(table: Table, message: str) -> Breach:
    return _ended(table, ("shoe.reshuffle_ordered",), "floorperson", message)


def _passed(table: Table, message: str, roles: tuple[str, ...] = ("shoe.cover_card_out",)) -> Breach:
    return _ended(table, roles, "cover_card_reached", message)


def _never_taken_out(table: Table) -> Breach:
    return _passed(
        table, f"Shoe {table.shoe.number} was dealt past its cover card, which was never taken out."
    )


def _ended(table: Table, roles: tuple[str, ...], wanted: str, message: str) -> Breach:
    return Breach(
        roles=roles,
        message=message,
        expected={wanted: True},
        observed={wanted: False},
        sequences=(table.shoe.loaded_at,),
    )


@check(
    "shoe.rest_to_rack", decides=("shuffle_cut.idle_face_down", "shoe.rest_to_rack"),
    reads=(e.CardsStacked, e.CardsSpread, e.ShuffleStarted, e.ShufflerLoaded, e.ShoeLoaded), scope="shoe",
    in_round=False,
)  # fmt: skip
def the_rest_of_the_shoe_goes_to_the_rack(moment: Moment, data: BatchTaken) -> Judged:
    """Before a dealt batch is taken up again, what is left of it in the shoe goes to the discard rack."""
    table = moment.table
    shoe, facts = table.shoe, table.decks
    if table.round is not None or not shoe.loaded or not is_cut_by_hand(table):
        return None
    if data.batch != facts.in_use and not isinstance(data, e.ShoeLoaded):
        return None
    if shoe.emptied:
        return UPHELD
    if facts.rest_left == shoe.number:
        return None
    return Breach(
        roles=("shuffle_cut.idle_face_down" if facts.ends.idle else "shoe.rest_to_rack",),
        message=f"{amount(shoe.remaining, f'card of shoe {shoe.number}')} {verb(shoe.remaining, 'was')} not put into "
        "the discard rack.",
        expected={"shoe_emptied": True},
        observed={"shoe_emptied": False},
        sequences=(shoe.loaded_at,),
        unheard="shoe",
    )


@check(
    "shoe.next_round", decides=(
        "shuffle_cut.shuffle_due", "shuffle_cut.idle_face_down", "shoe.reshuffle_after_cover_card", "shoe.last_round",
    ),
    reads=(e.RoundStarted,), scope="shoe", in_round=False,
)  # fmt: skip
def no_round_begins_from_a_shoe_that_must_be_reshuffled(moment: Moment, data: e.RoundStarted) -> Judged:
    """After the round of the cover card, an order or an idle table no round begins before the cards are reshuffled."""
    table = moment.table
    ends, shoe = table.decks.ends, table.shoe
    if not is_cut_by_hand(table) or shoe.emptied:
        return None
    roles: tuple[str, ...]
    if ends.cover_at and data.round > ends.cover_round and not ends.played_past:
        roles, since = ("shoe.last_round", "shoe.reshuffle_after_cover_card"), ends.cover_at
        problem = f"the cover card had come out in round {ends.cover_round}"
    elif ends.ordered and not ends.order_told:
        roles, since, problem = ("shuffle_cut.shuffle_due",), ends.ordered, "a reshuffle had been ordered"
    elif ends.idle and table.decks.rest_left != shoe.number:
        roles, since = ("shuffle_cut.idle_face_down",), ends.idle
        problem = "the table had been idle and its cards stayed in the shoe"
    else:
        return UPHELD
    return Breach(
        roles=roles,
        message=f"Round {data.round} was begun from shoe {shoe.number} although {problem}.",
        expected={"reshuffle": True},
        observed={"reshuffle": False},
        sequences=(since,),
    )
