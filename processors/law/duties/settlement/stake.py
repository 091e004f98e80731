"""Settlement of every stake of a Blackjack round (7(g)-(q), 8(c)-(e), 11, 12; readings A1-A9, A12, A24, A42)."""

from __future__ import annotations

from msgspec.structs import replace

from processors.core.folding.wagers import move_of
from processors.core.moved import moved, unplaced
from processors.core.state import Move, Round, Stake, hand_named, stake_key
from processors.games.blackjack.action import open_hands
from processors.games.blackjack.hands import busted_at, is_doubled, is_split
from processors.games.blackjack.rulings import DEALERS_HAND, Ruling, UndecidedStake
from processors.games.settled import observed
from processors.law.check import UPHELD, Breach, Indeterminate, Judged, Moment, check
from processors.law.duties.settlement.roles import CAUSES, STAKES, UNPLACED, broken
from processors.law.marks import BUST_AT_OTHER_TIME, MISSETTLED
from processors.law.wording import WORDS, a, dollars, named, wager
from schemas.events import WagerSettled, WinningsTakenBack
from schemas.rounds import Settlement
from schemas.values import DEALER

READINGS = ("A3", "A1", "A2", "A13", "A5", "A12", "A24", "A25")
WHY = {
    "blackjack": "a Blackjack", "both_blackjack": "both have Blackjack", "dealer_blackjack": "the dealer has Blackjack",
    "push22_against_blackjack": "the dealer has Blackjack", "double_against_blackjack": "the dealer has Blackjack",
    "split_against_blackjack": "the dealer has Blackjack", "even_money": "even money was taken",
    "surrender": "the hand was surrendered", "surrender_to_blackjack": "surrendered to a dealer Blackjack",
    "bust": "the hand is over 21", "dealer_22": "the dealer has 22", "dealer_22_paid": "this hand wins against a 22",
    "dealer_over": "the dealer is over 22", "higher": "the hand is higher than the dealer's",
    "lower": "the hand is lower than the dealer's", "tie": "a tie", "insurance_wins": "the insurance has won",
    "insurance_loses": "the insurance has lost", "push22_loses": "the dealer has no 22",
    "push22_same_suit": "a 22 of one suit", "push22_same_colour": "a 22 of one colour",
    "push22_other": "a 22 of both colours", "match_wins": "a match", "match_loses": "no match",
    "dead": "the hand is dead",
}  # fmt: skip


def effect(settlement: Settlement | None, staked_cents: int) -> int:
    """What a settlement of a stake brings the patron, in cents."""
    return settlement.patron_cents(staked_cents) if settlement is not None else 0


@check(
    "settlement.stake",
    decides=STAKES,
    reads=(WagerSettled, WinningsTakenBack),
    follows=True,
    readings=READINGS,
)
def every_stake_is_settled_as_decided(moment: Moment, data: WagerSettled | WinningsTakenBack) -> Judged:
    """A stake is paid, collected or returned as the cards decide it, once, and not before they do."""
    if data.kind == "lammer":
        return None
    judged = _judge(moment, data)
    return replace(judged, wager=data.kind) if isinstance(judged, Breach) else judged


def _judge(moment: Moment, data: WagerSettled | WinningsTakenBack) -> Judged:
    round_, _ = moment.play
    key = stake_key(data.seat, data.kind, data.hand)
    stake, mark = round_.stakes.get(key), MISSETTLED.of(key)
    seen = move_of(data, moment.sequence)
    if stake is None or unplaced(stake):
        return _no_such_stake(mark, data, [*(stake.moves if stake is not None else ()), seen])
    decision = moment.due(stake)
    if isinstance(decision, Ruling):
        return _judge_ruled(moment, mark, stake, decision, seen)
    if isinstance(decision, UndecidedStake) and seen.outcome == "take_back":
        return None  # what was paid too early goes back, and waits for the decision again
    if isinstance(decision, UndecidedStake) and (round_.voided is None or seen.outcome != "return"):
        return _too_early(round_, mark, stake, decision, seen)
    if isinstance(decision, UndecidedStake):
        message = f"The {named(stake)} was returned undecided, as the round was called void."
        missing = f"the round after it was called void at event {round_.voided}"
    else:
        message, missing = f"Whether the {named(stake)} was settled rightly cannot be said.", decision.missing
    return Indeterminate(
        roles=CAUSES["odds"],
        message=message,
        missing=(missing,),
        seat=stake.seat,
        hand=stake.hand,
        observed=Settlement(seen.outcome, seen.cents) if seen.outcome != "take_back" else None,
        discriminator=mark,
    )


def _judge_ruled(moment: Moment, mark: str, stake: Stake, ruling: Ruling, seen: Move) -> Judged:
    due = ruling.settlement
    if not stake.moves and ruling.cause not in ("bust", "surrender") and (seen.outcome, seen.cents) == (
        due.outcome, due.cents,
    ):  # fmt: skip
        return UPHELD
    moves = [*stake.moves, seen]
    before, after = observed(stake.cents, stake.moves), observed(stake.cents, moves)
    if ruling.cause == "surrender":
        right = _is_a_half(stake, due, seen) or (after == due and before not in (due, None))
        return UPHELD if right else _wrong(moment, mark, stake, ruling, moves)
    if before != due and after == due:  # at once, or by putting an earlier wrong settlement right (A42)
        return _bust_at_other_time(moment, stake, ruling) or UPHELD
    if before == due:
        return _settled_twice(moment, mark, stake, ruling, moves)
    return _wrong(moment, mark, stake, ruling, moves)


