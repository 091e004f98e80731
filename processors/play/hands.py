"""What a player's hand is worth against one dealer's up card, played as well as can be from there on.

Every worth is in units of the main wager. A hand gains `wins` units if it wins and loses `loses` units if it loses:
1 and 1 for chips, 1 and 0 for a lammer, and a double adds to one or both.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from processors.play.composition import VALUES, Composition, plus
from processors.play.dealer import Ends, ends
from processors.play.game import Game

Choice = Literal["stand", "hit", "double", "split", "surrender"]
PLAYER_LIMIT = 21
SURRENDERED = -0.5


class Money(Struct, frozen=True):
    """What a hand gains and loses, in units of the main wager."""

    wins: int = 1
    loses: int = 1


CHIPS, LAMMER = Money(1, 1), Money(1, 0)


class Held(Struct, frozen=True):
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


class Against:
    """The worth of hands against one up card and what is known of the hole card, kept once computed."""

    def __init__(self, game: Game, composition: Composition, up: int, holes: Sequence[int]) -> None:
        self.game = game
        self.ends: Ends = ends(game, composition, up, holes)
        self._cards = [
            (value, share) for value, share in zip(VALUES, composition.shares, strict=True) if share
        ]
        self._settled = {
            (total, large): self._chances(total, large)
            for total in range(2, PLAYER_LIMIT + 1)
            for large in (False, True)
        }
        self._hits: dict[tuple[int, bool, Money], float] = {}
        self._worths: dict[Held, dict[Choice, float]] = {}
        self._boxes: dict[tuple[int, int, int, int], float] = {}

    def _chances(self, total: int, large: bool) -> tuple[float, float]:
        """Chances that a hand left at this total wins, and that it loses (7(n) to (q))."""
        push, paid = self.game.push_total, self.game.pays_against_push and (total == PLAYER_LIMIT or large)
        won = sum(
            chance
            for end, chance in self.ends.items()
            if end > push or (end == push and paid) or (end != push and end < total)
        )
        return won, sum(chance for end, chance in self.ends.items() if total < end < push)

    def left(self, total: int, money: Money, large: bool = False) -> float:
        """The worth of a hand that takes no more cards; one over 21 has lost."""
        if total > PLAYER_LIMIT:
            return -float(money.loses)
        won, lost = self._settled[total, large]
        return won * money.wins * self.game.odds_main - lost * money.loses

    def hit(self, total: int, soft: bool, money: Money) -> float:
        """The worth of one more card, and of what is best from there."""
        key = (total, soft, money)
        if key not in self._hits:
            worth = 0.0
            for value, share in self._cards:
                after, still = plus(total, soft, value, PLAYER_LIMIT)
                best = self.left(after, money)
                if after < PLAYER_LIMIT:
                    best = max(best, self.hit(after, still, money))
                worth += share * best
            self._hits[key] = worth
        return self._hits[key]

    def double(self, total: int, soft: bool, money: Money) -> float:
        """The worth of a double in full, free where the game gives it (9(a))."""
        free = not soft and total in self.game.free_doubles
        doubled = Money(money.wins + 1, money.loses + (not free))
        return sum(
            share * self.left(plus(total, soft, value, PLAYER_LIMIT)[0], doubled)
            for value, share in self._cards
        )

    def worths(self, held: Held) -> dict[Choice, float]:
        """The worth of every choice that the rules leave this hand; a hand of 21 only stands (7(j)(1))."""
        if held not in self._worths:
            self._worths[held] = self._weigh(held)
        return self._worths[held]

    def _weigh(self, held: Held) -> dict[Choice, float]:
        game, money = self.game, held.money
        worths: dict[Choice, float] = {"stand": self.left(held.total, money, held.large)}
        if held.total >= PLAYER_LIMIT or (held.split and held.pair == 11 and game.split_aces_one_card):
            return worths
        worths["hit"] = self.hit(held.total, held.soft, money)
        if held.first_two:
            worths["double"] = self.double(held.total, held.soft, money)
        if held.first_two and held.pair and held.more_hands:
            worths["split"] = self.split(held)
        if game.surrender and held.first_two and not held.split:
            worths["surrender"] = SURRENDERED * money.loses
        return worths

    def best(self, held: Held) -> float:
        """The worth of the best choice."""
        return max(self.worths(held).values())

    def split(self, held: Held) -> float:
        """The worth of two hands of one card each: chips stay with the first, a free second has a lammer (10(b))."""
        free = self.game.free_splits and held.pair != 10
        chips = held.money.loses
        return self._box(held.pair, *((chips, 2 - chips) if free else (2, 0)), held.more_hands - 1)

    def _box(self, value: int, chips: int, lammers: int, more: int) -> float:
        """The worth of a box's hands that hold one card of this value and are still to be played, chips first.

        The hands share how many more the box may have: a pair that comes again is split where that is best for all.
        """
        if not chips + lammers:
            return 0.0
        key = (value, chips, lammers, more)
        if key in self._boxes:
            return self._boxes[key]
        money = CHIPS if chips else LAMMER
        others = (chips - 1, lammers) if chips else (0, lammers - 1)
        free = self.game.free_splits and value != 10
        rest = self._box(value, *others, more)
        worth = 0.0
        for second, share in self._cards:
            best = rest + self._half(value, second, money)
            if second == value and more:
                again = (chips, lammers + 1) if free else (chips + 1, lammers)
                best = max(best, self._box(value, *again, more - 1))
            worth += share * best
        self._boxes[key] = worth
        return worth

    def _half(self, value: int, second: int, money: Money) -> float:
        """The worth of one hand of a split with its second card, not split again."""
        total, soft = plus(value, value == 11, second, PLAYER_LIMIT)
        large = self.game.pays_large_split and value >= 10 and second >= 10
        if value == 11 and self.game.split_aces_one_card:
            return self.left(total, money, large)
        return self.best(Held(total, soft, large=large, split=True, money=money))


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
