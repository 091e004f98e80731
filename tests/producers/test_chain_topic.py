"""Writers of one chain that race, crash, and are answered late or never, against a topic in memory."""

from __future__ import annotations

import hashlib
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka.errors import (
    KafkaConnectionError,
    KafkaTimeoutError,
    MessageSizeTooLargeError,
    TopicAuthorizationFailedError,
)

from producers.kafka.chain_topic import ChainTopic, InDoubt, following
from producers.kafka.connection import Connection
from producers.kafka.tail import TopicTail
from producers.log import EMPTY, Fenced, Head, LedgerError
from schemas.topics import DESK
from tests.producers.fake_kafka import Crash, FakeDelivery, Kept, Where
from tests.waiting import until


class Placed(NamedTuple):
    offset: int
    value: bytes | None


class Topic:
    """One partition in memory, which any number of writers see."""

    def __init__(self) -> None:
        self.values: list[bytes | None] = []
        self.late: list[bytes] = []
        self.away = False
        self.grown = threading.Condition()

    def put(self, value: bytes | None) -> int:
        with self.grown:
            self.values.append(value)
            self.grown.notify_all()
            return len(self.values) - 1

    def arrive(self) -> None:
        """What was on its way all the time arrives."""
        for value in self.late:
            self.put(value)
        self.late.clear()


class MemoryTail(TopicTail):
    def __init__(self, topic: Topic, clock: Callable[[], float]) -> None:
        self.topic, self.clock, self.offset = topic, clock, 0
        self.fresh_at = float("-inf")

    def take(self, seconds: float) -> list[Any]:
        with self.topic.grown:
            if self.topic.away:
                raise LedgerError("the topic", "nobody answers", "wait")
            if self.offset == len(self.topic.values):
                self.topic.grown.wait(min(seconds, 0.01))
            found = [Placed(n, v) for n, v in enumerate(self.topic.values[self.offset :], self.offset)]
            self.offset += len(found)
            self.fresh_at = self.clock()
        return found

    def close(self) -> None:
        return


class MemoryTransport:
    """Does with each record what the test says next."""

    def __init__(self, topic: Topic, fate: Callable[[], str], rival: Callable[[], None]) -> None:
        self.topic, self.fate, self.rival = topic, fate, rival

    def send(self, _topic: object, _key: object, value: bytes, headers: Any) -> FakeDelivery:
        delivery = FakeDelivery(Kept(DESK.name, None, value, headers))
        fate = self.fate()
        if fate == "away":
            raise KafkaConnectionError("nobody answers")
        if fate == "rival first":
            self.rival()
        if fate == "too large":
            delivery.fail(MessageSizeTooLargeError())
        elif fate == "not allowed":
            delivery.fail(TopicAuthorizationFailedError())
        elif fate == "crash before":
            raise Crash
        elif fate == "lost":
            delivery.fail(KafkaTimeoutError("delivery timeout"))
        elif fate == "late":
            self.topic.late.append(value)
            delivery.fail(KafkaTimeoutError("delivery timeout"))
        else:
            offset = self.topic.put(value)
            if fate == "twice":
                self.topic.put(value)
            if fate == "crash after":
                raise Crash
            if fate == "answer lost":
                delivery.fail(KafkaTimeoutError("delivery timeout"))
            else:
                delivery.value, delivery.is_done = Where(0, -1 if fate == "known already" else offset), True
        return delivery

    def abandon(self) -> None:
        return

    def close(self, _seconds: float) -> None:
        return


class World:
    """Writers by name on one topic, and the fate of each record that is sent."""

    def __init__(self, fates: list[str] | None = None) -> None:
        self.topic = Topic()
        self.fates = fates or []
        self.writers: dict[str, ChainTopic] = {}
        self.heads: dict[str, Head] = {}
        self.said = 0
        self.rivals: list[bytes] = []

    def writer(self, name: str) -> ChainTopic:
        if name not in self.writers:
            self.writers[name] = ChainTopic(
                Connection(servers="nowhere:1"),
                DESK,
                tail=MemoryTail(self.topic, time.monotonic),
                transport=lambda _wake: MemoryTransport(self.topic, self.fate, self.rival),
                patience=0.06,
                pause=0.005,
            )
            self.heads[name] = EMPTY
        return self.writers[name]

    def fate(self) -> str:
        return self.fates.pop(0) if self.fates else "arrives"

    def rival(self) -> None:
        """Another process is faster, and nothing befalls it."""
        kept, self.fates = self.fates, []
        self.rivals += self.write("rival", 1)
        self.fates = kept

    def known(self, name: str) -> Head:
        """The head as this writer knows it."""
        writer = self.writer(name)
        for sequence, line in writer.read_from(self.heads[name].sequence + 1):
            self.heads[name] = Head(sequence, hashlib.sha256(line).hexdigest())
        return self.heads[name]

    def lines(self, name: str, count: int, after: Head) -> list[bytes]:
        lines = []
        for sequence in range(after.sequence + 1, after.sequence + count + 1):
            self.said += 1
            said = {"sequence": sequence, "prevhash": after.hash, "who": name, "says": self.said}
            lines.append(json.dumps(said).encode())
            after = Head(sequence, hashlib.sha256(lines[-1]).hexdigest())
        return lines

    def write(self, name: str, count: int) -> list[bytes]:
        """Append as a desk does: what another was faster with is known before the next attempt."""
        while True:
            after = self.known(name)
            lines = self.lines(name, count, after)
            try:
                self.writer(name).append(lines, after)
            except Fenced:
                continue
            return lines

    def crash(self, name: str) -> None:
        """The process is gone; its successor knows nothing."""
        with suppress(KeyError):
            writer = self.writers.pop(name)
            writer._writing = threading.Lock()
            writer.close()

    def close(self) -> None:
        for name in list(self.writers):
            self.crash(name)


