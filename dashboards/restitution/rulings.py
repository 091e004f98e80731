"""What was decided of the stakes of a restitution: what is settled, what remains, what was ruled out or paid beyond."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from types import MappingProxyType
from typing import Final

from msgspec.structs import replace

from dashboards.debts.begun import Begun, begun, numbers_closed
from dashboards.debts.decided import RoundPlace, by_round, closings, decided
from dashboards.debts.seen import NAMELESS, NAMELESS_ALERT
from dashboards.debts.settling import Debt, SettledDebt, Share, settle
from dashboards.desk.alerts import Alert
from dashboards.desk.disputes import Dispute
from dashboards.reader.question import Reader
from dashboards.restitution.claims import Claim, Restitution, Ruled, Undecided, patrons_of, summed

NOT_SHOWN: Final = "not shown"  # a patron who is withheld
NO_ROUNDS: Final[Begun] = MappingProxyType({})

_Places = dict[RoundPlace, list[int]]


def with_rulings(
    made: Restitution,
    disputes: Iterable[Dispute],
    withheld: Collection[tuple[str, str]] = (),
    *,
    closed: Iterable[Alert] = (),
    rounds: Begun = NO_ROUNDS,
    beside: Restitution | None = None,
    names: bool = True,
) -> Restitution:
    """The restitution with what each decided dispute did to its lines, and each alert that was closed with an amount.

    `beside` has every stake of rounds of which a decision moved money: a stake that was settled as due becomes a line
    where something was paid on it all the same.

    `rounds` has every round of the numbers of the closed alerts: an alert of a round that is not there settles nothing.

    What is withheld from a reader has no name there, patrons among it: whose debt an amount is for is found by their
    names, so that these are taken out last. Without `names` nobody is named who decided.
    """
    settled = by_round([*decided(disputes), *closings(closed, rounds)])
    lines = [*made.lines, *(one for one in beside.lines if not one.owed)] if beside else list(made.lines)
    undecided = list(made.undecided)
    known = set(undecided)
    undecided += [one for one in beside.undecided if one not in known] if beside else []
    of_lines, of_undecided = _places(lines, settled), _places(undecided, settled)
    for place in {*of_lines, *of_undecided}:
        mine, unsaid = of_lines.get(place, []), of_undecided.get(place, [])
        debts = [*(_debt(lines[at]) for at in mine), *(_debt(undecided[at]) for at in unsaid)]
        left = settle(debts, settled[place])
        told = [tuple(_ruled(one, withheld, names) for one in debt.shares) for debt in left]
        for at, debt, ruled in zip(mine, left, told, strict=False):
            lines[at] = _behind(lines[at], debt, ruled)
        for at, ruled in zip(unsaid, told[len(mine) :], strict=True):
            undecided[at] = replace(undecided[at], disputes=ruled)
    listed, unsaid_at_first = len(made.lines), len(made.undecided)
    lines = [line for at, line in enumerate(lines) if at < listed or line.beyond]
    undecided = [
        stake
        for at, stake in enumerate(undecided)
        if at < unsaid_at_first or any(told.amount for told in stake.disputes)
    ]
    made = summed(made.cause, made.readings, lines, undecided)
    return _without_names(made, {name for kind, name in withheld if kind == "patron"})


def paid_rounds(
    disputes: Iterable[Dispute], closed: Iterable[Alert] = (), rounds: Begun = NO_ROUNDS
) -> set[RoundPlace]:
    """The rounds of which a decision moved money, or an alert that was closed with more than was owed."""
    paid = [one for one in decided(disputes) if one.amount]
    paid += [one for one in closings(closed, rounds) if one.meant]
    return {(one.scope.subject, one.scope.first_sequence) for one in paid}


def begun_of(reader: Reader, made: Restitution, closed: Iterable[Alert]) -> Begun:
    """Every round of the numbers in a restitution of which alerts were closed with an amount.

    Numbers are among them of which an alert was closed with more than was owed, wherever that was.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    listed = {(one.subject, one.round) for one in made.lines}
    listed |= {(one.subject, one.round) for one in made.undecided}
    closed = tuple(closed)
    beyond = numbers_closed(one for one in closed if one.beyond_cents)
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
