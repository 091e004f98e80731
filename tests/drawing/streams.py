"""Streams of the examples and their variations, with the chain made whole again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from dashboards.replayer.admitting import round_of
from dashboards.replayer.replay import Replay, ReplayAsked, replay_round
from processors.pipeline import TablePipeline
from schemas.findings import Finding

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
Event = dict[str, Any]


@lru_cache(maxsize=8)
def lines(name: str) -> tuple[bytes, ...]:
    return tuple((EXAMPLES / f"{name}.ndjson").read_bytes().splitlines())


def subject(stream: tuple[bytes, ...]) -> str:
    return str(json.loads(stream[0])["subject"])


@lru_cache(maxsize=8)
def findings(stream: tuple[bytes, ...]) -> tuple[Finding, ...]:
    pipeline = TablePipeline(subject(stream), proofs=False, detect=False)
    return tuple(one for line in stream for one in pipeline.advance(line).findings)


def changed(stream: tuple[bytes, ...], change: Callable[[Event], None]) -> tuple[bytes, ...]:
    """The stream with its events changed, chained anew."""
    events = [json.loads(line) for line in stream]
    for event in events:
        change(event)
    return chained(events)


def chained(told: list[Event], sequence: int = 1, head: str = "0" * 64) -> tuple[bytes, ...]:
    """Events as lines of a whole chain, from this sequence and head on."""
    out = []
    for place, event in enumerate(told):
        event = {**event, "sequence": sequence + place, "prevhash": head}
        out.append(json.dumps(event, separators=(",", ":")).encode())
        head = hashlib.sha256(out[-1]).hexdigest()
    return tuple(out)


def kind(event: Event) -> str:
    return str(event["type"]).removeprefix("catwalk.v1.")


def replayed(stream: tuple[bytes, ...], number: int, asked: ReplayAsked | None = None) -> Replay:
    before, own = round_of(subject(stream), number, stream)
    found = [one for one in findings(stream) if one.round == number]
    return replay_round(before, own, findings=found, asked=asked)
