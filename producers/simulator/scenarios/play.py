"""Wagers, deal, decisions and the dealer's hand otherwise than the procedure says."""

from __future__ import annotations

import random
from collections.abc import Callable

from msgspec import UNSET
from msgspec.structs import replace

from producers.simulator.blackjack.action import hit
from producers.simulator.blackjack.course import Wish
from producers.simulator.blackjack.dealing import count_matters
from producers.simulator.blackjack.drawing import deal_up, reveal_hole
from producers.simulator.blackjack.hands import BettingBox, SimulatedHand
from producers.simulator.blackjack.rules import LOW, STANDS_ON, TEN, VALUES, Choice, same_value
from producers.simulator.blackjack.settlement import results_of
from producers.simulator.blackjack.table import BlackjackTable
from producers.simulator.scenarios.money import chips
from producers.simulator.scenarios.side import SPLITS
from producers.simulator.scenarios.slips import How, Occasion, Slip, Way, delayed, edited, left_out, once
from schemas import events
from schemas.values import DEALER

ALL_LOSE = Occasion(first=TEN, second="78", up=TEN, hole=TEN, play="stand", everyone=True)
ONE_WINS = Occasion(first=TEN, second=TEN, up=TEN, hole="89", play="stand")
BLACKJACK = Occasion(first="A", second=TEN, up=LOW)
DRAWN_TO_21 = Occasion(first="5", second="6", third=TEN, up=LOW, play="hit")
DOUBLES = Occasion(first="5", second="6", up="6", play="double")
DOUBLES_LOW = Occasion(first="5", second="6", third="23456", up="6", play="double")
HITS_ONCE = Occasion(first="23", second="45", third="23456", play="hit")
HITS_BEFORE_SURRENDER = Occasion(first="34", second="23", third="45", up=LOW, play="hit")
SPLITS_ACES = Occasion(first="A", matching=True, up=LOW, play="split")
DEALER_DRAWS = Occasion(up="6", hole=TEN, first=TEN, second=TEN, play="stand")
DEALER_17 = Occasion(up=TEN, hole="7", first=TEN, second="9", play="stand")
DEALER_16 = Occasion(up=TEN, hole="6", first=TEN, second="9", play="stand")
TOGETHER = {"settle_order": "collect_then_pay"}


def _late_wager(*, side: bool) -> How:
    """A side wager, or the main wager of a second or later box without one, is laid after the first card."""

    def late(slip: Slip, event: events.WagerPlaced) -> bool:
        boxes = slip.table.boxes
        if side:
            return boxes != [] and event.kind in ("push22", "match_dealer")
        return event.kind == "main" and len(boxes) > 1 and not boxes[-1].side

    return delayed(events.WagerPlaced, events.CardPlaced, Occasion(side=side, plain=not side), late)


def _altered(sign: int) -> How:
    """A patron changes a main wager after the deal; it is played on as it then lies."""

    def alter(slip: Slip) -> bool | None:
        table, box = slip.table, slip.victim
        if box is None or not box.first.live:
            return None
        cents = box.unit + sign * chips(slip, box.unit)
        if not table.setup.min_cents <= cents <= table.setup.max_cents:
            return None
        table.say(events.WagerAltered(box.seat, "main", box.unit, cents, "player"))
        box.unit = box.first.cash = cents
        return True

    return once("after_deal", alter)


def _first_cards(change: Callable[[random.Random, list[str]], list[str]]) -> How:
    """The first cards go out in another order than that of the spots; `change` gives it."""

    def order(slip: Slip, nth: int, spots: list[str]) -> list[str] | None:
        return change(slip.table.rng, spots) if nth == 1 and len(spots) > 2 else None

    return once("deal_order", order)


def _two_exchanged(rng: random.Random, spots: list[str]) -> list[str]:
    """Two boxes change places."""
    at = rng.randrange(len(spots) - 2)
    return [*spots[:at], spots[at + 1], spots[at], *spots[at + 2 :]]


def _one_passed_over(rng: random.Random, spots: list[str]) -> list[str]:
    """One box comes after the dealer."""
    passed = rng.choice(spots[:-1])
    return [*(spot for spot in spots if spot != passed), passed]


