"""Whether a part that a worker needs (brokers, store) still answers: a question to it every few seconds.

Silence proves nothing, since a table at which nobody plays is as silent as a broker that is gone. The last answer
grows old by itself: a frozen part, or a question that hangs in a library, makes the worker not ready without any call
having to return.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

OLD: Final = 10.0  # seconds after which the last answer says nothing about now
EVERY: Final = 3.0
AGAIN: Final = 1.0  # after a question without an answer
DEADLINE: Final = 5.0  # for one question: two are asked before its predecessor's answer is old

Ask = Callable[[], Awaitable[str | None]]


class PartReach:
    """One such part, and when it last answered."""

    def __init__(self, part: str, clock: Callable[[], float] = time.monotonic, again: float = AGAIN) -> None:
        """`part` is its name and address for an operator; until its first answer it counts as not answering."""
        self._part = part
        self._again = again
        self._clock = clock
        self._begun = clock()
        self._answered: float | None = None
        self._trouble = ""

    @property
    def age(self) -> float:
        """Seconds since the last question that was answered was asked; before any answer, since the start."""
        return self._clock() - (self._begun if self._answered is None else self._answered)

    @property
    def answers(self) -> bool:
        """Whether there was an answer, and lately."""
        return self._answered is not None and self.age <= OLD

    def why(self) -> str | None:
        """Why it does not answer, as `/readyz` says it; None while it does."""
        if self.answers:
            return None
        since = (
            f"has not answered for {self.age:.0f} s" if self._answered is not None else "has not answered yet"
        )
        return f"{self._part} {since}{self._trouble and f' ({self._trouble})'}"

    async def follow(self, ask: Ask) -> None:
        """Ask for ever; what `ask` returns is why there was no answer, None if there was one."""
        while True:
            await self.once(ask)
            await asyncio.sleep(self._again if self._trouble else EVERY)

    async def once(self, ask: Ask) -> None:
        """Ask now."""
        asked = self._clock()  # the answer is at least as new as the question
        trouble = await ask()
        self._trouble = trouble or ""
        if trouble is None:
            self._answered = asked