def counted(values: list[bytes | None]) -> list[bytes]:
    """The lines that count, by a reader of its own."""
    chain: list[bytes] = []
    head = "0" * 64
    for value in values:
        lines = value.split(b"\n") if value else []
        told, sequence = head, len(chain)
        for line in lines:
            try:
                said = json.loads(line)
            except ValueError:
                break
            if not isinstance(said, dict) or (said.get("sequence"), said.get("prevhash")) != (
                sequence + 1,
                told,
            ):
                break
            told, sequence = hashlib.sha256(line).hexdigest(), sequence + 1
        else:
            chain += lines
            head = told
    return chain


FATES = ("arrives", "arrives", "arrives", "rival first", "lost", "answer lost", "late", "twice",
         "known already", "crash before", "crash after", "away", "too large")  # fmt: skip


def _has_read(world: World, reader: str, lines: int) -> bool:
    return len(list(world.writer(reader).read_from(1))) >= lines


@pytest.mark.parametrize("seed", range(40))
def test_whatever_befalls_writers_each_answered_act_stands_once_and_each_refused_one_never(seed: int) -> None:
    dice = random.Random(seed)
    world = World([dice.choice(FATES) for _ in range(200)])
    answered: list[bytes] = []
    refused: list[bytes] = []
    try:
        for _ in range(30):
            name = dice.choice(("one", "two"))
            if dice.random() < 0.1:
                world.topic.put(dice.choice((None, b"", b"no line", b'{"sequence":1}', b"[1]\n{}")))
            try:
                answered += world.write(name, dice.randint(1, 3))
            except Crash:
                world.crash(name)
            except InDoubt:
                pass
            except LedgerError:
                refused.append(f'"says": {world.said}}}'.encode())
            if dice.random() < 0.3:
                world.topic.arrive()
        world.topic.arrive()
        chain = counted(world.topic.values)
        standing = Counter(chain)
        answered += world.rivals
        assert answered, "some acts are answered under every seed"
        assert {line: standing[line] for line in answered} == dict.fromkeys(answered, 1)
        assert [line for line in chain for end in refused if line.endswith(end)] == []
        assert max(standing.values()) == 1
        for reader in ("one", "a new one"):
            # It is read by a thread of its own.
            until(partial(_has_read, world, reader, len(chain)))
            assert [line for _, line in world.writer(reader).read_from(1)] == chain
    finally:
        world.close()


def test_a_frame_that_was_answered_late_is_found_instead_of_written_again() -> None:
    world = World(["answer lost"])
    try:
        lines = world.write("one", 2)
        assert counted(world.topic.values) == lines
    finally:
        world.close()


def test_what_arrives_after_its_writer_gave_up_counts_unless_another_was_faster() -> None:
    world = World(["late"] * 1000)
    try:
        with pytest.raises(InDoubt, match="look whether it was done"):
            world.write("one", 1)
        world.fates.clear()
        first = list(world.topic.late)
        world.topic.arrive()
        assert counted(world.topic.values) == first[:1]
        world.fates[:] = ["late"] * 1000
        with pytest.raises(InDoubt):
            world.write("one", 1)
        world.fates.clear()
        faster = world.write("two", 1)
        world.topic.arrive()
        assert counted(world.topic.values) == [*first[:1], *faster]
    finally:
        world.close()


@pytest.mark.parametrize("fate", ["too large", "not allowed"])
def test_what_the_brokers_refuse_is_no_doubt(fate: str) -> None:
    world = World([fate])
    try:
        with pytest.raises(LedgerError) as refused:
            world.write("one", 1)
        assert not isinstance(refused.value, InDoubt | Fenced)
        assert world.write("one", 1) == counted(world.topic.values)
    finally:
        world.close()


def test_while_nobody_answers_it_is_said_at_once_and_it_goes_on_by_itself() -> None:
    world = World()
    try:
        world.write("one", 1)
        world.topic.away = True
        deadline = 400
        while world.writer("one").trouble is None and deadline:
            threading.Event().wait(0.005)
            deadline -= 1
        with pytest.raises(LedgerError, match="nobody answers"):
            world.write("one", 1)
        world.topic.away = False
        while world.writer("one").trouble is not None and deadline:
            threading.Event().wait(0.005)
            deadline -= 1
        world.write("one", 1)
        assert len(counted(world.topic.values)) == 2
    finally:
        world.close()


@given(st.lists(st.one_of(st.none(), st.binary(max_size=40), st.just(b'{"sequence":1,"prevhash":"x"}'))))
def test_what_is_no_frame_of_the_chain_is_void_for_the_adapter_and_for_the_reader_of_its_own(
    values: list[bytes | None],
) -> None:
    head, chain = EMPTY, []
    for value in values:
        for after, line in following(head, value):
            chain.append(line)
            head = after
            assert head == (len(chain), hashlib.sha256(line).hexdigest())
    assert chain == counted(values)
