"""The desk on a topic that loses records or is made anew: an alarm after a moment, or once it is read again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dashboards.desk.desk import Desk
from dashboards.ledger.acts import Accessed
from dashboards.ledger.ledger import DeskAltered, DeskUnavailable
from deploy.console.desk_memory import DeskMemory
from deploy.console.desk_topic import LOST_FOR, KafkaDeskLog
from producers.kafka import chain_topic
from producers.kafka.chain_topic import ChainTopic
from producers.kafka.connection import Connection
from producers.log import LedgerUnusable
from schemas.topics import DESK
from tests.console.desk_building import T0, a_finding, a_raise
from tests.producers.test_chain_topic import MemoryTail, MemoryTransport, Placed, Topic
from tests.waiting import until

SEEN: Accessed = Accessed(what="page", object="x", granted=True)


class WholeTail(MemoryTail):
    """Says, as `TopicTail` does, that the topic ends before what was read of it."""

    def take(self, seconds: float) -> list[Any]:
        if len(self.topic.values) < self.offset:
            why = f"it ends at {len(self.topic.values)}, and was read up to {self.offset}"
            raise LedgerUnusable("the topic", why, "restore it")
        return super().take(seconds)


class World:
    """One topic, consoles on it, and the time their brokers' trouble lasts."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self.topic, self.now = Topic(), 0.0
        self.tail: WholeTail | None = None  # of the last console
        self._stack, self._folder = stack, folder

    def desk(self, settle: float = 0.0, memory: str = "one") -> Desk:
        self.tail = WholeTail(self.topic, time.monotonic)
        chain = ChainTopic(
            Connection(servers="nowhere:1"),
            DESK,
            tail=self.tail,
            transport=lambda _wake: MemoryTransport(self.topic, lambda: "acknowledged", lambda: None),
            pause=0.01,
        )
        log = self._stack.enter_context(closing(KafkaDeskLog(chain, lambda: self.now)))
        path = self._folder / f"{memory}.db"
        remembered = self._stack.enter_context(closing(DeskMemory(path, "topic")))
        return Desk(log, lambda: T0, memory=remembered, settle=settle, rest=0.0)

    def read_to_its_end(self) -> None:
        """Wait until the last console has read all of the topic."""
        until(lambda: self.tail is not None and self.tail.offset >= len(self.topic.values))

    def read(self, _connection: object, _topic: object) -> World:
        """In place of a reader of the brokers."""
        return self

    def records(self, _partition: int, start: int, stop: int) -> Iterator[Placed]:
        for offset, value in enumerate(self.topic.values[start:stop], start):
            yield Placed(offset, value)

    def close(self) -> None:
        return


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with ExitStack() as stack:
        made = World(stack, tmp_path)
        monkeypatch.setattr(chain_topic, "TopicReader", made.read)
        yield made


def raised_by(what: Callable[[], object], error: type[Exception]) -> Exception:
    """The error of this kind, which comes sooner or later."""

    def raised() -> Exception | None:
        try:
            what()
        except error as found:
            return found
        return None

    found = until(raised)
    assert found is not None
    return found


def does(what: Callable[[], object], error: type[Exception]) -> bool:
    """Whether it ends without an error of this kind."""
    try:
        what()
    except error:
        return False
    return True


def test_a_topic_that_ends_too_early_is_an_alarm_once_it_goes_on(world: World) -> None:
    desk = world.desk()
    for number in range(3):
        desk.raise_alerts([a_raise(a_finding(number))])
    world.read_to_its_end()
    lost = world.topic.values.pop()
    error = raised_by(desk.catch_up, DeskUnavailable)
    assert not isinstance(error, DeskAltered), "brokers that recover tell such an end for a moment"
    world.topic.put(lost)
    until(lambda: does(desk.catch_up, DeskUnavailable))
    desk.note(SEEN, "hale")
    assert desk.alarm is None

    world.read_to_its_end()
    del world.topic.values[2:]
    raised_by(desk.catch_up, DeskUnavailable)
    world.now += LOST_FOR
    with pytest.raises(DeskAltered, match="it ends at 2, and was read up to 4"):
        desk.note(SEEN, "hale")
    assert desk.alarm is not None


def test_a_topic_that_was_made_anew_is_found_by_reading_it_again(world: World) -> None:
    """Its end is where it was, so nothing is lost by the offsets; the records are others."""
    desk = world.desk()
    for number in range(3):
        desk.raise_alerts([a_raise(a_finding(number))])
    for _ in range(5):
        desk.reread(2)
    assert desk.alarm is None
    world.topic.values.clear()
    other = world.desk(memory="other")
    for number in range(10, 13):
        other.raise_alerts([a_raise(a_finding(number))])
    assert "record 3 is another than the one that was read" in str(
        raised_by(lambda: desk.reread(2), DeskAltered)
    )


def test_a_console_that_starts_waits_for_records_it_acknowledged(world: World) -> None:
    desk = world.desk()
    for number in range(3):
        desk.raise_alerts([a_raise(a_finding(number))])
    last = world.topic.values.pop()
    short = world.desk()
    assert short.alarm is not None
    assert short.alarm.why == "it ends at record 2, and this console acknowledged 3"

    threading.Timer(0.3, world.topic.put, (last,)).start()
    again = world.desk(settle=5.0)
    assert (again.alarm, again.records) == (None, 3)


def has_caught_up(desk: Desk, records: int) -> bool:
    desk.catch_up()
    return desk.seq >= records


def test_two_consoles_at_one_topic_make_no_alarm(world: World) -> None:
    desks = [world.desk(memory="one"), world.desk(memory="one"), world.desk(memory="other")]
    for number in range(12):
        desks[number % 3].raise_alerts([a_raise(a_finding(number))])
    for desk in desks:
        until(partial(has_caught_up, desk, 12))  # one look may end before the topic has answered
        for _ in range(10):
            desk.reread(5)
        assert (desk.alarm, desk.seq) == (None, 12)
