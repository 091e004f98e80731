"""The store, the groups and the topics held against each other, for commands that need nothing to be missing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from typing import Final

from deploy.configured.store import open_store
from deploy.configured.workers import brokers_of
from deploy.settings import Settings
from processors.runtime.brokers.lag import Lag
from processors.runtime.brokers.preflight import answered
from processors.runtime.brokers.store_lag import StoreLagMeter, caught_up
from processors.runtime.sink.kept import kept_offsets
from schemas.topics import FOLD, SINK

_PATIENCE: Final = 5.0  # seconds for what is on its way
_PAUSE: Final = 0.2


def standing(settings: Settings) -> Lag:
    """The lag of all workers now.

    Raises:
        BrokersAway: they do not answer.
        NoTopics: a topic is not there.
    """
    return _ask(settings, lambda meter: answered(brokers_of(settings), meter.measure))


def standing_of_what_was_there(settings: Settings) -> Lag:
    """The lag of fold and sink behind what is there now; what is on its way is waited for, though not for long.

    Raises:
        BrokersAway: the brokers do not answer.
        NoTopics: a topic is not there.
    """
    until = time.monotonic() + _PATIENCE

    async def go_on() -> bool:
        await asyncio.sleep(_PAUSE)
        return time.monotonic() < until

    def ask(meter: StoreLagMeter) -> Awaitable[Lag]:
        return caught_up(lambda groups: answered(brokers, lambda: meter.measure(groups)), (FOLD, SINK), go_on)

    brokers = brokers_of(settings)
    return _ask(settings, ask)


def _ask(settings: Settings, ask: Callable[[StoreLagMeter], Awaitable[Lag]]) -> Lag:
    with closing(open_store(settings)) as store:
        meter = StoreLagMeter(brokers_of(settings), lambda: kept_offsets(store))

        async def asked() -> Lag:
            try:
                return await ask(meter)
            finally:
                await meter.stop()

        return asyncio.run(asked())
