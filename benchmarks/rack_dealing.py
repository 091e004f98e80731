"""A lawful dealer of its own: plays rounds forward, card by card, and racks them as the table is configured.

It shares no code with the solver that it measures and tests, and never looks at a rack to decide anything: it keeps
a shoe, hands, wagers and a rack, as a table does (sections 7 to 11 of 590, 672a and 685a).
"""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

RANKS, SUITS = "23456789TJQKA", "cdhs"
Temper = Literal["steady", "wild"]
"""How players decide: much as they do at a table, or by lot, so that rare rounds come up."""


@dataclass(frozen=True)
class House:
    """What the table offers and how it racks; the fields of `table_configured` that a rack depends on."""

    ruleset: str
    seats: int = 6
    side_wagers: tuple[str, ...] = ("push22",)
    even_money: bool = True
    pickup_order: str = "seats_descending"
    dealer_cards: str = "last"
    bust_collection: str = "immediate"

    @property
    def under(self) -> bool:
        """Down Under Blackjack."""
        return self.ruleset == "down_under_685a"

    @property
    def at_once(self) -> bool:
        """Busts go to the rack when they happen."""
        return self.bust_collection == "immediate"

    def configuration(self) -> dict[str, Any]:
        """The data of `table_configured`."""
        return asdict(self) | {
            "side_wagers": ["match_dealer" if s == "push22" and self.under else s for s in self.side_wagers],
            "property": "Parkside",
            "pit": "2",
            "decks": 6,
            "batches": 1,
            "shuffler": "none",
            "shuffler_counts": False,
            "paytables": {"push22": "A"},
            "settle_order": "collect_then_pay",
            "boxes_per_player": 1,
            "min_cents": 1500,
            "max_cents": 100_000,
            "chip_cents": 50,
            "gaming_day_start": "06:00",
            "timezone": "America/New_York",
        }


def pips(card: str) -> int:
    """Value of a card, an ace as 11."""
    return 11 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0])


def count(cards: list[str], limit: int = 21) -> int:
    """Total, aces turned to 1 one by one while it exceeds the limit."""
    total, aces = sum(pips(card) for card in cards), sum(card[0] == "A" for card in cards)
    while total > limit and aces:
        total, aces = total - 10, aces - 1
    return total


def is_hard(cards: list[str]) -> bool:
    """Whether no ace counts 11."""
    return count(cards) == sum(1 if card[0] == "A" else pips(card) for card in cards)


def is_blackjack(cards: list[str]) -> bool:
    """Two cards that make 21."""
    return len(cards) == 2 and count(cards) == 21


@dataclass
class Round:
    """What happened in one round, and what is left of it."""

    house: House
    seats: list[int]
    hands: dict[str, list[str]]
    rack: list[str]
    drawn: list[str]
    early: int
    surrendered: list[str]
    main: dict[int, str]
    """How each seat's main wager ended."""
    tags: set[str]
    """What is rare about the round."""

    def problem(self, *known: str, **fields: object) -> dict[str, Any]:
        """The problem of this round with the knowledge named: seats, drawn, upcard, early, surrendered."""
        told = {
            "seats": self.seats,
            "drawn": self.drawn,
            "upcard": self.hands["D"][0],
            "early": self.early,
            "surrendered": self.surrendered,
        }
        return {
            "ruleset": self.house.ruleset,
            "table": self.house.configuration(),
            "rack": self.rack,
            **{name: told[name] for name in known},
            **fields,
        }

    def truth(self, *, named: bool) -> dict[str, tuple[str, ...]]:
        """The hands by their seats, or numbered from the dealer's left where the seats are not known."""
        number = {str(seat): str(seat if named else place) for place, seat in enumerate(self.seats, start=1)}
        return {
            name if name == "D" else number[name[0]] + name[1:]: tuple(cards)
            for name, cards in self.hands.items()
        }


@dataclass
class Seat:
    """One seat with a main wager."""

    number: int
    push22: bool
    hands: list[list[str]] = field(default_factory=lambda: [[]])
    done: Literal["", "blackjack", "even money", "surrendered"] = ""

    @property
    def split(self) -> bool:
        """The seat has more than one hand."""
        return len(self.hands) > 1


