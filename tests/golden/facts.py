"""A second, plain reading of a stream: the facts of each round, straight from the JSON of its lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

Event = dict[str, Any]
DEALING_SHOES = ("fortune_670a10", "manual_shoe_657a8")


class PlainRound:
    """What the lines of one round say, without any judgment: hands, stakes, moves of money, rack."""

    def __init__(self, number: int, sequence: int, table: dict[str, Any], shoe: int, day: str) -> None:
        self.number = number
        self.first = self.last = sequence
        self.table = table
        self.shoe = shoe
        self.day = day
        self.cards: dict[str, list[str]] = {}
        self.shown_by: dict[str, list[int]] = {}
        self.parent: dict[str, str] = {}
        self.split: set[str] = set()
        self.doubled: set[str] = set()
        self.surrendered: set[str] = set()
        self.dead: set[str] = set()
        self.even_money: set[int] = set()
        self.staked: dict[tuple[int, str, str | None], int] = {}
        self.moves: dict[tuple[int, str, str | None], list[tuple[str, int]]] = {}
        self.lammers: list[str] = []
        self.lammer_pays: list[tuple[str, int]] = []
        self.rack: list[str] = []
        self.rack_spots: list[str] = []
        self.void = False

    def tell(self, sequence: int, kind: str, data: Event) -> None:
        """Take in one event of the round."""
        self.last = sequence
        teller = getattr(self, f"_{kind}", None)
        if teller is not None:
            teller(sequence, data)

    def _card_placed(self, sequence: int, data: Event) -> None:
        self.cards.setdefault(data["hand"], []).append(data["card"])
        self.shown_by.setdefault(data["hand"], []).append(sequence)

    def _hole_card_revealed(self, _sequence: int, data: Event) -> None:
        hand = self.cards["D"]
        hand[hand.index("??")] = data["card"]

    def _hand_revealed(self, _sequence: int, data: Event) -> None:
        self.cards[data["position"]] = list(data["cards"])

    def _stack_delivered(self, sequence: int, data: Event) -> None:
        self.cards.setdefault(data["position"], []).extend(data["cards"])
        self.shown_by.setdefault(data["position"], []).append(sequence)

    def _player_decision(self, _sequence: int, data: Event) -> None:
        hand, kind = data["hand"], data["kind"]
        if kind == "double":
            self.doubled.add(hand)
        elif kind == "surrender":
            self.surrendered.add(hand)
        elif kind == "split":
            new = data["new_hand"]
            self.cards[new] = [self.cards[hand].pop(1)]
            self.shown_by[new] = [self.shown_by[hand].pop(1)]
            self.parent[new] = hand
            self.split |= {hand, new}

    def _wager_placed(self, _sequence: int, data: Event) -> None:
        key = self._stake(data)
        self.staked[key] = self.staked.get(key, 0) + int(data["cents"])

    def _wager_altered(self, _sequence: int, data: Event) -> None:
        self.staked[self._stake(data)] = int(data["to_cents"])

    def _wager_settled(self, _sequence: int, data: Event) -> None:
        if data["kind"] == "lammer":
            assert data["outcome"] == "pay"
            self.lammer_pays.append((data["hand"], data["cents"]))
        else:
            self.moves.setdefault(self._stake(data), []).append((data["outcome"], data["cents"]))

    def _lammer_placed(self, _sequence: int, data: Event) -> None:
        if data["kind"] != "envy":
            self.lammers.append(data["hand"])

    def _even_money_taken(self, _sequence: int, data: Event) -> None:
        self.even_money.add(data["seat"])

    def _hand_voided(self, _sequence: int, data: Event) -> None:
        self.dead.add(data["hand"])
        self.cards.setdefault(data["hand"], [])

    def _round_voided(self, _sequence: int, _data: Event) -> None:
        self.void = True

    def _cards_racked(self, _sequence: int, data: Event) -> None:
        self.rack += data["cards"]
        self.rack_spots.append(data["hand"])

    def _stake(self, data: Event) -> tuple[int, str, str | None]:
        """Seat, kind, and the hand it lies by; at the dealing shoes a seat has one hand, and no stake names it."""
        seat, kind = data["seat"], data["kind"]
        if kind not in ("main", "double", "split") or self.table["ruleset"] in DEALING_SHOES:
            return seat, kind, None
        return seat, kind, data.get("hand") or f"{seat}.1"


def plain_rounds(lines: Iterable[bytes]) -> Iterator[PlainRound]:
    """The rounds of a stream, one after the other."""
    table: dict[str, Any] = {}
    shoe, day = 0, ""
    current: PlainRound | None = None
    for line in lines:
        event = json.loads(line)
        kind, data, sequence = event["type"].rpartition(".")[2], event["data"], event["sequence"]
        if kind == "table_configured":
            table = data
        elif kind == "gaming_day_started":
            day = data["gaming_day"]
        elif kind == "shoe_loaded":
            shoe = data["shoe"]
        elif kind == "round_started":
            current = PlainRound(data["round"], sequence, table, shoe, day)
        if current is not None:
            current.tell(sequence, kind, data)
        if kind == "round_ended" and current is not None:
            yield current
            current = None
