"""A dealer who becomes slower (or faster) than her table and than herself.

Slow hands cost the house rounds; a sudden change of pace comes before other things: a dealer who counts along, waits
for signals, or deals so that a device reads well.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from math import exp, log, sqrt
from typing import Any, Final

from msgspec import Struct, field

from processors.core.state import Round
from processors.detectors.family import LEVEL, AtTable, Family, OfEntity, register
from processors.detectors.mixture import Mixture, fresh, heaviest, since_heaviest, standing_of, weighed
from processors.detectors.shapes import Alarm, Closed, Contribution, EvidenceStanding, Observation
from processors.detectors.weighty import WeightyRound, events_of, keep, rows_of
from schemas import events as e

HONEST: Final = log(1.12)
"""Null: a dealer's mean pace is within 12 % of the table's, whatever that is at the time."""
SHIFTS: Final = (0.12, 0.25, 0.4, 0.7)
"""Alternatives: how much slower or faster than the null allows, as a logarithm."""
VARIANTS: Final = ("slower", "faster")
_PAUSE = dt.timedelta(seconds=8)  # between two words counts at most: an interruption is no pace
_PLACING = 0.5  # of the time of another act that laying a drawn card takes
_BASE, _FIRST = 20, 60  # rounds before a dealer's own pace is known, and of which the first is the mean
_NEIGHBOUR = 12  # rounds of the next dealer after which a turn is weighed: she tells the table's pace by then
_LONGEST = 120  # rounds of a turn that are weighed, the latest
_CAUTIOUS = 1.1  # factor on the measured variance: it is an estimate
_NARROWEST, _AT_FIRST = 0.1, 0.3  # standard deviation of a round's pace, least and before it is known
_WIDEST = 3.0  # standard deviations of one round that count at most
_DEALERS = 64  # dealers of a table whose pace is remembered
_STRETCH = 5  # rounds: a change may begin with any such stretch


class Own(Struct, array_like=True):
    """One dealer's pace at a table in the turns weighed so far: rounds and their mean, and the mean of the first."""

    rounds: int = 0
    mean: float = 0.0
    first: float = 0.0


class Dealt(Struct, array_like=True, frozen=True):
    """A round, its last event, and the logarithm of the seconds an act took."""

    round: int
    sequence: int
    pace: float


class Turn(Struct):
    """The rounds that one dealer dealt without relief, the latest."""

    dealer: str
    rounds: list[Dealt] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """The mean pace."""
        return sum(one.pace for one in self.rounds) / len(self.rounds)


class AtOneTable(Struct):
    """The pace of each dealer of a table, and how rounds vary about it; the turn under way and the one before it.

    `before` is by how much the turn before that one was slower (minus: faster) than its dealer usually is.
    """

    dealers: dict[str, Own] = field(default_factory=dict)
    rounds: int = 0
    squares: float = 0.0
    turn: Turn | None = None
    waiting: Turn | None = None
    before: float = 0.0


class Note(Struct, array_like=True, frozen=True):
    """A turn: its rounds, the paces between which the null allows its mean, and the deviation of rounds from it."""

    rounds: list[Dealt]
    lowest: float
    highest: float
    deviation: float


class PacedRound(WeightyRound, frozen=True):
    """A round beyond the null: the seconds that an act took in it, and at the table. No money and no seat is its own.

    A turn is weighed round by round once the next dealer has dealt some rounds. So of one who was cleared meanwhile,
    rounds of before the clearing are among the later ones.
    """

    seconds: float = 0.0
    usual: float = 0.0

    def row(self) -> dict[str, Any]:
        """What a suspicion says of the round."""
        return {"table": self.subject, "round": self.round, **self.why()}

    def why(self) -> dict[str, Any]:
        """Why it weighs: its pace beside the table's, and the factor."""
        return {"seconds_an_act": self.seconds, "table_seconds_an_act": self.usual, **super().why()}


class OfDealer(Struct):
    """One dealer: the evidence either way, and by variant the rounds that weigh most."""

    slower: Mixture = field(default_factory=lambda: fresh(len(SHIFTS)))
    faster: Mixture = field(default_factory=lambda: fresh(len(SHIFTS)))
    rounds: dict[str, list[PacedRound]] = field(default_factory=dict)


def _closed(state: AtOneTable, closed: Closed) -> Iterator[Contribution]:
    if not (closed.dealer and closed.whole):
        return
    seconds = seconds_an_act(closed.round)
    if seconds is None:
        return
    turn = _turn_of(state, closed.dealer)
    turn.rounds = [
        *turn.rounds[1 - _LONGEST :],
        Dealt(closed.round.number, closed.sequence, round(log(seconds), 4)),
    ]
    if len(turn.rounds) >= _NEIGHBOUR and state.waiting is not None:
        yield from _weighed(state, state.waiting, turn)
        state.waiting = None


