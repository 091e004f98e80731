"""The players' hands: Blackjacks, hits, doubles, splits, busts (7(h)-(j), 9, 10)."""

from __future__ import annotations

from producers.simulator.blackjack.dealing import Dealing
from producers.simulator.blackjack.hands import Box, Hand
from producers.simulator.blackjack.rules import LARGE, VALUES, Choice, is_free_double, same_value
from schemas.events import (
    BlackjackAnnounced,
    CardRefused,
    HandVoided,
    LammerCollected,
    LammerPlaced,
    PlayerDecision,
    PlayerRequest,
    WagerPlaced,
)


class Action(Dealing):
    """The middle of a round: the players, from the dealer's left."""

    def act(self) -> None:
        """Go round the boxes once, in ascending order."""
        self.incident.before_action()
        for box in self.boxes:
            if not box.first.live:
                continue
            if box.has_blackjack:
                box.first.state = "blackjack"
                self.say(BlackjackAnnounced(box.first.name))
                self.pay_blackjack(box, box.unit * 3 // 2, "3:2")
            else:
                self.play_box(box)

    def play_box(self, box: Box) -> None:
        """Play a box's hands: each is finished before the next gets its second card (10(c))."""
        queue = [box.first]
        while queue:
            hand = queue.pop(0)
            if len(hand.cards) == 1:
                hand.cards.append(self.deal_up(hand.name))
            self.play_hand(box, hand, queue)
            self.incident.after_hand(hand)
        self.rack_tucked_busts(box)

    def play_hand(self, box: Box, hand: Hand, queue: list[Hand]) -> None:
        """Carry out the patron's decisions until the hand stands, doubles or busts."""
        while True:
            choices = self.choices(box, hand)
            if not choices or (len(hand.cards) > 2 and hand.points == 21):
                return
            choice = self.incident.choice(hand, self.decide(hand, choices))
            if self._may_refuse(box, choice) and self.incident.refuses(hand):
                self.say(CardRefused(box.seat))
                box.frozen = True
                choice = "stand"
            if choice == "hit":
                self.say(PlayerDecision(hand.name, "hit"))
                if self.incident.misses(hand):
                    self.missed.append(hand)
                    return
                self.hit(box, hand)
            elif choice == "double":
                self.double(box, hand)
                return
            elif choice == "split":
                self.split(box, hand, queue)
            else:
                self.say(PlayerDecision(hand.name, choice))
                if choice == "surrender":
                    hand.state = "surrendered"
                    self.settle_surrender(box)
                return

    def _may_refuse(self, box: Box, choice: Choice) -> bool:
        """Whether the next card lies open and the patron is about to be dealt it (12(c))."""
        return self.waiting_seen and choice in ("hit", "double", "split") and not box.split

    def choices(self, box: Box, hand: Hand) -> tuple[Choice, ...]:
        """What the rules let the patron of `hand` decide now; nothing above 21 or on split aces of 685a."""
        if hand.points > 21 or not hand.live:
            return ()
        if self.rules.one_card_to_split_aces and box.split and hand.cards[0][0] == "A":
            return ()
        if hand.points == 21 or box.frozen:
            return ("stand",)
        choices: list[Choice] = ["stand", "hit"]
        if len(hand.cards) == 2:
            choices.append("double")
            if same_value(hand.cards) and len(box.hands) < self.rules.most_hands:
                choices.append("split")
            if self.rules.surrender and not box.split and self.up[0] not in LARGE:
                choices.append("surrender")
        return tuple(choices)

    def decide(self, hand: Hand, choices: tuple[Choice, ...]) -> Choice:
        """Ask the patron of `hand`."""
        if len(choices) == 1:
            return choices[0]
        strategy = self.box_of(hand).strategy
        return strategy.choose(self.seen(hand), choices)

    def hit(self, box: Box, hand: Hand, *, sideways: bool = False) -> None:
        """One more card, and what a bust brings at once."""
        hand.cards.append(self.deal_up(hand.name, sideways=sideways))
        if hand.points > 21:
            self.bust(box, hand)

    def double(self, box: Box, hand: Hand) -> None:
        """Lammer on a hard 9, 10 or 11, else chips; then one card, sideways (9; 685a.9)."""
        self.say(PlayerDecision(hand.name, "double"))
        free = self.rules.free_bets and is_free_double(hand.cards)
        if self.incident.is_free(hand, "double", free):
            hand.lammers.append("free_double")
            self.say(LammerPlaced(hand.name, "free_double"))
        else:
            hand.double = self.incident.extra_stake(box, "double", box.strategy.double_stake(box.unit))
            self.say(WagerPlaced(box.seat, "double", hand.double, hand.name, box.patron.name))
        self.hit(box, hand, sideways=True)

    def split(self, box: Box, hand: Hand, queue: list[Hand]) -> None:
        """Lammer for the new hand, or chips for ten-values and under 685a; the parent gets a card (10)."""
        free = self.rules.free_bets and VALUES[hand.cards[0][0]] != 10
        free = self.incident.is_free(hand, "split", free)
        new = box.hand_after_split(hand, 0 if free else self.incident.extra_stake(box, "split", box.unit))
        queue.insert(0, new)
        self.say(PlayerDecision(hand.name, "split", new.name))
        if free:
            new.lammers.append("free_split")
            self.say(LammerPlaced(new.name, "free_split"))
        else:
            self.say(WagerPlaced(box.seat, "split", new.cash, new.name, box.patron.name))
        self.incident.after_split(hand, new)
        hand.cards.append(self.deal_up(hand.name))

    def bust(self, box: Box, hand: Hand) -> None:
        """A hand above 21: tucked, collected at once or left, as 10(c) and the house's way ask."""
        hand.state = "bust"
        immediate = self.setup.bust_collection == "immediate"
        if box.split and hand.number == 1 and self.rules.free_bets:
            if self.rules.rack_split_bust_without_lammer and not any(other.lammers for other in box.hands):
                self.take_bust(box, hand)
            elif self.incident.tucks(hand):
                self.tuck(hand, "main")
            else:
                self.take_bust(box, hand)
            return
        if immediate:
            self.take_bust(box, hand)

    def take_bust(self, box: Box, hand: Hand) -> None:
        """Collect what lies on a busted hand and rack its cards."""
        self.collect_hand(box, hand)
        self.rack_hand(hand, "bust")

    def collect_hand(self, box: Box, hand: Hand) -> None:
        """Take a losing hand's chips and its lammers."""
        hand.settled = True
        if hand.cash:
            self.settle(box, hand.cash_kind, "collect", hand.cash, hand=hand)
        if hand.double:
            self.settle(box, "double", "collect", hand.double, hand=hand)
        self.collect_lammers(hand)

    def collect_lammers(self, hand: Hand) -> None:
        """Take a hand's lammers off the table, unpaid."""
        for kind in hand.lammers:
            self.say(LammerCollected(hand.name, kind))
        hand.lammers.clear()

    def deal_missed(self) -> None:
        """Cards that were asked for and overlooked: the patron takes them late, or a dead hand (12(h))."""
        for hand in self.missed:
            box = self.box_of(hand)
            if self.incident.wants_late_card(hand):
                self.say(PlayerRequest(box.seat, "late_card"))
                self.hit(box, hand)
                self.play_hand(box, hand, [])
            else:
                self.say(PlayerRequest(box.seat, "dead_hand"))
                self.void(box, hand, "requested card missed")

    def void(self, box: Box, hand: Hand, reason: str) -> None:
        """Call a hand dead: chips go back, lammers leave, cards stay until the pickup (A24, A45)."""
        hand.state = "dead"
        self.say(HandVoided(hand.name, reason))
        if hand.settled:  # collected when it went over 21: the collection is reversed (A25, A42)
            player = box.patron.name
            self.net[player] = self.net.get(player, 0) + hand.cash + hand.double
        if hand.cash:
            self.settle(box, hand.cash_kind, "return", hand.cash, hand=hand)
        if hand.double:
            self.settle(box, "double", "return", hand.double, hand=hand)
        self.collect_lammers(hand)
        hand.settled = True

    def rack_tucked_busts(self, box: Box) -> None:
        """When all hands of a split box went over 21 and busts are collected at once, the tucked go too."""
        if self.setup.bust_collection != "immediate" or not box.split:
            return
        if all(hand.state == "bust" for hand in box.hands):
            for hand in box.hands:
                if not hand.racked:
                    self.take_bust(box, hand)
