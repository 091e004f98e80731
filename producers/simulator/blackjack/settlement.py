"""The end of a round: collect and pay (7(n)-(r)), then the pickup (7(s))."""

from __future__ import annotations

from producers.simulator.blackjack.dealer import DealerPlay
from producers.simulator.blackjack.felt import Reason
from producers.simulator.blackjack.hands import Box, Hand
from producers.simulator.blackjack.rules import PUSH22_ODDS, PUSH_TOTAL, Result, push22_line, result_of
from schemas.events import LammerCollected
from schemas.values import DEALER


class Settlement(DealerPlay):
    """The last part of a round."""

    def settle_round(self) -> None:
        """Move all money still open, by the procedure of the rules submission (7(r))."""
        boxes = self.incident.settle_order(self.boxes[::-1])
        results = self.results()
        together = self.setup.settle_order == "collect_then_pay"
        if self.incident.collects_first(together):
            for box in boxes:
                self._collect(box, results)
            for box in boxes:
                self._pay(box, results)
        elif together:
            for box in boxes:
                self._pay(box, results)
            for box in boxes:
                self._collect(box, results)
        else:
            for box in boxes:
                self._collect(box, results)
                self._pay(box, results)

    def results(self) -> dict[str, Result]:
        """How each hand with money on it ends, by hand."""
        results: dict[str, Result] = {}
        for box in self.boxes:
            for hand in box.hands:
                if not hand.settled:
                    results[hand.name] = self.incident.result(hand, self._result(box, hand))
        return results

    def _result(self, box: Box, hand: Hand) -> Result:
        if self.dealer_blackjack:
            return "push" if box.has_blackjack else "lose"
        return result_of(self.rules, hand.cards, not box.split, self.dealer_total)

    def _push22_wins(self) -> bool:
        return self.dealer_total == PUSH_TOTAL and not self.dealer_blackjack

    def _collect(self, box: Box, results: dict[str, Result]) -> None:
        """Take what one box has lost, its last hand first."""
        for hand in reversed(box.hands):
            result = results.get(hand.name)
            if result == "lose" or (result == "push" and not (hand.cash or hand.double)):
                self.collect_hand(box, hand)
        if box.side_open and self.rules.free_bets and not self._push22_wins():
            box.side_open = False
            self.settle(box, "push22", "collect", box.side)

    def _pay(self, box: Box, results: dict[str, Result]) -> None:
        """Pay or give back what one box has not lost, its last hand first."""
        for hand in reversed(box.hands):
            result = results.get(hand.name)
            if result == "win":
                self._pay_hand(box, hand)
            elif result == "push" and (hand.cash or hand.double):
                self._return_hand(box, hand)
        if box.side_open and self.rules.free_bets and self._push22_wins():
            box.side_open = False
            odds = PUSH22_ODDS[self.setup.paytables["push22"]][push22_line(self.dealer)]
            self.settle(box, "push22", "pay", box.side * odds, f"{odds}:1")
        if box.insurance and self.dealer_blackjack:
            self.settle(box, "insurance", "pay", 2 * box.insurance, "2:1")
            box.insurance = 0

    def _pay_hand(self, box: Box, hand: Hand) -> None:
        """Pay the chips of a hand, and one unit for each lammer, which then leaves (7(o))."""
        hand.settled = True
        if hand.cash:
            self.settle(box, hand.cash_kind, "pay", hand.cash, "1:1", hand)
        if hand.double:
            self.settle(box, "double", "pay", hand.double, "1:1", hand)
        for kind in hand.lammers:
            self.settle(box, "lammer", "pay", box.unit, "1:1", hand)
            self.say(LammerCollected(hand.name, kind))
        hand.lammers.clear()

    def _return_hand(self, box: Box, hand: Hand) -> None:
        """Give the chips of a tied hand back and take its lammers (7(n)(1), 7(p))."""
        hand.settled = True
        if hand.cash:
            self.settle(box, hand.cash_kind, "return", hand.cash, hand=hand)
        if hand.double:
            self.settle(box, "double", "return", hand.double, hand=hand)
        self.collect_lammers(hand)

    def pick_up(self) -> None:
        """Rack all cards left, so that each hand can be rebuilt (7(s))."""
        left = [hand for hand in self.hands() if hand.cards and not hand.racked]
        if self.setup.pickup_order != "seats_ascending":
            left.reverse()
        if self.setup.pickup_order == "losers_first":
            left.sort(key=lambda hand: not self._lost(hand))
        dealer: list[Hand | None] = [None]
        order = [*dealer, *left] if self.setup.dealer_cards == "first" else [*left, *dealer]
        for hand in self.incident.pickup(order):
            if hand is None:
                self.rack(DEALER, self.dealer, "settled")
            else:
                self.rack_hand(hand, self._reason(hand))

    def _lost(self, hand: Hand) -> bool:
        """Whether a hand left for the pickup is a losing one."""
        if hand.state in ("blackjack", "even_money", "dead"):
            return False
        return self._result(self.box_of(hand), hand) == "lose"

    @staticmethod
    def _reason(hand: Hand) -> Reason:
        if hand.state == "bust":
            return "bust"
        if hand.state == "surrendered":
            return "surrender"
        return "void" if hand.state == "dead" else "settled"
