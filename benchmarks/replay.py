"""The whole of replay in events a second of one core, its memory on a long stream, and its dearest checks.

Every figure stands beside a bare msgspec decode of the same bytes; works take turns, so that a busy machine slows
all of them alike.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from benchmarks import core
from benchmarks.core import Measurement, Streams
from deploy.replay.run import replay
from deploy.replay.sources import find
from processors.law.check import REGISTRY, Check, Judgment, Moment
from processors.law.judge.judge import each
from producers.simulator.floor.gaming_floor import gaming_floor, seed_of
from producers.simulator.floor.setup import RULESETS
from producers.simulator.scenarios.catalogue import CATALOGUE
from producers.simulator.session import simulate_table

ROUNDS = 120  # of each ruleset's simulated table
SEED = 1
REPEATS = 5
DEAREST = 5
MILLION = 1_000_000


class Cost(Struct, kw_only=True):
    """What one check costs on the streams measured: microseconds for each event of them, calls, part of all checks."""

    check: str
    microseconds: float
    calls: int
    share: float


class Measured(Struct, kw_only=True):
    """What `catwalk bench replay` found."""

    figures: list[Measurement]
    dearest: list[Cost]
    notes: list[str]


def simulated(count: int, rounds: int) -> Streams:
    """Simulated tables, lawful but for what befalls a shift; the rulesets take turns."""
    floor = gaming_floor(count, SEED, RULESETS)
    scenario = CATALOGUE["lawful"]
    return [list(simulate_table(setup, rounds, seed_of(SEED, setup.subject), scenario)) for setup in floor]


def costs(streams: Streams) -> list[Cost]:
    """What each check costs in its cheapest of several runs, the dearest first; the clock's own cost is taken off."""
    runs = [_spent(streams) for _ in range(REPEATS)]
    calls = runs[0][1]
    least = Counter({check: min(spent[check] for spent, _ in runs) for check in calls})
    events, total = sum(map(len, streams)), sum(least.values())
    return [
        Cost(check=check, microseconds=ns / 1000 / events, calls=calls[check], share=ns / total)
        for check, ns in least.most_common()
    ]


def _spent(streams: Streams) -> tuple[Counter[str], Counter[str]]:
    """Nanoseconds in each check over one run, and how often it was asked."""
    spent: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    clock = time.perf_counter_ns
    reading = min(-clock() + clock() for _ in range(1000))

    def timed(entry: Check) -> Check:
        def judge(moment: Moment, data: Any) -> tuple[Judgment, ...]:
            begun = clock()
            said = tuple(each(entry.function(moment, data)))
            spent[entry.id] += max(0, clock() - begun - reading)
            calls[entry.id] += 1
            return said

        return msgspec.structs.replace(entry, function=judge)

    whole = dict(REGISTRY)
    REGISTRY.update({name: timed(entry) for name, entry in whole.items()})
    try:
        core.audit(streams, proofs=False)
    finally:
        REGISTRY.update(whole)
    return spent, calls


def replay_memory(lines: list[bytes], events: int = MILLION) -> tuple[int, float, float]:
    """Events, seconds and peak resident MB of a `catwalk replay` of one long stream, in a process of its own."""
    with tempfile.TemporaryDirectory() as place:
        stream = Path(place) / "long.ndjson"
        count = core.write_long_stream(stream, lines, events)
        begun = time.perf_counter()
        # The status file and not getrusage: that one begins with the memory of the process that started it.
        code = (
            "import sys\n"
            "from pathlib import Path\n"
            "from deploy.replay.run import replay\n"
            "from deploy.replay.sources import find\n"
            "replay(find([Path(sys.argv[1])]), Path(sys.argv[2]), proofs=False)\n"
            "print(Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0])\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(stream), str(Path(place) / "out")],
            capture_output=True,
            text=True,
            check=True,
        )
        return count, time.perf_counter() - begun, int(done.stdout.split()[-1]) / 1024


def measure(folder: Path, long: int) -> Measured:
    """All figures; `long` is the number of events of the long stream, 0 for none."""
    streams = core.lawful_streams(folder) + simulated(len(RULESETS), ROUNDS)
    events = sum(map(len, streams))
    with tempfile.TemporaryDirectory() as place:
        files, out = Path(place) / "in", Path(place) / "out"
        files.mkdir()
        for nth, lines in enumerate(streams):
            (files / f"{nth:02d}.ndjson").write_bytes(b"\n".join(lines) + b"\n")
        sources = find([files])
        works: dict[str, Callable[[], object]] = {
            "all checks": partial(core.audit, streams, proofs=False),
            "all checks, patterns looked for": partial(core.audit, streams, proofs=False, patterns=True),
            "all checks, racks weighed": partial(core.audit, streams, proofs=True),
            "all checks, read from and written to files": partial(
                replay, sources, out, proofs=False, patterns=False
            ),
            "the same, patterns looked for": partial(replay, sources, out, proofs=False),
            "the same, racks weighed": partial(replay, sources, out, proofs=True, patterns=False),
            "the same, both": partial(replay, sources, out),
        }
        peer, *values = core.taking_turns([partial(core.bare_decode, streams), *works.values()], events)
    figures = [
        Measurement(name, value, "events/s", core.PEER, peer)
        for name, value in zip(works, values, strict=True)
    ]
    notes = [f"measured over {len(streams)} streams of {events:,} events, processor time of one core"]
    if long:
        count, seconds, megabytes = replay_memory(streams[0], long)
        notes.append(
            f"one stream of {count:,} events: {megabytes:,.0f} MB peak resident, {count / seconds:,.0f} events/s by "
            "the clock, files written, racks not weighed"
        )
    return Measured(figures=figures, dearest=costs(streams)[:DEAREST], notes=notes)
