"""Free Bet lammers: paid the main wager when their hand wins, taken unpaid in every other case (7(n)-(q))."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.folding.wagers import lammer_of, move_of
from processors.core.moved import moved
from processors.core.state import Lammer, Move, Round, hand_named, seat_of
from processors.games.blackjack.rulings import (
    DEALERS_HAND,
    Decision,
    Ruling,
    UndecidableStake,
    UndecidedStake,
    rule_lammer,
)
from processors.games.settled import observed
from processors.law.check import UPHELD, Breach, Indeterminate, Judged, Judgment, Moment, check, of
from processors.law.duties.settlement.roles import LAMMERS, decided
from processors.law.duties.settlement.stake import WHY, effect
from processors.law.marks import LAMMER_MISSETTLED
from processors.law.wording import WORDS, dollars
from schemas.events import LammerCollected, RoundEnded, WagerSettled, WinningsTakenBack
from schemas.rounds import Settlement

TAKEN = Settlement("collect", 0)


@check(
    "settlement.lammer", decides=decided(LAMMERS),
    reads=(of(WagerSettled, "lammer"), of(WinningsTakenBack, "lammer"), LammerCollected), where="free_bets",
    follows=True,
)  # fmt: skip
def every_lammer_is_paid_or_taken(
    moment: Moment, data: WagerSettled | WinningsTakenBack | LammerCollected
) -> Judged:
    """A lammer of a winning hand is paid its unit; any other leaves the table unpaid, and none before it is decided."""
    if isinstance(data, LammerCollected):
        return _judge_collection(moment, data) if data.kind != "envy" else None
    return _judge_payment(moment, data)


def _lammers(round_: Round, hand: str) -> list[Lammer]:
    return [lammer for lammer in round_.lammers if lammer.hand == hand and lammer.kind != "envy"]


def _judge_payment(moment: Moment, data: WagerSettled | WinningsTakenBack) -> Judged:
    round_, rules = moment.play
    name = hand_named(data.seat, data.hand)
    move = move_of(data, moment.sequence)
    lammer = lammer_of(round_, name, move.outcome)
    moves = [*(lammer.moves if lammer is not None else ()), move]
    if (
        lammer is None
        or not lammer.kind
        or (lammer.moves and not LAMMER_MISSETTLED.on(round_, data.seat, name))
    ):
        return _no_such_lammer(name, moves)
    decision = rule_lammer(round_, lammer, moment.dealer, rules)
    seen = observed(0, moves) or TAKEN
    if not isinstance(decision, Ruling):
        return _not_decided(lammer, decision, seen) if move.outcome != "take_back" else None
    return UPHELD if seen == decision.settlement else _wrong(lammer, decision, seen)


def _no_such_lammer(name: str, moves: list[Move]) -> Judgment:
    move = moves[-1]
    if move.outcome == "take_back" and moved(0, moves).won >= 0:
        return UPHELD
    return Breach(
        roles=LAMMERS["won"],
        message=f"{dollars(move.cents)} was {WORDS[move.outcome]} for a lammer that hand {name} does not have.",
        expected=None,
        observed={"outcome": move.outcome, "cents": move.cents},
        money_cents=-moved(0, [move]).won,
        seat=seat_of(name),
        hand=name,
        discriminator=LAMMER_MISSETTLED.of(seat_of(name), name),
        of_money=True,
    )


def _judge_collection(moment: Moment, data: LammerCollected) -> Judged:
    round_, rules = moment.play
    mine = _lammers(round_, data.hand)
    lammer = next((one for one in mine if one.kind == data.kind and one.collected is None), None)
    if lammer is None or lammer.moves:
        return None
    decision = rule_lammer(round_, lammer, moment.dealer, rules)
    if not isinstance(decision, Ruling):
        return _not_decided(lammer, decision, TAKEN)
    another_paid = any(one.moves and one.collected is None for one in mine)
    unpaid = decision.settlement.outcome == "pay" and not another_paid
    return _wrong(lammer, decision, TAKEN) if unpaid else UPHELD


def _roles(ruling: Ruling) -> tuple[str, ...]:
    outcome = "won" if ruling.settlement.outcome == "pay" else "lost"
    return LAMMERS[ruling.cause if ruling.cause in LAMMERS else outcome]


def _mark(lammer: Lammer) -> str:
    return LAMMER_MISSETTLED.of(seat_of(lammer.hand), lammer.hand)


def _wrong(lammer: Lammer, ruling: Ruling, seen: Settlement, unpaid: str = "taken unpaid") -> Breach:
    due = ruling.settlement
    of = f"lammer of hand {lammer.hand}"
    paid = f"For the {of}, {dollars(due.cents)} is to be paid"
    what = paid if due.outcome == "pay" else f"The {of} is to leave the table unpaid"
    was = f"{dollars(seen.cents)} was paid" if seen.outcome == "pay" else f"it was {unpaid}"
    return Breach(
        roles=_roles(ruling),
        message=f"{what} ({WHY[ruling.cause]}); {was}.",
        expected=due,
        observed=seen,
        money_cents=effect(due, 0) - effect(seen, 0),
        sequences=(lammer.placed,),
        seat=seat_of(lammer.hand),
        hand=lammer.hand,
        discriminator=_mark(lammer),
        of_money=True,
    )


def _not_decided(lammer: Lammer, decision: UndecidedStake | UndecidableStake, seen: Settlement) -> Judgment:
    if isinstance(decision, UndecidableStake):
        return Indeterminate(
            roles=LAMMERS["won"],
            message=f"What the lammer of hand {lammer.hand} is due cannot be said.",
            missing=(decision.missing,),
            hand=lammer.hand,
            seat=seat_of(lammer.hand),
            discriminator=_mark(lammer),
            unheard=decision.of,
        )
    return Breach(
        roles=(*LAMMERS["undecided"], *(LAMMERS["undecided_double"] if lammer.kind == "free_double" else ())),
        message=f"The lammer of hand {lammer.hand} was settled before it was decided: it depends on "
        f"{decision.waits_for}.",
        expected={"wait_for": decision.waits_for},
        observed=seen,
        sequences=(lammer.placed,),
        seat=seat_of(lammer.hand),
        hand=lammer.hand,
        discriminator=_mark(lammer),
        unheard="placements" if decision.waits_for == DEALERS_HAND else None,
    )


@check(
    "settlement.lammers_off", decides=decided(LAMMERS), reads=(RoundEnded,), where="free_bets", follows=True
)
def every_lammer_has_left_the_table(moment: Moment, data: RoundEnded) -> Iterator[Judgment]:
    """When the round ends no Free Bet lammer lies on the table, and each that won was paid."""
    round_, rules = moment.play
    for lammer in round_.lammers:
        if lammer.kind == "envy" or LAMMER_MISSETTLED.on(round_, seat_of(lammer.hand), lammer.hand):
            continue
        decision = rule_lammer(round_, lammer, moment.dealer, rules)
        won = isinstance(decision, Ruling) and decision.settlement.cents
        if round_.voided is None or won:  # a round that was called void is cleared as it comes
            yield _judge_end(lammer, decision)


def _judge_end(lammer: Lammer, decision: Decision) -> Judgment:
    taken = lammer.collected is not None
    if taken and not (isinstance(decision, Ruling) and decision.settlement.cents):
        return UPHELD
    if not isinstance(decision, Ruling):
        return _not_decided(lammer, decision, TAKEN)
    seen = observed(0, lammer.moves) or TAKEN
    if seen != decision.settlement:
        return _wrong(lammer, decision, seen, "taken unpaid" if taken else "not paid before the round ended")
    if taken:
        return UPHELD
    return Breach(
        roles=_roles(decision),
        message=f"The lammer of hand {lammer.hand} still lay on the table when the round ended.",
        expected={"collected": True},
        observed={"collected": False},
        sequences=(lammer.placed,),
        seat=seat_of(lammer.hand),
        hand=lammer.hand,
        discriminator=_mark(lammer),
    )
