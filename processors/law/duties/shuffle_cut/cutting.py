"""Section 5(b)-(e): the stack is offered for the cut, cut deep enough, cut anew on order, and gets its cover card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from processors.core.facts_decks import Cut
from processors.core.folding.decks import stack_waits
from processors.core.state import Table, seat_of
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.deck_clauses import cite
from schemas.events import CoverCardInserted, CutMade, RecutOrdered
from schemas.values import BONUS, DEALER

LEAST_CARDS = 10


class Entitled(NamedTuple):
    """Who may be offered the cut first, why, and whether a refused offer must rotate counterclockwise."""

    seats: frozenset[int]
    clause: str
    rotation: str | None


def entitled(table: Table) -> list[Entitled]:
    """Those whom 5(c) lets be first; empty where it names nobody."""
    facts, ends = table.decks, table.decks.ends
    found = []
    if facts.beginning:
        first = facts.first_seats() & set(table.players)
        if first:
            found.append(Entitled(frozenset(first), "{ch}.5(c)(1)", None))
    last = frozenset({max(table.players)}) if table.players else frozenset[int]()
    for spot in ends.covers:
        if spot in (DEALER, BONUS):
            found.append(Entitled(last, "{ch}.5(c)(3)#1", "{ch}.5(c)(3)#2"))
        elif seat_of(spot) in table.players:
            found.append(Entitled(frozenset({seat_of(spot)}), "{ch}.5(c)(2)", None))
    if ends.ordered:
        found.append(Entitled(last, "{ch}.5(c)(4)#1", "{ch}.5(c)(4)#2"))
    return [who for who in found if who.seats]


def next_counterclockwise(table: Table, seat: int) -> frozenset[int]:
    """Seats that the offer may pass to: the next player's, or another box of the same player before it."""
    found = []
    for other in sorted((one for one in table.players if one < seat), reverse=True):
        found.append(other)
        if table.players[other] != table.players.get(seat):
            break
    return frozenset(found)


def applies(moment: Moment) -> bool:
    """Whether section 5(b)-(g) governs: not where the device reshuffles by itself (5(h), A39)."""
    config = moment.table.config
    return config is not None and config.shuffler not in ("continuous", "self_shuffling")


class _Fault(NamedTuple):
    clauses: tuple[str, ...]
    words: str
    reading: str | None = None


@check(
    "shuffle_cut.cut_offer",
    decides=(
        "shuffle_cut.stack_offered", "shuffle_cut.dealer_cuts", "shuffle_cut.first_arrival_cuts",
        "shuffle_cut.cover_card_player_cuts", "shuffle_cut.dealer_card_right_cuts",
        "shuffle_cut.dealer_card_refused", "shuffle_cut.ordered_right_cuts", "shuffle_cut.ordered_refused",
    ),
    formerly="cut.offer",
    reads=(CutMade,),
    scope="shoe",
    in_round=False,
    readings=("A17",),
)  # fmt: skip
def the_cut_is_offered_in_order(moment: Moment, data: CutMade) -> Iterator[Judgment]:
    """The stack is offered first to the player of 5(c), passes on when refused, and the dealer cuts only then."""
    table = moment.table
    cut = table.decks.cut
    if not applies(moment) or cut.made or table.config is None or not stack_waits(table):
        return
    fault = _offer_fault(table, cut, data.by, moment.readings["A17"])
    if fault is None:
        yield UPHELD
        return
    yield Breach(
        clauses=cite(table.config.ruleset, fault.clauses),
        message=fault.words,
        expected={"first_offer_to": sorted({seat for who in entitled(table) for seat in who.seats})},
        observed={"offered_to": [offer.seat for offer in cut.offers], "cut_by": data.by},
        sequences=tuple(offer.offered or offer.refused for offer in cut.offers),
        verdict="interpretation" if fault.reading else "breached",
        reading=fault.reading,
    )


def _offer_fault(table: Table, cut: Cut, by: str, refused: str) -> _Fault | None:
    rightful = entitled(table)
    if not cut.offers:
        if not table.players:
            return None
        named = tuple(who.clause for who in rightful[:1])
        return _Fault(("{ch}.5(b)#1", *named), f"The stack was cut by {_spot(by)} without being offered.")
    first = cut.offers[0].seat
    if not cut.offers[0].offered:
        named = tuple(who.clause for who in rightful[:1])
        return _Fault(("{ch}.5(b)#1", *named), f"Seat {first} refused a cut it had not been offered.")
    fitting = [who for who in rightful if first in who.seats]
    if rightful and not fitting:
        seats = " or ".join(str(seat) for seat in sorted(rightful[0].seats))
        return _Fault(
            (rightful[0].clause, "{ch}.5(b)#1"),
            f"The cut was offered first to seat {first}; seat {seats} comes first.",
        )
    rotation = fitting[0].rotation if fitting else None
    fault = _passing_fault(table, cut, rotation) or _cutter_fault(table, cut, by, rotation)
    return fault or (None if rotation else _refused_fault(table, cut, by, refused))


