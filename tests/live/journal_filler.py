"""Appends events to a journal whose broker is gone, and says the memory that took; a process of its own.

Arguments: the file of events, the journal, and for how many seconds it waits at the end.
"""

from __future__ import annotations

import datetime as dt
import itertools
import resource
import sys
import time
from pathlib import Path
from typing import BinaryIO

from msgspec.structs import replace

from deploy.configured.kafka import connection
from deploy.settings import load
from producers.kafka.connection import ClientPatience
from producers.kafka.gateway import Gateway, GatewayPlan
from producers.kafka.journal import Journal
from producers.recorder import Arrival, Recorder

_FRAME = 500  # lines
_READY = 10  # frames that the broker takes before it goes


def main(events: str, journal: str, seconds: str) -> None:
    """Say `ready`, wait for a line, append the rest; then the memory before and after in kilobytes, and what waits."""
    patience = ClientPatience(connect=1_000, look=1_000, request=2_000, delivery=4_000)
    reach = replace(connection(load().values), patience=patience)
    gateway = Gateway(
        Journal(Path(journal)), reach, GatewayPlan(seconds=1), lambda: "2026-11-21T10:00:00.000000Z", _silent
    )
    recorder = Recorder(gateway, lambda: dt.datetime.now(dt.UTC))
    with Path(events).open("rb") as file:
        gateway.start()
        for _ in range(_READY):
            recorder.record_lines(_frame(file))
        if not gateway.wait(_silent):
            raise SystemExit("the broker did not take the first events")
        _say("ready")
        sys.stdin.readline()
        before = _peak()
        while lines := _frame(file):
            recorder.record_lines(lines)
    time.sleep(float(seconds))
    _say(before, _peak(), gateway.forwarder.waiting, gateway.forwarder.failures)
    gateway.close()


def _frame(file: BinaryIO) -> list[Arrival]:
    return [Arrival(line.rstrip(), "test") for line in itertools.islice(file, _FRAME)]


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def _silent(_said: object) -> None:
    return None


if __name__ == "__main__":
    main(*sys.argv[1:])
