"""A tray that leaves the record and is not right again: further off at count after count, or by much at once.

465a.36(b): the table inventory changes only by exchange, paying and collecting wagers, fills and credits. All of these
are on record, so each count has a value that it should have.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from processors.core.moved import moved
from processors.core.state import Table
from processors.detectors.family import LEVEL, AtTable, Family, register
from processors.detectors.mixture import Mixture, fresh, since_heaviest, standing_of, weighed
from processors.detectors.shapes import Alarm, Closed, EvidenceStanding, Happened
from processors.detectors.weighty import WeightyAct, events_of, keep, rows_of
from schemas import events as e

HONEST = 0.1
"""Null: the chance that a count is off, given all before it, is at most this; the count after it is right again."""
FAR, HONEST_FAR = 10_000, 0.01
"""Null: the chance that a count is off by more than so many cents, given all before it, is at most this."""
STAYS = 0.00005
"""Null: the chance that the count after a far one is off by as much again, within `FAR`, is at most this. Whoever is
wrong by much twice is hardly ever wrong by the same amount."""
ALTERNATIVES = (0.35, 0.7, 0.96)
Sort = Literal["right", "off", "far", "as far"]
Stood = Literal["unknown", "near", "was far", "is far"]
VARIANTS = {"loss": 0.75, "gain": 0.25}
"""The share of the level of each direction."""


class Count(WeightyAct, frozen=True):
    """One count of the tray that speaks for a drift: its event, the round before it, and the cents that it is off."""

    def why(self) -> dict[str, Any]:
        """The event, by how many cents the count is off the record (minus: short), and the factor."""
        return {"event": self.sequence, "off_cents": self.cents, **super().why()}


class Side(Struct):
    """The evidence of one direction, and how far off the counts before were: the `last` one, and the furthest (`at`).

    `record` tells whether the last one was the furthest. All are of the counts since two agreed, once two have.
    counts: those that weigh most.
    """

    mixture: Mixture = field(default_factory=lambda: fresh(len(ALTERNATIVES)))
    at: int = 0
    last: int = 0
    record: bool = False
    counts: list[Count] = field(default_factory=list)


class State(Struct):
    """One tray: what it should hold, how far the last count was off, and the evidence either way.

    `expected` is None until a count was seen, and after a round or a move of money of which the record is incomplete:
    then the next count says anew what there is, and nothing about a drift, as the one at an opening does. Once two
    counts `agreed` on what the tray holds, later ones are reckoned from them: they were off the first count by `base`.
    first: the event of the count that all later ones are reckoned from. wrong_since: the round before the first of the
    latest counts that were all off; None after a right one.
    """

    expected: int | None = None
    off: int = 0
    base: int = 0
    agreed: bool = False
    seen: int = 0
    settled: bool = False
    holes: int = 0
    loss: Side = field(default_factory=Side)
    gain: Side = field(default_factory=Side)
    first: int = 0
    wrong_since: int | None = None


def _happened(state: State, happened: Happened) -> Iterator[Alarm]:
    data = happened.event.data
    if type(data) is e.InventoryCounted:
        yield from _counted(state, happened, data)
        return
    if state.expected is None:
        return
    state.expected += _moved(data)


def _moved(data: object) -> int:
    """What an event does to the tray, in cents."""
    match data:
        case e.FillReceived(cents=cents):
            return cents
        case e.CreditSent(cents=cents) | e.ChipsBought(cents=cents) | e.CashConverted(cents=cents):
            return -cents
    return 0


def _counted(state: State, happened: Happened, data: e.InventoryCounted) -> Iterator[Alarm]:
    table = happened.table
    holes = _holes(table)
    known = state.expected is not None and holes == state.holes and not table.blind.day
    state.holes = holes
    if known and data.moment != "opening":
        assert state.expected is not None
        off = state.off + data.cents - state.expected
        yield from _weigh(state, off - state.base, (table.subject, table.last_round, happened.event.sequence))
        note(state, off)
    else:
        begin_anew(state, happened.event.sequence)
    state.expected = data.cents


def begin_anew(state: State, sequence: int) -> None:
    """Reckon from the count of this event, which says what there is: it may be wrong itself, so two must agree again.

    The evidence so far stays, and so do the counts that raised it.
    """
    state.off = state.base = 0
    state.agreed = state.settled = False
    state.seen = 1
    state.first, state.wrong_since = sequence, None
    _forget(state)


def _forget(state: State) -> None:
    """Forget how far off the counts before were."""
    for side in (state.loss, state.gain):
        side.at, side.last, side.record = 0, 0, False


def note(state: State, off: int) -> None:
    """Note by how much a count is off the first one, after it was weighed: two counts that agree tell what there is."""
    if off == state.off and not state.agreed:
        state.agreed, state.base = True, off
        state.wrong_since = None
        for side, sign in ((state.loss, -1), (state.gain, 1)):
            side.counts = list(_reckoned_anew(side.counts, state.first, off, sign))
        _forget(state)
    state.settled = state.settled or state.agreed or state.seen >= 2
    state.off = off
    state.seen += 1


def _reckoned_anew(counts: list[Count], first: int, base: int, sign: int) -> Iterator[Count]:
    """The counts with those since the `first` event held against `base`; one not off this way is none any more."""
    for one in counts:
        if one.sequence < first:
            yield one
        elif (one.cents - base) * sign > 0:
            yield replace(one, cents=one.cents - base)


def _weigh(state: State, off: int, place: tuple[str, int, int]) -> Iterator[Alarm]:
    """Weigh a count that is off by so many cents; place: its table, the round before it, and its event."""
    if not off:
        state.wrong_since = None
    elif state.wrong_since is None:
        state.wrong_since = place[1]
    for variant, side, sign in (("loss", state.loss, -1), ("gain", state.gain, 1)):
        away = off * sign
        if state.settled:
            stood = _stood(side, agreed=state.agreed)
            sort = _sort(side, away, stood)
            factors = [ratio(p, sort, stood) for p in ALTERNATIVES]
            value, weight = weighed(side.mixture, factors)
            evidence = value * VARIANTS[variant]
            if sort != "right":
                keep(side.counts, Count(*place, side.mixture.rounds, weight, off))
                if evidence >= 1 / LEVEL:
                    yield _alarm(variant, side, off, state.wrong_since or 0, place[0], evidence)
        side.record = state.settled and away > side.at
        side.at, side.last = max(side.at, away), away


def _stood(side: Side, *, agreed: bool) -> Stood:
    """Where the counts before stood: what is far, only counts that agreed can tell."""
    if not agreed:
        return "unknown"
    if side.last > FAR:
        return "is far"
    return "was far" if side.at > FAR else "near"


def _sort(side: Side, away: int, stood: Stood) -> Sort:
    """What a count says of a drift to one side.

    After a count that was off, the question is whether this one is right again; else, whether it is further off than
    any before.
    """
    if stood == "is far" and away > FAR and abs(away - side.last) <= FAR:
        return "as far"
    further = away > side.at
    if stood == "unknown" or away <= FAR:
        return "off" if further or (side.record and away == side.at) else "right"
    return "far" if further else "right"


_RATES: dict[Stood, dict[Sort, float]] = {
    "unknown": {"off": HONEST},
    "near": {"off": HONEST, "far": HONEST_FAR},
    "was far": {"far": HONEST_FAR},
    "is far": {"far": HONEST_FAR, "as far": STAYS},
}
"""The chance under the null of each sort of worse count, by where the counts before stood."""


def ratio(p: float, sort: Sort, stood: Stood) -> float:
    """The likelihood ratio of a count against the null, if a drift makes one worse with a chance of `p`.

    A drift is taken to make each sort of worse count that there is as often as the others.
    """
    rates = _RATES[stood]
    if sort == "right":
        return (1 - p) / (1 - max(rates.values()))
    return p / len(rates) / rates[sort]


def _alarm(variant: str, side: Side, off: int, first: int, subject: str, evidence: float) -> Alarm:
    most = since_heaviest(side.mixture, side.counts)
    since = f"since round {first}" if first else "since before the first round"
    short = f"${abs(off) / 100:,.2f} {'short of' if off < 0 else 'over'}"
    return Alarm(
        variant=variant,
        about={"table": subject},
        e_value=evidence,
        sequences=events_of(most, subject),
        expected={"counts_off_of_10": 1, "right_again": "at the next count"},
        observed={
            "off_cents": off,
            "rounds": rows_of(most),
        },
        message=f"The tray is {short} the record, and has not been right {since}: "
        "a count that is off by chance is hardly ever off by more than $100, and right again the next time.",
    )


def _closed(state: State, closed: Closed) -> Iterator[Alarm]:
    if state.expected is not None:
        won = tray_cents(closed)
        state.expected = state.expected + won if won is not None else None
    yield from ()


def tray_cents(closed: Closed) -> int | None:
    """What a round did to the tray, in cents; None where a word about its money may be missing."""
    round_ = closed.round
    unheard = round_.unheard
    if not closed.ended or "console" in unheard or "wagers" in unheard or closed.table.blind.round:
        return None
    won = 0
    for stake in round_.stakes.values():
        if stake.moves:
            won -= moved(stake.cents, stake.moves).patron_cents
        elif stake.cents:
            return None
    for lammer in round_.lammers:
        won -= moved(0, lammer.moves).won
    return won


def _holes(table: Table) -> int:
    """How many holes of the record are known: what happened in one is not."""
    return len(table.chain.missing) + table.chain.unread


def _standing(state: State, subject: str) -> Iterator[EvidenceStanding]:
    for variant, side in (("loss", state.loss), ("gain", state.gain)):
        if side.mixture.rounds:
            share = VARIANTS[variant]
            yield standing_of(side.mixture, variant, {"table": subject}, share, weighty=side.counts)


register(
    Family(
        name="inventory_drift",
        variants=tuple(VARIANTS),
        about=("table",),
        null="at most 1 count of the tray in 10 is off, 1 in 100 by more than $100, and the next is right again; of "
        "those off by more than $100, at most 1 in 20,000 is off by as much the next time",
        statistic="Each count less what the record says the tray should hold. A count further off than all counts "
        "before, and later counts that are not right again, speak for a drift or a theft; losses and gains apart.",
        bound="Likelihood ratios of such counts against 1 in 10 (those off by more than $100 1 in 100, those off by as "
        "much again 1 in 20,000), from the beginning and from any count (Ville); losses have three quarters of the "
        "level, gains one. The first counts are not weighed until two agree, or three were made; what is off by more "
        "than $100 is told from the count on which two agreed.",
        innocent=(
            "a fill, a credit or a buy-in that was booked late, or with a wrong amount: one that is wrong by more than "
            "$100, or late twice by the same amount, looks like a theft of it",
            "chips of another denomination counted as one, again and again",
            "wrong payments that the record has as right ones",
        ),
        blind=(
            "what is taken before two counts agree, or between closing and opening",
            "money that moves while the console is silent or the record has a hole: the next count begins anew",
            "a loss that is put back before each count",
            "a single loss of $100 or less",
        ),
        cost="Work at counts and at moves of money only; under 4 kB a table.",
        table=AtTable(
            state=State,
            closed=_closed,
            reads=(e.InventoryCounted, e.FillReceived, e.CreditSent, e.ChipsBought, e.CashConverted),
            happened=_happened,
            standing=_standing,
        ),
    )
)
