"""The players' action: whose turn it is, what a hand waits for, and when it is finished (7(h)-(k), 10(c); A35)."""

from __future__ import annotations

from processors.core.state import Hand, Round
from processors.games.blackjack.hands import has_blackjack, is_split, player_hands, total_of
from processors.games.blackjack.rules import BlackjackRules
from schemas.values import DEALER

WANTS_A_CARD = ("hit", "double")


def waits_for_card(hand: Hand) -> int | None:
    """Sequence of the decision whose card the hand still lacks; None if it lacks none."""
    if not hand.decisions:
        return None
    kind, decided = hand.decisions[-1]
    if kind not in WANTS_A_CARD:
        return None
    dealt = hand.sequences[-1] if hand.sequences else 0
    return decided if dealt < decided else None


def waits_for_second(hand: Hand) -> bool:
    """Whether a hand of a split still lacks its second card."""
    return is_split(hand) and len(hand.cards) == 1


def is_split_ace(hand: Hand) -> bool:
    """Whether the hand grew from an ace of a split pair."""
    return is_split(hand) and bool(hand.cards) and hand.cards[0][0] == "A"


def is_finished(hand: Hand, rules: BlackjackRules) -> bool:
    """Whether nothing is left to decide or to deal on the hand."""
    if hand.voided is not None or hand.even_money is not None or hand.refused is not None:
        return True
    if hand.surrendered is not None and rules.surrender:
        return True
    if waits_for_second(hand):
        return False
    if hand.decisions:
        if waits_for_card(hand) is not None:
            return False
        if hand.decisions[-1][0] in ("stand", "double", "surrender"):
            return True
    if rules.split_aces_one_card and is_split_ace(hand) and len(hand.cards) >= 2:
        return True
    total = total_of(hand, rules)
    return total is None or total >= 21  # a Blackjack counts 21 too


def is_missed(hand: Hand) -> bool:
    """Whether the hand asked for a card that was not dealt (12(h), 13(h), 685a.12(g))."""
    return waits_for_card(hand) is not None


def is_explained(round_: Round, hand: Hand) -> bool:
    """Whether a finding about the hand or its box already says why the hand may be unfinished."""
    undealt = len(hand.cards) == 1 and not is_split(hand)  # judged with the first deal
    return (
        undealt
        or f"open:{hand.name}" in round_.reported
        or any(root.seat == hand.seat for root in round_.roots)
    )


def unfinished_before(round_: Round, hand: Hand, rules: BlackjackRules) -> Hand | None:
    """A hand of an earlier seat that should have been finished before this one acts; None if there is none."""
    waiting = [
        other
        for other in round_.hands.values()
        if other.seat < hand.seat
        and other.name != DEALER
        and other.cards
        and not is_finished(other, rules)
        and not is_missed(other)
        and not is_explained(round_, other)
    ]
    return min(waiting, key=lambda one: one.name) if waiting else None


def split_sibling_in_play(round_: Round, hand: Hand, rules: BlackjackRules) -> Hand | None:
    """Another hand of the same box that has to be completed before this one gets a card (10(c), 11(c)).

    That is any hand that has its second card and is unfinished, every hand this one was split from, and where A35
    is read more strictly every hand that comes before it.
    """
    if not any(other.seat == hand.seat and other is not hand for other in round_.hands.values()):
        return None
    order = rules.readings["A35"]
    if order != "either":
        for other in _played_before(round_, hand, by_number=order == "by_number"):
            if not is_finished(other, rules) and not is_missed(other):
                return other
    parents = set()
    parent = hand.parent
    while parent is not None and parent not in parents:
        parents.add(parent)
        above = round_.hands.get(parent)
        parent = above.parent if above is not None else None
    for other in player_hands(round_):
        if other.seat != hand.seat or other.name == hand.name:
            continue
        started = len(other.cards) > 1 or other.name in parents
        if started and not is_finished(other, rules) and not is_missed(other):
            return other
    return None


def _played_before(round_: Round, hand: Hand, *, by_number: bool) -> list[Hand]:
    """Hands of the box that are played before this one: by number, or each right after the one it came from (A35)."""
    box = [other for other in player_hands(round_) if other.seat == hand.seat]
    if not by_number:
        children: dict[str, list[Hand]] = {}
        for other in box:
            children.setdefault(other.parent or "", []).append(other)
        waiting, beside = children.get("", []), list[Hand]()
        while waiting:
            first = waiting.pop(0)
            beside.append(first)
            youngest_first = sorted(children.get(first.name, []), key=lambda one: -(one.split_at or 0))
            waiting = [*youngest_first, *waiting]
        box = beside
    names = [other.name for other in box]
    return box[: names.index(hand.name)] if hand.name in names else []


def open_hands(round_: Round, rules: BlackjackRules) -> list[Hand]:
    """Unfinished hands, in order, except those that a finding explains already."""
    waiting = [
        hand
        for hand in round_.hands.values()
        if hand.name != DEALER
        and hand.cards
        and not is_finished(hand, rules)
        and not is_explained(round_, hand)
    ]
    waiting.sort(key=lambda hand: hand.name)
    return waiting


def players_act(round_: Round, rules: BlackjackRules) -> bool:
    """Whether a card drawn now is a player's; Large under Large the hole card shows while they still act."""
    return (round_.hole_revealed is None or rules.profile.masque) and bool(open_hands(round_, rules))


def live_hands(round_: Round, rules: BlackjackRules) -> list[Hand]:
    """Hands whose result the dealer's count still decides (7(m); reading A9)."""
    live = []
    closed = rules.readings["A9"] == "closed"
    for hand in player_hands(round_):
        if closed and (hand.voided is not None or hand.even_money is not None):
            continue
        if hand.surrendered is not None and rules.surrender:
            continue
        total = total_of(hand, rules)
        if total is not None and (total > 21 or has_blackjack(hand)):
            continue
        live.append(hand)
    return live


def push22_open(round_: Round) -> bool:
    """Whether a Push 22 wager is still on the table."""
    return any(stake.kind == "push22" and not stake.moves for stake in round_.stakes.values())


def dealer_must_draw(round_: Round, rules: BlackjackRules, total: int) -> bool:
    """Whether the dealer takes a card at this total (7(l), 7(m); 685a.7(m); readings A8, A9, A10)."""
    if total >= rules.stands_from:
        return False
    if rules.profile.dealer_always_draws:
        return True
    counts = rules.profile.draws_for_push22 or rules.readings["A8"] == "draws"
    return bool(live_hands(round_, rules)) or (counts and push22_open(round_))
