"""Simulated streams read back as plain JSON, and held against the contract on the way."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from producers.simulator.floor.setup import TableSetup
from producers.simulator.session import Session, simulate_table
from tests.schemas.contract import judge

PREFIX = "catwalk.v1."


@dataclass(frozen=True, slots=True)
class Event:
    """One line: its type without prefix, its data, and where and when it stands."""

    name: str
    data: dict[str, Any]
    sequence: int
    time: dt.datetime
    source: str

    def __getitem__(self, field: str) -> Any:
        return self.data[field]


def events(lines: Iterable[bytes]) -> list[Event]:
    """The events of a stream, read without the code under test."""
    found = []
    for line in lines:
        content = json.loads(line)
        found.append(
            Event(
                content["type"].removeprefix(PREFIX),
                content["data"],
                content["sequence"],
                dt.datetime.fromisoformat(content["time"]),
                content["source"],
            )
        )
    return found


@lru_cache(maxsize=1 << 14)
def _against_schema(line: bytes) -> tuple[str, ...]:
    """What the contract's schema says of a line; sessions of one seed begin with the same lines."""
    content = json.loads(line)
    return tuple(fault.message for fault in judge(content["type"].removeprefix(PREFIX)).iter_errors(content))


def contract_faults(lines: Iterable[bytes]) -> Iterator[str]:
    """What is wrong with a stream: schema, chain, sequence, clock, place."""
    head, earlier, ids = "0" * 64, "", set()
    for number, line in enumerate(lines, 1):
        content = json.loads(line)
        name = content["type"].removeprefix(PREFIX)
        for fault in _against_schema(line):
            yield f"{number} {name}: {fault}"
        if content["prevhash"] != head:
            yield f"{number}: the chain is broken"
        if content["sequence"] != number or content["id"] in ids:
            yield f"{number}: sequence {content['sequence']}, id {content['id']}"
        if content["time"] < earlier or content["source"].split("/")[3] != content["subject"]:
            yield f"{number}: {content['time']} after {earlier}, {content['source']}"
        head, earlier = hashlib.sha256(line).hexdigest(), content["time"]
        ids.add(content["id"])


def played(setup: TableSetup, rounds: int, seed: int) -> list[Event]:
    """A simulated table's events."""
    return events(simulate_table(setup, rounds, seed))


def until(
    setup: TableSetup, seed: int, wanted: Callable[[Session], bool], most: int = 400
) -> tuple[Session, list[Event]]:
    """Rounds of a session until something has come to pass."""
    session = Session(setup, seed)
    for _ in range(most):
        session.play()
        if wanted(session):
            return session, events(session.writer.take())
    raise AssertionError(f"not within {most} rounds")


def rounds_of(stream: Iterable[Event]) -> list[list[Event]]:
    """The events of each round, from round_started to round_ended."""
    found: list[list[Event]] = []
    inside = False
    for event in stream:
        if event.name == "round_started":
            found.append([])
            inside = True
        if inside:
            found[-1].append(event)
        inside = inside and event.name != "round_ended"
    return found


def named(stream: Iterable[Event], *names: str) -> list[Event]:
    """The events of these types."""
    return [event for event in stream if event.name in names]


def after(stream: list[Event], event: Event, count: int) -> list[str]:
    """Names of the next events."""
    return [later.name for later in islice(stream, stream.index(event) + 1, stream.index(event) + 1 + count)]
