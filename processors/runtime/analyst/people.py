"""People in one partition of the analyst: observations in, suspicions out, and the state of each as a message.

Observations are weighed in the order of their topic, which is kept for ever: whoever reads it again weighs the same.
The state of each dealer, player or pair is a message of its own, written when something was heard of them; the
partition's message holds one sum over all of them and where they stand. A state that is lost, or that was written over
by a worker that had lost the partition, makes another sum: then nothing of the people is believed, and all observations
are read again. What that raises a second time has the ids of the first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from msgspec import Struct

from processors.detectors.shapes import WHOM, Observation
from processors.detectors.stages.entity_stage import EntityStage
from processors.runtime.brokers.records import Message
from schemas.answers import FOLD_VERSION
from schemas.messages import FindingMessage, ObservationMessage
from schemas.topics import ANALYSIS, FINDINGS

_MESSAGE = msgspec.msgpack.Decoder(ObservationMessage).decode
_SAID = msgspec.msgpack.Decoder(list[Observation]).decode
_JSON = msgspec.json.Encoder().encode
_PACK = msgspec.msgpack.Encoder().encode


class KnownPerson(Struct, frozen=True, array_like=True):
    """What is known of one of them behind `offset` of the observations; `before` is where their last state stood."""

    fold_version: int
    partition: int
    offset: int
    before: int
    state: bytes


_KNOWN = msgspec.msgpack.Decoder(KnownPerson).decode


class PartitionPeople:
    """The people of one partition; `offset` is behind the last observation that was taken, `sum` is over all states."""

    def __init__(self, partition: int) -> None:
        self.partition = partition
        self.stage = EntityStage()
        self.offset = 0
        self.sum = 0
        self._durable: dict[str, int] = {}
        self._changed: dict[str, int] = {}
        self._suspicions: list[Message] = []

    def restore(self, offset: int, total: int, found: Iterable[tuple[bytes, KnownPerson]]) -> None:
        """Go on behind `offset`, if the states that were found are those that the partition's message summed up."""
        if not offset:
            return  # also where all is to be weighed again, and older states are still there
        known: dict[str, KnownPerson] = {}
        for key, person in found:
            if (person.fold_version, person.partition) != (FOLD_VERSION, self.partition):
                continue
            name = key.decode()
            best = known.get(name)
            if best is None or person.offset >= best.offset:
                known[name] = person
        # One that is further was written before a process ended that did not come to the partition's message.
        then = {name: one.offset if one.offset <= offset else one.before for name, one in known.items()}
        if total != _sum(then) or any(at > offset for at in then.values()):
            return
        try:
            for name, person in known.items():
                self.stage.adopt(name, person.state)
        except (msgspec.MsgspecError, KeyError, TypeError, ValueError):
            self.stage = EntityStage()
            return
        self.offset = offset
        self._durable = {name: one.offset for name, one in known.items()}
        self.sum = _sum(self._durable)

    def take(self, offset: int, key: bytes | None, value: bytes) -> bool:
        """Weigh what an event told of somebody; False if the record cannot be read.

        What another version of the fold made is passed over: this one's comes too.
        """
        self.offset = offset + 1
        try:
            told = _MESSAGE(value)
            if told.fold != FOLD_VERSION:
                return True
            said = _SAID(told.said)
        except msgspec.MsgspecError:
            return False
        if not said or key is None or any(one.key.encode() != key for one in said):
            return False
        self._changed[said[0].key] = offset + 1
        for finding in self.stage.hear(said):
            found = FindingMessage(
                property=told.property, at=told.at, finding=finding, dealer=told.dealer, fold=FOLD_VERSION
            )
            self._suspicions.append(Message(FINDINGS, finding.subject.encode(), _JSON(found)))
        return True

    def suspicions(self) -> list[Message]:
        """The suspicions since the last `sent`: they must be durable before the states are."""
        return list(self._suspicions)

    def states(self) -> Iterator[Message]:
        """The state of everybody of whom something was heard since the last `sent`; `sum` is then over these too."""
        for name, offset in self._changed.items():
            before = self._durable.get(name, 0)
            self.sum ^= _part(name, before) ^ _part(name, offset)
            person = KnownPerson(FOLD_VERSION, self.partition, offset, before, self.stage.snapshot(name))
            self._durable[name] = offset
            yield Message(ANALYSIS, name.encode(), _PACK(person), self.partition)

    def sent(self) -> None:
        """Suspicions and states are durable."""
        self._changed.clear()
        self._suspicions.clear()


def is_of_person(key: bytes) -> bool:
    """Whether a key of the compacted topic names a dealer, a player or a pair: no table can be named so."""
    return key.partition(b":")[0] in _KINDS and b":" in key


def known_person(value: bytes) -> KnownPerson:
    """The state that a record of the compacted topic holds.

    Raises:
        msgspec.MsgspecError: it holds none.
    """
    return _KNOWN(value)


_KINDS: Final = frozenset(kind.encode() for kind in WHOM)


def _sum(stands: dict[str, int]) -> int:
    total = 0
    for name, offset in stands.items():
        total ^= _part(name, offset)
    return total


def _part(name: str, offset: int) -> int:
    if not offset:
        return 0
    return int.from_bytes(hashlib.sha256(f"{offset} {name}".encode()).digest()[:8]) >> 1
