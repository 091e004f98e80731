"""Break one event of a lawful stream and chain it anew, so that only the conduct is wrong, not the record."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from processors.pipeline import TablePipeline
from schemas.events.codec import record_hash
from schemas.events.envelope import GENESIS
from schemas.findings import Finding
from schemas.rounds import RoundResult

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
Event = dict[str, Any]
PREFIX = "catwalk.v1."


def load(name: str) -> list[Event]:
    """Events of a published stream, by its name without extension."""
    return [json.loads(line) for line in (EXAMPLES / f"{name}.ndjson").read_bytes().splitlines() if line]


def parse(lines: Iterable[bytes]) -> list[Event]:
    """Events of simulated lines."""
    return [json.loads(line) for line in lines]


def kind(event: Event) -> str:
    """Type of an event without its prefix."""
    return str(event["type"]).removeprefix(PREFIX)


def device_of(event: Event) -> str:
    """The device that says an event, without the place where it stands."""
    return str(event["source"]).rpartition("/")[2]


def time_of(event: Event) -> dt.datetime:
    """The time at which the device says it."""
    return dt.datetime.fromisoformat(event["time"])


def like(event: Event, name: str, **data: Any) -> Event:
    """An event of another type at the same moment and from the same source as `event`."""
    return {**event, "id": f"{event['id']}-x", "type": PREFIX + name, "data": data}


def altered(events: list[Event], index: int, **data: Any) -> list[Event]:
    """The stream with some data fields of one event changed; None removes a field."""
    changed = {**events[index]["data"], **data}
    kept = {name: value for name, value in changed.items() if value is not None}
    return [*events[:index], {**events[index], "data": kept}, *events[index + 1 :]]


def dropped(events: list[Event], *indexes: int) -> list[Event]:
    """The stream without some events."""
    gone = set(indexes)
    return [event for index, event in enumerate(events) if index not in gone]


def skipped(events: list[Event], *indexes: int) -> list[Event]:
    """The stream without events of which nothing was done: all that follows comes as much earlier."""
    gone, by, left = set(indexes), dt.timedelta(), []
    for at, event in enumerate(events):
        if at not in gone:
            left.append(_earlier(event, by) if by else event)
        elif at + 1 < len(events):
            by += dt.datetime.fromisoformat(events[at + 1]["time"]) - dt.datetime.fromisoformat(event["time"])
    return left


def left_out(events: list[Event], drawn: int) -> list[Event]:
    """The stream of a dealer who left out a card or stack: rack and showdown of its round lack it, too."""
    laid = events[drawn + 1]["data"]
    spot = laid.get("hand") or laid["position"]
    start, end = next(each for each in rounds_of(events) if drawn < each[1])
    without: list[int] = []
    for at in range(start, end):
        data = events[at]["data"]
        if (
            kind(events[at]) in ("cards_racked", "hand_revealed")
            and spot in data.values()
            and data.get("reason") != "stub"
        ):
            cards = list(data["cards"])
            cards.remove(laid["card"] if laid.get("card") in cards else cards[-1])
            if "position" in laid or not cards:
                without.append(at)
            else:
                events = altered(events, at, cards=cards)
    return skipped(dropped(events, *without), drawn, drawn + 1)


def _earlier(event: Event, by: dt.timedelta) -> Event:
    times = {name: event[name] for name in ("time", "recordedtime") if name in event}
    return event | {
        name: (dt.datetime.fromisoformat(time) - by).isoformat().replace("+00:00", "Z")
        for name, time in times.items()
    }


def inserted(events: list[Event], index: int, *new: Event) -> list[Event]:
    """The stream with events put in before `index`."""
    return [*events[:index], *new, *events[index:]]


def moved(events: list[Event], index: int, before: int) -> list[Event]:
    """The stream with one event moved to stand before the event now at `before`."""
    event, rest = events[index], dropped(events, index)
    return inserted(rest, before if before < index else before - 1, event)


def in_their_own_times(events: Iterable[Event]) -> Iterator[bytes]:
    """Lines with sequence and prevhash that fit, and the time at which each device said its word."""
    return _chained(events, 1, GENESIS)


def rechained(events: Iterable[Event]) -> Iterator[bytes]:
    """Lines with sequence, prevhash and (never going back) times that fit."""
    return _chained(_never_going_back(events, ""), 1, GENESIS)


def chained_to(lines: list[bytes], events: Iterable[Event]) -> list[bytes]:
    """These lines of `rechained`, and events chained to the last of them."""
    onward = _never_going_back(events, str(json.loads(lines[-1])["time"]))
    return [*lines, *_chained(onward, len(lines) + 1, record_hash(lines[-1]))]


def _never_going_back(events: Iterable[Event], last: str) -> Iterator[Event]:
    for event in events:
        last = max(last, event["time"])
        yield {**event, "time": last}


def _chained(events: Iterable[Event], first: int, head: str) -> Iterator[bytes]:
    for sequence, event in enumerate(events, first):
        line = msgspec.json.encode({**event, "sequence": sequence, "prevhash": head})
        head = record_hash(line)
        yield line


class Heard(NamedTuple):
    """What a pipeline said of a record, in order."""

    findings: list[Finding]
    rounds: list[RoundResult]


Head = tuple[str, bool]
"""The hash of a chain at a place, and whether racks are weighed."""
_EVERY = 200  # events between two places from which records of one beginning go on
_seen: set[Head] = set()  # heads that were read once: a broken record is never there again
_begun: dict[Head, tuple[bytes, Heard]] = {}  # by head: the state there, and what was said up to there


def heard(lines: list[bytes], *, proofs: bool = True) -> Heard:
    """What a pipeline without detectors says of a record; what records have in common up to a break is read once."""
    heads = {at: (record_hash(lines[at - 1]), proofs) for at in range(_EVERY, len(lines), _EVERY)}
    start = max((at for at, head in heads.items() if head in _begun), default=0)
    if start:
        state, before = _begun[heads[start]]
        pipeline, said = TablePipeline.restore(state), Heard(list(before.findings), list(before.rounds))
        pipeline._proofs = proofs
    else:
        pipeline = TablePipeline(json.loads(lines[0])["subject"], proofs=proofs, detect=False)
        said = Heard([], [])
    for at, line in enumerate(lines[start:], start + 1):
        outcome = pipeline.advance(line)
        said.findings.extend(outcome.findings)
        said.rounds.extend(outcome.rounds)
        head = heads.get(at)
        if head in _seen:
            assert head is not None
            _begun[head] = pipeline.snapshot(), Heard(list(said.findings), list(said.rounds))
        elif head is not None:
            _seen.add(head)
    last = pipeline.finish()
    return Heard([*said.findings, *last.findings], [*said.rounds, *last.rounds])


def findings_of(events: Iterable[Event]) -> list[Finding]:
    """All findings of a stream of events, chained anew."""
    return heard(list(rechained(events)), proofs=False).findings


def breaches(events: Iterable[Event]) -> list[Finding]:
    """The findings that stand as breaches."""
    return [finding for finding in findings_of(events) if finding.verdict == "breached"]


def accused(findings: Iterable[Finding]) -> list[Finding]:
    """The breaches of people's duties."""
    return [one for one in findings if one.verdict == "breached" and not one.check.startswith("integrity.")]


