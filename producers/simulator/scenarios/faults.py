"""Irregularities that are not put right as the regulation orders."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from producers.simulator.blackjack.action import hit
from producers.simulator.blackjack.drawing import draw
from producers.simulator.blackjack.early_ends import void
from producers.simulator.blackjack.hands import Hand
from producers.simulator.blackjack.incidents.devices import FAULT, RANGES, REPAIR_SECONDS
from producers.simulator.blackjack.rules import LARGE, STANDS_ON, Choice, Range
from producers.simulator.scenarios.slips import Edited, Occasion, Slip, Wrong
from schemas.events import (
    CardDrawn,
    CardExposed,
    CardRefused,
    DeviceFault,
    DeviceInspected,
    DeviceRestored,
    FloorpersonNotified,
    PlayerRequest,
    WagerSettled,
)
from schemas.payload import Payload
from schemas.values import DEALER, UNKNOWN

NOT_LARGE = "23456789"


class WrongRangeIgnored(Slip):
    """A wrong light or area, and nobody orders anything for the hands."""

    def __init__(self, what: str) -> None:
        super().__init__(Occasion(up=NOT_LARGE))
        self.what = what

    def light(self, true: Range, /) -> Range:
        """Another colour."""
        return self._other(true) if self.what == "light" else true

    def area(self, lit: Range, /) -> Range:
        """Another area."""
        return self._other(lit) if self.what == "area" else lit

    def _other(self, right: Range) -> Range:
        if self.table.up[0] in LARGE or not self.once():
            return right
        return self.table.rng.choice([other for other in RANGES if other != right])


class PeekUnreported(Slip):
    """A needless reading of the hole card that no floorperson hears of."""

    def reads_hole(self, due: bool, /) -> bool:
        """Read it anyway."""
        return due or self.once()


class FaultIgnored(Slip):
    """The reader fails, and the round is dealt on; it is repaired only afterwards."""

    failed = 0

    def before_reader(self) -> None:
        """Fail."""
        table = self.table
        if self.once():
            self.failed = table.number
            table.say(DeviceFault(table.rules.reader, "malfunction"))
            table.say(FloorpersonNotified(FAULT, table.life.floorperson))

    def after_round(self) -> None:
        """Repair at last."""
        table = self.table
        if self.failed == table.number:
            table.writer.pass_time(REPAIR_SECONDS)
            table.say(DeviceRestored(table.rules.reader, "repaired"))
            table.say(
                DeviceInspected(table.rules.reader, table.life.floorperson, working=True, tampered=False)
            )


class MissedCardWrong(Slip):
    """A patron asks for a card and is overlooked; what follows is not the patron's choice."""

    def __init__(self, how: str) -> None:
        super().__init__(Occasion(first="56", second="56", up=NOT_LARGE, hole=NOT_LARGE, play="hit"))
        self.how = how
        self.hand: Hand | None = None

    def misses(self, hand: Hand, /) -> bool:
        """Overlook the victim."""
        if self.now and self.is_victim(hand) and len(hand.cards) == 2 and hand.points < STANDS_ON:
            self.happened = True
            self.hand = hand
            return True
        return False

    def wants_late_card(self, _hand: Hand, /) -> bool:
        """A dead hand is what the patron wants where the dealer then takes the wager."""
        return self.how != "collected"

    def after_hand(self, hand: Hand, /) -> None:
        """Forget the patron."""
        if hand is self.hand and self.how != "collected":
            self.table.missed.clear()

    def after_reveal(self) -> None:
        """The card comes after the hole card is known."""
        table, hand = self.table, self.hand
        if hand is not None and self.how == "too_late" and hand.live:
            table.say(PlayerRequest(hand.seat, "late_card"))
            hit(table, table.box_of(hand), hand)
        self.hand = hand if self.how == "collected" else None

    def edit(self, payload: Payload, /) -> Sequence[Payload]:
        """Collect what has to be returned."""
        hand = self.hand
        if hand is None or self.how != "collected" or hand.state != "dead":
            return (payload,)
        if isinstance(payload, WagerSettled) and payload.hand == hand.name:
            self.hand = None
            return (replace(payload, outcome="collect"),)
        return (payload,)


class NoCardsCollected(Slip):
    """A hand gets no cards, is called dead, and its wager is collected."""

    def __init__(self) -> None:
        super().__init__(Occasion(plain=True))

    def deal_order(self, _nth: int, spots: list[str], /) -> list[str]:
        """Pass the victim over."""
        box = self.victim
        if box is None or box.side or len(self.table.boxes) < 2 or not self.now:
            return spots
        return [spot for spot in spots if spot != box.first.name]

    def after_deal(self) -> None:
        """Call it dead."""
        for box in self.table.boxes:
            if not box.first.cards and self.now:
                void(self.table, box, box.first, "no cards dealt")

    def edit(self, payload: Payload, /) -> Sequence[Payload]:
        """Collect what has to be returned."""
        box = self._victim
        dead = box is not None and box.first.state == "dead" and not box.first.cards
        if dead and isinstance(payload, WagerSettled) and payload.kind == "main" and self.once():
            return (replace(payload, outcome="collect"),)
        return (payload,)


