"""What a game keeps of a player who always decides best, without insurance and side wagers."""

from __future__ import annotations

from processors.play.composition import VALUES, Composition, plus
from processors.play.dealer import RANGES, holes_of
from processors.play.game import Game
from processors.play.hands import Play, PlayedHand, play_of


def opening(game: Game, first: int, second: int) -> PlayedHand:
    """The hand of two cards just dealt."""
    total, soft = plus(first, first == 11, second, game.player_limit)
    return PlayedHand(
        total,
        soft,
        pair=first if first == second else 0,
        large=first >= 10 and second >= 10,
        more_hands=game.hands_at_most - 1,
    )


def worth_of_deal(play: Play, first: int, second: int, up: int) -> float:
    """What a main wager is worth once these three cards lie, the hole card still hidden and not read."""
    game, shares = play.game, play.shares
    other = 21 - up if up >= 10 else 0
    blackjack = shares[other - 2] if other else 0.0
    natural = first + second == 21
    if natural:
        return (1 - blackjack) * game.odds_blackjack
    held = opening(game, first, second)
    if not game.shows_range:
        return (1 - blackjack) * play.against(up, holes_of(up, None)).best(held) - blackjack
    worth = -blackjack
    for light in RANGES:
        holes = holes_of(up, light)
        share = sum(shares[hole - 2] for hole in holes)
        worth += share * play.against(up, holes).best(held)
    return worth


def house_edge(game: Game, composition: Composition) -> float:
    """The share of a main wager that the house keeps, the first three cards dealt without replacement.

    Every deal is played from the composition without those three, as `Composition` is drawn from.
    """
    edge = 0.0
    for up in VALUES:
        for first in VALUES:
            for second in VALUES:
                if second < first:
                    continue
                left = composition
                chance = 1.0 if first == second else 2.0
                for value in (up, first, second):
                    chance *= left.shares[value - 2]
                    left = left.without((value,))
                if chance:
                    edge -= chance * worth_of_deal(play_of(game, left), first, second, up)
    return edge
