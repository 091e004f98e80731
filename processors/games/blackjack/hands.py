"""A player's hand: is it a Blackjack, over 21, dead, or still in play?"""

from __future__ import annotations

from processors.core.state import Hand, Round
from processors.games.blackjack.rules import BlackjackRules
from processors.games.totals import POINTS, count, is_large
from schemas.values import DEALER


def player_hands(round_: Round) -> list[Hand]:
    """Player hands of the round that have cards, by seat and number."""
    hands = round_.hands
    return [hands[name] for name in sorted(hands) if name != DEALER and hands[name].cards]


def is_split(hand: Hand) -> bool:
    """Whether the hand came of a split or was itself split."""
    return hand.split_at is not None


def has_blackjack(hand: Hand) -> bool | None:
    """Whether the hand is a Blackjack: its two first cards, unsplit (1, Blackjack); None when a card is not known."""
    if hand.split_at is not None or len(hand.cards) != 2:
        return False
    one, two = POINTS.get(hand.cards[0]), POINTS.get(hand.cards[1])
    if one is None or two is None:
        return None
    return one + two == 21  # two cards count 21 only as an ace and a ten-value card


def total_of(hand: Hand, rules: BlackjackRules) -> int | None:
    """The hand's total under the players' limit."""
    counted = count(hand.cards, rules.player_limit)
    return counted[0] if counted else None


def busted_at(hand: Hand, rules: BlackjackRules) -> int | None:
    """Sequence of the card that took the hand over 21; None if it is not."""
    total = total_of(hand, rules)
    return hand.sequences[-1] if total is not None and total > 21 and hand.sequences else None


def is_doubled(hand: Hand) -> bool:
    """Whether the player doubled on this hand."""
    return any(kind == "double" for kind, _ in hand.decisions)


def hands_in_part(round_: Round) -> frozenset[str]:
    """Hands of which the record lacks cards: the rack took more, or they are fewer than such a hand is dealt."""
    return frozenset(name for name, hand in round_.hands.items() if hand.cards and _lacks_cards(hand))


def _lacks_cards(hand: Hand) -> bool:
    doubled = is_doubled(hand) and hand.refused is None
    return len(hand.cards) < max(3 if doubled else 2, len(hand.racked_cards))


def is_dead(hand: Hand) -> bool:
    """Whether the hand was called dead (12(g), 12(h), 685a.12(h))."""
    return hand.voided is not None


def initial_cards(round_: Round, seat: int) -> tuple[str, ...]:
    """The two cards the seat was dealt first, also after it split them."""
    first = round_.hands.get(f"{seat}.1")
    if first is None or not first.cards:
        return ()
    children = [hand for hand in round_.hands.values() if hand.parent == first.name and hand.cards]
    if children:
        eldest = min(children, key=lambda hand: hand.split_at or 0)
        return (first.cards[0], eldest.cards[0])
    return tuple(first.cards[:2])


def two_original_large(hand: Hand, rules: BlackjackRules) -> bool:
    """Whether the hand is exactly two original Large cards (685a.7(n)(1), reading A2)."""
    if len(hand.cards) != 2 or (is_split(hand) and rules.readings["A2"] == "unsplit"):
        return False
    return all(is_large(card) for card in hand.cards)


def box_has_lammer(round_: Round, seat: int, rules: BlackjackRules) -> bool:
    """Whether a Free Bet lammer keeps the first hand of the box on the layout: any of the box's (reading A6)."""
    whose = f"{seat}." if rules.readings["A6"] == "any_lammer" else f"{seat}.1"
    return any(lammer.hand.startswith(whose) for lammer in round_.lammers)


def is_free_double(hand: Hand, rules: BlackjackRules) -> bool | None:
    """Whether a double on the hand's two cards is free: hard 9, 10 or 11; None if a card is unknown."""
    counted = count(hand.cards[:2], rules.player_limit)
    if counted is None:
        return None
    return not counted[1] and counted[0] in rules.free_doubles


def is_free_split(hand: Hand, rules: BlackjackRules) -> bool | None:
    """Whether splitting from this hand is free: any pair but ten-values; None if a card is unknown."""
    points = POINTS.get(hand.cards[0]) if hand.cards else None
    if points is None:
        return None
    return rules.free_splits and points != 10
