"""Live events of many tables at a steady rate, and when each was due to be sent."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator
from itertools import islice, zip_longest
from typing import IO, Final

import msgspec
from msgspec import Struct

from benchmarks.replay import SEED
from producers.simulator.floor.gaming_floor import gaming_floor, seed_of
from producers.simulator.floor.setup import RULESETS
from producers.simulator.scenarios.catalogue import CATALOGUE
from producers.simulator.session import simulate_table

BEAT: Final = 0.005  # seconds between two looks at what is due
OVERPAYING: Final = 10  # of so many tables one pays some hand too much, so that there are findings
Event = tuple[str, dt.datetime]  # table, and the time that the event says: no two of a table say the same


class _Said(Struct):
    subject: str
    time: dt.datetime


_said = msgspec.json.Decoder(_Said).decode


def event_of(line: bytes) -> Event:
    """The event that a line is."""
    said = _said(line)
    return said.subject, said.time


def subject_of(line: bytes) -> str:
    """The table that a line tells of."""
    return _said(line).subject


def by_turns(tables: int, events: int) -> list[bytes]:
    """So many events of that many simulated tables, which take turns: each line is behind its table's last."""
    rounds = 2 + 2 * events // (tables * 30)  # a round has thirty events or more
    floor = gaming_floor(tables, SEED, RULESETS)
    names = ("overpay" if number % OVERPAYING == 0 else "lawful" for number in range(tables))
    streams: list[Iterator[bytes]] = [
        iter(simulate_table(setup, rounds, seed_of(SEED, setup.subject), CATALOGUE[name]))
        for setup, name in zip(floor, names, strict=True)
    ]
    turns = (line for row in zip_longest(*streams) for line in row if line is not None)
    return list(islice(turns, events))


class Feed:
    """Writes lines at a rate, by a thread of its own; `due` says since when each measured event should be sent.

    An event that could only be written late is measured from the moment at which it was due: a gateway that makes its
    devices wait does not look faster by that.
    """

    def __init__(self, into: IO[bytes], lines: list[bytes], rate: int) -> None:
        """The lines lie ready, so that making them takes nothing from what is measured."""
        self._into, self._lines, self._rate = into, lines, rate
        self._events = [event_of(line) for line in lines]
        self._at = 0
        self.due: dict[Event, float] = {}
        self.latest = 0.0  # seconds by which an event was written late, at most

    def at_once(self, count: int) -> None:
        """Write so many lines without a pause."""
        self._write(self._lines[self._at : self._at + count])

    def steadily(self, seconds: float, *, measured: bool) -> int:
        """Write for so many seconds at the rate; how many lines that were."""
        first, begun = self._at, time.perf_counter()
        last = min(first + int(seconds * self._rate), len(self._lines))
        while self._at < last:
            now = time.perf_counter()
            stop = min(first + int((now - begun) * self._rate) + 1, last)
            if measured:
                for number in range(self._at, stop):
                    self.due[self._events[number]] = begun + (number - first) / self._rate
                if stop > self._at:
                    self.latest = max(self.latest, now - begun - (self._at - first) / self._rate)
            self._write(self._lines[self._at : stop])
            time.sleep(BEAT)
        return last - first

    def _write(self, lines: list[bytes]) -> None:
        if lines:
            self._into.write(b"".join(line + b"\n" for line in lines))
            self._into.flush()
            self._at += len(lines)
