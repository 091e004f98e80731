"""Under its null each family of this package raises an alarm no more often than promised, whenever one looks.

At a level that a test can see, 1 in 20: 10,000 short streams each, at the edge of the null.
"""

from __future__ import annotations

import datetime as dt
import random

import msgspec
import pytest

from processors.detectors.calling.chances import BOUNDS, SharesSoFar
from processors.detectors.calling.results import MOST_BOXES, CardsResult
from processors.detectors.families import called_void, dealer_mispay, inventory_drift, pace, sensor_health
from processors.detectors.mixture import fresh, left, weigh
from processors.detectors.sensing import silences
from processors.detectors.shapes import Observation

LEVEL = 0.05
STREAMS = [1_000, pytest.param(10_000, marks=pytest.mark.soak)]
NOW = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def _rate(peaks: list[float]) -> float:
    return sum(peak >= 1 / LEVEL for peak in peaks) / len(peaks)


def _mixture(rng: random.Random) -> float:
    """A mixture of three rates over a hundred rounds of ten cases, which happen just as often as the null allows."""
    rates, null, mixture, peak = (0.02, 0.05, 0.2), 0.01, fresh(3), 0.0
    for _ in range(100):
        hits = sum(rng.random() < null for _ in range(10))
        ratios = [(p / null) ** hits * ((1 - p) / (1 - null)) ** (10 - hits) for p in rates]
        peak = max(peak, weigh(mixture, ratios, 5))
    return peak


def _seen(family: str) -> Observation:
    return Observation(
        family=family,
        whom={"dealer": "D"},
        subject="T",
        round=1,
        sequence=1,
        time=NOW,
        nth=1,
        note=msgspec.Raw(b""),
    )


def _mispaid(rng: random.Random) -> float:
    state, peak, chance = dealer_mispay.OfDealer(), 0.0, dealer_mispay.HONEST
    for _ in range(60):
        hands = [(rng.randrange(5), rng.random()) for _ in range(4)]
        bad = [dealer_mispay.Bad(size, 1 if at < chance else -1) for size, at in hands if at < 2 * chance]
        good = [sum(size == one for size, at in hands if at >= 2 * chance) for one in range(5)]
        if not bad:
            state.well += 1
            state.good = [before + more for before, more in zip(state.good, good, strict=True)]
            if state.well >= left(state.careless, 25):
                dealer_mispay._settle(state)
            continue
        list(
            dealer_mispay._weigh(
                state, _seen("dealer_mispay"), dealer_mispay.Note(0, [0] * 5, good, bad), 1.0
            )
        )
    for one in dealer_mispay._standing(state, {"dealer": "D"}, 1.0):
        peak = max(peak, one.highest)
    return peak


def _calls(rng: random.Random) -> float:
    """Sixty rounds called void, lost (or won) as often as others, and these as often as is stated at most."""
    state, sign, table = called_void.OfDealer(), rng.choice((-1, 1)), SharesSoFar()
    bounds = list(BOUNDS.values())

    def outcome(at: int) -> int:
        some, everywhere = (bounds[n][at] for n in ((0, 1) if sign < 0 else (2, 3)))
        chance = rng.random()
        return sign * (2 if chance < everywhere else 1 if chance < some else 0) or -sign

    for _ in range(60):
        for _ in range(rng.randrange(12)):
            at = rng.randrange(MOST_BOXES)
            table.take(CardsResult(at + 1, outcome(at), 0))
        at = rng.randrange(MOST_BOXES)
        found, chances, beside = outcome(at), table.chances(at + 1), table.beside(at + 1)
        note = called_void.Note(found, 100 * found, chances, beside)  # type: ignore[arg-type]  # of these lengths
        list(called_void._weigh(state, _seen("called_void"), note, 1.0))
    return max(one.highest for one in called_void._standing(state, {"dealer": "D"}, 1.0))


def _counts(rng: random.Random) -> float:
    state, peak = inventory_drift.State(expected=0, seen=1), 0.0

    def off() -> int:
        chance, sign = rng.random(), rng.choice((-1, 1))
        if chance < inventory_drift.HONEST_FAR:
            return sign * rng.randrange(10_500, 50_000, 500)
        return sign * rng.randrange(500, 10_001, 500) if chance < inventory_drift.HONEST else 0

    first = off()
    for _ in range(14):
        now = off() - first
        list(inventory_drift._weigh(state, now - state.base, ("T", 1, 1)))
        inventory_drift.note(state, now)
        for variant, side in (("loss", state.loss), ("gain", state.gain)):
            peak = max(peak, side.mixture.value() * inventory_drift.VARIANTS[variant])
    return peak


