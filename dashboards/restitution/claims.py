"""The claims of a cause: for each stake what the patron had of it, what was due, and what is owed either way."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, cast

from msgspec import Struct

from dashboards.reader.restitution import ClaimRow, StakePlace
from dashboards.replayer.stated import StatedMoney
from dashboards.wording.copying import copied
from schemas.rounds import Outcome, Settlement

UNDATED = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)  # the time of files that tell of no time
NOT_SHOWN: Final = "not shown"  # a patron, or an alert's place, that the reader may not know
UNSEEN = "the outcome of the stake"
UNDUE = "what the stake is due"
Due = Callable[[ClaimRow], int | None]


NOTHING_SAID: Mapping[StakePlace, StatedMoney] = MappingProxyType({})


class Ruled(Struct, frozen=True, kw_only=True):
    """What a decided dispute says of a stake, or an alert that was closed with an amount; cents, the patron's view.

    One of `dispute` and `alert` is there; `ruling` is the dispute's, or what the alert was closed as.
    `amount` is the whole decision, `settled` its part that went to the stake, `beyond` what it paid though nothing was
    owed any more, `time` when it came to hold, `by` who decided; None where the reader may not know.
    """

    dispute: str | None
    alert: str | None
    ruling: str
    amount: int
    settled: int
    beyond: int
    time: dt.datetime
    by: str | None


class Claim(Struct, frozen=True, kw_only=True):
    """One stake, in cents, the patron's view: + is what the patron won (`paid`), was to win (`due`) or is `owed`.

    A stake given back is neither won nor lost. `owed` is due less paid: - is what was paid too much. `player` is None
    where nobody was seen at the seat. `owed_if_void` is what is owed if the round is called off and every stake of it
    given back. `finding` is the id of the finding that states what is owed; None where the stored stake alone shows it.

    `owed` is what the record says, whatever was decided since. `settled` is what decided disputes and
    closed alerts moved of it, all of them in `disputes`; `to_pay` is what is still to be paid, and
    `ruled_out` the part that a ruling is against: owed is settled, to_pay and ruled_out together.
    `beyond` is what they paid though nothing was owed any more; it settles no other debt. A stake that was settled as
    due is a line where something was paid on it all the same: it is owed 0.
    """

    subject: str
    round: int
    time: dt.datetime
    seat: int
    player: str | None
    stake: int
    paid: int
    due: int
    owed: int
    hand: str | None
    kind: str
    first_sequence: int
    owed_if_void: int
    finding: str | None
    settled: int
    to_pay: int
    ruled_out: int
    beyond: int
    disputes: tuple[Ruled, ...]


class Undecided(Struct, frozen=True, kw_only=True):
    """A stake of which nobody can say what is owed, and what is missing to say it."""

    subject: str
    round: int
    time: dt.datetime
    seat: int
    player: str | None
    stake: int
    hand: str | None
    kind: str
    first_sequence: int
    missing: tuple[str, ...]
    disputes: tuple[Ruled, ...]


class DecidedApart(Struct, frozen=True, kw_only=True):
    """Money of a decision that stands at no stake of the record, in cents, the patron's view: + to the patron.

    `owed` is 0 where the record owes nothing of it, and None where that is not known: stakes may be owed something and
    nobody said whose the money is, or the record does not show what is owed. `decided` is the whole decision,
    `without_stake` what of it stands at no stake, and `why`. `round` and `first_sequence` are None where the finding of
    a closed alert names no round, and where the reader may not see the alert; then `seat` and `hand` are None, too.
    `player` is whom the dispute names. `gaming_day` is that of the round, else that on which the money was decided.
    `disputes` has the one decision.
    """

    subject: str
    round: int | None
    gaming_day: dt.date
    seat: int | None
    player: str | None
    owed: int | None
    decided: int
    without_stake: int
    hand: str | None
    first_sequence: int | None
    why: str
    disputes: tuple[Ruled, ...]


class BothWays(Struct, frozen=True):
    """The sum of amounts in each direction, both without sign: what is the patrons', and what is the house's."""

    to_patrons: int
    to_house: int


class Restitution(Struct, frozen=True, kw_only=True):
    """What a cause comes to; `rounds` and `patrons` are those of its lines, totals are amounts without sign.

    `settled_total`, `to_pay_total` and `beyond_total` are to patrons: settled of what they are owed, still to be paid,
    and paid though nothing was owed any more. `without_stake_total` was paid to patrons at no stake of the record, and
    `without_stake_returned` came back from them. `paid_total` is all that decisions paid patrons: settled, beyond, and
    without a stake; `returned_total` is all that came back. These four are None where nobody looked for money
    at no stake: that is done of gaming days. `patrons` counts seats without a name by table and seat.
    `readings` are the policies that were asked for.
    """

    cause: str
    readings: dict[str, str]
    rounds: int
    patrons: int
    lines: tuple[Claim, ...]
    owed_total: int
    overpaid_total: int
    settled_total: int
    to_pay_total: int
    beyond_total: int
    undecided: tuple[Undecided, ...]
    without_stake: tuple[DecidedApart, ...] = ()
    without_stake_total: int | None = None
    without_stake_returned: int | None = None
    paid_total: int | None = None
    returned_total: int | None = None

    @property
    def rounds_not_as_due(self) -> int:
        """The rounds of its lines in which a stake was not settled as due."""
        return len({(one.subject, one.first_sequence) for one in self.lines if one.owed})

    @property
    def tells_of_all_money(self) -> bool:
        """Whether money at no stake was looked for, and with it all that decisions moved."""
        return self.paid_total is not None

    def both_ways(self, name: str) -> BothWays:
        """The sums of a field of the lines: owed, settled, to_pay, ruled_out, beyond, owed_if_void.

        Of `without_stake` those of the money that stands at no stake, and of `paid` those of all money that moved.
        """
        if name == "without_stake":
            return BothWays(self.without_stake_total or 0, self.without_stake_returned or 0)
        if name == "paid":
            return BothWays(self.paid_total or 0, self.returned_total or 0)
        return _both_ways(int(getattr(one, name)) for one in self.lines)


def restitution(
    cause: str,
    rows: Iterable[ClaimRow],
    due: Due | None = None,
    *,
    every_stake: bool = False,
    readings: Mapping[str, str] | None = None,
    said: Mapping[StakePlace, StatedMoney] = NOTHING_SAID,
) -> Restitution:
    """The claims of these stakes: those that are owed something, or with `every_stake` all that can be decided.

    `due` says what a stake is due to its patron, None where that cannot be said; without it, what the store has.
    `said` is what findings say of the money of stakes; of a stake that no settlement was seen of, only a finding says
    that nobody settled it.
    """
    lines: list[Claim] = []
    undecided: list[Undecided] = []
    for row in rows:
        told = said.get(place_of(row))
        paid, recorded = _recorded(row, told)
        owing = recorded if due is None else due(row)
        if paid is None or owing is None or (told is not None and told.owed_cents is None):
            undecided.append(_undecided(row, paid is None, owing is None, told))
        elif every_stake or owing != paid:
            lines.append(_claim(row, paid, owing, told))
    return summed(cause, readings or {}, lines, undecided)


def summed(
    cause: str,
    readings: Mapping[str, str],
    lines: Iterable[Claim],
    undecided: Iterable[Undecided],
    without_stake: Iterable[DecidedApart] | None = None,
) -> Restitution:
    """A restitution of these lines in order, with its counts and totals; None: nobody looked for money at no stake."""
    lines, undecided = sorted(lines, key=_in_order), sorted(undecided, key=_in_order)
    moved: dict[str, int] = {}
    apart = sorted(without_stake or (), key=_apart_in_order)
    if without_stake is not None:
        at_none = _both_ways(one.without_stake for one in apart)
        ways = (_both_ways(one.settled for one in lines), _both_ways(one.beyond for one in lines), at_none)
        moved = {
            "without_stake_total": at_none.to_patrons,
            "without_stake_returned": at_none.to_house,
            "paid_total": sum(one.to_patrons for one in ways),
            "returned_total": sum(one.to_house for one in ways),
        }
    return Restitution(
        cause=cause,
        readings=dict(readings),
        rounds=len({(one.subject, one.round, one.first_sequence) for one in lines}),
        patrons=patrons_of(lines),
        lines=tuple(lines),
        owed_total=sum(max(one.owed, 0) for one in lines),
        overpaid_total=sum(max(-one.owed, 0) for one in lines),
        **totals_of(lines),
        undecided=tuple(undecided),
        without_stake=tuple(apart),
        **moved,
    )


def _both_ways(cents: Iterable[int]) -> BothWays:
    cents = tuple(cents)
    return BothWays(sum(max(one, 0) for one in cents), sum(max(-one, 0) for one in cents))


def _apart_in_order(one: DecidedApart) -> tuple[dt.date, str, int, dt.datetime, str]:
    [told] = one.disputes
    return one.gaming_day, one.subject, one.first_sequence or 0, told.time, told.dispute or told.alert or ""


def _in_order(one: Claim | Undecided) -> tuple[dt.datetime, str, int, int]:
    return one.time, one.subject, one.first_sequence, one.seat


def whose(line: Claim) -> str | tuple[str, int]:
    """The patron of a stake; where nobody was seen at the seat, its table and seat."""
    return line.player or (line.subject, line.seat)


def patrons_of(lines: Iterable[Claim]) -> int:
    """How many patrons these lines are of; a seat without a name counts by table and seat."""
    return len(set(map(whose, lines)))


def totals_of(lines: Sequence[Claim]) -> dict[str, int]:
    """The totals of what was decided, of these lines."""
    names = ("settled", "to_pay", "beyond")
    return {f"{name}_total": sum(max(getattr(one, name), 0) for one in lines) for name in names}


def place_of(row: ClaimRow) -> StakePlace:
    """The place of a stake."""
    return row.subject, row.first_sequence, row.ordinal


def _recorded(row: ClaimRow, told: StatedMoney | None) -> tuple[int | None, int | None]:
    """What the patron had and was due as the record has it; a finding that states money says how far they differ."""
    paid, due = observed(row), expected(row)
    if told is None or told.owed_cents is None:
        return paid, due
    if due is not None:
        return due - told.owed_cents, due
    return paid, None if paid is None else paid + told.owed_cents


def last_time(made: Restitution) -> dt.datetime | None:
    """When the last round ended that it names, or the last money moved at no stake; None where it names neither.

    It is the time that its files bear.
    """
    times = [one.time for one in made.lines] + [one.time for one in made.undecided]
    times += [told.time for one in made.without_stake for told in one.disputes]
    return max(times, default=None)


def expected(row: ClaimRow) -> int | None:
    """What the stake is due to its patron as the store has it."""
    return _net(row.expected_outcome, row.expected_cents, row.staked_cents)


def observed(row: ClaimRow) -> int | None:
    """What the stake was seen to bring its patron as the store has it."""
    return _net(row.observed_outcome, row.observed_cents, row.staked_cents)


def _net(outcome: str | None, cents: int | None, staked_cents: int) -> int | None:
    return (
        None if outcome is None else Settlement(cast(Outcome, outcome), cents or 0).patron_cents(staked_cents)
    )


def _claim(row: ClaimRow, paid: int, due: int, told: StatedMoney | None) -> Claim:
    return copied(
        Claim,
        row,
        player=row.patron or None,
        stake=row.staked_cents,
        paid=paid,
        due=due,
        owed=due - paid,
        owed_if_void=-paid,
        finding=told.finding if told is not None else None,
        settled=0,
        to_pay=due - paid,
        ruled_out=0,
        beyond=0,
        disputes=(),
    )


def _undecided(row: ClaimRow, unseen: bool, undue: bool, told: StatedMoney | None) -> Undecided:
    own = [UNSEEN] if unseen else []
    others = (*(told.missing if told is not None else ()), *row.missing)
    return copied(
        Undecided,
        row,
        player=row.patron or None,
        stake=row.staked_cents,
        missing=tuple(dict.fromkeys((*own, *(others or ((UNDUE,) if undue else ()))))),
        disputes=(),
    )
