"""What lies on the layout while a case is played: stakes, hands, lammers, the hole card, the dealer's area.

It is kept from the events as they are written, so that a step which left something out is followed by what
then really lies there.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from dataclasses import dataclass, field
from typing import Any

from tests.law.record import Record, ScriptError

ON_A_HAND = ("main", "double", "split")
Key = tuple[int, str, str]


@dataclass
class Layout:
    """One round on the layout."""

    number: int
    stakes: dict[Key, int] = field(default_factory=dict)
    moves: dict[Key, list[tuple[str, int]]] = field(default_factory=dict)
    hands: dict[str, list[str]] = field(default_factory=dict)
    lammers: list[tuple[str, str]] = field(default_factory=list)
    paid_lammers: list[str] = field(default_factory=list)
    split: set[str] = field(default_factory=set)
    doubled: set[str] = field(default_factory=set)
    surrendered: list[str] = field(default_factory=list)
    even_money: list[str] = field(default_factory=list)
    dead: list[str] = field(default_factory=list)
    tucked: list[str] = field(default_factory=list)
    racked: set[str] = field(default_factory=set)
    hole: str = ""
    shown: bool = False
    closed: bool = False
    offered: bool = False
    read: bool = False
    stub_out: bool = False
    stub_racked: bool = False
    void: bool = False


def stake_at(seat: int, kind: str, hand: str | None) -> Key:
    """Name of a stake: seat, kind, and the hand for those that lie by one."""
    return seat, kind, (hand or f"{seat}.1") if kind in ON_A_HAND else ""


class Felt(Record):
    """A record that knows what lies on the layout."""

    def __init__(self, start: dt.datetime, config: dict[str, Any], players: tuple[int, ...]) -> None:
        super().__init__(start)
        self.config = config
        self.players = players
        self.ruleset: str = config["ruleset"]
        self.down_under = self.ruleset == "down_under_685a"
        self.stacks = self.ruleset in ("fortune_670a10", "manual_shoe_657a8")
        self.reader = "masque_reader" if self.down_under else "card_reader"
        self.batch = "B1"
        self.batches: dict[str, int] = {}
        self.shoes = 0
        self.rounds = 0
        self.layout: Layout | None = None
        self.drawn: list[str] = []
        self.out: list[str] = []
        self.loaded = 0
        self.cover_at = "D"
        self.opened = 0
        self.ahead: tuple[str, ...] = ()

    @property
    def round(self) -> Layout:
        """The round under way.

        Raises:
            ScriptError: none is.
        """
        if self.layout is None:
            raise ScriptError("no round is under way; begin with a wager or `round`")
        return self.layout

    def event(self, kind: str, /, **fields: Any) -> dict[str, Any] | None:
        """Write one event and let it happen on the layout."""
        data = super().event(kind, **fields)
        if data is not None:
            happen = getattr(self, f"_on_{kind}", None)
            if happen is not None and (self.layout is not None or kind in _OUTSIDE):
                happen(data)
        return data

    def lying(self) -> list[str]:
        """Cards on the layout that the rack has not got."""
        hands = self.round.hands
        return [card for spot, cards in hands.items() if spot not in self.round.racked for card in cards]

    def seal(self, card: str) -> str:
        """The seal of a hole card of this round."""
        return hashlib.sha256(f"{card}|{self.nonce}".encode()).hexdigest()

    @property
    def nonce(self) -> str:
        """The nonce that opens this round's seal."""
        return f"nonce-{self.rounds}"

    def _on_table_configured(self, data: dict[str, Any]) -> None:
        self.config = data

    def _on_decks_received(self, data: dict[str, Any]) -> None:
        self.batches[data["batch"]] = data["cards"]

    def _on_shoe_loaded(self, data: dict[str, Any]) -> None:
        self.shoes, self.batch, self.loaded = data["shoe"], data["batch"], data["cards"]
        self.drawn = []
        if self.layout is None:
            self.out = []

    def _on_card_burned(self, data: dict[str, Any]) -> None:
        self.drawn.append(data["card"])

    def _on_card_drawn(self, data: dict[str, Any]) -> None:
        self.drawn.append(data["card"])

    def _on_round_started(self, data: dict[str, Any]) -> None:
        self.rounds = data["round"]
        self.layout = Layout(self.rounds)

    def _on_round_ended(self, data: dict[str, Any]) -> None:
        self.layout = None

    def _on_betting_closed(self, data: dict[str, Any]) -> None:
        self.round.closed = True

    def _on_cover_card_reached(self, data: dict[str, Any]) -> None:
        self.cover_at = data["at"]

    def _on_stub_removed(self, data: dict[str, Any]) -> None:
        self.round.stub_out = True

    def _on_round_voided(self, data: dict[str, Any]) -> None:
        self.round.void = True

    def _on_wager_placed(self, data: dict[str, Any]) -> None:
        key = stake_at(data["seat"], data["kind"], data.get("hand"))
        self.round.stakes[key] = self.round.stakes.get(key, 0) + data["cents"]

    def _on_wager_altered(self, data: dict[str, Any]) -> None:
        self.round.stakes[stake_at(data["seat"], data["kind"], data.get("hand"))] = data["to_cents"]

    def _on_wager_settled(self, data: dict[str, Any]) -> None:
        if data["kind"] == "lammer":
            self.round.paid_lammers.append(data.get("hand") or f"{data['seat']}.1")
            return
        key = stake_at(data["seat"], data["kind"], data.get("hand"))
        self.round.moves.setdefault(key, []).append((data["outcome"], data["cents"]))

    def _on_card_placed(self, data: dict[str, Any]) -> None:
        self.round.hands.setdefault(data["hand"], []).append(data["card"])

    def _on_stack_delivered(self, data: dict[str, Any]) -> None:
        self.round.hands.setdefault(data["position"], []).extend(data["cards"])

    def _on_hand_revealed(self, data: dict[str, Any]) -> None:
        self.round.hands[data["position"]] = list(data["cards"])

    def _on_hole_card_revealed(self, data: dict[str, Any]) -> None:
        cards = self.round.hands.get("D", [])
        if len(cards) > 1:
            cards[1] = data["card"]
        if "??" in self.drawn:
            self.drawn[len(self.drawn) - 1 - self.drawn[::-1].index("??")] = data["card"]
        self.round.shown = True

    def _on_hole_card_read(self, data: dict[str, Any]) -> None:
        self.round.read = True

    def _on_insurance_offered(self, data: dict[str, Any]) -> None:
        self.round.offered = True

    def _on_even_money_taken(self, data: dict[str, Any]) -> None:
        self.round.even_money.append(f"{data['seat']}.1")

    def _on_player_decision(self, data: dict[str, Any]) -> None:
        hand, round_ = data["hand"], self.round
        if data["kind"] == "surrender":
            round_.surrendered.append(hand)
        elif data["kind"] == "double":
            round_.doubled.add(hand)
        elif data["kind"] == "split" and len(round_.hands.get(hand, [])) > 1:
            round_.split |= {hand, data["new_hand"]}
            round_.hands[data["new_hand"]] = [round_.hands[hand].pop(1)]

    def _on_lammer_placed(self, data: dict[str, Any]) -> None:
        self.round.lammers.append((data["hand"], data["kind"]))

    def _on_lammer_collected(self, data: dict[str, Any]) -> None:
        if (data["hand"], data["kind"]) in self.round.lammers:
            self.round.lammers.remove((data["hand"], data["kind"]))

    def _on_cards_tucked(self, data: dict[str, Any]) -> None:
        self.round.tucked.append(data["hand"])

    def _on_cards_racked(self, data: dict[str, Any]) -> None:
        if data["reason"] == "stub":
            self.round.stub_racked = True
        elif data["reason"] not in ("boxed", "accidental", "refused"):
            self.round.racked.add(data["hand"])

    def _on_hand_voided(self, data: dict[str, Any]) -> None:
        self.round.dead.append(data["hand"])


_OUTSIDE = {
    "table_configured", "decks_received", "shoe_loaded", "card_burned", "card_drawn", "round_started",
    "cover_card_reached",
}  # fmt: skip
