"""Wagers of the dealing-shoe games before the first card (670a.10(a)(2), 657a.8(b); readings A48, A49, A60)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Round, seat_of
from processors.games.stacks.deal import FORTUNE, MANUAL, stakes_of
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.duties.settlement.stake import dollars
from schemas.events import (
    BettingClosed,
    CardDrawn,
    ChipsToInventory,
    LammerPlaced,
    RoundEnded,
    StackDispensed,
    SystemWagersCounted,
    SystemWagersLocked,
    WagerAltered,
    WagerPlaced,
)
from schemas.rulesets import RULESETS

FIRST_CARDS = (StackDispensed, CardDrawn)
ANNOUNCED = {FORTUNE: "670a.10(a)(2)", MANUAL: "657a.8(b)#1"}
LOCKED = {FORTUNE: "670a.10(a)(2)(ii)#1", MANUAL: "657a.8(b)#2"}
COUNTED = {FORTUNE: "670a.10(a)(2)(ii)#2", MANUAL: "657a.8(b)#3"}
STORED = {FORTUNE: "670a.10(a)(2)(ii)#3", MANUAL: "657a.8(b)#4"}
SYSTEMS = ("progressive", "five_card_hand")
ENVY_FROM: int = RULESETS[FORTUNE].get("envy_from_cents")


def _each(*tables: dict[str, str]) -> dict[str, tuple[str, ...]]:
    return {ruleset: tuple(table[ruleset] for table in tables) for ruleset in (FORTUNE, MANUAL)}


def _before_dealing(moment: Moment) -> Round | None:
    """The round, when the event under way gives up its first card."""
    round_ = moment.round
    return round_ if round_ is not None and round_.first_card is None else None


def _ruleset(moment: Moment) -> str:
    config = moment.table.config
    return config.ruleset if config is not None else ""


@check(
    "stacks.wagers_announced",
    decides=("stacks.betting_announced",),
    formerly="stack_wagers.announced",
    rests_on=(
        "console",
        "wagers",
    ),
    reads=FIRST_CARDS,
    after=("undrawn",),
)
def the_end_of_betting_is_announced(moment: Moment, data: StackDispensed | CardDrawn) -> Iterator[Judgment]:
    """The close of betting is announced before the shoe gives up its first card."""
    round_ = _before_dealing(moment)
    if round_ is None:
        return
    closed = round_.told(BettingClosed)
    if any(entry.data.announced for entry in closed):
        yield UPHELD
        return
    yield Breach(
        clauses=(ANNOUNCED[_ruleset(moment)],),
        message='The deal began without the announcement "no more bets".',
        expected={"announced": True},
        observed={"announced": False},
        sequences=tuple(entry.sequence for entry in closed),
    )


@check(
    "stacks.wagers_in_time",
    decides=(
        "stacks.betting_announced",
        "stacks.progressive_locked",
    ),
    formerly="stack_wagers.in_time",
    rests_on=(
        "console",
        "wagers",
    ),
    reads=(WagerPlaced, WagerAltered),
)
def no_wager_is_taken_after_betting_closed(
    moment: Moment, data: WagerPlaced | WagerAltered
) -> Iterator[Judgment]:
    """No wager is taken or raised once betting is closed, nor one of a system that is locked (reading A60)."""
    round_ = moment.round
    if round_ is None:
        return
    before, after = (0, data.cents) if isinstance(data, WagerPlaced) else (data.from_cents, data.to_cents)
    if after <= before:
        return
    ruleset = _ruleset(moment)
    closed = round_.betting_closed or round_.first_card
    locked = _locked(round_, data.kind)
    clauses = ((ANNOUNCED[ruleset],) if closed else ()) + ((LOCKED[ruleset],) if locked else ())
    if not clauses:
        yield UPHELD
        return
    what = f"the {data.kind.replace('_', ' ')} system was locked" if not closed else "betting was closed"
    did = f"raised its wager by {dollars(after - before)}" if before else f"wagered {dollars(after)}"
    yield Breach(
        clauses=clauses,
        message=f"Seat {data.seat} {did} ({data.kind.replace('_', ' ')}) after {what}.",
        expected={"before_sequence": closed or locked},
        observed={"sequence": moment.sequence, "kind": data.kind, "cents": after - before},
        sequences=tuple(sequence for sequence in (closed, locked) if sequence),
        seat=data.seat,
        reading="A60",
    )


def _locked(round_: Round, system: str) -> int | None:
    if system not in SYSTEMS:
        return None
    return next(
        (entry.sequence for entry in round_.told(SystemWagersLocked) if entry.data.system == system),
        None,
    )


@check(
    "stacks.wagers_locked",
    decides=("stacks.progressive_locked",),
    formerly="stack_wagers.locked",
    rests_on=(
        "console",
        "wagers",
    ),
    reads=FIRST_CARDS,
    after=("undrawn",),
)
def systems_are_locked_before_dealing(moment: Moment, data: StackDispensed | CardDrawn) -> Iterator[Judgment]:
    """Every wagering system that the table offers is locked before the shoe gives up its first card."""
    round_, config = _before_dealing(moment), moment.table.config
    if round_ is None or config is None:
        return
    for system in SYSTEMS:
        if system not in config.side_wagers or (system == "five_card_hand" and config.ruleset == FORTUNE):
            continue
        if _locked(round_, system) is not None:
            yield UPHELD
            continue
        yield Breach(
            clauses=(LOCKED[config.ruleset],),
            message=f"The deal began while the {system.replace('_', ' ')} system still took wagers.",
            expected={"locked": system},
            observed={"locked": None},
            discriminator=f"lock:{system}",
        )


@check(
    "stacks.wagers_counted",
    decides=(
        "stacks.progressive_counted",
        "stacks.progressive_to_inventory",
    ),
    formerly="stack_wagers.counted",
    rests_on=(
        "console",
        "wagers",
    ),
    reads=FIRST_CARDS,
    after=("undrawn",),
)
def progressive_chips_are_counted_and_stored(
    moment: Moment, data: StackDispensed | CardDrawn
) -> Iterator[Judgment]:
    """Before the deal the progressive chips are counted against the system, and only then go to the inventory."""
    round_ = _before_dealing(moment)
    if round_ is None:
        return
    ruleset = _ruleset(moment)
    counts = [entry for entry in round_.told(SystemWagersCounted) if entry.data.system == "progressive"]
    moves = [entry for entry in round_.told(ChipsToInventory) if entry.data.system == "progressive"]
    if not counts and not moves and not stakes_of(round_, "progressive"):
        return
    last = counts[-1] if counts else None
    matched = last is not None and last.data.accepted == last.data.chips
    good = [entry.sequence for entry in counts if entry.data.accepted == entry.data.chips]
    clauses: list[str] = []
    if not matched:
        clauses.append(COUNTED[ruleset])
    moved = sum(move.data.chips for move in moves)
    too_early = not moves or not good or moves[0].sequence < good[0]
    if too_early or (last is not None and matched and moved != last.data.chips):
        clauses.append(STORED[ruleset])
    if not clauses:
        yield UPHELD
        return
    if clauses == [COUNTED[ruleset], STORED[ruleset]] and last is not None and not moves:
        clauses.pop()  # chips that were found not to match are rightly held back
    yield Breach(
        clauses=tuple(clauses),
        message=_what_is_wrong(last.data if last else None, [move.data for move in moves], clauses, ruleset),
        expected={"accepted": last.data.accepted if last else None, "then": "chips to inventory"},
        observed={
            "chips": last.data.chips if last else None,
            "to_inventory": moved,
        },
        sequences=tuple(entry.sequence for entry in (*counts, *moves)),
        discriminator="progressive",
    )


def _what_is_wrong(
    count: SystemWagersCounted | None, moves: list[ChipsToInventory], clauses: list[str], ruleset: str
) -> str:
    if count is None:
        went = " but went to the inventory" if moves else ""
        return f"The progressive chips were not counted against the system before the deal{went}."
    if COUNTED[ruleset] in clauses:
        return (
            f"The deal began although {count.chips} progressive chips were counted and the system had accepted "
            f"{count.accepted}."
        )
    if not moves:
        return f"The {count.chips} progressive chips did not go to the inventory before the deal."
    moved = sum(move.chips for move in moves)
    if moved != count.chips:
        return f"{moved} progressive chips went to the inventory; {count.chips} had been counted."
    return f"{moved} progressive chips went to the inventory before they were counted against the system."


@check(
    "stacks.wagers_amounts",
    decides=(
        "stacks.progressive_counted",
        "stacks.progressive_to_inventory",
    ),
    formerly="stack_wagers.amounts",
    rests_on=(
        "console",
        "wagers",
    ),
    reads=(RoundEnded,),
)
def counted_chips_are_the_wagers_made(moment: Moment, data: RoundEnded) -> Iterator[Judgment]:
    """The chips counted, and the money that went to the inventory, are the progressive wagers that were made."""
    round_ = moment.round
    if round_ is None or "progressive" in round_.reported:
        return
    ruleset = _ruleset(moment)
    stakes = [stake for stake in round_.stakes.values() if stake.kind == "progressive" and stake.cents]
    in_time = [stake for stake in stakes if round_.first_card is None or stake.placed < round_.first_card]
    for entry in round_.told(SystemWagersCounted, ChipsToInventory):
        if entry.data.system != "progressive":
            continue
        if isinstance(entry.data, SystemWagersCounted):
            early = [stake for stake in stakes if stake.placed < entry.sequence]
            due, seen = {len(stakes), len(in_time), len(early)}, entry.data.chips
            clause, what = COUNTED[ruleset], f"{seen} progressive chips were counted for {len(stakes)} wagers"
        else:
            early = [stake for stake in stakes if stake.placed < entry.sequence]
            due = {sum(stake.cents for stake in some) for some in (stakes, in_time, early)}
            seen, clause = entry.data.cents, STORED[ruleset]
            what = f"{dollars(seen)} of progressive chips went to the inventory for wagers of {dollars(max(due))}"
        if seen in due:
            yield UPHELD
            continue
        yield Breach(
            clauses=(clause,),
            message=f"{what}.",
            expected={"one_of": sorted(due)},
            observed=seen,
            sequences=(entry.sequence,),
            discriminator=f"amounts:{clause}",
        )
        return


@check(
    "stacks.wagers_envy",
    decides=("stacks.envy_lammers",),
    formerly="stack_wagers.envy",
    rests_on=(
        "console",
        "wagers",
    ),
    reads=(StackDispensed, LammerPlaced),
)
def envy_lammers_lie_by_qualifying_wagers(
    moment: Moment, data: StackDispensed | LammerPlaced
) -> Iterator[Judgment]:
    """At the first stack an Envy lammer lies by each Fortune Bonus wager of $5 or more, and no other (A48)."""
    round_ = moment.round
    if round_ is None:
        return
    bonuses = stakes_of(round_, "fortune_bonus")
    if isinstance(data, LammerPlaced):
        seat = seat_of(data.hand)
        if round_.first_card is not None and data.kind == "envy" and bonuses.get(seat, 0) < ENVY_FROM:
            yield _envy({seat: bonuses.get(seat, 0)}, {seat: 1})
        return
    if round_.first_card is not None:
        return
    lammers: dict[int, int] = {}
    for lammer in round_.lammers:
        if lammer.kind == "envy" and lammer.collected is None:
            lammers[seat_of(lammer.hand)] = lammers.get(seat_of(lammer.hand), 0) + 1
    wrong = {
        seat: bonuses.get(seat, 0)
        for seat in sorted(bonuses.keys() | lammers.keys())
        if lammers.get(seat, 0) != (bonuses.get(seat, 0) >= ENVY_FROM)
    }
    if wrong:
        yield _envy(wrong, lammers)
    elif bonuses:
        yield UPHELD


def _envy(wrong: dict[int, int], lammers: dict[int, int]) -> Breach:
    told = []
    for seat, cents in wrong.items():
        wager = f"a Fortune Bonus wager of {dollars(cents)}" if cents else "no Fortune Bonus wager"
        lies = {0: "no Envy lammer", 1: "an Envy lammer"}.get(lammers.get(seat, 0), "several Envy lammers")
        told.append(f"seat {seat} has {wager} and {lies}")
    words = "; ".join(told)
    return Breach(
        clauses=("670a.10(a)(2)(i)",),
        message=f"{words[0].upper()}{words[1:]} (one lies by each wager of {dollars(ENVY_FROM)} or more only).",
        expected={"lammers": {str(seat): int(cents >= ENVY_FROM) for seat, cents in wrong.items()}},
        observed={"lammers": {str(seat): lammers.get(seat, 0) for seat in wrong}},
        seat=next(iter(wrong)) if len(wrong) == 1 else None,
        reading="A48",
    )
