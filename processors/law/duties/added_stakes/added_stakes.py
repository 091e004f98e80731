"""Doubles and splits: what they cost and what lies beside them (9(a)-(c), 10(a)-(b), 685a.9, 685a.10; A53, A54)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Hand, Lammer, Round, Stake, seat_of
from processors.games.blackjack.hands import is_split
from processors.games.blackjack.rules import BlackjackRules
from processors.games.totals import POINTS, count
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.clauses import FREE_BET, SECTIONS
from processors.law.duties.action.decisions import CLAUSE
from processors.law.duties.settlement.stake import dollars
from schemas.events import CardDrawn, CardPlaced, LammerPlaced, PlayerDecision, WagerMoved, WagerPlaced

_DOUBLE = {ruleset: SECTIONS[ruleset]["double"] for ruleset in FREE_BET}
_SPLIT = {ruleset: SECTIONS[ruleset]["split"] for ruleset in FREE_BET}
_DECIDES = {
    **{
        ruleset: (
            f"{_DOUBLE[ruleset]}(a)(1)#1", f"{_DOUBLE[ruleset]}(a)(1)#2", f"{_DOUBLE[ruleset]}(a)(2)",
            f"{_DOUBLE[ruleset]}(b)", f"{_SPLIT[ruleset]}(b)(1)", f"{_SPLIT[ruleset]}(b)(2)",
        )
        for ruleset in FREE_BET
    },
    "down_under_685a": ("685a.9(a)#2", "685a.10(a)#2"),
}  # fmt: skip
_LAMMERS = {
    ruleset: (
        *_DECIDES[ruleset], f"{_SPLIT[ruleset]}(b)(2)(i)", f"{_SPLIT[ruleset]}(b)(2)(ii)", CLAUSE[ruleset]["choice"],
    )
    for ruleset in FREE_BET
}  # fmt: skip
_PRESENT = {
    **{
        ruleset: (
            f"{_DOUBLE[ruleset]}(a)(1)#2", f"{_DOUBLE[ruleset]}(a)(2)", f"{_SPLIT[ruleset]}(b)(1)",
            f"{_SPLIT[ruleset]}(b)(2)(i)",
        )
        for ruleset in FREE_BET
    },
    "down_under_685a": ("685a.9(a)#2", "685a.10(a)#2"),
}  # fmt: skip


def is_free_double(hand: Hand, rules: BlackjackRules) -> bool | None:
    """Whether a double on the hand's two cards is free: hard 9, 10 or 11 (9(a)(1)); None if a card is unknown."""
    counted = count(hand.cards[:2])
    if counted is None:
        return None
    return not counted[1] and counted[0] in rules.free_doubles


def is_free_split(hand: Hand, rules: BlackjackRules) -> bool | None:
    """Whether splitting from this hand is free: any pair but ten-values (10(b)); None if a card is unknown."""
    points = POINTS.get(hand.cards[0]) if hand.cards else None
    if points is None:
        return None
    return rules.free_bets and points != 10


def _main(round_: Round, seat: int) -> int:
    stake = round_.stakes.get(f"{seat}:main:{seat}.1")
    return stake.cents if stake is not None else 0


@check(
    "added_stakes.stake",
    decides=(
        "added_stakes.free_double", "added_stakes.double_lammer", "added_stakes.paid_double",
        "added_stakes.double_after_split", "added_stakes.paid_split", "added_stakes.free_split",
    ),
    formerly="added.stake",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    reads=(WagerPlaced,),
    alters=True,
    follows=True,
)  # fmt: skip
def doubles_and_splits_cost_what_they_may(moment: Moment, data: WagerPlaced) -> Iterator[Judgment]:
    """A paid double adds at most the original wager, a paid split exactly it; free ones cost nothing (A54)."""
    round_, rules = moment.play
    if data.kind not in ("double", "split"):
        return
    name = data.hand or f"{data.seat}.1"
    hand = round_.hands.get(name)
    if hand is None or not hand.cards:
        return
    main = _main(round_, data.seat)
    before = round_.stakes.get(f"{data.seat}:{data.kind}:{name}")
    cents = data.cents + (before.cents if before is not None else 0)
    fault = (
        _double_cost(hand, rules, cents, main)
        if data.kind == "double"
        else _split_cost(hand, rules, cents, main)
    )
    if fault is None:
        yield UPHELD
        return
    clauses, message = fault
    yield Breach(
        clauses=clauses,
        message=f"Seat {data.seat}: {message}",
        expected={"original_cents": main},
        observed={"kind": data.kind, "cents": cents},
        sequences=tuple(hand.sequences),
        seat=data.seat,
        hand=name,
        discriminator=f"added:{data.kind}:{name}",
    )


