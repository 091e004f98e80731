"""The end of a round: collect and pay (7(n)-(r)), then the pickup (7(s))."""

from __future__ import annotations

from itertools import product

from producers.simulator.blackjack.early_ends import collect_hand, collect_lammers, move_chips
from producers.simulator.blackjack.hands import BettingBox, SimulatedHand, State
from producers.simulator.blackjack.rules import PUSH22_ODDS, PUSH_TOTAL, Result, push22_line, result_of
from producers.simulator.blackjack.table import BlackjackTable, Reason
from schemas.events import LammerCollected
from schemas.values import DEALER

RACKED_AS: dict[State, Reason] = {"bust": "bust", "surrendered": "surrender", "dead": "void"}


def settle_round(table: BlackjackTable) -> None:
    """Move all money still open, by the procedure of the rules submission (7(r))."""
    boxes = table.incident.settle_order(table.boxes[::-1])
    results = results_of(table)
    together = table.setup.settle_order == "collect_then_pay"
    steps = [_collect, _pay] if table.incident.collects_first(together) or not together else [_pay, _collect]
    for step, box in product(steps, boxes) if together else ((step, box) for box in boxes for step in steps):
        step(table, box, results)


def results_of(table: BlackjackTable) -> dict[str, Result]:
    """How each hand with money on it ends, by hand."""
    results: dict[str, Result] = {}
    for box in table.boxes:
        for hand in box.hands:
            if not hand.settled:
                results[hand.name] = table.incident.result(hand, _result(table, box, hand))
    return results


def _result(table: BlackjackTable, box: BettingBox, hand: SimulatedHand) -> Result:
    if table.dealer_blackjack:
        return "push" if box.has_blackjack else "lose"
    return result_of(table.rules, hand.cards, not box.split, table.dealer_total)


def _push22_wins(table: BlackjackTable) -> bool:
    return table.dealer_total == PUSH_TOTAL and not table.dealer_blackjack


def _collect(table: BlackjackTable, box: BettingBox, results: dict[str, Result]) -> None:
    """Take what one box has lost, its last hand first."""
    for hand in reversed(box.hands):
        result = results.get(hand.name)
        if result == "lose" or (result == "push" and not (hand.cash or hand.double)):
            collect_hand(table, box, hand)
    if box.side_open and table.rules.side_wager == "push22" and not _push22_wins(table):
        box.side_open = False
        table.settle(box, "push22", "collect", box.side)


def _pay(table: BlackjackTable, box: BettingBox, results: dict[str, Result]) -> None:
    """Pay or give back what one box has not lost, its last hand first."""
    for hand in reversed(box.hands):
        result = results.get(hand.name)
        if result == "win":
            _pay_hand(table, box, hand)
        elif result == "push" and (hand.cash or hand.double):
            _return_hand(table, box, hand)
    if box.side_open and table.rules.side_wager == "push22" and _push22_wins(table):
        box.side_open = False
        odds = PUSH22_ODDS[table.setup.paytables["push22"]][push22_line(table.dealer)]
        table.settle(box, "push22", "pay", box.side * odds, f"{odds}:1")
    if box.insurance and table.dealer_blackjack:
        table.settle(box, "insurance", "pay", 2 * box.insurance, "2:1")
        box.insurance = 0


def _pay_hand(table: BlackjackTable, box: BettingBox, hand: SimulatedHand) -> None:
    """Pay the chips of a hand, and one unit for each lammer, which then leaves (7(o))."""
    hand.settled = True
    move_chips(table, box, hand, "pay", "1:1")
    for kind in hand.lammers:
        table.settle(box, "lammer", "pay", box.unit, "1:1", hand)
        table.say(LammerCollected(hand.name, kind))
    hand.lammers.clear()


def _return_hand(table: BlackjackTable, box: BettingBox, hand: SimulatedHand) -> None:
    """Give the chips of a tied hand back and take its lammers (7(n)(1), 7(p))."""
    hand.settled = True
    move_chips(table, box, hand, "return")
    collect_lammers(table, hand)


def pick_up(table: BlackjackTable) -> None:
    """Rack all cards left, so that each hand can be rebuilt (7(s))."""
    left = [hand for hand in table.hands() if hand.cards and not hand.racked]
    if table.setup.pickup_order != "seats_ascending":
        left.reverse()
    if table.setup.pickup_order == "losers_first":
        left.sort(key=lambda hand: not _lost(table, hand))
    dealer: list[SimulatedHand | None] = [None]
    order = [*dealer, *left] if table.setup.dealer_cards == "first" else [*left, *dealer]
    for hand in table.incident.pickup(order):
        if hand is None:
            table.rack(DEALER, table.dealer, "settled")
        else:
            table.rack_hand(hand, RACKED_AS.get(hand.state, "settled"))


def _lost(table: BlackjackTable, hand: SimulatedHand) -> bool:
    """Whether a hand left for the pickup is a losing one."""
    if hand.state in ("blackjack", "even_money", "dead"):
        return False
    return _result(table, table.box_of(hand), hand) == "lose"
