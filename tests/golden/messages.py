"""All messages of findings, as the cases of the duties, published streams and bad sensors bring them about.

`python -m tests.golden.messages` writes `messages.txt` again: read its difference as prose before it is committed.
With it goes `sources.txt`: the scripts and streams that are the first to bring a message. `make test` hears these
alone, an eighth of all, and `make soak` hears all.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
from collections.abc import Callable, Container, Iterable, Iterator
from functools import partial
from pathlib import Path

from processors.law.cases import CaseRun
from processors.pipeline import TablePipeline
from processors.runtime.brokers.records import FoldedRecords, LedgerRecord
from processors.runtime.fold.partition import PartitionFold
from producers.simulator.noise.kinds import KINDS
from schemas.topics import CLOUDEVENT, FINDINGS
from tests.law.harness import advance, all_runs, named
from tests.law.script import play
from tests.mutations.rechain import (
    EXAMPLES,
    Event,
    altered,
    chained_to,
    dropped,
    inserted,
    kind,
    load,
    rechained,
)
from tests.noise.tables import Dealt, lawful, noisy
from tests.producers.builders import GENESIS, digest, encode

WHOLE = (
    "lawful_free_bet_672a",
    "lawful_down_under_685a",
    "lawful_fortune_670a10",
    "lawful_manual_shoe_657a8",
)
UNSEEN = {
    "lawful_free_bet_672a": "card_drawn",
    "lawful_fortune_670a10": "stack_dispensed",
}  # what leaves the shoe
ROUNDS = 40  # of a table seen through bad sensors
NOISE = {name: 0.2 if name.startswith(("silent", "clock")) else 0.05 for name in KINDS}
MOST = 400  # events of a stream that is broken again and again
TAIL = 120  # events that are heard behind a break: the round it is in, and the next
EVERY = 8  # lines between two places from which broken records go on
GOLDEN = Path(__file__).parent / "messages.txt"
SOURCES = GOLDEN.with_name("sources.txt")
Said = Iterable[tuple[str, str]]
"""Check and message of every finding of one record."""
_CARD = r"(?:[2-9TJQKA][cdhs]|Jo|\?\?)"
# What differs from hand to hand: cards, hands, money, numbers. Two messages that differ in these alone are one.
_PARTICULAR = re.compile(rf"\b{_CARD}\b|\bD\b|\$[\d,]+(?:\.\d\d)?|\d+(?:\.\d+)*")


def form_of(message: str) -> str:
    """A message without its particulars: what it says of any table."""
    return re.sub(r"(?:<>(?:, | and | )?)+", "<>", _PARTICULAR.sub("<>", message))


def sources() -> Iterator[tuple[str, Callable[[], Said]]]:
    """Every script and stream by a name of its own, and what hears it.

    These are the cases, played before all checks, the published streams, broken ones, a topic, and bad sensors.
    """
    scripts: set[tuple[str, str]] = set()
    for run in all_runs():
        script = (run.ruleset, json.dumps([run.steps, run.table, run.players], sort_keys=True))
        if script not in scripts:
            scripts.add(script)
            yield (
                f"{named(run)} {hashlib.sha256(repr(script).encode()).hexdigest()[:8]}",
                partial(_played, run),
            )
    for path in sorted(EXAMPLES.glob("*.ndjson")):
        yield path.stem, partial(_of, path.read_bytes().splitlines())
    for name in WHOLE:
        events = load(name)[:MOST]
        whole = _Heard(list(rechained(events)))
        for number, lines in enumerate(broken(events)):
            yield f"{name} broken {number}", partial(whole.broken, lines)
    yield "a topic", put_in
    yield "clocks", off_clocks
    yield "names", unknown_names
    for game, leaves in UNSEEN.items():
        yield f"both words of a {leaves.partition('_')[0]} are lost", partial(unseen, game, leaves)
    for number, dealt in enumerate(lawful(2, rounds=ROUNDS)):
        for noise, rate in NOISE.items():
            yield f"noise {number} {noise}", partial(_noisy, dealt, noise, rate)


def _played(run: CaseRun) -> Iterator[tuple[str, str]]:
    lines = play(run.steps, run.ruleset, run.table, run.players, run.day).lines
    return ((finding.check, finding.message) for finding in advance(lines))


def _noisy(dealt: Dealt, noise: str, rate: float) -> Said:
    return _of([one.line for one in noisy(dealt, noise, rate) if one.line is not None])


def put_in() -> Iterator[tuple[str, str]]:
    """Check and message of what the fold of a topic says of records that do not follow their table's chain."""
    lines = list(rechained(load("breach_overpay")[:TAIL]))
    subject = json.loads(lines[0])["subject"].encode()
    stray = json.dumps(json.loads(lines[12]) | {"id": "stray", "prevhash": "1" * 64}).encode()
    taken_over = [
        LedgerRecord(0, at, subject, line, CLOUDEVENT, 1.0, 2 - (at == 20), "pit")
        for at, line in enumerate(lines)
    ]
    orders = ([*lines[:12], stray, *lines[12:]], [*lines[:12], lines[13], lines[12], *lines[14:]])
    in_order = [
        [LedgerRecord(0, at, subject, line, CLOUDEVENT, 1.0) for at, line in enumerate(one)] for one in orders
    ]
    for records in (*in_order, taken_over):
        fold, into = PartitionFold(0), FoldedRecords()
        for record in records:
            fold.take(record, into)
        for message in into.messages:
            if message.topic is FINDINGS:
                finding = json.loads(message.value)["finding"]
                yield finding["check"], finding["message"]


