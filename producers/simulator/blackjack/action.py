"""The players' turn, from the dealer's left: hits, doubles, splits (7(h)-(j), 9, 10)."""

from __future__ import annotations

from producers.simulator.blackjack import early_ends
from producers.simulator.blackjack.decisions import choices_for, decide
from producers.simulator.blackjack.drawing import deal_up
from producers.simulator.blackjack.hands import BettingBox, SimulatedHand
from producers.simulator.blackjack.rules import VALUES, is_free_double
from producers.simulator.blackjack.table import BlackjackTable
from schemas import events


def act(table: BlackjackTable) -> None:
    """Go round the boxes once, in ascending order."""
    table.incident.before_action()
    for box in table.boxes:
        if not box.first.live:
            continue
        if box.has_blackjack:
            box.first.state = "blackjack"
            table.say(events.BlackjackAnnounced(box.first.name))
            early_ends.pay_blackjack(table, box, box.unit * 3 // 2, "3:2")
        else:
            play_box(table, box)


def play_box(table: BlackjackTable, box: BettingBox) -> None:
    """Play a box's hands: each is finished before the next gets its second card (10(c))."""
    queue = [box.first]
    while queue:
        hand = queue.pop(0)
        if len(hand.cards) == 1:
            hand.cards.append(deal_up(table, hand.name))
        play_hand(table, box, hand, queue)
        table.incident.after_hand(hand)
    early_ends.rack_tucked_busts(table, box)


def play_hand(
    table: BlackjackTable, box: BettingBox, hand: SimulatedHand, queue: list[SimulatedHand]
) -> None:
    """Carry out the patron's decisions until the hand stands, doubles or busts."""
    while True:
        choices = choices_for(table, box, hand)
        if not choices or (len(hand.cards) > 2 and hand.points == 21):
            return
        choice = table.incident.choice(hand, decide(table, hand, choices))
        # A patron about to be dealt the open card may refuse it (12(c)).
        next_is_open = table.waiting_seen and choice in ("hit", "double", "split") and not box.split
        if next_is_open and table.incident.refuses(hand):
            table.say(events.CardRefused(box.seat))
            box.frozen = True
            choice = "stand"
        if choice == "hit":
            table.say(events.PlayerDecision(hand.name, "hit"))
            if table.incident.misses(hand):
                table.missed.append(hand)
                return
            hit(table, box, hand)
        elif choice == "double":
            double(table, box, hand)
            return
        elif choice == "split":
            split(table, box, hand, queue)
        else:
            table.say(events.PlayerDecision(hand.name, choice))
            if choice == "surrender":
                hand.state = "surrendered"
                early_ends.settle_surrender(table, box)
            return


def hit(table: BlackjackTable, box: BettingBox, hand: SimulatedHand, *, sideways: bool = False) -> None:
    """One more card, and what a bust brings at once."""
    hand.cards.append(deal_up(table, hand.name, sideways=sideways))
    if hand.points > 21:
        early_ends.bust(table, box, hand)


def double(table: BlackjackTable, box: BettingBox, hand: SimulatedHand) -> None:
    """Lammer on a hard 9, 10 or 11, else chips; then one card, sideways (9; 685a.9)."""
    table.say(events.PlayerDecision(hand.name, "double"))
    free = table.rules.free_bets and is_free_double(hand.cards)
    if table.incident.is_free(hand, "double", free):
        hand.lammers.append("free_double")
        table.say(events.LammerPlaced(hand.name, "free_double"))
    else:
        hand.double = table.incident.extra_stake(box, "double", box.strategy.double_stake(box.unit))
        table.say(events.WagerPlaced(box.seat, "double", hand.double, hand.name, box.patron.name))
    hit(table, box, hand, sideways=True)


def split(table: BlackjackTable, box: BettingBox, hand: SimulatedHand, queue: list[SimulatedHand]) -> None:
    """Lammer for the new hand, or chips for ten-values and under 685a; the parent gets a card (10)."""
    free = table.rules.free_bets and VALUES[hand.cards[0][0]] != 10
    free = table.incident.is_free(hand, "split", free)
    new = box.hand_after_split(hand, 0 if free else table.incident.extra_stake(box, "split", box.unit))
    queue.insert(0, new)
    table.say(events.PlayerDecision(hand.name, "split", new.name))
    if free:
        new.lammers.append("free_split")
        table.say(events.LammerPlaced(new.name, "free_split"))
    else:
        table.say(events.WagerPlaced(box.seat, "split", new.cash, new.name, box.patron.name))
    table.incident.after_split(hand, new)
    hand.cards.append(deal_up(table, hand.name))


def deal_missed(table: BlackjackTable) -> None:
    """Deal requested cards that were overlooked, or call the hands dead, as the patrons choose (12(h))."""
    for hand in table.missed:
        box = table.box_of(hand)
        if table.incident.wants_late_card(hand):
            table.say(events.PlayerRequest(box.seat, "late_card"))
            hit(table, box, hand)
            play_hand(table, box, hand, [])
        else:
            table.say(events.PlayerRequest(box.seat, "dead_hand"))
            early_ends.void(table, box, hand, "requested card missed")
