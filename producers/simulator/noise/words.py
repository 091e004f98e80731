"""A dealt stream as the words of its devices, and what of them reaches the record, chained there."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random
from typing import Any, NamedTuple

import msgspec

from producers.simulator.scenarios.stream import relinked
from schemas.events.envelope import GENESIS
from schemas.payload import WIRE_PREFIX


@dataclass(frozen=True, slots=True)
class Word:
    """One event on its way from its device to the recorder.

    line: as it was dealt; event: as it is now, which differs if it was `rewritten`. kind: its type without prefix.
    device: last part of its source. time: when it happened. round: the round under way, None between rounds.
    noise: the kinds of noise that it met. lost: it never reaches the record.
    """

    line: bytes
    event: dict[str, Any]
    kind: str
    device: str
    time: datetime
    round: int | None
    noise: tuple[str, ...] = ()
    lost: bool = False
    rewritten: bool = False

    def met(self, noise: str, *, lost: bool = False) -> Word:
        """The word after a noise of that name: lost, or merely moved."""
        return replace(self, noise=(*self.noise, noise), lost=self.lost or lost)

    def says(self, noise: str, **attributes: Any) -> Word:
        """The word after a noise that changed attributes of its event, `data` or `time`."""
        return replace(self, noise=(*self.noise, noise), event={**self.event, **attributes}, rewritten=True)


Noise = Callable[[Iterator[Word], float, Random], Iterator[Word]]


class Entry(NamedTuple):
    """A word and its line in the record, None if lost; `sequence` is its own or, of a lost word, the last before it."""

    word: Word
    sequence: int
    line: bytes | None


def words(lines: Iterator[bytes]) -> Iterator[Word]:
    """The words of a stream in the order they were dealt."""
    number: int | None = None
    for line in lines:
        event = msgspec.json.decode(line)
        kind = event["type"].removeprefix(WIRE_PREFIX)
        if kind == "round_started":
            number = event["data"]["round"]
        device = event["source"].rpartition("/")[2]
        yield Word(line, event, kind, device, datetime.fromisoformat(event["time"]), number)
        if kind == "round_ended":
            number = None


def recorded(heard: Iterator[Word]) -> Iterator[Entry]:
    """The words as the recorder numbers and chains them; a stream that no noise met keeps its bytes."""
    head, sequence = GENESIS, 0
    for word in heard:
        if word.lost:
            yield Entry(word, sequence, None)
            continue
        sequence += 1
        line = msgspec.json.encode(word.event) if word.rewritten else word.line
        if word.event["sequence"] != sequence or word.event["prevhash"] != head:
            line = relinked(line, sequence, head)
        head = hashlib.sha256(line).hexdigest()
        yield Entry(word, sequence, line)
