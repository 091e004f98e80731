"""Processes that a test sends signals to, started so that they hear them."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

HEARD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def start(command: Sequence[str], **options: Any) -> subprocess.Popen[Any]:
    """`subprocess.Popen`, but INT, TERM and HUP have their default effect on the process, whoever started the tests.

    A process inherits what its parent ignores: below `nohup`, or in the background of a script, that is HUP or INT.
    """
    with _none_ignored():
        return subprocess.Popen(command, **options)


@contextmanager
def _none_ignored() -> Iterator[None]:
    """Within, this process handles what it ignored: a new program begins with the default for what was handled."""
    ignored = [number for number in HEARD if signal.getsignal(number) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, _nothing)  # a signal that comes now has no effect here, as before
    try:
        yield
    finally:
        for number in ignored:
            signal.signal(number, signal.SIG_IGN)


def _nothing(_number: int, _frame: FrameType | None) -> None:
    return None
