"""Every way in which the hands of one seat can lie in the rack, from where the cursors stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from processors.rack.hands import ACE, BUST, Reading, Stretch
from processors.rack.lanes import Cursors, Division, Rack, goes_before_action
from processors.rack.settlement import Place, loses
from processors.rack.splits import Pattern, Tree, patterns


class Option(NamedTuple):
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


_Rule = Callable[[Reading], bool]
_Final = tuple[Stretch, int, int]


def options(rack: Rack, at: Cursors, division: Division) -> list[Option]:
    """Every way in which the next seat's hands can lie at the cursors, without regard to what is known."""
    turn = _Turn(rack, at, division)
    found = [*turn.before_action(), *turn.in_action(), *turn.picked_up()]
    if division.dealer_reading.kind != "blackjack":
        found.extend(turn.split())
    return found


class _Turn:
    """One seat's turn at the rack."""

    def __init__(self, rack: Rack, at: Cursors, division: Division) -> None:
        self.rack, self.at, self.division = rack, at, division
        self.house = rack.house
        self.dealer = division.dealer_reading
        self.descending = self.house.pickup_order != "seats_ascending"
        self.losers_apart = self.house.pickup_order == "losers_first"
        lowest = at.g if self.losers_apart else at.f
        self.b_limit = division.b_end if division.b_end >= 0 else lowest

    def before_action(self) -> Iterator[Option]:
        """The hand was settled before anybody acted."""
        at = self.at
        pair = self.rack.pair(at.a) if at.a < self.division.a_end else None
        if pair is None:
            return
        for natural in (True, False):
            if goes_before_action(self.house, natural, self.dealer) and (
                hand := _only(pair, lambda r, natural=natural: r.natural == natural)
            ):
                place: Place = "even_money" if natural else "surrender"
                yield Option(at._replace(a=at.a + 2), (hand,), (), place, live=False)

    def in_action(self) -> Iterator[Option]:
        """The hand went to the rack in its turn: a Blackjack, a surrender, or over 21."""
        if self.dealer.kind == "blackjack":
            return
        at = self.at
        for stretch in self.rack.starting[at.b] if at.b < self.b_limit else ():
            if stretch.end > self.b_limit:
                break
            after = at._replace(b=stretch.end)
            if stretch.end - stretch.start == 2:
                if hand := _only(stretch, lambda r: r.natural):
                    yield Option(after, (hand,), (), "blackjack", live=False)
                if self.house.surrender and (hand := _only(stretch, lambda r: not r.natural)):
                    yield Option(after, (hand,), (), "surrender", live=False)
            elif self.house.busts_at_once and (hand := _only(stretch, _is_bust)):
                yield Option(after, (hand,), (), "bust", live=False)

    def picked_up(self) -> Iterator[Option]:
        """The hand was not split and lies in the final pickup."""
        kind, house = self.dealer.kind, self.house
        rules: list[tuple[_Rule, bool]] = []
        if kind == "blackjack" or house.push22 and kind != "short":
            rules.append((lambda r: r.natural, False))
        if kind != "short":
            rules.append((lambda r: not r.natural and r.total != BUST, True))
        if not house.busts_at_once:
            rules.append((_is_bust, False))
        for hand, f, g in self._final(self.at.f, self.at.g, [rule for rule, _ in rules], split=False):
            if kind == "blackjack" and hand.end - hand.start != 2:
                continue
            reading = hand.readings[0]
            live = not reading.natural and reading.total != BUST
            yield Option(self._after(self.at.b, f, g), (hand,), (), "pickup", live=live)

    def split(self) -> Iterator[Option]:
        """The hand was split, once or more."""
        for value in self._first_values():
            for count in range(2, self.house.hands_at_most + 1):
                for pattern in patterns(
                    count,
                    self.house.busts_at_once,
                    self.house.tucks_first(value),
                    self.house.racks_first_at_once(value),
                ):
                    yield from self._laid_out(value, pattern)

    def _laid_out(self, value: int, pattern: Pattern) -> Iterator[Option]:
        for racked, b in self._racked_in_action(value, self.at.b, len(pattern.early)):
            for left, f, g in self._left_for_pickup(value, pattern, 0, self.at.f, self.at.g):
                by_number = dict(zip((*pattern.early, *pattern.final), (*racked, *left), strict=True))
                yield Option(
                    self._after(b, f, g),
                    tuple(by_number[number] for number in sorted(by_number)),
                    pattern.trees,
                    "bust" if 1 in pattern.early else "pickup",
                    live=any(hand.readings[0].total != BUST for hand in left),
                )

    def _first_values(self) -> list[int]:
        """Values that two hands in reach can share as their first cards'."""
        at, rack = self.at, self.rack
        reach = [stretch for stretch, _, _ in self._reach(at.f, at.g)]
        if at.b < self.b_limit:
            reach += rack.starting[at.b]
        return sorted({reading.first for stretch in reach for reading in stretch.readings})

    def _racked_in_action(self, value: int, b: int, count: int) -> Iterator[tuple[tuple[Stretch, ...], int]]:
        if not count:
            yield (), b
            return
        for stretch in self.rack.starting[b] if b < self.b_limit else ():
            if stretch.end > self.b_limit:
                break
            hand = _only(stretch, lambda r: r.first == value and r.total == BUST)
            if hand and not self._too_long(value, hand):
                for rest, end in self._racked_in_action(value, stretch.end, count - 1):
                    yield (hand, *rest), end

    def _left_for_pickup(
        self, value: int, pattern: Pattern, done: int, f: int, g: int
    ) -> Iterator[tuple[tuple[Stretch, ...], int, int]]:
        if done == len(pattern.final):
            yield (), f, g
            return
        for hand, next_f, next_g in self._final(
            f, g, self._split_rules(value, pattern, pattern.final[done]), split=True
        ):
            if self._too_long(value, hand):
                continue
            for rest, last_f, last_g in self._left_for_pickup(value, pattern, done + 1, next_f, next_g):
                yield (hand, *rest), last_f, last_g

    def _too_long(self, value: int, hand: Stretch) -> bool:
        """Whether a split ace was dealt to where it may have one card only (685a.10(e))."""
        return value == ACE and self.house.split_aces_one_card and hand.end - hand.start > 2

    def _split_rules(self, value: int, pattern: Pattern, number: int) -> list[_Rule]:
        house = self.house
        rules: list[_Rule] = []
        if self.dealer.kind != "short":
            rules.append(lambda r: r.first == value and r.total != BUST)
        if house.busts_at_once:
            # Tucked, because another hand of the seat still stands.
            may_bust = house.tucks_first(value) and number == 1 and len(pattern.final) > 1
        else:
            may_bust = not (house.racks_first_at_once(value) and number == 1)
        if may_bust:
            rules.append(lambda r: r.first == value and r.total == BUST)
        return rules

    def _reach(self, f: int, g: int) -> Iterator[_Final]:
        """Hands that lie next in the final pickup, and the cursors after them."""
        rack, division = self.rack, self.division
        if not self.descending:
            for stretch in rack.starting[f] if f < division.f_end else ():
                if stretch.end > division.f_end:
                    break
                yield stretch, stretch.end, g
            return
        floor = division.f_end if division.f_end >= 0 else self.at.b
        for stretch in rack.ending[f]:
            if stretch.start >= floor:
                yield stretch, stretch.start, g
        if self.losers_apart:
            floor = division.g_end if division.g_end >= 0 else self.at.b
            for stretch in rack.ending[g]:
                if stretch.start >= floor:
                    yield stretch, f, stretch.start

    def _final(self, f: int, g: int, rules: list[_Rule], split: bool) -> Iterator[_Final]:
        for stretch, next_f, next_g in self._reach(f, g):
            for rule in rules:
                if self.losers_apart:
                    rule = self._in_its_part(rule, losing=next_g != g, split=split)
                if hand := _only(stretch, rule):
                    yield hand, next_f, next_g

    def _in_its_part(self, rule: _Rule, losing: bool, split: bool) -> _Rule:
        return lambda r: rule(r) and loses(r, split, self.dealer) == losing

    def _after(self, b: int, f: int, g: int) -> Cursors:
        return Cursors(self.at.a, b, f, g)


def _is_bust(reading: Reading) -> bool:
    return reading.total == BUST


def _only(stretch: Stretch, rule: _Rule) -> Stretch | None:
    """The hand with those of its readings that keep the rule; None if none does."""
    kept = tuple(reading for reading in stretch.readings if rule(reading))
    return stretch._replace(readings=kept) if kept else None
