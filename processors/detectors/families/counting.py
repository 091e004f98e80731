"""A player whose stakes, or whose presence, follow the count of the cards.

Whatever a player stakes by, as long as it is not the cards that are gone, these might as well have been others. So the
cards are what is random here and the stakes are what is given, in the order in which they came: moods, progressions and
habits need no model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log2
from typing import Any, Final

import numpy as np
from msgspec import Struct, field

from processors.detectors.family import LEVEL, AtTable, Family, OfEntity, register
from processors.detectors.following import fits
from processors.detectors.following.blocks import LEAST, AtOneTable, BlockNote, flush, take
from processors.detectors.following.flips import FEW, MIDDLES, WAYS, Places, counts, evidence
from processors.detectors.following.steps import RESULTS, SURE
from processors.detectors.mixture import Mixture, RoundsTold, since_heaviest, standing_of, weigh
from processors.detectors.shapes import Alarm, Closed, Contribution, EvidenceStanding, Happened, Observation
from processors.detectors.weighty import WeightyRound, events_of, keep, rows_of
from schemas import events as e
from schemas.amounts import amount

SHARES: Final = {"stakes": 0.9, "presence": 0.1}
"""The share of the level of each variant."""
# Fits of stakes: the two lines that learn, the classical plan, and raises above two counts. Fits of presence: the rates
# that learn, who plays above a count of 1 and only there, and by how much more one plays the higher the count, as
# slopes of the log odds.
_STAKES = (0.25, 0.4, 0.2, 0.05, 0.1)
_PRESENCE = (0.3, 0.3, 0.2, 0.1, 0.1)
_COMES_AND_GOES = 1.5
_LEANS: Final = (0.04, 0.1, 0.25)
_WHOLE = 0.95
_STRETCH = 25
_MIDDLE = 13.0  # log2 of $81.92: stakes about it are numbers about 0
_RAISED = 0.4  # log2: by a third
_UNITS = 8
_PLAIN = 0.5
_SPEAKS = 3.0
_LATEST = 200  # rounds, at least, of which it is asked and told whether he stakes more at high counts
_SAYS = 0.5
_HIGH = 1.0  # true count from which on it is called high


class CountedRound(WeightyRound, frozen=True):
    """A round that speaks for a counter, with the true count.

    Its weight grows with how far his stake lies above what he usually stakes and the count above 1, or both below.
    """

    count: float = 0.0

    def why(self) -> dict[str, Any]:
        """The true count: stakes above his usual ones stand at high counts, those below at low counts."""
        return {"true_count": self.count}


class Side(Struct, array_like=True):
    """Rounds at a true count of 1 or more, or below: those staked in, cents staked, and those sat out."""

    staked: int = 0
    cents: int = 0
    out: int = 0

    @property
    def rounds(self) -> int:
        """Those staked in, and those sat out."""
        return self.staked + self.out

    def add(self, other: Side) -> None:
        """Add the rounds of another block."""
        self.staked += other.staked
        self.cents += other.cents
        self.out += other.out


def _mixture(weights: Sequence[float]) -> Mixture:
    return Mixture(whole=[_WHOLE * one for one in weights], weights=[(1 - _WHOLE) * one for one in weights])


class OfPlayer(Struct):
    """One player: the evidence, what his stakes have shown so far, and by variant the rounds that weigh most.

    blocks: of each of his latest blocks, the rounds at a true count of 1 or more, and those below.
    units: his least stakes in the latest blocks. means: how many rounds ended with each result, and what their cards
    did beyond what is expected of their number.
    """

    stakes: Mixture = field(default_factory=lambda: _mixture(_STAKES))
    presence: Mixture = field(default_factory=lambda: _mixture(_PRESENCE))
    lines: list[fits.StraightLine] = field(default_factory=list)
    rates: fits.Rates = field(default_factory=fits.Rates)
    means: list[tuple[float, float]] = field(
        default_factory=lambda: [(sure, sure * one) for sure, one in zip(SURE, RESULTS, strict=True)]
    )
    units: list[int] = field(default_factory=list)
    blocks: list[tuple[Side, Side]] = field(default_factory=list)
    rounds: dict[str, list[CountedRound]] = field(default_factory=dict)


def _closed(state: AtOneTable, closed: Closed) -> Iterator[Contribution]:
    yield from take(state, closed)


def _happened(state: AtOneTable, _: Happened) -> Iterator[Contribution]:
    yield from flush(state)


def _weigh(state: OfPlayer, seen: Observation, note: BlockNote, share: float) -> Iterator[Alarm]:
    staked = [place for place, cents in enumerate(note.cents) if cents]
    means = [total / number for number, total in state.means]
    usual = [means[result] for result in note.results]
    at = counts(
        note.start,
        note.decks,
        [drift + mean for drift, mean in zip(note.drifts, usual, strict=True)],
        [turn - mean for turn, mean in zip(note.turns, usual, strict=True)],
        _ways(state, note.cents),
    )
    values = {}
    if len(staked) >= LEAST:
        values["stakes"] = _weigh_stakes(state, note.cents, staked, at)
    if len(staked) < len(note.cents):
        values["presence"] = weigh(
            state.presence, _fit_presence(state, note.cents, at), _STRETCH, len(note.cents)
        )
    middles = [MIDDLES[place] for place in at[:, 0]]
    _remember(state, note, middles)
    for variant, value in values.items():
        _keep(state, variant, seen, note, middles)
        evidence_ = value * share * SHARES[variant]
        if evidence_ >= 1 / LEVEL and _more_when_high(variant, state):
            yield _alarm(variant, state, seen, evidence_)


def _more_when_high(variant: str, state: OfPlayer) -> bool:
    """Whether he lately stakes more, or plays more often, at high counts than at low ones.

    What is learnt may run the other way; and one who plays at low counts only seems to keep his stakes low there.
    """
    high, low = _latest(state)
    if variant == "stakes":
        return high.cents * max(1, low.staked) > low.cents * high.staked
    return high.staked * low.rounds > low.staked * high.rounds


def _latest(state: OfPlayer) -> tuple[Side, Side]:
    """His latest rounds at a true count of 1 or more, and those below."""
    high, low = Side(), Side()
    for above, below in state.blocks:
        high.add(above)
        low.add(below)
    return high, low


def _ways(state: OfPlayer, cents: list[int]) -> int:
    """More ways tell more, and cost more: they are for those whose stakes are plain, or who have given reason."""
    if max(state.stakes.value(), state.presence.value()) >= _SPEAKS:
        return WAYS
    least = min((one for one in cents if one), default=0)
    return WAYS if sum(one <= least for one in cents) >= _PLAIN * len(cents) else FEW


def _weigh_stakes(state: OfPlayer, cents: list[int], staked: list[int], at: Places) -> float:
    state.units = [*state.units[1 - _UNITS :], min(cents[place] for place in staked)]
    unit = log2(min(state.units))
    logs = np.array([log2(cents[place]) for place in staked]) - _MIDDLE
    if not state.lines:
        state.lines = fits.begin_lines(sorted(float(one) for one in logs)[len(logs) // 2])
    at = at[staked] if len(staked) < len(cents) else at
    over = logs + (_MIDDLE - unit)
    raised = [bool(one > _RAISED) for one in over]
    scores = [
        fits.score_line(line, values, at, logs)
        for line, (values, *_) in zip(state.lines, fits.LINES, strict=True)
    ]
    cells = fits.cells(at)
    scores.append(fits.score_ramp(fits.RAMP, cells, over))
    scores += [fits.score_raise(above, cells, raised) for above in fits.ABOVE]
    return weigh(state.stakes, evidence(scores), _STRETCH, len(staked))


def _fit_presence(state: OfPlayer, cents: list[int], at: Places) -> list[float]:
    here = [one > 0 for one in cents]
    cells = fits.cells(at)
    scores = [fits.score_rates(state.rates, at, here)]
    scores.append(fits.score_raise(fits.ABOVE[0], cells, here, _COMES_AND_GOES))
    scores += [fits.score_lean(leaning, cells, here) for leaning in _LEANS]
    return evidence(scores)


def _remember(state: OfPlayer, note: BlockNote, at: list[float]) -> None:
    """Learn what rounds of each result do to the count, and what he stakes at high counts and at low ones."""
    for turn, result in zip(note.turns, note.results, strict=True):
        number, total = state.means[result]
        state.means[result] = (number + 1, total + turn)
    state.blocks.append((Side(), Side()))
    while sum(high.rounds + low.rounds for high, low in state.blocks[1:]) + len(at) >= _LATEST:
        del state.blocks[0]
    for count, cents in zip(at, note.cents, strict=True):
        state.blocks[-1][count < 1].add(Side(int(cents > 0), cents, int(not cents)))


def _keep(state: OfPlayer, variant: str, seen: Observation, note: BlockNote, at: list[float]) -> None:
    """Keep the rounds of a block that weigh most: high stakes at high counts and low ones at low counts."""
    high, low = _latest(state)
    usual = (high.cents + low.cents) / max(1, high.staked + low.staked)
    rests_on = _mixture_of(state, variant).rounds
    for place, (count, cents) in enumerate(zip(at, note.cents, strict=True)):
        if variant == "presence":
            over = 1.0 if cents else -1.0
        else:
            over = cents / usual - 1 if cents else 0.0
        weight = round(over * (count - _HIGH), 2)
        if weight > _SAYS:
            row = seen.subject, note.rounds[place], note.sequences[place], rests_on
            seats = note.seats[place] if note.seats else ()
            keep(state.rounds.setdefault(variant, []), CountedRound(*row, weight, cents, seats, count))


def _mixture_of(state: OfPlayer, variant: str) -> Mixture:
    return state.stakes if variant == "stakes" else state.presence


def _alarm(variant: str, state: OfPlayer, seen: Observation, e_value: float) -> Alarm:
    player, (high, low) = seen.whom["player"], _latest(state)
    within = f"In {RoundsTold(True, high.rounds + low.rounds, []).of('round')} of player {player} he"
    most = since_heaviest(_mixture_of(state, variant), state.rounds.get(variant, ()))
    expected: dict[str, Any]
    observed: dict[str, Any]
    if variant == "stakes":
        mean = round((high.cents + low.cents) / (high.staked + low.staked))
        above, below = (round(side.cents / max(1, side.staked)) for side in (high, low))
        expected = {"mean_cents_at_any_count": mean}
        observed = {
            "mean_cents_at_count_of_1_or_more": above,
            "rounds_at_count_of_1_or_more": high.staked,
            "mean_cents_below": below,
            "rounds_below": low.staked,
        }
        message = (
            f"{within} staked ${above / 100:,.2f} on average in {amount(high.staked, 'round')} at a true count of 1 or "
            f"more, and ${below / 100:,.2f} in {amount(low.staked, 'round')} below it; with other cards the same "
            "stakes would hardly ever have fitted the count so well."
        )
    else:
        here, all_ = high.staked + low.staked, high.rounds + low.rounds
        expected = {"rounds_played_at_count_of_1_or_more": round(high.rounds * here / all_, 1)}
        observed = {
            "rounds_played_at_count_of_1_or_more": high.staked,
            "rounds_at_count_of_1_or_more": high.rounds,
            "rounds_played_below": low.staked,
            "rounds_below": low.rounds,
        }
        message = (
            f"{within} played {high.staked} of {amount(high.rounds, 'round')} at a true count of 1 or more, and "
            f"{low.staked} of {low.rounds} below it; with other cards his coming and going would hardly ever have "
            "fitted the count so well."
        )
    return Alarm(
        variant=variant,
        about={"player": player},
        e_value=e_value,
        sequences=events_of(most, seen.subject),
        expected=expected,
        observed={**observed, "rounds": rows_of(most)},
        message=message,
    )


def _standing(state: OfPlayer, whom: dict[str, str], share: float) -> Iterator[EvidenceStanding]:
    for variant, mixture in (("stakes", state.stakes), ("presence", state.presence)):
        if not mixture.rounds:
            continue
        part = share * SHARES[variant]
        due = _more_when_high(variant, state)
        weighty = state.rounds.get(variant, ())
        yield standing_of(mixture, variant, {"player": whom["player"]}, part, due=due, weighty=weighty)


register(
    Family(
        name="counting",
        variants=tuple(SHARES),
        about=("player",),
        null="what a player stakes, and whether he plays, may follow his earlier stakes and results, the time, how far "
        "the shoe has come, and whim, but not otherwise the cards that are gone: these might have leaned the other way",
        statistic="How well a player's stakes, or his coming and going, fit the true count (High-Low, all cards seen "
        "since the shuffle, his boxes together), in blocks of up to 48 rounds of a shoe: against the counts that other "
        "cards would have made, the stakes left as they were.",
        bound="In each block what the cards did beyond what is usual for his result and for the number of cards is "
        "turned round by round, in 256 or 1,024 ways that form a group: the share of what was seen is 1 on average, "
        "whatever the stakes. Five fits of stakes and five of presence, from his first block and from any stretch of "
        "25 rounds (Ville). Stakes have nine tenths of the level, presence one tenth; the n-th player at a table has "
        "1/(n(n+1)) of it. It is exact where rounds lie symmetrically about what is usual, which is learnt as the "
        "table plays. In simulations of fourteen kinds of players who do not count, each variant by itself held at 1 "
        "in 20 over six shoes; over 40 shoes at most 27 of 500 players of a kind came to 1 in 20 (late comers). Of "
        "6,000 who raise late in the shoe, and of 6,000 who raise after big wins, one each came to 1 in 10,000. Nobody "
        "is named who lately stakes or plays no more at high counts than at low ones.",
        innocent=(
            "a player who copies the stakes of another who counts",
            "one who goes by what came out without counting, as who stakes more after rounds of small cards",
            "stakes that follow the luck of other players or of the dealer, which the cards decide as well",
            "a player who left, or was sent away, in the middle of a shoe: where the record has no word that he left, "
            "or has it late, he seems to sit the rest out",
            "a house that shuffles by the count: what he then misses is the house's doing",
        ),
        blind=(
            "one who stakes alike and only plays by the count",
            "a player's rounds before his stakes first differ within a block, or he has come and gone in one or two",
            "counts whose tags are quite unlike High-Low; cards that the record does not know",
            "tables whose device takes the cards back at once, and stack games: there is nothing to count",
            "a counter before the block is over: blocks end with the shoe, or after 48 rounds",
            "a player who changes his pseudonym",
        ),
        cost="A look at the cards and stakes of a round, up to 48 rounds kept at the table; for each player and block "
        "some arrays of 256 or 1,024 columns; at most 12 kB a player.",
        table=AtTable(
            state=AtOneTable,
            closed=_closed,
            reads=(e.ShoeEmptied, e.ShoeLoaded, e.TableClosed),
            happened=_happened,
        ),
        entity=OfEntity(state=OfPlayer, note=BlockNote, weigh=_weigh, standing=_standing),
    )
)
