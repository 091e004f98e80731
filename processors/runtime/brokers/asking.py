"""Questions that brokers may not answer at once: one that has just started knows no coordinator of any group yet."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import UNANSWERED
from processors.runtime.brokers.preflight import BrokersAway

FIRST_CONTACT: Final = 10.0  # seconds
_AGAIN: Final = 0.25

Answer = TypeVar("Answer")


async def answered(
    brokers: Brokers, ask: Callable[[], Awaitable[Answer]], seconds: float = FIRST_CONTACT
) -> Answer:
    """Ask until there is an answer.

    Raises:
        BrokersAway: there has been none for so many seconds.
    """
    until = time.monotonic() + seconds
    while True:
        try:
            return await ask()
        except UNANSWERED as error:
            if time.monotonic() >= until:
                raise BrokersAway(brokers.servers, error) from error
        await asyncio.sleep(_AGAIN)
