"""What the cards of each round do to the count, split into what is expected of such a round and the rest."""

from __future__ import annotations

from typing import Final

from msgspec import Struct, field

from schemas.values import CARD_NAMES, JOKER, UNKNOWN

TAGS: Final[dict[str, int]] = {
    card: 0 if card in (JOKER, UNKNOWN) else 1 if card[0] in "23456" else -1 if card[0] in "TJQKA" else 0
    for card in CARD_NAMES
}
"""High-Low: small cards that are gone are good for the players, tens and aces bad."""
DECK: Final = 52
_PRIOR = 40.0  # rounds for which the usual number of cards counts that is expected beforehand ...
_SURER = 300.0  # ... and how the count follows it
_HALVE = 4000


class Moments(Struct, array_like=True):
    """Of rounds with so many boxes: number, cards, squares of these about their mean, products with what they did."""

    rounds: float
    cards: float
    squares: float
    products: float


class Step(Struct, frozen=True):
    """What a round's cards did to the running count.

    drift: what is expected of a round of so many cards beside a round with average cards. turn: the rest, which leans
    neither way but for the result (`RESULTS`).
    """

    drift: float
    turn: float


class Rounds(Struct):
    """How many cards rounds take at this table, and how the count follows that, by number of boxes.

    Rounds of many cards have small ones: whoever stakes by how far the shoe has come would otherwise seem to follow the
    count.
    """

    of: dict[int, Moments] = field(default_factory=dict)


def step(known: Rounds, boxes: int, cards: int, tags: int, running: int, left: int) -> Step:
    """Split the tags of a round and learn from it.

    running, left: running count and cards left in the shoe before it.
    """
    # The unseen cards pull the count back; beyond that it is as likely to rise as to fall.
    change = tags + cards * running / left
    moments = known.of.get(boxes)
    if moments is None:
        mean = 3.0 + 2.7 * boxes  # cards; as simulated, with the slope below
        variance, slope = 0.6 + 0.95 * boxes, 1.2 / (1 + 0.29 * boxes)
        moments = known.of[boxes] = Moments(
            _PRIOR, _PRIOR * mean, _SURER * variance, _SURER * slope * variance
        )
    off = cards - moments.cards / moments.rounds
    drift = off * moments.products / moments.squares
    moments.rounds += 1
    moments.cards += cards
    moments.squares += off * off
    moments.products += off * change
    if moments.rounds > _HALVE:
        known.of[boxes] = Moments(
            moments.rounds / 2, moments.cards / 2, moments.squares / 2, moments.products / 2
        )
    return Step(drift, change - drift)


RESULTS: Final = (2.2, 0.12, -0.15, -0.05, -1.4, 0.6, 0.0)
"""What is expected beyond `Step.drift` of a round that a player ends with these, by `result_of`; as simulated."""
SURE: Final = (200.0, 2000.0, 600.0, 2000.0, 200.0, 200.0, 2000.0)
"""For how many of his rounds with that result this counts, beside what they show themselves."""
AWAY: Final = 6


def result_of(net: int, staked: int) -> int:
    """A player's result in stakes, in classes: -2, -1, 0, 1, 1.5, 2; `AWAY` for no stake."""
    if not staked:
        return AWAY
    share = net / staked
    for result, edge in enumerate((-1.5, -0.25, 0.25, 1.25, 1.75)):
        if share < edge:
            return result
    return 5
