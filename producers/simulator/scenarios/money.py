"""Money that moves otherwise than the odds and the outcomes say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from producers.simulator.blackjack.hands import SimulatedHand
from producers.simulator.blackjack.rules import LOW, TEN
from producers.simulator.scenarios.slips import ANY, WINS, How, Occasion, Slip, Way, edited, misjudged
from schemas.events import WagerSettled
from schemas.payload import Payload

TIES = Occasion(first=TEN, second=TEN, up=TEN, hole=TEN, play="stand")
LOSES = Occasion(first=TEN, second="78", up=TEN, hole=TEN, play="stand")
BUSTS = Occasion(first=TEN, second="6", third=TEN, up=TEN, hole=TEN, play="hit")
BLACKJACK = Occasion(first="A", second=TEN, up=LOW, plain=True)
DEALER_22 = Occasion(first=TEN, second="89", dealer=22, play="stand")
DRAWS_21_DEALER_22 = Occasion(first="5", second="6", third=TEN, dealer=22, play="hit")
LARGE_PAIR_DEALER_22 = Occasion(first=TEN, second=TEN, dealer=22, play="stand")
EVEN_MONEY = Occasion(first="A", second=TEN, up="A", even_money=True)
SURRENDERS = Occasion(first=TEN, second="6", up="789", play="surrender")

Change = Callable[[Slip, WagerSettled], Mapping[str, Any] | None]


def settlement(
    kind: str,
    outcome: str,
    change: Change,
    occasion: Occasion = ANY,
    odds: str | None = None,
    fits: Callable[[Slip, WagerSettled], bool] = lambda _slip, _event: True,
) -> How:
    """Makes slips that change fields of the first such settlement, or leave it out where there are none."""

    def edit(slip: Slip, event: WagerSettled) -> Sequence[Payload] | None:
        if (event.kind, event.outcome) != (kind, outcome) or odds not in (None, event.odds):
            return None
        if not fits(slip, event):
            return None
        fields = change(slip, event)
        return () if fields is None else (replace(event, **fields),)

    return edited(WagerSettled, edit, occasion)


def chips(slip: Slip, stake: int) -> int:
    """A few chips, in cents: about a tenth of a stake, and never all of it where chips can make a part."""
    chip = slip.table.setup.chip_cents
    return max(chip, stake // 10 // chip * chip)


def unwritten(_slip: Slip, _event: WagerSettled) -> None:
    """No fields: the settlement is left out."""


def off_by_chips(sign: int) -> Change:
    """A few chips too many, or too few."""
    return lambda slip, event: {"cents": event.cents + sign * chips(slip, event.cents)}


def at_odds(won: int, staked: int = 1) -> Change:
    """Winnings at other odds than those paid."""

    def change(_slip: Slip, event: WagerSettled) -> dict[str, Any]:
        true, to = (int(part) for part in str(event.odds).split(":"))
        return {"cents": event.cents * to * won // (true * staked), "odds": f"{won}:{staked}"}

    return change


def _takes_even_money(slip: Slip, event: WagerSettled) -> bool:
    return any(b.seat == event.seat and b.first.state == "even_money" for b in slip.table.boxes)


def _against_22(slip: Slip, _hand: SimulatedHand) -> bool:
    return slip.table.dealer_total == 22


def _not_against_22(slip: Slip, hand: SimulatedHand) -> bool:
    return not _against_22(slip, hand)


class _WrongHalf(Slip):
    """One chip more than half of a surrendered wager is collected, one less returned."""

    hand: object = None

    def edit(self, payload: Payload, /) -> Sequence[Payload]:
        if not isinstance(payload, WagerSettled) or payload.kind != "main":
            return (payload,)
        box = next(box for box in self.table.boxes if box.seat == payload.seat)
        if box.first.state != "surrendered" or self.table.dealer_blackjack:
            return (payload,)
        if payload.outcome == "collect" and self.once():
            self.hand = payload.hand
            return (replace(payload, cents=payload.cents + chips(self, 0)),)
        if payload.outcome == "return" and self.happened and payload.hand == self.hand:
            self.hand = None
            return (replace(payload, cents=payload.cents - chips(self, 0)),)
        return (payload,)


WAYS: dict[str, Way] = {
    "overpay": Way(settlement("main", "pay", off_by_chips(1), WINS, "1:1")),
    "underpay": Way(settlement("main", "pay", off_by_chips(-1), WINS, "1:1")),
    "push_paid": Way(misjudged("push", "win", TIES, _not_against_22)),
    "push_collected": Way(misjudged("push", "lose", TIES, _not_against_22)),
    "loser_paid": Way(misjudged("lose", "win", LOSES)),
    "loser_returned": Way(misjudged("lose", "push", LOSES)),
    "bust_paid": Way(
        misjudged("lose", "win", BUSTS, lambda s, h: h.number == 1 and s.table.dealer_total <= 21, "bust"),
        setup={"bust_collection": "at_settlement"},
    ),
    "winner_collected": Way(misjudged("win", "lose", WINS)),
    "winner_returned": Way(misjudged("win", "push", WINS)),
    "dealer22_paid": Way(misjudged("push", "win", DEALER_22, _against_22)),
    "dealer22_collected": Way(misjudged("push", "lose", DEALER_22, _against_22)),
    "dealer22_hand_of_21_returned": Way(
        misjudged("win", "push", DRAWS_21_DEALER_22, lambda s, h: _against_22(s, h) and h.points == 21)
    ),
    "dealer22_large_pair_returned": Way(
        misjudged(
            "win",
            "push",
            LARGE_PAIR_DEALER_22,
            lambda s, h: _against_22(s, h) and len(h.cards) == 2 and h.points == 20,
        )
    ),
    "blackjack_paid_1_to_1": Way(settlement("main", "pay", at_odds(1), BLACKJACK, "3:2")),
    "blackjack_paid_6_to_5": Way(settlement("main", "pay", at_odds(6, 5), BLACKJACK, "3:2")),
    "even_money_paid_3_to_2": Way(
        settlement("main", "pay", at_odds(3, 2), EVEN_MONEY, "1:1", _takes_even_money),
        setup={"even_money": True},
    ),
    "surrender_wrong_half": Way(lambda: _WrongHalf(SURRENDERS)),
    "winner_unpaid": Way(settlement("main", "pay", unwritten, WINS, "1:1")),
}
