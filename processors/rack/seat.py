"""Every way in which the hands of one seat can lie in the rack, from where the cursors stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from processors.rack.hands import BUST, UNREAD, Stretch
from processors.rack.house import House
from processors.rack.lanes import Cursors, Limits, goes_before_action
from processors.rack.settlement import Place, loses
from processors.rack.shelf import Rack, Shelf
from processors.rack.splits import SplitPlan, Tree, plans


class Option(Struct, frozen=True, gc=False):
    """The hands of one seat as the rack's cards allow them."""

    after: Cursors
    hands: tuple[Stretch, ...]
    """`x.1` first; each with those of its readings that this option stands for."""
    trees: tuple[Tree, ...]
    """The ways of splitting that fit; empty if the hand was not split."""
    place: Place
    """Where `x.1` went."""
    live: bool
    """A hand stands against the dealer (7(m))."""


class _Left(NamedTuple):
    """Hands left for the final pickup, and the cursors below (or above) them."""

    hands: tuple[Stretch, ...]
    f: int
    g: int


def options(
    rack: Rack, at: Cursors, limits: Limits, last: bool = False, splits: bool = True
) -> Iterator[Option]:
    """Every way in which the next seat's hands can lie at the cursors, without regard to what is known.

    Args:
        rack: the rack.
        at: up to where it is read.
        limits: where the lanes end.
        last: no other seat follows, so the hands must take all that is left (others may be among the options).
        splits: the seat's first two cards may be a pair.
    """
    turn = _Turn(rack, at, limits, last)
    yield from before_action(rack, at, limits)
    yield from turn.in_action()
    yield from turn.picked_up()
    if splits and limits.dealer.kind != "blackjack":
        yield from turn.split()


def before_action(rack: Rack, at: Cursors, limits: Limits) -> Iterator[Option]:
    """The hands of two cards that may have been settled before anybody acted."""
    if at.a == limits.a_end:
        return
    for natural, shelf in ((True, rack.naturals), (False, rack.pairs)):
        if goes_before_action(rack.house, natural, limits.dealer):
            for hand in shelf.starting[at.a]:
                place: Place = "even_money" if natural else "surrender"
                yield Option(at._replace(a=hand.end), (hand,), (), place, live=False)


def parts(house: House, at: Cursors, limits: Limits) -> list[tuple[int, int]]:
    """The parts of the rack not yet read; where two lanes meet at no fixed place they are one part."""
    if house.pickup_order == "seats_ascending":
        lanes = ((at.a, limits.a_end), (at.b, limits.b_end), (at.f, limits.f_end))
        return [(start, end) for start, end in lanes if start < end]
    found = [(at.a, limits.a_end)] if at.a < limits.a_end else []
    losers_apart = house.pickup_order == "losers_first"
    fixed = limits.b_end >= 0
    top, f_floor, g_floor = limits.around(at, losers_apart)
    if at.b < top:
        found.append((at.b, top))
    if (losers_apart or fixed) and f_floor < at.f:
        found.append((f_floor, at.f))
    if losers_apart and fixed and g_floor < at.g:
        found.append((g_floor, at.g))
    return found


def can_be_one_seat(rack: Rack, left: list[tuple[int, int]]) -> bool:
    """Whether these parts of the rack may be one seat's hands: one hand, or hands that begin alike."""
    if len(left) == 1 and left[0] in rack.places:
        return True
    values = {rack.values[start] for start, _ in left}
    values.discard(UNREAD)
    return len(values) < 2 and not (len(left) == 1 and values and values.isdisjoint(rack.split_values))


