"""What a player's hand is worth against one dealer's up card, played as well as can be from there on.

Every worth is in units of the main wager. A hand gains `wins` units if it wins and loses `loses` units if it loses:
1 and 1 for chips, 1 and 0 for a lammer, and a double adds to one or both.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import nan
from typing import Final, Literal

from msgspec import Struct

from processors.play.composition import VALUES, Composition, plus
from processors.play.dealer import Ends, ends
from processors.play.game import Game

Choice = Literal["stand", "hit", "double", "split", "surrender"]
TWENTY_ONE: Final = 21  # a hand that counts more has lost
SURRENDERED = -0.5


class Money(Struct, frozen=True):
    """What a hand gains and loses, in units of the main wager."""

    wins: int = 1
    loses: int = 1


CHIPS, LAMMER = Money(1, 1), Money(1, 0)


class PlayedHand(Struct, frozen=True):
    """A hand as far as its play goes: its count, what it may still do, and its money.

    first_two: nothing was drawn to it. pair: the value of which it holds two, 0 for none. large: two original Large
    cards. split: it came of a split. more_hands: how many hands its box may still add.
    """

    total: int
    soft: bool
    first_two: bool = True
    pair: int = 0
    large: bool = False
    split: bool = False
    more_hands: int = 0
    money: Money = CHIPS


def _at(total: int, soft: bool) -> int:
    """The place of a count in what is known of all."""
    return 2 * total + soft


After = tuple[tuple[tuple[int, int], ...], ...]


@lru_cache(maxsize=16)
def _after(limit: int) -> After:
    """By the place of a count, what each value makes of it as the next card: the total, and the place of the count."""
    return tuple(
        tuple((count[0], _at(*count)) for count in (plus(total, soft, value, limit) for value in VALUES))
        if total > 1
        else ()
        for total in range(TWENTY_ONE + 1)
        for soft in (False, True)
    )


_MOST: Final = TWENTY_ONE + 11
_UNKNOWN: Final = array("d", [nan]) * (2 * TWENTY_ONE + 2)


class _Paid:
    """What is known of hands with this money against one dealer, in arrays: there are thousands of these.

    `left` has the worth of a hand that takes no more cards, by total; `hits` and `doubled` that of a card more and of a
    double, by the place of the count, nan where nobody asked; `halves` that of a hand of a split, by the card it was
    split from and its second card.
    """

    __slots__ = ("doubled", "halves", "hits", "left")

    def __init__(self, left: Iterable[float]) -> None:
        self.left = array("d", left)
        self.hits = _UNKNOWN[:]
        self.doubled = _UNKNOWN[:]
        self.halves: dict[int, array[float]] = {}


class Against:
    """The worth of hands against one up card and what is known of the hole card.

    What many hands have in common is kept once computed, and no more: whoever asks keeps its answers.
    """

    def __init__(self, game: Game, composition: Composition, up: int, holes: Sequence[int]) -> None:
        self.game = game
        self.ends: Ends = ends(game, composition, up, holes)
        self._shares = composition.shares
        self._after = _after(game.player_limit)
        # Below the lowest total at which the dealer ends all totals are worth the same.
        lowest = min(min(self.ends), TWENTY_ONE) - 1
        settled = [self._chances(total, False) for total in range(lowest, TWENTY_ONE + 1)]
        self._settled = settled[:1] * lowest + settled
        self._of_money: dict[Money, _Paid] = {}
        self._splits: dict[tuple[int, int, int], float] = {}

    def _chances(self, total: int, large: bool) -> tuple[float, float]:
        """Chances that a hand left at this total wins, and that it loses (7(n) to (q))."""
        push, paid = self.game.push_total, self.game.pays_against_push and (total == TWENTY_ONE or large)
        won = sum(
            chance
            for end, chance in self.ends.items()
            if end > push or (end == push and paid) or (end != push and end < total)
        )
        return won, sum(chance for end, chance in self.ends.items() if total < end < push)

    def left(self, total: int, money: Money, large: bool = False) -> float:
        """The worth of a hand that takes no more cards; one over 21 has lost."""
        if total > TWENTY_ONE:
            return -float(money.loses)
        won, lost = self._chances(total, large) if large else self._settled[total]
        return won * money.wins * self.game.odds_main - lost * money.loses

    def _paid(self, money: Money) -> _Paid:
        paid = self._of_money.get(money)
        if paid is None:
            paid = self._of_money[money] = _Paid(self.left(total, money) for total in range(_MOST + 1))
        return paid

    def hit(self, total: int, soft: bool, money: Money) -> float:
        """The worth of one more card, and of what is best from there."""
        return self._hit(self._paid(money), _at(total, soft))

    def _hit(self, paid: _Paid, count: int) -> float:
        worth = paid.hits[count]
        if worth != worth:  # not known yet
            worth, left, hits = 0.0, paid.left, paid.hits
            for share, (total, after) in zip(self._shares, self._after[count], strict=True):
                best = left[total]
                if total < TWENTY_ONE:
                    more = hits[after]
                    if more != more:
                        more = self._hit(paid, after)
                    if more > best:
                        best = more
                worth += share * best
            hits[count] = worth
        return worth

    def double(self, total: int, soft: bool, money: Money) -> float:
        """The worth of a double in full, free where the game gives it (9(a))."""
        known, count = self._paid(money).doubled, _at(total, soft)
        worth = known[count]
        if worth != worth:
            free = not soft and total in self.game.free_doubles
            worth = known[count] = self.once(total, soft, Money(money.wins + 1, money.loses + (not free)))
        return worth

    def once(self, total: int, soft: bool, money: Money) -> float:
        """The worth of one card more and no further."""
        left = self._paid(money).left
        return sum(
            share * left[after]
            for share, (after, _) in zip(self._shares, self._after[_at(total, soft)], strict=True)
        )

    def worths(self, held: PlayedHand) -> dict[Choice, float]:
        """The worth of every choice that the rules leave this hand; a hand of 21 only stands (7(j)(1))."""
        game, money = self.game, held.money
        worths: dict[Choice, float] = {"stand": self.left(held.total, money, held.large)}
        if held.total >= TWENTY_ONE or (held.split and held.pair == 11 and game.split_aces_one_card):
            return worths
        worths["hit"] = self.hit(held.total, held.soft, money)
        if held.first_two:
            worths["double"] = self.double(held.total, held.soft, money)
        if held.first_two and held.pair and held.more_hands:
            worths["split"] = self.split(held)
        if game.surrender and held.first_two and not held.split:
            worths["surrender"] = SURRENDERED * money.loses
        return worths

    def best(self, held: PlayedHand) -> float:
        """The worth of the best choice."""
        return max(self.worths(held).values())

    def split(self, held: PlayedHand) -> float:
        """The worth of two hands of one card each: chips stay with the first, a free second has a lammer (10(b))."""
        chips, key = held.money.loses, (held.pair, held.money.loses, held.more_hands)
        if key not in self._splits:
            free = self.game.free_splits and held.pair != 10
            hands = (chips, 2 - chips) if free else (2, 0)
            self._splits[key] = self._box(held.pair, *hands, held.more_hands - 1, {})
        return self._splits[key]

    def _box(
        self, value: int, chips: int, lammers: int, more: int, known: dict[tuple[int, int, int], float]
    ) -> float:
        """The worth of a box's hands that hold one card of this value and are still to be played, chips first.

        The hands share how many more the box may have: a pair that comes again is split where that is best for all.
        """
        if not chips + lammers:
            return 0.0
        key = (chips, lammers, more)
        if key in known:
            return known[key]
        money = CHIPS if chips else LAMMER
        others = (chips - 1, lammers) if chips else (0, lammers - 1)
        free = self.game.free_splits and value != 10
        rest = self._box(value, *others, more, known)
        worth = 0.0
        for second, share, half in zip(VALUES, self._shares, self._halves(value, money), strict=True):
            best = rest + half
            if second == value and more:
                again = (chips, lammers + 1) if free else (chips + 1, lammers)
                best = max(best, self._box(value, *again, more - 1, known))
            worth += share * best
        known[key] = worth
        return worth

    def _halves(self, value: int, money: Money) -> array[float]:
        """The worth of one hand of a split by its second card, not split again."""
        halves = self._paid(money).halves
        if value not in halves:
            halves[value] = array("d", [self._half(value, second, money) for second in VALUES])
        return halves[value]

    def _half(self, value: int, second: int, money: Money) -> float:
        """The worth of one hand of a split with its second card, not split again."""
        total, soft = plus(value, value == 11, second, self.game.player_limit)
        large = self.game.pays_large_split and value >= 10 and second >= 10
        if value == 11 and self.game.split_aces_one_card:
            return self.left(total, money, large)
        return self.best(PlayedHand(total, soft, large=large, split=True, money=money))


class Play:
    """One game and one composition: the worth of hands against any up card."""

    def __init__(self, game: Game, composition: Composition) -> None:
        self.game = game
        self.composition = composition
        self.shares = composition.shares
        self._against: dict[tuple[int, tuple[int, ...]], Against] = {}

    def against(self, up: int, holes: tuple[int, ...]) -> Against:
        """All that is known of hands against this up card when the hole card is one of these."""
        key = (up, holes)
        if key not in self._against:
            self._against[key] = Against(self.game, self.composition, up, holes)
        return self._against[key]


@lru_cache(maxsize=64)
def play_of(game: Game, composition: Composition) -> Play:
    """The play of a game from a composition; the last 64 are kept, with what was computed of them."""
    return Play(game, composition)
