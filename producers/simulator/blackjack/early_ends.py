"""Hands that end before the settlement: paid Blackjacks, surrenders, busts and dead hands."""

from __future__ import annotations

from producers.simulator.blackjack.felt import Felt, Outcome
from producers.simulator.blackjack.hands import Box, Hand
from producers.simulator.blackjack.rules import half_rounded_up
from schemas.events import HandVoided, LammerCollected


def pay_blackjack(felt: Felt, box: Box, cents: int, odds: str) -> None:
    """Pay a Blackjack and take its cards off, or tuck them under an open Push 22 (7(h)(1), 8(e))."""
    hand = box.first
    hand.settled = True
    felt.settle(box, "main", "pay", cents, odds, hand)
    if felt.rules.side_wager == "push22" and box.side_open and felt.incident.tucks(hand):
        felt.tuck(hand, "push22")
    elif felt.incident.removes_blackjack(hand):
        felt.rack_hand(hand, "blackjack")


def settle_surrender(felt: Felt, box: Box) -> None:
    """Collect one half, return the other, rack the cards; an odd half is rounded for the house."""
    hand = box.first
    half = half_rounded_up(box.unit, felt.setup.chip_cents)
    hand.settled = True
    felt.settle(box, "main", "collect", half, hand=hand)
    felt.settle(box, "main", "return", box.unit - half, hand=hand)
    felt.rack_hand(hand, "surrender")


def bust(felt: Felt, box: Box, hand: Hand) -> None:
    """A hand above 21: tucked, collected at once or left, as 10(c) and the house's way ask."""
    hand.state = "bust"
    if box.split and hand.number == 1 and felt.rules.free_bets:
        racks = felt.rules.rack_split_bust_without_lammer and not any(other.lammers for other in box.hands)
        if not racks and felt.incident.tucks(hand):
            felt.tuck(hand, "main")
        else:
            take_bust(felt, box, hand)
    elif felt.setup.bust_collection == "immediate":
        take_bust(felt, box, hand)


def take_bust(felt: Felt, box: Box, hand: Hand) -> None:
    """Collect what lies on a busted hand and rack its cards."""
    collect_hand(felt, box, hand)
    felt.rack_hand(hand, "bust")


def move_chips(felt: Felt, box: Box, hand: Hand, outcome: Outcome, odds: str = "") -> None:
    """Pay, collect or return all chips that lie on a hand."""
    if hand.cash:
        felt.settle(box, hand.cash_kind, outcome, hand.cash, odds, hand)
    if hand.double:
        felt.settle(box, "double", outcome, hand.double, odds, hand)


def collect_hand(felt: Felt, box: Box, hand: Hand) -> None:
    """Take a losing hand's chips and its lammers."""
    hand.settled = True
    move_chips(felt, box, hand, "collect")
    collect_lammers(felt, hand)


def collect_lammers(felt: Felt, hand: Hand) -> None:
    """Take a hand's lammers off the table, unpaid."""
    for kind in hand.lammers:
        felt.say(LammerCollected(hand.name, kind))
    hand.lammers.clear()


def void(felt: Felt, box: Box, hand: Hand, reason: str) -> None:
    """Call a hand dead: chips go back, lammers leave, cards stay until the pickup (A24, A45)."""
    hand.state = "dead"
    felt.say(HandVoided(hand.name, reason))
    if hand.settled:  # collected when it went over 21: the collection is reversed (A25, A42)
        player = box.patron.name
        felt.net[player] = felt.net.get(player, 0) + hand.cash + hand.double
    move_chips(felt, box, hand, "return")
    collect_lammers(felt, hand)
    hand.settled = True


def rack_tucked_busts(felt: Felt, box: Box) -> None:
    """When all hands of a split box went over 21 and busts are collected at once, the tucked go too."""
    if felt.setup.bust_collection != "immediate" or not box.split:
        return
    if all(hand.state == "bust" for hand in box.hands):
        for hand in box.hands:
            if not hand.racked:
                take_bust(felt, box, hand)
