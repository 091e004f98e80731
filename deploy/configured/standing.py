"""The store, the groups and the topics held against each other, for commands that need nothing to be missing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from typing import Final

from msgspec import structs

from deploy.configured.store import open_store
from deploy.configured.workers import brokers_of
from deploy.settings import Settings
from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import Lag
from processors.runtime.brokers.preflight import answered
from processors.runtime.brokers.store_lag import StoreLagMeter, caught_up
from processors.runtime.sink.kept import kept_offsets
from schemas.answers import FOLD_VERSION
from schemas.topics import ANALYST, GROUPS, ConsumerGroup

_PATIENCE: Final = 5.0  # seconds for what is on its way
_PAUSE: Final = 0.2


def standing(settings: Settings, fold: int = FOLD_VERSION) -> Lag:
    """The lag of all workers of a version of the fold now.

    Raises:
        BrokersAway: they do not answer.
        NoTopics: a topic is not there.
    """
    return _ask(settings, lambda meter: answered(brokers_of(settings), meter.measure), fold)


def standing_of_what_was_there(
    settings: Settings,
    seconds: float = _PATIENCE,
    *,
    counters: bool = False,
    fold: int = FOLD_VERSION,
) -> Lag:
    """The lag of fold and sink behind what is there now; what is on its way is waited for, though not for long.

    With `counters` also that of an analyst, unless none was ever started; `fold` is the version they work for.

    Raises:
        BrokersAway: the brokers do not answer.
        NoTopics: a topic is not there.
    """
    until = time.monotonic() + seconds

    async def go_on() -> bool:
        await asyncio.sleep(_PAUSE)
        return time.monotonic() < until

    def ask(meter: StoreLagMeter) -> Awaitable[Lag]:
        return _caught_up(brokers, meter, go_on, counters=counters)

    brokers = brokers_of(settings, fold)
    return _ask(settings, ask, fold)


async def _caught_up(
    brokers: Brokers, meter: StoreLagMeter, go_on: Callable[[], Awaitable[bool]], *, counters: bool
) -> Lag:
    def measure(groups: Sequence[ConsumerGroup]) -> Awaitable[Lag]:
        return answered(brokers, lambda: meter.measure(groups))

    absent = (await measure((ANALYST,))).absent if counters else (ANALYST.worker,)
    groups = tuple(group for group in GROUPS if group.worker not in absent)
    return structs.replace(await caught_up(measure, groups, go_on), absent=absent)


def _ask(settings: Settings, ask: Callable[[StoreLagMeter], Awaitable[Lag]], fold: int) -> Lag:
    with closing(open_store(settings, fold)) as store:
        meter = StoreLagMeter(brokers_of(settings, fold), lambda: kept_offsets(store))

        async def asked() -> Lag:
            try:
                return await ask(meter)
            finally:
                await meter.stop()

        return asyncio.run(asked())
