"""The order in which chips are collected and paid (7(r); readings A20, A41)."""

from __future__ import annotations

from typing import NamedTuple

from processors.core.folding.wagers import has_moved
from processors.core.state import Move, Round, hand_named, seat_of, stake_key
from processors.games.blackjack.rules import BlackjackRules
from processors.games.blackjack.rulings import Decision, Ruling, rule_lammer
from processors.law.check import UPHELD, Breach, Judged, Judgment, Moment, check
from schemas.events import HoleCardRevealed, WagerSettled

# Stakes decided before the final settlement (a Blackjack in its turn, lost insurance, a dead hand) are no part of it.
IN_ORDER = frozenset(
    {"dealer_22", "dealer_22_paid", "dealer_over", "higher", "tie", "lower", "bust", "dealer_blackjack",
     "both_blackjack", "surrender_to_blackjack", "insurance_wins", "double_against_blackjack",
     "split_against_blackjack", "push22_loses", "push22_against_blackjack", "push22_same_suit",
     "push22_same_colour", "push22_other"}
)  # fmt: skip
_LOSERS = ("settlement.procedure_1_losers", "submission.collection_procedure")
_WINNERS_AFTER = ("settlement.procedure_1_winners_after", "submission.collection_procedure")
_IN_TURN = ("settlement.procedure_2_in_turn", "submission.collection_procedure")


class _Moved(NamedTuple):
    """Chips that moved in the final settlement: when, of which seat, and how."""

    sequence: int
    seat: int
    outcome: str


class _SoFar:
    """What was rightly moved in the final settlement up to now, in order.

    It grows from settlement to settlement: they change nothing of what is due, and any other event begins it anew.
    """

    __slots__ = ("looked_at", "moved", "start")

    def __init__(self, round_: Round) -> None:
        """`looked_at` are the stakes whose first movement was looked at, by name, and the lammers, by their place."""
        # The final settlement runs after the last card or decision, once the hole card shows.
        self.start = round_.last_of_play if round_.hole_revealed is not None else None
        self.moved: list[_Moved] = []
        self.looked_at: set[str | int] = set()


@check(
    "settlement.order", decides=(
        "settlement.procedure_1_losers", "settlement.procedure_1_winners_after", "settlement.procedure_2_in_turn",
        "submission.collection_procedure",
    ),
    reads=(WagerSettled,), follows=True, readings=("A41", "A20"), after=(HoleCardRevealed,),
)  # fmt: skip
def wagers_are_settled_in_the_procedures_order(moment: Moment, data: WagerSettled) -> Judged:
    """Losers are collected counterclockwise before winners are paid (1), or seat after seat counterclockwise (2)."""
    round_, rules = moment.play
    config = moment.table.config
    so_far = moment.kept(_SoFar)
    if config is None or so_far.start is None or round_.voided is not None:
        return None
    if rules.readings["A41"] == "no_blackjack" and moment.dealer.blackjack:
        return None
    if has_moved(round_, data):
        return None  # the stake had its turn with its first movement
    due = _due(moment, data)
    if due is None or due.cause not in IN_ORDER or due.settlement.outcome != data.outcome:
        return None
    if due.cause == "bust" and _collected_in_action(round_, hand_named(data.seat, data.hand), rules):
        return None
    before = _moved_before(moment, so_far, so_far.start)
    if config.settle_order == "seat_by_seat":
        return _seat_by_seat(data, before)
    return _collect_then_pay(moment, data, before)


def _due(moment: Moment, data: WagerSettled) -> Ruling | None:
    round_, rules = moment.play
    decision: Decision | None = None
    if data.kind == "lammer":
        name = hand_named(data.seat, data.hand)
        lammer = next((one for one in round_.lammers if one.hand == name and not one.moves), None)
        decision = rule_lammer(round_, lammer, moment.dealer, rules) if lammer is not None else None
    else:
        stake = round_.stakes.get(stake_key(data.seat, data.kind, data.hand))
        decision = moment.due(stake) if stake is not None else None
    return decision if isinstance(decision, Ruling) else None


