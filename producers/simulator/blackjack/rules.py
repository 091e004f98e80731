"""What the three blackjack rulesets say about cards, choices and outcomes (58 Pa. Code 590, 672a, 685a)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Choice = Literal["hit", "stand", "double", "split", "surrender"]
Result = Literal["win", "push", "lose"]
Range = Literal["small", "medium", "large"]
Reader = Literal["card_reader", "masque_reader"]

VALUES = {**{str(n): n for n in range(2, 10)}, **dict.fromkeys("TJQK", 10), "A": 11}
TEN = "TJQK"
LARGE = frozenset(TEN) | {"A"}
LOW = "23456789"
RED = frozenset("dh")
STANDS_ON = 17
PUSH_TOTAL = 22
PUSH22_ODDS = {"A": {"suit": 50, "colour": 20, "other": 8}, "B": {"suit": 50, "colour": 20, "other": 7}}
MATCH_ODDS = {6: {"suited": 11, "unsuited": 4}, 8: {"suited": 14, "unsuited": 3}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One chapter's rules, those of 672a unless given, with the clause of each in its numbering."""

    side_wager: Literal["push22", "match_dealer"] = "push22"  # 6(e)
    reader: Reader = "card_reader"  # 7(g); 685a.7(h)
    free_bets: bool = True  # 9(a)(1), 10(b)(2)
    cash_plays: bool = False  # 685a.6(a)
    surrender: bool = False  # 590.9
    most_hands: int = 4  # 10(d); 685a.10(c)
    one_card_to_split_aces: bool = False  # 685a.10(e)
    dealer_limit: int = 21  # 3(d)(3): above this a dealer's ace counts 1
    draws_in_vain: bool = False  # 685a has no 7(m): the dealer draws even where the count decides nothing
    pays_21_against_22: bool = False  # 685a.7(n)(1): a 21 and two original Large cards win against 22
    rack_split_bust_without_lammer: bool = True  # 672a.10(c)(1), against 590.11(c)

    @property
    def lights_range(self) -> bool:
        """Whether the reader shows the range of every hole card, which patrons then know."""
        return self.reader == "masque_reader"


RULES: dict[str, Rules] = {
    "free_bet_590": Rules(surrender=True, rack_split_bust_without_lammer=False),
    "free_bet_672a": Rules(),
    "down_under_685a": Rules(
        side_wager="match_dealer",
        reader="masque_reader",
        free_bets=False,
        cash_plays=True,
        most_hands=2,
        one_card_to_split_aces=True,
        dealer_limit=22,
        draws_in_vain=True,
        pays_21_against_22=True,
        rack_split_bust_without_lammer=False,
    ),
}


@dataclass(frozen=True, slots=True)
class Seen:
    """What a patron knows when deciding about a hand."""

    cards: tuple[str, ...]
    up: str
    hole: Range | str | None  # the lit range, or the card itself once it lies open
    has_cash: bool  # whether chips are lost with the hand
    unsplit: bool


def total(cards: Iterable[str], limit: int = 21) -> tuple[int, bool]:
    """Point count, and whether an ace still counts 11; aces fall to 1 one by one above `limit` (3(d)(3))."""
    points = aces = 0
    for card in cards:
        points += VALUES[card[0]]
        aces += card[0] == "A"
    while points > limit and aces:
        points -= 10
        aces -= 1
    return points, aces > 0


def is_blackjack(cards: Sequence[str]) -> bool:
    """Whether two cards are an ace and a ten-value card; the caller knows that they were dealt first."""
    return len(cards) == 2 and VALUES[cards[0][0]] + VALUES[cards[1][0]] == 21


def range_of(card: str) -> Range:
    """The Masque range of a hole card, 685a.3(e)."""
    value = VALUES[card[0]]
    if value <= 5:
        return "small"
    return "medium" if value <= 9 else "large"


def is_free_double(cards: Sequence[str]) -> bool:
    """Whether two cards make a hard 9, 10 or 11 (9(a)(1)); with an ace no two cards do."""
    points, soft = total(cards)
    return 9 <= points <= 11 and not soft


def same_value(cards: Sequence[str]) -> bool:
    """Whether two cards are a pair that may be split (10(a))."""
    return len(cards) == 2 and VALUES[cards[0][0]] == VALUES[cards[1][0]]


def push22_line(cards: Sequence[str]) -> Literal["suit", "colour", "other"]:
    """The line of the Push 22 paytable on which a dealer's 22 pays (11(c)); the best line only."""
    suits = {card[1] for card in cards}
    if len(suits) == 1:
        return "suit"
    return "colour" if suits <= RED or suits.isdisjoint(RED) else "other"


def match_odds(cards: Sequence[str], up: str, decks: int) -> int:
    """Odds to one of Match-the-Dealer, each matching card on its own line; 0 when neither matches (7(f))."""
    table = MATCH_ODDS[decks]
    return sum(table["suited" if card == up else "unsuited"] for card in cards[:2] if card[0] == up[0])


def result_of(rules: Rules, cards: Sequence[str], unsplit: bool, dealer: int) -> Result:
    """How a hand that is neither dead nor a paid Blackjack ends against the dealer's count (7(n)-(q))."""
    points, _ = total(cards)
    if points > 21:
        return "lose"
    if dealer == PUSH_TOTAL:
        large_pair = unsplit and len(cards) == 2 and all(card[0] in LARGE for card in cards)
        return "win" if rules.pays_21_against_22 and (points == 21 or large_pair) else "push"
    if dealer > 21 or points > dealer:
        return "win"
    return "push" if points == dealer else "lose"


def half_rounded_up(cents: int, chip: int) -> int:
    """Half of a stake, to the next multiple of the smallest chip (8(b); the collected half of 590.9)."""
    return -(-cents // (2 * chip)) * chip