def _drawn_on(
    fits: Callable[[BlackjackTable, SimulatedHand], bool], occasion: Occasion, *, sideways: bool = False
) -> How:
    """A finished hand is dealt one more card."""

    def draw_on(slip: Slip, hand: SimulatedHand) -> bool | None:
        table = slip.table
        if hand.state != "open" or not fits(table, hand):
            return None
        slip.happened = True
        if not sideways:
            table.say(events.PlayerDecision(hand.name, "hit"))
        hit(table, table.box_of(hand), hand, sideways=sideways)
        return True

    return once("after_hand", draw_on, occasion)


def _dealer_draws(totals: range, draws: bool, occasion: Occasion) -> How:
    """The dealer draws on one of these totals, or stops, against the rule."""

    def otherwise(slip: Slip, due: bool) -> bool | None:
        table = slip.table
        wrong = due != draws and table.dealer_total in totals and any(hand.live for hand in table.hands())
        return draws if wrong else None

    return once("dealer_draws", otherwise, occasion)


class _AllBust(Slip):
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

    def choice(self, hand: SimulatedHand, choice: Choice, /) -> Choice:
        """All draw to the end."""
        return "hit" if self.now and hand.points < 21 else choice

    def dealer_draws(self, due: bool, /) -> bool:
        """Against the rule, once nothing but Push 22 is open."""
        table = self.table
        if any(hand.live for hand in table.hands()) or table.dealer_total >= STANDS_ON:
            return due
        wrong = due if self.push22 else not due and not count_matters(table)
        return not due if wrong and self.once() else due


def _hole_shown_early(slip: Slip) -> bool | None:
    """The hole card is turned before the players act."""
    if slip.table.hole_open:
        return None
    reveal_hole(slip.table)
    return True


def _without_dealer_blackjack(slip: Slip, due: bool) -> bool | None:
    """A due step is left out where the dealer has no Blackjack."""
    return False if due and not slip.table.dealer_blackjack else None


class _SplitsOn(Slip):
    """One hand more than the chapter allows is split off."""

    def __init__(self) -> None:
        super().__init__(Occasion(first="8", up=LOW, play="split"))

    def wish(self, spot: str, /) -> Wish | None:
        """Eights for the victim."""
        victim = self.victim
        if self.now and victim is not None and spot.startswith(f"{victim.seat}."):
            return lambda card: card[0] == "8"
        return super().wish(spot)

    def choice(self, hand: SimulatedHand, choice: Choice, /) -> Choice:
        """Split whatever can be, and once what cannot."""
        box = self.table.box_of(hand)
        if not self.now or box is not self.victim or not same_value(hand.cards):
            return choice
        self.happened = len(box.hands) >= self.table.rules.most_hands
        return "split"


def _dealt_at_once(slip: Slip, _hand: SimulatedHand, new: SimulatedHand) -> bool:
    """The new hand of a split gets its second card before the first is finished."""
    slip.happened = True
    new.cards.append(deal_up(slip.table, new.name))
    return True


def _cards_handled(slip: Slip) -> bool | None:
    """A patron touches the cards."""
    box = slip.victim
    if box is None or not box.first.cards:
        return None
    slip.table.say(events.CardsHandled("player", box.first.name))
    return True


def _paid_first(slip: Slip, due: bool) -> bool | None:
    """Winners are paid while losing wagers still lie there."""
    return False if due and {"win", "lose"} <= set(results_of(slip.table).values()) else None


def _clockwise(slip: Slip, boxes: list[BettingBox]) -> list[BettingBox] | None:
    """Wagers are settled from the dealer's left, where two boxes lose."""
    results = results_of(slip.table)
    losing = [
        box
        for box in boxes
        if any(h.cash and h.state == "open" and results.get(h.name) == "lose" for h in box.hands)
    ]
    return boxes[::-1] if len(losing) > 1 and not slip.table.dealer_blackjack else None


