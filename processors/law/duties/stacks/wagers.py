"""Wagers of the dealing-shoe games before the first card: betting closed, systems locked, Envy lammers laid."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from processors.core.state import Round, seat_of
from processors.games.stacks.deal import FirstCard, stakes_of
from processors.games.stacks.profile import STACKS_PROFILES
from processors.law.check import UPHELD, Breach, Judged, Judgment, Moment, check
from processors.law.wording import dollars, kind_of_wager
from schemas import events as e
from schemas.rulesets.numbers import StacksNumbers

wagers_check = partial(check, turns_on=("steps", "stakes"))
"""Registers a duty that needs the console and the wagers alone."""


def before_dealing(moment: Moment) -> Round | None:
    """The round, when the event under way gives up its first card."""
    round_ = moment.round
    return round_ if round_ is not None and round_.first_card is None else None


@wagers_check(
    "stacks.wagers_announced", decides=("stacks.betting_announced",),
    reads=(e.StackDispensed, e.CardDrawn), after=("undrawn",),
)  # fmt: skip
def the_end_of_betting_is_announced(moment: Moment, data: FirstCard) -> Judged:
    """The close of betting is announced before the shoe gives up its first card."""
    round_ = before_dealing(moment)
    if round_ is None:
        return None
    closed = round_.told(e.BettingClosed)
    if any(entry.data.announced for entry in closed):
        return UPHELD
    return Breach(
        message='The deal began without the announcement "no more bets".',
        expected={"announced": True},
        observed={"announced": False},
        sequences=tuple(entry.sequence for entry in closed),
        unheard=None if closed else "console",
    )


@wagers_check(
    "stacks.wagers_in_time", decides=("stacks.betting_announced", "stacks.progressive_locked"),
    reads=(e.WagerPlaced, e.WagerAltered),
)  # fmt: skip
def no_wager_is_taken_after_betting_closed(moment: Moment, data: e.WagerPlaced | e.WagerAltered) -> Judged:
    """No wager is taken or raised once betting is closed, nor one of a system that is locked (reading A60)."""
    round_ = moment.round
    if round_ is None:
        return None
    before, after = (0, data.cents) if isinstance(data, e.WagerPlaced) else (data.from_cents, data.to_cents)
    if after <= before:
        return None
    closed, locked = round_.betting_closed or round_.first_card, _locked(round_, data.kind)
    if not closed and not locked:
        return UPHELD
    kind = kind_of_wager(data.kind)
    what = "betting was closed" if closed else f"the {kind} system was locked"
    did = f"raised its wager by {dollars(after - before)}" if before else f"wagered {dollars(after)}"
    return Breach(
        roles=(
            *(("stacks.betting_announced",) if closed else ()),
            *(("stacks.progressive_locked",) if locked else ()),
        ),
        message=f"Seat {data.seat} {did} ({kind}) after {what}.",
        expected={"before_sequence": closed or locked},
        observed={"sequence": moment.sequence, "kind": data.kind, "cents": after - before},
        sequences=tuple(sequence for sequence in (closed, locked) if sequence),
        seat=data.seat,
        reading="A60",
    )


def _locked(round_: Round, system: str) -> int | None:
    """Sequence at which a wagering system was locked in this round."""
    locks = (entry for entry in round_.told(e.SystemWagersLocked) if entry.data.system == system)
    return next((entry.sequence for entry in locks), None)


@wagers_check(
    "stacks.wagers_locked", decides=("stacks.progressive_locked",),
    reads=(e.StackDispensed, e.CardDrawn), after=("undrawn",),
)  # fmt: skip
def systems_are_locked_before_dealing(moment: Moment, data: FirstCard) -> Iterator[Judgment]:
    """Every wagering system that the table offers is locked before the shoe gives up its first card."""
    round_, config = before_dealing(moment), moment.table.config
    if round_ is None or config is None:
        return
    for system in STACKS_PROFILES[config.ruleset].systems:
        if system not in config.side_wagers:
            continue
        if _locked(round_, system) is not None:
            yield UPHELD
            continue
        yield Breach(
            message=f"The deal began while the {kind_of_wager(system)} system still took wagers.",
            expected={"locked": system},
            observed={"locked": None},
            unheard="console",
            discriminator=f"lock:{system}",
        )


@wagers_check(
    "stacks.wagers_envy", decides=("stacks.envy_lammers",), reads=(e.StackDispensed, e.LammerPlaced)
)
def envy_lammers_lie_by_qualifying_wagers(moment: Moment, data: e.StackDispensed | e.LammerPlaced) -> Judged:
    """At the first stack an Envy lammer lies by each Fortune Bonus wager of $5 or more, and no other (A48)."""
    round_ = moment.round
    if round_ is None:
        return None
    bonuses, least = stakes_of(round_, "fortune_bonus"), moment.numbers(StacksNumbers).envy_from_cents
    dealt = round_.first_card is not None
    if isinstance(data, e.LammerPlaced):
        seat = seat_of(data.hand)
        cents = bonuses.get(seat, 0)
        late = dealt and data.kind == "envy" and cents < least
        return _envy({seat: cents}, {seat: 1}, least) if late else None
    if dealt:
        return None
    lammers: dict[int, int] = {}
    for lammer in round_.lammers:
        if lammer.kind == "envy" and lammer.collected is None:
            lammers[seat_of(lammer.hand)] = lammers.get(seat_of(lammer.hand), 0) + 1
    wrong = {
        seat: bonuses.get(seat, 0)
        for seat in sorted(bonuses.keys() | lammers.keys())
        if lammers.get(seat, 0) != (bonuses.get(seat, 0) >= least)
    }
    if wrong:
        return _envy(wrong, lammers, least)
    return UPHELD if bonuses else None


def _envy(wrong: dict[int, int], lammers: dict[int, int], least: int) -> Breach:
    faults = []
    for seat, cents in wrong.items():
        wager = f"a Fortune Bonus wager of {dollars(cents)}" if cents else "no Fortune Bonus wager"
        lies = {0: "no Envy lammer", 1: "an Envy lammer"}.get(lammers.get(seat, 0), "several Envy lammers")
        faults.append(f"seat {seat} has {wager} and {lies}")
    words = "; ".join(faults)
    unlaid = any(not lammers.get(seat, 0) for seat in wrong)
    return Breach(
        message=f"{words[0].upper()}{words[1:]} (one lies by each wager of {dollars(least)} or more only).",
        expected={"lammers": {str(seat): int(cents >= least) for seat, cents in wrong.items()}},
        observed={"lammers": {str(seat): lammers.get(seat, 0) for seat in wrong}},
        seat=next(iter(wrong)) if len(wrong) == 1 else None,
        reading="A48",
        unheard="console" if unlaid else "wagers" if any(cents < least for cents in wrong.values()) else None,
    )
