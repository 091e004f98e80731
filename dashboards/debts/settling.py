"""What decisions settled of debts: an amount goes to the stakes it is about, and no further than these are owed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from dashboards.ledger.dispute_acts import Ruling

# Whom a ruling is for, in the signs of what is owed: the debts of the other side are not to be paid by the list.
_RULED_OUT: Final[dict[Ruling, tuple[int, ...]]] = {
    "for the patron": (-1,),
    "for the house": (1,),
    "settled between": (-1, 1),
    "withdrawn": (),
}


class Scope(Struct, frozen=True, kw_only=True):
    """Stakes of a round: those of a hand, else of a seat, else of a patron, else all of them."""

    subject: str
    first_sequence: int
    seat: int | None = None
    hand: str | None = None
    patron: str | None = None

    def overlaps(self, other: Scope) -> bool:
        """Whether both may be about one stake."""
        if (self.subject, self.first_sequence) != (other.subject, other.first_sequence):
            return False
        if (self.seat is None or other.seat is None) and not _agree(self.patron, other.patron):
            return False
        return _agree(self.seat, other.seat) and _agree(self.hand, other.hand)


class Debt(Struct, frozen=True, kw_only=True):
    """What the record owes of a stake: cents, - was paid too much; None where the record does not say it."""

    seat: int
    hand: str | None
    player: str | None
    owed: int | None


class SettledBy(Struct, frozen=True, kw_only=True):
    """Who or what settled money, when it came to hold, and for which stakes; cents, + to the patron.

    `source` is the id of a dispute, or of an alert that was closed with this amount: an alert has no `ruling`.
    `said` is the ruling, or what the alert was closed as. `withheld_with` are kinds and values; whoever may not see
    one of them is not told the source.
    """

    source: str
    scope: Scope
    ruling: Ruling | None
    said: str
    amount: int
    at: dt.datetime
    by: str
    withheld_with: frozenset[tuple[str, str]]


class Share(Struct, frozen=True, kw_only=True):
    """What went to one stake: `part` settled its debt, `beyond` was paid though nothing was owed any more."""

    settled_by: SettledBy
    part: int
    beyond: int


class SettledDebt(Struct, kw_only=True):
    """A debt behind all that was decided: `rest` is what nothing settled (None: not known), cents as in `Debt`.

    `ruled_out` is `rest` where the ruling of `ruled_out_by` is against it, else 0.
    """

    rest: int | None
    ruled_out: int = 0
    ruled_out_by: str = ""
    shares: tuple[Share, ...] = ()

    @property
    def part(self) -> int:
        """What was settled of it."""
        return sum(one.part for one in self.shares)

    @property
    def beyond(self) -> int:
        """What was paid beyond it."""
        return sum(one.beyond for one in self.shares)


def settle(debts: Sequence[Debt], decided: Iterable[SettledBy]) -> list[SettledDebt]:
    """What is left of the debts of one round, each in its place, behind what was decided, the earliest first.

    An amount settles what is owed in the amount's direction, the first stake first, and all of it where it is the sum
    of what is owed. Of several seats that are owed nobody said whose debt it was: such an amount settles none.
    What was noted when an alert was closed settles no stake of which a dispute was decided before: the note may tell of
    the same money. For the same reason nothing of it is beyond a debt.
    """
    left = [SettledDebt(rest=one.owed) for one in debts]
    for one in sorted(decided, key=lambda told: (told.at, told.source)):
        _settle(debts, left, within(debts, one.scope), one)
    return left


def within(debts: Sequence[Debt], scope: Scope) -> list[int]:
    """The places of the debts of a round that a scope is about."""
    found = [
        at
        for at, one in enumerate(debts)
        if (scope.seat is None or one.seat == scope.seat)
        and (scope.hand is None or one.hand in (None, scope.hand))
    ]
    if scope.seat is None and scope.patron is not None:
        found = [at for at in found if debts[at].player == scope.patron] or found
    return found


def beyond_debt(debts: Sequence[Debt] | None, scope: Scope, others: Iterable[SettledBy], amount: int) -> int:
    """The cents of a decision for the patron that nothing of the record owes any more behind what others settled.

    Where the record does not say what is owed (`debts` None: there is no record), it is all of the amount that no
    known debt explains if others paid for the same stakes, and else 0.
    """
    others = tuple(others)
    known, places = debts or (), within(debts or (), scope)
    left = settle(known, others)
    rests = [left[at].rest for at in places]
    said = [rest for rest in rests if rest is not None]
    if amount <= 0 or amount == sum(said):
        return 0
    if (debts is None or len(said) < len(rests)) and not any(
        one.amount > 0 and one.scope.overlaps(scope) for one in others
    ):
        return 0
    return max(0, amount - sum(max(rest, 0) for rest in said))


def _agree(mine: object, other: object) -> bool:
    return mine is None or other is None or mine == other


def _settle(
    debts: Sequence[Debt], left: Sequence[SettledDebt], places: Sequence[int], told: SettledBy
) -> None:
    if told.ruling is None:
        places = [at for at in places if all(one.settled_by.ruling is None for one in left[at].shares)]
    rests = {at: rest for at in places if (rest := left[at].rest) is not None}
    sure = len({debts[at].seat for at in places if debts[at].owed}) <= 1
    amount = told.amount if sure else 0
    whole = sure and amount == sum(rests.values())
    against = _RULED_OUT[told.ruling] if sure and told.ruling is not None else ()
    parts: dict[int, int] = {}
    for at, owed in rests.items():
        part = owed if whole else max(0, min(amount, owed)) if owed > 0 else min(0, max(amount, owed))
        parts[at], amount = part, amount - part
        rest = left[at].rest = owed - part
        if rest and (rest > 0) - (rest < 0) in against:
            left[at].ruled_out_by = told.source
        left[at].ruled_out = rest if left[at].ruled_out_by else 0
    # What an unknown debt may explain is not beyond it. The rest stands beside the first stake that was owed anything.
    over = amount if len(rests) == len(places) and told.ruling is not None else 0
    bearer = next((at for at in places if debts[at].owed), next(iter(places), None))
    for at in places:
        share = Share(settled_by=told, part=parts.get(at, 0), beyond=over if at == bearer else 0)
        left[at].shares = (*left[at].shares, share)
