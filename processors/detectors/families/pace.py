"""A dealer who becomes slower (or faster) than her table and than herself.

Slow hands cost the house rounds; a sudden change of pace comes before other things: a dealer who counts along, waits
for signals, or deals so that a device reads well.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, log, sqrt
from typing import Final

from msgspec import Struct, field

from processors.core.state import Round
from processors.detectors.family import LEVEL, AtTable, Family, OfEntity, register
from processors.detectors.mixture import Mixture, fresh, weigh
from processors.detectors.shapes import Alarm, Closed, Contribution, Observation, Standing
from schemas import events as e

HONEST: Final = log(1.12)
"""Null: a dealer's mean pace is within 12 % of the table's."""
HONEST_ALONE: Final = log(1.25)
"""Null where no other dealer tells the table's pace: a dealer's is within 25 % of what hers was at the beginning."""
SHIFTS: Final = (0.12, 0.25, 0.4, 0.7)
"""Alternatives: how much slower or faster than the null allows, as a logarithm."""
VARIANTS: Final = ("slower", "faster")
_PAUSE = 8.0  # seconds between two words that count at most: an interruption is no pace
_PLACING = 0.5  # of the time of another act that laying a drawn card takes
_BASE, _FIRST = 20, 60  # rounds before a dealer's own pace is known, and of which it is the mean
_CAUTIOUS = 1.2  # factor on the measured variance: it is an estimate
_NARROWEST, _AT_FIRST = 0.1, 0.3  # standard deviation of a round's pace, least and before it is known
_WIDEST = 3.0  # standard deviations of one round that count at most
_DEALERS = 64  # dealers of a table whose pace is remembered
_STRETCH = 5  # rounds: a change may begin with any such stretch
_KEPT = 20


class Own(Struct, array_like=True):
    """One dealer's pace at a table: rounds and their mean, and the mean of the first ones."""

    rounds: int = 0
    mean: float = 0.0
    first: float = 0.0


class AtOneTable(Struct):
    """The pace of each dealer of a table, as logarithms of seconds an act, and how rounds vary about it."""

    dealers: dict[str, Own] = field(default_factory=dict)
    rounds: int = 0
    squares: float = 0.0


class Note(Struct, array_like=True, frozen=True):
    """A round's pace: its logarithm beyond (below) what the null allows, and the standard deviation of rounds.

    `slower` and `faster` are negative within the null; `table` is the pace of the table in seconds an act.
    """

    slower: float
    faster: float
    deviation: float
    seconds: float
    table: float


class Odd(Struct, array_like=True, frozen=True):
    """A round that was far from the table's pace: table, round, event, and its pace by the table's."""

    subject: str
    round: int
    sequence: int
    ratio: float


class OfDealer(Struct):
    """One dealer: the evidence either way, and the latest rounds that speak for it."""

    slower: Mixture = field(default_factory=lambda: fresh(len(SHIFTS)))
    faster: Mixture = field(default_factory=lambda: fresh(len(SHIFTS)))
    odd: list[Odd] = field(default_factory=list)
    seconds: float = 0.0
    table: float = 0.0


def _closed(state: AtOneTable, closed: Closed) -> Iterator[Contribution]:
    if not (closed.dealer and closed.whole):
        return
    seconds = seconds_an_act(closed.round)
    if seconds is None:
        return
    pace, name = log(seconds), closed.dealer
    own = state.dealers.get(name)
    if own is None:
        own = state.dealers[name] = Own()
        if len(state.dealers) > _DEALERS:
            del state.dealers[next(iter(state.dealers))]
    limits = allowed(state, name, own)
    if limits is not None:
        lowest, highest = limits
        deviation = _deviation(state)
        yield Contribution(
            {"dealer": name},
            Note(
                slower=round(pace - highest, 4),
                faster=round(lowest - pace, 4),
                deviation=round(deviation, 4),
                seconds=round(seconds, 4),
                table=round(exp((lowest + highest) / 2), 4),
            ),
        )
    _remember(state, own, pace)


def seconds_an_act(round_: Round) -> float | None:
    """The mean time of the dealer's acts from the closing of bets to the end of a round, in seconds.

    What players take to decide is left out, and so are interruptions; a card laid counts for half an act. None for a
    round of too few acts, or whose clocks contradict one another.
    """
    total, acts = 0.0, 0.0
    before = None
    for one in round_.log:
        kind = type(one.data)
        if before is not None and kind is not e.PlayerDecision:
            total += min(_PAUSE, (one.time - before).total_seconds())
            acts += _PLACING if kind is e.CardPlaced else 1.0
        if before is not None or kind is e.BettingClosed:
            before = one.time
    return total / acts if acts >= 8 and total > 0 else None


