"""Ends a worker that takes nothing though there is something to take: clients have been seen to fall silent."""

from __future__ import annotations

import time
from collections.abc import Callable


class Stuck(Exception):
    """Records wait, the brokers answer, and nothing is taken: the process must be started again."""

    def __init__(self, worker: str, seconds: float) -> None:
        self.what = f"catwalk {worker}"
        self.why = f"records wait and none was taken for {seconds:.0f} s"
        self.remedy = "let its supervisor start it again; what it had not acknowledged is taken again"
        super().__init__(f"{self.what}: {self.why}; {self.remedy}")


class Watchdog:
    """Told again and again how many records wait and when something was last done, it says when that is too long."""

    def __init__(self, worker: str, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        """`seconds` is how long records may wait without any being taken."""
        self._worker, self._seconds, self._clock = worker, seconds, clock
        self._since = clock()
        self._moved = -1.0

    def look(self, behind: int | None, moved: float) -> None:
        """So many records wait, None if the brokers could not be asked; something was done at `moved`.

        Raises:
            Stuck: it has been too long.
        """
        now = self._clock()
        if not behind or moved != self._moved:
            self._since, self._moved = now, moved
        elif now - self._since > self._seconds:
            raise Stuck(self._worker, now - self._since)