def _is_a_half(stake: Stake, due: Settlement, seen: Move) -> bool:
    """Whether this is a half of a surrendered wager that has not moved yet."""
    half = (seen.outcome, seen.cents)
    halves = {(due.outcome, due.cents), ("return", stake.cents - due.cents)}
    done = {(move.outcome, move.cents) for move in stake.moves}
    return half in halves - done or (half in halves and len(halves) == 1 and len(stake.moves) < 2)


def _wrong(moment: Moment, mark: str, stake: Stake, ruling: Ruling, moves: list[Move]) -> Breach:
    was = ", then ".join(f"{dollars(move.cents)} was {WORDS[move.outcome]}" for move in moves)
    seen = observed(stake.cents, moves)
    return replace(settled_otherwise(moment, mark, stake, ruling, seen, f", but {was}"), of_money=True)


def settled_otherwise(
    moment: Moment, mark: str, stake: Stake, ruling: Ruling, seen: Settlement | None, was: str
) -> Breach:
    """The breach of a stake that was settled otherwise than it is due, or not at all; `was` ends its message."""
    due = ruling.settlement
    what = f"{dollars(due.cents)} is to be {WORDS[due.outcome]} ({WHY[ruling.cause]})"
    return Breach(
        roles=broken(moment, stake, ruling, seen),
        message=f"For the {named(stake)}, {what}{was}.",
        expected=due,
        observed=seen,
        money_cents=effect(due, stake.cents) - effect(seen, stake.cents),
        sequences=_evidence(moment.play[0], stake),
        seat=stake.seat,
        hand=stake.hand,
        discriminator=mark,
    )


def _evidence(round_: Round, stake: Stake) -> tuple[int, ...]:
    """The sequences that decide a stake: where it was placed, the cards of its hand and the dealer's, the reveal."""
    sequences = [stake.placed]
    for name in (hand_named(stake.seat, stake.hand), DEALER):
        hand = round_.hands.get(name)
        sequences += hand.sequences if hand is not None else []
    sequences += [move.sequence for move in stake.moves]
    if round_.hole_revealed is not None:
        sequences.append(round_.hole_revealed)
    return tuple(sorted(set(sequences)))


def _settled_twice(moment: Moment, mark: str, stake: Stake, ruling: Ruling, moves: list[Move]) -> Breach:
    seen = moves[-1]
    more = "" if seen.outcome == "take_back" else " more"
    return Breach(
        roles=broken(moment, stake, ruling, ruling.settlement),
        message=f"The {named(stake)} was already settled; {dollars(seen.cents)}{more} was {WORDS[seen.outcome]}.",
        expected=None,
        observed={"outcome": seen.outcome, "cents": seen.cents},
        money_cents=effect(ruling.settlement, stake.cents) - moved(stake.cents, moves).patron_cents,
        of_money=True,
        sequences=tuple(move.sequence for move in stake.moves),
        seat=stake.seat,
        hand=stake.hand,
        discriminator=mark,
    )


def _too_early(round_: Round, mark: str, stake: Stake, decision: UndecidedStake, seen: Move) -> Breach:
    cause = {"insurance": "insurance_loses", "match_dealer": "match_open"}.get(stake.kind, "undecided")
    hand = round_.hands.get(stake.hand or "")
    doubled = hand is not None and is_doubled(hand)
    return Breach(
        roles=(*CAUSES[cause], *(CAUSES["undecided_double"] if doubled else ())),
        message=f"The {named(stake)} was {WORDS[seen.outcome]} before it was decided: "
        f"it depends on {decision.waits_for}.",
        expected={"wait_for": decision.waits_for},
        observed={"outcome": seen.outcome, "cents": seen.cents},
        sequences=(stake.placed,),
        seat=stake.seat,
        hand=stake.hand,
        discriminator=mark,
        unheard="placements" if decision.waits_for == DEALERS_HAND else None,
    )


def _no_such_stake(mark: str, data: WagerSettled | WinningsTakenBack, moves: list[Move]) -> Judged:
    seen = observed(0, moves)
    if seen is None:
        return UPHELD
    return Breach(
        roles=UNPLACED.get(data.kind, ()),
        message=f"{dollars(seen.cents)} was {WORDS[seen.outcome]} at seat {data.seat} for {a(wager(data.kind))} "
        "that nobody placed.",
        expected=None,
        observed=seen,
        money_cents=-moved(0, moves).patron_cents,
        sequences=tuple(move.sequence for move in moves),
        seat=data.seat,
        hand=data.hand or None,
        discriminator=mark,
        unheard="wagers",
        of_money=True,
    )


def _bust_at_other_time(moment: Moment, stake: Stake, ruling: Ruling) -> Breach | None:
    """A bust collected at another moment than the table has it (A3), where that is beyond doubt."""
    round_, rules = moment.play
    hand = round_.hands.get(stake.hand or "")
    if ruling.cause != "bust" or stake.moves or hand is None or is_split(hand):
        return None
    busted, shown = busted_at(hand, rules), round_.hole_revealed
    if rules.readings["A3"] != "configured" or busted is None:
        return None
    if rules.immediate:
        departs = shown is not None and shown > busted
    else:
        departs = shown is None and bool(open_hands(round_, rules))
    if not departs:
        return None
    due, seen = ("at once", "at settlement") if rules.immediate else ("at settlement", "at once")
    return Breach(
        roles=CAUSES["bust"],
        message=f"The {stake.kind} wager of hand {hand.name}, which busted, was collected {seen}; "
        f"this table collects busts {due}.",
        expected={"collected": due},
        observed={"collected": seen},
        sequences=(busted,),
        seat=stake.seat,
        hand=stake.hand,
        discriminator=BUST_AT_OTHER_TIME.of(hand.name),
    )
