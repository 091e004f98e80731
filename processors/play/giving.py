"""The decisions of a round that gave the house something: what was chosen, what was best, and the cents between."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Hand, Round
from processors.games.totals import is_natural
from processors.play.asked import Asked, hand_of
from processors.play.boxes import EVEN_MONEY, Told, boxes_of, main_wagers, told_of, weighed
from processors.play.game import Game
from schemas.rounds import GivingDecision, StakeResult
from schemas.values import DEALER


def givings(game: Game | None, round_: Round, stakes: tuple[StakeResult, ...]) -> Iterator[GivingDecision]:
    """The decisions behind `play` of each main wager, which their cents add up to; none where they do not."""
    told = None if game is None else told_of(game, round_)
    if told is None:
        return
    boxes = boxes_of(round_)
    for seat, main in main_wagers(stakes).items():
        if main.play:
            found = list(_of_box(told, round_, boxes.get(seat), main.staked_cents))
            if sum(one.cents for one in found) == main.play:
                yield from found


def _of_box(told: Told, round_: Round, hands: list[Hand] | None, main: int) -> Iterator[GivingDecision]:
    """Cents are of the running sum, so that they add up to those of the box."""
    blackjack, given = is_natural(round_.hands[DEALER].cards[:2]), 0.0
    for one in weighed(told, round_, hands, main):
        if one is None:
            return
        kind, _, cost, hand, asked = one
        if blackjack and kind != EVEN_MONEY:
            continue
        before, given = given, given + cost
        if cents := round(given * main) - round(before * main):
            yield _giving(told, kind, hand, asked, cents)


def _giving(told: Told, kind: str, hand: Hand, asked: Asked | None, cents: int) -> GivingDecision:
    played = None if asked is None else hand_of(told.game, *asked[1:])
    return GivingDecision(
        seat=hand.seat,
        hand=hand.name,
        choice=kind,
        best="wait" if asked is None else told.best(asked),
        values=(11, 10) if asked is None else asked[1],
        total=21 if played is None else played.total,
        soft=played is not None and played.soft,
        up=told.up,
        light=(told.light or "") if told.game.shows_range else "",
        cents=cents,
    )