class Table:
    """A table with its house, its shoe and its players' temper."""

    def __init__(self, house: House, chance: random.Random, temper: Temper = "steady") -> None:
        self.house, self.chance, self.temper = house, chance, temper
        self.shoe: list[str] = []
        self.drawn: list[str] = []
        self.rack: list[str] = []
        self.racked: set[str] = set()
        self.surrendered: list[str] = []
        self.tags: set[str] = set()
        self.places: list[Seat] = []
        self.dealer: list[str] = []

    def play(self, seats: list[int]) -> Round:
        """One round with wagers on these seats."""
        if len(self.shoe) < 120:
            self.shoe = [rank + suit for rank in RANKS for suit in SUITS] * 6
            self.chance.shuffle(self.shoe)
        self.drawn, self.rack, self.racked, self.surrendered, self.tags = [], [], set(), [], set()
        offered = "push22" in self.house.side_wagers and not self.house.under
        self.places = [Seat(seat, offered and self.chance.random() < 0.4) for seat in seats]
        self.dealer = []
        for _ in range(2):
            for place in self.places:
                place.hands[0].append(self.draw())
            self.dealer.append(self.draw())
        self.before_action()
        if not is_blackjack(self.dealer):
            for place in self.places:
                if not place.done:
                    self.act(place)
            self.draw_dealer()
        early = len(self.rack)
        self.pick_up()
        hands = {f"{p.number}.{n}": cards for p in self.places for n, cards in enumerate(p.hands, 1)}
        hands["D"] = self.dealer
        main = {place.number: self.result(place) for place in self.places}
        return Round(
            self.house, seats, hands, self.rack, self.drawn, early, self.surrendered, main, self.tags
        )

    def draw(self) -> str:
        """The shoe's next card."""
        card = self.shoe.pop()
        self.drawn.append(card)
        return card

    def to_rack(self, place: Seat, number: int) -> None:
        """Lay one of the seat's hands into the rack."""
        self.racked.add(f"{place.number}.{number}")
        self.rack.extend(place.hands[number - 1])

    def before_action(self) -> None:
        """Even money and surrenders that wait for the reader, each settled before the first player acts."""
        up, natural = self.dealer[0], is_blackjack(self.dealer)
        even_money = self.house.even_money and self.house.ruleset != "free_bet_590" and up[0] == "A"
        for place in self.places:
            cards = place.hands[0]
            if is_blackjack(cards):
                if even_money and self.chance.random() < 0.6:
                    place.done = "even money"
                    self.tags.add("even money")
                    if not place.push22:
                        self.to_rack(place, 1)
            elif pips(up) >= 10 and self.gives_up(cards):
                place.done = "surrendered"
                self.surrendered.append(f"{place.number}.1")
                self.tags.add("surrender before the peek")
                if not natural:
                    self.to_rack(place, 1)

    def gives_up(self, cards: list[str]) -> bool:
        """Whether the player surrenders, where that is offered."""
        if self.house.ruleset != "free_bet_590":
            return False
        odds = 0.12 if self.temper == "wild" else 0.25 if count(cards) in (15, 16) and is_hard(cards) else 0
        return self.chance.random() < odds

    def act(self, place: Seat) -> None:
        """One seat's decisions, to the end of its last hand."""
        cards = place.hands[0]
        if is_blackjack(cards):
            place.done = "blackjack"
            if place.push22:
                self.tags.add("tucked Blackjack")
            else:
                self.to_rack(place, 1)
            return
        if self.gives_up(cards):
            place.done = "surrendered"
            self.surrendered.append(f"{place.number}.1")
            self.tags.add("surrender in turn")
            self.to_rack(place, 1)
            return
        waiting = [1]
        while waiting:
            self.finish(place, waiting.pop(), waiting)
        self.tags.add(f"{len(place.hands)} hands")

    def finish(self, place: Seat, number: int, waiting: list[int]) -> None:
        """Play one hand to its end; hands split off it wait on top of those that waited already."""
        hand = place.hands[number - 1]
        if len(hand) == 1:
            hand.append(self.draw())
        most = 2 if self.house.under else 4
        while (
            len(hand) == 2
            and pips(hand[0]) == pips(hand[1])
            and len(place.hands) < most
            and self.splits(hand)
        ):
            place.hands.append([hand.pop()])
            waiting.append(len(place.hands))
            hand.append(self.draw())
        one_card = self.house.under and place.split and hand[0][0] == "A"
        while not one_card and count(hand) < 21 and self.wants_card(hand):
            hand.append(self.draw())
        if count(hand) > 21:
            self.tags.add("bust")
            self.bust(place, number, last=not waiting)
        elif not waiting:
            self.tags.add("last hand stood")

    def bust(self, place: Seat, number: int, *, last: bool) -> None:
        """A hand goes over 21: to the rack, under a wager, or it stays until settlement."""
        first_of_split = place.split and number == 1 and not self.house.under
        if first_of_split and self.house.ruleset == "free_bet_672a" and pips(place.hands[0][0]) == 10:
            self.to_rack(place, number)
            self.tags.add("first of split tens bust")
        elif self.house.at_once and not first_of_split:
            self.to_rack(place, number)
        tucked = f"{place.number}.1" not in self.racked
        all_bust = all(count(cards) > 21 for cards in place.hands)
        if self.house.at_once and last and place.split and tucked and all_bust:
            self.to_rack(place, 1)
            self.tags.add("all hands of a split bust")

    def splits(self, hand: list[str]) -> bool:
        """Whether the player splits a pair."""
        if self.temper == "wild":
            return self.chance.random() < 0.8
        if pips(hand[0]) == 10:
            return self.chance.random() < 0.03
        return pips(hand[0]) != 5

    def wants_card(self, hand: list[str]) -> bool:
        """Whether the player draws; a double is a draw after which he wants no more."""
        total = count(hand)
        if self.temper == "wild":
            return self.chance.random() < (0.75 if total < 17 else 0.25)
        if len(hand) == 3 and 9 <= count(hand[:2]) <= 11 and is_hard(hand[:2]):
            return False
        if is_hard(hand):
            return total < (12 if pips(self.dealer[0]) <= 6 else 17)
        return total < 18

    def live(self) -> bool:
        """Whether a hand stands against the dealer."""
        return any(count(cards) <= 21 for place in self.places if not place.done for cards in place.hands)

    def draw_dealer(self) -> None:
        """The dealer draws, unless his total can change nothing."""
        if not self.house.under and not self.live():
            if not any(place.push22 for place in self.places):
                self.tags.add("no draw")
                return
            self.tags.add("drawn for Push 22")
        while count(self.dealer, 22 if self.house.under else 21) < 17:
            self.dealer.append(self.draw())

    def pick_up(self) -> None:
        """The final pickup."""
        left = [
            (place, number)
            for place in self.places
            for number in range(1, len(place.hands) + 1)
            if f"{place.number}.{number}" not in self.racked
        ]
        if self.house.pickup_order != "seats_ascending":
            left.reverse()
        if self.house.pickup_order == "losers_first":
            left.sort(key=lambda entry: not self.loses(*entry))  # stable: N..1 within each part
        final = [card for place, number in left for card in place.hands[number - 1]]
        first = self.house.dealer_cards == "first"
        self.rack += [*self.dealer, *final] if first else [*final, *self.dealer]

    def loses(self, place: Seat, number: int) -> bool:
        """Whether the hand's wager is collected."""
        cards = place.hands[number - 1]
        if count(cards) > 21:
            return True
        if is_blackjack(cards) and not place.split:
            return False
        dealer = count(self.dealer, 22 if self.house.under else 21)
        return is_blackjack(self.dealer) or count(cards) < dealer <= 21

    def result(self, place: Seat) -> str:
        """How the main wager of the seat ended."""
        cards, natural = place.hands[0], is_blackjack(self.dealer)
        if is_blackjack(cards) and not place.split:
            return "returned" if natural and place.done != "even money" else "blackjack"
        if place.done == "surrendered" and not natural:
            return "surrendered"
        if self.loses(place, 1):
            return "lost"
        dealer = count(self.dealer, 22 if self.house.under else 21)
        if dealer == 22:
            large = len(cards) == 2 and not place.split and all(pips(card) >= 10 for card in cards)
            return "won" if self.house.under and (count(cards) == 21 or large) else "returned"
        return "returned" if dealer == count(cards) else "won"
