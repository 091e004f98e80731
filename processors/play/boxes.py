"""What the decisions of each box of a round gave away against the play that is worth most, in main wagers.

Play is exact, from an endless shoe, and knows what is public: the cards that the player saw, and the light of the
reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct, field

from processors.core.state import Hand, Round, stake_key
from processors.games.blackjack.hands import has_blackjack
from processors.games.totals import POINTS, is_natural
from processors.play.asked import MOST_ANSWERS, Asked, hand_of, situations
from processors.play.composition import ENDLESS
from processors.play.dealer import RANGES, holes_of
from processors.play.edge import house_edge
from processors.play.game import Game
from processors.play.hands import play_of
from schemas.rounds import StakeResult
from schemas.values import DEALER

STAKED: Final = frozenset(("main", "double", "split", "lammer"))
"""The wagers whose results hang on the decisions of a box."""
_MORE: Final = frozenset(("double", "split"))
_ACE, _TEN = 11, 10
EVEN_MONEY: Final = "even money"
Weighed = tuple[str, float, float, Hand, Asked | None]
"""A decision: the choice, its worth, what it gives the house, the hand, and what was asked (None: even money)."""


class BoxPlay(Struct, frozen=True, gc=False):
    """The decisions of one box, in units of its main wager.

    given: what they gave the house in all, against the best of public information. raised: which choice first put more
    than the main wager at risk, empty if none did. worth, before: what the box was worth after that choice, and what
    had been given until then.
    """

    given: float = 0.0
    raised: str = ""
    worth: float = 0.0
    before: float = 0.0


class RoundPlay(Struct, frozen=True):
    """The game of a round, None where exact play does not know it, and the decisions of each box by its seat.

    boxes: of every seat with a main wager; None where something about the box cannot be said.
    """

    game: Game | None = None
    boxes: dict[int, BoxPlay | None] = field(default_factory=dict)


NO_PLAY: Final = RoundPlay()
_NOTHING: Final = BoxPlay()


@lru_cache(maxsize=16)
def edge_of(game: Game) -> float:
    """What the game keeps of the main wager of who always decides best, from an endless shoe."""
    return house_edge(game, ENDLESS)


def main_wagers(stakes: tuple[StakeResult, ...]) -> dict[int, StakeResult]:
    """The main wager of each seat; the first one where a seat has several."""
    mains: dict[int, StakeResult] = {}
    for stake in stakes:
        if stake.kind == "main":
            mains.setdefault(stake.seat, stake)
    return mains


def light_of(round_: Round) -> str | None:
    """The range of the hole card that the reader showed; None where it showed none."""
    return round_.reader[1] if round_.reader is not None and round_.reader[1] in RANGES else None


def round_play(game: Game | None, round_: Round, stakes: tuple[StakeResult, ...]) -> RoundPlay:
    """The decisions of the boxes of a round, each box worked out by itself."""
    if game is None:
        return NO_PLAY
    told = told_of(game, round_)
    if told is None:
        return RoundPlay(game)
    boxes = boxes_of(round_)
    blackjack = is_natural(round_.hands[DEALER].cards[:2])
    return RoundPlay(
        game,
        {
            seat: _box(weighed(told, round_, boxes.get(seat), main.staked_cents), blackjack)
            for seat, main in main_wagers(stakes).items()
        },
    )


def told_of(game: Game, round_: Round) -> Told | None:
    """What hands are worth against the dealer of a round; None where the up card is not known."""
    dealer = round_.hands.get(DEALER)
    up = POINTS.get(dealer.cards[0]) if dealer is not None and dealer.cards else None
    return None if up is None or round_.hole_index != 1 else _told(game, up, light_of(round_))


def boxes_of(round_: Round) -> dict[int, list[Hand]]:
    """The hands of each seat that have cards."""
    boxes: dict[int, list[Hand]] = {}
    for name, hand in round_.hands.items():
        if name != DEALER and hand.cards:
            boxes.setdefault(hand.seat, []).append(hand)
    return boxes


def _box(decisions: Iterable[Weighed | None], blackjack: bool) -> BoxPlay | None:
    """blackjack: the dealer has one, so that no decision but even money gave anything."""
    given, raised, after, before = 0.0, "", 0.0, 0.0
    for one in decisions:
        if one is None:
            return None
        kind, worth, cost = one[:3]
        given += 0.0 if blackjack and kind != EVEN_MONEY else cost
        if not raised and kind in _MORE:
            raised, after, before = kind, worth, given
    return BoxPlay(given, raised, after, before) if given or raised else _NOTHING


def weighed(told: Told, round_: Round, hands: list[Hand] | None, main: int) -> Iterator[Weighed | None]:
    """The decisions of a box, in the order of its hands; None where something about the box cannot be said."""
    if not (hands and main) or any(hand.voided is not None or hand.refused is not None for hand in hands):
        yield None
        return
    # By name: the first hand of a split box was decided upon before there were others.
    for hand in hands if len(hands) == 1 else sorted(hands, key=lambda one: one.name):
        if hand.even_money is not None:
            yield (EVEN_MONEY, 0.0, told.even_money, hand, None) if has_blackjack(hand) else None
        if hand.decisions and len(hand.cards) != len(hand.sequences):
            yield None
        for asked in situations(told.game, round_, hand):
            answer = told.of(asked) if asked is not None else None
            if answer is None or asked is None:
                yield None
                return
            kind, (worth, cost) = asked[0], answer
            if kind == "double" and (part := _kept_back(round_, hand, main)):
                less = part * told.beyond_one_card(asked)
                worth, cost = worth - less, cost + less
            yield kind, worth, cost, hand, asked


def _kept_back(round_: Round, hand: Hand, main: int) -> float:
    """The part of the main wager by which a double is for less; 0 where it is free, or in full."""
    stake = round_.stakes.get(stake_key(hand.seat, "double", hand.name))
    return 1 - stake.cents / main if stake is not None and 0 < stake.cents < main else 0.0


class Told:
    """What hands are worth after a choice against one up card and light, and what the choice gives away.

    even_money: what who takes it gives away, 0 where the game does not offer it.
    """

    __slots__ = ("_against", "_known", "even_money", "game", "light", "up")

    def __init__(self, game: Game, up: int, light: str | None) -> None:
        self.game, self.up, self.light = game, up, light
        self._against = play_of(game, ENDLESS).against(up, holes_of(up, light))
        self._known: dict[Asked, tuple[float, float] | None] = {}
        offered = game.even_money and up == _ACE
        self.even_money = (1 - ENDLESS.shares[_TEN - 2]) * game.odds_blackjack - 1 if offered else 0.0

    def of(self, asked: Asked) -> tuple[float, float] | None:
        """Worth of a decision, and what it gives the house; None where the rules do not have it."""
        try:
            return self._known[asked]
        except KeyError:
            if len(self._known) >= MOST_ANSWERS:
                self._known.clear()
            worths = self._against.worths(hand_of(self.game, *asked[1:]))
            best = max(worths.values())
            worth = next((worth for choice, worth in worths.items() if choice == asked[0]), None)
            found = self._known[asked] = None if worth is None else (worth, best - worth)
            return found

    def best(self, asked: Asked) -> str:
        """The choice that was worth most."""
        worths = self._against.worths(hand_of(self.game, *asked[1:]))
        return max(worths, key=worths.__getitem__)

    def beyond_one_card(self, asked: Asked) -> float:
        """What a double in full is worth beyond one card more on the same stake."""
        hand, against = hand_of(self.game, *asked[1:]), self._against
        total, soft, money = hand.total, hand.soft, hand.money
        return against.double(total, soft, money) - against.once(total, soft, money)


@lru_cache(maxsize=256)
def _told(game: Game, up: int, light: str | None) -> Told:
    return Told(game, up, light)
