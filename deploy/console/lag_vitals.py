"""How far the fold and the store are behind the ledger, for the health page."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from itertools import groupby
from typing import Any, Final, NamedTuple, Protocol

from dashboards.web.vitals import Figures, State, Vital
from processors.runtime.brokers.lag import Behind, Lag, NoTopics
from processors.runtime.brokers.standing import RecordsMissing
from processors.runtime.store.warehouse import SqlStore
from schemas.amounts import amount

PART: Final = "Lag"
LATE: Final = 1_000  # records; 100 tables give some 200 a second, and a checkpoint is a second's
STANDS: Final = 60.0  # seconds in which nothing of what waits was taken: a rebalance lasts less
EVERY: Final = 5.0
OLD: Final = 60.0
_STEP: Final = (
    "SELECT subject, toUInt64(max(next_sequence)) FROM progress WHERE subject != '' GROUP BY subject"
)


class Heads(Protocol):
    """A ledger's tables and the last record of each."""

    def subjects(self) -> tuple[str, ...]:
        """Tables that have records."""

    def head(self, subject: str) -> Any:
        """The last record: its `sequence`."""


class _Mark(NamedTuple):
    taken: int | None
    at: float


class Standstill:
    """Since when what waits somewhere was not taken."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._marks: dict[object, _Mark] = {}

    def stands(self, key: object, taken: int | None, behind: int, now: float) -> float:
        """Seconds for which nothing has moved here although something waits."""
        mark = self._marks.get(key)
        if mark is None or mark.taken != taken or not behind:
            self._marks[key] = mark = _Mark(taken, now)
        return now - mark.at


class LedgerLag:
    """The store behind the ledger of the same folder, in records; no table is named, since some may not see it."""

    def __init__(self, ledger: Heads, store: SqlStore, clock: Callable[[], float] = time.monotonic) -> None:
        """Nothing is asked before the first look."""
        self._ledger, self._store, self._clock = ledger, store, clock
        self._standstill = Standstill()
        self._before: tuple[float, int] | None = None

    def vital(self) -> Vital:
        """How far it is behind now.

        Raises:
            Exception: the ledger or the store cannot be asked.
        """
        stored = {subject: following - 1 for subject, following in self._store.query(_STEP)}
        heads = {subject: self._ledger.head(subject).sequence for subject in self._ledger.subjects()}
        behind = {name: max(head - stored.get(name, 0), 0) for name, head in heads.items()}
        now = self._clock()
        stood = (
            self._standstill.stands(name, stored.get(name), waits, now) for name, waits in behind.items()
        )
        stands = max(stood, default=0.0)
        waiting = sum(behind.values())
        told = (
            f"{waiting:,} of {amount(sum(heads.values()), 'record')} of the ledger not folded and stored yet"
        )
        before, self._before = self._before, (now, sum(stored.values()))
        if before is not None and now > before[0]:
            told += f"; {max(self._before[1] - before[1], 0) / (now - before[0]):,.1f} taken a second"
        return _vital(told, waiting, stands, "start this console again: what it folds is in its log")


class KafkaLag:
    """Each kind of worker behind the topics it takes from, by partition; the brokers are asked at an interval."""

    def __init__(
        self, measure: Callable[[], Awaitable[Lag]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`measure` asks the brokers, as `catwalk lag` does."""
        self._measure = measure
        self._clock = clock
        self._standstill = Standstill()
        self._begun = clock()
        self._answered: float | None = None
        self._trouble = ""
        self._before: tuple[float, Counter[str]] | None = None
        self._found = Vital(PART, "warning", "the brokers were not asked yet")

    async def follow(self, every: float = EVERY) -> None:
        """Ask for ever."""
        while True:
            await self.look()
            await asyncio.sleep(every)

    async def look(self) -> None:
        """Ask once; brokers that do not answer, or refuse, are no error."""
        try:
            lag = await self._measure()
        except NoTopics as error:
            self._trouble = f"{error.what}: {error.why}; {error.remedy}"
        except Exception as error:  # the clients raise what their own code trips over: it may answer again
            self._trouble = f"{type(error).__name__} {error}".strip()
        else:
            self._answered, self._trouble = self._clock(), ""
            self._found = self._vital(lag)

    def vital(self) -> Vital:
        """What was found last, or for how long the brokers do not tell."""
        waited = self._clock() - (self._answered if self._answered is not None else self._begun)
        if not self._trouble and waited <= OLD:
            return self._found
        told = f"not known for {waited:,.0f} s: {self._trouble or 'the brokers keep silent'}"
        if self._answered is not None:
            told += f"; before that: {self._found.told}"
        remedy = "runbook lost-broker; a refusal: the console's user needs DESCRIBE on the workers' groups and topics"
        return Vital(PART, "failed", told, remedy)

    def _vital(self, lag: Lag) -> Vital:
        now = self._clock()
        stands = {
            row: self._standstill.stands(
                (row.worker, row.topic, row.partition), _reached(row), row.behind, now
            )
            for row in lag.rows
            if row.worker not in lag.absent
        }
        rates = self._rates(lag, now)
        worst = max(stands, key=lambda row: stands[row], default=None)
        told = f"{amount(lag.behind, 'record')} behind in all"
        if worst is not None and stands[worst] > STANDS:
            told += (
                f"; {worst.worker} has taken nothing of {worst.topic} partition {worst.partition}"
                f" for {stands[worst]:,.0f} s, {worst.behind:,} wait"
            )
        told += f"; {', '.join(lag.absent)} not started" if lag.absent else ""
        remedy = f"start it: catwalk {worst.worker}" if worst is not None else ""
        if lag.faults:
            missing = RecordsMissing(lag.faults)
            told += f"; {missing.what}: {missing.why}"
            return Vital(PART, "failed", told, missing.remedy, _figures(lag, rates))
        if lag.unknown:
            told += f"; what the store lacks is not known: {lag.unknown}"
        return _vital(told, lag.behind, max(stands.values(), default=0.0), remedy, _figures(lag, rates))

    def _rates(self, lag: Lag, now: float) -> dict[str, float]:
        """Records that each kind of worker has taken in a second since the last look."""
        taken: Counter[str] = Counter()
        for row in lag.rows:
            taken[row.worker] += _reached(row) or 0
        before, self._before = self._before, (now, taken)
        if before is None or now <= before[0]:
            return {}
        passed = now - before[0]
        return {worker: max(count - before[1][worker], 0) / passed for worker, count in taken.items()}