def _refused_fault(table: Table, cut: Cut, by: str, policy: str) -> _Fault | None:
    """What a stricter reading of a cut refused under 5(c)(1) or (2) forbids: the dealer too soon, or a rotation."""
    passed_on = len({table.players.get(offer.seat, "") for offer in cut.offers}) > 1
    if policy == "dealer" and passed_on:
        return _Fault(
            ("{ch}.5(b)#1",), f"A cut that seat {cut.offers[0].seat} refused was offered to others."
        )
    if policy == "rotation" and by == DEALER:
        seat = _not_asked(table, cut)
        if seat is not None:
            return _Fault(("{ch}.5(b)#2",), f"The dealer cut, but seat {seat} had not been offered the cut.")
    return None


def _not_asked(table: Table, cut: Cut) -> int | None:
    """The highest seat of a player who was not offered the cut at any of his boxes."""
    asked = {table.players.get(offer.seat, "") for offer in cut.offers}
    return max((seat for seat, player in table.players.items() if player not in asked), default=None)


def _passing_fault(table: Table, cut: Cut, rotation: str | None) -> _Fault | None:
    clause = (rotation or "{ch}.5(b)#1",)
    for before, after in zip(cut.offers, cut.offers[1:], strict=False):
        if not before.refused:
            return _Fault(clause, f"The cut passed on from seat {before.seat}, which had not refused it.")
        if not after.offered:
            return _Fault(
                (*clause, "{ch}.5(b)#1"), f"Seat {after.seat} refused a cut it had not been offered."
            )
        if after.seat in next_counterclockwise(table, before.seat):
            continue
        if rotation:
            return _Fault(
                clause,
                f"After seat {before.seat} the cut was offered to seat {after.seat}, "
                "not to the next player counterclockwise.",
            )
        if after.seat != max(table.players, default=0):
            return _Fault(
                clause, f"A refused cut passed from seat {before.seat} to seat {after.seat}.", "A17"
            )
    return None


def _cutter_fault(table: Table, cut: Cut, by: str, rotation: str | None) -> _Fault | None:
    last = cut.offers[-1]
    if by != DEALER:
        owner = table.players.get(last.seat)
        same = by[0] == str(last.seat) or (owner and owner == table.players.get(seat_of(by)))
        if same and last.offered and not last.refused:
            return None
        clauses = (rotation, "{ch}.5(b)#1") if rotation else ("{ch}.5(b)#1",)
        return _Fault(clauses, f"{_spot(by)} cut the stack, which was last offered to seat {last.seat}.")
    if not last.refused:
        return _Fault(("{ch}.5(b)#2",), f"The dealer cut, but seat {last.seat} had not refused the cut.")
    seat = _not_asked(table, cut) if rotation else None
    if rotation and seat is not None:
        return _Fault(
            (rotation, "{ch}.5(b)#2"),
            f"The dealer cut, but seat {seat} had not been offered the cut.",
        )
    return None


def _spot(by: str) -> str:
    return "the dealer" if by == DEALER else f"seat {by}"


def stack_sizes(table: Table) -> set[int]:
    """How many cards a stack can have now: a whole batch, or the rack that is loaded anew in mid-round."""
    if table.round is not None:
        return {table.decks.reload_cards, table.decks.reload_rack} if table.decks.reload else set()
    return {batch.cards for batch in table.batches.values()}


def _true_size(table: Table, said: int) -> int:
    sizes = stack_sizes(table)
    return said if not sizes or said in sizes else max(sizes)


