"""A lawful dealer for the tests: plays rounds forward, card by card, and racks them as the table is configured.

It shares no code with the solver and decides nothing by looking at a rack: it keeps a shoe, hands, wagers and a
rack, as a table does.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

RANKS, SUITS = "23456789TJQKA", "cdhs"
PLAIN_TABLE = {
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
    "max_cents": 100000,
    "chip_cents": 50,
    "gaming_day_start": "06:00",
    "timezone": "America/New_York",
}


def pips(card: str) -> int:
    return 11 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0])


def count(cards: list[str], limit: int = 21) -> int:
    total, aces = sum(pips(card) for card in cards), sum(card[0] == "A" for card in cards)
    while total > limit and aces:
        total, aces = total - 10, aces - 1
    return total


def is_hard(cards: list[str]) -> bool:
    low = sum(1 if card[0] == "A" else pips(card) for card in cards)
    return count(cards) == low


def is_blackjack(cards: list[str]) -> bool:
    return len(cards) == 2 and count(cards) == 21


@dataclass
class Round:
    """What happened, and what is left of it."""

    ruleset: str
    table: dict[str, object]
    seats: list[int]
    hands: dict[str, list[str]]
    rack: list[str]
    drawn: list[str]
    early: int
    surrendered: list[str]
    main: dict[int, str]
    tags: set[str]

    def problem(self, *known: str, **fields: object) -> dict[str, object]:
        """The problem of this round with the knowledge named: seats, drawn, upcard, early, surrendered."""
        told: dict[str, object] = {
            "seats": self.seats,
            "drawn": self.drawn,
            "upcard": self.hands["D"][0],
            "early": self.early,
            "surrendered": self.surrendered,
        }
        return {
            "ruleset": self.ruleset,
            "table": self.table,
            "rack": self.rack,
            **{name: told[name] for name in known},
            **fields,
        }


@dataclass
class Seat:
    """One seat with a main wager."""

    number: int
    push22: bool
    hands: list[list[str]] = field(default_factory=lambda: [[]])
    split: bool = False
    done: str = ""  # blackjack, even money, tucked, surrendered


class Table:
    """A table with its rules, its shoe and its players' temper."""

    def __init__(
        self, ruleset: str, chance: random.Random, *, temper: str = "steady", **rules: object
    ) -> None:
        self.ruleset, self.chance, self.temper = ruleset, chance, temper
        self.rules: dict[str, object] = {
            "ruleset": ruleset,
            "seats": 6,
            "side_wagers": ["match_dealer"] if ruleset == "down_under_685a" else ["push22"],
            "even_money": ruleset != "free_bet_590",
            "pickup_order": "seats_descending",
            "dealer_cards": "last",
            "bust_collection": "immediate",
            **PLAIN_TABLE,
            **rules,
        }
        self.under = ruleset == "down_under_685a"
        self.at_once = self.rules["bust_collection"] == "immediate"
        self.shoe: list[str] = []

    def draw(self) -> str:
        card = self.shoe.pop()
        self.drawn.append(card)
        return card

    def refill(self) -> None:
        if len(self.shoe) < 120:
            self.shoe = [rank + suit for rank in RANKS for suit in SUITS] * 6
            self.chance.shuffle(self.shoe)

    def play(self, seats: list[int]) -> Round:
        """One round with wagers on these seats."""
        self.refill()
        self.drawn: list[str] = []
        self.rack: list[str] = []
        self.surrendered: list[str] = []
        self.tags: set[str] = set()
        offered = "push22" in self.rules["side_wagers"] and not self.under  # type: ignore[operator]  # a list
        self.places = [Seat(seat, offered and self.chance.random() < 0.4) for seat in seats]
        self.dealer: list[str] = []
        for _ in range(2):
            for place in self.places:
                place.hands[0].append(self.draw())
            self.dealer.append(self.draw())
        self.racked: set[str] = set()
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
            self.ruleset,
            self.rules,
            seats,
            hands,
            self.rack,
            self.drawn,
            early,
            self.surrendered,
            main,
            self.tags,
        )

    def to_rack(self, place: Seat, number: int) -> None:
        self.racked.add(f"{place.number}.{number}")
        self.rack.extend(place.hands[number - 1])

    def before_action(self) -> None:
        """Even money and surrenders that wait for the reader, each settled before the first player acts."""
        up, natural = self.dealer[0], is_blackjack(self.dealer)
        for place in self.places:
            cards = place.hands[0]
            if is_blackjack(cards):
                if (
                    up[0] == "A"
                    and self.rules["even_money"]
                    and self.ruleset != "free_bet_590"
                    and self.chance.random() < 0.6
                ):
                    place.done = "even money"
                    self.tags.add("even money")
                    if not place.push22:
                        self.to_rack(place, 1)
            elif self.ruleset == "free_bet_590" and pips(up) >= 10 and self.gives_up(cards):
                place.done = "surrendered"
                self.surrendered.append(f"{place.number}.1")
                self.tags.add("early surrender")
                if not natural:
                    self.to_rack(place, 1)

    def gives_up(self, cards: list[str]) -> bool:
        odds = 0.12 if self.temper == "wild" else 0.25 if count(cards) in (15, 16) and is_hard(cards) else 0
        return self.chance.random() < odds

    def act(self, place: Seat) -> None:
        cards = place.hands[0]
        if is_blackjack(cards):
            place.done = "blackjack"
            if place.push22:
                self.tags.add("tucked")
            else:
                self.to_rack(place, 1)
            return
        if self.ruleset == "free_bet_590" and self.gives_up(cards):
            place.done = "surrendered"
            self.surrendered.append(f"{place.number}.1")
            self.tags.add("surrender")
            self.to_rack(place, 1)
            return
        waiting = [1]
        while waiting:
            number = waiting.pop()
            self.finish(place, number, waiting)
            self.tags.add(f"{len(place.hands)} hands")

    def finish(self, place: Seat, number: int, waiting: list[int]) -> None:
        """Play one hand to its end; hands split off it wait on top of those that waited already."""
        hand = place.hands[number - 1]
        if len(hand) == 1:
            hand.append(self.draw())
        most = 2 if self.under else 4
        while (
            len(hand) == 2
            and pips(hand[0]) == pips(hand[1])
            and len(place.hands) < most
            and self.splits(hand)
        ):
            place.hands.append([hand.pop()])
            place.split = True
            waiting.append(len(place.hands))
            hand.append(self.draw())
        one_card = self.under and place.split and hand[0][0] == "A"
        while not one_card and count(hand) < 21 and self.wants_card(hand):
            hand.append(self.draw())
        if count(hand) > 21:
            self.tags.add("bust")
            self.bust(place, number, last=not waiting)

    def bust(self, place: Seat, number: int, last: bool) -> None:
        tens = place.split and pips(place.hands[0][0]) == 10
        first_of_split = place.split and number == 1 and not self.under
        if first_of_split and self.ruleset == "free_bet_672a" and tens:
            self.to_rack(place, number)
            self.tags.add("ten split bust")
            return
        if not self.at_once:
            return
        if not first_of_split:
            self.to_rack(place, number)
        if (
            last
            and place.split
            and f"{place.number}.1" not in self.racked
            and all(count(cards) > 21 for cards in place.hands)
        ):
            self.to_rack(place, 1)
            self.tags.add("all split hands bust")

    def splits(self, hand: list[str]) -> bool:
        if self.temper == "wild":
            return self.chance.random() < 0.8
        if pips(hand[0]) == 10:
            return self.chance.random() < 0.03
        return pips(hand[0]) != 5

    def wants_card(self, hand: list[str]) -> bool:
        total, up = count(hand), pips(self.dealer[0])
        if self.temper == "wild":
            return self.chance.random() < (0.75 if total < 17 else 0.25)
        if len(hand) == 3 and 9 <= count(hand[:2]) <= 11 and is_hard(hand[:2]):
            return False  # doubled
        if is_hard(hand):
            return total < (12 if up <= 6 else 17)
        return total < 18

    def live(self) -> bool:
        return any(count(cards) <= 21 and place.done == "" for place in self.places for cards in place.hands)

    def draw_dealer(self) -> None:
        open_push = any(place.push22 for place in self.places)
        if not self.under and not self.live() and not open_push:
            self.tags.add("no draw")
            return
        if not self.live():
            self.tags.add("drawn for nobody" if self.under else "drawn for push 22")
        while count(self.dealer, 22 if self.under else 21) < 17:
            self.dealer.append(self.draw())

    def pick_up(self) -> None:
        order, left = self.rules["pickup_order"], []
        for place in self.places:
            for number in range(1, len(place.hands) + 1):
                if f"{place.number}.{number}" not in self.racked:
                    left.append((place, number))
        if order != "seats_ascending":
            left.reverse()
        if order == "losers_first":
            left.sort(key=lambda entry: not self.loses(*entry))  # stable: N..1 within each part
        final: list[str] = []
        for place, number in left:
            final += place.hands[number - 1]
        self.rack += (
            [*self.dealer, *final] if self.rules["dealer_cards"] == "first" else [*final, *self.dealer]
        )

    def loses(self, place: Seat, number: int) -> bool:
        cards = place.hands[number - 1]
        if count(cards) > 21:
            return True
        if is_blackjack(cards) and not place.split:
            return False
        if is_blackjack(self.dealer):
            return True
        dealer = count(self.dealer, 22 if self.under else 21)
        return dealer <= 21 and count(cards) < dealer

    def result(self, place: Seat) -> str:
        """How the main wager of the seat ended."""
        cards = place.hands[0]
        natural = is_blackjack(self.dealer)
        if is_blackjack(cards) and not place.split:
            return "returned" if natural and place.done != "even money" else "blackjack"
        if place.done == "surrendered" and not natural:
            return "surrendered"
        if self.loses(place, 1):
            return "lost"
        dealer = count(self.dealer, 22 if self.under else 21)
        if dealer == 22:
            large = len(cards) == 2 and not place.split and all(pips(card) >= 10 for card in cards)
            return "won" if self.under and (count(cards) == 21 or large) else "returned"
        return "returned" if dealer == count(cards) else "won"
