"""A table that wins less, or more, than its rules and its players' decisions make it win.

The mean of a round is known by exact play, so nothing is estimated: what is tested is whether the cards keep to it. A
single round varies by more than the wager, so it takes many to tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import field

from processors.detectors.family import LEVEL, AtTable, Family, register
from processors.detectors.game_in_force import GameInForce
from processors.detectors.mixture import Mixture, fresh, standing_of, weigh
from processors.detectors.shapes import Alarm, Closed, EvidenceStanding
from processors.detectors.winning.boxes import PlayedBox, boxes, edge_of

TOLERATED: Final = 0.01
"""Null: the mean result of a main wager lies at most this far, in wagers, from what exact play makes it."""
PATRONS: Final = (0.04, 0.12, 0.4)
HOUSE: Final = (0.04, 0.12, 0.3)
"""What is bet on each box's result, in the inverse of its main wager: only doubles and splits can lose more than it."""
AFTER: Final = {"double": 0.2, "split": 0.1}
"""The most that is bet on the rest of a box once it may win or lose more than its main wager."""
WEIGHTS: Final = {"patrons": 0.6, "house": 0.4}
STRETCH = 50  # rounds
_KEPT = 40


class State(GameInForce):
    """One table: its game, the evidence each way, and what the house won of main wagers, by the cards and by theory."""

    patrons: Mixture = field(default_factory=lambda: fresh(len(PATRONS)))
    house: Mixture = field(default_factory=lambda: fresh(len(HOUSE)))
    rounds: int = 0
    boxes: int = 0
    won: float = 0.0
    theoretical: float = 0.0
    last: list[int] = field(default_factory=list)


def _closed(state: State, closed: Closed) -> Iterator[Alarm]:
    game = state.game_on(closed.table, closed.round.day)
    found = boxes(game, closed) if game is not None and closed.whole else None
    if not found or game is None:
        return
    edge = edge_of(game)
    state.rounds += 1
    state.boxes += len(found)
    for box in found:
        state.won -= box.won
        state.theoretical += edge + box.lost
    state.last.append(closed.sequence)
    if len(state.last) > 2 * _KEPT:
        del state.last[:_KEPT]
    for variant, mixture, made in (
        ("patrons", state.patrons, factors(found, edge, 1, PATRONS)),
        ("house", state.house, factors(found, edge, -1, HOUSE)),
    ):
        evidence = weigh(mixture, made, STRETCH) * WEIGHTS[variant]
        if evidence >= 1 / LEVEL:
            yield _alarm(variant, state, closed, evidence)


def factors(found: list[PlayedBox], edge: float, sign: int, bets: tuple[float, ...]) -> list[float]:
    """The factors of bets on a round's boxes, by size: 1 on average or less under the null.

    sign: 1 bets that patrons win more than their decisions leave them, -1 that they win less. It is the mean over the
    boxes of what bets on each return: their results hang together, the means of their bets do not.
    """
    allowed = TOLERATED - sign * edge
    number, at, raised = len(found), 0.0, []
    for box in found:
        if box.raised:
            before = box.worth + box.before
            at += before
            raised.append((sign * before - allowed, sign * (box.won + box.lost - before), AFTER[box.raised]))
        else:
            at += box.won + box.lost
    mean = sign * at / number - allowed
    made = []
    for bet in bets:
        factor = 1 + bet * mean
        for until, after, most in raised:
            factor += (1 + bet * until) * min(bet, most) * after / number
        made.append(max(0.0, factor))
    return made


def _alarm(variant: str, state: State, closed: Closed, evidence: float) -> Alarm:
    won, due = state.won / state.boxes, state.theoretical / state.boxes
    return Alarm(
        variant=variant,
        about={"table": closed.table.subject},
        e_value=evidence,
        sequences=tuple(state.last[-_KEPT:]),
        expected={"theoretical_win_per_wager": round(due, 4)},
        observed={
            "win_per_wager_by_the_cards": round(won, 4),
            "rounds": state.rounds,
            "wagers": state.boxes,
        },
        message=f"Over {state.boxes:,} main wagers in {state.rounds:,} rounds the cards gave the house "
        f"{100 * won:+.1f} % of a wager; the rules and the players' decisions make it {100 * due:+.1f} %: chance "
        f"hardly leaves {'so little' if variant == 'patrons' else 'so much'}.",
    )


def _standing(state: State, subject: str) -> Iterator[EvidenceStanding]:
    for variant, mixture in (("patrons", state.patrons), ("house", state.house)):
        yield standing_of(mixture, variant, {"table": subject}, WEIGHTS[variant])


register(
    Family(
        name="theoretical_win",
        variants=tuple(WEIGHTS),
        about=("table",),
        null="the cards give a main wager, on average, what exact play gives it, with the decisions "
        "that were made, within 1 % of the wager",
        statistic="What each box won by its cards, in units of its main wager, insurance and side wagers apart, "
        "and what each of its decisions gave away against the best one added: what then is expected is the edge alone.",
        bound="Bets of three sizes on the mean of a round's boxes; what a doubled or "
        "split box may win or lose beyond its worth at that choice is bet on again, with less, so that no bet loses "
        "more than all. From the first round and from any stretch of 50 (Ville). Wins of patrons have three fifths of "
        "the level, wins of the house two.",
        innocent=(
            "players who only stake when many high cards are left: their wagers are worth some 1 or 2 % more",
            "a player who decides by what is not public, such as the hole card: he loses less by his decisions than it "
            "seems",
            "the luckiest or unluckiest of many tables: that is what the bound pays for",
        ),
        blind=(
            "a drift of a few per cent: a wager's result has a standard deviation of 1.1 wagers, so that a fifth of a "
            "wager takes some hundreds of rounds, and a twentieth some thousands",
            "stack games; insurance and side wagers; wrong payments, which count as if "
            "they had been right: they are breaches, and a matter of the dealer",
            "rounds that could not be decided, or of which a device's word is missing",
        ),
        cost="The decisions of a round looked up in exact play, some 10 us a box; two mixtures of three bets, 1 kB.",
        table=AtTable(state=State, closed=_closed, standing=_standing),
    )
)
