"""What decisions settled of debts: an amount goes to the stakes it is about, and no further than these are owed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from dashboards.ledger.dispute_acts import Ruling
from processors.games.named_stakes import is_of
from schemas.findings import Finding

# Whom a ruling is for, in the signs of what is owed: the debts of the other side are not to be paid by the list.
_RULED_OUT: Final[dict[Ruling, tuple[int, ...]]] = {
    "for the patron": (-1,),
    "for the house": (1,),
    "settled between": (-1, 1),
    "withdrawn": (),
}

NO_STAKE: Final = "no stake on record"
NOBODY_SAID: Final = "nobody said whose stake it is for"
NOT_ON_RECORD: Final = "the record does not show what is owed"
NO_PATRON: Final = "the patron is at no seat of the round on record"
SAME_MATTER: Final = "the dispute of the alert decided the same matter"
# Why an amount stands at no stake.
Why = Literal[
    "no stake on record",
    "the patron is at no seat of the round on record",
    "nobody said whose stake it is for",
    "the record does not show what is owed",
    "the dispute of the alert decided the same matter",
]


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
    """What the record owes of a stake: cents, - was paid too much; None where the record does not say it.

    `kind` is the wager's, empty where it is not known; `player` is None where nobody was seen at the seat.
    """

    seat: int
    hand: str | None
    player: str | None
    owed: int | None
    kind: str = ""


class SettledBy(Struct, frozen=True, kw_only=True):
    """Who or what settled money, when it came to hold, and for which stakes; cents, + to the patron.

    `source` is the id of a dispute, or of an alert that was closed with this amount: an alert has no `ruling`.
    `said` is the ruling, or what the alert was closed as. `withheld_with` are kinds and values; whoever may not see
    one of them is not told the source. `finding` is what the alert was raised of, and names the stake.
    `meant` of the amount was said to be paid though nothing was owed any more. `round` is the round's number, None
    where the finding names none.
    """

    source: str
    scope: Scope
    ruling: Ruling | None
    said: str
    amount: int
    at: dt.datetime
    by: str
    withheld_with: frozenset[tuple[str, str]]
    finding: Finding | None = None
    meant: int = 0
    round: int | None = None

    def same_matter(self, closing: SettledBy) -> bool:
        """Whether this is the decision of the matter that an alert of no round was closed for.

        The dispute names the alert. An equal amount is the same money. So is another amount in the same direction that
        the alert was closed with after the decision, for the same place: before it, the decision was asked about it.
        """
        if self.ruling is None or ("alert", closing.source) not in self.withheld_with:
            return False
        here = replace(closing.scope, first_sequence=self.scope.first_sequence).overlaps(self.scope)
        later = closing.at > self.at and self.amount * closing.amount > 0 and here
        return later or self.amount == closing.amount


class Share(Struct, frozen=True, kw_only=True):
    """What went to one stake: `part` settled its debt, `beyond` was paid though nothing was owed any more.

    `told` is False where nobody said whose debt the amount is for: it settles none of them.
    """

    settled_by: SettledBy
    part: int
    beyond: int
    told: bool = True


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


class WithoutStake(Struct, frozen=True, kw_only=True):
    """The cents of an amount that stand at no stake, + to the patron, and why."""

    settled_by: SettledBy
    cents: int
    why: Why


class SettledRound(Struct, frozen=True, kw_only=True):
    """The debts of a round behind what was decided, each in its place, and what stands at none of them."""

    debts: list[SettledDebt]
    without_stake: tuple[WithoutStake, ...]


def settle(debts: Sequence[Debt], decided: Iterable[SettledBy]) -> list[SettledDebt]:
    """What is left of the debts of one round, each in its place, as `settle_round` has it."""
    return settle_round(debts, decided).debts


def settle_round(debts: Sequence[Debt], decided: Iterable[SettledBy]) -> SettledRound:
    """What is left of the debts of one round, each in its place, behind what was decided, the earliest first.

    An amount settles what is owed in the amount's direction, the first stake first, and all of it where it is the sum
    of what is owed. Of several people's debts nobody said whose it was: an amount that is not their sum settles none.
    An amount that was noted when an alert was closed settles nothing where a dispute settled just as much of the stake
    before: the note tells of the same money. It may be a loss of the house, so that no more of it is beyond a debt than
    whoever closed it said. Where its finding names a seat or hand without a stake, all of it is told: no debt is there
    that a loss could be held against.

    The parts that debts have of a dispute's amount, what is beyond them, and what is without a stake are the amount.
    """
    left, without = [SettledDebt(rest=one.owed) for one in debts], list[WithoutStake]()
    # Of what came to hold together, what was meant to be beyond the debt was found behind the rest.
    for one in sorted(decided, key=lambda told: (told.at, told.meant, told.source)):
        places = _places_of(debts, one.scope, one.finding)
        told_before = _told_before(left, without, places, one.scope)
        part, beyond = _settle(debts, left, places, one, told_before)
        if (cents := _left_over(one, places, part, beyond, told_before)) != 0:
            why = _why(debts, left, places, one)
            without.append(WithoutStake(settled_by=one, cents=cents, why=why))
    return SettledRound(debts=left, without_stake=tuple(without))


def within(debts: Sequence[Debt], scope: Scope) -> list[int]:
    """The places of the debts of a round that a scope is about; of a patron whom nobody saw there, all of them."""
    found = [
        at
        for at, one in enumerate(debts)
        if (scope.seat is None or one.seat == scope.seat)
        and (scope.hand is None or one.hand in (None, scope.hand))
    ]
    if scope.seat is None and scope.patron is not None:
        found = [at for at in found if debts[at].player == scope.patron] or found
    return found


def beyond_debt(
    debts: Sequence[Debt] | None,
    scope: Scope,
    others: Iterable[SettledBy],
    amount: int,
    finding: Finding | None = None,
) -> int:
    """The cents of a decision for the patron that nothing of the record owes any more behind what others settled.

    Where the record does not say what is owed (`debts` None: there is no record), it is all of the amount that no
    known debt explains if others paid for the same stakes, and else 0. What others paid to nobody in particular may
    have been for these stakes, and counts against them. The amount of an alert of this finding is for the stake that it
    names; it tells of the same money where disputes settled just as much of the stake. Where the stake was paid too
    much by at least the amount, the amount is that loss of the house, and pays nobody.
    """
    others = tuple(others)
    known, places = debts or (), _places_of(debts or (), scope, finding)
    settled = settle_round(known, others)
    left = settled.debts
    if finding is not None and amount == _told_before(left, settled.without_stake, places, scope):
        return 0
    rests = [left[at].rest for at in places]
    said = [rest for rest in rests if rest is not None]
    if (
        finding is not None
        and len(said) == len(rests)
        and max(said, default=1) <= 0
        and 0 < amount <= -sum(said)
    ):
        return 0
    untold = {
        one.settled_by.source: one.settled_by for at in places for one in left[at].shares if not one.told
    }
    paid = sum(max(one.amount, 0) for one in untold.values())
    if amount <= 0 or (amount == sum(said) and not paid):
        return 0
    if (debts is None or len(said) < len(rests)) and not any(
        one.amount > 0 and one.scope.overlaps(scope) for one in others
    ):
        return 0
    return max(0, amount - max(0, sum(max(rest, 0) for rest in said) - paid))


def _agree(mine: object, other: object) -> bool:
    return mine is None or other is None or mine == other


def _places_of(debts: Sequence[Debt], scope: Scope, finding: Finding | None) -> list[int]:
    """The places of the debts that an amount is for: an alert's is for the stake that its finding names."""
    named = [
        at
        for at, one in enumerate(debts)
        if finding and one.kind and is_of(finding, one.seat, one.kind, one.hand)
    ]
    return named or within(debts, scope)


