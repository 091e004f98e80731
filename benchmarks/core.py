"""Decode, chain and fold, and the whole pipeline, in events a second beside a bare msgspec decode of the same bytes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Union

import msgspec
from msgspec import Struct

from deploy.replay.collecting import rarely_collected
from processors.core.chain import admit
from processors.core.folding.fold import fold
from processors.core.state import Table
from processors.detectors.stages.entity_stage import EntityStage
from processors.pipeline import TablePipeline
from schemas.events.codec import decode, record_hash
from schemas.events.envelope import CHAINED, GENESIS

REPEATS = 5
PEER = "bare msgspec decode"
Streams = list[list[bytes]]


class Measurement(Struct):
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


def spread(
    name: str,
    values: Sequence[float],
    unit: str,
    peer: str,
    peers: Sequence[float],
    percents: Sequence[int] = (50, 95),
) -> list[Measurement]:
    """A figure for each percentile of the values, beside the same percentile of the peer's."""
    return [
        Measurement(f"{name}, p{percent}", part_of(values, percent), unit, peer, part_of(peers, percent))
        for percent in percents
    ]


def part_of(values: Sequence[float], percent: int) -> float:
    """The value below which so many of a hundred values lie."""
    return sorted(values)[len(values) * percent // 100]


def milliseconds(work: Callable[[], object]) -> float:
    """What a piece of work takes by the clock."""
    begun = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - begun)


def taking_turns(works: Sequence[Callable[[], object]], events: int, repeats: int = REPEATS) -> list[float]:
    """Events a CPU second of each work, in its fastest of several turns (the machine's noise only ever slows)."""
    fastest = [float("inf")] * len(works)
    for _ in range(repeats):
        for nth, work in enumerate(works):
            begun = time.process_time()
            work()
            fastest[nth] = min(fastest[nth], time.process_time() - begun)
    return [events / seconds for seconds in fastest]


def best(work: Callable[[], object], events: int, repeats: int = REPEATS) -> float:
    """Events a CPU second of one work, in its fastest of several runs."""
    return taking_turns([work], events, repeats=repeats)[0]


def lawful_streams(folder: Path) -> Streams:
    """The lines of the lawful streams that a folder holds."""
    return [path.read_bytes().splitlines() for path in sorted(folder.glob("lawful_*.ndjson"))]


def subject_of(line: bytes) -> str:
    """The table that an event names."""
    return decode(line).subject


def bare_decode(streams: Streams) -> None:
    """The peer: msgspec's own decode into the same types, nothing else."""
    decoder: msgspec.json.Decoder[object] = msgspec.json.Decoder(Union[CHAINED])  # noqa: UP007 - from a tuple
    for lines in streams:
        for line in lines:
            decoder.decode(line)


def core(streams: Streams) -> None:
    """Strict decode, hash chain and fold."""
    for lines in streams:
        table = Table(subject=subject_of(lines[0]))
        for line in lines:
            event = decode(line, table.chain.head, table.subject)
            admitted, _ = admit(table.chain, event, record_hash(line), table.blind)
            if admitted:
                fold(table, event)


def audit(streams: Streams, *, proofs: bool, patterns: bool = False) -> None:
    """Everything replay does with a line but write it out; it weighs every rack, or looks for patterns, if asked."""
    stage = EntityStage()
    with rarely_collected():
        for lines in streams:
            pipeline = TablePipeline(subject_of(lines[0]), proofs=proofs, detect=patterns)
            for line in lines:
                for observation in pipeline.advance(line).observations:
                    stage.weigh(observation)
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


def measure(folder: Path) -> list[Measurement]:
    """All figures over the lawful streams of a folder."""
    streams = lawful_streams(folder)
    events = sum(map(len, streams))
    peer = best(partial(bare_decode, streams), events)
    whole = partial(audit, streams, proofs=False)
    return [
        Measurement(name, best(work, events), "events/s", PEER, peer)
        for name, work in (
            ("decode + chain + fold", partial(core, streams)),
            ("whole pipeline, all checks", whole),
        )
    ]
