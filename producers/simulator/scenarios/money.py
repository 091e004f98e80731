"""Money that moves otherwise than the odds and the outcomes say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from producers.simulator.blackjack.hands import Hand
from producers.simulator.scenarios.slips import ANY, TEN, Edited, Misjudged, Occasion, Slip, Wrong
from schemas.events import WagerSettled
from schemas.payload import Payload

NO_ACE_NO_TEN = "23456789"
WINS = Occasion(first=TEN, second=TEN, up=TEN, hole="78", play="stand")
TIES = Occasion(first=TEN, second=TEN, up=TEN, hole=TEN, play="stand")
LOSES = Occasion(first=TEN, second="78", up=TEN, hole=TEN, play="stand")
BUSTS = Occasion(first=TEN, second="6", third=TEN, up=TEN, hole=TEN, play="hit")
BLACKJACK = Occasion(first="A", second=TEN, up=NO_ACE_NO_TEN, plain=True)
DEALER_22 = Occasion(first=TEN, second="89", dealer=22, play="stand")
DEALER_BLACKJACK = Occasion(up="A", hole=TEN, first="9", second="7", insured=True)
AT_SETTLEMENT = {"bust_collection": "at_settlement"}

WIN_FB = ("11(a)#1", "7(o)", "7(o)(1)#1", "7(o)(2)", "7(n)(2)#2")
WIN_DU = ("11(a)#1", "7(o)", "7(o)(1)", "7(o)(2)", "7(n)(2)")
LOSS_FB = ("7(q)", "7(q)(1)", "7(q)(2)", "7(n)(2)#2")
LOSS_DU = ("7(q)", "7(q)(1)", "7(q)(2)", "7(n)(2)")
TIE_FB, TIE_DU = ("7(p)#1", "7(n)(2)#2"), ("7(p)", "7(n)(2)")

Fields = Mapping[str, Any]


def settlement(
    kind: str,
    outcome: str,
    change: Callable[[Slip, WagerSettled], Fields | None],
    occasion: Occasion = ANY,
    odds: str | None = None,
    fits: Callable[[Slip, WagerSettled], bool] = lambda _slip, _event: True,
) -> Callable[[], Slip]:
    """A slip that changes fields of the first such settlement, or leaves it out where there are none."""

    def edit(slip: Edited, payload: Payload) -> Sequence[Payload] | None:
        if not isinstance(payload, WagerSettled) or (payload.kind, payload.outcome) != (kind, outcome):
            return None
        if (odds is not None and payload.odds != odds) or not fits(slip, payload):
            return None
        fields = change(slip, payload)
        return () if fields is None else (replace(payload, **fields),)

    return lambda: Edited(edit, occasion)


def chips(slip: Slip, stake: int) -> int:
    """A few chips, in cents: about a tenth of a stake, and never all of it where chips can make a part."""
    chip = slip.table.setup.chip_cents
    return max(chip, stake // 10 // chip * chip)


def at_odds(won: int, staked: int = 1) -> Callable[[Slip, WagerSettled], Fields]:
    """Winnings at other odds than those paid."""

    def change(_slip: Slip, event: WagerSettled) -> Fields:
        true, to = (int(part) for part in str(event.odds).split(":"))
        return {"cents": event.cents * to * won // (true * staked), "odds": f"{won}:{staked}"}

    return change


class BustJudged(Misjudged):
    """A hand over 21 that waits for the settlement is misjudged."""

    def _standing(self, hand: Hand) -> bool:
        return hand.state == "bust" and hand.number == 1 and self.table.dealer_total <= 21


class WrongHalf(Slip):
    """One chip more than half of a surrendered wager is collected, one less returned."""

    hand: object = None

    def edit(self, payload: Payload, /) -> Sequence[Payload]:
        """Shift a chip from the second settlement of the surrender to the first."""
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


MONEY: dict[str, Wrong] = {
    "overpay": Wrong(
        doc="A winning hand is paid some chips too many.",
        how=settlement("main", "pay", lambda s, e: {"cents": e.cents + chips(s, e.cents)}, WINS, "1:1"),
        free_bet=WIN_FB,
        down_under=WIN_DU,
    ),
    "underpay": Wrong(
        doc="A winning hand is paid some chips too few.",
        how=settlement("main", "pay", lambda s, e: {"cents": e.cents - chips(s, e.cents)}, WINS, "1:1"),
        free_bet=WIN_FB,
        down_under=WIN_DU,
    ),
    "push_paid": Wrong(
        doc="A tied hand is paid.",
        how=lambda: Misjudged("push", "win", TIES, lambda s, h: s.table.dealer_total != 22 and not h.lammers),
        free_bet=TIE_FB,
        down_under=TIE_DU,
    ),
    "push_collected": Wrong(
        doc="A tied hand is collected.",
        how=lambda: Misjudged(
            "push", "lose", TIES, lambda s, h: s.table.dealer_total != 22 and not h.lammers
        ),
        free_bet=TIE_FB,
        down_under=TIE_DU,
    ),
    "loser_paid": Wrong(
        doc="A losing hand is paid.",
        how=lambda: Misjudged("lose", "win", LOSES),
        free_bet=LOSS_FB,
        down_under=LOSS_DU,
    ),
    "loser_returned": Wrong(
        doc="A losing hand's wager is given back.",
        how=lambda: Misjudged("lose", "push", LOSES),
        free_bet=LOSS_FB,
        down_under=LOSS_DU,
    ),
    "bust_paid": Wrong(
        doc="A hand over 21 that waited for the settlement is paid.",
        how=lambda: BustJudged("lose", "win", BUSTS),
        free_bet=LOSS_FB,
        down_under=LOSS_DU,
        setup=AT_SETTLEMENT,
    ),
    "winner_collected": Wrong(
        doc="A winning hand is collected.",
        how=lambda: Misjudged("win", "lose", WINS),
        free_bet=WIN_FB,
        down_under=WIN_DU,
    ),
    "winner_returned": Wrong(
        doc="A winning hand gets its wager back and nothing more.",
        how=lambda: Misjudged("win", "push", WINS),
        free_bet=WIN_FB,
        down_under=WIN_DU,
    ),
    "dealer22_paid": Wrong(
        doc="The dealer's 22 is taken for a bust, and a hand is paid.",
        how=lambda: Misjudged(
            "push", "win", DEALER_22, lambda s, h: s.table.dealer_total == 22 and not h.lammers
        ),
        free_bet=("7(n)(1)#1", "7(o)(1)#2"),
        down_under=("7(n)(1)#3",),
    ),
    "dealer22_collected": Wrong(
        doc="A hand is collected although the dealer ends with 22.",
        how=lambda: Misjudged(
            "push", "lose", DEALER_22, lambda s, h: s.table.dealer_total == 22 and not h.lammers
        ),
        free_bet=("7(n)(1)#1", "7(o)(1)#2"),
        down_under=("7(n)(1)#3",),
    ),
    "dealer22_hand_of_21_returned": Wrong(
        doc="A hand of 21 is not paid against the dealer's 22.",
        how=lambda: Misjudged(
            "win",
            "push",
            Occasion(first="5", second="6", third=TEN, dealer=22, play="hit"),
            lambda s, h: s.table.dealer_total == 22 and h.points == 21,
        ),
        down_under=("7(n)(1)#2",),
    ),
    "dealer22_large_pair_returned": Wrong(
        doc="Two original Large cards are not paid against the dealer's 22.",
        how=lambda: Misjudged(
            "win",
            "push",
            Occasion(first=TEN, second=TEN, dealer=22, play="stand"),
            lambda s, h: s.table.dealer_total == 22 and h.points == 20 and len(h.cards) == 2,
        ),
        down_under=("7(n)(1)#1",),
    ),
    "blackjack_paid_1_to_1": Wrong(
        doc="A Blackjack is paid even.",
        how=settlement("main", "pay", at_odds(1), BLACKJACK, "3:2"),
        free_bet=("11(a)#2", "7(h)(1)#1"),
        down_under=("11(a)#2", "7(i)(1)#1"),
    ),
    "blackjack_paid_6_to_5": Wrong(
        doc="A Blackjack is paid 6 to 5.",
        how=settlement("main", "pay", at_odds(6, 5), BLACKJACK, "3:2"),
        free_bet=("11(a)#2", "7(h)(1)#1"),
        down_under=("11(a)#2", "7(i)(1)#1"),
    ),
    "even_money_paid_3_to_2": Wrong(
        doc="A patron who took even money is paid 3 to 2.",
        how=settlement(
            "main",
            "pay",
            lambda _s, e: {"cents": e.cents * 3 // 2, "odds": "3:2"},
            Occasion(first="A", second=TEN, up="A", even_money=True),
            "1:1",
            lambda s, e: any(box.seat == e.seat and box.first.state == "even_money" for box in s.table.boxes),
        ),
        only_672a=("8(e)#2", "11(a)#2"),
        setup={"even_money": True},
    ),
    "surrender_wrong_half": Wrong(
        doc="Of a surrendered wager too much is taken and too little returned.",
        how=lambda: WrongHalf(Occasion(first=TEN, second="6", up="789", play="surrender")),
        only_590=("9(a)#1", "9(a)(1)", "9(a)(2)#3"),
    ),
    "winner_unpaid": Wrong(
        doc="A winning hand's payment is left out.",
        how=settlement("main", "pay", lambda _s, _e: None, WINS, "1:1"),
        free_bet=(*WIN_FB, "7(r)"),
        down_under=(*WIN_DU, "7(r)"),
    ),
}