def allowed(state: AtOneTable, name: str, own: Own) -> tuple[float, float] | None:
    """The lowest and the highest logarithm of a pace that the null allows this dealer; None if it is not known yet.

    The table's pace is the median of its dealers', so that one who is slow does not make the others fast. With one
    other dealer nobody knows which of two is the odd one: then it must also be a change of her own.
    """
    others = sorted(one.mean for key, one in state.dealers.items() if key != name and one.rounds >= _BASE)
    error = 2 * _deviation(state) / sqrt(_BASE)
    if len(others) >= 2:
        middle = len(others) // 2
        low, high = others[(len(others) - 1) // 2], others[middle]
        return low - HONEST - error / 2, high + HONEST + error / 2
    if own.rounds < _BASE:
        return None
    if not others:
        return own.first - HONEST_ALONE, own.first + HONEST_ALONE
    # Of two dealers each is within 12 % of their mean, so within twice as much of one another.
    (other,) = others
    return min(other - 2 * HONEST, own.first - HONEST), max(other + 2 * HONEST, own.first + HONEST)


def _deviation(state: AtOneTable) -> float:
    if state.rounds < _BASE:
        return _AT_FIRST
    return max(_NARROWEST, sqrt(_CAUTIOUS * state.squares / state.rounds))


def _remember(state: AtOneTable, own: Own, pace: float) -> None:
    if own.rounds >= 3:
        # Of the first rounds the mean is not known; of n rounds it is off by a n-th of their variance.
        away = min(abs(pace - own.mean), 1.0) ** 2 * own.rounds / (own.rounds + 1)
        state.squares += away
        state.rounds += 1
    own.rounds += 1
    own.mean += (pace - own.mean) / own.rounds
    if own.rounds <= _FIRST:
        own.first = own.mean


def _weigh(state: OfDealer, seen: Observation, note: Note, share: float) -> Iterator[Alarm]:
    if not state.seconds:
        state.seconds = note.seconds
    # What she takes now, over some ten rounds.
    state.seconds += (note.seconds - state.seconds) / 10
    state.table = note.table
    if max(note.slower, note.faster) > 0:
        odd = Odd(seen.subject, seen.round, seen.sequence, round(note.seconds / note.table, 2))
        state.odd = [*state.odd[1 - _KEPT :], odd]
    for variant, mixture, beyond in (
        ("slower", state.slower, note.slower),
        ("faster", state.faster, note.faster),
    ):
        evidence = weigh(mixture, ratios(beyond, note.deviation), _STRETCH) * share / len(VARIANTS)
        if beyond > 0 and evidence >= 1 / LEVEL:
            yield _alarm(variant, state, seen, evidence)


def ratios(beyond: float, deviation: float) -> list[float]:
    """The likelihood ratios of one round's pace, normal about the edge of the null against normal about each shift."""
    away = max(-_WIDEST, min(_WIDEST, beyond / deviation))
    shifts = [shift / deviation for shift in SHIFTS]
    return [exp(shift * away - shift * shift / 2) for shift in shifts]


def _alarm(variant: str, state: OfDealer, seen: Observation, evidence: float) -> Alarm:
    dealer = seen.whom["dealer"]
    percent = abs(state.seconds / state.table - 1) * 100
    return Alarm(
        variant=variant,
        about={"dealer": dealer},
        e_value=evidence,
        sequences=tuple(one.sequence for one in state.odd if one.subject == seen.subject),
        expected={"within_percent": 12, "table_seconds_an_act": round(state.table, 2)},
        observed={
            "seconds_an_act": round(state.seconds, 2),
            "rounds": [
                {"table": one.subject, "round": one.round, "by_the_table": one.ratio}
                for one in state.odd[-10:]
            ],
        },
        message=f"Dealer {dealer} is {variant} than the table by {percent:.0f} % ({state.seconds:.2f} seconds an act, "
        f"the table {state.table:.2f}), over more rounds than chance allows.",
    )


def _standing(state: OfDealer, whom: dict[str, str], share: float) -> Iterator[Standing]:
    for variant, mixture in (("slower", state.slower), ("faster", state.faster)):
        yield Standing(
            variant=variant,
            about={"dealer": whom["dealer"]},
            e_value=mixture.value() * share / len(VARIANTS),
            highest=mixture.highest * share / len(VARIANTS),
            rounds=mixture.rounds,
        )


register(
    Family(
        name="pace",
        variants=VARIANTS,
        about=("dealer",),
        null="a dealer's pace is within 12 % of the table's; of a dealer alone at a table, within 25 % of her first "
        "60 rounds; rounds vary about it normally, with the deviation measured at the table",
        statistic="The logarithm of the seconds that each of the dealer's acts takes, from the closing of bets to the "
        "end of the round, without players' decisions and without interruptions of more than 8 seconds.",
        bound="Likelihood ratios of each round against four shifts beyond the edge of the null, from the first round "
        "and from any stretch of five (Ville), under normal rounds: a round counts for three deviations at most, and "
        "the measured variance is taken a fifth larger. Both directions share the level, and so do the dealers of a "
        "table's stream: the n-th has 1/(n(n+1)) of it.",
        innocent=(
            "a dealer who learns, is tired, is unwell or has been told to slow down",
            "a difficult patron, or one who is taught the game",
            "a device that makes her wait: a reader or a shoe that sticks",
        ),
        blind=(
            "the first 20 rounds at a table, and a dealer alone whose pace changes slowly or within 25 %",
            "of two dealers of a table one who was always slow",
            "rounds with missing words, and rounds in which the dealer changed",
        ),
        cost="One pass over the events of a round; two mixtures of four shifts a dealer, some 3 kB.",
        table=AtTable(state=AtOneTable, closed=_closed),
        entity=OfEntity(state=OfDealer, note=Note, weigh=_weigh, standing=_standing),
    )
)
