"""The store held against the ledger again and again, by a worker of its own with health and figures."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable
from typing import Final

from processors.runtime.brokers.lag import NoTopics
from processors.runtime.reconcile.memory import Last
from processors.runtime.store.warehouse import StoreNotMade
from processors.runtime.watch.health import Health, HealthServer
from processors.runtime.watch.logs import Log
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.amounts import amount, verb

_AGAIN: Final = 300.0  # seconds after a comparison that could not be made
_SOON: Final = 5.0  # ... for which a person has something to make first, and nothing was read
_RECALLED: Final = 60.0  # a person may have compared, and repaired, meanwhile: that is told too
_HOUR: Final = 3600.0
_SOUND: Final = "a store that is what the ledger gives"

Compare = Callable[[Callable[[int], None]], str]
Recall = Callable[[], Last | None]


class _Ended(Exception):
    """The worker was told to end while it compared."""


class ReconcileWorker:
    """Compares every so many hours; both calls it is given wait, and are made in a thread."""

    def __init__(self, compare: Compare, recall: Recall, every_hours: float) -> None:
        """`compare` makes a comparison and remembers it in the store; `recall` says what was found last.

        `compare` returns why what it proved could not be kept for the next one, or nothing.

        `compare` is given a function that it calls often, and that raises when the worker is to end.
        """
        self._compare, self._recall, self._every = compare, recall, every_hours * _HOUR
        self._log = Log("reconcile")
        self.metrics = WorkerMetrics("reconcile")
        self.health = Health()
        self.metrics.ready.set_function(lambda: self.health.ready)
        self._stopping = False
        self._told = ""

    async def run(self, stop: asyncio.Event, host: str, port: int) -> None:
        """Compare until `stop` is set; health and figures are told on this port, nothing at port 0."""
        server = HealthServer(self.health, self.metrics)
        if port:
            await server.start(host, port)
        try:
            while not stop.is_set():
                wait = await self._due()
                wait = min(wait, _RECALLED) if wait else await self._once(stop)
                try:
                    async with asyncio.timeout(wait):
                        await stop.wait()
                except TimeoutError:
                    pass
        finally:
            await server.stop()

    async def _due(self) -> float:
        """Seconds until the next comparison is due, 0 for now."""
        try:
            last = await asyncio.to_thread(self._recall)
        except Exception as error:  # a store that is away is found away by the comparison too, and said there
            return self._failed(error)
        self.health.well("start")
        self.health.well("compare")
        if last is None:
            return 0.0
        self._tell(last)
        age = (dt.datetime.now(dt.UTC) - last.held_at).total_seconds()
        return max(0.0, self._every - age)

    async def _once(self, stop: asyncio.Event) -> float:
        comparing = asyncio.create_task(asyncio.to_thread(self._compare, self._advance))
        stopping = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait((comparing, stopping), return_when=asyncio.FIRST_COMPLETED)
            self._stopping = stop.is_set()
            unkept = await comparing
        except _Ended:
            return 0.0
        except Exception as error:
            return self._failed(error)
        finally:
            stopping.cancel()
        self._log.info("compared")
        if unkept:
            self._log.warning(
                "what was proven is not kept, the next comparison reads the whole ledger", why=unkept
            )
        return 0.0

    def _advance(self, events: int) -> None:
        if self._stopping:
            raise _Ended
        self.metrics.events.inc(events)
        self.health.progress()

    def _failed(self, error: Exception) -> float:
        why = getattr(error, "why", None) or type(error).__name__
        told = ": ".join(filter(None, (getattr(error, "what", ""), str(why))))
        remedy = getattr(error, "remedy", "")
        self.health.unwell(
            "compare", f"not compared: {told}; {remedy}" if remedy else f"not compared: {told}"
        )
        soon = isinstance(error, NoTopics | StoreNotMade)
        if not soon or told != self._told:
            self._log.warning("not compared, will try again", error=type(error).__name__, why=str(why)[:200])
        self._told = told
        return _SOON if soon else _AGAIN

    def _tell(self, last: Last) -> None:
        worker = self.metrics.worker
        self.metrics.reconciled_at.labels(worker).set(last.held_at.timestamp())
        self.metrics.reconciled_rows.labels(worker).set(last.rows)
        if last.well:
            self.health.without.pop(_SOUND, None)
        else:
            said = f"{amount(last.rows, 'row')} {verb(last.rows, 'is')} not; `catwalk reconcile` names them"
            if self.health.without.get(_SOUND) == said:
                return
            self.health.without[_SOUND] = said
            self._log.error("the store is not what the ledger gives", rows=last.rows)
