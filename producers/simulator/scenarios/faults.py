"""Irregularities that are not put right as the regulation orders."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from producers.simulator.blackjack.action import hit
from producers.simulator.blackjack.drawing import draw, draw_in_error
from producers.simulator.blackjack.early_ends import void
from producers.simulator.blackjack.hands import SimulatedHand
from producers.simulator.blackjack.incidents.devices import break_reader, other_range, restore_reader
from producers.simulator.blackjack.rules import LARGE, LOW, STANDS_ON, Choice, Range
from producers.simulator.scenarios.slips import How, Occasion, Slip, Way, edited, once
from schemas.events import CardDrawn, CardExposed, CardRefused, PlayerRequest, WagerSettled
from schemas.payload import Payload
from schemas.values import DEALER, UNKNOWN


class _FaultIgnored(Slip):
    """The reader fails, and the round is dealt on; it is repaired only afterwards."""

    failed = 0

    def before_reader(self) -> None:
        if self.once():
            self.failed = self.table.number
            break_reader(self.table)

    def after_round(self) -> None:
        if self.failed == self.table.number:
            restore_reader(self.table, "repaired")


class _MissedCardWrong(Slip):
    """A patron requests a card and is overlooked; what follows is not the patron's choice."""

    def __init__(self, how: str) -> None:
        super().__init__(Occasion(first="56", second="56", up=LOW, hole=LOW, play="hit"))
        self.how = how
        self.hand: SimulatedHand | None = None

    def misses(self, hand: SimulatedHand, /) -> bool:
        if self.now and self.is_victim(hand) and len(hand.cards) == 2 and hand.points < STANDS_ON:
            self.happened = True
            self.hand = hand
            return True
        return False

    def wants_late_card(self, _hand: SimulatedHand, /) -> bool:
        """A dead hand is what the patron wants where the dealer then takes the wager."""
        return self.how != "collected"

    def after_hand(self, hand: SimulatedHand, /) -> None:
        if hand is self.hand and self.how != "collected":
            self.table.missed.clear()

    def after_reveal(self) -> None:
        table, hand = self.table, self.hand
        if hand is not None and self.how == "too_late" and hand.live:
            table.say(PlayerRequest(hand.seat, "late_card"))
            hit(table, table.box_of(hand), hand)
        self.hand = hand if self.how == "collected" else None

    def edit(self, payload: Payload, /) -> Sequence[Payload]:
        hand = self.hand
        if hand is None or self.how != "collected" or hand.state != "dead":
            return (payload,)
        if isinstance(payload, WagerSettled) and payload.hand == hand.name:
            self.hand = None
            return (replace(payload, outcome="collect"),)
        return (payload,)


class _NoCardsCollected(Slip):
    """A hand gets no cards, is called dead, and its wager is collected."""

    def __init__(self) -> None:
        super().__init__(Occasion(plain=True))

    def deal_order(self, _nth: int, spots: list[str], /) -> list[str]:
        box = self.victim
        if box is None or box.side or len(self.table.boxes) < 2 or not self.now:
            return spots
        return [spot for spot in spots if spot != box.first.name]

    def after_deal(self) -> None:
        for box in self.table.boxes:
            if not box.first.cards and self.now:
                void(self.table, box, box.first, "no cards dealt")

    def edit(self, payload: Payload, /) -> Sequence[Payload]:
        box = self._victim
        dead = box is not None and box.first.state == "dead" and not box.first.cards
        if dead and isinstance(payload, WagerSettled) and payload.kind == "main" and self.once():
            return (replace(payload, outcome="collect"),)
        return (payload,)


class _RefusedCardRacked(Slip):
    """One patron refuses an exposed card, which is then offered to nobody else; the patron gets another."""

    def __init__(self) -> None:
        super().__init__(Occasion(first="56", second="34", up=LOW, play="hit"))

    def before_action(self) -> None:
        if self.now and any(self.is_victim(hand) and hand.live for hand in self.table.hands()):
            draw_in_error(self.table)

    def choice(self, hand: SimulatedHand, choice: Choice, /) -> Choice:
        table = self.table
        choice = super().choice(hand, choice)
        if table.waiting is not None and choice == "hit" and self.once():
            table.say(CardRefused(hand.seat))
            table.rack(DEALER, [table.waiting], "refused")
            table.waiting, table.waiting_seen = None, False
        return choice


def _wrong_range(wrong: str) -> How:
    """A wrong light or area, and nobody orders anything for the hands."""

    def other(slip: Slip, what: str, right: Range) -> Range | None:
        fits = what == wrong and slip.table.up[0] not in LARGE
        return other_range(slip.table.rng, right) if fits else None

    return once("shown_range", other, Occasion(up=LOW))


def _boxed_card_used(slip: Slip, event: CardDrawn) -> Sequence[Payload] | None:
    fits = event.card != UNKNOWN and not slip.table.hole
    return (event, CardExposed(event.card, "in_shoe")) if fits else None


def _accidental_card_kept(slip: Slip) -> bool | None:
    """The standing dealer draws one too many, and it is forgotten."""
    table = slip.table
    if table.dealer_total < STANDS_ON:
        return None
    slip.happened = True
    card = draw(table, DEALER)
    table.say(CardDrawn(card, "shoe_side"))
    table.shoe.to_rack([card])
    return True


WAYS: dict[str, Way] = {
    "wrong_light_ignored": Way(_wrong_range("light")),
    "wrong_area_ignored": Way(_wrong_range("area")),
    "peek_not_reported": Way(once("reads_hole", lambda _s, due: None if due else True, Occasion(up=LOW))),
    "dealt_with_faulty_reader": Way(lambda: _FaultIgnored(Occasion(up="TJQK", hole=LOW))),
    "missed_card_forgotten": Way(lambda: _MissedCardWrong("forgotten")),
    "missed_card_after_hole": Way(lambda: _MissedCardWrong("too_late")),
    "dead_hand_collected": Way(lambda: _MissedCardWrong("collected")),
    "no_cards_collected": Way(_NoCardsCollected),
    "refused_card_not_offered_on": Way(_RefusedCardRacked),
    "boxed_card_used": Way(edited(CardDrawn, _boxed_card_used)),
    "accidental_card_not_racked": Way(once("after_dealer", _accidental_card_kept)),
}
