"""Decode, chain and fold, and the whole pipeline, in events a second beside a bare msgspec decode of the same bytes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Union

import msgspec
from msgspec import Struct

from processors.core.chain import admit
from processors.core.fold import fold
from processors.core.state import Table
from processors.pipeline import TablePipeline
from schemas.codec import decode, record_hash
from schemas.envelope import CHAINED, GENESIS

REPEATS = 5
Streams = list[list[bytes]]


class Figure(Struct, kw_only=True):
    """One measured figure: its unit, the peer measured in the same run, and the ratio of the two."""

    name: str
    value: float
    unit: str
    peer: str
    peer_value: float

    @property
    def ratio(self) -> float:
        """The figure as a part of its peer's."""
        return self.value / self.peer_value if self.peer_value else 0.0


def best(work: Callable[[], object], events: int, repeats: int = REPEATS) -> float:
    """Events a CPU second of the fastest of several runs (the machine's noise only ever slows)."""
    fastest = float("inf")
    for _ in range(repeats):
        begun = time.process_time()
        work()
        fastest = min(fastest, time.process_time() - begun)
    return events / fastest


def bare_decode(streams: Streams) -> None:
    """The peer: msgspec's own decode into the same types, nothing else."""
    decoder: msgspec.json.Decoder[object] = msgspec.json.Decoder(Union[CHAINED])  # noqa: UP007 - from a tuple
    for lines in streams:
        for line in lines:
            decoder.decode(line)


def core(streams: Streams) -> None:
    """Strict decode, hash chain and fold."""
    for lines in streams:
        table = Table(subject=decode(lines[0]).subject)
        for line in lines:
            event = decode(line, table.chain.head, table.subject)
            admitted, _ = admit(table.chain, event, record_hash(line), table.blind)
            if admitted:
                fold(table, event)


def whole(streams: Streams) -> None:
    """Everything replay does with a line but write it out."""
    for lines in streams:
        pipeline = TablePipeline(decode(lines[0]).subject, proofs=False)
        for line in lines:
            pipeline.advance(line)
        pipeline.finish()


def write_long_stream(target: Path, lines: list[bytes], events: int) -> int:
    """Write one table's chained stream of at least `events` events by going on from its own end; how many it has.

    The rounds repeat, numbered on; so do shoes. It is a record of the right length and shape to replay.
    """
    head, sequence, rounds = GENESIS, 0, 0
    with target.open("wb") as out:
        while sequence < events:
            for line in lines:
                fields = json.loads(line)
                sequence += 1
                fields["sequence"], fields["prevhash"] = sequence, head
                if fields["type"].endswith("round_started"):
                    rounds += 1
                    fields["data"]["round"] = rounds
                record = json.dumps(fields, separators=(",", ":")).encode()
                head = record_hash(record)
                out.write(record + b"\n")
    return sequence


def measure(folder: Path) -> list[Figure]:
    """All figures over the lawful streams of a folder."""
    streams = [path.read_bytes().splitlines() for path in sorted(folder.glob("lawful_*.ndjson"))]
    events = sum(len(lines) for lines in streams)
    peer = best(partial(bare_decode, streams), events)
    return [
        Figure(
            name=name,
            value=best(partial(work, streams), events),
            unit="events/s",
            peer="bare msgspec decode",
            peer_value=peer,
        )
        for name, work in (("decode + chain + fold", core), ("whole pipeline, all checks", whole))
    ]
