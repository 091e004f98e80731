"""Streams that keep the contract line by line and make no sense: events out of place, with the wrong contents."""

from __future__ import annotations

import copy
import json
import random
from collections import defaultdict
from functools import cache
from typing import Any

from schemas.values import CARD_NAMES, HAND_NAMES, SPOT_NAMES
from tests.pipeline.streams import EXAMPLES, lines_of
from tests.producers.builders import GENESIS, digest, encode

Event = dict[str, Any]
STREAMS = sorted(path.stem for path in EXAMPLES.glob("*.ndjson"))
ON_SPOTS = frozenset(
    {"card_placed", "cards_racked", "starting_position_set", "stack_delivered", "hand_revealed", "cover_card_reached",
     "cut_made"}
)  # fmt: skip
NUMBERS = {"round", "shoe", "decks", "batches", "seats", "stack", "cards_on_top", "cards_below", "accepted"}
NUMBERS |= {"chips", "total", "boxes_per_player", "defects", "counted"}
TEXTS: dict[str, tuple[Any, ...]] = {
    "paytables": ({}, {"push22": ""}, {"match_dealer": ""}, {"push22": "Z", "match_dealer": "abc"}),
    "readings": ({"A1": "nonsense", "Z": "x"}, {}),
    "timezone": ("Nowhere/City", "UTC", "../x"),
    "gaming_day_start": ("99:99", "00:00", "24:00"),
    "gaming_day": ("0001-01-01", "9999-12-31", "2015-01-01"),
    "approved_on": ("0001-01-01", "9999-12-31"),
    "opened_at": ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"),
    "side_wagers": ([], ["push22"], ["match_dealer", "six_card_bonus"]),
    "batch": ("B1", "B2", "none such"),
    "result": ("blackjack", "no_blackjack", "small", "medium", "large"),
    "kind": ("main", "insurance", "double", "split"),
}
TIMES = ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "2026-03-02T15:00:00-12:00")


@cache
def _pool() -> dict[str, list[Event]]:
    """The data of the published events, by type."""
    pool: dict[str, list[Event]] = defaultdict(list)
    for name in STREAMS:
        for line in lines_of(name)[:600]:
            event = json.loads(line)
            pool[event["type"]].append(event["data"])
    return dict(pool)


def _changed(data: Event, kind: str, chance: random.Random) -> Event:
    """The data with some fields changed to other values that the contract allows."""
    data = copy.deepcopy(data)
    short = kind.rpartition(".")[2]
    for name in list(data):
        if chance.random() < 0.25:
            data[name] = _other(name, data[name], short, chance)
    return data


def _other(name: str, value: Any, short: str, chance: random.Random) -> Any:
    if name == "card":
        return chance.choice(CARD_NAMES)
    if name == "cards" and isinstance(value, list):
        return [chance.choice(CARD_NAMES) for _ in range(chance.choice((0, 1, 2, 6, 11)))]
    if name in ("hand", "at", "position", "new_hand", "to_hand") or (name, short) == (
        "from_hand",
        "wager_moved",
    ):
        return chance.choice(SPOT_NAMES if short in ON_SPOTS else HAND_NAMES)
    if name == "seat":
        return chance.randint(1, 9)
    if name.endswith("cents"):
        return chance.choice((0, 1, 99, 100, 2500, 10**11))
    if name in NUMBERS and type(value) is int:
        return chance.choice((0, 1, 2, 5, 52, 10**9))
    if isinstance(value, bool):
        return not value
    allowed = name != "kind" or short == "wager_placed"
    return chance.choice(TEXTS[name]) if name in TEXTS and allowed else value


def soup(seed: int) -> tuple[str, list[bytes]]:
    """A table's name and a stream of it, whole in chain and contract."""
    chance = random.Random(seed)
    events: list[Event] = [json.loads(line) for line in lines_of(chance.choice(STREAMS))[:400]]
    match seed % 3:
        case 0:
            events = [_mixed(event, chance) for event in events]
        case 1:
            for _ in range(60):
                one, other = chance.randrange(len(events)), chance.randrange(len(events))
                events[one], events[other] = events[other], events[one]
        case _:
            kinds = chance.choices(sorted(_pool()), k=300)
            events = events[:1] + [_drawn(events[0], kind, chance) for kind in kinds]
    if chance.random() < 0.3:
        events = [
            event | {"time": chance.choice(TIMES)} if chance.random() < 0.05 else event for event in events
        ]
    return events[0]["subject"], _chained(events)


def _mixed(event: Event, chance: random.Random) -> Event:
    if chance.random() < 0.85:
        return event
    return event | {"data": _changed(event["data"], event["type"], chance)}


def _drawn(first: Event, kind: str, chance: random.Random) -> Event:
    return first | {"type": kind, "data": _changed(chance.choice(_pool()[kind]), kind, chance)}


def _chained(events: list[Event]) -> list[bytes]:
    lines: list[bytes] = []
    prevhash = GENESIS
    for sequence, event in enumerate(events, 1):
        lines.append(encode(event | {"sequence": sequence, "prevhash": prevhash}))
        prevhash = digest(lines[-1])
    return lines
