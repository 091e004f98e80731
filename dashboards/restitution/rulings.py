"""What was decided of the stakes of a restitution: what is settled, what remains, what was ruled out or paid beyond."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from dashboards.debts.begun import Begun, begun, numbers_closed
from dashboards.debts.decided import (
    RoundPlace,
    by_round,
    closings,
    closings_apart,
    decided,
    names_place,
)
from dashboards.debts.seen import NAMELESS, NAMELESS_ALERT
from dashboards.debts.settling import (
    NO_PATRON,
    NO_STAKE,
    NOBODY_SAID,
    NOT_ON_RECORD,
    SAME_MATTER,
    Debt,
    SettledBy,
    SettledDebt,
    Share,
    WithoutStake,
    settle_round,
)
from dashboards.desk.alerts import Alert
from dashboards.desk.disputes import Dispute
from dashboards.reader.question import Reader
from dashboards.restitution.claims import (
    NOT_SHOWN,
    Claim,
    DecidedApart,
    Restitution,
    Ruled,
    Undecided,
    patrons_of,
    summed,
)

NO_ROUND: Final = "no such round has ended on record"
NO_ROUNDS: Final[Begun] = MappingProxyType({})


class DayOfMoney(Struct, frozen=True):
    """The gaming day of an amount, and whether the store has its round: it has those that have ended."""

    day: dt.date
    ended: bool


NO_NUMBER: Final = "the finding names no round"
# Where one of these is the reason, the record may owe something to whom the money was paid.
_OWED_UNKNOWN: Final[frozenset[str]] = frozenset({NOBODY_SAID, NOT_ON_RECORD})
_Places = dict[RoundPlace, list[int]]


def with_rulings(
    made: Restitution,
    disputes: Iterable[Dispute],
    withheld: Collection[tuple[str, str]] = (),
    *,
    closed: Iterable[Alert] = (),
    rounds: Begun = NO_ROUNDS,
    beside: Restitution | None = None,
    days: Mapping[str, DayOfMoney] | None = None,
    names: bool = True,
    hidden: Collection[str] = (),
) -> Restitution:
    """The restitution with what each decided dispute did to its lines, and each alert that was closed with an amount.

    `beside` has every stake of rounds of which a decision moved money: a stake that was settled as due becomes a line
    where something was paid on it all the same, and so does an owed stake of a round that is of no gaming day.

    `days` has the gaming day of each dispute and alert of which it is told what stands at no stake; all stakes that a
    round of theirs has are then among the lines, the undecided and those `beside`. Without it nothing is told of such
    money, nor of all that decisions moved.

    `rounds` has every round of the numbers of the closed alerts: an alert of a round that is not there settles nothing.

    What is withheld from a reader has no name there, patrons among it: whose debt an amount is for is found by their
    names, so that these are taken out last. Without `names` nobody is named who decided. `hidden` are the fields of
    alerts that the reader is never sent.
    """
    closed = tuple(closed)
    rulings = decided(disputes)
    settled = by_round([*rulings, *closings(closed, rounds)])
    lines, undecided = _with_beside(made, beside)
    of_lines, of_undecided = _places(lines, settled), _places(undecided, settled)
    paid, apart = set[int](), list[WithoutStake]()
    for place, of_round in settled.items():
        mine, unsaid = of_lines.get(place, []), of_undecided.get(place, [])
        debts = [*(_debt(lines[at]) for at in mine), *(_debt(undecided[at]) for at in unsaid)]
        behind = settle_round(debts, of_round)
        apart += behind.without_stake
        told = [tuple(_ruled(one, withheld, names) for one in debt.shares) for debt in behind.debts]
        for at, debt, ruled in zip(mine, behind.debts, told, strict=False):
            lines[at] = _behind(lines[at], debt, ruled)
        for at, debt, ruled in zip(unsaid, behind.debts[len(mine) :], told[len(mine) :], strict=True):
            undecided[at] = replace(undecided[at], disputes=ruled)
            paid |= {at} if any(_pays(one.settled_by) for one in debt.shares) else set()
    lines = [line for at, line in enumerate(lines) if at < len(made.lines) or line.beyond or line.settled]
    undecided = [stake for at, stake in enumerate(undecided) if at < len(made.undecided) or at in paid]
    without = None
    if days is not None:
        apart += _of_no_round(closings_apart(closed, rounds), rulings, apart, withheld)
        told_of = ((one, days.get(one.settled_by.source)) for one in apart)
        without = [_line_apart(one, day, withheld, names, hidden) for one, day in told_of if day is not None]
    made = summed(made.cause, made.readings, lines, undecided, without)
    return _without_names(made, {name for kind, name in withheld if kind == "patron"})


def _with_beside(made: Restitution, beside: Restitution | None) -> tuple[list[Claim], list[Undecided]]:
    """The stakes of a restitution, and behind them those `beside` it that are not among them."""
    if beside is None:
        return list(made.lines), list(made.undecided)
    # What is owed in a round of the days is listed already; a round that is of no gaming day is in no list of days.
    listed, known = {(one.subject, one.first_sequence) for one in made.lines}, set(made.undecided)
    more = (one for one in beside.lines if not one.owed or (one.subject, one.first_sequence) not in listed)
    return [*made.lines, *more], [*made.undecided, *(one for one in beside.undecided if one not in known)]


def _pays(told: SettledBy) -> bool:
    """Whether an amount brings a stake into the list of which nobody can say what it is owed."""
    return bool(told.amount if told.ruling is not None else told.meant)


def _of_no_round(
    closings: Sequence[SettledBy],
    rulings: Sequence[SettledBy],
    apart: Sequence[WithoutStake],
    withheld: Collection[tuple[str, str]],
) -> list[WithoutStake]:
    """The money of alerts that are of no round on record, but where a dispute tells of the same money.

    Of an alert that was closed with another amount after its dispute, only what goes beyond the decision counts. Two
    alerts of one dispute share its decision: an equal one first, then the earlier. A decision that is withheld shows in
    no such rest.
    """
    found, left = [], {one.source: abs(one.amount) for one in rulings}
    told_by = {
        one.source: [
            ruling
            for ruling in rulings
            if ruling.same_matter(one)
            and (ruling.amount == one.amount or ruling.withheld_with.isdisjoint(withheld))
        ]
        for one in closings
    }

    def is_equal(one: SettledBy) -> bool:
        return any(ruling.amount == one.amount for ruling in told_by[one.source])

    for one in sorted(closings, key=lambda one: (not is_equal(one), one.at)):
        told = told_by[one.source]
        rest = abs(one.amount)
        for ruling in told:
            part = min(rest, left[ruling.source])
            left[ruling.source] -= part
            rest -= part
        if not told and not _told_by_dispute(one, apart):
            found.append(WithoutStake(settled_by=one, cents=one.amount, why=NO_STAKE))
        elif told and not is_equal(one):
            cents = rest if one.amount > 0 else -rest
            found.append(WithoutStake(settled_by=one, cents=cents, why=SAME_MATTER))
    return found


def _told_by_dispute(closing: SettledBy, apart: Iterable[WithoutStake]) -> bool:
    """Whether disputes paid just as much for the same place before an alert of no round on record was closed."""
    paid = 0
    for one in apart:
        told = one.settled_by
        scope = replace(closing.scope, first_sequence=told.scope.first_sequence)
        if told.ruling is not None and told.round == closing.round and told.at <= closing.at:
            paid += one.cents if one.why in (NO_STAKE, NO_PATRON) and told.scope.overlaps(scope) else 0
    return paid == closing.amount


def _line_apart(
    one: WithoutStake,
    of: DayOfMoney,
    withheld: Collection[tuple[str, str]],
    names: bool,
    hidden: Collection[str],
) -> DecidedApart:
    """The line of money that stands at no stake.

    Whoever may not know the decision is not told the patron it names, and of an alert no more than table and day.
    """
    told = one.settled_by
    scope, unseen = told.scope, not told.withheld_with.isdisjoint(withheld)
    of_alert = told.ruling is None
    share = Share(settled_by=told, part=0, beyond=0, told=False)
    why: str = one.why
    if why == NO_STAKE and not of.ended:
        why = NO_ROUND if told.round is not None else NO_NUMBER
    if of_alert and unseen:
        why = NOT_SHOWN
    nowhere = of_alert and (unseen or told.round is None)
    return DecidedApart(
        subject=scope.subject,
        round=None if nowhere else told.round,
        gaming_day=of.day,
        seat=None if of_alert and (unseen or "seat" in hidden) else scope.seat,
        player=NOT_SHOWN if scope.patron and (unseen or not names) else scope.patron,
        owed=None if one.why in _OWED_UNKNOWN else 0,
        decided=told.amount,
        without_stake=one.cents,
        hand=None if of_alert and (unseen or "hand" in hidden) else scope.hand,
        first_sequence=None if nowhere else scope.first_sequence,
        why=why,
        disputes=(_ruled(share, withheld, names),),
    )


def paid_rounds(
    disputes: Iterable[Dispute], closed: Iterable[Alert] = (), rounds: Begun = NO_ROUNDS
) -> set[RoundPlace]:
    """The rounds of which a decision moved money, or an alert that was closed.

    The alert was closed with more than was owed, or its finding names a seat or hand, which may have no stake.
    """
    paid = [one for one in decided(disputes) if one.amount]
    paid += [one for one in closings(closed, rounds) if one.meant or _names_place(one)]
    return {(one.scope.subject, one.scope.first_sequence) for one in paid}


def _names_place(told: SettledBy) -> bool:
    return told.finding is not None and names_place(told.finding)


def begun_of(reader: Reader, made: Restitution, closed: Iterable[Alert]) -> Begun:
    """Every round of the numbers in a restitution of which alerts were closed with an amount.

    Numbers are among them of which an alert was closed with more than was owed, or whose finding names a seat or hand,
    wherever that was.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    closed = tuple(closed)
    listed = {(one.subject, one.round) for one in made.lines}
    listed |= {(one.subject, one.round) for one in made.undecided}
    beyond = numbers_closed(one for one in closed if one.beyond_cents or names_place(one.finding))
    return begun(reader, numbers_closed(closed) & listed | beyond)