def _moved_before(moment: Moment, so_far: _SoFar, start: int) -> list[_Moved]:
    """What was rightly moved in the final settlement so far, in order: further movements of a stake have no turn."""
    round_, rules = moment.play
    moved, looked_at = so_far.moved, so_far.looked_at
    for key, stake in round_.stakes.items():
        if key in looked_at or not stake.moves:
            continue
        looked_at.add(key)
        due = moment.due(stake)
        if not isinstance(due, Ruling) or due.cause not in IN_ORDER:
            continue
        if due.cause != "bust" or not _collected_in_action(round_, stake.hand or "", rules):
            _add(moved, start, stake.seat, stake.moves[0], due.settlement.outcome)
    for place, lammer in enumerate(round_.lammers):
        if place in looked_at or not lammer.moves:
            continue
        looked_at.add(place)
        ruled = rule_lammer(round_, lammer, moment.dealer, rules)
        if isinstance(ruled, Ruling) and ruled.settlement.outcome == "pay":
            # A lammer paid that should not have been is judged with the settlement.
            _add(moved, start, seat_of(lammer.hand), lammer.moves[0])
    moved.sort()
    return moved


def _add(moved: list[_Moved], start: int, seat: int, move: Move, outcome: str = "") -> None:
    """Add a move after `start`, of several outcomes one that is `outcome`."""
    if move.sequence > start and (not outcome or move.outcome == outcome):
        moved.append(_Moved(move.sequence, seat, move.outcome))


def _collected_in_action(round_: Round, name: str, rules: BlackjackRules) -> bool:
    """A bust that the house collects at once is no part of the final settlement (reading A3)."""
    hand = round_.hands.get(name)
    return rules.immediate and hand is not None and hand.tucked is None


def _collect_then_pay(moment: Moment, data: WagerSettled, before: list[_Moved]) -> Judgment:
    round_, rules = moment.play
    paid = [one for one in before if one.outcome == "pay"]
    directed = rules.readings["A20"] == "counterclockwise"
    if data.outcome == "pay" and directed and paid and data.seat > paid[-1].seat:
        return _out_of_turn(_WINNERS_AFTER, data, paid[-1])
    if data.outcome != "collect" or _waits_for_its_lammer(round_, data):
        return UPHELD
    if paid:
        return Breach(
            roles=_WINNERS_AFTER,
            message=f"Seat {data.seat}'s losing wager was collected only after seat {paid[0].seat} had been paid.",
            expected={"order": "all losing wagers before any winner"},
            observed={"paid_first": paid[0].seat, "collected": data.seat},
            sequences=(paid[0].sequence,),
            seat=data.seat,
        )
    collected = [one for one in before if one.outcome == "collect"]
    if collected and data.seat > collected[-1].seat:
        return _out_of_turn(_LOSERS, data, collected[-1])
    return UPHELD


def _waits_for_its_lammer(round_: Round, data: WagerSettled) -> bool:
    """A tucked wager may stay until the lammer it sizes is paid (reading A20)."""
    hand = round_.hands.get(hand_named(data.seat, data.hand)) if data.kind in ("main", "double") else None
    return hand is not None and hand.tucked is not None


def _seat_by_seat(data: WagerSettled, before: list[_Moved]) -> Judgment:
    if before and data.seat > before[-1].seat:
        return _out_of_turn(_IN_TURN, data, before[-1])
    won = [one for one in before if one.seat == data.seat and one.outcome == "pay"]
    if data.outcome == "collect" and won:
        return Breach(
            roles=_IN_TURN,
            message=f"At seat {data.seat} a winning wager was paid before the losing one was collected.",
            expected={"order": "a seat's losses before its wins"},
            observed={"seat": data.seat},
            sequences=(won[0].sequence,),
            seat=data.seat,
        )
    return UPHELD


def _out_of_turn(roles: tuple[str, ...], data: WagerSettled, last: _Moved) -> Breach:
    return Breach(
        roles=roles,
        message=f"Seat {data.seat} was settled after seat {last.seat}; the order is counterclockwise, seat "
        f"{data.seat} first.",
        expected={"order": "counterclockwise from the dealer's right"},
        observed={"after_seat": last.seat, "seat": data.seat},
        sequences=(last.sequence,),
        seat=data.seat,
    )
