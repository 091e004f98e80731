"""From a round to how well each player's decisions in it fit the hole card."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from processors.core.state import Hand, Round, Table
from processors.detectors.knowing.judged import RoundNote, judged, unseen
from processors.detectors.knowing.orders import decisions
from processors.detectors.shapes import Closed
from processors.games.blackjack.hands import player_hands
from processors.games.totals import POINTS
from processors.play.boxes import light_of
from processors.play.game import Game
from schemas.values import DEALER

Told = tuple[tuple[str, RoundNote], ...]
_TOLD = "how decisions fit the hole card"


def told(closed: Closed) -> Told:
    """The players of a round whose decisions could tell of the hole card, each with how well they fit it.

    Nobody is in it where the record does not show all that he saw. What one family was told of a round stands in it for
    the others.
    """
    game = closed.play.game
    if _TOLD not in closed.known:
        closed.known[_TOLD] = tuple(_players(game, closed)) if game is not None and closed.whole else ()
    found: Told = closed.known[_TOLD]
    return found


def _players(game: Game, closed: Closed) -> Iterator[tuple[str, RoundNote]]:
    round_, table = closed.round, closed.table
    if round_.reloads or table.shoe.number != round_.shoe:
        return
    dealer = round_.hands.get(DEALER)
    if dealer is None or round_.hole_revealed is None or len(dealer.cards) < 2 or round_.hole_index != 1:
        return
    up, hole = POINTS.get(dealer.cards[0], 0), POINTS.get(dealer.cards[1], 0)
    shown = round_.hole_revealed
    if not (up and hole) or any(at > shown for hand in round_.hands.values() for _, at in hand.decisions):
        return
    light = light_of(round_)
    of: dict[str, list[Hand]] = {}
    for hand in player_hands(round_):
        name = _player(round_, table, hand.seat)
        if name:
            of.setdefault(name, []).append(hand)
    offered = up == 11 and round_.insurance_offered is not None
    counts: tuple[int, ...] | None = None
    for name, hands in of.items():
        asked = [one for hand in hands for one in decisions(game, round_, hand, up, light)]
        if not (offered or asked):
            continue
        if counts is None:
            counts = unseen(table, round_)
        if counts[hole - 2] <= 0:
            return
        insured = _insured(round_, {hand.seat for hand in hands}) if offered else None
        note = judged(counts, up, hole, light, insured, asked)
        if note is not None:
            seats = tuple(sorted({hand.seat for hand in hands}))
            yield name, replace(note, seats=seats, cents=main_cents(round_, seats))


def main_cents(round_: Round, seats: Collection[int]) -> int:
    """The main wagers at these seats."""
    return sum(one.cents for one in round_.stakes.values() if one.kind == "main" and one.seat in seats)


def _player(round_: Round, table: Table, seat: int) -> str:
    stake = round_.stakes.get(f"{seat}:main:{seat}.1")
    return (stake.player if stake is not None else "") or table.players.get(seat, "")


def _insured(round_: Round, seats: set[int]) -> bool:
    return any(
        stake.kind == "insurance" and stake.seat in seats and stake.cents for stake in round_.stakes.values()
    ) or any(hand.even_money is not None and hand.seat in seats for hand in round_.hands.values())
