"""A wait ends on a condition; its deadline is so late that only a defect meets it, however busy the machine."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from typing import Any, TypeVar

import httpx

Answer = TypeVar("Answer")
PATIENCE = 120.0  # seconds; a test has 300
EVERY = 0.02  # seconds between two looks


def until(
    look: Callable[[], Answer | None],
    said: Callable[[], object] = str,
    *,
    running: subprocess.Popen[Any] | None = None,
    seconds: float = PATIENCE,
    every: float = EVERY,
) -> Answer:
    """Look until the answer is true, and return the answer.

    said: asked for a word when the wait was in vain.
    running: a process that must go on meanwhile.
    every: seconds between two looks, more where a look is work for somebody.

    Raises:
        AssertionError: the deadline has passed, or the process has ended.
    """
    end = time.monotonic() + seconds
    while not (answer := look()):
        assert running is None or running.poll() is None, f"the process has ended. {said()}"
        assert time.monotonic() < end, f"it did not come about in {seconds:g} s. {said()}"
        time.sleep(every)
    return answer


def answered(address: str) -> httpx.Response | None:
    """The answer from an address, whose certificate is not looked at; None while nobody listens."""
    try:
        return httpx.get(address, verify=False)
    except httpx.TransportError:
        return None
