"""Stretches of time that come by chance and on average fill a given share of it."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

LONGEST_PAUSE = 1e9  # seconds, some thirty years: dates end in the year 9999


class Stretches:
    """Stretches between `shortest` and `longest` seconds, at random, that fill the share `rate` of the time."""

    def __init__(self, rate: float, chance: Random, shortest: float, longest: float) -> None:
        self._chance = chance
        self._lengths = shortest, longest
        self._pause = (shortest + longest) / 2 * (1 - rate) / rate
        self._number = 0
        self._begins: datetime
        self._ends: datetime

    def number_at(self, time: datetime) -> int:
        """Number of the stretch that this moment lies in, from 1; 0 outside of stretches. Moments come in order."""
        if not self._number:
            self._plan(time)
        while time >= self._ends:
            self._plan(self._ends)
        return self._number if time >= self._begins else 0

    def _plan(self, after: datetime) -> None:
        self._number += 1
        pause = min(self._chance.expovariate(1.0) * self._pause, LONGEST_PAUSE)
        self._begins = after + timedelta(seconds=pause)
        self._ends = self._begins + timedelta(seconds=self._chance.uniform(*self._lengths))
