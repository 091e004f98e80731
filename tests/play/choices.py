"""What tests of exact play ask: a shoe of whole decks, the choices of a hand, the hole cards against it."""

from __future__ import annotations

from processors.games.totals import is_natural
from processors.play.composition import IN_A_DECK, Composition, values_of
from processors.play.dealer import holes_of
from processors.play.hands import Choice, Play
from processors.play.situation import Situation, held


def decks(number: int) -> Composition:
    """So many whole decks of 52."""
    return Composition(tuple(number * count for count in IN_A_DECK))


class Facing(Situation, frozen=True, kw_only=True):
    """A hand, the dealer's up card, and what is known of the hole card (see `holes_of`)."""

    up: str
    known: str | None = None


def worths(play: Play, situation: Facing) -> dict[Choice, float]:
    """Expected result of each lawful choice, the rest played best, in main wagers; `play` holds the cards unseen.

    Raises:
        KeyError: a card is not known.
        ValueError: the composition has no hole card of the kind known.
    """
    if is_natural(situation.cards) and not situation.split:
        return {"stand": play.game.odds_blackjack}
    up = values_of((situation.up,))[0]
    return play.against(up, holes_of(up, situation.known)).worths(held(play.game, situation))


def best(worth: dict[Choice, float]) -> Choice:
    """The choice of highest worth; the first of equals."""
    return max(worth, key=worth.__getitem__)


def hole_chances(play: Play, up: str, known: str | None = None) -> dict[int, float]:
    """The chance of each value of the hole card, by what is known of it and the cards unseen."""
    holes = holes_of(values_of((up,))[0], known)
    counts = {hole: play.composition.counts[hole - 2] for hole in holes}
    whole = sum(counts.values())
    return {hole: number / whole for hole, number in counts.items() if number}
