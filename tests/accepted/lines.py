"""Lines that `record` accepts and nobody expects: published streams with extreme values, and whole extreme events."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from producers.recorder import Arrival, read_arrival
from schemas.events.codec import Malformed
from tests.accepted.values import DAYS, FIELDS, TEXTS, TIMES, Extreme
from tests.mutations.rechain import PREFIX, Event, kind, load
from tests.pipeline.streams import RULESETS
from tests.producers.builders import GENESIS, digest

STREAMS = (
    *RULESETS.values(), "breach_masque_wrong", "irregular_two_gaming_days", "irregular_stacks_misdeal",
    "irregular_continuous_shuffler_du", "irregular_shoe_runs_out", "breach_late_bet", "lawful_free_bet_672a_batch",
)  # fmt: skip
SUBJECTS = ("0", "A" * 64, "a.b-c_d", "0..-__", "9" * 64, "T-1", "NULL", "x.ndjson", "1e9", "CON")
_OTHERS = (
    "property",
    "pit",
    "staff",
    "player",
    "batch",
    "slip",
    "box",
    "timezone",
    "reference",
    "gaming_day",
)


class Table(NamedTuple):
    """A table and its lines, all of which `record` accepts, chained from the first on."""

    subject: str
    lines: list[bytes]


def tables(seed: int, lines: int, longest: int = 700) -> Iterator[Table]:
    """Tables whose lines are so many together; the same of a seed each time."""
    random, number = Random(seed), 0
    while lines > 0:
        number += 1
        subject = f"{number}{random.choice(SUBJECTS)}"[:64]
        table = Table(subject, [*_chained(_wild(random, subject, min(lines, longest)), random)][:lines])
        lines -= len(table.lines)
        yield table


def years_on(events: list[Event], years: int) -> list[Event]:
    """The events so many years later, with the gaming days that they name."""
    moved = []
    for event in events:
        year = str(int(event["time"][:4]) + years)
        data = {
            name: year + value[4:] if name in ("gaming_day", "opened_at") else value
            for name, value in event["data"].items()
        }
        moved.append({**event, "time": year + event["time"][4:], "data": data})
    return moved


def _wild(random: Random, subject: str, longest: int) -> Iterator[Event]:
    """A published stream in which something is extreme: a few fields, many, or what the whole stream says of one."""
    events = [{**event, "subject": subject} for event in load(random.choice(STREAMS))][:longest]
    names: dict[str, list[Any]] = defaultdict(list)
    for event in events:
        for name, value in event["data"].items():
            if len(names[name]) < 40:
                names[name].append(value)
    draw = Extreme(random, names)
    altered, put_in = random.choice(((0.01, 0.0), (0.03, 0.01), (0.1, 0.1), (0.6, 0.3), (0.0, 0.03)))
    renamed = {name: {} for name in _OTHERS if random.random() < 0.3}  # type: dict[str, dict[Any, Any]]
    whole = random.choice(TIMES) if random.random() < 0.15 else None
    for event in events:
        if random.random() < put_in:
            name = random.choice(list(FIELDS))
            yield _altered(
                event | {"id": f"{event['id']}-x", "type": PREFIX + name, "data": draw.data(name)},
                draw,
                random,
            )
        data = {
            name: renamed[name].setdefault(
                value, random.choice(DAYS if name == "gaming_day" else TEXTS)[:200] or "x"
            )
            if name in renamed and isinstance(value, str)
            else value
            for name, value in event["data"].items()
        }
        event = {**event, "data": data} | ({"time": whole} if whole else {})
        yield _altered(event, draw, random) if random.random() < altered else event


def _altered(event: Event, draw: Extreme, random: Random) -> Event:
    """The event with some fields of its own or of its data extreme."""
    fields, data = FIELDS[kind(event)].fields, dict(event["data"])
    for field in random.sample(fields, min(len(fields), random.choice((0, 1, 1, 2)))):
        if not field.required and random.random() < 0.3:
            data.pop(field.name, None)
        else:
            data[field.name] = draw.of(field)
    changed = {**event, "data": data}
    for name, values in (("time", TIMES), ("recordedtime", TIMES), ("source", TEXTS), ("id", TEXTS)):
        if random.random() < 0.25:
            changed[name] = random.choice(values)[:200]
    return changed


def _chained(events: Iterator[Event], random: Random) -> Iterator[bytes]:
    """The lines that `record` accepts, the others dropped."""
    head, sequence = GENESIS, 1
    for event in events:
        plain = random.random() < 0.5
        text = json.dumps(
            event | {"sequence": sequence, "prevhash": head}, separators=(",", ":"), ensure_ascii=plain
        )
        line = text.encode()
        try:
            read_arrival(Arrival(line, ""))
        except Malformed:
            continue
        yield line
        head, sequence = digest(line), sequence + 1
