"""Under its null each of these families alarms as rarely as promised while honest errors come and go.

As in `test_validity_at_moving_rates`: at 1 in 20, each variant before its share of the level is taken. How often people
and devices err moves between none and what the null allows at most, and stays there for a third of the time.
"""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from processors.detectors.evidence.rates import rate_ratios
from processors.detectors.families import (
    collusion,
    dealer_mispay,
    inventory_drift,
    masque_errors,
    sensor_health,
    side_wager,
    theoretical_win,
)
from processors.detectors.mixture import fresh, weigh
from processors.detectors.sensing import silences
from tests.detectors.test_collusion import SEEN, _lot, _note
from tests.detectors.test_masque_errors import of_lights
from tests.detectors.test_theoretical_win import EDGE, _at_edge, _round
from tests.detectors.test_validity_at_moving_rates import LEVEL, Stream, at_most


class Tide:
    """A share of what the null allows, which comes and goes some times in a stream."""

    def __init__(self, rng: random.Random, rounds: int) -> None:
        self._phase, self._each = rng.random(), rounds / rng.uniform(1, 4)

    def at(self, number: int) -> float:
        return min(1.0, 0.75 + 0.75 * math.sin(2 * math.pi * (number / self._each + self._phase)))


def _mispaid(rng: random.Random) -> dict[str, float]:
    """A dealer of 60 rounds with four hands, of which each way as many are mispaid."""
    state, tide = dealer_mispay.OfDealer(), Tide(rng, 60)
    for number in range(60):
        chance, good, bad = dealer_mispay.HONEST * tide.at(number), [0] * 5, []
        for _ in range(4):
            size, at = rng.randrange(5), rng.random()
            if at < 2 * chance:
                bad.append(dealer_mispay.Bad(size, 500 if at < chance else -500))
            else:
                good[size] += 1
        note = dealer_mispay.Note(0, [0] * 5, good, bad) if bad else dealer_mispay.Note(1, good, [0] * 5, [])
        list(dealer_mispay._weigh(state, SEEN, note, 1.0))
    found = dealer_mispay._standing(state, {"dealer": "D"}, 1.0)
    return {one.variant: one.highest / dealer_mispay.WEIGHTS[one.variant] for one in found}


def _careless(rng: random.Random) -> dict[str, float]:
    """A dealer who errs more and less, and by whose errors a player gains up to the odds that the null allows."""
    state, errs, gains, power = collusion.OfPair(), Tide(rng, 80), Tide(rng, 80), rng.choice((0.0, 0.5, 1.0))
    for number in range(80):
        lot = _lot(rng, 0.02 + 0.25 * errs.at(number), power, 0.5 + 0.6 * gains.at(number))
        if lot.mispaid:
            list(collusion._weigh(state, SEEN, _note(lot, "P"), 1.0))
    return {"overpaid": state.peaks[0] / collusion.WEIGHTS["overpaid"]}


def _counts(rng: random.Random) -> dict[str, float]:
    """Forty counts of a tray."""
    state, tide, peaks = inventory_drift.State(expected=0, seen=1), Tide(rng, 40), Counter[str]()
    for number in range(40):
        often, at, sign = tide.at(number), rng.random(), rng.choice((-1, 1))
        far, off = at < often * inventory_drift.HONEST_FAR, at < often * inventory_drift.HONEST
        now = sign * (
            rng.randrange(10_500, 50_000, 500) if far else rng.randrange(500, 10_001, 500) if off else 0
        )
        list(inventory_drift._weigh(state, now - state.base, ("T", 1, 1)))
        inventory_drift.note(state, now)
        for variant, side in (("loss", state.loss), ("gain", state.gain)):
            peaks[variant] = max(peaks[variant], side.mixture.value())  # type: ignore[assignment]
    return dict(peaks)


