"""A blackjack round read back from its events alone, and judged by the chapters' text: no code of the engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from tests.simulator.streams import Event

POINTS = {**{str(n): n for n in range(2, 10)}, "T": 10, "J": 10, "Q": 10, "K": 10, "A": 11}
LARGE = set("TJQKA")


def count(cards: Iterable[str], limit: int = 21) -> int:
    """3(d)(3): aces fall from 11 to 1 while the count is above the limit."""
    values = [POINTS[card[0]] for card in cards]
    aces = values.count(11)
    points = sum(values)
    while points > limit and aces:
        points, aces = points - 10, aces - 1
    return points


def hard(cards: list[str]) -> bool:
    """Whether no ace counts 11."""
    return count(cards) == sum(1 if card[0] == "A" else POINTS[card[0]] for card in cards)


@dataclass
class Lay:
    """One hand as it lay: cards in deal order, chips by kind, lammers, what became of it."""

    name: str
    cards: list[str] = field(default_factory=list)
    chips: dict[str, int] = field(default_factory=dict)
    lammers: list[str] = field(default_factory=list)
    parent: str | None = None
    was_split: bool = False
    fate: str = "played"  # or surrendered, even money, dead
    decisions: list[str] = field(default_factory=list)
    sideways: int = 0

    @property
    def seat(self) -> int:
        return int(self.name.split(".")[0])

    @property
    def natural(self) -> bool:
        """Two first cards of 21, unsplit."""
        return len(self.cards) == 2 and count(self.cards) == 21 and not self.parent and not self.was_split


@dataclass
class Round:
    """Everything that a round's events say."""

    ruleset: str
    config: dict[str, Any]
    hands: dict[str, Lay] = field(default_factory=dict)
    dealer: list[str] = field(default_factory=list)
    units: dict[int, int] = field(default_factory=dict)
    sides: dict[int, int] = field(default_factory=dict)
    insurance: dict[int, int] = field(default_factory=dict)
    moved: dict[tuple[int, str, str, str], int] = field(default_factory=dict)
    collected_lammers: list[tuple[str, str]] = field(default_factory=list)
    racked: list[tuple[str, list[str], str]] = field(default_factory=list)

    @property
    def free_bets(self) -> bool:
        return self.ruleset != "down_under_685a"

    @property
    def total(self) -> int:
        return count(self.dealer, 21 if self.free_bets else 22)

    @property
    def dealer_natural(self) -> bool:
        return len(self.dealer) == 2 and {POINTS[card[0]] for card in self.dealer} == {10, 11}


def read(ruleset: str, config: dict[str, Any], stream: Iterable[Event]) -> Round:
    """Fold one round's events."""
    seen = Round(ruleset, config)
    for event in stream:
        reader = _READERS.get(event.name)
        if reader is not None:
            reader(seen, event)
    return seen


def _wager(seen: Round, event: Event) -> None:
    seat, kind, cents = event["seat"], event["kind"], event["cents"]
    if kind == "main":
        seen.units[seat] = cents
        seen.hands[f"{seat}.1"] = Lay(f"{seat}.1", chips={"main": cents})
    elif kind in ("double", "split"):
        seen.hands[event["hand"]].chips[kind] = cents
    elif kind == "insurance":
        seen.insurance[seat] = cents
    else:
        seen.sides[seat] = cents


def _placed(seen: Round, event: Event) -> None:
    if event["hand"] == "D":
        seen.dealer.append(event["card"])
    else:
        lay = seen.hands[event["hand"]]
        lay.cards.append(event["card"])
        lay.sideways += event.data.get("sideways", False)


def _revealed(seen: Round, event: Event) -> None:
    seen.dealer[seen.dealer.index("??")] = event["card"]


def _decided(seen: Round, event: Event) -> None:
    lay = seen.hands[event["hand"]]
    lay.decisions.append(event["kind"])
    if event["kind"] == "surrender":
        lay.fate = "surrendered"
    if event["kind"] == "split":
        lay.was_split = True
        new = seen.hands[event["new_hand"]] = Lay(event["new_hand"], parent=lay.name)
        new.cards.append(lay.cards.pop())


def _lammer(seen: Round, event: Event) -> None:
    seen.hands[event["hand"]].lammers.append(event["kind"])


def _taken(seen: Round, event: Event) -> None:
    seen.collected_lammers.append((event["hand"], event["kind"]))


def _even(seen: Round, event: Event) -> None:
    seen.hands[f"{event['seat']}.1"].fate = "even money"


