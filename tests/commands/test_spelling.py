"""However an event is spelt: what is recorded is proven intact and folded, and everything else is in quarantine.

Ways in: chained streams and a device's events, as files, packed files and standard input.
"""

from __future__ import annotations

import datetime as dt
import gzip
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from producers.answers import Appended
from producers.kafka.journal import Journal
from producers.recorder import Arrival, Recorder
from producers.sqlite_log import SqliteLog
from tests.commands.run import Catwalk, catwalk
from tests.producers.builders import GENESIS, device_event, digest, joined
from tests.schemas.contract import BRANCHES, envelopes
from tests.schemas.spelling import escaped, line_of, spelt

__all__ = ["catwalk"]  # a fixture

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
OVERPAID = EXAMPLES / "breach_overpay.ndjson"
Event = dict[str, Any]


class Recorded(NamedTuple):
    """What `record` said, what the ledger and its quarantine hold, and what `verify` and `replay` say of it."""

    said: Any
    lines: list[bytes]
    quarantined: list[bytes]
    proven: Any
    summary: Any
    findings: list[Event]


def through(catwalk: Catwalk, folder: Path, lines: list[bytes], way: str) -> Recorded:
    """Record lines into a new ledger, prove it and replay it."""
    ledger, out = folder / "ledger.db", folder / "out"
    data = joined(lines)
    if way == "packed":
        data = gzip.compress(data, 1)
    stream = folder / ("s.ndjson.gz" if way == "packed" else "s.ndjson")
    stream.write_bytes(data)
    arguments: tuple[object, ...] = ("-",) if way == "pipe" else (stream,)
    said = catwalk("record", *arguments, "--ledger", ledger, "--format", "json", stdin=data)
    with closing(SqliteLog(ledger, read_only=True)) as log:
        kept = [tailed.line for tailed in log.tail()]
        aside = [one.letter.line for one in log.quarantined()]
    if not kept:
        return Recorded(said.json, [], aside, {"intact": True}, {"deadletters": 0, "records": 0}, [])
    proven = catwalk("verify", ledger, "--format", "json")
    replayed = catwalk("replay", ledger, "--out", out, "--no-proofs", "--format", "json")
    findings = [json.loads(line) for line in (out / "findings.ndjson").read_bytes().splitlines()]
    return Recorded(said.json, kept, aside, proven.json, replayed.json, findings)


def holds(done: Recorded) -> None:
    """What is recorded is intact and is read, line by line."""
    assert done.proven["intact"], done.proven
    assert (done.summary["deadletters"], done.summary["records"]) == (0, len(done.lines))
    assert done.said["recorded"] == len(done.lines)
    assert done.said["bridged"] == 0


def device(line: bytes) -> Event:
    """A chained event as the device sent it."""
    event: Event = json.loads(line)
    return {name: value for name, value in event.items() if name not in ("sequence", "prevhash")}


