"""The part of a ledger that a fold reads; `producers.log.EventLog` has all of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Annotated, Protocol

import msgspec
from msgspec import Meta, Struct

from schemas.messages import DeadLetterMessage
from schemas.values import within_calendar


class Quarantined(Protocol):
    """A dead letter that a ledger keeps aside."""

    @property
    def message(self) -> DeadLetterMessage:
        """The letter; its `number` is 1, 2, 3 ... per ledger."""


class Ledger(Protocol):
    """Records of many tables, read only."""

    def subjects(self) -> tuple[str, ...]:
        """Tables that have records."""

    def read_from(self, subject: str, sequence: int = 1) -> Iterator[tuple[int, bytes]]:
        """Sequence and line of each record of a table, from this sequence on."""

    def tail(self, after: int = 0) -> Iterator[tuple[int, str, int, bytes]]:
        """Position, subject, sequence and line of all records behind this position."""

    def quarantined(self, after: int = 0) -> Iterator[Quarantined]:
        """Dead letters behind this number."""


class _Timed(Struct):
    time: Annotated[dt.datetime, Meta(tz=True)]


_read_time = msgspec.json.Decoder(_Timed).decode
NO_TIME = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def said_time(line: bytes) -> dt.datetime | None:
    """The time in UTC that a line bears, though it may be no event; None if it bears none."""
    try:
        return within_calendar(_read_time(line).time).astimezone(dt.UTC)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def time_of(
    ledger: Ledger, subject: str, sequence: int, line: bytes, reckoned: dt.datetime | None = None
) -> dt.datetime:
    """The time in UTC by which a line counts: `reckoned` by the fold, else its own, else that of the last with one."""
    found = reckoned or said_time(line)
    while found is None:
        sequence -= 1
        before = next(ledger.read_from(subject, sequence), None) if sequence else None
        if before is None:
            return NO_TIME
        found = said_time(before[1])
    return found