def _void(seen: Round, event: Event) -> None:
    seen.hands[event["hand"]].fate = "dead"


def _settled(seen: Round, event: Event) -> None:
    key = (event["seat"], event["kind"], event.data.get("hand", ""), event["outcome"])
    seen.moved[key] = seen.moved.get(key, 0) + event["cents"]


def _racked(seen: Round, event: Event) -> None:
    seen.racked.append((event["hand"], event["cards"], event["reason"]))


_READERS = {
    "wager_placed": _wager,
    "card_placed": _placed,
    "hole_card_revealed": _revealed,
    "player_decision": _decided,
    "lammer_placed": _lammer,
    "lammer_collected": _taken,
    "even_money_taken": _even,
    "hand_voided": _void,
    "wager_settled": _settled,
    "cards_racked": _racked,
}


def owed(seen: Round) -> dict[tuple[int, str, str, str], int]:
    """What the text says must have moved: (seat, kind, hand, outcome) -> cents."""
    due: dict[tuple[int, str, str, str], int] = {}
    for lay in seen.hands.values():
        due |= _hand_owed(seen, lay)
    for seat, cents in seen.sides.items():
        outcome, won = _side_owed(seen, seat, cents)
        due[seat, "push22" if seen.free_bets else "match_dealer", "", outcome] = won
    for seat, cents in seen.insurance.items():
        wins = seen.dealer_natural
        due[seat, "insurance", "", "pay" if wins else "collect"] = 2 * cents if wins else cents
    return {key: cents for key, cents in due.items() if cents}


def _hand_owed(seen: Round, lay: Lay) -> dict[tuple[int, str, str, str], int]:
    seat, unit = lay.seat, seen.units[lay.seat]

    def moved(outcome: str) -> dict[tuple[int, str, str, str], int]:
        return {(seat, kind, lay.name, outcome): cents for kind, cents in lay.chips.items()}

    if lay.fate == "even money":
        return {(seat, "main", lay.name, "pay"): unit}
    if lay.fate == "surrendered" and not seen.dealer_natural:
        chip = seen.config["chip_cents"]
        half = -(-unit // (2 * chip)) * chip
        return {(seat, "main", lay.name, "collect"): half, (seat, "main", lay.name, "return"): unit - half}
    if lay.fate == "dead":
        return moved("return")
    if seen.dealer_natural:
        return moved("return" if lay.natural and lay.fate == "played" else "collect")
    if lay.natural:
        return {(seat, "main", lay.name, "pay"): unit * 3 // 2}
    outcome = _outcome(seen, lay)
    won = moved(outcome)
    if outcome == "pay" and lay.lammers:
        won[seat, "lammer", lay.name, "pay"] = unit * len(lay.lammers)
    return won


def _outcome(seen: Round, lay: Lay) -> str:
    mine, dealers = count(lay.cards), seen.total
    if mine > 21:
        return "collect"
    if dealers == 22:
        unsplit = not lay.parent and not lay.was_split
        large = unsplit and len(lay.cards) == 2 and {card[0] for card in lay.cards} <= LARGE
        return "pay" if not seen.free_bets and (mine == 21 or large) else "return"
    if dealers > 22 or mine > dealers:
        return "pay"
    return "return" if mine == dealers else "collect"


def _side_owed(seen: Round, seat: int, cents: int) -> tuple[str, int]:
    if not seen.free_bets:
        odds = {"6": (11, 4), "8": (14, 3)}[seen.config["paytables"]["match_dealer"]]
        up = seen.dealer[0]
        first = _first_two(seen, seat)
        won = sum(odds[0] if card == up else odds[1] for card in first if card[0] == up[0])
        return ("pay", cents * won) if won else ("collect", cents)
    if seen.dealer_natural or seen.total != 22:
        return "collect", cents
    suits = {card[1] for card in seen.dealer}
    if len(suits) == 1:
        return "pay", 50 * cents
    if suits <= set("dh") or suits <= set("cs"):
        return "pay", 20 * cents
    return "pay", cents * {"A": 8, "B": 7}[seen.config["paytables"]["push22"]]


def _first_two(seen: Round, seat: int) -> list[str]:
    """The two cards dealt first: a split parts them, the second heading `.2`."""
    parts = [lay.cards for lay in seen.hands.values() if lay.seat == seat]
    return [parts[0][0], parts[1][0]] if len(parts) > 1 else parts[0][:2]


def laid_out(seen: Round) -> list[str]:
    """All cards that lay on the table, dealer's included."""
    return sorted(chain(seen.dealer, *(lay.cards for lay in seen.hands.values())))
