"""Settlement of every stake of a Blackjack round (7(g)-(q), 8(c)-(e), 11, 12; readings A1-A9, A12, A24, A42)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from processors.core.folding.wagers import stake_key
from processors.core.state import Lammer, Move, Round, Stake, seat_of
from processors.games.blackjack.rulings import Decision, Open, Ruling, Unknown, rule_lammer
from processors.games.settled import observed
from processors.law.check import UPHELD, Breach, Indeterminate, Judgment, Moment, check
from processors.law.clauses import FREE_BET, clauses_of
from processors.law.duties.settlement.bust_collection import bust_at_other_time
from processors.law.duties.settlement.roles import broken
from schemas.events import LammerCollected, RoundEnded, WagerSettled
from schemas.rounds import Settlement

_READINGS = ("A3", "A1", "A2", "A13", "A5", "A12", "A24", "A25")
_LAMMER_CAUSES = ("lammer_dealer_22", "lammer_tie", "lammer_loses", "lammer_wins")
_DECIDES_LAMMERS = {ruleset: clauses_of(ruleset, *_LAMMER_CAUSES) for ruleset in FREE_BET}
ON_A_HAND = ("main", "double", "split")
WORDS = {"pay": "paid", "collect": "collected", "return": "returned"}


def dollars(cents: int) -> str:
    """Cents as dollars with two decimals."""
    return f"${cents / 100:,.2f}"


def effect(settlement: Settlement | None) -> int:
    """What a settlement does to the patron, in cents."""
    return settlement.patron_cents if settlement is not None else 0


def named(stake: Stake) -> str:
    """The stake as a floor supervisor would name it."""
    place = f"hand {stake.hand}" if stake.hand else f"seat {stake.seat}"
    return f"{stake.kind.replace('_', ' ')} wager of {place}"


@check(
    "settlement.stake",
    decides=(
        "wagers.main_required", "wagers.side_with_main", "deal.hand_without_cards", "deal.hand_with_one_card",
        "insurance.under_ace", "insurance.lost_collected", "insurance.even_money_paid",
        "reader.wrong_range_choice", "reader.wrong_range_busts", "action.blackjack_paid_on_turn",
        "added_stakes.paid_double", "added_stakes.paid_split", "settlement.both_blackjack_main",
        "settlement.both_blackjack_push22", "settlement.both_blackjack_insurance",
        "settlement.dealer_blackjack_main", "settlement.dealer_blackjack_push22",
        "settlement.dealer_blackjack_insurance", "settlement.after_dealer_stands",
        "settlement.dealer_22_returns", "settlement.dealer_22_push22", "settlement.other_total_push22",
        "settlement.other_total", "settlement.winner_paid", "settlement.dealer_over_pays",
        "settlement.dealer_22_excepted", "settlement.higher_pays", "settlement.tie_returns",
        "settlement.loser_collected", "settlement.bust_loses", "settlement.lower_loses",
        "settlement.insurance_paid", "settlement.after_double", "settlement.even_odds",
        "settlement.blackjack_odds", "settlement.insurance_odds", "settlement.push22_same_suit",
        "settlement.push22_same_colour", "settlement.push22_other", "settlement.missed_card_returned",
        "settlement.surrender_at_once", "settlement.surrender_to_blackjack",
        "settlement.surrender_after_reader", "settlement.surrender_and_insurance", "settlement.match_when",
        "settlement.match_condition", "settlement.match_tens", "settlement.dealer_22_two_large",
        "settlement.dealer_22_pays_21", "settlement.blackjack_after_double", "settlement.blackjack_after_split",
        "settlement.split_stake_returned", "settlement.match_six_decks_suited", "settlement.match_six_decks",
        "settlement.match_eight_decks_suited", "settlement.match_eight_decks",
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
    readings=_READINGS,
)  # fmt: skip
def every_stake_is_settled_as_decided(moment: Moment, data: WagerSettled) -> Iterator[Judgment]:
    """A stake is paid, collected or returned as the cards decide it, once, and not before they do."""
    if data.kind == "lammer":
        return
    round_, rules = moment.play
    key = stake_key(data.seat, data.kind, data.hand or None)
    stake = round_.stakes.get(key)
    if stake is None:
        yield _no_such_stake(moment, data)
        return
    decision = moment.due(stake)
    seen = Settlement(data.outcome, data.cents)
    if isinstance(decision, Ruling):
        yield from _judge_ruled(moment, round_, key, stake, decision, seen)
    elif isinstance(decision, Unknown):
        yield Indeterminate(
            clauses=clauses_of(rules.name, "odds"),
            message=f"Whether the {named(stake)} was settled rightly cannot be said.",
            missing=(decision.missing,),
            seat=stake.seat,
            hand=stake.hand,
            observed=seen,
            discriminator=key,
        )
    else:
        yield _too_early(moment, key, stake, decision, seen)


def _judge_ruled(
    moment: Moment, round_: Round, key: str, stake: Stake, ruling: Ruling, seen: Settlement
) -> Iterator[Judgment]:
    due = ruling.settlement
    if seen == due and not stake.moves and ruling.cause not in ("surrender", "bust"):
        yield UPHELD
        return
    before = observed(stake.cents, stake.moves)
    if ruling.cause == "surrender":
        halves = {due, Settlement("return", stake.cents - due.cents)}
        done = {Settlement(move.outcome, move.cents) for move in stake.moves}  # type: ignore[arg-type]  # contract
        if seen in halves - done or (seen in halves and len(halves) == 1 and len(stake.moves) < 2):
            yield UPHELD
            return
    elif before != due and observed(stake.cents, [*stake.moves, _as_move(moment, seen)]) == due:
        other_time = bust_at_other_time(moment, stake, ruling)
        yield other_time or UPHELD  # at once, or by putting an earlier wrong settlement right (A42)
        return
    elif before is not None and before.outcome == "collect" and seen == Settlement("return", before.cents):
        return  # reverses a wrong collect, which was reported (A42); what is due then is still open
    if before is not None and before == due and ruling.cause != "surrender":
        yield _settled_twice(moment, key, stake, ruling, seen)
        return
    yield _wrong(moment, round_, key, stake, ruling, seen)


def _as_move(moment: Moment, seen: Settlement) -> Move:
    return Move(seen.outcome, seen.cents, moment.sequence)


def _wrong(moment: Moment, round_: Round, key: str, stake: Stake, ruling: Ruling, seen: Settlement) -> Breach:
    due = ruling.settlement
    owed = effect(due) - effect(seen)
    return Breach(
        clauses=broken(moment, round_, stake, ruling, seen),
        message=(
            f"The {named(stake)} is to be {WORDS[due.outcome]} {dollars(due.cents)} "
            f"({ruling.cause.replace('_', ' ')}), but {dollars(seen.cents)} was {WORDS[seen.outcome]}."
        ),
        expected=due,
        observed=seen,
        money_cents=owed,
        sequences=_evidence(round_, stake),
        seat=stake.seat,
        hand=stake.hand,
        discriminator=key,
    )


def _evidence(round_: Round, stake: Stake) -> tuple[int, ...]:
    own = round_.hands.get(stake.hand or f"{stake.seat}.1")
    dealer = round_.hands.get("D")
    sequences = [stake.placed]
    sequences += own.sequences if own is not None else []
    sequences += dealer.sequences if dealer is not None else []
    if round_.hole_revealed is not None:
        sequences.append(round_.hole_revealed)
    return tuple(sorted(set(sequences)))


def _settled_twice(moment: Moment, key: str, stake: Stake, ruling: Ruling, seen: Settlement) -> Breach:
    return Breach(
        clauses=broken(moment, moment.play[0], stake, ruling, ruling.settlement),
        message=f"The {named(stake)} was already settled; {dollars(seen.cents)} more was {WORDS[seen.outcome]}.",
        expected=None,
        observed=seen,
        money_cents=-effect(seen),
        sequences=tuple(move.sequence for move in stake.moves),
        seat=stake.seat,
        hand=stake.hand,
        discriminator=key,
    )


def _too_early(moment: Moment, key: str, stake: Stake, decision: Open, seen: Settlement) -> Breach:
    rules = moment.play[1]
    cause = {"insurance": "insurance_loses", "match_dealer": "match_open"}.get(stake.kind, "undecided")
    hand = moment.play[0].hands.get(stake.hand or "")
    doubled = hand is not None and any(kind == "double" for kind, _ in hand.decisions)
    return Breach(
        clauses=clauses_of(rules.name, cause, *(("undecided_double",) if doubled else ())),
        message=f"The {named(stake)} was {WORDS[seen.outcome]} before {decision.waits_for} was known.",
        expected={"wait_for": decision.waits_for},
        observed=seen,
        sequences=(stake.placed,),
        seat=stake.seat,
        hand=stake.hand,
        discriminator=key,
    )


def _no_such_stake(moment: Moment, data: WagerSettled) -> Breach:
    rules = moment.play[1]
    seen = Settlement(data.outcome, data.cents)
    return Breach(
        clauses=clauses_of(rules.name, f"no_{data.kind}", *(("odds",) if data.kind in ON_A_HAND else ())),
        message=f"{dollars(data.cents)} was {WORDS[data.outcome]} at seat {data.seat} for a "
        f"{data.kind.replace('_', ' ')} wager that nobody placed.",
        expected=None,
        observed=seen,
        money_cents=-effect(seen),
        seat=data.seat,
        hand=data.hand or None,
        discriminator=stake_key(data.seat, data.kind, data.hand or None),
    )


@check(
    "settlement.lammer",
    decides=(
        "settlement.dealer_22_lammers", "settlement.winner_paid", "settlement.dealer_22_excepted",
        "settlement.tie_lammers", "settlement.loser_collected", "settlement.even_odds",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    where="free_bets",
    reads=(WagerSettled, LammerCollected),
    follows=True,
)  # fmt: skip
def every_lammer_is_paid_or_taken(moment: Moment, data: WagerSettled | LammerCollected) -> Iterator[Judgment]:
    """A lammer of a winning hand is paid its unit; any other leaves the table unpaid, and none before it is decided."""
    if isinstance(data, WagerSettled):
        if data.kind == "lammer":
            yield _judge_payment(moment, data)
    elif data.kind != "envy":
        yield from _judge_collection(moment, data)


def _lammers(round_: Round, hand: str) -> list[Lammer]:
    return [lammer for lammer in round_.lammers if lammer.hand == hand and lammer.kind != "envy"]


def _judge_payment(moment: Moment, data: WagerSettled) -> Judgment:
    round_, rules = moment.play
    name = data.hand or f"{data.seat}.1"
    mine = _lammers(round_, name)
    lammer = next((one for one in mine if not one.moves), mine[-1] if mine else None)
    seen = Settlement(data.outcome, data.cents)
    key = f"{data.seat}:lammer:{name}"
    if lammer is None or (lammer.moves and key not in round_.reported):
        return Breach(
            clauses=clauses_of(rules.name, "lammer_wins"),
            message=f"{dollars(data.cents)} was paid for a lammer that hand {name} does not have.",
            expected=None,
            observed=seen,
            money_cents=-effect(seen),
            seat=data.seat,
            hand=name,
            discriminator=key,
        )
    decision = rule_lammer(round_, lammer, moment.dealer, rules)
    if isinstance(decision, Ruling):
        if observed(0, [*lammer.moves, _as_move(moment, seen)]) == decision.settlement:
            return UPHELD
        return _wrong_lammer(rules.name, lammer, decision, seen, key)
    return _lammer_open(rules.name, lammer, decision, seen, key)


def _judge_collection(moment: Moment, data: LammerCollected) -> Iterable[Judgment]:
    round_, rules = moment.play
    lammer = next(
        (one for one in _lammers(round_, data.hand) if one.kind == data.kind and one.collected is None), None
    )
    if lammer is None or lammer.moves:
        return
    decision = rule_lammer(round_, lammer, moment.dealer, rules)
    taken = Settlement("collect", 0)
    key = f"{data.hand[0]}:lammer:{data.hand}"
    if isinstance(decision, Ruling):
        if decision.settlement.outcome == "pay":
            paid = any(one.moves and one.collected is None for one in _lammers(round_, data.hand))
            yield UPHELD if paid else _wrong_lammer(rules.name, lammer, decision, taken, key)
        else:
            yield UPHELD
    else:
        yield _lammer_open(rules.name, lammer, decision, taken, key)


def _wrong_lammer(ruleset: str, lammer: Lammer, ruling: Ruling, seen: Settlement, key: str) -> Breach:
    due = ruling.settlement
    cause = {"dealer_22": "lammer_dealer_22", "tie": "lammer_tie"}.get(
        ruling.cause, "lammer_wins" if due.outcome == "pay" else "lammer_loses"
    )
    what = f"is to be paid {dollars(due.cents)}" if due.outcome == "pay" else "is to leave the table unpaid"
    return Breach(
        clauses=clauses_of(ruleset, cause),
        message=f"The lammer of hand {lammer.hand} {what} ({ruling.cause.replace('_', ' ')}); "
        + (f"{dollars(seen.cents)} was paid." if seen.outcome == "pay" else "it was taken unpaid."),
        expected=due,
        observed=seen,
        money_cents=effect(due) - effect(seen),
        sequences=(lammer.placed,),
        seat=seat_of(lammer.hand),
        hand=lammer.hand,
        discriminator=key,
    )


def _lammer_open(
    ruleset: str, lammer: Lammer, decision: Open | Unknown, seen: Settlement, key: str
) -> Judgment:
    if isinstance(decision, Unknown):
        return Indeterminate(
            clauses=clauses_of(ruleset, "lammer_wins"),
            message=f"Whether the lammer of hand {lammer.hand} was due its unit cannot be said.",
            missing=(decision.missing,),
            hand=lammer.hand,
            seat=seat_of(lammer.hand),
            discriminator=key,
        )
    return Breach(
        clauses=clauses_of(ruleset, "undecided"),
        message=f"The lammer of hand {lammer.hand} was settled before {decision.waits_for} was known.",
        expected={"wait_for": decision.waits_for},
        observed=seen,
        sequences=(lammer.placed,),
        seat=seat_of(lammer.hand),
        hand=lammer.hand,
        discriminator=key,
    )


@check(
    "settlement.complete",
    decides=(
        "wagers.main_required", "wagers.side_with_main", "deal.hand_without_cards", "deal.hand_with_one_card",
        "insurance.under_ace", "insurance.lost_collected", "insurance.even_money_paid",
        "reader.wrong_range_choice", "reader.wrong_range_busts", "action.blackjack_paid_on_turn",
        "added_stakes.paid_double", "added_stakes.paid_split", "settlement.both_blackjack_main",
        "settlement.both_blackjack_push22", "settlement.both_blackjack_insurance",
        "settlement.dealer_blackjack_main", "settlement.dealer_blackjack_push22",
        "settlement.dealer_blackjack_insurance", "settlement.after_dealer_stands",
        "settlement.dealer_22_returns", "settlement.dealer_22_push22", "settlement.other_total_push22",
        "settlement.other_total", "settlement.winner_paid", "settlement.dealer_over_pays",
        "settlement.dealer_22_excepted", "settlement.higher_pays", "settlement.tie_returns",
        "settlement.loser_collected", "settlement.bust_loses", "settlement.lower_loses",
        "settlement.insurance_paid", "settlement.after_double", "settlement.even_odds",
        "settlement.blackjack_odds", "settlement.insurance_odds", "settlement.push22_same_suit",
        "settlement.push22_same_colour", "settlement.push22_other", "settlement.missed_card_returned",
        "settlement.surrender_at_once", "settlement.surrender_to_blackjack",
        "settlement.surrender_after_reader", "settlement.surrender_and_insurance", "settlement.match_when",
        "settlement.match_condition", "settlement.match_tens", "settlement.dealer_22_two_large",
        "settlement.dealer_22_pays_21", "settlement.blackjack_after_double", "settlement.blackjack_after_split",
        "settlement.split_stake_returned", "settlement.match_six_decks_suited", "settlement.match_six_decks",
        "settlement.match_eight_decks_suited", "settlement.match_eight_decks",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    reads=(RoundEnded,),
    follows=True,
    readings=(*_READINGS, "A23"),
)  # fmt: skip
def nothing_is_left_unsettled(moment: Moment, data: RoundEnded) -> Iterator[Judgment]:
    """When the round ends, every stake has been settled as it finally stands (only then can it be known)."""
    round_, rules = moment.play
    for key, stake in round_.stakes.items():
        if key in round_.reported or f"late:{key}" in round_.reported:
            continue
        decision = moment.due(stake)
        seen = observed(stake.cents, stake.moves)
        if not isinstance(decision, Ruling):
            if not isinstance(decision, Open) or stake.moves or stake.cents:
                yield from _cannot_say(rules.name, key, stake, decision)
            continue
        if seen == decision.settlement or (
            rules.readings["A23"] == "either" and _stays_for_the_next_deal(round_, stake)
        ):
            yield UPHELD
        else:
            yield _left(moment, key, stake, decision, seen)


def _cannot_say(ruleset: str, key: str, stake: Stake, decision: Decision) -> Iterator[Judgment]:
    if isinstance(decision, Unknown):
        yield Indeterminate(
            clauses=clauses_of(ruleset, "odds"),
            message=f"What the {named(stake)} is due cannot be said.",
            missing=(decision.missing,),
            seat=stake.seat,
            hand=stake.hand,
            discriminator=key,
        )
    elif isinstance(decision, Open) and not stake.moves:
        yield Breach(
            clauses=clauses_of(ruleset, "undecided"),
            message=f"The round ended with the {named(stake)} undecided: {decision.waits_for} was never known.",
            expected={"wait_for": decision.waits_for},
            observed=None,
            sequences=(stake.placed,),
            seat=stake.seat,
            hand=stake.hand,
            discriminator=key,
        )


def _stays_for_the_next_deal(round_: Round, stake: Stake) -> bool:
    """A hand that got no cards is dead and its wager may wait for the next deal (12(g), reading A23)."""
    hand = round_.hands.get(stake.hand or f"{stake.seat}.1")
    return hand is not None and hand.voided is not None and not hand.cards and not stake.moves


def _left(moment: Moment, key: str, stake: Stake, ruling: Ruling, seen: Settlement | None) -> Breach:
    due = ruling.settlement
    was = f"{dollars(seen.cents)} was {WORDS[seen.outcome]}" if seen is not None else "nothing was done"
    return Breach(
        clauses=broken(moment, moment.play[0], stake, ruling, seen or Settlement("return", -1)),
        message=f"The {named(stake)} is {WORDS[due.outcome]} {dollars(due.cents)} "
        f"({ruling.cause.replace('_', ' ')}); when the round ended {was}.",
        expected=due,
        observed=seen,
        money_cents=effect(due) - effect(seen),
        sequences=_evidence(moment.play[0], stake),
        seat=stake.seat,
        hand=stake.hand,
        discriminator=key,
    )


@check(
    "settlement.lammers_off",
    decides=(
        "settlement.dealer_22_lammers", "settlement.winner_paid", "settlement.dealer_22_excepted",
        "settlement.tie_lammers", "settlement.loser_collected", "settlement.even_odds",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    where="free_bets",
    reads=(RoundEnded,),
    follows=True,
)  # fmt: skip
def every_lammer_has_left_the_table(moment: Moment, data: RoundEnded) -> Iterator[Judgment]:
    """When the round ends no Free Bet lammer lies on the table, and each that won was paid."""
    round_, rules = moment.play
    if round_.voided is not None:
        return
    for lammer in round_.lammers:
        key = f"{lammer.hand[0]}:lammer:{lammer.hand}"
        if lammer.kind == "envy" or key in round_.reported:
            continue
        decision = rule_lammer(round_, lammer, moment.dealer, rules)
        if lammer.collected is not None and not (isinstance(decision, Ruling) and decision.settlement.cents):
            yield UPHELD
        elif isinstance(decision, Ruling):
            seen = observed(0, lammer.moves) or Settlement("collect", 0)
            if seen != decision.settlement:
                yield _wrong_lammer(rules.name, lammer, decision, seen, key)
            elif lammer.collected is None:
                yield _left_lying(rules.name, lammer, decision)
            else:
                yield UPHELD
        else:
            yield _lammer_open(rules.name, lammer, decision, Settlement("collect", 0), key)


def _left_lying(ruleset: str, lammer: Lammer, ruling: Ruling) -> Breach:
    cause = {"dealer_22": "lammer_dealer_22", "tie": "lammer_tie"}.get(
        ruling.cause, "lammer_wins" if ruling.settlement.outcome == "pay" else "lammer_loses"
    )
    return Breach(
        clauses=clauses_of(ruleset, cause),
        message=f"The lammer of hand {lammer.hand} still lay on the table when the round ended.",
        expected={"collected": True},
        observed={"collected": False},
        sequences=(lammer.placed,),
        seat=seat_of(lammer.hand),
        hand=lammer.hand,
        discriminator=f"{lammer.hand[0]}:lammer:{lammer.hand}",
    )
