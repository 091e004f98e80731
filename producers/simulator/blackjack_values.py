"""What each choice is worth to a patron."""

from __future__ import annotations

from producers.simulator.blackjack_rules import VALUES, Choice, Rules, Seen, is_free_double, total


def best_choice(_rules: Rules, seen: Seen, choices: tuple[Choice, ...]) -> Choice:
    """The choice of highest value among `choices`."""
    cards = seen.cards
    points, soft = total(cards)
    weak = VALUES[seen.up[0]] in range(2, 7)
    if "split" in choices and VALUES[cards[0][0]] not in (5, 10):
        return "split"
    if "double" in choices and is_free_double(cards):
        return "double"
    if soft:
        return "stand" if points >= 18 else "hit"
    if points >= 17 or (weak and points >= 13):
        return "stand"
    return "hit" if "hit" in choices else "stand"
