"""A wish to end a recording, TERM or Ctrl-C: heard between two frames, and never while a frame is made durable.

Python raises what a signal's handler raises wherever the main thread stands, also between the taking of a lock and the
`with` that would give the lock back: a forwarder that needs the lock then waits for ever, and the process with it.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Final, NoReturn, TypeVar

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
_Frame = TypeVar("_Frame")


class Leaving:
    """Hears the first signal where nothing is held; a second signal ends the process at once."""

    def __init__(self, sleep: Callable[[float], object] = time.sleep) -> None:
        self._sleep = sleep
        self._asked: int | None = None
        self._waits = False

    def between(self, frames: Iterable[_Frame]) -> Iterator[_Frame]:
        """The frames, in their order.

        Raises:
            SystemExit: TERM came while a frame was waited for or worked on; status 143.
            KeyboardInterrupt: the same of Ctrl-C.
        """
        coming = iter(frames)
        while True:
            self._waits = True
            try:
                self._answer()
                frame = next(coming)
            except StopIteration:
                return
            finally:
                self._waits = False
            yield frame

    def rest(self, seconds: float) -> None:
        """Sleep so many seconds, or until a signal; raises as `between` does."""
        self._waits = True
        try:
            self._answer()
            self._sleep(seconds)
        finally:
            self._waits = False

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Take the two signals for the length of the block; a signal that nobody answered is answered at its end.

        A thread other than the main one takes none: Python brings it no signal.
        """
        if current_thread() is not main_thread():
            yield
            return
        before = [signal.signal(number, self._hear) for number in _SIGNALS]
        try:
            yield
        finally:
            for number, handler in zip(_SIGNALS, before, strict=True):
                signal.signal(number, handler)
        self._answer()

    def _hear(self, number: int, _frame: FrameType | None) -> None:
        for each in _SIGNALS:
            signal.signal(each, signal.SIG_DFL)
        self._asked = number
        if self._waits:
            self._answer()

    def _answer(self) -> None:
        asked, self._asked = self._asked, None
        if asked is not None:
            self._end(asked)

    @staticmethod
    def _end(number: int) -> NoReturn:
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        raise SystemExit(128 + number)
