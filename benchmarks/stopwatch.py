"""A stopwatch for records, of the standard library alone: a Python without the product's libraries takes it too."""

from __future__ import annotations

import json
import sys
import time


class Stopwatch:
    """Seconds of the clock and of the processor, from the first of so many records to the last."""

    def __init__(self, records: int = 1) -> None:
        self.left = records
        self.seconds = self.cpu = 0.0
        self._begun: tuple[float, float] | None = None

    def start(self) -> None:
        """The first record is there; a second start changes nothing."""
        self._begun = self._begun or (time.perf_counter(), time.process_time())

    def took(self, records: int = 1) -> bool:
        """Count records that were taken; whether they were the last."""
        self.start()
        self.left -= records
        if self.left > 0 or self._begun is None:
            return False
        self.seconds, self.cpu = time.perf_counter() - self._begun[0], time.process_time() - self._begun[1]
        return True

    def write(self) -> None:
        """Write both figures to standard output as JSON, for the process that started this one."""
        sys.stdout.write(json.dumps({"seconds": self.seconds, "cpu": self.cpu}))
