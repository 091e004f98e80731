"""Rounds of published streams as racks: what was dealt, what was racked, and what was odd about it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

REGULAR = {"settled", "bust", "blackjack", "surrender"}
IRREGULAR = {
    "card_exposed",
    "card_refused",
    "card_burned",
    "hand_voided",
    "hand_continued",
    "round_voided",
    "stack_shuffled_from_rack",
}


@dataclass
class StreamRound:
    table: dict[str, Any]
    number: int
    seats: set[int] = field(default_factory=set)
    hands: dict[str, list[str]] = field(default_factory=dict)
    drawn: list[str] = field(default_factory=list)
    rack: list[str] = field(default_factory=list)
    surrendered: list[str] = field(default_factory=list)
    odd: set[str] = field(default_factory=set)

    def problem(self, **known: Any) -> dict[str, Any]:
        return {"ruleset": self.table["ruleset"], "table": self.table, "rack": self.rack, **known}

    def truth(self) -> dict[str, tuple[str, ...]]:
        return {hand: tuple(cards) for hand, cards in self.hands.items()}


def rounds(path: Path) -> Iterator[StreamRound]:
    """Every finished round of a stream with cards in it; the hole card stands where it was dealt."""
    return rounds_of(path.read_bytes().splitlines())


def rounds_of(lines: Iterable[bytes]) -> Iterator[StreamRound]:
    """The same, of lines in memory."""
    table: dict[str, Any] = {}
    current: StreamRound | None = None
    for line in lines:
        event = json.loads(line)
        name, data = event["type"].removeprefix("catwalk.v1."), event["data"]
        if name == "table_configured":
            table = data
        elif name == "round_started":
            current = StreamRound(table, data["round"])
        elif current is not None:
            _take(current, name, data)
            if name == "round_ended":
                if current.hands:
                    yield current
                current = None


def _take(current: StreamRound, name: str, data: dict[str, Any]) -> None:
    if name in IRREGULAR:
        current.odd.add(name)
    elif name == "wager_placed" and data["kind"] == "main":
        current.seats.add(data["seat"])
    elif name == "card_drawn":
        current.drawn.append(data["card"])
    elif name == "card_placed":
        current.hands.setdefault(data["hand"], []).append(data["card"])
    elif name == "hole_card_revealed":
        for cards in (current.drawn, current.hands["D"]):
            cards[cards.index("??")] = data["card"]
    elif name == "player_decision" and data["kind"] == "split":
        current.hands[data["new_hand"]] = [current.hands[data["hand"]].pop()]
    elif name == "player_decision" and data["kind"] == "surrender":
        current.surrendered.append(data["hand"])
    elif name == "cards_racked":
        current.rack += data["cards"]
        current.odd |= {data["reason"]} - REGULAR