def _told_before(
    left: Sequence[SettledDebt], without: Iterable[WithoutStake], places: Sequence[int], scope: Scope
) -> int:
    """What disputes settled of the debts at these places; of a scope without any, what disputes paid for it."""
    if places:
        return sum(one.part for at in places for one in left[at].shares if one.settled_by.ruling is not None)
    return sum(
        one.cents
        for one in without
        if one.settled_by.ruling is not None
        and one.why in (NO_STAKE, NO_PATRON)
        and one.settled_by.scope.overlaps(scope)
    )


def _left_over(told: SettledBy, places: Sequence[int], part: int, beyond: int, told_before: int) -> int:
    """The cents of an amount that stand at no stake, where `part` of it settled debts and `beyond` is beyond them."""
    rest = told.amount - part - beyond
    if told.ruling is not None:
        return rest
    if told.amount == told_before:
        return 0
    if not places and (told.scope.seat is not None or told.scope.hand is not None):
        return rest
    return max(0, min(rest, told.meant - beyond))


def _why(debts: Sequence[Debt], left: Sequence[SettledDebt], places: Sequence[int], told: SettledBy) -> Why:
    if not places:
        return NO_STAKE
    patron = told.scope.patron
    if told.scope.seat is None and patron is not None and all(debts[at].player != patron for at in places):
        return NO_PATRON
    if not left[places[0]].shares[-1].told:
        return NOBODY_SAID
    return NOT_ON_RECORD


def _is_sure(
    debts: Sequence[Debt], left: Sequence[SettledDebt], places: Sequence[int], told: SettledBy
) -> bool:
    """Whether it is known whose debts an amount is for.

    An amount is sure for the debts of one seat, for the debts of the patron who is named, and for all debts of which it
    is the sum.
    """
    owed, patron = [debts[at] for at in places if debts[at].owed], told.scope.patron
    if told.scope.seat is None and patron is not None:
        theirs = any(debts[at].player == patron for at in places)
        return theirs and all(one.player == patron for one in owed)
    rests = [left[at].rest or 0 for at in places]
    one_side = all(rest >= 0 for rest in rests) or all(rest <= 0 for rest in rests)
    whole = one_side and told.amount != 0 and told.amount == sum(rests)
    return len({one.seat for one in owed}) <= 1 or whole


def _settle(
    debts: Sequence[Debt],
    left: Sequence[SettledDebt],
    places: Sequence[int],
    told: SettledBy,
    told_before: int,
) -> tuple[int, int]:
    """Settle the debts at these places; the cents of the amount that settled them, and those beyond them."""
    sure = _is_sure(debts, left, places, told)
    same_money = told.ruling is None and told_before == told.amount
    rests = {at: rest for at in places if (rest := left[at].rest) is not None}
    amount = told.amount if sure and not same_money else 0
    whole = sure and not same_money and amount == sum(rests.values())
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
    over = amount if len(rests) == len(places) else 0
    over = over if told.ruling is not None else max(0, min(over, told.meant))
    bearer = next((at for at in places if debts[at].owed), next(iter(places), None))
    for at in places:
        beyond = over if at == bearer else 0
        share = Share(settled_by=told, part=parts.get(at, 0), beyond=beyond, told=sure)
        left[at].shares = (*left[at].shares, share)
    return sum(parts.values()), over if bearer is not None else 0
