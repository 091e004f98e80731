"""Insurance, side wagers, lammers and extra stakes that are wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import UNSET

from producers.simulator.blackjack.hands import Box, Hand
from producers.simulator.blackjack.rules import Choice, half_rounded_up
from producers.simulator.scenarios.money import DEALER_BLACKJACK, at_odds, chips, settlement
from producers.simulator.scenarios.slips import TEN, Delayed, Edited, Occasion, Slip, Wrong
from schemas.events import (
    CardPlaced,
    HoleCardRead,
    InsuranceOffered,
    LammerCollected,
    LammerPlaced,
    WagerPlaced,
    WagerSettled,
)
from schemas.payload import Payload

LOW = "23456789"
INSURED = Occasion(up="A", hole=LOW, insured=True)
INSURED_AND_DRAWS = Occasion(up="A", hole=LOW, first="5", second="6", insured=True, play="hit", everyone=True)
PUSH22_OPEN = Occasion(first=TEN, second="89", dealer=22, play="stand", side=True)
NO_22 = Occasion(up=TEN, hole=TEN, side=True)
DOUBLE_WINS = Occasion(first="5", second="6", third=TEN, up="6", hole=TEN, play="double")
DOUBLE_TIES = Occasion(first="5", second="6", third="9", up=TEN, hole=TEN, play="double")
MATCHES = Occasion(first="9", second="78", up="9", side=True)
SPLITS = Occasion(first="8", matching=True, up=LOW, play="split")
SPLIT_LOSES = Occasion(first="6", matching=True, up=TEN, hole=TEN, play="split")
TENS_SPLIT = Occasion(first=TEN, matching=True, up=LOW, play="split")


class InsuranceStake(Slip):
    """The victim lays a chip more for insurance than the rules allow."""

    def insurance(self, box: Box, cents: int, /) -> int:
        """One chip above the rounded half."""
        chip = self.table.setup.chip_cents
        return half_rounded_up(box.unit, chip) + chip if self.once() else cents


class NoInsurance(Slip):
    """Nobody is offered insurance against an ace."""

    def insures(self, _box: Box, _wants: bool, /) -> bool:
        """Not offered, not taken."""
        return False

    def edit(self, payload: Payload, /) -> Sequence[Payload]:
        """Leave the offer out."""
        return () if isinstance(payload, InsuranceOffered) and self.once() else (payload,)


class MatchBackwards(Slip):
    """Match-the-Dealer is settled clockwise."""

    def match_order(self, boxes: list[Box], /) -> list[Box]:
        """Turn the order round where two wagers are open."""
        return boxes[::-1] if len(boxes) > 1 and self.once() else boxes


class Freed(Slip):
    """A double or split costs a lammer instead of chips, or chips instead of a lammer."""

    def __init__(self, which: Choice, free: bool, occasion: Occasion) -> None:
        super().__init__(occasion)
        self.which = which
        self.free = free

    def is_free(self, _hand: Hand, choice: Choice, free: bool, /) -> bool:
        """The other way, once."""
        return not free if choice == self.which and free != self.free and self.once() else free


class ExtraStake(Slip):
    """A double for more than the wager, or a split for less."""

    def __init__(self, which: Choice, sign: int, occasion: Occasion) -> None:
        super().__init__(occasion)
        self.which = which
        self.sign = sign

    def extra_stake(self, box: Box, choice: Choice, cents: int, /) -> int:
        """Off by some chips."""
        return box.unit + self.sign * chips(self, box.unit) if choice == self.which and self.once() else cents


class LammerMissing(Slip):
    """No lammer is laid for a free double or split; nothing else changes but that there is none to take."""

    def __init__(self, kind: str, occasion: Occasion) -> None:
        super().__init__(occasion)
        self.kind = kind
        self.hand = ""

    def edit(self, payload: Payload, /) -> Sequence[Payload]:
        """Leave out its placing and its collecting."""
        if isinstance(payload, LammerPlaced) and payload.kind == self.kind and self.once():
            self.hand = payload.hand
            return ()
        if isinstance(payload, LammerCollected) and (payload.hand, payload.kind) == (self.hand, self.kind):
            self.hand = ""
            return ()
        return (payload,)


def _lammer_paid(points_fit: Callable[[int, int], bool], occasion: Occasion) -> Callable[[], Slip]:
    """A lammer that leaves unpaid is paid; `points_fit` says for which totals of player and dealer."""

    def edit(slip: Edited, payload: Payload) -> Sequence[Payload] | None:
        table = slip.table
        if not isinstance(payload, LammerCollected) or not table.hole_open or table.dealer_blackjack:
            return None
        hand = next(hand for hand in table.hands() if hand.name == payload.hand)
        if hand.points > 21 or not points_fit(hand.points, table.dealer_total):
            return None
        unit = table.box_of(hand).unit
        paid = WagerSettled(hand.seat, "lammer", "pay", unit, hand.name, "1:1")
        return (paid, payload)

    return lambda: Edited(edit, occasion)


def _collected_insurance(_slip: Slip, payload: Payload) -> bool:
    return isinstance(payload, WagerSettled) and payload.kind == "insurance" and payload.outcome == "collect"


def _placed(kind: str) -> Callable[[Slip, Payload], bool]:
    return lambda _slip, payload: isinstance(payload, WagerPlaced) and payload.kind == kind


def _line_above(slip: Slip, event: WagerSettled) -> dict[str, object]:
    return dict(at_odds(50 if str(event.odds) == "20:1" else 20)(slip, event))


def _without_odds(outcome: str) -> Callable[[Slip, WagerSettled], dict[str, object]]:
    """The stake itself collected or returned instead of winnings paid."""

    def change(_slip: Slip, event: WagerSettled) -> dict[str, object]:
        odds = int(str(event.odds).split(":")[0])
        return {"outcome": outcome, "cents": event.cents // odds, "odds": UNSET}

    return change


def _paid(odds: int) -> Callable[[Slip, WagerSettled], dict[str, object]]:
    """Winnings paid instead of the stake collected."""
    return lambda _slip, event: {"outcome": "pay", "cents": event.cents * odds, "odds": f"{odds}:1"}


SIDE: dict[str, Wrong] = {
    "insurance_too_big": Wrong(
        doc="Insurance above half of the wager by more than chips make necessary.",
        how=lambda: InsuranceStake(INSURED),
        free_bet=("8(b)#1", "8(b)#2"),
        down_under=("8(b)#1", "8(b)#2"),
    ),
    "insurance_late": Wrong(
        doc="Insurance laid after the hole card was read.",
        how=lambda: Delayed(_placed("insurance"), lambda _s, p: isinstance(p, HoleCardRead), INSURED),
        free_bet=("8(b)#3",),
        down_under=("8(b)#3",),
    ),
    "insurance_not_offered": Wrong(
        doc="The dealer shows an ace and offers no insurance.",
        how=lambda: NoInsurance(Occasion(up="A")),
        free_bet=("7(f)#1",),
        down_under=("7(g)#1",),
    ),
    "insurance_paid_3_to_1": Wrong(
        doc="Winning insurance is paid 3 to 1.",
        how=settlement("insurance", "pay", at_odds(3), DEALER_BLACKJACK),
        free_bet=("11(b)", "8(c)"),
        down_under=("11(b)", "8(c)"),
    ),
    "insurance_not_paid": Wrong(
        doc="Winning insurance is not paid.",
        how=settlement("insurance", "pay", lambda _s, _e: None, DEALER_BLACKJACK),
        free_bet=("8(c)", "11(b)", "7(g)(1)#3", "7(g)(2)#3"),
        down_under=("8(c)", "11(b)", "7(h)(1)#2", "7(h)(2)#2"),
    ),
    "lost_insurance_paid": Wrong(
        doc="Losing insurance is paid.",
        how=settlement("insurance", "collect", _paid(2), INSURED),
        free_bet=("8(d)", "8(a)#2", "8(c)"),
        down_under=("8(d)", "8(a)#2", "8(c)"),
    ),
    "lost_insurance_left": Wrong(
        doc="Losing insurance is never collected.",
        how=settlement("insurance", "collect", lambda _s, _e: None, INSURED),
        free_bet=("8(d)",),
        down_under=("8(d)",),
    ),
    "lost_insurance_late": Wrong(
        doc="Losing insurance is collected only after further cards.",
        how=lambda: Delayed(_collected_insurance, lambda _s, p: isinstance(p, CardPlaced), INSURED_AND_DRAWS),
        free_bet=("8(d)",),
        down_under=("8(d)",),
    ),
    "push22_wrong_line": Wrong(
        doc="Push 22 is paid on a better line than the dealer's suits give.",
        how=settlement("push22", "pay", _line_above, PUSH22_OPEN, fits=lambda _s, e: e.odds != "50:1"),
        free_bet=("11(c)#2", "11(c)#3", "11(c)#4", "7(n)(1)#3"),
    ),
    "push22_other_paytable": Wrong(
        doc="Push 22 is paid from the paytable that the house did not choose.",
        how=settlement("push22", "pay", at_odds(7), PUSH22_OPEN, "8:1"),
        free_bet=("11(c)#1", "11(c)#4", "7(n)(1)#3"),
    ),
    "push22_not_paid": Wrong(
        doc="The dealer has 22 and a Push 22 wager is not paid.",
        how=settlement("push22", "pay", lambda _s, _e: None, PUSH22_OPEN),
        free_bet=("7(n)(1)#3", "6(e)#2", "11(c)#4", "11(c)#3", "11(c)#2"),
    ),
    "push22_collected_on_22": Wrong(
        doc="The dealer has 22 and a Push 22 wager is collected.",
        how=settlement("push22", "pay", _without_odds("collect"), PUSH22_OPEN),
        free_bet=("7(n)(1)#3", "6(e)#2", "11(c)#4", "11(c)#3", "11(c)#2"),
    ),
    "push22_returned": Wrong(
        doc="A losing Push 22 wager is given back.",
        how=settlement(
            "push22",
            "collect",
            lambda _s, _e: {"outcome": "return"},
            NO_22,
            fits=lambda s, _e: not s.table.dealer_blackjack,
        ),
        free_bet=("7(n)(2)#1", "6(e)#2"),
    ),
    "push22_paid_without_22": Wrong(
        doc="A Push 22 wager is paid although the dealer has no 22.",
        how=settlement("push22", "collect", _paid(8), NO_22, fits=lambda s, _e: not s.table.dealer_blackjack),
        free_bet=("7(n)(2)#1", "6(e)#2", "11(c)#4"),
    ),
    "push22_survives_blackjack": Wrong(
        doc="A Push 22 wager is given back against a dealer's Blackjack.",
        how=settlement(
            "push22",
            "collect",
            lambda _s, _e: {"outcome": "return"},
            Occasion(up="A", hole=TEN, side=True),
            fits=lambda s, _e: s.table.dealer_blackjack,
        ),
        free_bet=("7(g)(1)#2", "7(g)(2)#2"),
    ),
    "match_wrong_odds": Wrong(
        doc="A Match-the-Dealer wager is paid at odds of no line.",
        how=settlement("match_dealer", "pay", at_odds(9), MATCHES),
        down_under=("11(c)#1", "11(c)#2", "11(c)#3", "11(c)#4"),
    ),
    "match_other_decks": Wrong(
        doc="Match-the-Dealer is paid by the paytable of eight decks at a table of six.",
        how=settlement("match_dealer", "pay", at_odds(3), MATCHES, "4:1"),
        down_under=("11(c)#2", "11(c)#4"),
        setup={"decks": 6, "paytables": {"match_dealer": "6"}},
    ),
    "match_winner_collected": Wrong(
        doc="A winning Match-the-Dealer wager is collected.",
        how=settlement("match_dealer", "pay", _without_odds("collect"), MATCHES),
        down_under=("7(f)#3", "7(f)#2", "11(c)#1", "11(c)#2", "11(c)#3", "11(c)#4"),
    ),
    "match_not_settled": Wrong(
        doc="A losing Match-the-Dealer wager is never collected.",
        how=settlement("match_dealer", "collect", lambda _s, _e: None, Occasion(side=True)),
        down_under=("7(f)#1", "7(f)#2", "7(f)#3", "7(f)#4"),
    ),
    "match_loser_paid": Wrong(
        doc="A Match-the-Dealer wager without a match is paid.",
        how=settlement(
            "match_dealer", "collect", _paid(4), Occasion(first="23", second="45", up="9", side=True)
        ),
        down_under=("7(f)#3", "11(c)#2", "7(f)#2"),
    ),
    "match_ten_values": Wrong(
        doc="A ten is taken for a match of a king.",
        how=settlement(
            "match_dealer",
            "collect",
            _paid(4),
            Occasion(first="T", second=LOW, up="K", side=True),
            fits=lambda s, e: e.seat == (s.victim.seat if s.victim else 0) and s.table.up[0] == "K",
        ),
        down_under=("7(f)#4", "7(f)#3", "11(c)#2"),
    ),
    "match_backwards": Wrong(
        doc="Match-the-Dealer is settled from the dealer's left.",
        how=lambda: MatchBackwards(Occasion(side=True)),
        down_under=("7(f)#2",),
    ),
    "match_after_reader": Wrong(
        doc="Match-the-Dealer is settled only after the Masque reading.",
        how=lambda: Delayed(
            lambda _s, p: isinstance(p, WagerSettled) and p.kind == "match_dealer",
            lambda _s, p: isinstance(p, HoleCardRead),
            Occasion(side=True, up=LOW),
            several=True,
        ),
        down_under=("7(f)#1",),
    ),
    "lammer_unpaid": Wrong(
        doc="A winning free double is paid for the chips only.",
        how=settlement("lammer", "pay", lambda _s, _e: None, DOUBLE_WINS),
        free_bet=("7(o)", "11(a)#1"),
    ),
    "lammer_paid_on_tie": Wrong(
        doc="A lammer is paid although the hand ties.",
        how=_lammer_paid(lambda mine, dealers: mine == dealers, DOUBLE_TIES),
        free_bet=("7(p)#2",),
    ),
    "lammer_paid_on_22": Wrong(
        doc="A lammer is paid against the dealer's 22.",
        how=_lammer_paid(
            lambda _mine, dealers: dealers == 22, Occasion(first="5", second="6", dealer=22, play="double")
        ),
        free_bet=("7(n)(1)#2", "7(o)(1)#2"),
    ),
    "lammer_not_collected": Wrong(
        doc="A lammer stays on the layout after its hand is settled.",
        how=lambda: Edited(lambda _s, p: () if isinstance(p, LammerCollected) else None, DOUBLE_TIES),
        free_bet=("7(p)#2", "7(q)", "7(o)", "7(n)(1)#2", "7(n)(2)#2"),
    ),
    "double_lammer_missing": Wrong(
        doc="No lammer is laid for a free double.",
        how=lambda: LammerMissing("free_double", DOUBLE_WINS),
        free_bet=("9(a)(1)#2",),
    ),
    "double_lammer_late": Wrong(
        doc="The lammer of a free double is laid after its card.",
        how=lambda: Delayed(
            lambda _s, p: isinstance(p, LammerPlaced) and p.kind == "free_double",
            lambda _s, p: isinstance(p, CardPlaced),
            DOUBLE_WINS,
        ),
        free_bet=("9(a)(1)#2",),
    ),
    "split_lammer_missing": Wrong(
        doc="No lammer is laid for a free split.",
        how=lambda: LammerMissing("free_split", SPLIT_LOSES),
        free_bet=("10(b)(2)(i)",),
    ),
    "free_double_charged": Wrong(
        doc="A patron pays for a double on a hard 9, 10 or 11.",
        how=lambda: Freed("double", False, DOUBLE_WINS),
        free_bet=("9(a)(1)#1", "9(a)(1)#2"),
    ),
    "paid_double_free": Wrong(
        doc="A lammer is laid for a double on another total than a hard 9, 10 or 11.",
        how=lambda: Freed("double", True, Occasion(first="8", second="4", up="6", play="double")),
        free_bet=("9(a)(1)#1", "9(a)(2)"),
    ),
    "free_split_charged": Wrong(
        doc="A patron pays for splitting a pair other than ten-values.",
        how=lambda: Freed("split", False, SPLITS),
        free_bet=("10(b)(2)", "10(b)(2)(i)"),
    ),
    "ten_split_free": Wrong(
        doc="A lammer is laid for splitting ten-values.",
        how=lambda: Freed("split", True, TENS_SPLIT),
        free_bet=("10(b)(1)", "10(b)(2)"),
    ),
    "double_too_big": Wrong(
        doc="A double for more than the original wager.",
        how=lambda: ExtraStake("double", 1, Occasion(first="8", second="4", up="6", play="double")),
        free_bet=("9(a)(2)",),
        down_under=("9(a)#2",),
    ),
    "split_unequal_stake": Wrong(
        doc="A split for less than the original wager.",
        how=lambda: ExtraStake("split", -1, TENS_SPLIT),
        free_bet=("10(b)(1)",),
        down_under=("10(a)#2",),
    ),
}
