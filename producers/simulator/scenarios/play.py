"""Wagers, deal, decisions and the dealer's hand otherwise than the procedure says."""

from collections.abc import Callable

from msgspec import UNSET
from msgspec.structs import replace

from producers.simulator.blackjack.hands import Hand
from producers.simulator.blackjack.rules import LOW, Choice, same_value
from producers.simulator.scenarios import moves
from producers.simulator.scenarios.occasion import ANY, TEN, Occasion
from producers.simulator.scenarios.side import SPLITS
from producers.simulator.scenarios.slips import How, Slip, Way, edited, left_out, once
from schemas.events import BlackjackAnnounced, CardDrawn, CardPlaced, DealerTotalAnnounced

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


def _chosen(
    choice: Choice, cards: int, occasion: Occasion, fits: Callable[[Hand], bool] = lambda _hand: True
) -> How:
    """A patron makes a choice with so many cards of an unsplit hand, whether the rules allow it or not."""

    def choose(slip: Slip, hand: Hand, _choice: Choice) -> Choice | None:
        unsplit = len(hand.cards) == cards and not slip.table.box_of(hand).split
        return choice if unsplit and fits(hand) else None

    return once("choice", choose, occasion)


WAYS: dict[str, Way] = {
    "late_bet": Way(moves.late_wager(side=False)),
    "late_side_bet": Way(moves.late_wager(side=True)),
    "bet_pressed": Way(moves.altered(1)),
    "bet_pinched": Way(moves.altered(-1), setup={"min_cents": 500, "chip_cents": 50}),
    "wrong_deal_order": Way(moves.first_cards(moves.two_exchanged)),
    "seat_skipped": Way(moves.first_cards(moves.one_passed_over)),
    "wrong_hand": Way(
        edited(CardDrawn, lambda s, e: (replace(e, from_hand="other"),) if s.table.boxes else None)
    ),
    "cards_handled": Way(once("before_action", moves.cards_handled)),
    "hole_not_read": Way(
        once("reads_hole", moves.without_dealer_blackjack, Occasion(up=TEN, hole=LOW, no_surrender=True))
    ),
    "large_hole_not_shown": Way(
        once("shows_large", moves.without_dealer_blackjack, Occasion(up=TEN, hole=TEN))
    ),
    "hole_shown_early": Way(once("before_action", moves.hole_shown_early, Occasion(up="56789", hole=LOW))),
    "blackjack_not_announced": Way(left_out(BlackjackAnnounced, BLACKJACK)),
    "draw_on_21": Way(
        moves.drawn_on(
            lambda _t, hand: hand.points == 21 and not hand.doubled and len(hand.cards) > 2, DRAWN_TO_21
        )
    ),
    "second_card_on_double": Way(
        moves.drawn_on(lambda _t, hand: hand.doubled and hand.points < 21, DOUBLES_LOW, sideways=True)
    ),
    "split_aces_drawn_on": Way(
        moves.drawn_on(
            lambda t, hand: t.box_of(hand).split and hand.cards[0][0] == "A" and len(hand.cards) == 2,
            SPLITS_ACES,
        )
    ),
    "double_card_upright": Way(
        edited(
            CardPlaced, lambda _s, e: (replace(e, sideways=UNSET),) if e.sideways is True else None, DOUBLES
        )
    ),
    "double_on_three_cards": Way(_chosen("double", 3, HITS_ONCE, lambda hand: hand.points < 17)),
    "split_unequal_cards": Way(_chosen("split", 2, ANY, lambda hand: not same_value(hand.cards))),
    "one_hand_too_many": Way(moves.SplitsOn, setup={"decks": 6}),
    "split_out_of_order": Way(once("after_split", moves.dealt_at_once, SPLITS)),
    "surrender_not_offered": Way(_chosen("surrender", 2, ANY)),
    "surrender_after_hit": Way(_chosen("surrender", 3, HITS_BEFORE_SURRENDER)),
    "dealer_hits_17": Way(moves.dealer_draws(range(17, 22), True, DEALER_17)),
    "dealer_stands_16": Way(moves.dealer_draws(range(12, 17), False, DEALER_16)),
    "draws_when_barred": Way(lambda: moves.AllBust(push22=False)),
    "no_draw_for_push22": Way(lambda: moves.AllBust(push22=True)),
    "wrong_total": Way(
        edited(DealerTotalAnnounced, lambda _s, e: (replace(e, total=e.total + 1),), DEALER_DRAWS)
    ),
    "total_not_announced": Way(left_out(DealerTotalAnnounced, DEALER_DRAWS)),
    "pays_before_collecting": Way(once("collects_first", moves.paid_first, ONE_WINS), setup=TOGETHER),
    "settles_clockwise": Way(once("settle_order", moves.clockwise, ALL_LOSE), setup=TOGETHER),
    "settles_seats_clockwise": Way(
        once("settle_order", moves.clockwise, ALL_LOSE), setup={"settle_order": "seat_by_seat"}
    ),
}