def _turn_of(state: AtOneTable, dealer: str) -> Turn:
    """The turn of this dealer, which goes on or begins."""
    turn = state.turn
    if turn is not None and turn.dealer == dealer:
        return turn
    if turn is not None and len(turn.rounds) >= _NEIGHBOUR:
        state.waiting = turn
    elif turn is not None:
        _learn(state, turn)  # too short to tell anything of its neighbours
        if state.waiting is not None and state.waiting.dealer == dealer:
            state.turn, state.waiting = state.waiting, None
            return state.turn
    state.turn = Turn(dealer)
    return state.turn


def _weighed(state: AtOneTable, turn: Turn, after: Turn) -> Iterator[Contribution]:
    """What a turn says, once the next one has shown what the table's pace is."""
    limits = allowed(state, turn.dealer)
    strange = _strange(state, turn)
    if limits is not None:
        # Where her neighbours were slower than they usually are, so was the table.
        neighbours = (0.0, state.before, _strange(state, after))
        lowest, highest = limits[0] + min(neighbours), limits[1] + max(neighbours)
        yield Contribution(
            {"dealer": turn.dealer},
            Note(turn.rounds, round(lowest, 4), round(highest, 4), round(_deviation(state), 4)),
        )
    state.before = strange
    _learn(state, turn)


