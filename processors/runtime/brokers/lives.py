"""Lives of a worker: its part that holds clients of the brokers is made anew when the loss of a broker has ended it.

The next life takes again what the last one had not committed, as after a restart of the process; health, figures and
port go on. A defect still ends the process, and so does a life that ends again and again while the brokers answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from processors.runtime.brokers.clients import GrowingPatience
from processors.runtime.brokers.losses import ClientGaveUp, is_loss
from processors.runtime.brokers.watchdog import Stuck
from processors.runtime.watch.health import Health
from processors.runtime.watch.logs import Log
from processors.runtime.watch.metrics import WorkerMetrics

_IN_VAIN: Final = 4  # lives that may end without having done anything while the brokers answer
_STUCK_IN_VAIN: Final = 1  # ... of which each has lasted for a minute, while nothing was done
_ANEW: Final = "anew"
_LAST_WORDS: Final = 5.0  # seconds that a cancelled task may take to end

Life = Callable[[], Awaitable[None]]


async def live(
    life: Life,
    stop: asyncio.Event,
    answers: Callable[[], bool],
    health: Health,
    metrics: WorkerMetrics,
    log: Log,
) -> None:
    """Run lives one after the other until one ends by itself, or ends after `stop` was set.

    `answers` says whether the brokers answer now: while they do not, a life that ends costs nothing.

    Raises:
        Exception: a defect, or a life that cannot be lived: the brokers answer, and nothing gets done.
    """
    in_vain = 0
    patience = GrowingPatience("begin anew", metrics, log)
    while True:
        moved = health.moved
        try:
            await life()
        except (Exception, asyncio.CancelledError) as error:
            cause = _cause(error)
            if stop.is_set():
                log.warning("ended without a last commit: it is done again", error=type(cause).__name__)
                return
            if health.moved != moved:
                in_vain = 0
                patience = GrowingPatience("begin anew", metrics, log)
            in_vain += answers()
            if in_vain > (_STUCK_IN_VAIN if isinstance(cause, Stuck) else _IN_VAIN):
                raise cause from error
            health.unwell(_ANEW, f"begins anew after {type(cause).__name__}")
            await _unless(stop, patience.after(cause))
            if stop.is_set():
                return
            health.well(_ANEW)
        else:
            return


def _cause(error: BaseException) -> Exception:
    """The loss or the hanging client that ended a life; any other error is raised as it is."""
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise error
        return ClientGaveUp("the client library gave up")
    if isinstance(error, Exception) and (isinstance(error, Stuck) or is_loss(error)):
        return error
    raise error


async def _unless(stop: asyncio.Event, wait: Awaitable[None]) -> None:
    tasks: list[asyncio.Future[Any]] = [asyncio.ensure_future(wait), asyncio.ensure_future(stop.wait())]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    await ended(tasks)


async def together(*works: Awaitable[None]) -> None:
    """Work until one of these is done or fails, and end the others.

    Raises:
        Exception: what it failed with.
    """
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        await ended(tasks)


async def ended(tasks: Iterable[asyncio.Future[Any]]) -> None:
    """Cancel these and wait until they have ended; one that does not is left behind."""
    pending = list(tasks)
    for task in pending:
        task.cancel()
    if pending:
        done, _ = await asyncio.wait(pending, timeout=_LAST_WORDS)
        for task in done:
            if not task.cancelled():
                task.exception()  # or Python would complain that nobody took it
