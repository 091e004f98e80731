"""To whom the stack is offered for the cut, how a refused offer passes on, and who cuts at last."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from processors.core.facts_decks import Cut
from processors.core.folding.decks import stack_waits
from processors.core.state import Table, seat_of
from processors.law.check import UPHELD, Breach, Indeterminate, Judged, Moment, check
from schemas.events import CutMade
from schemas.values import BONUS, DEALER


class Entitled(NamedTuple):
    """Who may be offered the cut first, the role that says so, and the one that makes a refused offer rotate."""

    seats: frozenset[int]
    role: str
    rotation: str | None


def entitled(table: Table) -> list[Entitled]:
    """Those whom the order of the cut lets be first; empty where it names nobody."""
    facts, ends = table.decks, table.decks.ends
    found = []
    if facts.beginning:
        first = facts.first_seats() & set(table.players)
        if first:
            found.append(Entitled(frozenset(first), "shuffle_cut.first_arrival_cuts", None))
    last = frozenset({max(table.players)}) if table.players else frozenset[int]()
    for spot in ends.covers:
        if spot in (DEALER, BONUS):
            rotation = "shuffle_cut.dealer_card_refused"
            found.append(Entitled(last, "shuffle_cut.dealer_card_right_cuts", rotation))
        elif seat_of(spot) in table.players:
            found.append(Entitled(frozenset({seat_of(spot)}), "shuffle_cut.cover_card_player_cuts", None))
    if ends.ordered:
        found.append(Entitled(last, "shuffle_cut.ordered_right_cuts", "shuffle_cut.ordered_refused"))
    return [who for who in found if who.seats]


def next_counterclockwise(table: Table, seat: int) -> frozenset[int]:
    """Seats that the offer may pass to: the next player's, or another box of the same player before it."""
    found = []
    for other in sorted((one for one in table.players if one < seat), reverse=True):
        found.append(other)
        if table.players[other] != table.players.get(seat):
            break
    return frozenset(found)


def is_cut_by_hand(table: Table) -> bool:
    """Whether stacks are cut and get a cover card: not where the device reshuffles by itself (A39)."""
    return table.config is not None and table.config.shuffler not in ("continuous", "self_shuffling")


def spot_named(by: str, *, first: bool = False) -> str:
    """Who cuts, in words; `first` where the sentence begins with it."""
    words = "the dealer" if by == DEALER else f"seat {by}"
    return words[0].upper() + words[1:] if first else words


class _Fault(NamedTuple):
    roles: tuple[str, ...]
    words: str
    reading: str | None = None


@check(
    "shuffle_cut.cut_offer", decides=(
        "shuffle_cut.stack_offered", "shuffle_cut.dealer_cuts", "shuffle_cut.first_arrival_cuts",
        "shuffle_cut.cover_card_player_cuts", "shuffle_cut.dealer_card_right_cuts", "shuffle_cut.dealer_card_refused",
        "shuffle_cut.ordered_right_cuts", "shuffle_cut.ordered_refused",
    ),
    reads=(CutMade,), scope="shoe", in_round=False, readings=("A17",),
)  # fmt: skip
def the_cut_is_offered_in_order(moment: Moment, data: CutMade) -> Judged:
    """The stack is offered first to the player of 5(c), passes on when refused, and the dealer cuts only then."""
    table = moment.table
    cut = table.decks.cut
    if not is_cut_by_hand(table) or cut.made or not stack_waits(table):
        return None
    fault = next(_faults(table, cut, data.by, moment.readings["A17"]), None)
    if fault is None:
        return UPHELD
    if table.blind.seats and cut.offers:
        return Indeterminate(roles=fault.roles, message=fault.words, missing=tuple(table.blind.seats))
    return Breach(
        roles=fault.roles,
        message=fault.words,
        expected={"first_offer_to": sorted({seat for who in entitled(table) for seat in who.seats})},
        observed={"offered_to": [offer.seat for offer in cut.offers], "cut_by": data.by},
        sequences=tuple(offer.offered or offer.refused for offer in cut.offers),
        verdict="interpretation" if fault.reading else "breached",
        reading=fault.reading,
    )