def _double_cost(
    hand: Hand, rules: BlackjackRules, cents: int, main: int
) -> tuple[tuple[str, ...], str] | None:
    if rules.free_bets and is_free_double(hand, rules):
        base = SECTIONS[rules.name]["double"]
        after_split = (f"{base}(b)",) if is_split(hand) else ()
        return (f"{base}(a)(1)#1", f"{base}(a)(1)#2", *after_split), (
            f"{dollars(cents)} was taken for a double on {' '.join(hand.cards)}, which is free."
        )
    if 0 < cents <= main:
        return None
    clause = "685a.9(a)#2" if rules.down_under else f"{SECTIONS[rules.name]['double']}(a)(2)"
    return (clause,), f"the double adds {dollars(cents)}; it may add up to {dollars(main)}."


def _split_cost(
    hand: Hand, rules: BlackjackRules, cents: int, main: int
) -> tuple[tuple[str, ...], str] | None:
    if rules.free_bets and is_free_split(hand, rules):
        return (f"{SECTIONS[rules.name]['split']}(b)(2)",), (
            f"{dollars(cents)} was taken for a split of {hand.cards[0][0]}s, which is free."
        )
    if cents == main:
        return None
    clause = "685a.10(a)#2" if rules.down_under else f"{SECTIONS[rules.name]['split']}(b)(1)"
    return (clause,), f"the split adds {dollars(cents)}; it costs exactly {dollars(main)}."


@check(
    "added_stakes.lammer",
    decides=(
        "action.choices", "added_stakes.free_double", "added_stakes.double_lammer", "added_stakes.paid_double",
        "added_stakes.double_after_split", "added_stakes.paid_split", "added_stakes.free_split",
        "added_stakes.split_lammer", "added_stakes.split_chips_travel",
    ),
    formerly="added.lammer",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    where="free_bets",
    reads=(LammerPlaced,),
    alters=True,
    follows=True,
)  # fmt: skip
def lammers_lie_only_by_free_bets(moment: Moment, data: LammerPlaced) -> Iterator[Judgment]:
    """One lammer lies by each free double and each free split, and by nothing else."""
    round_, rules = moment.play
    if data.kind == "envy":
        return
    hand = round_.hands.get(data.hand)
    fault = _lammer_fault(round_, hand, rules, data)
    if fault is None:
        yield UPHELD
        return
    clauses, message = fault
    yield Breach(
        clauses=clauses,
        message=message,
        expected={"lammer": "one by each free double or split"},
        observed={"hand": data.hand, "kind": data.kind},
        sequences=tuple(hand.sequences) if hand is not None else (),
        seat=int(data.hand[0]) if data.hand[0].isdigit() else None,
        hand=data.hand,
        discriminator=f"added:{data.kind.removeprefix('free_')}:{data.hand}",
    )


def _lammer_fault(
    round_: Round, hand: Hand | None, rules: BlackjackRules, data: LammerPlaced
) -> tuple[tuple[str, ...], str] | None:
    same = [one for one in round_.lammers if one.hand == data.hand and one.kind == data.kind]
    double, split = SECTIONS[rules.name]["double"], SECTIONS[rules.name]["split"]
    if data.kind == "free_double":
        clauses = (f"{double}(a)(1)#1", f"{double}(a)(1)#2")
        if hand is None or not hand.decisions or hand.decisions[-1][0] != "double":
            new = hand is not None and hand.parent is not None and len(hand.cards) == 1
            return (
                *clauses,
                f"{split}(b)(2)(i)" if new else CLAUSE[rules.name]["choice"],
            ), f"A free-double lammer was laid by hand {data.hand}, which did not double."
        if is_free_double(hand, rules) is False:
            after_split = (f"{double}(b)",) if is_split(hand) else ()
            return (f"{double}(a)(1)#1", f"{double}(a)(2)", *after_split), (
                f"A lammer was laid for a double on {' '.join(hand.cards[:2])}; only hard 9, 10 and 11 double free."
            )
        return ((clauses[1],), f"Hand {data.hand} has more than one free-double lammer.") if same else None
    if hand is None or hand.parent is None:
        parent_split = hand is not None and hand.split_at is not None
        clause = f"{split}(b)(2)(ii)" if parent_split else f"{split}(b)(2)(i)"
        more: tuple[str, ...] = () if hand is not None else (CLAUSE[rules.name]["choice"],)
        if hand is not None and hand.decisions and hand.decisions[-1][0] == "double":
            more = (f"{double}(a)(1)#2",)
        return (
            clause,
            *more,
        ), f"A free-split lammer was laid by hand {data.hand}, which is no new hand of a split."
    if is_free_split(hand, rules) is False:
        return (
            f"{split}(b)(1)",
            f"{split}(b)(2)",
        ), "A lammer was laid for a split of ten-value cards."
    return (
        ((f"{split}(b)(2)(i)",), f"Hand {data.hand} has more than one free-split lammer.") if same else None
    )


