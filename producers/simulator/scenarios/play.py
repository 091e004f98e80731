"""Wagers, deal, decisions and the dealer's hand otherwise than the procedure says."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET
from msgspec.structs import replace

from producers.simulator.blackjack.hands import Hand
from producers.simulator.blackjack.rules import VALUES, Choice
from producers.simulator.scenarios.moves import (
    AllBust,
    Altered,
    DealerDraws,
    DealerStops,
    DealOrder,
    DrawsAfterwards,
    EarlyHole,
    Handled,
    HoleUnread,
    LargeUnshown,
    LateWager,
    PaysFirst,
    SettlesClockwise,
    SplitOrder,
    SplitsOn,
)
from producers.simulator.scenarios.side import LOW
from producers.simulator.scenarios.slips import ANY, TEN, Chosen, Edited, Occasion, Slip, Wrong
from schemas.events import BlackjackAnnounced, CardDrawn, CardPlaced, DealerTotalAnnounced
from schemas.payload import Payload

ALL_LOSE = Occasion(first=TEN, second="78", up=TEN, hole=TEN, play="stand", everyone=True)
DRAWN_TO_21 = Occasion(first="5", second="6", third=TEN, up=LOW, play="hit")


def _unequal(_slip: Slip, hand: Hand, _choice: Choice) -> Choice | None:
    fits = len(hand.cards) == 2 and VALUES[hand.cards[0][0]] != VALUES[hand.cards[1][0]]
    return "split" if fits and not _slip.table.box_of(hand).split else None


def _third_card_double(slip: Slip, hand: Hand, _choice: Choice) -> Choice | None:
    return (
        "double" if len(hand.cards) == 3 and hand.points < 17 and not slip.table.box_of(hand).split else None
    )


def _forbidden_surrender(slip: Slip, hand: Hand, _choice: Choice) -> Choice | None:
    return "surrender" if len(hand.cards) == 2 and not slip.table.box_of(hand).split else None


def _late_surrender(slip: Slip, hand: Hand, _choice: Choice) -> Choice | None:
    return "surrender" if len(hand.cards) == 3 and not slip.table.box_of(hand).split else None


def _total_off(_slip: Slip, payload: Payload) -> Sequence[Payload] | None:
    return (replace(payload, total=payload.total + 1),) if isinstance(payload, DealerTotalAnnounced) else None


def _upright(_slip: Slip, payload: Payload) -> Sequence[Payload] | None:
    fits = isinstance(payload, CardPlaced) and payload.sideways is True
    return (replace(payload, sideways=UNSET),) if fits else None


def _other_hand(slip: Slip, payload: Payload) -> Sequence[Payload] | None:
    fits = isinstance(payload, CardDrawn) and slip.table.boxes
    return (replace(payload, from_hand="other"),) if fits else None


def _dropped(event: type[Payload]) -> Edited:
    return Edited(
        lambda _slip, payload: () if isinstance(payload, event) else None, _OCCASIONS.get(event, ANY)
    )


_OCCASIONS: dict[type[Payload], Occasion] = {
    BlackjackAnnounced: Occasion(first="A", second=TEN, up=LOW),
    DealerTotalAnnounced: Occasion(up="6", hole=TEN, first=TEN, second=TEN, play="stand"),
}
DRAWS = _OCCASIONS[DealerTotalAnnounced]

PLAY: dict[str, Wrong] = {
    "late_bet": Wrong(
        doc="A main wager is laid after the first card.",
        how=lambda: LateWager("main"),
        free_bet=("6(c)#1", "7(e)#1", "6(d)"),
        down_under=("6(c)#1", "7(e)#1", "6(d)"),
    ),
    "late_side_bet": Wrong(
        doc="A side wager is laid after the first card.",
        how=lambda: LateWager("side"),
        free_bet=("6(c)#1", "7(e)#1"),
        down_under=("6(c)#1", "7(e)#1"),
    ),
    "bet_pressed": Wrong(
        doc="A patron adds to the main wager after the deal.",
        how=lambda: Altered(1),
        free_bet=("6(c)#2", "6(c)#1"),
        down_under=("6(c)#2", "6(c)#1"),
    ),
    "bet_pinched": Wrong(
        doc="A patron takes from the main wager after the deal.",
        how=lambda: Altered(-1),
        free_bet=("6(c)#2",),
        down_under=("6(c)#2",),
        setup={"min_cents": 500, "chip_cents": 50},
    ),
    "wrong_deal_order": Wrong(
        doc="Two boxes get their first cards in the wrong order.",
        how=lambda: DealOrder(skipped=False),
        free_bet=("7(e)#2", "7(e)(1)"),
        down_under=("7(e)#2", "7(e)(1)"),
    ),
    "seat_skipped": Wrong(
        doc="A box is passed over and gets its first card only after the dealer.",
        how=lambda: DealOrder(skipped=True),
        free_bet=("7(e)#2", "7(e)(1)", "7(e)(2)", "12(g)#2"),
        down_under=("7(e)#2", "7(e)(1)", "7(e)(2)", "12(f)#2"),
    ),
    "wrong_hand": Wrong(
        doc="A card leaves the shoe by the dealer's other hand.",
        how=lambda: Edited(_other_hand),
        free_bet=("7(b)#1", "7(b)#2"),
        down_under=("7(b)#1", "7(b)#2"),
    ),
    "cards_handled": Wrong(
        doc="A patron touches the cards.", how=Handled, free_bet=("7(t)",), down_under=("7(t)",)
    ),
    "hole_not_read": Wrong(
        doc="The hole card is not put into the reader where it must be.",
        how=lambda: HoleUnread(Occasion(up=TEN, hole=LOW)),
        free_bet=("7(g)#1",),
        down_under=("7(h)#1", "7(h)#6", "3(e)"),
    ),
    "large_hole_not_shown": Wrong(
        doc="Both cards of the dealer are Large and the hole card is not shown before action.",
        how=lambda: LargeUnshown(Occasion(up=TEN, hole=TEN)),
        down_under=("7(h)#7",),
    ),
    "hole_shown_early": Wrong(
        doc="The hole card is turned before the players have acted.",
        how=lambda: EarlyHole(Occasion(up="56789", hole=LOW)),
        free_bet=("7(k)", "7(e)(4)", "7(g)#2"),
        down_under=("7(l)", "7(e)(4)", "7(h)#2"),
    ),
    "blackjack_not_announced": Wrong(
        doc="A player's Blackjack is paid without being announced.",
        how=lambda: _dropped(BlackjackAnnounced),
        free_bet=("7(h)(1)#1",),
        down_under=("7(i)(1)#1",),
    ),
    "draw_on_21": Wrong(
        doc="A hand of 21 is dealt another card.",
        how=lambda: DrawsAfterwards("21", DRAWN_TO_21),
        free_bet=("7(j)(1)", "7(j)"),
        down_under=("7(k)(1)", "7(k)"),
    ),
    "second_card_on_double": Wrong(
        doc="A doubled hand is dealt a second card.",
        how=lambda: DrawsAfterwards(
            "double", Occasion(first="5", second="6", third="23456", up="6", play="double")
        ),
        free_bet=("7(j)(2)", "9(c)#1"),
        down_under=("7(k)(2)", "9(a)#3"),
    ),
    "split_aces_drawn_on": Wrong(
        doc="A split ace is dealt a second card more.",
        how=lambda: DrawsAfterwards("aces", Occasion(first="A", matching=True, up=LOW, play="split")),
        down_under=("10(e)",),
    ),
    "double_card_upright": Wrong(
        doc="The card of a double is not laid sideways.",
        how=lambda: Edited(_upright, Occasion(first="5", second="6", up="6", play="double")),
        free_bet=("9(c)#2",),
        down_under=("9(c)#2",),
    ),
    "double_on_three_cards": Wrong(
        doc="A hand of three cards is doubled.",
        how=lambda: Chosen(_third_card_double, Occasion(first="23", second="45", third="23456", play="hit")),
        free_bet=("9(a)",),
        down_under=("9(a)#1",),
    ),
    "split_unequal_cards": Wrong(
        doc="Two cards of unequal value are split.",
        how=lambda: Chosen(_unequal),
        free_bet=("10(a)",),
        down_under=("10(a)#1",),
    ),
    "one_hand_too_many": Wrong(
        doc="A fifth hand is split off; under 685a a third.",
        how=SplitsOn,
        free_bet=("10(d)#2",),
        down_under=("10(c)#2",),
        setup={"decks": 6},
    ),
    "split_out_of_order": Wrong(
        doc="The second hand of a split gets a card before the first is finished.",
        how=lambda: SplitOrder(Occasion(first="8", matching=True, up=LOW, play="split")),
        free_bet=("10(c)",),
        down_under=("10(b)",),
    ),
    "surrender_not_offered": Wrong(
        doc="A patron surrenders where the chapter has no surrender.",
        how=lambda: Chosen(_forbidden_surrender),
        only_672a=("7(h)(2)#2",),
        down_under=("7(i)(2)#2",),
    ),
    "surrender_after_hit": Wrong(
        doc="A patron surrenders after having drawn a card.",
        how=lambda: Chosen(
            _late_surrender, Occasion(first="34", second="23", third="45", up=LOW, play="hit")
        ),
        only_590=("9(a)#1", "9(a)#2"),
    ),
    "dealer_hits_17": Wrong(
        doc="The dealer draws on a standing total, and the card counts.",
        how=lambda: DealerDraws(
            range(17, 22), True, Occasion(up=TEN, hole="7", first=TEN, second="9", play="stand")
        ),
        free_bet=("7(l)#1", "12(d)"),
        down_under=("7(m)#1", "12(d)"),
    ),
    "dealer_stands_16": Wrong(
        doc="The dealer stops below 17.",
        how=lambda: DealerStops(
            range(12, 17), False, Occasion(up=TEN, hole="6", first=TEN, second="9", play="stand")
        ),
        free_bet=("7(l)#1",),
        down_under=("7(m)#1",),
    ),
    "draws_when_barred": Wrong(
        doc="The dealer draws although his count can change nothing.",
        how=lambda: AllBust(push22=False),
        free_bet=("7(m)#1",),
    ),
    "no_draw_for_push22": Wrong(
        doc="All hands are over 21, Push 22 is open, and the dealer does not draw.",
        how=lambda: AllBust(push22=True),
        only_672a=("7(m)#2", "7(l)#1"),
        only_590=("7(l)#1", "7(m)"),
    ),
    "wrong_total": Wrong(
        doc="The dealer announces a wrong total.",
        how=lambda: Edited(_total_off, DRAWS),
        free_bet=("7(l)#3",),
        down_under=("7(m)#3",),
    ),
    "total_not_announced": Wrong(
        doc="The dealer draws a card and announces no total.",
        how=lambda: _dropped(DealerTotalAnnounced),
        free_bet=("7(l)#3",),
        down_under=("7(m)#3",),
    ),
    "pays_before_collecting": Wrong(
        doc="Winners are paid before all losing wagers are in.",
        how=lambda: PaysFirst(Occasion(first=TEN, second=TEN, up=TEN, hole="89", play="stand")),
        free_bet=("7(r)(1)#2",),
        down_under=("7(r)(1)#2",),
        setup={"settle_order": "collect_then_pay"},
    ),
    "settles_clockwise": Wrong(
        doc="Wagers are settled from the dealer's left instead of the right.",
        how=lambda: SettlesClockwise(ALL_LOSE),
        free_bet=("7(r)(1)#1",),
        down_under=("7(r)(1)#1",),
        setup={"settle_order": "collect_then_pay"},
    ),
    "settles_seats_clockwise": Wrong(
        doc="Seat after seat is settled, from the dealer's left instead of the right.",
        how=lambda: SettlesClockwise(ALL_LOSE),
        free_bet=("7(r)(2)#1",),
        down_under=("7(r)(2)#1",),
        setup={"settle_order": "seat_by_seat"},
    ),
}
