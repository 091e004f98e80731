"""Insurance, side wagers, lammers and extra stakes that are wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET

from producers.simulator.blackjack.hands import BettingBox
from producers.simulator.blackjack.rules import LOW, TEN, Choice, half_rounded_up
from producers.simulator.scenarios.money import Change, at_odds, chips, settlement, unwritten
from producers.simulator.scenarios.slips import How, Occasion, Slip, Way, delayed, edited, left_out, once
from schemas import events
from schemas.payload import Payload

DEALER_BLACKJACK = Occasion(up="A", hole=TEN, first="9", second="7", insured=True)
INSURED = Occasion(up="A", hole=LOW, insured=True)
INSURED_AND_DRAWS = Occasion(up="A", hole=LOW, first="5", second="6", insured=True, play="hit", everyone=True)
PUSH22_OPEN = Occasion(first=TEN, second="89", dealer=22, play="stand", side=True)
NO_22 = Occasion(up=TEN, hole=TEN, side=True)
PUSH22_AND_BLACKJACK = Occasion(up="A", hole=TEN, side=True)
DOUBLE_WINS = Occasion(first="5", second="6", third=TEN, up="6", hole=TEN, play="double")
DOUBLE_TIES = Occasion(first="5", second="6", third="9", up=TEN, hole=TEN, play="double")
DOUBLE_DEALER_22 = Occasion(first="5", second="6", dealer=22, play="double")
PAID_DOUBLE = Occasion(first="8", second="4", up="6", play="double")
MATCHES = Occasion(first="9", second="78", up="9", side=True)
NO_MATCH = Occasion(first="23", second="45", up="9", side=True)
TEN_AND_KING = Occasion(first="T", second=LOW, up="K", side=True)
SPLITS = Occasion(first="8", matching=True, up=LOW, play="split")
SPLIT_LOSES = Occasion(first="6", matching=True, up=TEN, hole=TEN, play="split")
TENS_SPLIT = Occasion(first=TEN, matching=True, up=LOW, play="split")


class _NoInsurance(Slip):
    """Nobody is offered insurance against an ace."""

    def insures(self, _box: BettingBox, _wants: bool, /) -> bool:
        return False

    def edit(self, payload: Payload, /) -> Sequence[Payload]:
        return () if isinstance(payload, events.InsuranceOffered) and self.once() else (payload,)


class _LammerMissing(Slip):
    """No lammer is laid for a free double or split; nothing else changes but that there is none to take."""

    def __init__(self, kind: str, occasion: Occasion) -> None:
        super().__init__(occasion)
        self.kind = kind
        self.hand = ""

    def edit(self, payload: Payload, /) -> Sequence[Payload]:
        if isinstance(payload, events.LammerPlaced) and payload.kind == self.kind and self.once():
            self.hand = payload.hand
            return ()
        if isinstance(payload, events.LammerCollected) and payload.kind == self.kind:
            return () if payload.hand == self.hand else (payload,)
        return (payload,)


def _freed(which: Choice, free: bool, occasion: Occasion) -> How:
    """A double or split costs a lammer instead of chips, or chips instead of a lammer."""
    return once(
        "is_free", lambda _s, _h, choice, due: free if choice == which and due != free else None, occasion
    )


def _extra_stake(which: Choice, sign: int, occasion: Occasion) -> How:
    """A double for more than the wager, or a split for less."""

    def stake(slip: Slip, box: BettingBox, choice: Choice, _cents: int) -> int | None:
        return box.unit + sign * chips(slip, box.unit) if choice == which else None

    return once("extra_stake", stake, occasion)


def _insurance_above_half(slip: Slip, box: BettingBox, _cents: int) -> int:
    chip = slip.table.setup.chip_cents
    return half_rounded_up(box.unit, chip) + chip


def _lammer_paid(points_fit: Callable[[int, int], bool], occasion: Occasion) -> How:
    """A lammer that leaves unpaid is paid; `points_fit` says for which totals of player and dealer."""

    def edit(slip: Slip, event: events.LammerCollected) -> Sequence[Payload] | None:
        table = slip.table
        if not table.hole_open or table.dealer_blackjack:
            return None
        hand = table.hand_named(event.hand)
        if hand.points > 21 or not points_fit(hand.points, table.dealer_total):
            return None
        unit = table.box_of(hand).unit
        return (events.WagerSettled(hand.seat, "lammer", "pay", unit, hand.name, "1:1"), event)

    return edited(events.LammerCollected, edit, occasion)


def _line_above(slip: Slip, event: events.WagerSettled) -> dict[str, object]:
    return dict(at_odds(50 if event.odds == "20:1" else 20)(slip, event) or {})


def _stake_collected(_slip: Slip, event: events.WagerSettled) -> dict[str, object]:
    odds = int(str(event.odds).split(":")[0])
    return {"outcome": "collect", "cents": event.cents // odds, "odds": UNSET}


def _returned(_slip: Slip, _event: events.WagerSettled) -> dict[str, object]:
    return {"outcome": "return"}


def _paid(odds: int) -> Change:
    """Winnings paid instead of the stake collected."""
    return lambda _slip, event: {"outcome": "pay", "cents": event.cents * odds, "odds": f"{odds}:1"}


def _no_blackjack(slip: Slip, _event: events.WagerSettled) -> bool:
    return not slip.table.dealer_blackjack


def _victims_against_king(slip: Slip, event: events.WagerSettled) -> bool:
    return slip.victim is not None and event.seat == slip.victim.seat and slip.table.up[0] == "K"


def _kind(kind: str, outcome: str = "") -> Callable[[Slip, Any], bool]:
    """Whether an event is about wagers or lammers of a kind, and of an outcome if given."""
    return lambda _slip, event: event.kind == kind and (not outcome or event.outcome == outcome)


WAYS: dict[str, Way] = {
    "insurance_too_big": Way(once("insurance", _insurance_above_half, INSURED)),
    "insurance_late": Way(delayed(events.WagerPlaced, events.HoleCardRead, INSURED, _kind("insurance"))),
    "insurance_not_offered": Way(lambda: _NoInsurance(Occasion(up="A"))),
    "insurance_paid_3_to_1": Way(settlement("insurance", "pay", at_odds(3), DEALER_BLACKJACK)),
    "insurance_not_paid": Way(settlement("insurance", "pay", unwritten, DEALER_BLACKJACK)),
    "lost_insurance_paid": Way(settlement("insurance", "collect", _paid(2), INSURED)),
    "lost_insurance_left": Way(settlement("insurance", "collect", unwritten, INSURED)),
    "lost_insurance_late": Way(
        delayed(events.WagerSettled, events.CardPlaced, INSURED_AND_DRAWS, _kind("insurance", "collect"))
    ),
    "push22_wrong_line": Way(
        settlement("push22", "pay", _line_above, PUSH22_OPEN, fits=lambda _s, e: e.odds != "50:1")
    ),
    "push22_other_paytable": Way(settlement("push22", "pay", at_odds(7), PUSH22_OPEN, "8:1")),
    "push22_not_paid": Way(settlement("push22", "pay", unwritten, PUSH22_OPEN)),
    "push22_collected_on_22": Way(settlement("push22", "pay", _stake_collected, PUSH22_OPEN)),
    "push22_returned": Way(settlement("push22", "collect", _returned, NO_22, fits=_no_blackjack)),
    "push22_paid_without_22": Way(settlement("push22", "collect", _paid(8), NO_22, fits=_no_blackjack)),
    "push22_survives_blackjack": Way(
        settlement(
            "push22", "collect", _returned, PUSH22_AND_BLACKJACK, fits=lambda s, _e: s.table.dealer_blackjack
        )
    ),
    "match_wrong_odds": Way(settlement("match_dealer", "pay", at_odds(9), MATCHES)),
    "match_other_decks": Way(
        settlement("match_dealer", "pay", at_odds(3), MATCHES, "4:1"),
        setup={"decks": 6, "paytables": {"match_dealer": "6"}},
    ),
    "match_winner_collected": Way(settlement("match_dealer", "pay", _stake_collected, MATCHES)),
    "match_not_settled": Way(settlement("match_dealer", "collect", unwritten, Occasion(side=True))),
    "match_loser_paid": Way(settlement("match_dealer", "collect", _paid(4), NO_MATCH)),
    "match_ten_values": Way(
        settlement("match_dealer", "collect", _paid(4), TEN_AND_KING, fits=_victims_against_king)
    ),
    "match_backwards": Way(
        once("match_order", lambda _s, boxes: boxes[::-1] if len(boxes) > 1 else None, Occasion(side=True))
    ),
    "match_after_reader": Way(
        delayed(
            events.WagerSettled,
            events.HoleCardRead,
            Occasion(side=True, up=LOW),
            _kind("match_dealer"),
            several=True,
        )
    ),
    "lammer_unpaid": Way(settlement("lammer", "pay", unwritten, DOUBLE_WINS)),
    "lammer_paid_on_tie": Way(_lammer_paid(lambda mine, dealers: mine == dealers, DOUBLE_TIES)),
    "lammer_paid_on_22": Way(_lammer_paid(lambda _mine, dealers: dealers == 22, DOUBLE_DEALER_22)),
    "lammer_not_collected": Way(left_out(events.LammerCollected, DOUBLE_TIES)),
    "double_lammer_missing": Way(lambda: _LammerMissing("free_double", DOUBLE_WINS)),
    "double_lammer_late": Way(
        delayed(events.LammerPlaced, events.CardPlaced, DOUBLE_WINS, _kind("free_double"))
    ),
    "split_lammer_missing": Way(lambda: _LammerMissing("free_split", SPLIT_LOSES)),
    "free_double_charged": Way(_freed("double", False, DOUBLE_WINS)),
    "paid_double_free": Way(_freed("double", True, PAID_DOUBLE)),
    "free_split_charged": Way(_freed("split", False, SPLITS)),
    "ten_split_free": Way(_freed("split", True, TENS_SPLIT)),
    "double_too_big": Way(_extra_stake("double", 1, PAID_DOUBLE)),
    "split_unequal_stake": Way(_extra_stake("split", -1, TENS_SPLIT)),
}