class RefusedCardRacked(Slip):
    """One patron refuses an exposed card, which is then offered to nobody else; the patron gets another."""

    def __init__(self) -> None:
        super().__init__(Occasion(first="56", second="34", up=NOT_LARGE, play="hit"))

    def before_action(self) -> None:
        """Draw it in error."""
        table = self.table
        if self.now and any(self.is_victim(hand) and hand.live for hand in table.hands()):
            table.waiting = draw(table, table.boxes[0].first.name)
            table.waiting_seen = True
            table.say(CardDrawn(table.waiting, "shoe_side"))
            table.say(CardExposed(table.waiting, "drawn_in_error"))

    def choice(self, hand: Hand, choice: Choice, /) -> Choice:
        """The first who would get it refuses, and is dealt the next one."""
        table = self.table
        choice = super().choice(hand, choice)
        if table.waiting is not None and choice == "hit" and self.once():
            table.say(CardRefused(hand.seat))
            table.rack(DEALER, [table.waiting], "refused")
            table.waiting, table.waiting_seen = None, False
        return choice


class BoxedCardUsed(Edited):
    """A card found face up in the shoe is dealt all the same."""

    def __init__(self) -> None:
        super().__init__(self._show)

    @staticmethod
    def _show(slip: Edited, payload: Payload) -> Sequence[Payload] | None:
        if isinstance(payload, CardDrawn) and payload.card != UNKNOWN and not slip.table.hole:
            return (payload, CardExposed(payload.card, "in_shoe"))
        return None


class AccidentalCardKept(Slip):
    """A card that the dealer drew while standing is left out of the rack."""

    def after_dealer(self) -> None:
        """Draw one too many and forget it."""
        table = self.table
        if table.dealer_total >= STANDS_ON and self.once():
            card = draw(table, DEALER)
            table.say(CardDrawn(card, "shoe_side"))
            table.shoe.to_rack([card])


FAULTS: dict[str, Wrong] = {
    "wrong_light_ignored": Wrong(
        doc="The Masque reader lights the wrong colour and nothing is ordered for the hands.",
        how=lambda: WrongRangeIgnored("light"),
        down_under=("12(h)#1", "12(h)#2", "7(h)#3", "7(h)#4", "7(h)#5", "3(e)(1)", "3(e)(2)", "3(e)(3)"),
    ),
    "wrong_area_ignored": Wrong(
        doc="The dealer's hand lies in the wrong area and nothing is ordered for the hands.",
        how=lambda: WrongRangeIgnored("area"),
        down_under=("12(h)#1", "12(h)#2", "7(h)#6"),
    ),
    "peek_not_reported": Wrong(
        doc="The hole card is read without need and no floorperson is told.",
        how=lambda: PeekUnreported(Occasion(up=NOT_LARGE)),
        free_bet=("12(i)",),
    ),
    "dealt_with_faulty_reader": Wrong(
        doc="The reader fails and dealing goes on.",
        how=lambda: FaultIgnored(Occasion(up="TJQK", hole=NOT_LARGE)),
        free_bet=("12(j)",),
        down_under=("12(i)",),
    ),
    "missed_card_forgotten": Wrong(
        doc="A patron who asked for a card gets none and is offered no choice.",
        how=lambda: MissedCardWrong("forgotten"),
        free_bet=("12(h)#1", "7(i)"),
        down_under=("12(g)#1", "7(j)"),
    ),
    "missed_card_after_hole": Wrong(
        doc="An overlooked card is dealt only after the hole card was shown.",
        how=lambda: MissedCardWrong("too_late"),
        free_bet=("12(h)#2", "12(h)#1", "7(k)"),
        down_under=("12(g)#2", "12(g)#1", "7(l)"),
    ),
    "dead_hand_collected": Wrong(
        doc="The wager of a hand called dead for an overlooked card is collected.",
        how=lambda: MissedCardWrong("collected"),
        free_bet=("12(h)#3",),
        down_under=("12(g)#3",),
    ),
    "no_cards_collected": Wrong(
        doc="The wager of a hand that got no cards is collected.",
        how=NoCardsCollected,
        free_bet=("12(g)#1",),
        down_under=("12(f)#1",),
    ),
    "refused_card_not_offered_on": Wrong(
        doc="A card drawn in error is racked after one refusal, and the patron gets another.",
        how=RefusedCardRacked,
        free_bet=("12(c)#1", "12(c)#2", "12(c)#3"),
        down_under=("12(c)#1", "12(c)#2", "12(c)#3"),
    ),
    "boxed_card_used": Wrong(
        doc="A card found face up in the shoe is dealt.",
        how=BoxedCardUsed,
        free_bet=("12(a)#1", "12(a)#2"),
        down_under=("12(a)#1", "12(a)#2"),
    ),
    "accidental_card_not_racked": Wrong(
        doc="A card that the standing dealer drew by accident does not appear in the rack.",
        how=AccidentalCardKept,
        free_bet=("12(d)", "7(s)"),
        down_under=("12(d)", "7(s)"),
        integrity=("shoe", "witness"),
    ),
}