def rechained(events: list[Event], choose: Random) -> list[bytes]:
    """The events as a chained stream, each spelt otherwise."""
    lines: list[bytes] = []
    for sequence, event in enumerate(events, 1):
        prevhash = digest(lines[-1]) if lines else GENESIS
        lines.append(line_of({**event, "sequence": sequence, "prevhash": prevhash}, choose))
    return lines


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.text(max_size=4)
    | st.integers()
    | st.just(10**400)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text(max_size=3) | st.sampled_from(["sequence", "prevhash", "id"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)


@st.composite
def streams(draw: st.DrawFn) -> list[Event]:
    """Events of one table as devices send them, each with an id of its own and attributes nobody knows."""
    events = []
    for number in range(draw(st.integers(1, 4))):
        event = dict(draw(st.sampled_from(sorted(BRANCHES)).flatmap(envelopes)))
        event |= {"id": f"e-{number}", "subject": "T-1"}
        event |= draw(
            st.dictionaries(st.sampled_from(["x", "Sequence", "ünï", "prev", "\U0001f0a1"]), JSON, max_size=2)
        )
        del event["sequence"], event["prevhash"]
        events.append(event)
    return events


def _named(name: str, value: str) -> Callable[[bytes], bytes]:
    """The line with one more name in front of all others."""
    return lambda line: b'{"' + name.encode() + b'":' + value.encode() + b"," + line.strip()[1:]


HOSTILE: dict[str, Callable[[bytes], bytes]] = {
    "an escaped prevhash": _named(escaped("prevhash", 4), '"' + "0" * 64 + '"'),
    "an escaped sequence": _named(escaped("sequence", 1), "7"),
    "both escaped, and false": lambda line: _named(escaped("sequence", 0), "1")(
        _named(escaped("prevhash", 7), '"' + "e" * 64 + '"')(line)
    ),
    "an id twice, once escaped": _named(escaped("id", 1), '"another"'),
    "an id twice": _named("id", '"another"'),
    "data twice, once escaped": _named(escaped("data", 3), "{}"),
    "a nested name twice, once escaped": _named("x", '{"a":{"b":1,"\\u0062":2}}'),
    "a nested name twice": _named("x", '[{"a":1,"a":1}]'),
    "a name twice in the data, once escaped": lambda line: line.replace(b'"reason"', b'"re\\u0061son":"x","reason"'),
    "a byte order mark": lambda line: b"\xef\xbb\xbf" + line,
    "a lone surrogate": _named("x", '"\\ud83d"'),
    "surrogates in the wrong order": _named("x", '"\\udca1\\ud83c"'),
    "a surrogate in a name": _named("\\udca1", "1"),
    "a carriage return in a string": _named("x", '"\r"'),
    "an integer of 5,000 digits": _named("x", "9" * 5000),
    "a hundred levels": _named("x", "[" * 100 + "]" * 100),
    "990 levels": _named("x", "[" * 990 + "]" * 990),
    "NaN": _named("x", "NaN"),
    "bytes that are no UTF-8": lambda line: line.replace(b'"x', b'"\xff', 1) + b"\xff",
    "two objects": lambda line: line + line,
}  # fmt: skip


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(streams(), st.integers(0, 1 << 32), st.sampled_from(["file", "packed", "pipe"]), st.booleans())
def test_every_spelling_of_an_event_is_recorded_proven_and_read(
    catwalk: Catwalk,
    tmp_path_factory: pytest.TempPathFactory,
    events: list[Event],
    seed: int,
    way: str,
    chained: bool,
) -> None:
    choose = Random(seed)
    lines = rechained(events, choose) if chained else [line_of(event, choose) for event in events]
    done = through(catwalk, tmp_path_factory.mktemp("spelt"), lines, way)
    holds(done)
    assert (len(done.lines), done.quarantined) == (len(lines), [])
    if chained:
        assert done.lines == lines


@pytest.mark.parametrize("way", ["file", "pipe"])
def test_what_is_no_event_is_in_quarantine_with_its_bytes_and_its_neighbours_are_recorded(
    catwalk: Catwalk, tmp_path: Path, way: str
) -> None:
    choose = Random(7)
    good = [device_event(n) for n in range(2 * len(HOSTILE))]
    bad = [make(line_of(json.loads(device_event(1000 + n)), Random(0) if n % 2 else choose))
           for n, make in enumerate(HOSTILE.values())]  # fmt: skip
    bad[list(HOSTILE).index("a name twice in the data, once escaped")] = HOSTILE[
        "a name twice in the data, once escaped"
    ](device_event(2000))
    lines = [line for n, one in enumerate(bad) for line in (good[2 * n], one, good[2 * n + 1])]
    done = through(catwalk, tmp_path, lines, way)
    holds(done)
    assert len(done.lines) == len(good)
    assert sorted(done.quarantined) == sorted(bad)


def test_a_gateways_journal_takes_the_same_lines_and_is_proven_and_read(
    catwalk: Catwalk, tmp_path: Path
) -> None:
    lines = [line_of(device(line), Random(n)) for n, line in enumerate(OVERPAID.read_bytes().splitlines())]
    bad = [make(device_event(n, "FB-12")) for n, make in enumerate(HOSTILE.values())]
    path = tmp_path / "journal.db"
    with closing(Journal(path)) as journal:
        recorder = Recorder(journal.log, lambda: dt.datetime.now(dt.UTC))
        answers = recorder.record_lines([Arrival(line, "device") for line in (*lines[:9], *bad, *lines[9:])])
    assert sum(isinstance(answer, Appended) for answer in answers) == len(lines)
    assert catwalk("verify", path, "--format", "json").json["intact"]
    replayed = catwalk("replay", path, "--out", tmp_path / "out", "--format", "json").json
    assert (replayed["records"], replayed["deadletters"]) == (len(lines), 0)
    assert replayed["by_verdict"] == {"breached": 1}


@pytest.mark.parametrize("hostile", ["an escaped prevhash", "an escaped sequence", "both escaped, and false"])
def test_a_device_that_speaks_of_a_chain_in_escapes_takes_nothing_from_a_finding(
    catwalk: Catwalk, tmp_path: Path, hostile: str
) -> None:
    events = [device(line) for line in OVERPAID.read_bytes().splitlines()]
    lines: list[bytes] = []
    for number, event in enumerate(events):
        line = json.dumps(event).encode()
        twin = json.dumps({**event, "id": f"twin-{number}"}).encode()
        lines += [HOSTILE[hostile](twin), line] if number % 20 == 0 else [line]
    done = through(catwalk, tmp_path, lines, "pipe")
    holds(done)
    assert len(done.quarantined) == sum(number % 20 == 0 for number in range(len(events)))
    assert [(f["verdict"], f["money_cents"]) for f in done.findings if f["money_cents"]] == [
        ("breached", -10_000)
    ]


def _told(findings: list[Event]) -> list[Event]:
    return [{name: value for name, value in one.items() if name != "file"} for one in findings]


@pytest.mark.parametrize("way", ["chained", "device"])
def test_a_breach_respelt_is_the_same_finding_with_the_same_verdict_and_money(
    catwalk: Catwalk, tmp_path: Path, way: str
) -> None:
    before = catwalk("replay", OVERPAID, "--out", tmp_path / "before", "--no-proofs")
    expected = [
        json.loads(line) for line in (tmp_path / "before" / "findings.ndjson").read_bytes().splitlines()
    ]
    events, choose = [device(line) for line in OVERPAID.read_bytes().splitlines()], Random(11)
    lines = rechained(events, choose) if way == "chained" else [line_of(event, choose) for event in events]
    done = through(catwalk, tmp_path, lines, "packed")
    holds(done)
    assert before.status == 0
    assert (len(done.lines), _told(done.findings)) == (len(events), _told(expected))
    assert [f["money_cents"] for f in expected if f["verdict"] == "breached"] == [-10_000]


@given(JSON, st.integers(0, 1 << 32))
def test_a_spelling_says_the_same(value: Any, seed: int) -> None:
    assert json.loads(spelt(value, Random(seed))) == value