def _chosen(
    choice: Choice, cards: int, occasion: Occasion, fits: Callable[[SimulatedHand], bool] = lambda _hand: True
) -> How:
    """A patron makes a choice with so many cards of an unsplit hand, whether the rules allow it or not."""

    def choose(slip: Slip, hand: SimulatedHand, _choice: Choice) -> Choice | None:
        unsplit = len(hand.cards) == cards and not slip.table.box_of(hand).split
        return choice if unsplit and fits(hand) else None

    return once("choice", choose, occasion)


WAYS: dict[str, Way] = {
    "late_bet": Way(_late_wager(side=False)),
    "late_side_bet": Way(_late_wager(side=True)),
    "bet_pressed": Way(_altered(1)),
    "bet_pinched": Way(_altered(-1), setup={"min_cents": 500, "chip_cents": 50}),
    "wrong_deal_order": Way(_first_cards(_two_exchanged)),
    "seat_skipped": Way(_first_cards(_one_passed_over)),
    "wrong_hand": Way(
        edited(events.CardDrawn, lambda s, e: (replace(e, from_hand="other"),) if s.table.boxes else None)
    ),
    "cards_handled": Way(once("before_action", _cards_handled)),
    "hole_not_read": Way(
        once("reads_hole", _without_dealer_blackjack, Occasion(up=TEN, hole=LOW, no_surrender=True))
    ),
    "large_hole_not_shown": Way(once("shows_large", _without_dealer_blackjack, Occasion(up=TEN, hole=TEN))),
    "hole_shown_early": Way(once("before_action", _hole_shown_early, Occasion(up="56789", hole=LOW))),
    "blackjack_not_announced": Way(left_out(events.BlackjackAnnounced, BLACKJACK)),
    "draw_on_21": Way(
        _drawn_on(
            lambda _t, hand: hand.points == 21 and not hand.doubled and len(hand.cards) > 2, DRAWN_TO_21
        )
    ),
    "second_card_on_double": Way(
        _drawn_on(lambda _t, hand: hand.doubled and hand.points < 21, DOUBLES_LOW, sideways=True)
    ),
    "split_aces_drawn_on": Way(
        _drawn_on(
            lambda t, hand: t.box_of(hand).split and hand.cards[0][0] == "A" and len(hand.cards) == 2,
            SPLITS_ACES,
        )
    ),
    "double_card_upright": Way(
        edited(
            events.CardPlaced,
            lambda _s, e: (replace(e, sideways=UNSET),) if e.sideways is True else None,
            DOUBLES,
        )
    ),
    "double_on_three_cards": Way(_chosen("double", 3, HITS_ONCE, lambda hand: hand.points < 17)),
    "split_unequal_cards": Way(_chosen("split", 2, Occasion(), lambda hand: not same_value(hand.cards))),
    "one_hand_too_many": Way(_SplitsOn, setup={"decks": 6}),
    "split_out_of_order": Way(once("after_split", _dealt_at_once, SPLITS)),
    "surrender_not_offered": Way(_chosen("surrender", 2, Occasion())),
    "surrender_after_hit": Way(_chosen("surrender", 3, HITS_BEFORE_SURRENDER)),
    "dealer_hits_17": Way(_dealer_draws(range(17, 22), True, DEALER_17)),
    "dealer_stands_16": Way(_dealer_draws(range(12, 17), False, DEALER_16)),
    "draws_when_barred": Way(lambda: _AllBust(push22=False)),
    "no_draw_for_push22": Way(lambda: _AllBust(push22=True)),
    "wrong_total": Way(
        edited(events.DealerTotalAnnounced, lambda _s, e: (replace(e, total=e.total + 1),), DEALER_DRAWS)
    ),
    "total_not_announced": Way(left_out(events.DealerTotalAnnounced, DEALER_DRAWS)),
    "pays_before_collecting": Way(once("collects_first", _paid_first, ONE_WINS), setup=TOGETHER),
    "settles_clockwise": Way(once("settle_order", _clockwise, ALL_LOSE), setup=TOGETHER),
    "settles_seats_clockwise": Way(
        once("settle_order", _clockwise, ALL_LOSE), setup={"settle_order": "seat_by_seat"}
    ),
}