def _words(rng: random.Random) -> dict[str, float]:
    """Two hundred rounds of twelve words of a device, of which some are lost."""
    tally, tide, peak = sensor_health.Tally(fresh(len(sensor_health.ALTERNATIVES))), Tide(rng, 200), 0.0
    for number in range(200):
        chance = sensor_health.HONEST * tide.at(number)
        lost = sum(rng.random() < chance for _ in range(12))
        peak = max(peak, sensor_health._count(tally, "draws", 12, lost, ("T", 1, 1, number)))
    return {"gaps": peak}


def _silences(rng: random.Random) -> dict[str, float]:
    """A device that falls silent in some of 200 rounds, and stays so."""
    table, tide, silent, peak = silences.SilencesOfTable(), Tide(rng, 200), False, 0.0
    for number in range(200):
        silent = rng.random() < (silences.STAYS if silent else silences.FALLS) * tide.at(number)
        said = {"shoe": "said nothing"} if silent else {}
        peak = max([peak, *(one for _, one in silences.take(table, said, ("T", number, number)))])  # type: ignore[arg-type]
    return {"silence": peak}


def _lights(rng: random.Random) -> dict[str, float]:
    """A reader that errs more and less, while small cards go first and come again: 150 rounds."""
    tide, cards = Tide(rng, 150), Tide(rng, 150)

    def weights(number: int) -> tuple[float, float, float]:
        small = (4 / 13) * (1 + masque_errors.OFF * (2 * cards.at(number) - 1))
        return small, 4 / 13, 9 / 13 - small

    found = of_lights(rng, weights, lambda number: masque_errors.HONEST * tide.at(number))
    return {one.variant: one.highest / masque_errors.SHARES[one.variant] for one in found}


def _side_payments(rng: random.Random) -> dict[str, float]:
    """Side wagers of 400 rounds, of which some are mispaid."""
    mixture, tide = fresh(len(side_wager.MISPAID_MORE)), Tide(rng, 400)
    for number in range(400):
        wagers = rng.randrange(1, 6)
        wrong = sum(rng.random() < side_wager.MISPAID * tide.at(number) for _ in range(wagers))
        factors = rate_ratios(side_wager.MISPAID_MORE, side_wager.MISPAID, wrong, wagers)
        weigh(mixture, factors, side_wager.STRETCH_PAID, wagers)
    return {"push22_paid": mixture.highest}


def _wins(rng: random.Random) -> dict[str, float]:
    """A hundred rounds whose wagers are worth more and less, from the one edge of the null to the other."""
    patrons, house = fresh(len(theoretical_win.PATRONS)), fresh(len(theoretical_win.HOUSE))
    moved, tide = fresh(len(theoretical_win.PAID)), Tide(rng, 100)
    low, high = (_at_edge(sign * theoretical_win.TOLERATED - EDGE) for sign in (-1, 1))
    for number in range(100):
        often = tide.at(number)
        boxes = _round(rng, low + (high - low) * often, rng.randrange(1, 6))
        for mixture, sign, bets in (
            (patrons, 1, theoretical_win.PATRONS),
            (house, -1, theoretical_win.HOUSE),
        ):
            weigh(mixture, theoretical_win.factors(boxes, EDGE, sign, bets), theoretical_win.STRETCH)
        wrong = sum(rng.random() < theoretical_win.TOLERATED * often for _ in boxes) / len(boxes)
        weigh(moved, theoretical_win.shares(wrong, 0), theoretical_win.STRETCH)
    return {"patrons": patrons.highest, "house": house.highest, "overpaid": moved.highest}


@pytest.mark.thorough
@pytest.mark.parametrize("streams", [2_000, pytest.param(10_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize(
    "stream", [_mispaid, _careless, _counts, _words, _silences, _lights, _side_payments, _wins]
)
def test_alarms_are_as_rare_as_promised_while_errors_come_and_go(stream: Stream, streams: int) -> None:
    rng, alarms = random.Random(37), Counter[str]()
    for _ in range(streams):
        alarms.update(variant for variant, evidence in stream(rng).items() if evidence >= 1 / LEVEL)
    assert alarms.total() > 0
    assert {variant: number for variant, number in alarms.items() if number > at_most(streams)} == {}
