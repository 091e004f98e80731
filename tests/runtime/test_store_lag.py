"""Whoever asks for the lag can be told to end at any moment, also at the moment in which the store answers."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.standing import Kept
from processors.runtime.brokers.store_lag import StoreLagMeter
from schemas.topics import SINK

STEPS = 8  # of the loop, from the store's answer to whoever asked


@pytest.mark.parametrize("steps", range(STEPS))
def test_who_is_cancelled_as_the_store_answers_ends(steps: int) -> None:
    """`wait_for` of Python 3.11 forgets a cancellation that comes with an answer: who waited then goes on for ever."""
    asked, may_answer = threading.Event(), threading.Event()

    def kept() -> Kept:
        asked.set()
        may_answer.wait(10)
        return Kept({})

    async def work() -> bool:
        meter = StoreLagMeter(Brokers(servers="127.0.0.1:1"), kept)
        task = asyncio.create_task(meter.measure((SINK,)))
        await asyncio.to_thread(asked.wait, 10)
        may_answer.set()
        time.sleep(0.05)  # the answer lies with the loop, which has not seen it
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait((task,), timeout=10)
        return task.cancelled()

    assert asyncio.run(work())
