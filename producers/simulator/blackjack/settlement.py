"""The end of a round: collect and pay (7(n)-(r)), then the pickup (7(s))."""

from __future__ import annotations

from itertools import product

from producers.simulator.blackjack.early_ends import collect_hand, collect_lammers, move_chips
from producers.simulator.blackjack.felt import Felt, Reason
from producers.simulator.blackjack.hands import Box, Hand
from producers.simulator.blackjack.rules import PUSH22_ODDS, PUSH_TOTAL, Result, push22_line, result_of
from schemas.events import LammerCollected
from schemas.values import DEALER


def settle_round(felt: Felt) -> None:
    """Move all money still open, by the procedure of the rules submission (7(r))."""
    boxes = felt.incident.settle_order(felt.boxes[::-1])
    results = results_of(felt)
    together = felt.setup.settle_order == "collect_then_pay"
    steps = [_collect, _pay] if felt.incident.collects_first(together) or not together else [_pay, _collect]
    for step, box in product(steps, boxes) if together else ((step, box) for box in boxes for step in steps):
        step(felt, box, results)


def results_of(felt: Felt) -> dict[str, Result]:
    """How each hand with money on it ends, by hand."""
    results: dict[str, Result] = {}
    for box in felt.boxes:
        for hand in box.hands:
            if not hand.settled:
                results[hand.name] = felt.incident.result(hand, _result(felt, box, hand))
    return results


def _result(felt: Felt, box: Box, hand: Hand) -> Result:
    if felt.dealer_blackjack:
        return "push" if box.has_blackjack else "lose"
    return result_of(felt.rules, hand.cards, not box.split, felt.dealer_total)


def _push22_wins(felt: Felt) -> bool:
    return felt.dealer_total == PUSH_TOTAL and not felt.dealer_blackjack


def _collect(felt: Felt, box: Box, results: dict[str, Result]) -> None:
    """Take what one box has lost, its last hand first."""
    for hand in reversed(box.hands):
        result = results.get(hand.name)
        if result == "lose" or (result == "push" and not (hand.cash or hand.double)):
            collect_hand(felt, box, hand)
    if box.side_open and felt.rules.side_wager == "push22" and not _push22_wins(felt):
        box.side_open = False
        felt.settle(box, "push22", "collect", box.side)


def _pay(felt: Felt, box: Box, results: dict[str, Result]) -> None:
    """Pay or give back what one box has not lost, its last hand first."""
    for hand in reversed(box.hands):
        result = results.get(hand.name)
        if result == "win":
            _pay_hand(felt, box, hand)
        elif result == "push" and (hand.cash or hand.double):
            _return_hand(felt, box, hand)
    if box.side_open and felt.rules.side_wager == "push22" and _push22_wins(felt):
        box.side_open = False
        odds = PUSH22_ODDS[felt.setup.paytables["push22"]][push22_line(felt.dealer)]
        felt.settle(box, "push22", "pay", box.side * odds, f"{odds}:1")
    if box.insurance and felt.dealer_blackjack:
        felt.settle(box, "insurance", "pay", 2 * box.insurance, "2:1")
        box.insurance = 0


def _pay_hand(felt: Felt, box: Box, hand: Hand) -> None:
    """Pay the chips of a hand, and one unit for each lammer, which then leaves (7(o))."""
    hand.settled = True
    move_chips(felt, box, hand, "pay", "1:1")
    for kind in hand.lammers:
        felt.settle(box, "lammer", "pay", box.unit, "1:1", hand)
        felt.say(LammerCollected(hand.name, kind))
    hand.lammers.clear()


def _return_hand(felt: Felt, box: Box, hand: Hand) -> None:
    """Give the chips of a tied hand back and take its lammers (7(n)(1), 7(p))."""
    hand.settled = True
    move_chips(felt, box, hand, "return")
    collect_lammers(felt, hand)


def pick_up(felt: Felt) -> None:
    """Rack all cards left, so that each hand can be rebuilt (7(s))."""
    left = [hand for hand in felt.hands() if hand.cards and not hand.racked]
    if felt.setup.pickup_order != "seats_ascending":
        left.reverse()
    if felt.setup.pickup_order == "losers_first":
        left.sort(key=lambda hand: not _lost(felt, hand))
    dealer: list[Hand | None] = [None]
    order = [*dealer, *left] if felt.setup.dealer_cards == "first" else [*left, *dealer]
    for hand in felt.incident.pickup(order):
        if hand is None:
            felt.rack(DEALER, felt.dealer, "settled")
        else:
            felt.rack_hand(hand, _reason(hand))


def _lost(felt: Felt, hand: Hand) -> bool:
    """Whether a hand left for the pickup is a losing one."""
    if hand.state in ("blackjack", "even_money", "dead"):
        return False
    return _result(felt, felt.box_of(hand), hand) == "lose"


def _reason(hand: Hand) -> Reason:
    if hand.state == "bust":
        return "bust"
    if hand.state == "surrendered":
        return "surrender"
    return "void" if hand.state == "dead" else "settled"
