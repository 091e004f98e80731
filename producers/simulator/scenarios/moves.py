"""Slips of procedure: what a dealer or a patron does between the first wager and the last card."""

import random
from collections.abc import Callable

from producers.simulator.blackjack.action import hit
from producers.simulator.blackjack.course import Wish
from producers.simulator.blackjack.dealing import count_matters
from producers.simulator.blackjack.drawing import deal_up, reveal_hole
from producers.simulator.blackjack.hands import Box, Hand
from producers.simulator.blackjack.rules import LOW, STANDS_ON, VALUES, Choice, same_value
from producers.simulator.blackjack.settlement import results_of
from producers.simulator.blackjack.table import BlackjackTable
from producers.simulator.scenarios.money import chips
from producers.simulator.scenarios.occasion import TEN, Occasion
from producers.simulator.scenarios.slips import How, Slip, delayed, once
from schemas.events import CardPlaced, CardsHandled, PlayerDecision, WagerAltered, WagerPlaced
from schemas.values import DEALER


def late_wager(*, side: bool) -> How:
    """A side wager, or the main wager of a second or later box without one, is laid after the first card."""

    def late(slip: Slip, event: WagerPlaced) -> bool:
        boxes = slip.table.boxes
        if side:
            return boxes != [] and event.kind in ("push22", "match_dealer")
        return event.kind == "main" and len(boxes) > 1 and not boxes[-1].side

    return delayed(WagerPlaced, CardPlaced, Occasion(side=side, plain=not side), late)


def altered(sign: int) -> How:
    """A patron changes a main wager after the deal; it is played on as it then lies."""

    def alter(slip: Slip) -> bool | None:
        table, box = slip.table, slip.victim
        if box is None or not box.first.live:
            return None
        cents = box.unit + sign * chips(slip, box.unit)
        if not table.setup.min_cents <= cents <= table.setup.max_cents:
            return None
        table.say(WagerAltered(box.seat, "main", box.unit, cents, "player"))
        box.unit = box.first.cash = cents
        return True

    return once("after_deal", alter)


def first_cards(change: Callable[[random.Random, list[str]], list[str]]) -> How:
    """The first cards go out in another order than that of the spots; `change` gives it."""

    def order(slip: Slip, nth: int, spots: list[str]) -> list[str] | None:
        return change(slip.table.rng, spots) if nth == 1 and len(spots) > 2 else None

    return once("deal_order", order)


def two_exchanged(rng: random.Random, spots: list[str]) -> list[str]:
    """Two boxes change places."""
    at = rng.randrange(len(spots) - 2)
    return [*spots[:at], spots[at + 1], spots[at], *spots[at + 2 :]]


def one_passed_over(rng: random.Random, spots: list[str]) -> list[str]:
    """One box comes after the dealer."""
    passed = rng.choice(spots[:-1])
    return [*(spot for spot in spots if spot != passed), passed]


def drawn_on(
    fits: Callable[[BlackjackTable, Hand], bool], occasion: Occasion, *, sideways: bool = False
) -> How:
    """A finished hand is dealt one more card."""

    def draw_on(slip: Slip, hand: Hand) -> bool | None:
        table = slip.table
        if hand.state != "open" or not fits(table, hand):
            return None
        slip.happened = True
        if not sideways:
            table.say(PlayerDecision(hand.name, "hit"))
        hit(table, table.box_of(hand), hand, sideways=sideways)
        return True

    return once("after_hand", draw_on, occasion)


def dealer_draws(totals: range, draws: bool, occasion: Occasion) -> How:
    """The dealer draws on one of these totals, or stops, against the rule."""

    def otherwise(slip: Slip, due: bool) -> bool | None:
        table = slip.table
        wrong = due != draws and table.dealer_total in totals and any(hand.live for hand in table.hands())
        return draws if wrong else None

    return once("dealer_draws", otherwise, occasion)


class AllBust(Slip):
    """Every patron goes over 21; the dealer then draws though nothing turns on it, or not though Push 22 does."""

    def __init__(self, *, push22: bool) -> None:
        super().__init__(Occasion(up="56", hole=TEN, side=push22))
        self.push22 = push22

    def before_round(self) -> None:
        """Side wagers as this needs them."""
        for patron in self.table.life.patrons:
            patron.side_appetite = 1.0 if self.push22 else 0.0

    def wish(self, spot: str, /) -> Wish | None:
        """Ten, six, ten."""
        if self.happened or spot == DEALER:
            return super().wish(spot)
        held = len(self.table.hand_named(spot).cards)
        return lambda card: VALUES[card[0]] == (6 if held == 1 else 10)

    def choice(self, hand: Hand, choice: Choice, /) -> Choice:
        """All draw to the end."""
        return "hit" if self.now and hand.points < 21 else choice

    def dealer_draws(self, due: bool, /) -> bool:
        """Against the rule, once nothing but Push 22 is open."""
        table = self.table
        if any(hand.live for hand in table.hands()) or table.dealer_total >= STANDS_ON:
            return due
        wrong = due if self.push22 else not due and not count_matters(table)
        return not due if wrong and self.once() else due


def hole_shown_early(slip: Slip) -> bool | None:
    """The hole card is turned before the players act."""
    if slip.table.hole_open:
        return None
    reveal_hole(slip.table)
    return True


def without_dealer_blackjack(slip: Slip, due: bool) -> bool | None:
    """A due step is left out where the dealer has no Blackjack."""
    return False if due and not slip.table.dealer_blackjack else None


class SplitsOn(Slip):
    """One hand more than the chapter allows is split off."""

    def __init__(self) -> None:
        super().__init__(Occasion(first="8", up=LOW, play="split"))

    def wish(self, spot: str, /) -> Wish | None:
        """Eights for the victim."""
        victim = self.victim
        if self.now and victim is not None and spot.startswith(f"{victim.seat}."):
            return lambda card: card[0] == "8"
        return super().wish(spot)

    def choice(self, hand: Hand, choice: Choice, /) -> Choice:
        """Split whatever can be, and once what cannot."""
        box = self.table.box_of(hand)
        if not self.now or box is not self.victim or not same_value(hand.cards):
            return choice
        self.happened = len(box.hands) >= self.table.rules.most_hands
        return "split"


def dealt_at_once(slip: Slip, _hand: Hand, new: Hand) -> bool:
    """The new hand of a split gets its second card before the first is finished."""
    slip.happened = True
    new.cards.append(deal_up(slip.table, new.name))
    return True


def cards_handled(slip: Slip) -> bool | None:
    """A patron touches the cards."""
    box = slip.victim
    if box is None or not box.first.cards:
        return None
    slip.table.say(CardsHandled("player", box.first.name))
    return True


def paid_first(slip: Slip, due: bool) -> bool | None:
    """Winners are paid while losing wagers still lie there."""
    return False if due and {"win", "lose"} <= set(results_of(slip.table).values()) else None


def clockwise(slip: Slip, boxes: list[Box]) -> list[Box] | None:
    """Wagers are settled from the dealer's left, where two boxes lose."""
    results = results_of(slip.table)
    losing = [
        box
        for box in boxes
        if any(h.cash and h.state == "open" and results.get(h.name) == "lose" for h in box.hands)
    ]
    return boxes[::-1] if len(losing) > 1 and not slip.table.dealer_blackjack else None
