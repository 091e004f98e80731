"""Irregularities of the play: cards drawn too early or too late, a needless peek, a shoe that runs out."""

from __future__ import annotations

from producers.simulator.blackjack.course import Wish
from producers.simulator.blackjack.decisions import choices_for
from producers.simulator.blackjack.drawing import draw, draw_in_error
from producers.simulator.blackjack.hands import SimulatedHand
from producers.simulator.blackjack.incidents.incident import Incident
from producers.simulator.blackjack.rules import LOW, STANDS_ON, VALUES, Choice, is_blackjack, total
from schemas.events import CardDrawn, FloorpersonNotified
from schemas.values import DEALER, UNKNOWN


class DrawnUnseen(Incident):
    """A card drawn too early, its face unseen, is used as the next card (12(b))."""

    def choice(self, hand: SimulatedHand, choice: Choice, /) -> Choice:
        """Draw before a patron has said "hit"; the card then goes to that hand."""
        table = self.table
        if choice == "hit" and not self.happened and table.waiting is None:
            self.happened = True
            table.waiting = draw(table, hand.name)
            table.say(CardDrawn(UNKNOWN, "shoe_side"))
        return choice


class DrawnSeen(Incident):
    """A card drawn in error and seen is offered in order as the next card (12(c)).

    `refusals` is how many patrons refuse it. With `dealer_stands` the dealer, given the cards, cannot use it.
    """

    def __init__(self, refusals: int, dealer_stands: bool | None = None) -> None:
        self.refusals = refusals
        self.dealer_stands = dealer_stands
        self.refused = 0

    def wish(self, spot: str, /) -> Wish | None:
        """A dealer's hand that can use the card, or cannot."""
        table = self.table
        if spot != DEALER or len(table.dealer) != 1 or self.dealer_stands is None:
            return None
        limit, up, stands = table.rules.dealer_limit, table.up, self.dealer_stands
        return lambda card: (
            (total([up, card], limit)[0] >= STANDS_ON) == stands and not is_blackjack([up, card])
        )

    def before_action(self) -> None:
        """Draw the card and show it, where somebody will be due it."""
        if any(self._may_want(hand) for hand in self.table.hands()):
            draw_in_error(self.table)

    def choice(self, hand: SimulatedHand, choice: Choice, /) -> Choice:
        """A patron with less than 17 requests a card, so that it is offered to somebody."""
        return "hit" if self.table.waiting_seen and not self.refused and self._may_want(hand) else choice

    def _may_want(self, hand: SimulatedHand) -> bool:
        return hand.live and hand.points < STANDS_ON and self.table.has_first_two(hand)

    def refuses(self, _hand: SimulatedHand, /) -> bool:
        """The first patrons to be offered it refuse."""
        if self.refused >= self.refusals:
            return False
        self.refused += 1
        return True

    def after_hand(self, _hand: SimulatedHand, /) -> None:
        """Once a patron has the card, all is in order again."""
        if self.table.waiting is None and self.refused == self.refusals:
            self.happened = True

    def after_dealer(self) -> None:
        """The dealer has used the card, or it lies in the rack."""
        if self.dealer_stands is not None and self.refused:
            self.happened = True


class DealerDrawsStanding(Incident):
    """The dealer stands and draws a card all the same: it goes to the rack and does not count (12(d))."""

    def after_dealer(self) -> None:
        """Draw one too many."""
        table = self.table
        if table.dealer_total >= STANDS_ON:
            self.happened = True
            card = draw(table, DEALER)
            table.say(CardDrawn(card, "shoe_side"))
            table.players.see([card])
            table.rack(DEALER, [card], "accidental")


class MissedCard(Incident):
    """The dealer overlooks a patron who requested a card (12(h)).

    The patron takes the card after all others have theirs, or has the hand called dead.
    """

    def __init__(self, late: bool) -> None:
        self.late = late

    def choice(self, hand: SimulatedHand, choice: Choice, /) -> Choice:
        """A patron with less than 17 requests a card."""
        if not self.happened and hand.points < STANDS_ON and self.table.has_first_two(hand):
            return "hit"
        return choice

    def misses(self, hand: SimulatedHand, /) -> bool:
        """Overlook the first such hand."""
        if self.happened or not self.table.has_first_two(hand):
            return False
        self.happened = True
        return True

    def wants_late_card(self, _hand: SimulatedHand, /) -> bool:
        """As this irregularity goes."""
        return self.late


class NeedlessPeek(Incident):
    """The hole card goes into the reader with neither ace nor ten-value card up (FB 12(i))."""

    up = LOW

    def reads_hole(self, due: bool, /) -> bool:
        """Read it anyway."""
        self.happened = not due
        return True

    def after_reader(self) -> None:
        """Tell the floorperson, then go on."""
        if self.happened:
            self.table.say(FloorpersonNotified("hole card read without need", self.table.life.floorperson))


class ShoeRunsOut(Incident):
    """Too few cards to complete the round: the rack is shuffled into the shoe (12(f); 685a.12(e)).

    Only a shoe of few decks comes to this; patrons who split and draw recklessly bring it about.
    """

    def wish(self, spot: str, /) -> Wish | None:
        """Pairs for the patrons."""
        first = [hand.cards[0] for hand in self.table.hands() if hand.name == spot and len(hand.cards) == 1]
        if not first or not self._short():
            return None
        return lambda card: VALUES[card[0]] == VALUES[first[0][0]]

    def choice(self, hand: SimulatedHand, choice: Choice, /) -> Choice:
        """Split what can be split, draw on anything below 21."""
        if not self._short() or hand.points >= 21:
            return choice
        return "split" if "split" in choices_for(self.table, self.table.box_of(hand), hand) else "hit"

    def _short(self) -> bool:
        return self.table.shoe.remaining < 6 * len(self.table.boxes) and not self.table.reloaded

    def after_round(self) -> None:
        """See whether the shoe was reloaded."""
        self.happened = self.table.reloaded
