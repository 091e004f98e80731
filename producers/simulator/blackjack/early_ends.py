"""Hands that end before the settlement: paid Blackjacks, surrenders, busts and dead hands."""

from __future__ import annotations

from producers.simulator.blackjack.hands import BettingBox, SimulatedHand
from producers.simulator.blackjack.rules import half_rounded_up
from producers.simulator.blackjack.table import BlackjackTable, Outcome
from schemas.events import HandVoided, LammerCollected


def pay_blackjack(table: BlackjackTable, box: BettingBox, cents: int, odds: str) -> None:
    """Pay a Blackjack and take its cards off, or tuck them under an open Push 22 (7(h)(1), 8(e))."""
    hand = box.first
    hand.settled = True
    table.settle(box, "main", "pay", cents, odds, hand)
    if table.rules.side_wager == "push22" and box.side_open and table.incident.tucks(hand):
        table.tuck(hand, "push22")
    elif table.incident.removes_blackjack(hand):
        table.rack_hand(hand, "blackjack")


def settle_surrender(table: BlackjackTable, box: BettingBox) -> None:
    """Collect one half, return the other, rack the cards; an odd half is rounded for the house."""
    hand = box.first
    half = half_rounded_up(box.unit, table.setup.chip_cents)
    hand.settled = True
    table.settle(box, "main", "collect", half, hand=hand)
    table.settle(box, "main", "return", box.unit - half, hand=hand)
    table.rack_hand(hand, "surrender")


def bust(table: BlackjackTable, box: BettingBox, hand: SimulatedHand) -> None:
    """A hand above 21: tucked, collected at once or left, as 10(c) and the house's way ask."""
    hand.state = "bust"
    if box.split and hand.number == 1 and table.rules.free_bets:
        racks = table.rules.rack_split_bust_without_lammer and not any(other.lammers for other in box.hands)
        if not racks and table.incident.tucks(hand):
            table.tuck(hand, "main")
        else:
            take_bust(table, box, hand)
    elif table.setup.bust_collection == "immediate":
        take_bust(table, box, hand)


def take_bust(table: BlackjackTable, box: BettingBox, hand: SimulatedHand) -> None:
    """Collect what lies on a busted hand and rack its cards."""
    collect_hand(table, box, hand)
    table.rack_hand(hand, "bust")


def move_chips(
    table: BlackjackTable, box: BettingBox, hand: SimulatedHand, outcome: Outcome, odds: str = ""
) -> None:
    """Pay, collect or return all chips that lie on a hand."""
    if hand.cash:
        table.settle(box, "main" if hand.number == 1 else "split", outcome, hand.cash, odds, hand)
    if hand.double:
        table.settle(box, "double", outcome, hand.double, odds, hand)


def collect_hand(table: BlackjackTable, box: BettingBox, hand: SimulatedHand) -> None:
    """Take a losing hand's chips and its lammers."""
    hand.settled = True
    move_chips(table, box, hand, "collect")
    collect_lammers(table, hand)


def collect_lammers(table: BlackjackTable, hand: SimulatedHand) -> None:
    """Take a hand's lammers off the table, unpaid."""
    for kind in hand.lammers:
        table.say(LammerCollected(hand.name, kind))
    hand.lammers.clear()


def void(table: BlackjackTable, box: BettingBox, hand: SimulatedHand, reason: str) -> None:
    """Call a hand dead: chips go back, lammers leave, cards stay until the pickup (A24, A45)."""
    hand.state = "dead"
    table.say(HandVoided(hand.name, reason))
    if hand.settled:  # collected when it went over 21: the collection is reversed (A25, A42)
        player = box.patron.name
        table.net[player] = table.net.get(player, 0) + hand.cash + hand.double
    move_chips(table, box, hand, "return")
    collect_lammers(table, hand)
    hand.settled = True


def rack_tucked_busts(table: BlackjackTable, box: BettingBox) -> None:
    """When all hands of a split box went over 21 and busts are collected at once, the tucked go too."""
    if table.setup.bust_collection != "immediate" or not box.split:
        return
    if all(hand.state == "bust" for hand in box.hands):
        for hand in box.hands:
            if not hand.racked:
                take_bust(table, box, hand)
