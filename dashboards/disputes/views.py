"""Disputes as one user may see them: without those of others, and without fields the role may not read."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import msgspec
from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.debts.seen import is_theirs
from dashboards.desk.decisions import UnknownToDesk
from dashboards.desk.disputes import Decision, Dispute, Due, Reopening
from dashboards.ledger.acts import What
from dashboards.ledger.dispute_acts import DisputeLinked, DisputeNoted, DisputeReviewed, Review
from dashboards.web.console import Console
from dashboards.wording.copying import copied

SHOWS: Final[Mapping[str, str]] = MappingProxyType({
    "open": "Open", "second": "To confirm", "soon": "Due soon", "overdue": "Overdue", "decided": "Decided",
})  # fmt: skip
_INTERNAL = (DisputeNoted, DisputeLinked, DisputeReviewed)


class DisputeRow(Struct, frozen=True, kw_only=True):
    """A dispute in a list; `days_left` are whole days until it is due, below 0 when they are over.

    `proposed_by` proposed what waits for a second person: the decision, or the opening (`reopening`) of a decided one.
    """

    id: str
    version: int
    status: str
    due_state: Due
    due: dt.datetime
    days_left: int
    subject: str
    round: int
    seat: int | None
    hand: str | None
    claim: str
    claimed_cents: int
    dealer: str | None
    patron: str | None
    opened_at: dt.datetime
    opened_by: str
    decision: Decision | None
    reopening: Reopening | None
    proposed_by: str | None


class DisputeView(Struct, frozen=True, kw_only=True):
    """One dispute as a user may see it, and how it stands with its due date."""

    dispute: Dispute
    due_state: Due
    days_left: int


class Disputes(Struct, frozen=True, kw_only=True):
    """Disputes of a user, the open ones by due date, and how many there are to be shown under each name."""

    shown: tuple[DisputeRow, ...]
    counts: dict[str, int]


def must_read_disputes(console: Console, user: User, about: str) -> None:
    """Raise PermissionDeniedException, and keep the refusal, unless the user's role reads disputes."""
    console.require(console.role(user).reads_disputes != "none", user, "record", about, "reads no disputes")


def must_dispute(console: Console, user: User, about: str) -> None:
    """Raise PermissionDeniedException, and keep the refusal, unless the user's role opens and decides disputes."""
    console.require(console.role(user).disputes, user, "action", about, "may not do that")


def found_dispute(console: Console, user: User, name: str, what: What, about: str) -> Dispute:
    """A dispute that is there for this user, with all its fields; that it is not is kept.

    Raises:
        PermissionDeniedException: the role reads none.
        Unknown: there is none of this id, or it is withheld.
    """
    must_read_disputes(console, user, about)
    found = console.desk.dispute(name)
    if found is None or not is_theirs(console, user, found):
        console.note(user.name, what, about, granted=False, reason="unknown or withheld")
        raise UnknownToDesk(f"no dispute {name[:64]}")
    return found


def dispute_of(console: Console, user: User, name: str) -> Dispute:
    """A dispute as this user may see it, kept as seen before it is shown; raises what `found_dispute` does."""
    about = f"dispute {name}"
    found = found_dispute(console, user, name, "record", about)
    console.note(user.name, "record", about)
    return as_seen(console, user, found)


def as_seen(console: Console, user: User, dispute: Dispute) -> Dispute:
    """The dispute without the fields that the user's role may not read."""
    if console.role(user).reads_disputes == "all":
        return dispute
    review = dispute.review
    return msgspec.structs.replace(
        dispute,
        history=tuple(entry for entry in dispute.history if not isinstance(entry.act, _INTERNAL)),
        prints=(),
        alerts=(),
        cases=(),
        review=Review(requested_by=review.requested_by, dealer=review.dealer, supervisor=review.supervisor),
    )


def disputes_of(console: Console, user: User, show: str = "", words: str = "") -> Disputes:
    """The disputes of a user under one name of `SHOWS` (empty: all), that hold all these words."""
    now, terms = console.clock(), console.dispute_terms
    theirs = [as_seen(console, user, one) for one in console.desk.disputes() if is_theirs(console, user, one)]
    rows = [
        copied(
            DisputeRow,
            one,
            due_state=one.due_at(now, terms),
            days_left=one.days_left(now),
            dealer=one.review.dealer,
            proposed_by=one.waiting.by if one.waiting is not None else None,
        )
        for one in theirs
    ]
    wanted = [row for row in rows if _holds(row, words)]
    confirms = user.name if console.role(user).disputes else None
    return Disputes(
        shown=tuple(row for row in wanted if not show or _is_under(show, row, confirms)),
        counts={name: sum(_is_under(name, row, confirms) for row in wanted) for name in SHOWS},
    )


def _is_under(show: str, row: DisputeRow, confirms: str | None) -> bool:
    """Whether a dispute is shown under a name; `confirms` is who asks, if they may confirm what another proposed."""
    match show:
        case "second":
            return row.proposed_by is not None and confirms is not None and row.proposed_by != confirms
        case "open":
            return row.due_state != "decided"
        case "soon":
            return row.due_state == "due soon"
        case "overdue":
            return row.due_state == "overdue"
    return row.due_state == "decided"


def _holds(row: DisputeRow, words: str) -> bool:
    told = (row.id, row.subject, row.round, row.dealer, row.patron, row.claim, row.opened_by)
    text = " ".join(str(one) for one in told if one is not None).lower()
    return all(word in text for word in words.lower().split())