@pytest.mark.parametrize(
    "counts",
    [[0, 0, -50_000, None, 0, 0, 0], [0, 0, None, 50_000, 0, 0, 0], [0, 0, -50_000, None, -50_000, 0, 0]],
    ids=["miscounted before an opening", "miscounted after it", "miscounted at it and before"],
)
def test_a_count_at_an_opening_may_be_wrong_and_accuses_nobody(counts: list[int | None]) -> None:
    """By how much each count is wrong, None where the next one says anew what there is."""
    state, anew, base = inventory_drift.State(expected=0, seen=1), False, 0
    for number, wrong in enumerate(counts, 2):
        if wrong is None:
            anew = True
        elif anew:
            inventory_drift.begin_anew(state, number)
            anew, base = False, wrong
        else:
            off = wrong - base - state.base
            assert list(inventory_drift._weigh(state, off, ("T", number, number))) == []
            inventory_drift.note(state, wrong - base)


def _words(rng: random.Random) -> float:
    tally, peak = sensor_health.Tally(fresh(len(sensor_health.ALTERNATIVES))), 0.0
    for number in range(60):
        lost = sum(rng.random() < sensor_health.HONEST for _ in range(12))
        peak = max(peak, sensor_health._count(tally, "draws", 12, lost, ("T", 1, 1, number)))
    return peak


def _silences(rng: random.Random) -> float:
    """A device that falls silent, and stays so, as often as the null allows: 200 rounds."""
    table, silent, peak = silences.SilencesOfTable(), False, 0.0
    for number in range(200):
        silent = rng.random() < (silences.STAYS if silent else silences.FALLS)
        for _, evidence in silences.take(
            table, {"shoe": "said nothing"} if silent else {}, ("T", number, number)
        ):
            peak = max(peak, evidence)
    return peak


def _rounds(rng: random.Random) -> float:
    """Two to five dealers in turns of 30 rounds, each within 12 % of the table's pace, which changes once."""
    state, peak = pace.AtOneTable(), 0.0
    dealers = {str(n): rng.uniform(-pace.HONEST, pace.HONEST) for n in range(rng.randrange(2, 6))}
    names, table = list(dealers), 0.0
    held: dict[str, tuple[pace.OfDealer, float]] = {}
    changes = rng.randrange(300)
    for number in range(240):
        table = 0.3 if number > changes else 0.0
        dealer = names[number // 30 % len(names)]
        turn = pace._turn_of(state, dealer)
        turn.rounds.append(pace.Dealt(number, number, table + dealers[dealer] + rng.gauss(0, 0.2)))
        if len(turn.rounds) < 12 or state.waiting is None:
            continue
        for said in pace._weighed(state, state.waiting, turn):
            of, share = held.setdefault(
                said.whom["dealer"], (pace.OfDealer(), 1 / (len(held) + 1) / (len(held) + 2))
            )
            note = said.note
            assert isinstance(note, pace.Note)
            for mixture, edge, sign in ((of.slower, note.highest, 1), (of.faster, note.lowest, -1)):
                for one in note.rounds:
                    evidence = weigh(mixture, pace.ratios(sign * (one.pace - edge), note.deviation), 5)
                    peak = max(peak, evidence * share / 2)
        state.waiting = None
    return peak


@pytest.mark.thorough
@pytest.mark.parametrize("streams", STREAMS)
@pytest.mark.parametrize("stream", [_mixture, _mispaid, _calls, _counts, _words, _silences, _rounds])
def test_alarms_of_honest_streams_are_as_rare_as_promised(stream: object, streams: int) -> None:
    assert callable(stream)
    rng = random.Random(11)
    assert _rate([stream(rng) for _ in range(streams)]) <= LEVEL


def test_rounds_that_are_weighed_together_weigh_as_they_do_apart() -> None:
    ratios, apart, together = [0.98, 0.9, 0.7], fresh(3), fresh(3)
    for _ in range(23):
        weigh(apart, ratios, 5)
    while together.rounds < 23:
        rounds = min(23 - together.rounds, left(together, 5))
        weigh(together, [one**rounds for one in ratios], 5, rounds)
    assert together.value() == pytest.approx(apart.value())
    assert together.value([2.0, 2.0, 2.0]) == pytest.approx(2 * apart.value())


def test_evidence_stays_a_number_however_long_a_pattern_goes_on() -> None:
    mixture = fresh(2)
    for _ in range(5000):
        weigh(mixture, [3.0, 5.0])
    assert 1e280 < mixture.value() < 1e300
    weigh(mixture, [0.1, 0.1])
    assert 1e280 < mixture.value() < 1e300
