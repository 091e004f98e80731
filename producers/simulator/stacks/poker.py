"""Poker hands as far as the simulator needs them: who wins and what a side wager pays.

The sections simulated here do not govern these outcomes; any plausible rule will do.
"""

from collections import Counter
from collections.abc import Iterable

from schemas.values import JOKER, RANKS, SideWager

HIGH = len(RANKS) - 1  # an ace; the joker plays as one
PAYS: dict[SideWager, dict[str, int]] = {
    "fortune_bonus": {"straight": 2, "flush": 4, "full house": 6, "four": 40, "three": 3},
    "progressive": {"flush": 10, "full house": 50, "four": 300},
    "five_card_hand": {"straight": 10, "flush": 12, "full house": 20, "four": 100, "three": 4},
    "six_card_bonus": {"straight": 8, "flush": 12, "full house": 15, "four": 75, "three": 5},
}


def pattern(cards: Iterable[str]) -> str:
    """The best of four, full house, flush, straight, three, two pair, pair and high card in any cards."""
    ranks = Counter(_rank(card) for card in cards)
    suits = Counter(card[1] for card in cards if card != JOKER)
    groups = sorted(ranks.values(), reverse=True)
    if groups[0] >= 4:
        return "four"
    if groups[0] == 3 and groups[1:2] >= [2]:
        return "full house"
    if max(suits.values()) >= 5:
        return "flush"
    if any(all(low + step in ranks for step in range(5)) for low in range(HIGH - 3)):
        return "straight"
    if groups[0] == 3:
        return "three"
    return "two pair" if groups[:2] == [2, 2] else "pair" if groups[0] == 2 else "high card"


_ORDER = ("high card", "pair", "two pair", "three", "straight", "flush", "full house", "four")


def strength(cards: Iterable[str]) -> tuple[int, list[tuple[int, int]]]:
    """Something that compares: pattern first, then groups of ranks by size and height."""
    held = list(cards)
    ranks = Counter(_rank(card) for card in held)
    return _ORDER.index(pattern(held)), sorted(((n, rank) for rank, n in ranks.items()), reverse=True)


def side_odds(kind: SideWager, cards: Iterable[str]) -> int:
    """Odds to one that a side wager pays on these cards; 0 when it loses."""
    return PAYS[kind].get(pattern(list(cards)), 0)


def _rank(card: str) -> int:
    return HIGH if card == JOKER else RANKS.index(card[0])
