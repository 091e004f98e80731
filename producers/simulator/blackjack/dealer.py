"""The dealer's own hand: the hole card, the draws, the announced totals (7(k)-(m))."""

from __future__ import annotations

from producers.simulator.blackjack.action import Action
from producers.simulator.blackjack.rules import STANDS_ON, total
from schemas.events import CardsRacked, DealerTotalAnnounced
from schemas.values import DEALER


class DealerPlay(Action):
    """After the players."""

    @property
    def dealer_total(self) -> int:
        """The dealer's count, an ace by the chapter's limit (3(d)(3))."""
        return total(self.dealer, self.rules.dealer_limit)[0]

    def show_hole(self) -> None:
        """Turn the hole card after the last decision, unless it lies open already (7(k); 685a.7(l))."""
        self.incident.before_reveal()
        if not self.hole_open:
            self.reveal_hole()
            self.incident.after_reveal()

    def count_matters(self) -> bool:
        """Whether the dealer's count still decides anything (FB 7(m)); 685a has no such rule."""
        if not self.rules.free_bets:
            return True
        return any(hand.live for hand in self.hands()) or any(box.side_open for box in self.boxes)

    def complete_dealer(self) -> None:
        """Draw to 17 or more, announcing each total (7(l), 7(m))."""
        while self.incident.dealer_draws(self.count_matters() and self.dealer_total < STANDS_ON):
            self.dealer_card()
        if self.waiting is not None:
            self.say(CardsRacked(DEALER, (self.waiting,), "refused"))
            self.shoe.to_rack([self.waiting])
            self.waiting = None
        self.incident.after_dealer()

    def dealer_card(self) -> None:
        """One card for the dealer, and the total said aloud."""
        self.dealer.append(self.deal_up(DEALER))
        self.say(DealerTotalAnnounced(self.dealer_total))
