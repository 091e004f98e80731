"""What a gateway says of a Kafka that is away: that it cannot forward, once a minute, and once that it can again."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable
from math import inf
from typing import Final

from producers.kafka.connection import Trouble
from schemas.amounts import amount, verb

AWAY_SECONDS: Final = 10.0  # an election of leaders is over by then
SPEAK_SECONDS: Final = 60.0
LOOK_SECONDS: Final = 1.0


class Outage:
    """Looks at a gateway from beside: what forwards may hang in a call to a broker that stands still."""

    def __init__(
        self,
        servers: str,
        say: Callable[[str], None],
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`servers` as the settings name them; `say` shows a line to a person."""
        self._servers = servers
        self._say = say
        self._now = now
        self._clock = clock
        self._since: dt.datetime | None = None
        self._spoke_at = -inf
        self._waited = 0
        self.why: str | None = None

    def said(self) -> None:
        """A person has just been told by somebody else."""
        self._spoke_at = self._clock()

    def look(self, stalled: float, trouble: Trouble, waiting: Callable[[], int]) -> None:
        """Nothing was forwarded for `stalled` seconds, because of `trouble`; `waiting` counts the journal's.

        A topic that is missing is told at once: that is no election of leaders.
        """
        if stalled < AWAY_SECONDS and not trouble.missing:
            self.why = None
            if self._since is not None:
                lasted = (self._now() - self._since).total_seconds()
                waited = (
                    f"{amount(self._waited, 'event')} waited and {verb(self._waited, 'is')} forwarded"
                    if self._waited
                    else "nothing waited"
                )
                self._say(f"Kafka at {self._servers} answers again after {lasted:,.0f} s: {waited}")
            self._since = None
            return
        self._waited = waiting()
        since = self._now() - dt.timedelta(seconds=stalled)
        self.why = f"Kafka at {self._servers} has not answered for {stalled:,.0f} s: {trouble.why}"
        if trouble.missing:
            self.why = f"Kafka at {self._servers}: {trouble.why}; {trouble.remedy}"
        if self._since is None:
            self._since, self._spoke_at = since, -inf
        if self._clock() - self._spoke_at >= SPEAK_SECONDS:
            self._spoke_at = self._clock()
            self._say(
                f"Kafka at {self._servers}: nothing can be forwarded since {self._since:%Y-%m-%d %H:%M:%S}Z:"
                f" {trouble.why}: {amount(self._waited, 'event')} {verb(self._waited, 'waits')} in the journal;"
                f" {trouble.remedy}"
            )
