"""How well stakes fit the true counts at which they were made, in several ways; each a score for every turned path.

What these scores are worth decides how soon a counter is seen. Whether false alarms are as rare as promised does not
depend on them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import floor, log2
from typing import Final

import numpy as np
from msgspec import Struct, field

from processors.detectors.following.flips import BINS, MIDDLES, TO_ONE, Numbers, Places

_MOST = 400.0  # rounds that a line remembers: older ones fade, so that it follows a player who changes
_MOST_OF_RATES = 100.0  # and rates: who came and went at whim for long would else be taken to do so still


class StraightLine(Struct):
    """What is known of a straight line from a function of the true count to the logarithm (base 2) of the stake.

    A normal-inverse-gamma posterior: precision (`ones`, `mixed`, `squares`), precision times mean, shape, and twice the
    scale plus what the mean explains (Bernardo and Smith, Bayesian Theory, 1994, appendix A.2).
    """

    ones: float = 0.05
    mixed: float = 0.0
    squares: float = 1.0
    level: float = 0.0
    slope: float = 0.0
    shape: float = 1.5
    whole: float = 1.0


def _table(values: Callable[[float], float]) -> Numbers:
    return np.array([values(middle) for middle in MIDDLES])


def _between(low: float, value: float, high: float) -> float:
    return min(max(value, low), high)


LINES: Final = (
    (_table(lambda count: _between(-6.0, count, 6.0)), 0.2, 25.0),
    (_table(lambda count: _between(0.0, count - 1.0, 4.0)), 1.0, 1.0),
)
"""What the stakes may follow, the count and the count above 1, each with the slope that is expected beforehand, and how
many rounds at a count of 1 that is worth: who follows the count itself takes some tenths of a doubling for each.
"""


def begin_lines(first: float) -> list[StraightLine]:
    """Nothing known but the logarithm of a usual stake."""
    made = []
    for _, slope, sure in LINES:
        line = StraightLine(squares=sure)
        line.level, line.slope = line.ones * first, line.squares * slope
        line.whole += line.ones * first**2 + line.squares * slope**2
        made.append(line)
    return made


def score_line(line: StraightLine, values: Numbers, at: Places, logs: Numbers) -> Numbers:
    """Log of the marginal likelihood of these stakes by way; `line` learns from the first way, the one seen.

    values: the line's function by quarter of the count. at: rounds by ways. logs: of the stakes.
    """
    x = values.take(at)
    ones = line.ones + len(logs)
    mixed = line.mixed + x.sum(axis=0)
    squares = line.squares + (x * x).sum(axis=0)
    level = line.level + float(logs.sum())
    slope = line.slope + (x * logs[:, None]).sum(axis=0)
    shape = line.shape + len(logs) / 2
    whole = line.whole + float((logs * logs).sum())
    spread = ones * squares - mixed * mixed
    left = whole - (squares * level**2 - 2 * mixed * level * slope + ones * slope**2) / spread
    scores: Numbers = -0.5 * np.log(spread) - shape * np.log(np.maximum(left, 1e-9))
    fade = min(1.0, _MOST / ones)
    line.ones, line.mixed, line.squares = ones * fade, float(mixed[0]) * fade, float(squares[0]) * fade
    line.level, line.slope = level * fade, float(slope[0]) * fade
    line.shape, line.whole = shape * fade, whole * fade
    return scores


_COUNT = LINES[0][0]


def _ramp(units: Callable[[float], float]) -> Numbers:
    return _table(lambda count: log2(units(count)))


RAMP: Final = _ramp(lambda count: _between(1.0, floor(2.0 * count - 1.0), 8.0))
"""The classical plan: two units more for each true count above 1, up to 8."""
_SHARPNESS, _FARTHEST = 6.0, 5.0


def score_ramp(ramp: Numbers, cells: Places, logs: Numbers) -> Numbers:
    """How far the stakes lie from the plan, as the log of a score; `logs` are of units (base 2)."""
    off = logs[:, None] - ramp[None, :]
    return _looked_up(-np.minimum(_SHARPNESS * off * off, _FARTHEST), cells)


EDGES: Final = (1.0, 1.5)
_FAILS = 3.0
_SOFT = 0.5


def _above(edge: float) -> Numbers:
    return _table(lambda count: _between(0.0, (count - edge) / _SOFT + 0.5, 1.0))


ABOVE: Final = tuple(_above(edge) for edge in EDGES)
_THOUGHT, _RARE = 2.0, 0.02
_BEFORE: Final = np.array([0.1 + 0.8 * _above(edge).reshape(-1, TO_ONE).mean(axis=1) for edge in (1.0, 0.0)])


def score_raise(above: Numbers, cells: Places, raised: Sequence[bool], fails: float = _FAILS) -> Numbers:
    """How often what was done is what one does who raises (or plays at all) above a count and only there."""
    did = np.asarray(raised, dtype=np.float64)[:, None]
    return _looked_up(-fails * np.abs(did - above[None, :]), cells)


def score_lean(leaning: float, cells: Places, here: Sequence[bool]) -> Numbers:
    """How much higher the count is in the rounds that he plays than in those that he sits out."""
    did = np.asarray(here, dtype=np.float64)
    return _looked_up(leaning * (did - did.mean())[:, None] * _COUNT[None, :], cells)


class Rates(Struct):
    """How often a player plays at each true count: rounds played, and all rounds.

    A row each for rounds after one that he sat out, and after one that he played; in it whole counts. Beforehand it is
    thought of as two rounds at each, of one who comes above a count of 1, and seldom stays below 0.
    """

    played: list[list[float]] = field(default_factory=lambda: (_THOUGHT * _BEFORE).tolist())
    rounds: list[list[float]] = field(default_factory=lambda: np.full_like(_BEFORE, _THOUGHT).tolist())


def score_rates(rates: Rates, at: Places, here: Sequence[bool]) -> Numbers:
    """Log of the chance of playing and sitting out as he did, at the rates that he has shown; `rates` learns from it.

    at: rounds by ways, of which the first was seen.
    """
    did = np.asarray(here)
    after = np.concatenate(([0], did[:-1].astype(np.intp)))
    played, rounds = np.array(rates.played), np.array(rates.rounds)
    shown = np.repeat(played / rounds, TO_ONE, axis=1).clip(_RARE, 1 - _RARE)[after]
    scores = _looked_up(np.log(np.where(did[:, None], shown, 1 - shown)), cells(at))
    fade = min(1.0, _MOST_OF_RATES / float(rounds.sum()))
    played, rounds = played * fade, rounds * fade
    np.add.at(rounds, (after, at[:, 0] // TO_ONE), 1.0)
    np.add.at(played, (after, at[:, 0] // TO_ONE), did)
    rates.played, rates.rounds = played.tolist(), rounds.tolist()
    return scores


def cells(at: Places) -> Places:
    """For each round and way the cell of a table of rounds by quarters of the count."""
    return at + (np.arange(len(at)) * BINS)[:, None]


def _looked_up(table: Numbers, cells: Places) -> Numbers:
    """The sum over the rounds of what a table (rounds by quarters) holds for the count of each way."""
    found: Numbers = table.ravel().take(cells).sum(axis=0)
    return found