@check(
    "shuffle_cut.cut_depth",
    decides=("shuffle_cut.cut_depth",),
    formerly="cut.depth",
    reads=(CutMade,),
    scope="shoe",
    in_round=False,
)
def the_cut_is_deep_enough(moment: Moment, data: CutMade) -> Iterator[Judgment]:
    """The whole stack is cut, at least ten cards from either end."""
    table = moment.table
    if not applies(moment) or table.config is None:
        return
    stack = _true_size(table, data.stack)
    deep = LEAST_CARDS <= data.cards_on_top <= stack - LEAST_CARDS
    if data.stack == stack and (deep or stack < 2 * LEAST_CARDS):
        yield UPHELD
        return
    yield Breach(
        clauses=cite(table.config.ruleset, ("{ch}.5(d)#1",)),
        message=f"{_spot(data.by)[0].upper()}{_spot(data.by)[1:]} cut with {data.cards_on_top} cards on top and "
        f"{data.stack - data.cards_on_top} below; at least {LEAST_CARDS} must be on each side of a stack of {stack}.",
        expected={"least": LEAST_CARDS, "most": stack - LEAST_CARDS, "stack": stack},
        observed={"cards_on_top": data.cards_on_top, "stack": data.stack},
    )


@check(
    "shuffle_cut.cut_cover_card",
    decides=("shuffle_cut.cover_card_placed",),
    formerly="cut.cover_card",
    reads=(CoverCardInserted,),
    scope="shoe",
    in_round=False,
)
def the_cover_card_is_not_too_deep(moment: Moment, data: CoverCardInserted) -> Iterator[Judgment]:
    """At least a quarter of the stack lies below the cover card."""
    table = moment.table
    if not applies(moment) or table.config is None:
        return
    stack = _true_size(table, data.stack)
    if data.stack == stack and stack <= 4 * data.cards_below <= 4 * stack:
        yield UPHELD
        return
    yield Breach(
        clauses=cite(table.config.ruleset, ("{ch}.5(d)#3",)),
        message=f"The cover card was put in with {data.cards_below} cards of {data.stack} below it; "
        f"at least {-(-stack // 4)} of {stack} must be.",
        expected={"at_least": -(-stack // 4), "stack": stack},
        observed={"cards_below": data.cards_below, "stack": data.stack},
    )


@check(
    "shuffle_cut.cut_again",
    decides=(
        "shuffle_cut.dealer_cuts",
        "shuffle_cut.recut_demanded",
        "shuffle_cut.recut_by",
    ),
    formerly="cut.again",
    reads=(CutMade, RecutOrdered),
    scope="shoe",
    in_round=False,
)
def a_stack_is_cut_again_only_on_order(moment: Moment, data: CutMade | RecutOrdered) -> Iterator[Judgment]:
    """Only the floor orders a recut, between the cut and the load; the last cutter or the next in line makes it."""
    table = moment.table
    cut = table.decks.cut
    if not applies(moment) or table.config is None:
        return
    uncut = isinstance(data, RecutOrdered) and bool(cut.offers) and not cut.made
    if isinstance(data, RecutOrdered):
        problem = _order_fault(table, cut, data.staff)
        clause = "{ch}.5(e)#1"
    elif not cut.made:
        return
    elif not cut.recut_ordered:
        problem = f"{_spot(data.by)} cut a stack that was cut already; no floorperson had ordered it"
        clause = "{ch}.5(e)#1"
    else:
        problem = (
            None if _may_recut(table, cut, data.by) else f"{_spot(data.by)} was not the one to cut again"
        )
        clause = "{ch}.5(e)#2"
    if problem is None:
        yield UPHELD
        return
    yield Breach(
        clauses=cite(table.config.ruleset, (clause, *(("{ch}.5(b)#2",) if uncut else ()))),
        message=f"{problem[0].upper()}{problem[1:]}.",
        expected={"cut_by": cut.by},
        observed={"by": data.staff if isinstance(data, RecutOrdered) else data.by},
        sequences=tuple(one for one in (cut.made, cut.recut_ordered) if one),
    )


def _order_fault(table: Table, cut: Cut, staff: str) -> str | None:
    if not cut.made:
        return "a recut was ordered where no cut stack waits to be loaded"
    if staff == table.dealer and staff != table.floorperson:
        return f"the dealer {staff} ordered the recut, not a floorperson"
    return None


def _may_recut(table: Table, cut: Cut, by: str) -> bool:
    if by == cut.by or not cut.by:
        return True
    if any(str(offer.seat) == by[0] and offer.offered > offer.refused for offer in cut.offers):
        return True
    if by == DEALER and all(offer.refused for offer in cut.offers):
        return True
    if cut.by == DEALER:
        return False
    following = next_counterclockwise(table, seat_of(cut.by))
    if by == DEALER:  # next in line only where no rotation is written (A17), or nobody is left
        first = cut.offers[0].seat if cut.offers else 0
        return not following or not any(first in who.seats and who.rotation for who in entitled(table))
    return seat_of(by) in following
