"""Streams of tables for the fold: published ones, interleaved as a partition has them, with what goes wrong in life."""

from __future__ import annotations

from functools import cache
from itertools import zip_longest
from typing import Any

import msgspec

from processors.pipeline import TablePipeline
from processors.runtime.brokers.records import LedgerRecord, Message
from schemas.topics import CLOUDEVENT, DEADLETTER, FINDINGS, FRAME, ROUNDS
from tests.pipeline.streams import lines_of

BREACH = "breach_overpay"
STACKS = "lawful_fortune_670a10"
_encode = msgspec.json.Encoder().encode


class _Round(msgspec.Struct):
    round: msgspec.Raw


class _Finding(msgspec.Struct):
    finding: msgspec.Raw


def subject_of(line: bytes) -> str:
    found = msgspec.json.decode(line)["subject"]
    assert isinstance(found, str)
    return found


def record(offset: int, key: bytes | None, value: bytes | None, kind: str = CLOUDEVENT) -> LedgerRecord:
    return LedgerRecord(0, offset, key, value, kind, 1.0)


@cache
def lively(events: int = 150) -> tuple[LedgerRecord, ...]:
    """A partition of two tables: events, a frame, records delivered again, and poison between them."""
    streams = [[(subject_of(line), line) for line in lines_of(name)[:events]] for name in (BREACH, STACKS)]
    found: list[tuple[bytes | None, bytes | None, str]] = []
    for number, pair in enumerate(zip_longest(*streams)):
        for one in pair:
            if one is not None:
                found.append((one[0].encode(), one[1], CLOUDEVENT))
        if number % 29 == 12:
            found.append((pair[0][0].encode(), b'{"half": ', CLOUDEVENT))
        if number % 31 == 17:
            found += found[-6:-3]
        if number % 61 == 40:
            found.append((pair[1][0].encode(), None, ""))
            found.append((b"no/table", b"{}", CLOUDEVENT))
            found.append((None, b"{}", ""))
    table = subject_of(lines_of(STACKS)[0]).encode()
    found.append((table, b"\n".join(lines_of(STACKS)[events : events + 60]), FRAME))
    return tuple(record(offset, *one) for offset, one in enumerate(found))


def replayed(subject: str, lines: list[bytes]) -> tuple[list[bytes], list[bytes], list[str]]:
    """Rounds and findings of one table's lines as `replay` writes them, and the reasons of its dead letters.

    A round still open at the end is none yet: a live table goes on.
    """
    pipeline = TablePipeline(subject)
    outcomes = [pipeline.advance(line) for line in lines]
    assert not any(outcome.foreign for outcome in outcomes)
    rounds = [_encode(one) for outcome in outcomes for one in outcome.rounds]
    findings = [_encode(one) for outcome in outcomes for one in outcome.findings]
    return rounds, findings, [outcome.dead.reason for outcome in outcomes if outcome.dead is not None]


def told(messages: list[Message]) -> tuple[list[bytes], list[bytes], list[dict[str, Any]]]:
    """Rounds, findings and dead letters of messages: the first two as the bytes of theirs alone."""
    rounds = [bytes(msgspec.json.decode(m.value, type=_Round).round) for m in messages if m.topic is ROUNDS]
    findings = [
        bytes(msgspec.json.decode(m.value, type=_Finding).finding) for m in messages if m.topic is FINDINGS
    ]
    letters = [msgspec.json.decode(m.value) for m in messages if m.topic is DEADLETTER]
    return rounds, findings, letters