class _Turn:
    """One seat's turn at the rack."""

    def __init__(self, rack: Rack, at: Cursors, limits: Limits, last: bool) -> None:
        self.rack, self.at, self.limits, self.last = rack, at, limits, last
        self.house = rack.house
        self.dealer = limits.dealer
        self.losers_apart = self.house.pickup_order == "losers_first"
        self.b_limit, self.f_floor, self.g_floor = limits.around(at, self.losers_apart)
        self.unread = parts(self.house, at, limits) if last else []

    def in_action(self) -> Iterator[Option]:
        """The hand went to the rack in its turn: a Blackjack, a surrender, or over 21."""
        if self.dealer.kind == "blackjack":
            return
        at, rack = self.at, self.rack
        kinds: list[tuple[Place, Shelf]] = [("blackjack", rack.naturals)]
        if self.house.surrender:
            kinds.append(("surrender", rack.pairs))
        if self.house.busts_at_once:
            kinds.append(("bust", rack.busts))
        for place, shelf in kinds:
            for hand in shelf.starting[at.b]:
                if hand.end <= self.b_limit:
                    yield Option(at._replace(b=hand.end), (hand,), (), place, live=False)

    def picked_up(self) -> Iterator[Option]:
        """The hand was not split and lies in the final pickup."""
        kind, rack, at = self.dealer.kind, self.rack, self.at
        kinds: list[tuple[bool, Shelf]] = []
        if kind == "blackjack":
            kinds = [(False, rack.naturals), (False, rack.pairs)]
        else:
            if kind != "short":
                kinds.append((True, rack.standing))
                if self.house.push22:
                    kinds.append((False, rack.naturals))
            if not self.house.busts_at_once:
                kinds.append((False, rack.busts))
        for live, shelf in kinds:
            for left in self._next(shelf, at.f, at.g, split=False):
                yield Option(Cursors(at.a, at.b, left.f, left.g), left.hands, (), "pickup", live=live)

    def split(self) -> Iterator[Option]:
        """The hand was split, once or more."""
        house, at, rack = self.house, self.at, self.rack
        begins = {rack.values[start] for start, _ in self.unread} if self.last else set()
        for value in self._split_values():
            if not begins.issubset((value, UNREAD)):
                continue
            at_pickup = self._at_pickup(value)
            if at_pickup < 2 and not rack.split_busts[value].starting[at.b]:
                continue
            tucks, at_once = house.tucks_first(value), house.racks_first_at_once(value)
            left_as: dict[tuple[bool, ...], list[_Left]] = {}
            for count, groups in enumerate(plans(house.hands_at_most, house.busts_at_once, tucks, at_once)):
                racked = [
                    hands
                    for hands in rack.bust_chains(value, at.b, count)
                    if not hands or hands[-1].end <= self.b_limit
                ]
                if not racked:
                    break
                for may_bust, group in groups.items():
                    if len(may_bust) > at_pickup:
                        continue
                    left = left_as.get(may_bust)
                    if left is None:
                        left = left_as[may_bust] = list(self._left(value, may_bust, at.f, at.g))
                    if left:
                        for plan in group:
                            yield from self._laid_out(plan, racked, left)

    def _split_values(self) -> set[int]:
        """Values of which a hand of a split may lie next in one of the lanes."""
        at, rack = self.at, self.rack
        values = {*rack.split_values_at(at.b, upwards=True)}
        if self.house.pickup_order == "seats_ascending":
            return values.union(rack.split_values_at(at.f, upwards=True))
        values.update(rack.split_values_at(at.f, upwards=False))
        return values.union(rack.split_values_at(at.g, upwards=False)) if self.losers_apart else values

    def _at_pickup(self, value: int) -> int:
        """At most so many hands of a split of this value may lie next in the final pickup."""
        if self.house.pickup_order == "seats_ascending":
            return self.rack.longest_row(value, self.at.f, upwards=True)
        losing = self.rack.longest_row(value, self.at.g, upwards=False) if self.losers_apart else 0
        return losing + self.rack.longest_row(value, self.at.f, upwards=False)

    def _laid_out(
        self, plan: SplitPlan, racked: list[tuple[Stretch, ...]], left: list[_Left]
    ) -> Iterator[Option]:
        """Options of one plan: hands racked in action beside hands left for the pickup."""
        place: Place = "bust" if 1 in plan.early else "pickup"
        numbers = (*plan.early, *plan.final)
        for early in racked:
            b = early[-1].end if early else self.at.b
            for final, f, g in left:
                by_number = sorted(zip(numbers, (*early, *final), strict=True))
                live = any(hand.readings[0].total != BUST for hand in final)
                yield Option(
                    Cursors(self.at.a, b, f, g), tuple(hand for _, hand in by_number), plan.trees, place, live
                )

    def _left(self, value: int, may_bust: tuple[bool, ...], f: int, g: int) -> Iterator[_Left]:
        """Hands of a split left for the pickup, lowest number first."""
        if not may_bust:
            yield _Left((), f, g)
            return
        shelves = [self.rack.split_standing[value]] if self.dealer.kind != "short" else []
        if may_bust[0]:
            shelves.append(self.rack.split_busts[value])
        for shelf in shelves:
            for hand, next_f, next_g in self._next(shelf, f, g, split=True):
                for rest in self._left(value, may_bust[1:], next_f, next_g):
                    yield _Left(hand + rest.hands, rest.f, rest.g)

    def _next(self, shelf: Shelf, f: int, g: int, split: bool) -> Iterator[_Left]:
        """The hands of one kind that can lie next in the final pickup."""
        if self.house.pickup_order == "seats_ascending":
            for hand in shelf.starting[f]:
                if hand.end > self.limits.f_end:
                    break
                yield _Left((hand,), hand.end, g)
            return
        for hand in shelf.ending[f]:
            if hand.start >= self.f_floor:
                kept = self._part(hand, False, split) if self.losers_apart else hand
                if kept:
                    yield _Left((kept,), hand.start, g)
        if self.losers_apart:
            for hand in shelf.ending[g]:
                kept = self._part(hand, True, split) if hand.start >= self.g_floor else None
                if kept:
                    yield _Left((kept,), f, hand.start)

    def _part(self, hand: Stretch, losing: bool, split: bool) -> Stretch | None:
        """The hand with those readings that lose, or do not; None if there are none."""
        if len(hand.readings) == 1:
            return hand if loses(hand.readings[0], split, self.dealer) == losing else None
        kept = tuple(r for r in hand.readings if loses(r, split, self.dealer) == losing)
        return hand._replace(readings=kept) if kept else None
