"""Refusals of who has not signed in: the first of a kind is kept at once, the rest of its minute as a number.

Anybody who reaches the console can be refused as often as they like; the desk's log must not grow by each time.
"""

from __future__ import annotations

import datetime as dt
import threading
from typing import NamedTuple

from dashboards.ledger.acts import What

MINUTE = dt.timedelta(minutes=1)
MOST = 1_000  # kinds counted at a time; those that come when there are as many count together


class Refusal(NamedTuple):
    """A kind of refusal: what was asked for, why it was refused, and the address that asked."""

    what: What
    about: str
    reason: str
    address: str


_OTHERS = Refusal("sign-in", "nobody", "refusals of many kinds or addresses", "")


class Repeats:
    """Counts the refusals of each kind within a minute of its first; any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counted: dict[Refusal, tuple[dt.datetime, int]] = {}

    def first(self, refusal: Refusal, at: dt.datetime) -> Refusal | None:
        """The kind to be kept now; None if it is only counted, because one was kept within the minute before."""
        with self._lock:
            if refusal not in self._counted and len(self._counted) >= MOST:
                refusal = _OTHERS
            begun, more = self._counted.get(refusal, (at, -1))
            self._counted[refusal] = (begun, more + 1)
            return refusal if more < 0 else None

    def over(self, at: dt.datetime) -> list[tuple[Refusal, int]]:
        """The kinds whose minute is over by then and that came again, with how often; they begin anew."""
        with self._lock:
            over = [one for one, (begun, _) in self._counted.items() if at - begun >= MINUTE]
            told = [(one, self._counted.pop(one)[1]) for one in over]
        return [(one, more) for one, more in told if more]