@check(
    "added_stakes.present",
    decides=(
        "added_stakes.double_lammer", "added_stakes.paid_double", "added_stakes.paid_split",
        "added_stakes.split_lammer",
    ),
    formerly="added.present",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    reads=(CardDrawn, CardPlaced),
    alters=True,
    follows=True,
    after=(PlayerDecision,),
)  # fmt: skip
def the_stake_or_lammer_lies_there_before_the_card(
    moment: Moment, data: CardDrawn | CardPlaced
) -> Iterator[Judgment]:
    """Before the card of a double or split is drawn, its wager or its lammer lies there (reading A53)."""
    round_, rules = moment.play
    decided = _last_added(round_)
    if decided is None:
        return
    kind, name = decided
    hand = round_.hands.get(name)
    if hand is None or not hand.cards or f"added:{kind}:{name}" in round_.reported:
        return
    stake = round_.stakes.get(f"{hand.seat}:{kind}:{name}")
    lammer = next((one for one in round_.lammers if one.hand == name and one.kind == f"free_{kind}"), None)
    free = is_free_double(hand, rules) if kind == "double" else is_free_split(hand, rules)
    if free is None:
        return
    fault = _absent(rules, kind, free, stake, lammer, name)
    if fault is None:
        yield UPHELD
        return
    clause, message = fault
    yield Breach(
        clauses=(clause,),
        message=message,
        expected={"wager": not free, "lammer": free},
        observed={"wager": stake is not None, "lammer": lammer is not None},
        sequences=tuple(hand.sequences),
        seat=hand.seat,
        hand=name,
        discriminator=f"added:{kind}:{name}",
    )


def _last_added(round_: Round) -> tuple[str, str] | None:
    """The double or split whose card is drawn now: the last decision, if no card came since."""
    for entry in reversed(round_.log):
        data = entry.data
        if isinstance(data, CardPlaced | CardDrawn):
            return None
        if isinstance(data, PlayerDecision):
            if data.kind == "double":
                return "double", data.hand
            if data.kind == "split" and data.new_hand:
                return "split", data.new_hand
            return None
    return None


def _absent(
    rules: BlackjackRules, kind: str, free: bool, stake: Stake | None, lammer: Lammer | None, name: str
) -> tuple[str, str] | None:
    section = SECTIONS[rules.name][kind]
    if rules.free_bets and free:
        if lammer is not None:
            return None
        clause = f"{section}(a)(1)#2" if kind == "double" else f"{section}(b)(2)(i)"
        return clause, f"No lammer lay by hand {name} when the card of its free {kind} was drawn."
    if stake is not None and stake.cents:
        return None
    paid = (
        {"double": "(a)(2)", "split": "(b)(1)"} if rules.free_bets else {"double": "(a)#2", "split": "(a)#2"}
    )
    return f"{section}{paid[kind]}", f"No wager lay by hand {name} when the card of its {kind} was drawn."


@check(
    "added_stakes.moved",
    decides=(
        "wagers.untouched",
        "added_stakes.split_chips_travel",
    ),
    formerly="added.moved",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    where="free_bets",
    reads=(WagerMoved,),
    alters=True,
)
def the_original_wager_stays_with_the_first_hand(moment: Moment, data: WagerMoved) -> Iterator[Judgment]:
    """After a split the original chips lie by the first hand; no wager goes to another one."""
    rules = moment.play[1]
    if data.from_hand == data.to_hand:
        yield UPHELD
        return
    chapter = SECTIONS[rules.name]["ch"]
    yield Breach(
        clauses=(f"{_SPLIT[rules.name]}(b)(2)(ii)", f"{chapter}.6(c)#2"),
        message=f"The {data.kind} wager of hand {data.from_hand} was moved to hand {data.to_hand}.",
        expected={"wager_of": data.from_hand},
        observed={"wager_of": data.to_hand},
        seat=seat_of(data.from_hand) or None,
        hand=data.from_hand,
    )
