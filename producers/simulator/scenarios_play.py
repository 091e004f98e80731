"""Wagers, deal, decisions and the dealer's hand otherwise than the procedure says."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET
from msgspec.structs import replace

from producers.simulator.blackjack_hands import Box, Hand
from producers.simulator.blackjack_incidents import Wish
from producers.simulator.blackjack_rules import STANDS_ON, VALUES, Choice, Result
from producers.simulator.scenarios_money import LOSES
from producers.simulator.scenarios_side import LOW
from producers.simulator.scenarios_slips import ANY, TEN, Chosen, Delayed, Edited, Occasion, Slip, Wrong
from schemas.events import (
    BlackjackAnnounced,
    CardDrawn,
    CardPlaced,
    CardsHandled,
    DealerTotalAnnounced,
    PlayerDecision,
    WagerAltered,
    WagerPlaced,
)
from schemas.payload import Payload
from schemas.values import DEALER

DRAWN_TO_21 = Occasion(first="5", second="6", third=TEN, up=LOW, play="hit")


class LateWager(Delayed):
    """A wager is laid after the first card."""

    def __init__(self, kind: str) -> None:
        side = kind == "side"
        super().__init__(
            lambda slip, payload: (
                isinstance(payload, WagerPlaced) and slip.table.boxes != [] and self._late(payload)
            ),
            lambda _slip, payload: isinstance(payload, CardPlaced),
            Occasion(side=side, plain=not side),
        )
        self.side = side

    def _late(self, payload: WagerPlaced) -> bool:
        """A side wager, or the main wager of a second or later box that has none."""
        boxes = self.table.boxes
        if self.side:
            return payload.kind in ("push22", "match_dealer")
        return payload.kind == "main" and len(boxes) > 1 and not boxes[-1].side


class Altered(Slip):
    """A patron changes a main wager after the deal; it is played on as it then lies."""

    def __init__(self, chips: int) -> None:
        super().__init__()
        self.chips = chips

    def after_deal(self) -> None:
        """Press or pinch."""
        table = self.table
        box = self.victim
        if box is None or not box.first.live or not self.now:
            return
        cents = box.unit + self.chips * table.setup.chip_cents
        if table.setup.min_cents <= cents <= table.setup.max_cents:
            self.happened = True
            table.say(WagerAltered(box.seat, "main", box.unit, cents, "player"))
            box.unit = box.first.cash = cents


class DealOrder(Slip):
    """Cards of the first round go out in another order: two boxes exchanged, or one after the dealer."""

    def __init__(self, *, skipped: bool) -> None:
        super().__init__()
        self.skipped = skipped

    def deal_order(self, nth: int, spots: list[str], /) -> list[str]:
        """Change the first round."""
        if nth != 1 or len(spots) < 3 or not self.once():
            return spots
        if self.skipped:
            victim = self.table.rng.choice(spots[:-1])
            return [*(spot for spot in spots if spot != victim), victim]
        at = self.table.rng.randrange(len(spots) - 2)
        return [*spots[:at], spots[at + 1], spots[at], *spots[at + 2 :]]


class DrawsAfterwards(Slip):
    """A finished hand is dealt one more card, on 21, on a double or on split aces of 685a."""

    def __init__(self, which: str, occasion: Occasion) -> None:
        super().__init__(occasion)
        self.which = which

    def after_hand(self, hand: Hand, /) -> None:
        """Deal it."""
        table = self.table
        if self.now and hand.state == "open" and self._fits(hand):
            self.happened = True
            table.say(PlayerDecision(hand.name, "hit"))
            table.hit(table.box_of(hand), hand)

    def _fits(self, hand: Hand) -> bool:
        doubled = hand.double > 0 or "free_double" in hand.lammers
        if self.which == "double":
            return doubled and hand.points < 21
        if self.which == "aces":
            return self.table.box_of(hand).split and hand.cards[0][0] == "A" and len(hand.cards) == 2
        return hand.points == 21 and not doubled and len(hand.cards) > 2


class DealerDraws(Slip):
    """The dealer draws once too often or stops too early; `from_total` is when."""

    def __init__(self, totals: range, draws: bool, occasion: Occasion) -> None:
        super().__init__(occasion)
        self.totals = totals
        self.draws = draws

    def dealer_draws(self, due: bool, /) -> bool:
        """The other way, once."""
        if self.now and due != self.draws and self.table.dealer_total in self.totals:
            live = any(hand.live for hand in self.table.hands())
            if live:
                self.happened = True
                return self.draws
        return due


class DealerStops(DealerDraws):
    """The dealer stops below 17 and takes nothing more."""

    stopped = 0

    def dealer_draws(self, due: bool, /) -> bool:
        """Stop for good."""
        if self.stopped == self.table.number:
            return False
        draws = super().dealer_draws(due)
        if self.happened and not draws and due:
            self.stopped = self.table.number
        return draws


class AllBust(Slip):
    """Every patron goes over 21; the dealer then draws though nothing turns on it, or not though Push 22 does."""

    def __init__(self, *, push22: bool) -> None:
        super().__init__(Occasion(up="56", hole=TEN))
        self.push22 = push22
        self.stopped = 0

    def before_round(self) -> None:
        """Side wagers as this needs them."""
        super().before_round()
        for patron in self.table.life.patrons:
            patron.side_appetite = 1.0 if self.push22 else 0.0

    def wish(self, spot: str, /) -> Wish | None:
        """Ten, six, ten."""
        if self.happened or spot == DEALER:
            return super().wish(spot)
        held = next(len(hand.cards) for hand in self.table.hands() if hand.name == spot)
        return lambda card: VALUES[card[0]] == (6 if held == 1 else 10)

    def choice(self, hand: Hand, choice: Choice, /) -> Choice:
        """All draw to the end."""
        return "hit" if self.now and hand.points < 21 else choice

    def dealer_draws(self, due: bool, /) -> bool:
        """Against what nothing, or Push 22, asks."""
        table = self.table
        if self.stopped == table.number:
            return False
        if any(hand.live for hand in table.hands()) or table.dealer_total >= STANDS_ON:
            return due
        if self.push22 and due and self.once():
            self.stopped = table.number
            return False
        if not self.push22 and not due and table.count_matters() is False and self.once():
            return True
        return due


class EarlyHole(Slip):
    """The hole card is turned before the players act."""

    def before_action(self) -> None:
        """Turn it."""
        if not self.table.hole_open and self.once():
            self.table.reveal_hole()


class HoleUnread(Slip):
    """The hole card is not put into the reader; it makes no Blackjack."""

    def reads_hole(self, due: bool, /) -> bool:
        """Not this time."""
        return False if due and not self.table.dealer_blackjack and self.once() else due


class LargeUnshown(Slip):
    """Two Large cards, and the hole card is not shown before the players act."""

    def shows_large(self, due: bool, /) -> bool:
        """Not this time."""
        return False if due and not self.table.dealer_blackjack and self.once() else due


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
        pair = len(hand.cards) == 2 and VALUES[hand.cards[0][0]] == VALUES[hand.cards[1][0]]
        if not self.now or box is not self.victim or not pair:
            return choice
        if len(box.hands) >= self.table.rules.most_hands:
            self.happened = True
        return "split"


class SplitOrder(Slip):
    """The new hand gets its second card before the first is finished."""

    def after_split(self, _hand: Hand, new: Hand, /) -> None:
        """Deal it at once."""
        if self.once():
            new.cards.append(self.table.deal_up(new.name))


class Handled(Slip):
    """A patron touches the cards."""

    def before_action(self) -> None:
        """Before the first decision."""
        box = self.victim
        if box is not None and box.first.cards and self.once():
            self.table.say(CardsHandled("player", box.first.name))


class PaysFirst(Slip):
    """Winners are paid while losing wagers still lie there."""

    def collects_first(self, due: bool, /) -> bool:
        """Pay first where both are on the table."""
        results = set(self.table.results().values())
        return False if due and {"win", "lose"} <= results and self.once() else due


class SettlesClockwise(Slip):
    """Wagers are settled from the dealer's left."""

    def settle_order(self, boxes: list[Box], /) -> list[Box]:
        """Turn the order round where two boxes lose."""
        losing = [
            box
            for box in boxes
            if any(hand.state == "open" and self._loses(hand) for hand in box.hands if hand.cash)
        ]
        return boxes[::-1] if len(losing) > 1 and not self.table.dealer_blackjack and self.once() else boxes

    def _loses(self, hand: Hand) -> bool:
        results: dict[str, Result] = self.table.results()
        return results.get(hand.name) == "lose"


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
        how=lambda: Altered(10),
        free_bet=("6(c)#2", "6(c)#1"),
        down_under=("6(c)#2", "6(c)#1"),
    ),
    "bet_pinched": Wrong(
        doc="A patron takes from the main wager after the deal.",
        how=lambda: Altered(-10),
        free_bet=("6(c)#2",),
        down_under=("6(c)#2",),
        setup={"min_cents": 500},
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
        how=lambda: SettlesClockwise(LOSES),
        free_bet=("7(r)(1)#1",),
        down_under=("7(r)(1)#1",),
        setup={"settle_order": "collect_then_pay"},
    ),
    "settles_seats_clockwise": Wrong(
        doc="Seat after seat is settled, from the dealer's left instead of the right.",
        how=lambda: SettlesClockwise(LOSES),
        free_bet=("7(r)(2)#1",),
        down_under=("7(r)(2)#1",),
        setup={"settle_order": "seat_by_seat"},
    ),
}
