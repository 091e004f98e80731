"""How the dealer's hand ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from processors.games.totals import range_of
from processors.play.composition import VALUES, Composition, plus, values_of
from processors.play.game import Game

Ends = dict[int, float]
"""Chance of each final total of the dealer; every total above the one that pushes stands as the next."""

RANGES = ("small", "medium", "large")


@lru_cache(maxsize=64)
def holes_of(up: int, known: str | None) -> tuple[int, ...]:
    """Values the hole card may have once the reader has spoken and no Blackjack was shown.

    known: None for nothing else, the Masque range (`small`, `medium`, `large`), or the card itself.
    """
    possible = [value for value in VALUES if value + up != 21]
    if known is None:
        return tuple(possible)
    if known in RANGES:
        return tuple(value for value in possible if _LIGHTS[value] == known)
    return values_of((known,))


_LIGHTS = {value: range_of({10: "T", 11: "A"}.get(value, str(value)) + "s") for value in VALUES}


def ends(game: Game, composition: Composition, up: int, holes: Sequence[int]) -> Ends:
    """How a dealer with this up card and one of these hole cards ends; `composition` holds the hole card still.

    Raises:
        ValueError: the composition has none of the hole cards.
    """
    whole = sum(composition.counts[value - 2] for value in holes)
    if not whole:
        raise ValueError(f"no such hole card is left under {up}: {holes}")
    onward = _endless(game, composition) if composition.endless else _dealt(game, composition)
    return _mixed(
        (composition.counts[value - 2] / whole, onward(*_two(game, up, value), composition.without((value,))))
        for value in holes
        if composition.counts[value - 2]
    )


def _two(game: Game, up: int, hole: int) -> tuple[int, bool]:
    return plus(up, up == 11, hole, game.dealer_limit)


_Onward = Callable[[int, bool, Composition], Ends]


@lru_cache(maxsize=16)
def _endless(game: Game, composition: Composition) -> _Onward:
    memo: dict[tuple[int, bool], Ends] = {}
    shares = list(zip(VALUES, composition.shares, strict=True))

    def onward(total: int, soft: bool, left: Composition) -> Ends:
        if total >= game.stands_from:
            return {min(total, game.push_total + 1): 1.0}
        if (total, soft) not in memo:
            memo[total, soft] = _mixed(
                (share, onward(*plus(total, soft, value, game.dealer_limit), left))
                for value, share in shares
                if share
            )
        return memo[total, soft]

    return onward


def _dealt(game: Game, composition: Composition) -> _Onward:
    memo: dict[tuple[tuple[int, ...], bool], Ends] = {}
    limit, most = game.dealer_limit, game.push_total + 1
    shares = composition.shares

    def onward(total: int, soft: bool, counts: tuple[int, ...]) -> Ends:
        if total >= game.stands_from:
            return {min(total, most): 1.0}
        key = (counts, soft)
        if key not in memo:
            whole = sum(counts)
            memo[key] = _mixed(
                (
                    counts[at] / whole if whole else shares[at],  # a reload brings what the shoe had
                    onward(*plus(total, soft, value, limit), _one_less(counts, at)),
                )
                for at, value in enumerate(VALUES)
                if counts[at] or not whole
            )
        return memo[key]

    return lambda total, soft, left: onward(total, soft, left.counts)


def _one_less(counts: tuple[int, ...], at: int) -> tuple[int, ...]:
    return (*counts[:at], max(counts[at] - 1, 0), *counts[at + 1 :])


def _mixed(parts: Iterable[tuple[float, Ends]]) -> Ends:
    mixed: Ends = {}
    for share, part in parts:
        for total, chance in part.items():
            mixed[total] = mixed.get(total, 0.0) + share * chance
    return mixed
