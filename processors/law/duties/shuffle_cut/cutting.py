"""How deep the stack is cut, where its cover card goes, and when it is cut again."""

from __future__ import annotations

from processors.core.facts_decks import Cut
from processors.core.state import Table, seat_of
from processors.law.check import UPHELD, Breach, Judged, Judgment, Moment, check
from processors.law.duties.shuffle_cut import offer
from schemas.amounts import amount
from schemas.events import CoverCardInserted, CutMade, RecutOrdered
from schemas.rulesets.numbers import BlackjackNumbers
from schemas.values import DEALER


def _whole(table: Table, said: int) -> int:
    """Cards of the stack that lies there: a whole batch, or the rack that is loaded anew in mid-round."""
    if table.round is None:
        sizes = {batch.cards for batch in table.batches.values()}
    else:
        sizes = {table.decks.reload_cards, table.decks.reload_rack} if table.decks.reload else set()
    return said if not sizes or said in sizes else max(sizes)


@check(
    "shuffle_cut.cut_depth", decides=("shuffle_cut.cut_depth",),
    reads=(CutMade,), scope="shoe", in_round=False,
)  # fmt: skip
def the_cut_is_deep_enough(moment: Moment, data: CutMade) -> Judged:
    """The whole stack is cut, at least ten cards from either end."""
    if not offer.is_cut_by_hand(moment.table):
        return None
    stack, cutter = _whole(moment.table, data.stack), offer.spot_named(data.by, first=True)
    least = moment.numbers(BlackjackNumbers).cut_from_ends
    deep = least <= data.cards_on_top <= stack - least
    if data.stack != stack:
        message = f"{cutter} cut only {amount(data.stack, 'card')}; the whole stack has {stack}."
    elif deep or stack < 2 * least:
        return UPHELD
    else:
        due = f"at least {least} must be on each side of a stack of {stack}"
        lie = f"{amount(data.cards_on_top, 'card')} on top and {stack - data.cards_on_top} below"
        message = f"{cutter} cut with {lie}; {due}."
    return Breach(
        message=message,
        expected={"least": least, "most": stack - least, "stack": stack},
        observed={"cards_on_top": data.cards_on_top, "stack": data.stack},
    )


@check(
    "shuffle_cut.cut_cover_card", decides=("shuffle_cut.cover_card_placed",),
    reads=(CoverCardInserted,), scope="shoe", in_round=False,
)  # fmt: skip
def the_cover_card_is_not_too_deep(moment: Moment, data: CoverCardInserted) -> Judged:
    """At least a quarter of the stack lies below the cover card."""
    if not offer.is_cut_by_hand(moment.table):
        return None
    stack = _whole(moment.table, data.stack)
    least = moment.numbers(BlackjackNumbers).least_below_cover(stack)
    if data.stack != stack:
        message = f"The cover card was put into {amount(data.stack, 'card')}; the whole stack has {stack}."
    elif least <= data.cards_below <= stack:
        return UPHELD
    else:
        below = f"{amount(data.cards_below, 'card')} of {stack} below it"
        message = f"The cover card was put in with {below}; at least {least} must be."
    return Breach(
        message=message,
        expected={"at_least": least, "stack": stack},
        observed={"cards_below": data.cards_below, "stack": data.stack},
    )


@check(
    "shuffle_cut.cut_again",
    decides=("shuffle_cut.dealer_cuts", "shuffle_cut.recut_demanded", "shuffle_cut.recut_by"),
    reads=(CutMade, RecutOrdered), scope="shoe", in_round=False,
)  # fmt: skip
def a_stack_is_cut_again_only_on_order(moment: Moment, data: CutMade | RecutOrdered) -> Judged:
    """Only the floor orders a recut, between the cut and the load; the last cutter or the next in line makes it."""
    table = moment.table
    cut = table.decks.cut
    if not offer.is_cut_by_hand(table):
        return None
    if isinstance(data, RecutOrdered):
        return _recut_ordered(table, cut, data.staff)
    return _recut_made(table, cut, data.by) if cut.made else None


def _recut_ordered(table: Table, cut: Cut, staff: str) -> Judgment:
    if not cut.made:
        never_cut = ("shuffle_cut.dealer_cuts",) if cut.offers else ()
        message = "A recut was ordered where no cut stack waits to be loaded."
        return _recut(cut, staff, message, "shuffle_cut.recut_demanded", *never_cut)
    if staff == table.dealer and staff != table.floorperson:
        message = f"The recut was ordered by the dealer {staff}, not by a floorperson."
        return _recut(cut, staff, message, "shuffle_cut.recut_demanded")
    return UPHELD


def _recut_made(table: Table, cut: Cut, by: str) -> Judgment:
    cutter = offer.spot_named(by, first=True)
    if not cut.recut_ordered:
        message = f"{cutter} cut a stack that was cut already; no floorperson had ordered it."
        return _recut(cut, by, message, "shuffle_cut.recut_demanded")
    if not _may_recut(table, cut, by):
        rightful = f"{offer.spot_named(cut.by)}, who made the cut, or for the next in line"
        return _recut(cut, by, f"{cutter} made the recut; it was for {rightful}.", "shuffle_cut.recut_by")
    return UPHELD


def _recut(cut: Cut, by: str, message: str, *roles: str) -> Breach:
    return Breach(
        roles=roles,
        message=message,
        expected={"cut_by": cut.by},
        observed={"by": by},
        sequences=tuple(one for one in (cut.made, cut.recut_ordered) if one),
    )


def _may_recut(table: Table, cut: Cut, by: str) -> bool:
    if by == cut.by or not cut.by:
        return True
    if any(str(one.seat) == by[0] and one.offered > one.refused for one in cut.offers):
        return True
    if by == DEALER and all(one.refused for one in cut.offers):
        return True
    if cut.by == DEALER:
        return False
    following = offer.next_counterclockwise(table, seat_of(cut.by))
    if by == DEALER:  # next in line only where no rotation is written (A17), or nobody is left
        first = cut.offers[0].seat if cut.offers else 0
        return not following or not any(first in who.seats and who.rotation for who in offer.entitled(table))
    return seat_of(by) in following