def _reached(row: Behind) -> int | None:
    """How far the worker is: of a sink what is stored, where that is known."""
    return row.committed if row.stored is None else row.stored


def _figures(lag: Lag, rates: dict[str, float]) -> Figures:
    rows = []
    for (worker, topic), found in groupby(lag.rows, key=lambda row: (row.worker, row.topic)):
        waits = {row.partition: row.behind for row in found}
        behind, parts = f"{sum(waits.values()):,}", ", ".join(f"{part}: {n:,}" for part, n in waits.items())
        rate = f"{rates[worker]:,.1f}" if worker in rates else "not known"
        if worker in lag.absent:
            behind, parts, rate = "not started", "", "not known"
        rows.append((worker, topic, behind, parts, rate))
    headings = ("Worker", "Topic", "Records behind", "By partition", "Worker takes, records/s")
    return Figures(caption="Lag by worker, topic and partition", headings=headings, rows=tuple(rows))


def _vital(told: str, behind: int, stands: float, remedy: str, figures: Figures | None = None) -> Vital:
    state: State = "failed" if stands > STANDS else "warning" if behind > LATE else "well"
    if state == "warning":
        remedy = "it catches up by itself; if the number grows, the workers are too few or too slow"
    if stands > STANDS and figures is None:
        told += f"; nothing was taken for {stands:,.0f} s"
    return Vital(PART, state, told, remedy if state != "well" else "", figures=figures)