def _without_names(made: Restitution, patrons: Collection[str]) -> Restitution:
    if not patrons:
        return made
    lines = tuple(replace(one, player=NOT_SHOWN) if one.player in patrons else one for one in made.lines)
    undecided = tuple(
        replace(one, player=NOT_SHOWN) if one.player in patrons else one for one in made.undecided
    )
    return replace(made, lines=lines, undecided=undecided, patrons=patrons_of(lines))


def _places(rows: Sequence[Claim | Undecided], rounds: Collection[RoundPlace]) -> _Places:
    """The places of rows in their list, by round, of the rounds of which something was decided."""
    found: _Places = defaultdict(list)
    for at, one in enumerate(rows):
        if (one.subject, one.first_sequence) in rounds:
            found[one.subject, one.first_sequence].append(at)
    return found


def _debt(one: Claim | Undecided) -> Debt:
    owed = one.owed if isinstance(one, Claim) else None
    return Debt(seat=one.seat, hand=one.hand, player=one.player, owed=owed, kind=one.kind)


def _behind(line: Claim, left: SettledDebt, told: Sequence[Ruled]) -> Claim:
    return replace(
        line,
        settled=left.part,
        to_pay=line.owed - left.part - left.ruled_out,
        ruled_out=left.ruled_out,
        beyond=left.beyond,
        disputes=tuple(told),
    )


def _ruled(share: Share, withheld: Collection[tuple[str, str]], names: bool) -> Ruled:
    told = share.settled_by
    hidden = not told.withheld_with.isdisjoint(withheld)
    return Ruled(
        dispute=None if told.ruling is None else NAMELESS if hidden else told.source,
        alert=None if told.ruling is not None else NAMELESS_ALERT if hidden else told.source,
        ruling=told.said if names or told.ruling is not None else "alert closed",
        amount=told.amount,
        settled=share.part,
        beyond=share.beyond,
        time=told.at,
        by=told.by if names and not hidden else None,
    )