def accusations(findings: Iterable[Finding]) -> list[str]:
    """The breaches of people's duties in words, each with its round."""
    return [f"{one.round}: {one.check}: {one.message}" for one in accused(findings)]


def cites(finding: Finding, *clauses: str) -> bool:
    """Whether a finding cites one of these clauses or a sub-clause of one."""
    return any(
        cited == clause or (cited.startswith(clause) and cited[len(clause)] in "(#:")
        for cited in finding.cites
        for clause in clauses
    )


def rounds_of(events: list[Event]) -> list[tuple[int, int]]:
    """Index ranges of the rounds: of `round_started` and of `round_ended`."""
    ranges, start = [], 0
    for index, event in enumerate(events):
        if kind(event) == "round_started":
            start = index
        elif kind(event) == "round_ended":
            ranges.append((start, index))
    return ranges


def sweep(
    events: list[Event], wanted: Callable[[int, Event], bool], most: int = 12, seed: int = 7
) -> list[int]:
    """Up to `most` indexes of events that a mutation can break, spread over the stream."""
    indexes = [index for index, event in enumerate(events) if wanted(index, event)]
    if len(indexes) <= most:
        return indexes
    step = len(indexes) / most
    return [indexes[int((number + (seed % 10) / 10) * step) % len(indexes)] for number in range(most)]