def unseen(game: str, leaves: str) -> Said:
    """What of a player the shoe did not give up and the layout did not see, and that the rack has."""
    events = load(game)[:MOST]
    drawn = next(at for at, event in enumerate(events) if kind(event) == leaves)
    return _of(list(rechained(dropped(events, drawn, drawn + 1))))


def unknown_names() -> Said:
    """A configuration whose names there are not."""
    events = load("breach_overpay")[:MOST]
    at = next(at for at, event in enumerate(events) if kind(event) == "table_configured")
    readings = {"A5": "half", "A500": "return"}
    named = altered(events, at, timezone="Nowhere", gaming_day_start="24:00", readings=readings)
    return _of(list(rechained(named)))


def off_clocks() -> Said:
    """Clocks of devices far from the recorder's, on either side, and times beyond the calendar."""
    off = {"layout": dt.timedelta(days=-6), "shoe": dt.timedelta(hours=1)}
    events = load("breach_overpay")[:TAIL]
    received = next(at for at, event in enumerate(events) if kind(event) == "decks_received")
    events = altered(events, received, opened_at="0001-01-01T00:00:00Z")
    head, lines = GENESIS, []
    for sequence, event in enumerate(events, 1):
        by = off.get(event["source"].rpartition("/")[2], dt.timedelta())
        times = {
            "recordedtime": event["time"] if sequence < TAIL else "0001-01-01T00:00:00Z",
            "time": (dt.datetime.fromisoformat(event["time"]) + by).isoformat(),
        }
        lines.append(encode(event | times | {"sequence": sequence, "prevhash": head}))
        head = digest(lines[-1])
    last = events[0] | {
        "id": "no time",
        "time": "9999-12-31T23:59:59Z",
        "sequence": TAIL + 1,
        "prevhash": head,
    }
    return _of([*lines, encode(last)])


def _of(lines: list[bytes]) -> Iterator[tuple[str, str]]:
    pipeline = TablePipeline(json.loads(lines[0])["subject"], proofs=False, detect=False)
    for line in lines:
        yield from ((finding.check, finding.message) for finding in pipeline.advance(line).findings)