def _faults(table: Table, cut: Cut, by: str, refused: str) -> Iterator[_Fault]:
    """What was wrong with offers and cut, in their order; `refused` is the policy for a cut that was refused."""
    rightful = entitled(table)
    named = tuple(who.role for who in rightful[:1])
    if not cut.offers:
        if table.players:
            words = f"The stack was cut by {spot_named(by)} without having been offered to a player."
            yield _Fault(("shuffle_cut.stack_offered", *named), words)
        return
    first = cut.offers[0]
    if not first.offered:
        yield _Fault(("shuffle_cut.stack_offered", *named), _not_offered(first.seat))
    fitting = [who for who in rightful if first.seat in who.seats]
    if rightful and not fitting:
        seats = " or ".join(str(seat) for seat in sorted(rightful[0].seats))
        words = f"The cut was offered first to seat {first.seat}; seat {seats} comes first."
        yield _Fault((*named, "shuffle_cut.stack_offered"), words)
    rotation = fitting[0].rotation if fitting else None
    yield from _passing_faults(table, cut, rotation)
    yield from _cutter_faults(table, cut, by, rotation)
    if rotation:
        return
    # Stricter readings of a cut refused without a rotation: the dealer cuts then, or the offer goes round.
    if refused == "dealer" and len({table.players.get(offer.seat, "") for offer in cut.offers}) > 1:
        words = f"A cut that seat {first.seat} refused was offered to others."
        yield _Fault(("shuffle_cut.stack_offered",), words)
    if refused == "rotation" and by == DEALER:
        yield from _dealer_too_soon(table, cut, ("shuffle_cut.dealer_cuts",))


def _not_offered(seat: int) -> str:
    return f"Seat {seat} refused a cut it had not been offered."


def _dealer_too_soon(table: Table, cut: Cut, roles: tuple[str, ...]) -> Iterator[_Fault]:
    """The dealer cut while a player had not been offered the cut at any of his boxes: the highest seat of one."""
    asked = {table.players.get(offer.seat, "") for offer in cut.offers}
    seat = max((seat for seat, player in table.players.items() if player not in asked), default=None)
    if seat is not None:
        yield _Fault(roles, f"The dealer cut, but seat {seat} had not been offered the cut.")


def _passing_faults(table: Table, cut: Cut, rotation: str | None) -> Iterator[_Fault]:
    role = rotation or "shuffle_cut.stack_offered"
    for before, after in zip(cut.offers, cut.offers[1:], strict=False):
        if not before.refused:
            words = f"The cut passed on from seat {before.seat}, which had not refused it."
            yield _Fault((role,), words)
        elif not after.offered:
            yield _Fault((role, "shuffle_cut.stack_offered"), _not_offered(after.seat))
        elif after.seat in next_counterclockwise(table, before.seat):
            continue
        elif rotation:
            words = f"After seat {before.seat} the cut was offered to seat {after.seat}"
            yield _Fault((role,), f"{words}, not to the next player counterclockwise.")
        elif after.seat != max(table.players, default=0):
            words = f"A refused cut passed from seat {before.seat} to seat {after.seat}."
            yield _Fault((role,), words, "A17")


def _cutter_faults(table: Table, cut: Cut, by: str, rotation: str | None) -> Iterator[_Fault]:
    last = cut.offers[-1]
    also = (rotation,) if rotation else ()
    if by != DEALER:
        owner = table.players.get(last.seat)
        same = by[0] == str(last.seat) or (owner and owner == table.players.get(seat_of(by)))
        if not same or not last.offered or last.refused:
            words = f"{spot_named(by, first=True)} cut the stack, which was last offered to seat {last.seat}."
            yield _Fault((*also, "shuffle_cut.stack_offered"), words)
    elif not last.refused:
        words = f"The dealer cut, but seat {last.seat} had not refused the cut."
        yield _Fault(("shuffle_cut.dealer_cuts",), words)
    elif rotation:
        yield from _dealer_too_soon(table, cut, (rotation, "shuffle_cut.dealer_cuts"))
