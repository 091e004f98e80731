"""From betting to the reader: wagers, the deal, Match-the-Dealer, insurance, even money, early surrender."""

from __future__ import annotations

from producers.simulator.blackjack.felt import Table
from producers.simulator.blackjack.hands import Box, Hand
from producers.simulator.blackjack.rules import (
    LARGE,
    Seen,
    half_rounded_up,
    is_blackjack,
    match_odds,
    range_of,
)
from producers.simulator.floor.patrons import Patron
from schemas.events import (
    BettingClosed,
    CashConverted,
    CashWagerCalled,
    DealerHandPositioned,
    EvenMoneyOffered,
    EvenMoneyTaken,
    HoleCardRead,
    HoleCardRevealed,
    InsuranceOffered,
    PlayerDecision,
    RoundStarted,
    WagerMoved,
    WagerPlaced,
)
from schemas.values import DEALER


class Dealing(Table):
    """The first half of a round."""

    def take_wagers(self) -> None:
        """Open betting, take main and side wagers by seat, close betting (6(c)-(f))."""
        self.say(RoundStarted(self.number))
        for seat, patron, stake in self._stakes():
            box = Box(seat, patron, self.strategy_of(patron), stake, self._side_stake(patron))
            box.hands.append(Hand(f"{seat}.1", seat, 1, stake))
            box.side_open = box.side > 0
            self.boxes.append(box)
            self._call_cash(seat, stake)
            self.say(WagerPlaced(seat, "main", stake, player=patron.name))
            if box.side:
                self.say(WagerPlaced(seat, self.side_kind, box.side, player=patron.name))
        self.say(BettingClosed(True))

    def _stakes(self) -> list[tuple[int, Patron, int]]:
        """Seat, patron and main wager of every box, by seat; somebody always plays."""
        stakes: list[tuple[int, Patron, int]] = []
        for patron in self.life.patrons:
            strategy = self.strategy_of(patron)
            if strategy.stake():
                for seat in patron.seats:
                    cents = strategy.stake() or self.setup.min_cents
                    stakes.append((seat, patron, self._even(cents)))
        if not stakes:
            patron = self.life.patrons[0]
            stakes.append((patron.seats[0], patron, self._even(patron.main_stake(self.rng, self.setup))))
        return sorted(stakes, key=lambda stake: stake[0])

    def _even(self, cents: int) -> int:
        """A stake in chips whose half is whole cents, so that 3 to 2 is exact."""
        chip = self.setup.chip_cents
        if cents % 2:
            cents += chip if cents + chip <= self.setup.max_cents else -chip
        return cents

    def _call_cash(self, seat: int, cents: int) -> None:
        """Now and then a wager of 685a is spoken, with cash that becomes chips at once (685a.6(a))."""
        if not self.rules.free_bets and self.rng.random() < self.setup.habits.buys_more:
            self.say(CashWagerCalled(seat, cents, True))
            self.say(CashConverted(seat, cents))

    def _side_stake(self, patron: Patron) -> int:
        return sum(
            cents for kind, cents in patron.side_stakes(self.rng, self.setup) if kind == self.side_kind
        )

    def deal(self) -> None:
        """Two rounds of cards, boxes ascending, the dealer last: one up, one down (7(e))."""
        spots = [box.first.name for box in self.boxes]
        for nth in (1, 2):
            for spot in self.incident.deal_order(nth, [*spots, DEALER]):
                self.deal_to(spot)
        self.first_cards = [tuple(box.first.cards) for box in self.boxes]
        self.incident.after_deal()

    def deal_to(self, spot: str) -> None:
        """The next card of the initial deal to one spot; the dealer's second lies face down."""
        if spot != DEALER:
            hand = next(hand for hand in self.hands() if hand.name == spot)
            hand.cards.append(self.deal_up(spot))
        elif self.dealer:
            self.deal_hole()
        else:
            self.dealer.append(self.deal_up(DEALER))

    def settle_match_the_dealer(self) -> None:
        """Settle the side wagers of 685a at once, from the dealer's right (685a.7(f))."""
        if self.rules.free_bets:
            return
        open_boxes = [box for box in reversed(self.boxes) if box.side_open]
        for box in self.incident.match_order(open_boxes):
            odds = match_odds(box.first.cards, self.up, self.setup.decks)
            box.side_open = False
            if odds:
                self.settle(box, "match_dealer", "pay", box.side * odds, f"{odds}:1")
            else:
                self.settle(box, "match_dealer", "collect", box.side)

    def offer_insurance(self) -> None:
        """Insurance or even money while the dealer shows an ace (7(f), 8)."""
        if self.up[0] != "A":
            return
        self.say(InsuranceOffered())
        for box in self.boxes:
            if not box.first.live:
                continue
            if self.setup.even_money and box.has_blackjack and self._takes_even_money(box):
                continue
            if self.incident.insures(box, box.strategy.insures(self.seen(box.first))):
                most = half_rounded_up(box.unit, self.setup.chip_cents)
                box.insurance = self.incident.insurance(box, box.strategy.insurance_stake(most))
                if box.insurance:
                    self.say(WagerPlaced(box.seat, "insurance", box.insurance, player=box.patron.name))

    def _takes_even_money(self, box: Box) -> bool:
        self.say(EvenMoneyOffered(box.seat))
        if not self.incident.takes_even_money(box, box.strategy.takes_even_money()):
            return False
        self.say(EvenMoneyTaken(box.seat))
        box.first.state = "even_money"
        self.pay_blackjack(box, box.unit, "1:1")
        return True

    def pay_blackjack(self, box: Box, cents: int, odds: str) -> None:
        """Pay a Blackjack and take its cards off, or tuck them under an open Push 22 (7(h)(1), 8(e))."""
        hand = box.first
        hand.settled = True
        self.settle(box, "main", "pay", cents, odds, hand)
        if self.rules.free_bets and box.side_open and self.incident.tucks(hand):
            self.tuck(hand, "push22")
        elif self.incident.removes_blackjack(hand):
            self.rack_hand(hand, "blackjack")

    def seen(self, hand: Hand) -> Seen:
        """What the patron of `hand` knows."""
        hole: str | None = None
        if self.hole_open:
            hole = self.dealer[1]
        elif not self.rules.free_bets:
            hole = self.lit
        return Seen(tuple(hand.cards), self.up, hole, hand.cash > 0, not self.box_of(hand).split)

    def signal_surrenders(self) -> None:
        """Surrenders against an ace or ten-value card: the wager goes on the cards (590.9(a)(2))."""
        if not self.rules.surrender or self.up[0] not in LARGE:
            return
        for box in self.boxes:
            hand = box.first
            if not hand.live or box.has_blackjack:
                continue
            wants = self.decide(hand, (*self.choices(box, hand), "surrender")) == "surrender"
            if self.incident.surrenders_early(hand, wants):
                hand.state = "surrendered"
                self.say(PlayerDecision(hand.name, "surrender"))
                self.say(WagerMoved("main", hand.name, hand.name))

    def read_hole(self) -> None:
        """Put the hole card into the reader; show what must be shown (7(g); 685a.7(h))."""
        assert self.hole is not None
        self.dealer_blackjack = is_blackjack([self.up, self.hole])
        due = not self.rules.free_bets or self.up[0] in LARGE
        if not self.incident.reads_hole(due):
            return
        self.incident.before_reader()
        if self.rules.free_bets:
            self.say(HoleCardRead("card_reader", "blackjack" if self.dealer_blackjack else "no_blackjack"))
            self.incident.after_reader()
            if self.dealer_blackjack:
                self.reveal_hole()
            return
        self.lit = self.incident.light(range_of(self.hole))
        self.say(HoleCardRead("masque_reader", self.lit))
        self.laid = self.incident.area(self.lit)
        self.say(DealerHandPositioned(self.laid))
        if self.incident.shows_large(self.up[0] in LARGE and self.laid == "large"):
            self.reveal_hole()

    def reveal_hole(self) -> None:
        """Turn the hole card and open its seal."""
        assert self.hole is not None
        card = self.incident.revealed_card(self.hole)
        self.dealer.append(card)
        self.hole_open = True
        self.say(HoleCardRevealed(card, self.nonce))
        self.shown([card])

    def collect_insurance(self) -> None:
        """Losing insurance comes in before any further card (8(d))."""
        for box in reversed(self.boxes):
            if box.insurance:
                self.settle(box, "insurance", "collect", box.insurance)
                box.insurance = 0

    def settle_early_surrenders(self) -> None:
        """Halve the wagers that lie on their cards, the dealer having no Blackjack (590.9(a)(2))."""
        for box in self.boxes:
            if box.first.state == "surrendered":
                self.settle_surrender(box)

    def settle_surrender(self, box: Box) -> None:
        """Collect one half, return the other, rack the cards; an odd half is rounded for the house."""
        hand = box.first
        half = half_rounded_up(box.unit, self.setup.chip_cents)
        hand.settled = True
        self.settle(box, "main", "collect", half, hand=hand)
        self.settle(box, "main", "return", box.unit - half, hand=hand)
        self.rack_hand(hand, "surrender")
