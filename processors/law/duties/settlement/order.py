"""The order in which chips are collected and paid (7(r); readings A20, A41)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.folding.wagers import stake_key
from processors.core.state import Round, seat_of
from processors.games.blackjack.rules import BlackjackRules
from processors.games.blackjack.rulings import Decision, Ruling, rule_lammer
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.clauses import SECTIONS
from schemas.events import HoleCardRevealed, WagerSettled

# Stakes decided before the final settlement (a Blackjack in its turn, lost insurance, a dead hand) are no part of it.
IN_ORDER = frozenset(
    {"dealer_22", "dealer_22_paid", "dealer_over", "higher", "tie", "lower", "bust", "dealer_blackjack",
     "both_blackjack", "surrender_to_blackjack", "insurance_wins", "double_against_blackjack",
     "split_against_blackjack", "push22_loses", "push22_against_blackjack", "push22_same_suit",
     "push22_same_colour", "push22_other"}
)  # fmt: skip
_SEAT_BY_SEAT = "seat_by_seat"


def _ids(ruleset: str) -> tuple[str, ...]:
    chapter = SECTIONS[ruleset]["ch"]
    return tuple(f"{chapter}.7{clause}" for clause in ("(r)", "(r)(1)#1", "(r)(1)#2", "(r)(2)#1"))


@check(
    "settlement.order",
    decides=(
        "settlement.procedure_1_losers", "settlement.procedure_1_winners_after",
        "settlement.procedure_2_in_turn", "submission.collection_procedure",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    reads=(WagerSettled,),
    follows=True,
    readings=("A41", "A20"),
    after=(HoleCardRevealed,),
)  # fmt: skip
def wagers_are_settled_in_the_procedures_order(moment: Moment, data: WagerSettled) -> Iterator[Judgment]:
    """Losers are collected counterclockwise before winners are paid (1), or seat after seat counterclockwise (2)."""
    round_, rules = moment.play
    config = moment.table.config
    start = moment.kept(_settlement_began)
    if config is None or start is None or round_.voided is not None:
        return
    if rules.readings["A41"] == "no_blackjack" and moment.dealer.blackjack:
        return
    due = _due(moment, data)
    if due is None or due.cause not in IN_ORDER or due.settlement.outcome != data.outcome:
        return
    if due.cause == "bust" and _collected_in_action(round_, data.hand or f"{data.seat}.1", rules):
        return
    before = _moved_since(moment, start)
    if config.settle_order == _SEAT_BY_SEAT:
        yield _seat_by_seat(rules.chapter, data, before)
    else:
        yield _collect_then_pay(moment, data, before)


def _due(moment: Moment, data: WagerSettled) -> Ruling | None:
    round_, rules = moment.play
    decision: Decision | None = None
    if data.kind == "lammer":
        name = data.hand or f"{data.seat}.1"
        lammer = next((one for one in round_.lammers if one.hand == name and not one.moves), None)
        decision = rule_lammer(round_, lammer, moment.dealer, rules) if lammer is not None else None
    else:
        stake = round_.stakes.get(stake_key(data.seat, data.kind, data.hand or None))
        decision = moment.due(stake) if stake is not None else None
    return decision if isinstance(decision, Ruling) else None


def _settlement_began(round_: Round) -> int | None:
    """Sequence after which the final settlement runs: the last card or decision once the hole card shows."""
    if round_.hole_revealed is None:
        return None
    start = round_.hole_revealed
    for hand in round_.hands.values():
        if hand.sequences:
            start = max(start, hand.sequences[-1])
        if hand.decisions:
            start = max(start, hand.decisions[-1][1])
    return start


def _moved_since(moment: Moment, start: int) -> list[tuple[int, int, str]]:
    """Sequence, seat and outcome of what was rightly moved in the final settlement so far, in order."""
    round_, rules = moment.play
    moved: list[tuple[int, int, str]] = []
    for stake in round_.stakes.values():
        if stake.moves and stake.moves[-1].sequence > start:
            decision = moment.due(stake)
            if isinstance(decision, Ruling) and decision.cause in IN_ORDER:
                if decision.cause == "bust" and _collected_in_action(round_, stake.hand or "", rules):
                    continue
                moved += [
                    (move.sequence, stake.seat, move.outcome)
                    for move in stake.moves
                    if move.outcome == decision.settlement.outcome and move.sequence > start
                ]
    for lammer in round_.lammers:
        due = rule_lammer(round_, lammer, moment.dealer, rules) if lammer.moves else None
        if not isinstance(due, Ruling) or due.settlement.outcome != "pay":
            continue  # a lammer paid that should not have been is told with the settlement
        moved += [
            (move.sequence, seat_of(lammer.hand), move.outcome)
            for move in lammer.moves
            if move.sequence > start
        ]
    return sorted(moved)


def _collected_in_action(round_: Round, name: str, rules: BlackjackRules) -> bool:
    """A bust that the house collects at once is no part of the final settlement (reading A3)."""
    hand = round_.hands.get(name)
    return rules.immediate and hand is not None and hand.tucked is None


def _collect_then_pay(moment: Moment, data: WagerSettled, before: list[tuple[int, int, str]]) -> Judgment:
    round_, rules = moment.play
    paid = [one for one in before if one[2] == "pay"]
    directed = rules.readings["A20"] == "counterclockwise"
    if data.outcome == "pay" and directed and paid and data.seat > paid[-1][1]:
        return _out_of_turn(f"{rules.chapter}.7(r)(1)#2", rules.chapter, data, paid[-1])
    if data.outcome != "collect" or _waits_for_its_lammer(round_, data):
        return UPHELD
    if paid:
        return Breach(
            clauses=(f"{rules.chapter}.7(r)(1)#2", f"{rules.chapter}.7(r)"),
            message=f"Seat {data.seat} lost, but was collected only after seat {paid[0][1]} had been paid.",
            expected={"order": "all losing wagers before any winner"},
            observed={"paid_first": paid[0][1], "collected": data.seat},
            sequences=(paid[0][0],),
            seat=data.seat,
        )
    collected = [one for one in before if one[2] == "collect"]
    if collected and data.seat > collected[-1][1]:
        return _out_of_turn(f"{rules.chapter}.7(r)(1)#1", rules.chapter, data, collected[-1])
    return UPHELD


def _waits_for_its_lammer(round_: Round, data: WagerSettled) -> bool:
    """A tucked wager may stay until the lammer it sizes is paid (reading A20)."""
    hand = round_.hands.get(data.hand or f"{data.seat}.1") if data.kind in ("main", "double") else None
    return hand is not None and hand.tucked is not None


def _seat_by_seat(chapter: str, data: WagerSettled, before: list[tuple[int, int, str]]) -> Judgment:
    clause = f"{chapter}.7(r)(2)#1"
    if not before:
        return UPHELD
    last = before[-1]
    if data.seat > last[1]:
        return _out_of_turn(clause, chapter, data, last)
    won = [one for one in before if one[1] == data.seat and one[2] == "pay"]
    if data.outcome == "collect" and won:
        return Breach(
            clauses=(clause, f"{chapter}.7(r)"),
            message=f"At seat {data.seat} a winner was paid before its losing wager was collected.",
            expected={"order": "a seat's losses before its wins"},
            observed={"seat": data.seat},
            sequences=(won[0][0],),
            seat=data.seat,
        )
    return UPHELD


def _out_of_turn(clause: str, chapter: str, data: WagerSettled, last: tuple[int, int, str]) -> Breach:
    return Breach(
        clauses=(clause, f"{chapter}.7(r)"),
        message=f"Seat {data.seat} was settled after seat {last[1]}; the order is counterclockwise, seat "
        f"{data.seat} first.",
        expected={"order": "counterclockwise from the dealer's right"},
        observed={"after_seat": last[1], "seat": data.seat},
        sequences=(last[0],),
        seat=data.seat,
    )
