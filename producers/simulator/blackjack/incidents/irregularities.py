"""What goes wrong at a table and is put right as the regulation orders (590.13, 672a.12, 685a.12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from producers.simulator.blackjack.course import Wish
from producers.simulator.blackjack.decisions import choices_for
from producers.simulator.blackjack.drawing import draw, draw_in_error
from producers.simulator.blackjack.hands import Hand
from producers.simulator.blackjack.incidents.deal import (
    DealerSkipsCard,
    FaceUpCard,
    HandWithoutCards,
    OneCardHand,
)
from producers.simulator.blackjack.incidents.devices import ReaderFault, ShufflerTrouble, WrongRange
from producers.simulator.blackjack.incidents.incident import Incident
from producers.simulator.blackjack.rules import LARGE, STANDS_ON, VALUES, Choice, is_blackjack, total
from producers.simulator.floor.setup import BLACKJACK
from schemas.events import CardDrawn, FloorpersonNotified
from schemas.values import DEALER, UNKNOWN, Ruleset

FREE_BET: tuple[Ruleset, ...] = ("free_bet_590", "free_bet_672a")
DOWN_UNDER: tuple[Ruleset, ...] = ("down_under_685a",)


class DrawnUnseen(Incident):
    """A card drawn too early, its face unseen, is used as the next card (12(b))."""

    def choice(self, hand: Hand, choice: Choice, /) -> Choice:
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

    def choice(self, hand: Hand, choice: Choice, /) -> Choice:
        """A patron with less than 17 asks for a card, so that it is offered to somebody."""
        return "hit" if self.table.waiting_seen and not self.refused and self._may_want(hand) else choice

    def _may_want(self, hand: Hand) -> bool:
        return (
            hand.live
            and len(hand.cards) == 2
            and hand.points < STANDS_ON
            and not self.table.box_of(hand).split
        )

    def refuses(self, _hand: Hand, /) -> bool:
        """The first patrons to be offered it refuse."""
        if self.refused >= self.refusals:
            return False
        self.refused += 1
        return True

    def after_hand(self, _hand: Hand, /) -> None:
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
    """The dealer overlooks a patron who asked for a card (12(h)).

    The patron takes the card after all others have theirs, or has the hand called dead.
    """

    def __init__(self, late: bool) -> None:
        self.late = late

    def choice(self, hand: Hand, choice: Choice, /) -> Choice:
        """A patron with less than 17 asks for a card."""
        if not self.happened and hand.points < STANDS_ON and self._may_be_missed(hand):
            return "hit"
        return choice

    def _may_be_missed(self, hand: Hand) -> bool:
        return len(hand.cards) == 2 and not self.table.box_of(hand).split

    def misses(self, hand: Hand, /) -> bool:
        """Overlook the first such hand."""
        if self.happened or not self._may_be_missed(hand):
            return False
        self.happened = True
        return True

    def wants_late_card(self, _hand: Hand, /) -> bool:
        """As this irregularity goes."""
        return self.late


class NeedlessPeek(Incident):
    """The hole card goes into the reader with neither ace nor ten-value card up (FB 12(i))."""

    def wish(self, spot: str, /) -> Wish | None:
        """Another card up."""
        return (lambda card: card[0] not in LARGE) if spot == DEALER and not self.table.dealer else None

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

    def choice(self, hand: Hand, choice: Choice, /) -> Choice:
        """Split what can be split, draw on anything below 21."""
        if not self._short() or hand.points >= 21:
            return choice
        return "split" if "split" in choices_for(self.table, self.table.box_of(hand), hand) else "hit"

    def _short(self) -> bool:
        return self.table.shoe.remaining < 6 * len(self.table.boxes) and not self.table.reloaded

    def after_round(self) -> None:
        """See whether the shoe was reloaded."""
        self.happened = self.table.reloaded


@dataclass(frozen=True, slots=True)
class Irregularity:
    """An irregularity: where it can happen, how it is made, and the fields of the table that it needs."""

    rulesets: tuple[Ruleset, ...]
    how: Callable[[], Incident]
    setup: Mapping[str, Any] = field(default_factory=dict)


_ONE_FULL_DECK = {"decks": 1, "patrons": (6, 6), "shuffler": "none"}
_SHUFFLER = {"shuffler": "batch"}
CATALOGUED: dict[str, Irregularity] = {
    "face_up_card": Irregularity(BLACKJACK, FaceUpCard),
    "drawn_unseen": Irregularity(BLACKJACK, DrawnUnseen),
    "drawn_seen": Irregularity(BLACKJACK, lambda: DrawnSeen(0)),
    "drawn_seen_refused_by_one": Irregularity(BLACKJACK, lambda: DrawnSeen(1)),
    "drawn_seen_to_dealer": Irregularity(BLACKJACK, lambda: DrawnSeen(99, dealer_stands=False)),
    "drawn_seen_racked": Irregularity(BLACKJACK, lambda: DrawnSeen(99, dealer_stands=True)),
    "dealer_draws_standing": Irregularity(BLACKJACK, DealerDrawsStanding),
    "dealer_skips_first_card": Irregularity(FREE_BET, lambda: DealerSkipsCard(1)),
    "dealer_skips_second_card": Irregularity(FREE_BET, lambda: DealerSkipsCard(2)),
    "shoe_runs_out": Irregularity(FREE_BET[:1], ShoeRunsOut, _ONE_FULL_DECK),
    "hand_without_cards": Irregularity(BLACKJACK, HandWithoutCards),
    "one_card_second_taken": Irregularity(BLACKJACK, lambda: OneCardHand(True)),
    "one_card_declined": Irregularity(BLACKJACK, lambda: OneCardHand(False)),
    "missed_card_late": Irregularity(BLACKJACK, lambda: MissedCard(True)),
    "missed_card_dead": Irregularity(BLACKJACK, lambda: MissedCard(False)),
    "needless_peek": Irregularity(FREE_BET, NeedlessPeek),
    "wrong_light_continued": Irregularity(DOWN_UNDER, lambda: WrongRange("light", "continue")),
    "wrong_light_dead": Irregularity(DOWN_UNDER, lambda: WrongRange("light", "dead")),
    "wrong_light_mixed": Irregularity(DOWN_UNDER, lambda: WrongRange("light", "mixed")),
    "wrong_area_continued": Irregularity(DOWN_UNDER, lambda: WrongRange("area", "continue")),
    "wrong_area_mixed": Irregularity(DOWN_UNDER, lambda: WrongRange("area", "mixed")),
    "reader_fault": Irregularity(BLACKJACK, ReaderFault),
    "shuffler_jam": Irregularity(BLACKJACK, lambda: ShufflerTrouble("jam"), _SHUFFLER),
    "shuffler_out_of_use": Irregularity(BLACKJACK, lambda: ShufflerTrouble("breaks"), _SHUFFLER),
}
IRREGULARITIES: dict[str, tuple[str, ...]] = {
    ruleset: tuple(name for name, found in CATALOGUED.items() if ruleset in found.rulesets)
    for ruleset in BLACKJACK
}


def irregularity_named(name: str) -> Incident:
    """The irregularity of that name, ready for one round.

    Raises:
        KeyError: there is none.
    """
    return CATALOGUED[name].how()
