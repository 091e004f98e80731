"""What gives a slip its occasion: cards, stakes and decisions, and the cards to wish for."""

from dataclasses import dataclass

from producers.simulator.blackjack.course import Wish
from producers.simulator.blackjack.hands import Hand
from producers.simulator.blackjack.rules import LOW, STANDS_ON, VALUES, Choice, total
from producers.simulator.blackjack.table import BlackjackTable

TEN = "TJQK"


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """Cards, stakes and decisions that give a slip its occasion; an empty string admits any card.

    `up` and `hole` are ranks of the dealer's cards, `first`, `second`, `third` of one victim's; with
    `matching`, the victim's second card is of the value of the first. `dealer` is the total at which the
    dealer should end. `side` requires a victim with a side wager, `plain` one without; `insured` and
    `even_money` say that the victim takes them. `play` is what the victim decides about the first two cards.
    With `everyone`, all boxes are dealt and play like the victim; with `no_surrender`, nobody surrenders early.
    """

    up: str = ""
    hole: str = ""
    first: str = ""
    second: str = ""
    third: str = ""
    matching: bool = False
    dealer: int = 0
    side: bool = False
    plain: bool = False
    insured: bool = False
    even_money: bool = False
    play: Choice | None = None
    everyone: bool = False
    no_surrender: bool = False

    def players_card(self, hand: Hand) -> Wish | None:
        """The next card of a victim's hand."""
        cards = hand.cards
        if len(cards) == 1 and self.matching:
            return lambda card: VALUES[card[0]] == VALUES[cards[0][0]]
        ranks = (self.first, self.second, self.third)[len(cards)] if len(cards) < 3 else ""
        return (lambda card: card[0] in ranks) if ranks else None

    def dealers_card(self, table: BlackjackTable) -> Wish | None:
        """The next card of the dealer."""
        held = len(table.dealer) + (table.hole is not None and not table.hole_open)
        ranks = (self.up, self.hole)[held] if held < 2 else ""
        if ranks:
            return lambda card: card[0] in ranks
        if not self.dealer:
            return None
        if held == 0:
            return lambda card: card[0] in LOW
        cards, limit, end = list(table.dealer), table.rules.dealer_limit, self.dealer
        if held == 1:
            return lambda card: 12 <= total([*cards, card], limit)[0] < STANDS_ON
        ends = (end, 16) if total(cards, limit)[0] + 10 < end else (end,)
        return lambda card: total([*cards, card], limit)[0] in ends


ANY = Occasion()
WINS = Occasion(first=TEN, second=TEN, up=TEN, hole="78", play="stand")
