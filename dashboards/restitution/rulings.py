"""What disputes decided of the stakes of a restitution: what was settled, what is still owed, what was ruled out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from dashboards.desk.disputes import Dispute
from dashboards.ledger.dispute_acts import Ruling
from dashboards.restitution.claims import Claim, Restitution, Ruled, Undecided

NAMELESS: Final = "a dispute that is not shown"
# Whom a ruling is for, in the signs of what is owed: the debts of the other side are not to be paid by the list.
_RULED_OUT: Final[dict[Ruling, tuple[int, ...]]] = {
    "for the patron": (-1,),
    "for the house": (1,),
    "settled between": (-1, 1),
    "withdrawn": (),
}


def with_rulings(
    made: Restitution,
    disputes: Iterable[Dispute],
    withheld: Collection[tuple[str, str]] = (),
    *,
    names: bool = True,
) -> Restitution:
    """The restitution with what each decided dispute did to its lines.

    A dispute is of the stakes of its hand, else of its seat, else of its patron in the round. Its amount settles what
    is owed in the amount's direction, the first stake first, and all of it where the amount is the sum of what is owed.
    A dispute that waits for a second person, or was opened again, has decided nothing. What is withheld from a reader
    has no name there, and without `names` nobody is named who decided.
    """
    places: dict[tuple[str, int], list[Dispute]] = defaultdict(list)
    for one in disputes:
        if one.status == "decided" and one.decision is not None:
            places[one.subject, one.first_sequence].append(one)
    if not places:
        return made
    lines, undecided = list(made.lines), list(made.undecided)
    mine, unsaid = _by_round(lines), _by_round(undecided)
    for place, of_round in places.items():
        for dispute in sorted(of_round, key=lambda one: (one.last_at, one.id)):
            told = _ruled(dispute, withheld, names)
            _settle(lines, _of(dispute, lines, mine[place]), told)
            for at in _of(dispute, undecided, unsaid[place]):
                undecided[at] = replace(undecided[at], disputes=(*undecided[at].disputes, told))
    return replace(made, lines=tuple(lines), undecided=tuple(undecided))


def _by_round(rows: Iterable[Claim | Undecided]) -> Mapping[tuple[str, int], Sequence[int]]:
    """The places of rows in their list, by table and first event of the round."""
    found: dict[tuple[str, int], list[int]] = defaultdict(list)
    for at, one in enumerate(rows):
        found[one.subject, one.first_sequence].append(at)
    return found


def _ruled(dispute: Dispute, withheld: Collection[tuple[str, str]], names: bool) -> Ruled:
    decision = dispute.decision
    assert decision is not None
    of_it = {("patron", dispute.patron or ""), ("dealer", dispute.review.dealer or "")}
    of_it |= {("alert", alert) for alert in dispute.alerts}
    hidden = not of_it.isdisjoint(withheld)
    return Ruled(
        dispute=NAMELESS if hidden else dispute.id,
        ruling=decision.ruling,
        amount=decision.amount_cents,
        settled=0,
        time=decision.confirmed_at or decision.at,
        by=decision.by if names and not hidden else None,
    )


def _of(dispute: Dispute, rows: Sequence[Claim] | Sequence[Undecided], places: Iterable[int]) -> list[int]:
    """The rows of its round that a dispute is about."""
    seat = dispute.seat or (int(dispute.hand.partition(".")[0]) if dispute.hand else None)
    found = [
        at
        for at in places
        if (seat is None or rows[at].seat == seat)
        and (dispute.hand is None or rows[at].hand in (None, dispute.hand))
    ]
    if seat is None and dispute.patron is not None:
        found = [at for at in found if rows[at].player == dispute.patron] or found
    return found


def _settle(lines: list[Claim], places: Sequence[int], told: Ruled) -> None:
    open_ = {at: lines[at].still_owed for at in places}
    # Of several seats nobody said whose debt it was: the dispute is named beside each stake, and settles none.
    sure = len({lines[at].seat for at in places}) == 1
    rest = told.amount if sure else 0
    whole = sure and rest == sum(open_.values())
    against = _RULED_OUT[told.ruling] if sure else ()
    for at in places:
        line, owed = lines[at], open_[at]
        part = owed if whole else max(0, min(rest, owed)) if owed > 0 else min(0, max(rest, owed))
        rest -= part
        left = owed - part
        ruled_out = bool(line.ruled_out) or (left > 0) - (left < 0) in against
        lines[at] = replace(
            line,
            settled=line.settled + part,
            still_owed=left,
            ruled_out=left if ruled_out else 0,
            disputes=(*line.disputes, replace(told, settled=part)),
        )
