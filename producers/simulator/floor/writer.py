"""One simulated table's chained stream: contract lines, deterministic from a seed."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import msgspec

from schemas import events
from schemas.events.envelope import GENESIS
from schemas.payload import WIRE_PREFIX, Payload, short_name

# Hand movements at a table follow one another within about this many seconds.
SHORTEST_STEP_SECONDS = 0.4
LONGEST_STEP_SECONDS = 1.6

_P = TypeVar("_P", bound=Payload)
_ENCODE = msgspec.json.Encoder().encode
_WITNESS: dict[type[Payload], str] = {
    events.CardDrawn: "shoe",
    events.CoverCardReached: "shoe",
    events.ShoeEmptied: "shoe",
    events.StackDispensed: "shoe",
    events.StubRemoved: "shoe",
    events.CardPlaced: "layout",
    events.CardsRacked: "layout",
    events.HoleCardRevealed: "layout",
    events.StackDelivered: "layout",
    events.WagerAltered: "layout",
    events.WagerMoved: "layout",
    events.WagerPlaced: "layout",
    events.CreditSent: "cage",
    events.FillReceived: "cage",
    events.DropCounted: "count-room",
}
_READERS = {"card_reader": "reader", "masque_reader": "masque"}


def witness_of(payload: Payload) -> str:
    """The device that sees such an event, last part of its `source`."""
    if isinstance(payload, events.HoleCardRead):
        return _READERS[payload.device]
    return _WITNESS.get(type(payload), "console")


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


class TableWriter:
    """One table's stream: a clock, a chain and the only source of randomness.

    The same arguments and the same calls give the same bytes.
    """

    def __init__(self, subject: str, *, property_name: str, pit: str, start: datetime, seed: int) -> None:
        self.subject = subject
        self.rng = random.Random(seed)
        self.now = start.astimezone(UTC)
        self.tempo = 1.0  # of hand movements: 2.0 takes twice the time
        self.sequence = 0
        self.head = GENESIS
        self._place = f"pa/{_slug(property_name)}/pit-{_slug(pit)}/{subject}"
        self._watchers: dict[type[Payload], list[Callable[[Any], None]]] = {}
        self._lines: list[bytes] = []
        self._middles: dict[tuple[type[Payload], str], bytes] = {}

    def pass_time(self, seconds: float) -> None:
        """Let the table's clock run on by `seconds`."""
        self.now += timedelta(seconds=seconds)

    def watch(self, event: type[_P], listener: Callable[[_P], None]) -> None:
        """Call `listener` with every event of a type, right after it is written."""
        self._watchers.setdefault(event, []).append(listener)

    def emit(self, payload: Payload, *, device: str | None = None, after: float | None = None) -> bytes:
        """Append one event and return its line without line end.

        The clock advances by `after` seconds, or by a small random step. `device` is the witness; by default
        the one that sees events of this type.
        """
        if after is None:
            after = SHORTEST_STEP_SECONDS + self.rng.random() * (LONGEST_STEP_SECONDS - SHORTEST_STEP_SECONDS)
            after *= self.tempo
        self.now += timedelta(seconds=after)
        self.sequence += 1
        sequence = self.sequence
        line = b'{"specversion":"1.0","id":"%b-%d",%b%b","sequence":%d,"prevhash":"%b","data":%b}' % (
            self.subject.encode(),
            sequence,
            self._middle(payload, device or witness_of(payload)),
            (self.now.isoformat(timespec="microseconds")[:26] + "Z").encode(),
            sequence,
            self.head.encode(),
            _ENCODE(payload),
        )
        self.head = hashlib.sha256(line).hexdigest()
        self._lines.append(line)
        for listener in self._watchers.get(type(payload), ()):
            listener(payload)
        return line

    def take(self) -> list[bytes]:
        """The lines emitted since the last take, so that a caller can stream in constant memory."""
        lines, self._lines = self._lines, []
        return lines

    def _middle(self, payload: Payload, device: str) -> bytes:
        """The attributes between `id` and the time's value: the same for every event of a type and device."""
        key = (type(payload), device)
        middle = self._middles.get(key)
        if middle is None:
            name = WIRE_PREFIX + short_name(type(payload))
            text = f'"source":"{self._place}/{device}","type":"{name}","subject":"{self.subject}","time":"'
            middle = self._middles[key] = text.encode()
        return middle
