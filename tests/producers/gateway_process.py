"""One run of a gateway's parts over a journal file, step by step, on a clock that the test moves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from producers.kafka.agreement import Agreement
from producers.kafka.forwarder import Bounds, Forwarder
from producers.kafka.journal import Journal
from producers.kafka.shipments import BACKFILL, Framing
from producers.kafka.tenure import Tenure
from tests.clocks import Seconds
from tests.producers.fake_kafka import FakeClaims, FakeHeads, FakeKafka, FakeTransport, Tripwire


class Process:
    """One run of a gateway's parts over a journal file: started, stepped, killed, started again."""

    def __init__(
        self,
        path: Path,
        kafka: FakeKafka,
        clock: Seconds,
        trip: Tripwire | None = None,
        framing: Framing = BACKFILL,
        take_over: bool = False,
        bounds: Bounds | None = None,
    ) -> None:
        self.kafka, self.clock, self.trip = kafka, clock, trip or Tripwire()
        self.journal = Journal(path)
        self.transports: list[FakeTransport] = []
        agreement = Agreement(self.journal, lambda: "2026-11-21T10:00:00.000000Z")
        self.tenure = Tenure(
            self.journal,
            agreement,
            lambda: (FakeClaims(kafka, clock), FakeHeads(kafka)),
            take_over=take_over,
            sleep=clock.sleep,
            clock=clock,
        )
        mark = self.journal.mark

        def marked(arrived: dict[str, int], letters: int | None = None) -> None:
            self.trip("before mark")
            mark(arrived, letters)
            self.trip("after mark")

        self.journal.mark = marked  # type: ignore[method-assign,assignment]  # a moment at which to die
        self.forwarder = Forwarder(
            self.journal, self.tenure, self._connect, framing=framing, clock=clock, bounds=bounds
        )

    def _connect(self) -> FakeTransport:
        self.transports.append(FakeTransport(self.kafka, self.trip))
        return self.transports[-1]

    def append(self, subject: str, lines: list[bytes]) -> None:
        head = self.journal.log.append(subject, lines, self.journal.log.head(subject))
        self.forwarder.appended(subject, head.sequence)

    def run(self, steps: int = 200) -> None:
        """Step until everything has arrived, the broker taking what it is handed."""
        for _ in range(steps):
            self.trip("before step")
            self.forwarder.step()
            if self.transports and not self.transports[-1].abandoned:
                self.transports[-1].take()
            self.clock.now += 0.3
            if self.forwarder.idle:
                return
        pytest.fail("it never came to rest")


@contextmanager
def process(path: Path, kafka: FakeKafka, clock: Seconds, **more: object) -> Iterator[Process]:
    running = Process(path, kafka, clock, **more)  # type: ignore[arg-type]  # handed through
    with closing(running.journal):
        yield running
