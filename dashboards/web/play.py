"""Play that is not live: a demonstration's tables have a clock of their own, and every page says so."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass

from msgspec import Struct


class LookFirst(Struct, frozen=True):
    """Something that is there to be looked at: the path of its section, and what is found there."""

    path: str
    what: str


@dataclass(frozen=True, slots=True)
class DemoPlay:
    """How many times as fast as real tables these are played, and what time it is there, once that is known.

    `look_first` is what whoever comes in may begin with.
    """

    speed: float
    zone: dt.tzinfo
    clock: Callable[[], dt.datetime | None]
    look_first: tuple[LookFirst, ...] = ()

    def told(self) -> str:
        """Both in a sentence."""
        at = self.clock()
        day = "The day before is being dealt."
        if at is not None:
            day = f"At the tables it is {at.astimezone(self.zone):%A, %-d %B %Y, %H:%M %Z}."
        return f"Demonstration: play runs {self.speed:g} times as fast as at a real table. {day}"

    def now(self, ours: dt.datetime) -> dt.datetime:
        """The time at the tables; ours where it is not known yet."""
        return self.clock() or ours
