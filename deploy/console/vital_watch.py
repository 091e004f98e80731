"""Looks after the parts behind a console at an interval, so that a page never waits for one that keeps silent."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Final, Self

import msgspec

from dashboards.web.vitals import Vital

EVERY: Final = 5.0  # seconds
OLD: Final = 60.0  # seconds without an answer: what was found before says nothing of now
_END: Final = 2.0  # seconds that a look which is under way is waited for

Look = Callable[[], Vital]


class VitalWatch:
    """One thread for each part: that one keeps silent holds up no other."""

    def __init__(
        self, looks: Mapping[str, Look], every: float = EVERY, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`looks` by the part's name, in the order in which they are shown."""
        self._looks, self._every, self._clock = looks, every, clock
        self._begun = clock()
        self._found: dict[str, tuple[float, Vital]] = {}
        self._ended = threading.Event()
        self._threads = [
            threading.Thread(target=self._follow, args=each, name=f"look-{each[0]}", daemon=True)
            for each in looks.items()
        ]

    def __enter__(self) -> Self:
        """Begin to look."""
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Look no more."""
        self._ended.set()
        for thread in self._threads:
            thread.join(_END)

    def vitals(self) -> tuple[Vital, ...]:
        """What was found last of each part; old news is no news."""
        return tuple(self._vital(part) for part in self._looks)

    def look(self, part: str) -> None:
        """Look at one part now."""
        try:
            found = self._looks[part]()
        except Exception as error:  # whatever a part answers: that nothing is known of it has to be shown
            remedy = "see the server's log"
            found = Vital(part, "failed", f"it cannot be asked: {error}", remedy)
        self._found[part] = self._clock(), found

    def _follow(self, part: str, _look: Look) -> None:
        while not self._ended.is_set():
            self.look(part)
            self._ended.wait(self._every)

    def _vital(self, part: str) -> Vital:
        found = self._found.get(part)
        waited = self._clock() - (found[0] if found is not None else self._begun)
        if waited > OLD:
            told = f"no answer for {waited:,.0f} s"
            told += f"; before that: {found[1].told}" if found is not None else ""
            return Vital(part, "failed", told, "it keeps silent: see its own log")
        if found is None:
            return Vital(part, "warning", "not asked yet", "wait a moment")
        return msgspec.structs.replace(found[1], part=part)
