"""What a box won by its cards, beside what exact play expected of it on the way."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec import Struct

from processors.core.state import Hand, Round
from processors.detectors.knowing.orders import MOST_ANSWERS, Asked, hand_of, situations
from processors.detectors.shapes import Closed
from processors.games.totals import POINTS
from processors.play.composition import ENDLESS
from processors.play.dealer import RANGES, holes_of
from processors.play.edge import house_edge
from processors.play.game import Game
from processors.play.hands import play_of
from schemas.values import DEALER

PLAYED: Final = frozenset(("main", "double", "split", "lammer"))
_MORE: Final = frozenset(("double", "split"))


class PlayedBox(Struct, frozen=True, gc=False):
    """One box of a round, in units of its main wager.

    won: what its cards were due. lost: what its decisions gave away in all, against the best of public information.
    raised: which choice first put more than the main wager at risk, empty if none did. worth, before: what the box was
    worth after that choice, and what its decisions had given away until then.
    """

    won: float
    lost: float
    raised: str
    worth: float
    before: float


@lru_cache(maxsize=16)
def edge_of(game: Game) -> float:
    """What the game keeps of the main wager of who always decides best, from an endless shoe."""
    return house_edge(game, ENDLESS)


def boxes(game: Game, closed: Closed) -> list[PlayedBox] | None:
    """The boxes of a round; None where something about one of them cannot be said."""
    round_ = closed.round
    dealer = round_.hands.get(DEALER)
    if dealer is None or round_.hole_index != 1 or not dealer.cards:
        return None
    up = POINTS.get(dealer.cards[0])
    mains: dict[int, int] = {}
    won: dict[int, int] = {}
    for stake in closed.result.stakes:
        kind, due = stake.kind, stake.expected
        if kind not in PLAYED:
            continue
        if due is None:
            return None
        seat = stake.seat
        if due.outcome != "return":
            won[seat] = won.get(seat, 0) + (due.cents if due.outcome == "pay" else -due.cents)
        if kind == "main" and seat not in mains:
            mains[seat] = stake.staked_cents
    hands: dict[int, list[Hand]] = {}
    for name, hand in round_.hands.items():
        if name != DEALER and hand.cards:
            hands.setdefault(hand.seat, []).append(hand)
            if hand.voided is not None or hand.refused is not None:
                return None
    if up is None or hands.keys() != mains.keys() or not (won.keys() <= mains.keys() and all(mains.values())):
        return None
    light = round_.reader[1] if round_.reader is not None and round_.reader[1] in RANGES else None
    told, found = _told(game, up, light), []
    for seat, main in mains.items():
        box = _box(game, round_, hands[seat], told, won.get(seat, 0) / main)
        if box is None:
            return None
        found.append(box)
    return found


def _box(game: Game, round_: Round, hands: list[Hand], told: _Told, won: float) -> PlayedBox | None:
    lost, raised, worth, before = 0.0, "", 0.0, 0.0
    # By name: the first hand of a split box was decided upon before there were others.
    for hand in hands if len(hands) == 1 else sorted(hands, key=lambda one: one.name):
        if not hand.decisions:
            continue
        if len(hand.cards) != len(hand.sequences):
            return None
        for asked in situations(game, round_, hand):
            answer = told.of(asked) if asked is not None else None
            if answer is None or asked is None:
                return None
            lost += answer[1]
            if not raised and asked[0] in _MORE:
                raised, worth, before = asked[0], answer[0], lost
    return PlayedBox(won, lost, raised, worth, before)


class _Told:
    """What hands are worth after a choice against one up card and light, and what the choice gives away."""

    __slots__ = ("_against", "_game", "_known", "_unread")

    def __init__(self, game: Game, up: int, light: str | None) -> None:
        self._game = game
        self._against = play_of(game, ENDLESS).against(up, holes_of(up, light))
        # Who surrenders before the hole card is read escapes the Blackjack that it may make.
        other = 21 - up if up >= 10 else 0
        self._unread = 1 - (ENDLESS.shares[other - 2] if other else 0.0)
        self._known: dict[Asked, tuple[float, float] | None] = {}

    def of(self, asked: Asked) -> tuple[float, float] | None:
        """Worth and loss of a decision; None where the rules do not have it."""
        try:
            return self._known[asked]
        except KeyError:
            if len(self._known) >= MOST_ANSWERS:
                self._known.clear()
            kind, values, split, hands, free = asked
            worths = self._against.worths(hand_of(self._game, values, split, hands, free))
            best = max(worths.values())
            found = next(((worth, best - worth) for choice, worth in worths.items() if choice == kind), None)
            if found is not None and kind == "surrender" and found[1]:
                found = found[0], max(0.0, self._unread * (best + 1) - 1 - found[0])
            self._known[asked] = found
            return found


@lru_cache(maxsize=256)
def _told(game: Game, up: int, light: str | None) -> _Told:
    return _Told(game, up, light)
