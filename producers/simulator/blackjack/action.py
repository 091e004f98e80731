"""The players' turn, from the dealer's left: hits, doubles, splits (7(h)-(j), 9, 10)."""

from __future__ import annotations

from producers.simulator.blackjack.decisions import choices_for, decide
from producers.simulator.blackjack.drawing import deal_up
from producers.simulator.blackjack.early_ends import (
    bust,
    pay_blackjack,
    rack_tucked_busts,
    settle_surrender,
    void,
)
from producers.simulator.blackjack.felt import Felt
from producers.simulator.blackjack.hands import Box, Hand
from producers.simulator.blackjack.rules import VALUES, Choice, is_free_double
from schemas.events import (
    BlackjackAnnounced,
    CardRefused,
    LammerPlaced,
    PlayerDecision,
    PlayerRequest,
    WagerPlaced,
)


def act(felt: Felt) -> None:
    """Go round the boxes once, in ascending order."""
    felt.incident.before_action()
    for box in felt.boxes:
        if not box.first.live:
            continue
        if box.has_blackjack:
            box.first.state = "blackjack"
            felt.say(BlackjackAnnounced(box.first.name))
            pay_blackjack(felt, box, box.unit * 3 // 2, "3:2")
        else:
            play_box(felt, box)


def play_box(felt: Felt, box: Box) -> None:
    """Play a box's hands: each is finished before the next gets its second card (10(c))."""
    queue = [box.first]
    while queue:
        hand = queue.pop(0)
        if len(hand.cards) == 1:
            hand.cards.append(deal_up(felt, hand.name))
        play_hand(felt, box, hand, queue)
        felt.incident.after_hand(hand)
    rack_tucked_busts(felt, box)


def play_hand(felt: Felt, box: Box, hand: Hand, queue: list[Hand]) -> None:
    """Carry out the patron's decisions until the hand stands, doubles or busts."""
    while True:
        choices = choices_for(felt, box, hand)
        if not choices or (len(hand.cards) > 2 and hand.points == 21):
            return
        choice = felt.incident.choice(hand, decide(felt, hand, choices))
        if _may_refuse(felt, box, choice) and felt.incident.refuses(hand):
            felt.say(CardRefused(box.seat))
            box.frozen = True
            choice = "stand"
        if choice == "hit":
            felt.say(PlayerDecision(hand.name, "hit"))
            if felt.incident.misses(hand):
                felt.missed.append(hand)
                return
            hit(felt, box, hand)
        elif choice == "double":
            double(felt, box, hand)
            return
        elif choice == "split":
            split(felt, box, hand, queue)
        else:
            felt.say(PlayerDecision(hand.name, choice))
            if choice == "surrender":
                hand.state = "surrendered"
                settle_surrender(felt, box)
            return


def _may_refuse(felt: Felt, box: Box, choice: Choice) -> bool:
    """Whether the next card lies open and the patron is about to be dealt it (12(c))."""
    return felt.waiting_seen and choice in ("hit", "double", "split") and not box.split


def hit(felt: Felt, box: Box, hand: Hand, *, sideways: bool = False) -> None:
    """One more card, and what a bust brings at once."""
    hand.cards.append(deal_up(felt, hand.name, sideways=sideways))
    if hand.points > 21:
        bust(felt, box, hand)


def double(felt: Felt, box: Box, hand: Hand) -> None:
    """Lammer on a hard 9, 10 or 11, else chips; then one card, sideways (9; 685a.9)."""
    felt.say(PlayerDecision(hand.name, "double"))
    free = felt.rules.free_bets and is_free_double(hand.cards)
    if felt.incident.is_free(hand, "double", free):
        hand.lammers.append("free_double")
        felt.say(LammerPlaced(hand.name, "free_double"))
    else:
        hand.double = felt.incident.extra_stake(box, "double", box.strategy.double_stake(box.unit))
        felt.say(WagerPlaced(box.seat, "double", hand.double, hand.name, box.patron.name))
    hit(felt, box, hand, sideways=True)


def split(felt: Felt, box: Box, hand: Hand, queue: list[Hand]) -> None:
    """Lammer for the new hand, or chips for ten-values and under 685a; the parent gets a card (10)."""
    free = felt.rules.free_bets and VALUES[hand.cards[0][0]] != 10
    free = felt.incident.is_free(hand, "split", free)
    new = box.hand_after_split(hand, 0 if free else felt.incident.extra_stake(box, "split", box.unit))
    queue.insert(0, new)
    felt.say(PlayerDecision(hand.name, "split", new.name))
    if free:
        new.lammers.append("free_split")
        felt.say(LammerPlaced(new.name, "free_split"))
    else:
        felt.say(WagerPlaced(box.seat, "split", new.cash, new.name, box.patron.name))
    felt.incident.after_split(hand, new)
    hand.cards.append(deal_up(felt, hand.name))


def deal_missed(felt: Felt) -> None:
    """Deal requested cards that were overlooked, or call the hands dead, as the patrons choose (12(h))."""
    for hand in felt.missed:
        box = felt.box_of(hand)
        if felt.incident.wants_late_card(hand):
            felt.say(PlayerRequest(box.seat, "late_card"))
            hit(felt, box, hand)
            play_hand(felt, box, hand, [])
        else:
            felt.say(PlayerRequest(box.seat, "dead_hand"))
            void(felt, box, hand, "requested card missed")
