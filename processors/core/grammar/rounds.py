"""The life of a round in the record: started once, played, ended once, and its number counts up.

What cannot belong to the round under way shows that its end, and the start of another one, are not on record.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import NamedTuple

from processors.core.devices.thresholds import LATEST
from processors.core.grammar.departures import before_event, depart, keeps
from processors.core.handlers import Anomalies
from processors.core.sights import BIT
from processors.core.state import Round, Table
from schemas import events as e
from schemas.values import DEALER

_GONE = frozenset({"settled", "blackjack", "bust", "surrender"})  # reasons for which a whole hand is racked


class Bar(NamedTuple):
    """After which state of the round a word cannot belong to it any more, and that state in words."""

    stands: Callable[[Round], bool]
    why: str
    after: int  # the sights of which it needs one, as bits


def _dealer_racked(round_: Round) -> bool:
    dealer = round_.hands.get(DEALER)
    return dealer is not None and dealer.racked is not None and dealer.rack_reason in _GONE


def _dealer_shown_and_settled(round_: Round) -> bool:
    if not (round_.seen & BIT[e.HandRevealed] and round_.seen & BIT[e.WagerSettled]):
        return False
    dealer = round_.hands.get(DEALER)
    return dealer is not None and dealer.revealed is not None and round_.misdealt is None


def _betting_closed(round_: Round) -> bool:
    return round_.betting_closed is not None and round_.first_card is not None


_RACKED = Bar(_dealer_racked, "in which the dealer's hand is racked already", BIT[e.CardsRacked])
_SETTLED = Bar(
    _dealer_shown_and_settled, "in which the hands are shown and wagers settled already", BIT[e.HandRevealed]
)
_CLOSED = Bar(_betting_closed, "in which betting closed and cards were dealt already", BIT[e.BettingClosed])

UNSEEN_START = "the start of the round"

BARS: dict[type, tuple[Bar, ...]] = {
    e.BettingClosed: (_CLOSED,),
    e.CardDrawn: (_RACKED, _SETTLED),
    e.CardPlaced: (_RACKED, _SETTLED),
    e.StackDispensed: (_RACKED, _SETTLED),
    e.StackDelivered: (_RACKED, _SETTLED),
    e.PlayerDecision: (_RACKED,),
    e.InsuranceOffered: (_RACKED,),
    e.HoleCardRead: (_RACKED,),
}
"""By type of event, what bars it from the round under way."""

ONLY_IN_ROUNDS = frozenset(
    {
        e.WagerPlaced,
        e.BettingClosed,
        e.CardPlaced,
        e.StackDelivered,
        e.PlayerDecision,
        e.WagerSettled,
        e.WinningsTakenBack,
    }
)


def unstarted(table: Table, sequence: int) -> Anomalies:
    """A word of play between two rounds: the start of its round is not on record."""
    if table.config is None:
        return ()
    return depart(table, "play_unstarted", sequence, table.lives.ended)


def after(kind: type) -> int:
    """The sights after which an event of this type may be barred from the round under way, as bits."""
    return reduce(or_, (bar.after for bar in BARS[kind]), 0)


def barred(round_: Round, kind: type) -> Bar | None:
    """What bars an event of this type from the round under way: then that one is over, although no event says so."""
    return next((bar for bar in BARS.get(kind, ()) if bar.stands(round_)), None)


def of_another(table: Table, round_: Round, sequence: int, bar: Bar) -> Anomalies:
    """An event of another round than the one under way."""
    before = round_.first_sequence
    return depart(table, "play_of_another", sequence, before, last=round_.number, why=bar.why)


def is_late_start(table: Table, time: dt.datetime) -> bool:
    """Whether a start is that of the round under way, whose first words the recorder had before it."""
    first = table.lives.unstarted
    return table.round is not None and first is not None and time <= first


def is_late_end(table: Table, time: dt.datetime) -> bool:
    """Whether an end is that of the round before, as the recorder had the first words of the next one before it."""
    if table.round is None or table.time is None or not is_late_start(table, time):
        return False
    return table.round.first_card is None or table.time - time <= LATEST


def start_late(table: Table, sequence: int, data: e.RoundStarted) -> None:
    """Take the start of the round under way: nothing of it is missing any more."""
    lives, round_ = table.lives, table.round
    if round_ is None:
        return
    round_.number = table.last_round = data.round
    lives.started, lives.started_at, lives.highest = data.round, sequence, max(data.round, lives.highest)
    lives.unstarted = None
    keeps(table, "play_unstarted")
    for scope in (table.blind.round, table.blind.shoe, table.blind.seats):
        scope[:] = [
            reason for reason in scope if reason not in (UNSEEN_START, before_event(round_.first_sequence))
        ]


def started(table: Table, sequence: int, data: e.RoundStarted) -> Anomalies:
    """A round starts: none is under way, and its number is the next one."""
    lives, found = table.lives, _opens(table, sequence, data)
    last, since = lives.started, lives.started_at
    misnumbered = "round_number" in lives.named  # then the next number does not follow the one before it
    missing = data.round > max(table.last_round, lives.highest) + 1 and not misnumbered
    lives.started, lives.started_at, lives.highest = data.round, sequence, max(data.round, lives.highest)
    if since and data.round <= last:
        return found + depart(table, "round_number", sequence, since, seen=data.round, last=last)
    keeps(table, "round_number")
    if since and missing:
        return found + depart(
            table, "rounds_missing", sequence, since, seen=data.round, last=table.last_round
        )
    keeps(table, "rounds_missing")
    return found


def _opens(table: Table, sequence: int, data: e.RoundStarted) -> Anomalies:
    round_ = table.round
    if round_ is not None:
        before = round_.first_sequence
        return depart(table, "two_rounds", sequence, before, seen=data.round, last=round_.number)
    for name in ("play_unstarted", "play_of_another", "ended_twice", "never_started"):
        keeps(table, name)
    return ()


def ended(table: Table, sequence: int, data: e.RoundEnded) -> Anomalies:
    """A round ends: one was under way."""
    before, table.lives.ended = table.lives.ended, sequence
    if table.round is not None:
        keeps(table, "two_rounds")
        return ()
    if before > table.lives.started_at:
        return depart(table, "ended_twice", sequence, before)
    return depart(table, "never_started", sequence)