def _strange(state: AtOneTable, turn: Turn) -> float:
    """By how much a turn is slower (minus: faster) than its dealer usually is, or than the table if she is new.

    One and a half standard errors of its mean are taken off.
    """
    own, known = state.dealers.get(turn.dealer), _known(state)
    if own is not None and own.rounds >= _BASE:
        usual = own.mean
    elif known:
        usual = known[len(known) // 2]
    else:
        return 0.0
    error = 1.5 * _deviation(state) / sqrt(len(turn.rounds))
    away = turn.mean - usual
    return away - max(-error, min(error, away))


def _known(state: AtOneTable, but: str = "") -> list[float]:
    """The means of the dealers whose pace is known, fastest first."""
    return sorted(one.mean for name, one in state.dealers.items() if name != but and one.rounds >= _BASE)


def seconds_an_act(round_: Round) -> float | None:
    """The mean time of the dealer's acts from the closing of bets to the end of a round, in seconds.

    What players take to decide is left out. An interruption counts for 8 seconds, a card laid for half an act. None
    for a round of too few acts, or whose clocks contradict one another.
    """
    spent, acts = dt.timedelta(), 0.0
    before = None
    for one in round_.log:
        kind = type(one.data)
        if before is not None:
            now = one.time
            if kind is not e.PlayerDecision:
                gap = now - before
                spent += gap if gap < _PAUSE else _PAUSE
                acts += _PLACING if kind is e.CardPlaced else 1.0
            before = now
        elif kind is e.BettingClosed:
            before = one.time
    total = spent.total_seconds()
    return total / acts if acts >= 8 and total > 0 else None


def allowed(state: AtOneTable, dealer: str) -> tuple[float, float] | None:
    """The lowest and the highest logarithm of a pace that the null allows this dealer; None if it is not known yet.

    The table's pace is the median of its dealers', so that one who is slow does not make the others fast. With one
    other dealer nobody knows which of two is the odd one: then it must also be a change of her own.
    """
    others = _known(state, but=dealer)
    margin = _deviation(state) / sqrt(2 * _BASE)
    if len(others) >= 2:
        low, high = others[(len(others) - 1) // 2], others[len(others) // 2]
        return low - HONEST - margin, high + HONEST + margin
    own = state.dealers.get(dealer)
    if not others or own is None or own.rounds < _BASE:
        return None
    # Of two dealers each is within 12 % of their mean, so within twice as much of one another.
    (other,) = others
    far, near = 2 * HONEST + margin, HONEST + margin
    return min(other - far, own.first - near), max(other + far, own.first + near)


def _deviation(state: AtOneTable) -> float:
    if state.rounds < _BASE:
        return _AT_FIRST
    return max(_NARROWEST, sqrt(_CAUTIOUS * state.squares / state.rounds))


def _learn(state: AtOneTable, turn: Turn) -> None:
    """Take a turn into its dealer's pace, and how its rounds vary about their mean."""
    own = state.dealers.get(turn.dealer)
    if own is None:
        own = state.dealers[turn.dealer] = Own()
        if len(state.dealers) > _DEALERS:
            del state.dealers[next(iter(state.dealers))]
    mean = turn.mean
    for one in turn.rounds:
        own.rounds += 1
        own.mean += (one.pace - own.mean) / own.rounds
        if own.rounds <= _FIRST:
            own.first = own.mean
        state.squares += min(abs(one.pace - mean), 1.0) ** 2
    state.rounds += len(turn.rounds) - 1


def _weigh(state: OfDealer, seen: Observation, note: Note, share: float) -> Iterator[Alarm]:
    middle = (note.lowest + note.highest) / 2
    for variant, mixture in (("slower", state.slower), ("faster", state.faster)):
        highest, told = 1 / LEVEL, None
        for one in note.rounds:
            beyond = one.pace - note.highest if variant == "slower" else note.lowest - one.pace
            factors = ratios(beyond, note.deviation)
            value, weight = weighed(mixture, factors, _STRETCH, 1, (one.pace, middle))
            evidence = value * share / len(VARIANTS)
            if beyond > 0 and weight > 0:
                place = seen.subject, one.round, one.sequence, mixture.rounds
                pace, table = round(exp(one.pace), 2), round(exp(middle), 2)
                odd = PacedRound(*place, weight, seconds=pace, usual=table)
                keep(state.rounds.setdefault(variant, []), odd)
            # What is told is as of the round at which the turn's evidence was highest.
            if evidence >= highest:
                highest = evidence
                told = _alarm(variant, mixture, state.rounds.get(variant, []), seen, evidence)
        if told is not None:
            yield told


def ratios(beyond: float, deviation: float) -> list[float]:
    """The likelihood ratios of one round's pace, normal about the edge of the null against normal about each shift."""
    away = max(-_WIDEST, min(_WIDEST, beyond / deviation))
    shifts = [shift / deviation for shift in SHIFTS]
    return [exp(shift * away - shift * shift / 2) for shift in shifts]


def _alarm(
    variant: str, mixture: Mixture, odd: list[PacedRound], seen: Observation, evidence: float
) -> Alarm:
    dealer, since = seen.whom["dealer"], heaviest(mixture)
    seconds, table = (exp(total / since.rounds) for total in since.counted)
    latest = (
        f"her latest {f'{since.rounds} rounds' if since.rounds > 1 else 'round'}: more than chance allows"
    )
    over = latest if since.later else "more rounds than chance allows"
    percent = abs(seconds / table - 1) * 100
    most = since_heaviest(mixture, odd)
    return Alarm(
        variant=variant,
        about={"dealer": dealer},
        e_value=evidence,
        sequences=events_of(most, seen.subject),
        expected={"within_percent": 12, "table_seconds_an_act": round(table, 2)},
        observed={"seconds_an_act": round(seconds, 2), "rounds": rows_of(most)},
        message=f"Dealer {dealer} is {variant} than the table by {percent:.0f} % ({seconds:.2f} seconds an act, "
        f"the table {table:.2f}), over {over}.",
    )


def _standing(state: OfDealer, whom: dict[str, str], share: float) -> Iterator[EvidenceStanding]:
    for variant, mixture in (("slower", state.slower), ("faster", state.faster)):
        weighty = state.rounds.get(variant, ())
        yield standing_of(
            mixture, variant, {"dealer": whom["dealer"]}, share / len(VARIANTS), weighty=weighty
        )


register(
    Family(
        name="pace",
        variants=VARIANTS,
        about=("dealer",),
        null="a dealer's pace is within 12 % of the median of the table's other dealers at the time; rounds vary about "
        "it normally, with the deviation measured at the table",
        statistic="The logarithm of the seconds that each of the dealer's acts takes, from the closing of bets to the "
        "end of the round, without players' decisions; an interruption counts for 8 seconds. A turn is held against "
        "the median of the table's other dealers, and with one other dealer against her own first rounds as well; "
        "where those who dealt before and after it were slower than they usually are, so was the table. It is weighed "
        "when the next dealer has dealt twelve rounds.",
        bound="Likelihood ratios of each round against four shifts beyond the edge of the null, from the first round "
        "and from any stretch of five (Ville), under normal rounds: a round counts for three deviations at most, and "
        "the measured variance is taken a tenth larger. Both directions share the level, and so do the dealers of a "
        "table's stream: the n-th has 1/(n(n+1)) of it.",
        innocent=(
            "a dealer who learns, is tired, is unwell or has been told to slow down",
            "a difficult patron, or one who is taught the game, in her turns alone",
            "a device that makes her wait: a reader or a shoe that sticks",
            "colleagues who are all fast where she is slow, each within 12 % of their mean: of simulated tables with "
            "every dealer at one of these two edges, one in fifteen raised an alarm",
        ),
        blind=(
            "a dealer whom nobody relieves: only other dealers tell the table's pace",
            "of two dealers of a table one who was always slow; dealers in a row who are slow together",
            "rounds that are void, could not be decided, or are known to lack a word of a device; rounds in which the "
            "dealer changed",
        ),
        cost="One pass over the events of a round; at a table the rounds of two turns, of a dealer two mixtures of "
        "four shifts and up to 80 rounds: under 10 kB a table and 5 kB a dealer.",
        table=AtTable(state=AtOneTable, closed=_closed),
        entity=OfEntity(state=OfDealer, note=Note, weigh=_weigh, standing=_standing),
    )
)