class _Heard:
    """A record that was heard once: of a broken one only what stands behind the break is heard."""

    def __init__(self, lines: list[bytes]) -> None:
        self._lines = lines
        self._said: list[list[tuple[str, str]]] = []  # by line
        self._states: list[bytes] = []  # before each `EVERY`th line
        pipeline = TablePipeline(json.loads(lines[0])["subject"], proofs=False, detect=False)
        for at, line in enumerate(lines):
            if at % EVERY == 0:
                self._states.append(pipeline.snapshot())
            self._said.append([(one.check, one.message) for one in pipeline.advance(line).findings])

    def broken(self, lines: list[bytes]) -> Iterator[tuple[str, str]]:
        """Check and message of every finding of a record that begins like this one."""
        pairs = enumerate(zip(self._lines, lines, strict=False))
        alike = next(
            (at for at, (mine, other) in pairs if mine != other), min(len(self._lines), len(lines) - 1)
        )
        begun = alike // EVERY
        for said in self._said[: begun * EVERY]:
            yield from said
        pipeline = TablePipeline.restore(self._states[begun])
        pipeline._proofs = False
        for line in lines[begun * EVERY :]:
            yield from ((one.check, one.message) for one in pipeline.advance(line).findings)


def broken(events: list[Event]) -> Iterator[list[bytes]]:
    """Records in which one event is left out, and records that are no whole chain."""
    lines = list(rechained(events))
    for place in range(20, len(events), 3):
        yield chained_to(lines[:place], dropped(events, place)[place : place + TAIL])
    half = len(lines) // 2
    yield [*lines[:half], lines[half].replace(b'"data":{', b'"data": {'), *lines[half + 1 :]]
    yield [*lines[:half], b"{", *lines[half + 1 :]]
    yield [*lines[:half], *lines[half + 2 :]]
    yield [*lines[:half], lines[half].replace(b'"sequence":', b'"sequence":9'), *lines[half + 1 :]]
    yield [*lines[: half + 1], lines[half - 3], *lines[half + 1 :]]
    yield _chained([*events[:half], {**events[half], "time": events[0]["time"]}, *events[half + 1 :]])
    for place in range(20, len(events), 2):
        data = events[place]["data"]
        if "card" in data:
            yield chained_to(lines[:place], altered(events, place, card="2c")[place : place + TAIL])
        if isinstance(data.get("cards"), list):
            again = altered(events, place, cards=["2c", *data["cards"][1:]])
            yield chained_to(lines[:place], again[place : place + TAIL])
    stack = next((place for place, event in enumerate(events) if kind(event) == "stack_dispensed"), 0)
    if stack:
        yield list(rechained(altered(events, stack, cards=["??"] * 7)))
    shown = next((place for place, event in enumerate(events) if kind(event) == "hole_card_revealed"), 0)
    if shown:
        begun = next(place for place, event in enumerate(events) if kind(event) == "betting_closed")
        for place in (begun + 1, shown + 1):
            yield list(rechained(inserted(events, place, {**events[shown], "id": "again"})))
    yield list(rechained(altered(events, 0, layout=None)))


def _chained(events: list[Event]) -> list[bytes]:
    """The events with sequences and hashes that fit, and their own times."""
    head, lines = "0" * 64, []
    for sequence, event in enumerate(events, 1):
        lines.append(
            json.dumps({**event, "sequence": sequence, "prevhash": head}, separators=(",", ":")).encode()
        )
        head = hashlib.sha256(lines[-1]).hexdigest()
    return lines


def golden(only: Container[str] | None = None) -> tuple[list[str], list[str]]:
    """One line a form of message: the check, and the first message of that form; and the sources that bring them first.

    only: names of the sources to hear; without it all are heard.
    """
    found: dict[tuple[str, str], str] = {}
    first: list[str] = []
    for name, heard in sources():
        if only is None or name in only:
            before = len(found)
            for check, message in heard():
                found.setdefault((check, form_of(message)), message)
            if len(found) > before:
                first.append(name)
    return sorted(f"{check}: {message}" for (check, _), message in found.items()), first


if __name__ == "__main__":
    for path, written in zip((GOLDEN, SOURCES), golden(), strict=True):
        path.write_text("\n".join(written) + "\n", encoding="utf-8")
